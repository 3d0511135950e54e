// SafetensorsHeader: what a file says it holds, believed only after every
// statement was checked.
#pragma once

#include <tandem/nn/element_type.h>
#include <tandem/tensor/shape.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::nn {

struct SafetensorsEntry {
  std::string name;
  ElementType type;
  Shape shape;
  std::size_t count;  // of elements
  std::size_t begin;  // bytes of the data section
  std::size_t end;
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<SafetensorsEntry> entries;  // in the order of their bytes
  std::size_t data_begin = 0;             // the data section, in the file
};

/// The name that holds the metadata, and so cannot be a tensor's.
inline constexpr const char* metadata_key = "__metadata__";

/// Reads the header of the file whose whole content is `file`; of that, only
/// the header is touched. Throws FileError, naming `source`.
SafetensorsHeader read_safetensors_header(std::string_view file,
                                          const std::string& source);

}  // namespace tandem::nn
