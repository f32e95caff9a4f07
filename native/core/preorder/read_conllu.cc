#include "preorder/read_conllu.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "text/error.h"

namespace dragoman {
namespace {

struct Word {
  std::string_view form;
  std::string_view tag;
  std::string_view relation;
  std::int32_t head = -1;  // -1: root
  std::size_t line = 0;
};

// How closely a relation binds; the part behind a colon says nothing new.
int looseness(std::string_view relation) {
  relation = relation.substr(0, relation.find(':'));
  for (const std::string_view tight :
       {"aux", "cop", "compound", "flat", "fixed", "goeswith", "clf", "name"}) {
    if (relation == tight) return 0;
  }
  for (const std::string_view loose : {"case", "mark", "cc"}) {
    if (relation == loose) return 2;
  }
  return relation == "punct" ? 3 : 1;
}

class ParsedSentence {
 public:
  ParsedSentence(std::vector<Word>& words, const std::string& name, std::size_t line,
                 Binarisation binarisation, Trees& trees)
      : words_(words),
        count_(static_cast<std::int32_t>(words.size())),
        name_(name),
        line_(line),
        binarisation_(binarisation),
        trees_(trees) {}

  void add() {
    check_heads();
    projectivise();
    for (const Word& word : words_) trees_.add_token(word.form, word.tag);
    if (count_ > 0) build();
    trees_.close_tree(line_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& problem) const {
    throw InputError(name_ + ":" + std::to_string(line) + ": " + problem);
  }

  void check_heads() {
    std::int32_t root = -1;
    for (std::int32_t i = 0; i < count_; ++i) {
      Word& word = words_[i];
      if (word.head >= count_) {
        fail(word.line, "head " + std::to_string(word.head + 1) + " in a sentence of " +
                            std::to_string(count_) + " words");
      }
      if (word.head == i) fail(word.line, "word " + std::to_string(i + 1) + " is its own head");
      if (word.head >= 0) continue;
      // Several roots: those behind the first depend on it.
      if (root >= 0) {
        word.head = root;
      } else {
        root = i;
      }
    }
    if (count_ > 0 && root < 0) fail(line_, "no word is the root (head 0)");
    for (std::int32_t i = 0; i < count_; ++i) {
      std::int32_t up = i;
      for (std::int32_t steps = 0; up >= 0; up = words_[up].head) {
        if (++steps > count_) {
          fail(words_[i].line, "the heads of word " + std::to_string(i + 1) + " go in a circle");
        }
      }
    }
  }

  bool under(std::int32_t word, std::int32_t ancestor) const {
    while (word >= 0 && word != ancestor) word = words_[word].head;
    return word == ancestor;
  }

  // Whether everything between a word and its head is under the head.
  bool projective(std::int32_t word) const {
    const std::int32_t head = words_[word].head;
    if (head < 0) return true;
    const auto [low, high] = std::minmax(word, head);
    for (std::int32_t k = low + 1; k < high; ++k) {
      if (!under(k, head)) return false;
    }
    return true;
  }

  void projectivise() {
    // The shortest arc that is not projective is lifted first; each lift brings a word nearer
    // to the root, so this ends.
    while (true) {
      std::int32_t worst = -1;
      for (std::int32_t i = 0; i < count_; ++i) {
        if (projective(i)) continue;
        if (worst < 0 || std::abs(i - words_[i].head) < std::abs(worst - words_[worst].head)) {
          worst = i;
        }
      }
      if (worst < 0) return;
      words_[worst].head = words_[words_[worst].head].head;
    }
  }

  // Constituents from the leaves up: a word whose dependents are all built is built itself.
  void build() {
    std::vector<std::vector<std::int32_t>> left(count_);
    std::vector<std::vector<std::int32_t>> right(count_);
    std::vector<std::int32_t> waiting(count_, 0);
    for (std::int32_t i = 0; i < count_; ++i) {
      const std::int32_t head = words_[i].head;
      if (head < 0) continue;
      (i < head ? left : right)[head].push_back(i);
      ++waiting[head];
    }
    for (auto& list : left) std::reverse(list.begin(), list.end());  // the nearest first
    std::vector<TreePart> built(count_);
    std::vector<std::int32_t> ready;
    for (std::int32_t i = count_; i-- > 0;) {
      if (waiting[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
      const std::int32_t word = ready.back();
      ready.pop_back();
      built[word] = constituent(word, left[word], right[word], built);
      const std::int32_t head = words_[word].head;
      if (head >= 0 && --waiting[head] == 0) ready.push_back(head);
    }
  }

  TreePart constituent(std::int32_t word, const std::vector<std::int32_t>& left,
                       const std::vector<std::int32_t>& right,
                       const std::vector<TreePart>& built) {
    TreePart made{~word, word, word + 1, word};
    std::size_t l = 0;
    std::size_t r = 0;
    if (binarisation_ == Binarisation::kHead) {
      while (l < left.size() || r < right.size()) {
        const bool to_right =
            r < right.size() && (l == left.size() || looseness(words_[right[r]].relation) <=
                                                         looseness(words_[left[l]].relation));
        made = attach(word, made, to_right ? right[r++] : left[l++], to_right, built);
      }
      return made;
    }
    const bool right_first = binarisation_ == Binarisation::kRight;
    for (const bool to_right : {right_first, !right_first}) {
      const auto& list = to_right ? right : left;
      for (const std::int32_t dependent : list) {
        made = attach(word, made, dependent, to_right, built);
      }
    }
    return made;
  }

  TreePart attach(std::int32_t word, const TreePart& made, std::int32_t dependent, bool to_right,
                  const std::vector<TreePart>& built) {
    std::string label(words_[word].tag);
    label.append("/").append(words_[dependent].relation);
    const std::uint32_t symbol = trees_.symbols().intern(label);
    const TreePart& other = built[dependent];
    return to_right ? join(trees_, made, other, word, symbol)
                    : join(trees_, other, made, word, symbol);
  }

  std::vector<Word>& words_;
  std::int32_t count_;
  const std::string& name_;
  std::size_t line_;
  Binarisation binarisation_;
  Trees& trees_;
};

}  // namespace

void read_conllu(std::span<const std::string_view> lines, const std::string& name,
                 std::size_t first_line, Binarisation binarisation, Trees& trees) {
  const auto fail = [&name](std::size_t line, const std::string& problem) {
    throw InputError(name + ":" + std::to_string(line) + ": " + problem);
  };
  std::vector<Word> words;
  std::size_t begun = 0;  // the line of the sentence's first word, 0: none yet
  const auto finish = [&] {
    if (begun == 0) return;
    try {
      ParsedSentence(words, name, begun, binarisation, trees).add();
    } catch (...) {
      trees.drop_open();
      throw;
    }
    words.clear();
    begun = 0;
  };
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::string_view line = lines[k];
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
    const std::size_t number = first_line + k;
    if (line.empty()) {
      finish();
      continue;
    }
    if (line.front() == '#') continue;
    std::array<std::string_view, 8> columns;
    std::size_t at = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::size_t tab = line.find('\t', at);
      columns[c] = line.substr(at, tab == std::string_view::npos ? tab : tab - at);
      if (tab == std::string_view::npos) {
        if (c + 1 < columns.size()) {
          fail(number, "only " + std::to_string(c + 1) + " columns; CoNLL-U has 10, with tabs");
        }
        break;
      }
      at = tab + 1;
    }
    if (columns[0].find_first_of("-.") != std::string_view::npos) continue;
    if (begun == 0) begun = number;
    const auto number_in = [&](std::string_view text, const char* what) {
      std::int32_t value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size() || value < 0) {
        fail(number, std::string(what) + " must be a number, not '" + std::string(text) + "'");
      }
      return value;
    };
    if (number_in(columns[0], "the first column") != static_cast<std::int32_t>(words.size()) + 1) {
      fail(number, "word " + std::string(columns[0]) + " where word " +
                       std::to_string(words.size() + 1) + " was expected");
    }
    if (words.size() == UINT16_MAX) fail(number, "the sentence has more than 65,535 words");
    if (columns[1].empty()) fail(number, "the word is empty");
    words.push_back(
        {columns[1], columns[3], columns[7], number_in(columns[6], "the head") - 1, number});
  }
  finish();
}

}  // namespace dragoman
