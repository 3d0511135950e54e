// DecoderSession: a decoder that reads a text piece by piece and remembers the
// keys and values of what it has read.
#pragma once

#include <tandem/execution/context.h>
#include <tandem/export.h>
#include <tandem/nn/decoder.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tandem::nn {

struct SessionOptions {
  std::size_t batch = 1;  ///< texts that are read side by side
  /// Tokens of a text that there is room for; 0: as many as the decoder has
  /// positions.
  std::size_t capacity = 0;
};

/// Which tokens' logits are wanted.
enum class LogitsOf { every_token, last_token };

/// Reading n tokens in any pieces gives the logits of Decoder::logits without a
/// graph: bit for bit on the CPU with dense attention, elsewhere within
/// rounding. A token costs time and memory in proportion to what was read
/// before it. Attention is dense. A session belongs to one thread at a time; it
/// uses the parameters' values of the moment, so an update of the decoder asks
/// for a new session.
class TANDEM_API DecoderSession {
 public:
  /// Throws ModelError where there is no text, or the decoder has fewer
  /// positions than the capacity.
  explicit DecoderSession(const Decoder& decoder,
                          const SessionOptions& options = {},
                          const ExecutionContext& execution = {});
  ~DecoderSession();
  DecoderSession(DecoderSession&&) noexcept;
  DecoderSession& operator=(DecoderSession&&) noexcept;

  /// Reads more: `tokens` is [batch, any number], row-major. Gives
  /// [batch, tokens, vocabulary], or [batch, 1, vocabulary] for the last token
  /// alone. Throws ModelError as TextInputEncoder::encode does and where the
  /// tokens exceed the capacity, NonfiniteError where a logit is not finite.
  /// Where it throws, nothing was read.
  Tensor read(const std::vector<TokenId>& tokens,
              LogitsOf which = LogitsOf::every_token);

  /// Forgets all tokens but the first `length` of each text. Throws ModelError
  /// where fewer were read.
  void rewind(std::size_t length);

  std::size_t length() const;  ///< tokens of a text that were read
  std::size_t capacity() const;
  std::size_t batch() const;

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace tandem::nn
