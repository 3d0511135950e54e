// The two losses: classes along axis 1, weights, an ignored target.
#include "conformance/onnx/node.h"

namespace tandem::test::onnx {
namespace {

class Loss {
 public:
  explicit Loss(const Node& node)
      : node_(node), context_(node.context()), labels_(node.integers(1)) {
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const bool ignored =
          node.has_attribute("ignore_index") &&
          labels_[i] == node.attribute("ignore_index", std::int64_t{0});
      counted_.push_back(ignored ? 0.0 : 1.0);
      targets_.push_back(ignored ? 0 : static_cast<std::size_t>(labels_[i]));
    }
  }

  Outputs run() const {
    const bool from_scores = node_.op() == "SoftmaxCrossEntropyLoss";
    const Tensor x = node_.input(0);
    const Tensor logs = from_scores ? log_softmax(x, 1, context_) : x;
    const bool plain = from_scores && reduction() == "mean" && !node_.has(2) &&
                       !node_.has_attribute("ignore_index");
    Outputs outputs{plain ? indexed_mean_nll(x, 1, targets_, context_)
                          : weighted(logs)};
    if (node_.outputs() > 1) outputs.push_back(logs);
    return outputs;
  }

 private:
  std::string reduction() const {
    return node_.attribute("reduction", std::string("mean"));
  }

  // One row of the identity per label, so that a sum picks the class.
  Tensor picked(const Tensor& logs) const {
    const std::size_t classes = logs.shape()[1];
    std::vector<double> values(classes * classes, 0.0);
    for (std::size_t i = 0; i < classes; ++i) values[i * (classes + 1)] = 1.0;
    const Tensor rows = gather_rows(Tensor({classes, classes}, values),
                                    targets_, label_shape(), context_);
    std::vector<std::size_t> order{0, rows.rank() - 1};
    for (std::size_t i = 1; i + 1 < rows.rank(); ++i) order.push_back(i);
    const Tensor kept = where(rows.view().permute(order), logs, 0.0, context_);
    return sum_axis(kept, 1, false, context_);
  }

  Tensor weights(std::size_t classes) const {
    const Tensor table =
        node_.has(2) ? node_.input(2) : Tensor::ones({classes});
    const Tensor rows = gather_rows(table.reshape({classes, 1}), targets_,
                                    label_shape(), context_);
    return mul(rows.reshape(label_shape()), Tensor(label_shape(), counted_),
               context_);
  }

  Tensor total(const Tensor& x) const {
    return sum_axis(x.reshape({x.size()}), 0, false, context_);
  }

  Tensor weighted(const Tensor& logs) const {
    const Tensor weight = weights(logs.shape()[1]);
    const Tensor losses = neg(mul(picked(logs), weight, context_), context_);
    if (reduction() == "none") return losses;
    if (reduction() == "sum") return total(losses);
    return div(total(losses), total(weight), context_);
  }

  Shape label_shape() const { return node_.input_shape(1); }

  const Node& node_;
  const ExecutionContext& context_;
  std::vector<std::int64_t> labels_;
  std::vector<double> counted_;
  std::vector<std::size_t> targets_;
};

}  // namespace

std::optional<Outputs> run_loss(const Node& node) {
  if (node.op() != "SoftmaxCrossEntropyLoss" &&
      node.op() != "NegativeLogLikelihoodLoss") {
    return std::nullopt;
  }
  return Loss(node).run();
}

}  // namespace tandem::test::onnx
