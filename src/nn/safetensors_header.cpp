#include "nn/safetensors_header.h"

#include <tandem/tensor/error.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "nn/elements.h"
#include "text/strict_json.h"

namespace tandem::nn {
namespace {

using Json = nlohmann::json;

constexpr const char* operation = "safetensors";
constexpr std::size_t length_bytes = 8;
constexpr std::size_t longest_header = 100'000'000;  // the format's own limit

std::string in_quotes(const std::string& name) { return "'" + name + "'"; }

// Interprets one header; a fault is reported with the file it stands in.
class Reader {
 public:
  Reader(std::string_view file, const std::string& source)
      : file_(file), source_(source) {}

  SafetensorsHeader read() {
    const Json document = parse(header_text());
    for (const auto& [name, value] : document.items()) {
      if (name == metadata_key) {
        read_metadata(value);
      } else {
        header_.entries.push_back(entry(name, value));
      }
    }
    check_coverage();
    return std::move(header_);
  }

 private:
  [[noreturn]] void reject(const std::string& fault) const {
    throw FileError(std::string(operation) + ": " + fault + ", in " + source_);
  }

  std::string_view header_text();
  Json parse(std::string_view text) const;
  void read_metadata(const Json& value);
  SafetensorsEntry entry(const std::string& name, const Json& value) const;
  void check_keys(const std::string& name, const Json& value) const;
  ElementType read_type(const std::string& name, const Json& value) const;
  Shape read_shape(const std::string& name, const Json& value) const;
  std::size_t read_count(const std::string& name, const Shape& shape) const;
  void read_offsets(const Json& value, SafetensorsEntry& entry) const;
  void check_coverage();

  std::size_t data_size() const { return file_.size() - header_.data_begin; }

  std::string_view file_;
  const std::string& source_;
  SafetensorsHeader header_;
};

std::string_view Reader::header_text() {
  if (file_.size() < length_bytes) {
    reject("file too short: " + std::to_string(file_.size()) +
           " bytes, the header's length takes 8");
  }
  std::uint64_t length = 0;
  std::memcpy(&length, file_.data(), length_bytes);
  if (length > longest_header) {
    reject("header too long: " + std::to_string(length) + " bytes, at most " +
           std::to_string(longest_header));
  }
  if (length > file_.size() - length_bytes) {
    reject("header ends beyond the file: " + std::to_string(length) +
           " bytes, the file has " +
           std::to_string(file_.size() - length_bytes) + " after the length");
  }
  header_.data_begin = length_bytes + static_cast<std::size_t>(length);
  return file_.substr(length_bytes, static_cast<std::size_t>(length));
}

Json Reader::parse(std::string_view text) const {
  if (text.empty() || text.front() != '{') {
    reject("header is not an object: it does not begin with '{'");
  }
  // Anything but spaces after the object is the parser's to refuse, but it
  // would let other white space pass.
  if (const char last = text.back(); last != '}' && last != ' ') {
    reject(
        "header is not padded with spaces: its last byte is neither '}' "
        "nor a space");
  }
  return text::parse_strict_json(text, operation, source_);
}

void Reader::read_metadata(const Json& value) {
  if (!value.is_object()) reject("metadata is not an object");
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) {
      reject("metadata value is not a string: " + in_quotes(key));
    }
    header_.metadata[key] = text.get<std::string>();
  }
}

SafetensorsEntry Reader::entry(const std::string& name,
                               const Json& value) const {
  if (name.empty()) reject("tensor without a name");
  check_keys(name, value);
  SafetensorsEntry entry{};
  entry.name = name;
  entry.type = read_type(name, value.at("dtype"));
  entry.shape = read_shape(name, value.at("shape"));
  entry.count = read_count(name, entry.shape);
  read_offsets(value.at("data_offsets"), entry);
  return entry;
}

void Reader::check_keys(const std::string& name, const Json& value) const {
  if (!value.is_object()) reject("tensor is not an object: " + in_quotes(name));
  for (const char* key : {"dtype", "shape", "data_offsets"}) {
    if (!value.contains(key)) {
      reject("tensor lacks " + std::string(key) + ": " + in_quotes(name));
    }
  }
  for (const auto& [key, unused] : value.items()) {
    if (key != "dtype" && key != "shape" && key != "data_offsets") {
      reject("unknown key: " + in_quotes(key) + " of " + in_quotes(name));
    }
  }
}

ElementType Reader::read_type(const std::string& name,
                              const Json& value) const {
  if (!value.is_string()) reject("dtype is not a string: " + in_quotes(name));
  const auto& spelling = value.get_ref<const std::string&>();
  const std::optional<ElementType> type = element_type_named(spelling);
  if (!type) {
    reject("unknown dtype: " + in_quotes(spelling) + " of " + in_quotes(name));
  }
  return *type;
}

Shape Reader::read_shape(const std::string& name, const Json& value) const {
  if (!value.is_array()) reject("shape is not a list: " + in_quotes(name));
  std::vector<std::size_t> extents;
  for (const Json& extent : value) {
    if (!extent.is_number_unsigned()) {
      reject("extent is not a whole number: " + extent.dump() + " of " +
             in_quotes(name));
    }
    extents.push_back(extent.get<std::size_t>());
  }
  return Shape(extents);
}

// The product must fit even where an extent of zero makes it zero, for strides
// are products too.
std::size_t Reader::read_count(const std::string& name,
                               const Shape& shape) const {
  const std::size_t most =
      std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
  std::size_t product = 1;
  for (const std::size_t extent : shape) {
    if (extent == 0) continue;
    if (product > most / extent) {
      reject("shape too large: " + to_string(shape) + " of " + in_quotes(name));
    }
    product *= extent;
  }
  return shape.is_empty() ? 0 : product;
}

void Reader::read_offsets(const Json& value, SafetensorsEntry& entry) const {
  const auto whole = [](const Json& item) { return item.is_number_unsigned(); };
  if (!value.is_array() || value.size() != 2 ||
      !std::all_of(value.begin(), value.end(), whole)) {
    reject("data_offsets are not two whole numbers: " + value.dump() + " of " +
           in_quotes(entry.name));
  }
  entry.begin = value[0].get<std::size_t>();
  entry.end = value[1].get<std::size_t>();
  const std::string what = value.dump() + " of " + in_quotes(entry.name);
  if (entry.begin > entry.end) reject("data_offsets run backwards: " + what);
  if (entry.end > data_size()) {
    reject("data_offsets end beyond the file: " + what + ", the data has " +
           std::to_string(data_size()) + " bytes");
  }
  const std::size_t size = element_size(entry.type);
  if (entry.count > std::numeric_limits<std::size_t>::max() / size ||
      entry.end - entry.begin != entry.count * size) {
    reject("data_offsets do not fit the shape: " + what + ", " +
           to_string(entry.type) + " " + to_string(entry.shape) + " has " +
           std::to_string(entry.count) + " elements");
  }
}

void Reader::check_coverage() {
  auto& entries = header_.entries;
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::size_t covered = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].begin < covered) {
      reject("tensors overlap: " + in_quotes(entries[i].name) + " begins at " +
             std::to_string(entries[i].begin) + ", " +
             in_quotes(entries[i - 1].name) + " ends at " +
             std::to_string(covered));
    }
    if (entries[i].begin > covered) {
      reject("hole in the data: " + in_quotes(entries[i].name) + " begins at " +
             std::to_string(entries[i].begin) + ", all before end at " +
             std::to_string(covered));
    }
    covered = entries[i].end;
  }
  if (covered != data_size()) {
    reject("data after the last tensor: the tensors end at " +
           std::to_string(covered) + ", the data has " +
           std::to_string(data_size()) + " bytes");
  }
}

}  // namespace

SafetensorsHeader read_safetensors_header(std::string_view file,
                                          const std::string& source) {
  return Reader(file, source).read();
}

}  // namespace tandem::nn
