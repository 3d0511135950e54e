#include "text/pattern.h"

#include <tandem/tensor/error.h>

#include <new>

#include "text/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace tandem::text {
namespace {

std::string reason_of(int code) {
  PCRE2_UCHAR message[256];
  pcre2_get_error_message(code, message, sizeof message);
  return reinterpret_cast<const char*>(message);
}

PCRE2_SPTR units(std::string_view text) {
  // PCRE2 refuses a null pointer even for an empty text.
  return reinterpret_cast<PCRE2_SPTR>(text.empty() ? "" : text.data());
}

}  // namespace

struct MatchScratch::Data {
  pcre2_match_data* match = pcre2_match_data_create(1, nullptr);
  ~Data() { pcre2_match_data_free(match); }
};

MatchScratch::MatchScratch() : data_(std::make_unique<Data>()) {
  if (data_->match == nullptr) throw std::bad_alloc();
}

MatchScratch::~MatchScratch() = default;

struct Pattern::Code {
  pcre2_code* code;
  explicit Code(pcre2_code* compiled) : code(compiled) {}
  ~Code() { pcre2_code_free(code); }
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
};

Pattern::Pattern(const std::string& expression) {
  int fault = 0;
  PCRE2_SIZE where = 0;
  pcre2_code* const code =
      pcre2_compile(units(expression), expression.size(), PCRE2_UTF | PCRE2_UCP,
                    &fault, &where, nullptr);
  if (code == nullptr) {
    throw TokenizerError(
        "tokenizer: pattern does not compile: " + reason_of(fault) +
        " at byte " + std::to_string(where) + " of '" + expression + "'");
  }
  code_ = std::make_unique<const Code>(code);
  // Where there is no JIT the same matches are found, only slower.
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

void Pattern::split(std::string_view text, MatchScratch& scratch,
                    const PieceSink& match, const PieceSink& gap) const {
  std::size_t done = 0;   // everything before it has been handed out
  std::size_t start = 0;  // where the next search begins
  while (start < text.size()) {
    const Span found = find(text, start, scratch);
    if (found.begin == found.end && found.begin < text.size()) {
      start = found.end + utf8_character_length(text.substr(found.end));
      continue;  // an empty match cuts nothing
    }
    if (found.begin > done) gap(text.substr(done, found.begin - done));
    if (found.end > found.begin) {
      match(text.substr(found.begin, found.end - found.begin));
    }
    done = start = found.end;
  }
  if (done < text.size()) gap(text.substr(done));
}

// An empty span at the end of the text stands for "no more".
Pattern::Span Pattern::find(std::string_view text, std::size_t start,
                            MatchScratch& scratch) const {
  pcre2_match_data* const data = scratch.data_->match;
  const int status = pcre2_match(code_->code, units(text), text.size(), start,
                                 PCRE2_NO_UTF_CHECK, data, nullptr);
  if (status == PCRE2_ERROR_NOMATCH) return {text.size(), text.size()};
  if (status < 0) {
    throw TokenizerError("tokenizer: pattern search failed: " +
                         reason_of(status));
  }
  const PCRE2_SIZE* const span = pcre2_get_ovector_pointer(data);
  // \K in a lookahead can put the begin behind the end.
  if (span[0] < start || span[0] > span[1]) {
    throw TokenizerError(
        "tokenizer: pattern search failed: a match runs backwards");
  }
  return {span[0], span[1]};
}

}  // namespace tandem::text
