#include "preorder/read_brackets.h"

#include <algorithm>

#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {
namespace {

struct LabelledPart {
  TreePart part;
  std::uint32_t label = 0;
};

// A bracket that is open.
struct Frame {
  std::string_view label;
  std::size_t column = 0;      // of the bracket, from 1
  std::size_t first_part = 0;  // in the stack of finished parts
  bool touched = false;        // something stood inside, kept or not
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, std::size_t line,
         Binarisation binarisation, HeadSide head_side, Trees& trees)
      : text_(text),
        name_(name),
        line_(line),
        binarisation_(binarisation),
        head_side_(head_side),
        trees_(trees) {}

  void read() {
    while (skip_spaces()) {
      const char c = text_[at_];
      if (c == '(') {
        open();
      } else if (c == ')') {
        close();
      } else {
        word();
      }
    }
    if (!frames_.empty()) {
      fail("the bracket in column " + std::to_string(frames_.back().column) + " is not closed");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(name_ + ":" + std::to_string(line_) + ": " + problem);
  }

  bool skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return at_ < text_.size();
  }

  std::string_view take() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '(' && text_[at_] != ')') {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  void open() {
    if (frames_.empty() && finished_) {
      fail("column " + std::to_string(at_ + 1) + " begins a second tree; write one tree a line");
    }
    if (!frames_.empty()) frames_.back().touched = true;
    frames_.push_back({{}, at_ + 1, parts_.size(), false});
    ++at_;
    if (skip_spaces() && text_[at_] != '(' && text_[at_] != ')') frames_.back().label = take();
  }

  void word() {
    const std::size_t column = at_ + 1;
    const std::string_view token = take();
    if (frames_.empty()) {
      fail("'" + std::string(token) + "' in column " + std::to_string(column) +
           " stands outside the brackets");
    }
    Frame& frame = frames_.back();
    frame.touched = true;
    if (frame.label == "-NONE-") return;
    const auto position = static_cast<std::int32_t>(trees_.open_tokens());
    if (position == UINT16_MAX) fail("the tree has more than 65,535 words");
    trees_.add_token(token, frame.label);
    parts_.push_back(
        {{~position, position, position + 1, position}, trees_.symbols().intern(frame.label)});
  }

  void close() {
    if (frames_.empty()) {
      fail("the bracket in column " + std::to_string(at_ + 1) + " closes nothing");
    }
    const Frame frame = frames_.back();
    frames_.pop_back();
    ++at_;
    if (!frame.touched && !frame.label.empty()) {
      fail("(" + std::string(frame.label) + ") in column " + std::to_string(frame.column) +
           " holds no words; a word is written (TAG word)");
    }
    const std::size_t count = parts_.size() - frame.first_part;
    if (count > 1) {
      const LabelledPart whole =
          binarise(std::span(parts_).subspan(frame.first_part), frame.label);
      parts_.resize(frame.first_part);
      parts_.push_back(whole);
    }
    if (frames_.empty()) finished_ = true;
  }

  LabelledPart binarise(std::span<const LabelledPart> parts, std::string_view label) {
    const std::uint32_t whole = trees_.symbols().intern(label);
    const std::uint32_t inner = trees_.symbols().intern(std::string(label) + "*");
    const std::size_t count = parts.size();
    std::size_t head = head_side_ == HeadSide::kFirst ? 0 : count - 1;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t candidate = head_side_ == HeadSide::kFirst ? k : count - 1 - k;
      if (parts[candidate].label == whole) {
        head = candidate;
        break;
      }
    }
    std::size_t begin = binarisation_ == Binarisation::kLeft    ? 0
                        : binarisation_ == Binarisation::kRight ? count - 1
                                                                : head;
    std::size_t end = begin + 1;
    TreePart made = parts[begin].part;
    while (end - begin < count) {
      const std::uint32_t name = end - begin + 1 == count ? whole : inner;
      // A part that does not hold the constituent's head yet is headed by its head-side end.
      const bool to_right = end < count;
      const std::size_t next = to_right ? end : begin - 1;
      const bool made_heads = (begin <= head && head < end) ||
                              (next != head && (head_side_ == HeadSide::kFirst) == to_right);
      const std::int32_t heads = made_heads ? made.head : parts[next].part.head;
      if (to_right) {
        made = join(trees_, made, parts[next].part, heads, name);
        ++end;
      } else {
        made = join(trees_, parts[next].part, made, heads, name);
        --begin;
      }
    }
    return {made, whole};
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t line_;
  Binarisation binarisation_;
  HeadSide head_side_;
  Trees& trees_;
  std::size_t at_ = 0;
  bool finished_ = false;
  std::vector<Frame> frames_;
  std::vector<LabelledPart> parts_;
};

}  // namespace

void read_brackets(std::string_view text, const std::string& name, std::size_t line,
                   Binarisation binarisation, HeadSide head_side, Trees& trees) {
  try {
    Reader(text, name, line, binarisation, head_side, trees).read();
  } catch (...) {
    trees.drop_open();
    throw;
  }
  trees.close_tree(line);
}

}  // namespace dragoman
