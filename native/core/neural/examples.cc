#include "neural/examples.h"

#include <stdexcept>
#include <string>

#include "neural/affiliations.h"
#include "text/error.h"

namespace dragoman {

WordId word_at(Sentence words, std::ptrdiff_t place) {
  if (place < 0) return kBeginSentence;
  return place < std::ssize(words) ? words[static_cast<std::size_t>(place)] : kEndSentence;
}

std::vector<std::uint16_t> network_examples(const AlignedText& text, const NetworkShape& shape,
                                            std::size_t step) {
  if (!shape.sound() || step == 0) throw std::invalid_argument("no shape of a network");
  std::vector<std::uint16_t> rows;
  const auto add = [&rows](WordId word, std::uint32_t words) {
    rows.push_back(
        static_cast<std::uint16_t>(static_cast<std::uint32_t>(word) < words ? word : kUnknown));
  };
  for (std::size_t pair = 0; pair < text.size(); pair += step) {
    const Sentence source = text.source[pair];
    const Sentence target = text.target[pair];
    LinkPositions links;
    for (const Link& link : text.links[pair]) {
      if (link.source >= source.size() || link.target >= target.size()) {
        throw InputError("sentence pair " + std::to_string(pair + 1) +
                         ": a link points outside it");
      }
      links.emplace_back(link.source, link.target);
    }
    std::vector<std::uint32_t> partners = affiliations(std::move(links), target.size());
    partners.push_back(static_cast<std::uint32_t>(source.size()));
    for (std::size_t j = 0; j <= target.size(); ++j) {
      const auto place = static_cast<std::ptrdiff_t>(j);
      for (std::uint32_t k = 1; k <= shape.history; ++k) {
        add(word_at(target, place - k), shape.target_words);
      }
      const auto window = static_cast<std::ptrdiff_t>(shape.window);
      for (std::ptrdiff_t k = -window; k <= window; ++k) {
        add(word_at(source, partners[j] + k), shape.source_words);
      }
      add(word_at(target, place), shape.target_words);
    }
  }
  return rows;
}

}  // namespace dragoman
