#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "nn/atomic_file.h"
#include "nn/elements.h"
#include "nn/safetensors_header.h"
#include "text/utf8.h"

namespace tandem {
namespace {

using Metadata = std::map<std::string, std::string>;
using InFileOrder = std::vector<const StoredTensor*>;

constexpr const char* operation = "write_safetensors";

[[noreturn]] void reject(const std::string& fault,
                         const std::filesystem::path& path) {
  throw FileError(std::string(operation) + ": " + fault + ", in " +
                  path.string());
}

bool is_utf8(const std::string& text) {
  return text::utf8_valid_length(text) == text.size();
}

void check(const std::vector<StoredTensor>& tensors, const Metadata& metadata,
           const std::filesystem::path& path) {
  std::set<std::string> names;
  for (const StoredTensor& stored : tensors) {
    if (stored.name.empty()) reject("tensor without a name", path);
    if (!is_utf8(stored.name)) reject("name is not UTF-8", path);
    if (stored.name == nn::metadata_key) {
      reject("name is reserved: '" + stored.name + "'", path);
    }
    if (!names.insert(stored.name).second) {
      reject("name given twice: '" + stored.name + "'", path);
    }
    if (!nn::is_real(stored.type)) {
      reject("dtype cannot be written: " + std::string(to_string(stored.type)) +
                 " of '" + stored.name + "'",
             path);
    }
  }
  for (const auto& [key, value] : metadata) {
    if (!is_utf8(key) || !is_utf8(value)) {
      reject("metadata is not UTF-8", path);
    }
  }
}

// Wide types first: with a header padded to 8, every tensor is aligned.
InFileOrder in_file_order(const std::vector<StoredTensor>& tensors) {
  InFileOrder order;
  for (const StoredTensor& stored : tensors) order.push_back(&stored);
  std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) {
    return element_size(a->type) > element_size(b->type);
  });
  return order;
}

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump();
}

std::string metadata_json(const Metadata& metadata) {
  return json_string(nn::metadata_key) + ":" + nlohmann::json(metadata).dump();
}

std::string shape_json(const Shape& shape) {
  return nlohmann::json(std::vector<std::size_t>(shape.begin(), shape.end()))
      .dump();
}

std::string header_json(const InFileOrder& order, const Metadata& metadata) {
  std::string json = "{";
  if (!metadata.empty()) json += metadata_json(metadata);
  std::size_t offset = 0;
  for (const StoredTensor* stored : order) {
    const std::size_t end =
        offset + stored->tensor.size() * element_size(stored->type);
    if (json.size() > 1) json += ",";
    json += json_string(stored->name) + ":{\"dtype\":\"" +
            to_string(stored->type) +
            "\",\"shape\":" + shape_json(stored->tensor.shape()) +
            ",\"data_offsets\":[" + std::to_string(offset) + "," +
            std::to_string(end) + "]}";
    offset = end;
  }
  json += "}";
  json.resize((json.size() + 7) / 8 * 8, ' ');
  return json;
}

void write_header(const std::string& json, nn::AtomicFile& file) {
  const std::uint64_t length = json.size();
  char bytes[sizeof length];
  std::memcpy(bytes, &length, sizeof length);
  file.write(bytes, sizeof length);
  file.write(json.data(), json.size());
}

void write_values(const StoredTensor& stored, nn::AtomicFile& file) {
  constexpr std::size_t values_at_once = 1 << 16;
  const std::size_t size = element_size(stored.type);
  std::vector<char> bytes(std::min(stored.tensor.size(), values_at_once) *
                          size);
  const std::span<const double> values = stored.tensor.values();
  for (std::size_t done = 0; done < values.size(); done += values_at_once) {
    const std::size_t count = std::min(values.size() - done, values_at_once);
    nn::write_reals(stored.type, values.data() + done, count, bytes.data());
    file.write(bytes.data(), count * size);
  }
}

}  // namespace

void write_safetensors(const std::filesystem::path& path,
                       const std::vector<StoredTensor>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  check(tensors, metadata, path);
  const InFileOrder order = in_file_order(tensors);
  nn::AtomicFile file(path, operation);
  write_header(header_json(order, metadata), file);
  for (const StoredTensor* stored : order) write_values(*stored, file);
  file.commit();
}

}  // namespace tandem
