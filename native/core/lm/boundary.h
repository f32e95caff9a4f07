// What a language model must know of a piece of text that may still get words on both sides, as a
// chart decoder builds them.
//
// The right side is an LmState. On the left, only the first words whose probabilities words still
// further left could change are kept; they end at the first word after which nothing further left
// can matter (Li & Khudanpur 2008; KenLM's left states). Equal boundaries give equal futures.
#pragma once

#include <cstdint>

#include "lm/ngram_model.h"

namespace dragoman {

struct LmLeft {
  WordId words[kMaxLmOrder - 1];
  float log_probs[kMaxLmOrder - 1];  // of these words, with nothing known before the piece
  std::uint8_t length = 0;
  // Whether words further left can only matter through `words`. An open piece is all in there.
  bool closed = false;

  bool empty() const { return length == 0 && !closed; }
  // The words imply their log-probabilities.
  bool operator==(const LmLeft& other) const {
    if (length != other.length || closed != other.closed) return false;
    for (std::size_t i = 0; i < length; ++i) {
      if (words[i] != other.words[i]) return false;
    }
    return true;
  }
  std::uint64_t hash() const {
    std::uint64_t value = closed ? 1 : 0;
    for (std::size_t i = 0; i < length; ++i) {
      value = (value ^ static_cast<std::uint64_t>(words[i])) * 0x9e3779b97f4a7c15ull;
      value ^= value >> 29;
    }
    return value * 0xd6e8feb86659fd93ull;
  }
};

struct LmBoundary {
  LmLeft left;
  LmState right;
};

// Reads words and finished pieces from left to right into `out`, which it empties first.
class LmJoiner {
 public:
  LmJoiner(const NgramModel& model, LmBoundary& out) : model_(model), out_(out) {
    out_.right.length = 0;
    out_.left.length = 0;
    out_.left.closed = false;
  }

  void begin_sentence() {
    out_.right = model_.begin_state();
    out_.left.closed = true;
  }
  void word(WordId id) { log_prob_ += read(id); }

  // The piece has its own log-probability, which this one does not contain: only what changes in
  // it because of the words before.
  void piece(const LmLeft& left, const LmState& right) {
    if (out_.left.empty()) {
      out_ = {left, right};
      return;
    }
    for (std::size_t i = 0; i < left.length; ++i) {
      if (out_.right.length == 0) break;
      log_prob_ +=
          static_cast<double>(read(left.words[i])) - static_cast<double>(left.log_probs[i]);
      // The context ends inside the piece: from here on it is as it was.
      if (out_.right.length <= i + 1) {
        out_.right = right;
        return;
      }
    }
    if (left.empty()) return;
    if (left.closed) {
      // The next word backs off from what of the context reaches beyond the piece's begin.
      for (std::uint32_t i = left.length; i < out_.right.length; ++i) {
        log_prob_ += static_cast<double>(out_.right.backoffs[i]);
      }
      out_.left.closed = true;
      out_.right = right;
    } else if (out_.right.length == 0) {
      out_.right = right;
    }
  }
  void piece(const LmBoundary& piece) { this->piece(piece.left, piece.right); }

  // Of what was read, and what it changed in pieces.
  double log_prob() const { return log_prob_; }

 private:
  float read(WordId id) {
    LmState next;
    const LmScore score = model_.score(out_.right, id, next);
    if (LmLeft& left = out_.left; !left.closed) {
      if (score.independent_left) {
        left.closed = true;
      } else {
        left.words[left.length] = id;
        left.log_probs[left.length] = score.log_prob;
        ++left.length;
        // A shortened state has forgotten the first words, and so would one with more before.
        left.closed = next.length != left.length;
      }
    }
    out_.right = next;
    return score.log_prob;
  }

  const NgramModel& model_;
  LmBoundary& out_;
  double log_prob_ = 0;
};

}  // namespace dragoman
