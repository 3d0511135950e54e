#include <tandem/nn/parameters.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <utility>

namespace tandem::nn {
namespace {

bool is_segment_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_well_formed(const std::string& name) {
  bool in_segment = false;
  for (const char c : name) {
    if (c == '.' ? !in_segment : !is_segment_character(c)) return false;
    in_segment = c != '.';
  }
  return in_segment;
}

}  // namespace

void NamedParameters::add(const std::string& name,
                          const autograd::Parameter& parameter) {
  if (!is_well_formed(name)) {
    throw ModelError("parameter: name is malformed: \"" + name + "\"");
  }
  for (const NamedParameter& entry : entries_) {
    if (entry.name == name) {
      throw ModelError("parameter: name is taken: \"" + name + "\"");
    }
    if (entry.parameter.is_same_node(parameter)) {
      throw ModelError("parameter: has a name already: \"" + name + "\" is \"" +
                       entry.name + "\"");
    }
  }
  entries_.push_back({name, parameter});
}

const autograd::Parameter& NamedParameters::at(const std::string& name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(),
                   [&](const auto& entry) { return entry.name == name; });
  if (found == entries_.end()) {
    throw ModelError("parameter: there is none of this name: \"" + name + "\"");
  }
  return found->parameter;
}

std::size_t NamedParameters::scalar_count() const {
  std::size_t count = 0;
  for (const NamedParameter& entry : entries_) {
    count += element_count(entry.parameter.shape(), "parameters");
  }
  return count;
}

void NamedParameters::zero_grad() const {
  for (const NamedParameter& entry : entries_) {
    autograd::Parameter(entry.parameter).zero_grad();
  }
}

autograd::Parameter make_parameter(const ParameterSource& source,
                                   const std::string& name,
                                   const Shape& shape) {
  FirstValue first = source(name, shape);
  if (auto* const read = std::get_if<autograd::ValueReader>(&first)) {
    return {shape, std::move(*read)};
  }
  const Tensor& value = std::get<Tensor>(first);
  if (!(value.shape() == shape)) {
    throw ModelError("parameter: shape differs: \"" + name + "\" is " +
                     to_string(value.shape()) + ", needed is " +
                     to_string(shape));
  }
  return autograd::Parameter(value);
}

ParameterSource initial_values(SplitMix64& generator) {
  return [&generator](const std::string&, const Shape& shape) {
    return shape.rank() == 2 ? glorot_uniform(shape[0], shape[1], generator)
                             : Tensor::ones(shape);
  };
}

ParameterSource below(const std::string& prefix,
                      const ParameterSource& source) {
  return [prefix, source](const std::string& name, const Shape& shape) {
    return source(prefix + "." + name, shape);
  };
}

}  // namespace tandem::nn
