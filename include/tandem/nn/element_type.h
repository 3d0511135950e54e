// ElementType: how a file stores the values of a tensor.
#pragma once

#include <tandem/export.h>

#include <cstddef>

namespace tandem {

/// The element types of the safetensors format. The four floating-point ones
/// of 16 bits and more can be read as a Tensor and written; the integers can
/// be read as integers; the others are only recognised.
enum class ElementType {
  f64,
  f32,
  f16,
  bf16,
  i64,
  i32,
  i16,
  i8,
  u64,
  u32,
  u16,
  u8,
  boolean,
  f8_e4m3,
  f8_e5m2,
};

/// The format's own spelling: `F64`, `BF16`, `BOOL`, ...
TANDEM_API const char* to_string(ElementType type);

/// Bytes per element.
TANDEM_API std::size_t element_size(ElementType type);

}  // namespace tandem
