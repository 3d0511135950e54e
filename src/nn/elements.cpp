#include "nn/elements.h"

#include <tandem/tensor/float16.h>

#include <bit>
#include <cstring>

namespace tandem {
namespace {

static_assert(std::endian::native == std::endian::little,
              "files hold little-endian values, which are copied as they are");

struct Spelling {
  ElementType type;
  const char* name;
  std::size_t size;
};

constexpr Spelling spellings[] = {
    {ElementType::f64, "F64", 8},         {ElementType::f32, "F32", 4},
    {ElementType::f16, "F16", 2},         {ElementType::bf16, "BF16", 2},
    {ElementType::i64, "I64", 8},         {ElementType::i32, "I32", 4},
    {ElementType::i16, "I16", 2},         {ElementType::i8, "I8", 1},
    {ElementType::u64, "U64", 8},         {ElementType::u32, "U32", 4},
    {ElementType::u16, "U16", 2},         {ElementType::u8, "U8", 1},
    {ElementType::boolean, "BOOL", 1},    {ElementType::f8_e4m3, "F8_E4M3", 1},
    {ElementType::f8_e5m2, "F8_E5M2", 1},
};

const Spelling& spelling_of(ElementType type) {
  return spellings[static_cast<std::size_t>(type)];
}

template <typename Element, typename Value, typename Convert>
void read_as(const char* bytes, std::size_t count, Value* values,
             Convert convert) {
  for (std::size_t i = 0; i < count; ++i) {
    Element element;
    std::memcpy(&element, bytes + i * sizeof element, sizeof element);
    values[i] = convert(element);
  }
}

template <typename Element, typename Convert>
void write_as(const double* values, std::size_t count, char* bytes,
              Convert convert) {
  for (std::size_t i = 0; i < count; ++i) {
    const Element element = convert(values[i]);
    std::memcpy(bytes + i * sizeof element, &element, sizeof element);
  }
}

template <typename Element>
void read_integers_as(const char* bytes, std::size_t count,
                      std::int64_t* values) {
  read_as<Element>(bytes, count, values, [](Element element) {
    return static_cast<std::int64_t>(element);
  });
}

}  // namespace

const char* to_string(ElementType type) { return spelling_of(type).name; }

std::size_t element_size(ElementType type) { return spelling_of(type).size; }

namespace nn {

std::optional<ElementType> element_type_named(std::string_view name) {
  for (const Spelling& spelling : spellings) {
    if (name == spelling.name) return spelling.type;
  }
  return std::nullopt;
}

bool is_real(ElementType type) { return type <= ElementType::bf16; }

bool is_integer(ElementType type) {
  return type >= ElementType::i64 && type <= ElementType::u8 &&
         type != ElementType::u64;
}

// An f64 is copied as bytes and never passes a register, so that a signaling
// NaN stays one.
void read_reals(ElementType type, const char* bytes, std::size_t count,
                double* values) {
  if (type == ElementType::f64) {
    if (count > 0) std::memcpy(values, bytes, count * sizeof(double));
  } else if (type == ElementType::f32) {
    read_as<float>(bytes, count, values,
                   [](float x) { return static_cast<double>(x); });
  } else if (type == ElementType::f16) {
    read_as<Float16>(bytes, count, values,
                     [](Float16 x) { return x.to_double(); });
  } else {
    read_as<Bfloat16>(bytes, count, values,
                      [](Bfloat16 x) { return x.to_double(); });
  }
}

void write_reals(ElementType type, const double* values, std::size_t count,
                 char* bytes) {
  if (type == ElementType::f64) {
    if (count > 0) std::memcpy(bytes, values, count * sizeof(double));
  } else if (type == ElementType::f32) {
    write_as<float>(values, count, bytes,
                    [](double x) { return static_cast<float>(x); });
  } else if (type == ElementType::f16) {
    write_as<Float16>(values, count, bytes, Float16::from_double);
  } else {
    write_as<Bfloat16>(values, count, bytes, Bfloat16::from_double);
  }
}

void read_integers(ElementType type, const char* bytes, std::size_t count,
                   std::int64_t* values) {
  switch (type) {
    case ElementType::i32:
      return read_integers_as<std::int32_t>(bytes, count, values);
    case ElementType::i16:
      return read_integers_as<std::int16_t>(bytes, count, values);
    case ElementType::i8:
      return read_integers_as<std::int8_t>(bytes, count, values);
    case ElementType::u32:
      return read_integers_as<std::uint32_t>(bytes, count, values);
    case ElementType::u16:
      return read_integers_as<std::uint16_t>(bytes, count, values);
    case ElementType::u8:
      return read_integers_as<std::uint8_t>(bytes, count, values);
    default:
      return read_integers_as<std::int64_t>(bytes, count, values);
  }
}

}  // namespace nn
}  // namespace tandem
