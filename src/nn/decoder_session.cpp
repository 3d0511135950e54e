#include <tandem/nn/decoder_session.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cpu/floating_point.h"
#include "nn/session_block.h"
#include "tensor/storage_access.h"

namespace tandem::nn {
namespace {

[[noreturn]] void reject(const std::string& why) {
  throw ModelError("session: " + why);
}

std::size_t checked_capacity(const Decoder& decoder,
                             const SessionOptions& options) {
  const std::size_t positions = decoder.config().position_capacity;
  if (options.batch == 0) reject("batch is empty");
  if (options.capacity > positions) {
    reject("capacity exceeds the positions: capacity is " +
           std::to_string(options.capacity) + ", positions are " +
           std::to_string(positions));
  }
  return options.capacity == 0 ? positions : options.capacity;
}

void check_finite(const Tensor& logits) {
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double value = logits.values()[i];
    if (!std::isfinite(value)) throw NonfiniteError("session", i, value);
  }
}

// The last of each text's `tokens` rows.
Tensor last_rows(const Tensor& x, std::size_t tokens) {
  const std::size_t width = x.shape()[1];
  const std::size_t batch = x.shape()[0] / tokens;
  TensorBuilder last(Shape{batch, width}, "session");
  for (std::size_t text = 0; text < batch; ++text) {
    const std::size_t row = (text + 1) * tokens - 1;
    std::copy_n(x.values().data() + row * width, width,
                last.values() + text * width);
  }
  return last.finish();
}

}  // namespace

class DecoderSession::Reader {
 public:
  Reader(const Decoder& decoder, const SessionOptions& options,
         const ExecutionContext& execution)
      : decoder_(decoder),
        batch_(options.batch),
        capacity_(checked_capacity(decoder, options)),
        embedding_(autograd::Context::no_grad().with_execution(execution)),
        final_norm_(decoder, "final_norm", execution),
        head_(execution.scoped("head")) {
    for (std::size_t b = 0; b < decoder.config().blocks; ++b) {
      blocks_.emplace_back(decoder, b, batch_, capacity_, execution);
    }
  }

  Tensor read(const std::vector<TokenId>& tokens, LogitsOf which) {
    const std::size_t count = tokens.size() / batch_;
    check_room(count);
    const auto input =
        decoder_.encoder().encode(tokens, {batch_, count}, embedding_);
    const cpu::FloatingPointScope scope;
    const Tensor vectors = input.vectors.value();
    std::vector<double> x(vectors.values().begin(), vectors.values().end());
    for (SessionBlock& block : blocks_) block.read(x, count, length_);
    const Tensor hidden = final_norm_(x);  // [batch * count, width]
    const bool all = which == LogitsOf::every_token;
    const Tensor logits = head_.matmul_with_transpose(
        all ? hidden : last_rows(hidden, count), decoder_.head().table().view(),
        false, true);
    check_finite(logits);
    length_ += count;
    return logits.reshape(
        {batch_, all ? count : 1, decoder_.config().vocabulary});
  }

  void rewind(std::size_t length) {
    if (length > length_) {
      reject("cannot rewind forward: to " + std::to_string(length) +
             ", read are " + std::to_string(length_));
    }
    length_ = length;
  }

  std::size_t length() const { return length_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t batch() const { return batch_; }

 private:
  void check_room(std::size_t count) const {
    if (count <= capacity_ - length_) return;
    reject("more tokens than there is room for: read are " +
           std::to_string(length_) + ", given are " + std::to_string(count) +
           ", capacity is " + std::to_string(capacity_));
  }

  Decoder decoder_;
  std::size_t batch_;
  std::size_t capacity_;
  std::size_t length_ = 0;
  autograd::Context embedding_;
  std::vector<SessionBlock> blocks_;
  SessionNorm final_norm_;
  ExecutionContext head_;
};

DecoderSession::DecoderSession(const Decoder& decoder,
                               const SessionOptions& options,
                               const ExecutionContext& execution)
    : reader_(std::make_unique<Reader>(decoder, options, execution)) {}
DecoderSession::~DecoderSession() = default;
DecoderSession::DecoderSession(DecoderSession&&) noexcept = default;
DecoderSession& DecoderSession::operator=(DecoderSession&&) noexcept = default;

Tensor DecoderSession::read(const std::vector<TokenId>& tokens,
                            LogitsOf which) {
  return reader_->read(tokens, which);
}
void DecoderSession::rewind(std::size_t length) { reader_->rewind(length); }
std::size_t DecoderSession::length() const { return reader_->length(); }
std::size_t DecoderSession::capacity() const { return reader_->capacity(); }
std::size_t DecoderSession::batch() const { return reader_->batch(); }

}  // namespace tandem::nn
