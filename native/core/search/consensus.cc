#include "search/consensus.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "neural/affiliations.h"
#include "search/derivation.h"
#include "text/checksum.h"
#include "text/error.h"
#include "text/key_numbers.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

constexpr std::size_t kScore = 0;
constexpr std::size_t kListed = 1;

// All n-grams of a sentence's candidates, numbered. The second occurrence of an n-gram in a
// translation is another one than the first: so the sum over both is min(count, expected count).
class NgramNumbers {
 public:
  // Those of a translation: by length, then in any order.
  struct Numbered {
    std::vector<std::uint32_t> grams;
    std::size_t begins[kConsensusOrder + 1] = {};
    std::size_t words = 0;
  };

  Numbered number(std::string_view target) {
    Numbered numbered;
    std::vector<std::uint64_t> hashes;  // of the n-gram from each word on
    std::vector<std::uint64_t> words;
    for_each_token(target, [&](std::string_view word) { words.push_back(hash_bytes(word)); });
    numbered.words = words.size();
    hashes.assign(words.size(), 0x243f6a8885a308d3ull);
    for (std::size_t n = 0; n < kConsensusOrder; ++n) {
      numbered.begins[n] = numbered.grams.size();
      hashes.resize(words.size() > n ? words.size() - n : 0);
      for (std::size_t i = 0; i < hashes.size(); ++i) {
        hashes[i] = fold_multiply(hashes[i] ^ words[i + n], 0xd6e8feb86659fd93ull) + hashes[i];
      }
      std::vector<std::uint64_t> sorted = hashes;
      std::sort(sorted.begin(), sorted.end());
      std::uint64_t occurrence = 0;
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        occurrence = i > 0 && sorted[i] == sorted[i - 1] ? occurrence + 1 : 0;
        const std::uint64_t key = sorted[i] + occurrence * 0x9e3779b97f4a7c15ull;
        numbered.grams.push_back(numbers_.number(key));
      }
    }
    numbered.begins[kConsensusOrder] = numbered.grams.size();
    return numbered;
  }

  std::size_t size() const { return numbers_.size(); }

 private:
  KeyNumbers numbers_;
};

// How probable the entries of a list are.
std::vector<double> beliefs(std::span<const OutputTranslation> entries, double scale) {
  std::vector<double> found;
  double total = 0;
  for (const OutputTranslation& entry : entries) {
    found.push_back(std::exp(scale * (entry.score - entries.front().score)));
    total += found.back();
  }
  for (double& one : found) one /= total;
  return found;
}

// What a network thinks of an entry of a model's list.
double opinion(const NetworkView& network, std::size_t member, const OutputTranslation& entry) {
  std::vector<WordId> words;
  network.target.encode(entry.target, words);
  const std::vector<std::uint32_t>& order = network.orders[member];
  LinkPositions links;
  for (const OutputStep& step : entry.steps) {
    for (const auto& [source, target] : step.alignment) {
      const std::uint32_t seen = step.source.begin + source;
      links.emplace_back(seen < order.size() ? order[seen] : seen, step.target_begin + target);
    }
  }
  return network.scorer.score(words, affiliations(std::move(links), words.size()));
}

}  // namespace

std::vector<ConsensusCandidate> consensus_candidates(std::span<const DecodeResult* const> results,
                                                     double scale, const NetworkView* network) {
  std::vector<ConsensusCandidate> candidates;
  std::unordered_map<std::string_view, std::size_t> places;
  NgramNumbers numbers;
  std::vector<NgramNumbers::Numbered> grams;  // by candidate
  std::vector<std::vector<std::size_t>> listed(results.size());
  for (std::size_t m = 0; m < results.size(); ++m) {
    const std::vector<OutputTranslation>& entries = results[m]->nbest;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const auto [place, fresh] = places.emplace(entries[e].target, candidates.size());
      listed[m].push_back(place->second);
      if (!fresh) continue;
      candidates.push_back({static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(e), {}});
      grams.push_back(numbers.number(entries[e].target));
    }
  }
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    ConsensusCandidate& one = candidates[c];
    one.features.assign(consensus_features(results.size()), 0.0);
    one.features.back() = static_cast<double>(grams[c].words);
    if (network == nullptr) continue;
    one.features.push_back(opinion(*network, one.member, results[one.member]->nbest[one.entry]));
  }
  std::vector<double> expected;
  for (std::size_t m = 0; m < results.size(); ++m) {
    const std::vector<OutputTranslation>& entries = results[m]->nbest;
    if (entries.empty()) continue;
    const std::size_t first = m * kMemberFeatures;
    const std::vector<double> probable = beliefs(entries, scale);
    expected.assign(numbers.size(), 0.0);
    for (ConsensusCandidate& candidate : candidates) {
      candidate.features[first + kScore] = entries.back().score - entries.front().score;
    }
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const std::size_t place = listed[m][e];
      candidates[place].features[first + kScore] = entries[e].score - entries.front().score;
      candidates[place].features[first + kListed] = 1;
      for (const std::uint32_t gram : grams[place].grams) expected[gram] += probable[e];
    }
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      for (std::size_t n = 0; n < kConsensusOrder; ++n) {
        double& sum = candidates[c].features[first + 2 + n];
        for (std::size_t g = grams[c].begins[n]; g < grams[c].begins[n + 1]; ++g) {
          sum += expected[grams[c].grams[g]];
        }
      }
    }
  }
  return candidates;
}

DecodeResult consensus(std::span<const DecodeResult* const> results, double scale,
                       std::span<const double> weights, std::size_t nbest,
                       const NetworkView* network) {
  if (weights.size() != consensus_features(results.size()) + (network != nullptr ? 1 : 0)) {
    throw InputError("the weights of a consensus do not fit the number of its models");
  }
  DecodeResult made;
  made.words = results[0]->words;
  made.error = results[0]->error;
  for (const DecodeResult* result : results) made.stats += result->stats;
  const std::vector<ConsensusCandidate> candidates = consensus_candidates(results, scale, network);
  if (candidates.empty()) return made;
  made.error.clear();
  made.found = true;
  std::vector<double> scores;
  for (const ConsensusCandidate& one : candidates) scores.push_back(dot(weights, one.features));
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  const auto output = [&](std::size_t place) {
    const ConsensusCandidate& candidate = candidates[place];
    OutputTranslation translation = results[candidate.member]->nbest[candidate.entry];
    translation.member = candidate.member;
    translation.score = scores[place];
    translation.features = candidate.features;
    return translation;
  };
  made.best = output(order[0]);
  for (std::size_t k = 0; k < std::min(nbest, order.size()); ++k) {
    made.nbest.push_back(output(order[k]));
  }
  return made;
}

}  // namespace dragoman
