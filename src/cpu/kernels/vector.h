// Vectors of any width in the compiler's own notation, and what kernels need of
// them. Everything has internal linkage: each instruction set has its own copy.
#pragma once

#include <stddef.h>

#if defined(__clang__)
#define TANDEM_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TANDEM_UNROLL _Pragma("GCC unroll 32")
#endif

namespace tandem::cpu {
namespace {

template <class Scalar, size_t lanes>
struct VectorOf {
  typedef Scalar type __attribute__((vector_size(lanes * sizeof(Scalar))));
};

template <class Scalar, size_t lanes>
using Vector = typename VectorOf<Scalar, lanes>::type;

template <class Scalar, size_t lanes>
inline Vector<Scalar, lanes> load(const Scalar* from) {
  Vector<Scalar, lanes> value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

template <class Scalar, class Value>
inline void store(Scalar* to, const Value& value) {
  __builtin_memcpy(to, &value, sizeof value);
}

// Sign and payload of a computed NaN are the compiler's choice of operand
// order, so a result never shows them.
template <class Value>
inline Value canonical(const Value& value) {
  const auto number = value == value;
  const Value nan =
      static_cast<decltype(value[0] + 0)>(__builtin_nan("")) - Value{};
  return number ? value : nan;
}

// Swaps blocks of `distance` elements between two rows of a matrix: the step a
// transpose is made of.
template <size_t distance, size_t lanes, class Value>
inline void exchange(Value& upper, Value& lower) {
  constexpr auto first = [](int e) {
    constexpr int d = static_cast<int>(distance);
    return (e & d) != 0 ? static_cast<int>(lanes) + e - d : e;
  };
  constexpr auto second = [](int e) {
    constexpr int d = static_cast<int>(distance);
    return (e & d) != 0 ? static_cast<int>(lanes) + e : e + d;
  };
  const Value a = upper;
  const Value b = lower;
  if constexpr (lanes == 2) {
    upper = __builtin_shufflevector(a, b, first(0), first(1));
    lower = __builtin_shufflevector(a, b, second(0), second(1));
  } else if constexpr (lanes == 4) {
    upper =
        __builtin_shufflevector(a, b, first(0), first(1), first(2), first(3));
    lower = __builtin_shufflevector(a, b, second(0), second(1), second(2),
                                    second(3));
  } else {
    static_assert(lanes == 8);
    upper =
        __builtin_shufflevector(a, b, first(0), first(1), first(2), first(3),
                                first(4), first(5), first(6), first(7));
    lower = __builtin_shufflevector(a, b, second(0), second(1), second(2),
                                    second(3), second(4), second(5), second(6),
                                    second(7));
  }
}

template <size_t distance, class Value, size_t lanes>
inline void exchange_all(Value (&rows)[lanes]) {
  TANDEM_UNROLL
  for (size_t i = 0; i < lanes; ++i) {
    if ((i & distance) == 0) {
      exchange<distance, lanes>(rows[i], rows[i + distance]);
    }
  }
}

template <class Value, size_t lanes>
inline void transpose(Value (&rows)[lanes]) {
  if constexpr (lanes > 4) exchange_all<4>(rows);
  if constexpr (lanes > 2) exchange_all<2>(rows);
  exchange_all<1>(rows);
}

}  // namespace
}  // namespace tandem::cpu
