// NamedParameters: the parameters of a model, by name, in registry order; and
// where their first values come from.
#pragma once

#include <tandem/autograd/parameter.h>
#include <tandem/export.h>
#include <tandem/nn/random.h>

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace tandem::nn {

struct NamedParameter {
  std::string name;
  autograd::Parameter parameter;
};

/// A name is nonempty segments of lowercase ASCII letters, digits and
/// underscores, joined by dots: `blocks.0.attention.query.weight`.
class TANDEM_API NamedParameters {
 public:
  /// Throws ModelError where the name is malformed or taken, or the parameter
  /// has a name already: what is tied counts once.
  void add(const std::string& name, const autograd::Parameter& parameter);

  const std::vector<NamedParameter>& entries() const& { return entries_; }
  std::vector<NamedParameter> entries() const&& { return entries_; }
  /// Throws ModelError where there is none of that name.
  const autograd::Parameter& at(const std::string& name) const;
  /// The count of scalars in all of them.
  std::size_t scalar_count() const;
  void zero_grad() const;

 private:
  std::vector<NamedParameter> entries_;
};

/// A parameter's first value: there, or to be read when it is first used.
using FirstValue = std::variant<Tensor, autograd::ValueReader>;

/// Gives the first value of the parameter of that name and shape. It is asked
/// in registry order.
using ParameterSource =
    std::function<FirstValue(const std::string& name, const Shape& shape)>;

/// Throws ModelError where the source gives a tensor of another shape.
TANDEM_API autograd::Parameter make_parameter(const ParameterSource& source,
                                              const std::string& name,
                                              const Shape& shape);

/// Matrices are drawn Glorot uniform, vectors (gains) are ones. The generator
/// must outlive the source.
TANDEM_API ParameterSource initial_values(SplitMix64& generator);

/// A source's part below `prefix`, a dotted name.
TANDEM_API ParameterSource below(const std::string& prefix,
                                 const ParameterSource& source);

}  // namespace tandem::nn
