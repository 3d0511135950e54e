#include "text/pre_tokenizer.h"

#include <utility>

namespace tandem::text {

// White space is spelled out as Unicode's White_Space: PCRE2's \s has one
// character more, U+180E.
#define TANDEM_SPACE R"(\t-\r\x{85}\p{Z})"
const char* const gpt2_expression =
    "'s|'t|'re|'ve|'m|'ll|'d"
    "| ?\\p{L}+| ?\\p{N}+| ?[^" TANDEM_SPACE
    "\\p{L}\\p{N}]+"
    "|[" TANDEM_SPACE "]+(?![^" TANDEM_SPACE "])|[" TANDEM_SPACE "]+";
#undef TANDEM_SPACE

void PreTokenizer::add_split(const std::string& expression, Matches matches) {
  Stage stage{{}, matches};
  stage.pattern.emplace_back(expression);
  stages_.push_back(std::move(stage));
}

void PreTokenizer::add_prefix_space() {
  stages_.push_back({{}, Matches::isolated});
}

void PreTokenizer::split(std::string_view text, MatchScratch& scratch,
                         const PieceSink& sink) const {
  split_from(0, text, scratch, sink);
}

// Each stage hands its pieces to the next; a match is over before its piece is
// handed on, so that all stages share one scratch.
void PreTokenizer::split_from(std::size_t stage, std::string_view text,
                              MatchScratch& scratch,
                              const PieceSink& sink) const {
  if (text.empty()) return;
  if (stage == stages_.size()) return sink(text);
  const PieceSink next = [&, stage](std::string_view piece) {
    split_from(stage + 1, piece, scratch, sink);
  };
  const Stage& current = stages_[stage];
  if (!current.pattern.empty()) {
    const PieceSink nowhere = [](std::string_view) {};
    current.pattern[0].split(
        text, scratch, current.matches == Matches::removed ? nowhere : next,
        next);
  } else if (text.front() == ' ') {
    next(text);
  } else {
    std::string padded(1, ' ');
    padded += text;
    next(padded);
  }
}

}  // namespace tandem::text
