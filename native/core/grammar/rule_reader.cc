#include "grammar/rule_reader.h"

#include <charconv>

#include "text/error.h"

namespace dragoman {

void RuleReader::begin(std::uint32_t line) {
  line_ = line;
  source_.clear();
  target_.clear();
  links_.clear();
  log_weight_ = 0;
  scores_ = alignment_ = rest_ = {};
}

std::string RuleReader::place() const { return grammar_.origin + ":" + std::to_string(line_); }

void RuleReader::refuse(const std::string& problem) const {
  throw InputError(place() + ": " + problem);
}

void RuleReader::left(std::string_view name) { left_ = grammar_.nonterminals.add(name); }

void RuleReader::terminal(Side side, std::string_view word) {
  (side == Side::kSource ? source_ : target_).push_back(grammar_.terminals.add(word));
}

void RuleReader::nonterminal(Side side, std::string_view name, std::string_view link_text) {
  std::uint32_t link = 0;
  const auto read = std::from_chars(link_text.data(), link_text.data() + link_text.size(), link);
  if (read.ec != std::errc()) refuse("link number " + std::string(link_text) + " is too large");
  const std::string shown = std::to_string(link);
  if (side == Side::kSource) {
    for (const auto& other : links_) {
      if (other.link == link) refuse("link " + shown + " comes twice on the source side");
    }
    const auto id = grammar_.nonterminals.add(name);
    links_.push_back({link, id, false});
    source_.push_back(~id);
    return;
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    Linked& partner = links_[k];
    if (partner.link != link) continue;
    if (partner.partnered) refuse("link " + shown + " comes twice on the target side");
    const auto source_name = grammar_.nonterminals.name(partner.name);
    if (!name.empty() && name != source_name) {
      refuse("link " + shown + " is " + std::string(source_name) + " on the source side and " +
             std::string(name) + " on the target side; for a pair of names write " +
             std::string(source_name) + "::" + std::string(name) + " on both");
    }
    partner.partnered = true;
    target_.push_back(~static_cast<SymbolId>(k));
    return;
  }
  refuse("link " + shown + " is missing on the source side");
}

void RuleReader::probability(std::string_view text) {
  log_weight_ = read_log_probability(text, place());
  scores_ = text;
}

void RuleReader::scores(std::string_view scores, std::string_view alignment,
                        std::string_view rest) {
  scores_ = scores;
  alignment_ = alignment;
  rest_ = rest;
}

void RuleReader::finish() {
  for (const auto& linked : links_) {
    if (!linked.partnered) {
      refuse("link " + std::to_string(linked.link) + " is missing on the target side");
    }
  }
  Rule rule;
  rule.lhs = left_;
  rule.source = source_;
  rule.target = target_;
  rule.log_weight = log_weight_;
  rule.line = line_;
  rule.scores = scores_;
  rule.alignment = alignment_;
  rule.rest = rest_;
  grammar_.add(rule);
}

}  // namespace dragoman
