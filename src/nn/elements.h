// Elements: values as a file stores them, converted in bulk.
#pragma once

#include <tandem/nn/element_type.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tandem::nn {

/// The type of this spelling, if there is one.
std::optional<ElementType> element_type_named(std::string_view name);

bool is_real(ElementType type);     // F64, F32, F16, BF16
bool is_integer(ElementType type);  // every value fits into an i64

/// `type` is real. Neither side of a conversion needs to be aligned in bytes.
void read_reals(ElementType type, const char* bytes, std::size_t count,
                double* values);
void write_reals(ElementType type, const double* values, std::size_t count,
                 char* bytes);

/// `type` is an integer.
void read_integers(ElementType type, const char* bytes, std::size_t count,
                   std::int64_t* values);

}  // namespace tandem::nn
