// What a language model must know of a piece of text that may still get words on both sides, as a
// chart decoder builds them.
//
// The right side is an LmState. On the left, only the first words whose probabilities words still
// further left could change are kept; they end at the first word after which nothing further left
// can matter (Li & Khudanpur 2008; KenLM's left states). Equal boundaries give equal futures.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lm/ngram_model.h"

namespace dragoman {

struct LmBoundary {
  LmState right;
  WordId left[kMaxLmOrder - 1];
  float left_log_probs[kMaxLmOrder - 1];  // of these words, with nothing known before the piece
  std::uint8_t left_length = 0;
  // Whether words further left can only matter through `left`. An open piece is all in `left`.
  bool closed = false;

  bool empty() const { return left_length == 0 && !closed; }
  bool operator==(const LmBoundary& other) const {
    return left_length == other.left_length && closed == other.closed && right == other.right &&
           std::equal(left, left + left_length, other.left);
  }
  std::uint64_t hash() const {
    std::uint64_t value = right.key() * 2 + (closed ? 1 : 0);
    for (std::size_t i = 0; i < left_length; ++i) {
      value = (value ^ static_cast<std::uint64_t>(left[i])) * 0x9e3779b97f4a7c15ull;
      value ^= value >> 29;
    }
    return value * 0xd6e8feb86659fd93ull;
  }
};

// Reads words and finished pieces from left to right into `out`, which it empties first.
class LmJoiner {
 public:
  LmJoiner(const NgramModel& model, LmBoundary& out) : model_(model), out_(out) {
    out_.right.length = 0;
    out_.left_length = 0;
    out_.closed = false;
  }

  void begin_sentence() {
    out_.right = model_.begin_state();
    out_.closed = true;
  }
  void word(WordId id) { log_prob_ += read(id); }

  // `piece` has its own log-probability, which this one does not contain: only what changes in it
  // because of the words before.
  void piece(const LmBoundary& piece) {
    if (out_.empty()) {
      out_ = piece;
      return;
    }
    for (std::size_t i = 0; i < piece.left_length; ++i) {
      if (out_.right.length == 0) break;
      log_prob_ +=
          static_cast<double>(read(piece.left[i])) - static_cast<double>(piece.left_log_probs[i]);
      // The context ends inside the piece: from here on it is as it was.
      if (out_.right.length <= i + 1) {
        out_.right = piece.right;
        return;
      }
    }
    if (piece.empty()) return;
    if (piece.closed) {
      // The next word backs off from what of the context reaches beyond the piece's begin.
      for (std::uint32_t i = piece.left_length; i < out_.right.length; ++i) {
        log_prob_ += static_cast<double>(out_.right.backoffs[i]);
      }
      out_.closed = true;
      out_.right = piece.right;
    } else if (out_.right.length == 0) {
      out_.right = piece.right;
    }
  }

  // Of what was read, and what it changed in pieces.
  double log_prob() const { return log_prob_; }

 private:
  float read(WordId id) {
    LmState next;
    const LmScore score = model_.score(out_.right, id, next);
    if (!out_.closed) {
      if (score.independent_left) {
        out_.closed = true;
      } else {
        out_.left[out_.left_length] = id;
        out_.left_log_probs[out_.left_length] = score.log_prob;
        ++out_.left_length;
        // A shortened state has forgotten the first words, and so would one with more before.
        out_.closed = next.length != out_.left_length;
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
