// Node: one case of the ONNX node tests, and the composition of our operations
// that computes it. The compositions do no arithmetic of their own.
#pragma once

#include <tandem/execution/functions.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tandem::test::onnx {

/// A case that asks for what the library does not promise.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Node {
 public:
  Node(const nlohmann::json& test, const ExecutionContext& context)
      : test_(test), context_(context) {}

  std::string op() const { return test_.at("op").get<std::string>(); }
  const ExecutionContext& context() const { return context_; }
  std::size_t outputs() const { return test_.at("outputs").size(); }

  std::size_t inputs() const { return test_.at("inputs").size(); }
  /// True where input i is there and not left out.
  bool has(std::size_t i) const;
  Tensor input(std::size_t i) const;
  Shape input_shape(std::size_t i) const;
  std::string input_type(std::size_t i) const;
  /// The values of an integer input.
  std::vector<std::int64_t> integers(std::size_t i) const;

  bool has_attribute(const std::string& name) const;
  std::int64_t attribute(const std::string& name, std::int64_t other) const;
  double attribute(const std::string& name, double other) const;
  std::string attribute(const std::string& name,
                        const std::string& other) const;
  std::vector<std::size_t> sizes_attribute(const std::string& name) const;

  /// Throws Unsupported where there are inputs beyond `count`.
  void takes_at_most(std::size_t count) const;

 private:
  const nlohmann::json& test_;
  const ExecutionContext& context_;
};

using Outputs = std::vector<Tensor>;

/// An axis counted from the end where negative.
std::size_t axis_of(std::int64_t axis, std::size_t rank);

/// A packed copy of a view under another shape.
Tensor reshaped(const TensorView& view, const Shape& shape);

// Each answers the outputs of a node of its family, or nothing where the node
// is of another one.
std::optional<Outputs> run_elementwise(const Node& node);
std::optional<Outputs> run_rearranging(const Node& node);
std::optional<Outputs> run_reduction(const Node& node);
std::optional<Outputs> run_normalization(const Node& node);
std::optional<Outputs> run_product(const Node& node);
std::optional<Outputs> run_rotary(const Node& node);
std::optional<Outputs> run_attention(const Node& node);
std::optional<Outputs> run_loss(const Node& node);

/// Throws Unsupported where no family has the node.
Outputs run(const Node& node);

}  // namespace tandem::test::onnx
