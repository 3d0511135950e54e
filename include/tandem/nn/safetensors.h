// Safetensors: named tensors in files, read through a memory map and written
// so that a broken file is never seen.
#pragma once

#include <tandem/export.h>
#include <tandem/nn/element_type.h>
#include <tandem/tensor/tensor.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tandem {

/// The tensors of one file, or of a checkpoint that is sharded over several.
/// Opening reads and checks the headers only; a tensor's values are read when
/// they are asked for. A copy is cheap, and threads may share one. The files
/// stay mapped while a copy lives and must not be changed in place meanwhile
/// (write_safetensors replaces a file instead, which is safe); one that was cut
/// is noticed before it is read.
///
/// Every fault is a FileError that names it and the file.
class TANDEM_API Safetensors {
 public:
  /// `path` is a .safetensors file or, with the extension .json, the index
  /// file of a sharded checkpoint. Throws unless the tensors cover each file's
  /// data exactly, without overlap or hole, each with as many bytes as its
  /// shape needs; and unless an index and its shards name the same tensors.
  static Safetensors open(const std::filesystem::path& path);

  /// In the order in which the files hold them.
  const std::vector<std::string>& names() const&;
  std::vector<std::string> names() const&& { return names(); }
  bool contains(const std::string& name) const;

  /// Of the files' headers; where shards disagree the first one counts.
  const std::map<std::string, std::string>& metadata() const&;
  std::map<std::string, std::string> metadata() const&& { return metadata(); }

  /// Each of these throws when there is no such tensor.
  ElementType type(const std::string& name) const;
  const Shape& shape(const std::string& name) const&;
  Shape shape(const std::string& name) const&& { return shape(name); }

  /// The values as f64, which is exact. They are converted in each call. Throws
  /// unless the type is F64, F32, F16 or BF16.
  Tensor tensor(const std::string& name) const;

  /// Whether two tensors have the same type, shape and bytes.
  bool stores_alike(const std::string& a, const std::string& b) const;

  /// The values in row-major order. Throws unless the type is a signed integer
  /// or an unsigned one below 64 bits.
  std::vector<std::int64_t> integers(const std::string& name) const;

 private:
  struct Contents;
  explicit Safetensors(std::shared_ptr<const Contents> contents);
  std::shared_ptr<const Contents> contents_;
};

/// A tensor on its way to a file.
struct StoredTensor {
  std::string name;
  Tensor tensor;
  /// F64 keeps every bit; F32, F16 and BF16 round each value once, to nearest
  /// even. No other type can be written.
  ElementType type = ElementType::f64;
};

/// Writes `path`, or replaces it, in one step: the new file is complete and on
/// the disk before it takes the name, so a write that fails or is killed leaves
/// what was there. Throws FileError on a name that is empty, reserved, not
/// UTF-8 or given twice, and where the system refuses.
TANDEM_API void write_safetensors(
    const std::filesystem::path& path, const std::vector<StoredTensor>& tensors,
    const std::map<std::string, std::string>& metadata = {});

}  // namespace tandem
