#include "grammar/scfg.h"

#include <algorithm>

#include "text/error.h"

namespace dragoman {

SymbolId SymbolTable::add(std::string_view name) {
  if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
  const auto id = static_cast<SymbolId>(names_.size());
  names_.emplace_back(name);
  ids_.emplace(names_.back(), id);
  return id;
}

SymbolId SymbolTable::find(std::string_view name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? -1 : found->second;
}

void Grammar::add(const Rule& rule) {
  Record record{};
  record.lhs = rule.lhs;
  record.line = rule.line;
  record.log_weight = rule.log_weight;
  record.symbols = symbols_.size();
  record.source_size = static_cast<std::uint32_t>(rule.source.size());
  record.target_size = static_cast<std::uint32_t>(rule.target.size());
  record.text = text_.size();
  record.scores_size = static_cast<std::uint32_t>(rule.scores.size());
  record.alignment_size = static_cast<std::uint32_t>(rule.alignment.size());
  record.rest_size = static_cast<std::uint32_t>(rule.rest.size());
  symbols_.insert(symbols_.end(), rule.source.begin(), rule.source.end());
  symbols_.insert(symbols_.end(), rule.target.begin(), rule.target.end());
  text_.append(rule.scores).append(rule.alignment).append(rule.rest);
  records_.push_back(record);
}

Rule Grammar::operator[](std::size_t index) const {
  const Record& record = records_[index];
  const std::span symbols(symbols_);
  const std::string_view text(text_);
  Rule rule;
  rule.lhs = record.lhs;
  rule.source = symbols.subspan(record.symbols, record.source_size);
  rule.target = symbols.subspan(record.symbols + record.source_size, record.target_size);
  rule.log_weight = record.log_weight;
  rule.line = record.line;
  rule.scores = text.substr(record.text, record.scores_size);
  rule.alignment = text.substr(record.text + record.scores_size, record.alignment_size);
  rule.rest =
      text.substr(record.text + record.scores_size + record.alignment_size, record.rest_size);
  return rule;
}

std::string Grammar::place(const Rule& rule) const {
  return origin + ":" + std::to_string(rule.line);
}

SymbolId Grammar::default_start() const {
  if (records_.empty()) return -1;
  const SymbolId usual = nonterminals.find("S");
  const bool rewritten =
      usual >= 0 && std::any_of(records_.begin(), records_.end(),
                                [&](const Record& record) { return record.lhs == usual; });
  return rewritten ? usual : records_.front().lhs;
}

std::size_t rule_rank(const Rule& rule) {
  return static_cast<std::size_t>(
      std::count_if(rule.source.begin(), rule.source.end(), [](auto s) { return s < 0; }));
}

std::vector<std::int32_t> rule_permutation(const Rule& rule) {
  std::vector<std::int32_t> permutation(rule_rank(rule));
  std::int32_t place = 0;
  for (const auto symbol : rule.target) {
    if (!is_terminal(symbol)) permutation[static_cast<std::size_t>(~symbol)] = place++;
  }
  return permutation;
}

void check_productive(const Grammar& grammar) {
  // A rule fires once all its nonterminals are known to derive something.
  const std::size_t names = grammar.nonterminals.size();
  std::vector<bool> productive(names, false);
  std::vector<std::vector<std::uint32_t>> users(names);
  std::vector<std::uint32_t> waiting(grammar.size());
  std::vector<SymbolId> agenda;
  const auto derive = [&](SymbolId id) {
    if (productive[static_cast<std::size_t>(id)]) return;
    productive[static_cast<std::size_t>(id)] = true;
    agenda.push_back(id);
  };
  for (std::size_t i = 0; i < grammar.size(); ++i) {
    const Rule rule = grammar[i];
    for (const auto symbol : rule.source) {
      if (is_terminal(symbol)) continue;
      users[static_cast<std::size_t>(~symbol)].push_back(static_cast<std::uint32_t>(i));
      ++waiting[i];
    }
    if (waiting[i] == 0) derive(rule.lhs);
  }
  while (!agenda.empty()) {
    const auto id = static_cast<std::size_t>(agenda.back());
    agenda.pop_back();
    for (const auto user : users[id]) {
      if (--waiting[user] == 0) derive(grammar[user].lhs);
    }
  }
  for (std::size_t i = 0; i < grammar.size(); ++i) {
    const Rule rule = grammar[i];
    for (const auto symbol : rule.source) {
      if (is_terminal(symbol) || productive[static_cast<std::size_t>(~symbol)]) continue;
      const std::string name(grammar.nonterminals.name(~symbol));
      bool has_rule = false;
      for (std::size_t k = 0; k < grammar.size() && !has_rule; ++k) {
        has_rule = grammar[k].lhs == ~symbol;
      }
      throw InputError(grammar.place(rule) + ": " + name +
                       (has_rule ? " never derives a pair of strings: each of its rules needs a "
                                   "nonterminal that does not either"
                                 : " has no rule") +
                       "; add one, or accept such a grammar with --partial");
    }
    // Unproductive left-hand sides use an unproductive symbol, so the loop above has met it.
  }
}

RankHistogram rank_histogram(const Grammar& grammar) {
  RankHistogram histogram;
  for (std::size_t i = 0; i < grammar.size(); ++i) {
    const Rule rule = grammar[i];
    const auto rank = rule_rank(rule);
    if (histogram.rules.size() <= rank) histogram.rules.resize(rank + 1);
    ++histogram.rules[rank];
    histogram.symbols += rule.source.size() + rule.target.size();
  }
  return histogram;
}

}  // namespace dragoman
