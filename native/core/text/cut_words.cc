#include "text/cut_words.h"

#include "text/characters.h"

namespace dragoman {

namespace {

bool is_apostrophe(char32_t code) {
  return code == U'\'' || code == U'’' || code == U'ʼ' || code == U'ʻ' || code == U'＇';
}

bool is_private(char32_t code) { return code >= 0xF0000 && code <= 0xFFFFD; }

class Cutter {
 public:
  Cutter(std::string_view text, Apostrophe apostrophe, std::vector<TokenSpan>& tokens)
      : text_(text), apostrophe_(apostrophe), tokens_(tokens) {}

  void run() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const CodePoint point = code_point_at(text_, at);
      switch (character_of(point.code)) {
        case Character::kSpace:
          at += point.bytes;
          break;
        case Character::kLetter:
        case Character::kMark:
        case Character::kDigit:
          at = word(at);
          break;
        case Character::kUnspaced:
          at = run_of_unspaced(at);
          break;
        case Character::kSymbol:
          at = symbol(at, point);
          break;
      }
    }
  }

 private:
  Character kind_at(std::size_t at) const {
    return at < text_.size() ? character_of(code_point_at(text_, at).code) : Character::kSpace;
  }

  std::size_t after_marks(std::size_t at) const {
    while (at < text_.size()) {
      const CodePoint point = code_point_at(text_, at);
      if (character_of(point.code) != Character::kMark) break;
      at += point.bytes;
    }
    return at;
  }

  void add(std::size_t begin, std::size_t end) { tokens_.push_back({begin, end}); }

  std::size_t word(std::size_t begin) {
    std::size_t token = begin;  // where the token under way begins
    std::size_t at = begin;
    Character last = Character::kLetter;
    std::size_t piece = 0;     // letters since the last full stop
    bool abbreviated = false;  // single letters with full stops: e.g., U.S.
    while (at < text_.size()) {
      const CodePoint point = code_point_at(text_, at);
      const Character kind = character_of(point.code);
      const std::size_t behind = at + point.bytes;
      if (kind == Character::kLetter || kind == Character::kDigit) {
        last = kind;
        ++piece;
        at = behind;
        continue;
      }
      if (kind == Character::kMark) {
        at = behind;
        continue;
      }
      if (kind != Character::kSymbol) break;
      const Character next = kind_at(behind);
      const bool letters = last == Character::kLetter && next == Character::kLetter;
      const bool digits = last == Character::kDigit && next == Character::kDigit;
      if (is_apostrophe(point.code)) {
        if (!letters && !digits) break;
        if (letters && apostrophe_ == Apostrophe::kBefore) {
          add(token, at);
          token = at;
        }
        if (letters && apostrophe_ == Apostrophe::kBehind) {
          add(token, behind);
          token = behind;
        }
        at = behind;
      } else if (point.code == U'.') {
        if (letters) {
          abbreviated = piece == 1;
          at = behind;
        } else if (digits) {
          at = behind;
        } else {
          if (abbreviated && piece == 1) at = behind;
          break;
        }
        piece = 0;
      } else if (point.code == U',' || point.code == U':') {
        if (!digits) break;
        at = behind;
      } else {
        break;
      }
    }
    add(token, at);
    return at;
  }

  std::size_t run_of_unspaced(std::size_t begin) {
    std::size_t at = begin;
    while (at < text_.size()) {
      const CodePoint point = code_point_at(text_, at);
      const Character kind = character_of(point.code);
      if (kind != Character::kUnspaced && kind != Character::kMark) break;
      at += point.bytes;
    }
    add(begin, at);
    return at;
  }

  std::size_t symbol(std::size_t begin, CodePoint point) {
    std::size_t at = begin + point.bytes;
    if (is_private(point.code)) {  // each stands for a piece of its own
      add(begin, at);
      return at;
    }
    at = after_marks(at);
    while (at < text_.size()) {
      const CodePoint next = code_point_at(text_, at);
      if (next.code != point.code) break;
      at = after_marks(at + next.bytes);
    }
    add(begin, at);
    return at;
  }

  std::string_view text_;
  Apostrophe apostrophe_;
  std::vector<TokenSpan>& tokens_;
};

}  // namespace

void cut_words(std::string_view text, Apostrophe apostrophe, std::vector<TokenSpan>& tokens) {
  tokens.clear();
  Cutter(text, apostrophe, tokens).run();
}

}  // namespace dragoman
