#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>
#include <utility>

#include "nn/elements.h"
#include "nn/mapped_file.h"
#include "nn/safetensors_header.h"
#include "tensor/storage_access.h"
#include "text/strict_json.h"

namespace tandem {
namespace {

using Json = nlohmann::json;
using ShardOfName = std::map<std::string, std::string>;

constexpr const char* operation = "safetensors";

[[noreturn]] void reject(const std::string& fault,
                         const std::filesystem::path& path) {
  throw FileError(std::string(operation) + ": " + fault + ", in " +
                  path.string());
}

struct Shard {
  std::filesystem::path path;
  nn::MappedFile file;
  nn::SafetensorsHeader header;

  explicit Shard(const std::filesystem::path& where)
      : path(where),
        file(where, operation),
        header(nn::read_safetensors_header(file.bytes(), where.string())) {}
};

// A shard lies beside its index: a name that leads elsewhere is no shard's.
void check_shard_name(const std::string& shard,
                      const std::filesystem::path& index) {
  const bool is_plain = !shard.empty() && shard != "." && shard != ".." &&
                        shard.find('/') == std::string::npos &&
                        shard.find('\0') == std::string::npos;
  if (!is_plain) reject("shard is not a file name: '" + shard + "'", index);
}

ShardOfName read_index(const std::filesystem::path& path) {
  const nn::MappedFile file(path, operation);
  const Json index =
      text::parse_strict_json(file.bytes(), operation, path.string());
  if (!index.is_object() || !index.contains("weight_map") ||
      !index.at("weight_map").is_object()) {
    reject("index has no weight_map", path);
  }
  ShardOfName shards;
  for (const auto& [name, shard] : index.at("weight_map").items()) {
    if (!shard.is_string()) {
      reject("shard is not a file name: " + shard.dump(), path);
    }
    shards[name] = shard.get<std::string>();
    check_shard_name(shards[name], path);
  }
  return shards;
}

}  // namespace

struct Safetensors::Contents {
  struct Place {
    const Shard* shard;
    const nn::SafetensorsEntry* entry;
  };

  std::filesystem::path path;
  std::vector<std::unique_ptr<const Shard>> shards;
  std::vector<std::string> names;
  std::unordered_map<std::string, Place> places;
  std::map<std::string, std::string> metadata;

  void add(const std::filesystem::path& file);
  void add_indexed(const ShardOfName& shard_of_name);
  const Place& place(const std::string& name) const;

  // Throws where the file was cut: the system kills who touches what is gone.
  static const char* bytes(const Place& place);
};

void Safetensors::Contents::add(const std::filesystem::path& file) {
  shards.push_back(std::make_unique<const Shard>(file));
  const Shard& shard = *shards.back();
  metadata.insert(shard.header.metadata.begin(), shard.header.metadata.end());
  for (const nn::SafetensorsEntry& entry : shard.header.entries) {
    if (!places.insert({entry.name, {&shard, &entry}}).second) {
      reject("tensor in two shards: '" + entry.name + "'", file);
    }
    names.push_back(entry.name);
  }
}

void Safetensors::Contents::add_indexed(const ShardOfName& shard_of_name) {
  std::set<std::string> files;
  for (const auto& [name, shard] : shard_of_name) files.insert(shard);
  for (const std::string& file : files) add(path.parent_path() / file);
  for (const std::string& name : names) {
    if (!shard_of_name.contains(name)) {
      reject("index lacks a shard's tensor: '" + name + "'", path);
    }
  }
  for (const auto& [name, shard] : shard_of_name) {
    const auto found = places.find(name);
    if (found == places.end() ||
        found->second.shard->path.filename() != shard) {
      reject("shard lacks an indexed tensor: '" + name + "' in " + shard, path);
    }
  }
}

const Safetensors::Contents::Place& Safetensors::Contents::place(
    const std::string& name) const {
  const auto found = places.find(name);
  if (found == places.end()) reject("no such tensor: '" + name + "'", path);
  return found->second;
}

const char* Safetensors::Contents::bytes(const Place& place) {
  const Shard& shard = *place.shard;
  if (!shard.file.is_whole()) reject("file has become shorter", shard.path);
  return shard.file.bytes().data() + shard.header.data_begin +
         place.entry->begin;
}

Safetensors::Safetensors(std::shared_ptr<const Contents> contents)
    : contents_(std::move(contents)) {}

Safetensors Safetensors::open(const std::filesystem::path& path) {
  auto contents = std::make_shared<Contents>();
  contents->path = path;
  if (path.extension() == ".json") {
    contents->add_indexed(read_index(path));
  } else {
    contents->add(path);
  }
  return Safetensors(std::move(contents));
}

const std::vector<std::string>& Safetensors::names() const& {
  return contents_->names;
}

bool Safetensors::contains(const std::string& name) const {
  return contents_->places.contains(name);
}

const std::map<std::string, std::string>& Safetensors::metadata() const& {
  return contents_->metadata;
}

ElementType Safetensors::type(const std::string& name) const {
  return contents_->place(name).entry->type;
}

const Shape& Safetensors::shape(const std::string& name) const& {
  return contents_->place(name).entry->shape;
}

Tensor Safetensors::tensor(const std::string& name) const {
  const Contents::Place& place = contents_->place(name);
  if (!nn::is_real(place.entry->type)) {
    reject("dtype cannot be read as f64: " +
               std::string(to_string(place.entry->type)) + " of '" + name + "'",
           place.shard->path);
  }
  TensorBuilder builder(place.entry->shape);
  nn::read_reals(place.entry->type, Contents::bytes(place), place.entry->count,
                 builder.values());
  return builder.finish();
}

bool Safetensors::stores_alike(const std::string& a,
                               const std::string& b) const {
  const Contents::Place& left = contents_->place(a);
  const Contents::Place& right = contents_->place(b);
  return left.entry->type == right.entry->type &&
         left.entry->shape == right.entry->shape &&
         std::memcmp(Contents::bytes(left), Contents::bytes(right),
                     left.entry->end - left.entry->begin) == 0;
}

std::vector<std::int64_t> Safetensors::integers(const std::string& name) const {
  const Contents::Place& place = contents_->place(name);
  if (!nn::is_integer(place.entry->type)) {
    reject("dtype cannot be read as integers: " +
               std::string(to_string(place.entry->type)) + " of '" + name + "'",
           place.shard->path);
  }
  std::vector<std::int64_t> values(place.entry->count);
  nn::read_integers(place.entry->type, Contents::bytes(place), values.size(),
                    values.data());
  return values;
}

}  // namespace tandem
