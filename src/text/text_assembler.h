// TextAssembler: puts decoded pieces together into text, a whole character at
// a time.
#pragma once

#include <cstddef>
#include <string>

namespace tandem::text {

/// What one token contributes to a text.
struct DecodedPiece {
  std::string bytes;
  bool is_fallback = false;  ///< one byte of a character that has no token
};

/// Bytes that can no longer become a character turn into U+FFFD: each one by
/// itself where they come from fallback tokens, otherwise one for each maximal
/// beginning of a character.
class TextAssembler {
 public:
  enum class Runs {
    whole,     ///< a run of fallback bytes is text as a whole or not at all
    streaming  ///< characters are given out before their run is over
  };

  /// The text loses up to `strip_spaces` spaces in front.
  TextAssembler(std::size_t strip_spaces, Runs runs)
      : strip_spaces_(strip_spaces), runs_(runs) {}

  /// The text that is certain once `piece` is there.
  std::string push(const DecodedPiece& piece);

  /// What is left when no piece follows.
  std::string finish();

 private:
  std::string take_certain();
  std::string take_rest();
  std::string stripped(std::string text);

  std::size_t strip_spaces_;
  Runs runs_;
  std::string pending_;
  bool pending_is_fallback_ = false;
};

}  // namespace tandem::text
