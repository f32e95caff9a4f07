// What the readers of all grammar formats share: putting a rule together and checking it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/notation.h"
#include "grammar/scfg.h"

namespace dragoman {

enum class Side : std::uint8_t { kSource, kTarget };

template <class Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  std::uint32_t number = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    visit(line, ++number);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// Called in this order for each rule: begin, left, all of the source side, all of the target
// side, finish; probability or scores before finish.
class RuleReader {
 public:
  explicit RuleReader(Grammar& grammar) : grammar_(grammar) {}

  void begin(std::uint32_t line);
  void left(std::string_view name);
  void terminal(Side side, std::string_view word);
  // `link` is any number; the partners have the same. A target side may leave `name` empty.
  void nonterminal(Side side, std::string_view name, std::string_view link);
  void probability(std::string_view text);
  void scores(std::string_view scores, std::string_view alignment, std::string_view rest);
  void log_weight(double weight) { log_weight_ = weight; }
  void finish();

  std::string place() const;
  [[noreturn]] void refuse(const std::string& problem) const;

 private:
  struct Linked {
    std::uint32_t link;
    SymbolId name;
    bool partnered;
  };

  Grammar& grammar_;
  std::uint32_t line_ = 0;
  SymbolId left_ = 0;
  std::vector<SymbolId> source_;
  std::vector<SymbolId> target_;
  std::vector<Linked> links_;  // in source order
  double log_weight_ = 0;
  std::string_view scores_;
  std::string_view alignment_;
  std::string_view rest_;
};

// Rule tables (rule_table.cc).
void read_table_line(RuleReader& reader, std::string_view line, GrammarFormat format,
                     const ReadOptions& options);
void append_table_line(std::string& out, const Grammar& grammar, const Rule& rule,
                       GrammarFormat format);

}  // namespace dragoman
