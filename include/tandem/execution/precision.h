// MatmulPrecision: how a product rounds.
#pragma once

#include <tandem/export.h>

namespace tandem {

enum class MatmulPrecision {
  F64,      ///< everything in binary64
  F16F32,   ///< operands and result in binary16, products and sums in binary32
  Bf16F32,  ///< operands and result in bfloat16, products and sums in binary32
};

/// The name as it is spelled above.
TANDEM_API const char* to_string(MatmulPrecision precision);

}  // namespace tandem
