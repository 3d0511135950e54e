// How a Llama's file names and lays out what the decoder's parameters hold.
#pragma once

#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <string>

namespace tandem::nn {

enum class WeightLayout {
  same,
  transposed,  ///< [out, in] there, [in, out] here
  /// Transposed; and of a head's `w` outputs, pair p is (p, p + w/2) there and
  /// (2p, 2p + 1) here.
  rotary,
};

struct WeightPlace {
  std::string name;
  WeightLayout layout;
};

/// Where the file holds the parameter of this name.
WeightPlace place_of(const std::string& parameter);

/// The shape in the file of a parameter of this shape.
Shape stored_shape(const Shape& shape, WeightLayout layout);

/// Between the file's layout and the decoder's, there and back.
Tensor from_stored(const Tensor& stored, WeightLayout layout,
                   std::size_t head_width);
Tensor to_stored(const Tensor& value, WeightLayout layout,
                 std::size_t head_width);

}  // namespace tandem::nn
