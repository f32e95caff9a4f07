// Damaged language-model files: random changes, always the same ones, under the sanitizers.
// Whatever the bytes, the readers either refuse with InputError or give a model that can be
// asked anything. DRAGOMAN_FUZZ_ROUNDS sets how many files are tried of each kind.
#include "check.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include "lm/arpa.h"
#include "lm/estimator.h"
#include "lm/score_text.h"
#include "text/checksum.h"
#include "text/error.h"

using namespace dragoman;

namespace {

using Random = std::mt19937_64;

int rounds() {
  const char* asked = std::getenv("DRAGOMAN_FUZZ_ROUNDS");
  return asked != nullptr ? std::atoi(asked) : 10000;
}

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_all(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A model of order 4 in which some contexts have many continuations.
std::string sample_model(const check::TemporaryDirectory& directory) {
  Random random(11);
  EstimateOptions options;
  options.order = 4;
  LmEstimator estimator(options);
  std::string text;
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 6; ++j) text += "w" + std::to_string(random() % (1 + random() % 30)) + " ";
    text += '\n';
  }
  estimator.begin_file("text");
  estimator.add(text);
  estimator.end_file();
  while (estimator.merge(1000)) {
  }
  for (int order = 1; order <= estimator.order(); ++order) estimator.smooth(order);
  estimator.write(directory / "sample");
  return directory / "sample";
}

// Asks everything there is to ask.
void exercise(const NgramModel& model, Random& random) {
  LmState state = model.begin_state(), next;
  for (int i = 0; i < 300; ++i) {
    const auto word = static_cast<WordId>(random() % (model.vocabulary().size() + 3)) - 1;
    model.score(state, word, next);
    state = i % 20 == 0 ? model.null_state() : next;
  }
  const std::string_view lines[] = {"w1 w2 w3 <s> w999", "",
                                    "a-word-of-more-than-sixteen-bytes w4"};
  score_lines(model, lines, {});
  std::vector<WordId> ids(300);
  for (WordId& id : ids) {
    id = static_cast<WordId>(random() % (model.vocabulary().size() + 3)) - 1;
  }
  const std::uint64_t offsets[] = {0, 20, 20, 60, 61, ids.size()};
  score_sentences(model, Sentences(ids, offsets), {});
  try {
    std::string piece;
    for (ArpaWriter writer(model); writer.next(piece);) {
    }
  } catch (const InputError&) {
  }
}

// Replaces, inserts, deletes or doubles bytes or whole lines.
std::string damaged(std::string text, Random& random) {
  static const std::vector<std::string> kPieces = {"\n",
                                                   "\t",
                                                   " ",
                                                   "\\",
                                                   "\\data\\\n",
                                                   "\\end\\\n",
                                                   "\\2-grams:\n",
                                                   "ngram 2=",
                                                   "-99",
                                                   "-1e30",
                                                   "1e400",
                                                   "nan",
                                                   "-inf",
                                                   "0",
                                                   "<unk>",
                                                   "<s>",
                                                   "\r",
                                                   "\xff",
                                                   "\xc3",
                                                   "99999999",
                                                   "\\9-grams:",
                                                   "=",
                                                   std::string(1, '\0')};
  for (auto changes = 1 + random() % 4; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size();
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::size_t line_end = std::min(text.find('\n', at), text.size() - 1) + 1;
    switch (random() % 7) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      case 2:
        text.insert(at, kPieces[random() % kPieces.size()]);
        break;
      case 3:
        if (line < line_end) text.erase(line, line_end - line);
        break;
      case 4:
        if (line < line_end) text.insert(line, text.substr(line, line_end - line));
        break;
      case 5:
        text.resize(at);
        break;
      case 6:
        if (line < line_end) {
          const std::string moved = text.substr(line, line_end - line);
          text.erase(line, line_end - line);
          text.insert(text.empty() ? 0 : random() % text.size(), moved);
        }
        break;
    }
  }
  return text;
}

}  // namespace

TEST(damaged_arpa_files) {
  const check::TemporaryDirectory directory;
  const auto model = NgramModel::open(sample_model(directory));
  std::string good, piece;
  for (ArpaWriter writer(model); writer.next(piece);) good += piece;
  Random random(1);
  int accepted = 0;
  for (int round = 0; round < rounds(); ++round) {
    const std::string bad = damaged(good, random);
    try {
      ArpaReader reader("arpa");
      for (std::size_t at = 0; at < bad.size();) {
        const std::size_t size = 1 + random() % 5000;
        reader.add(std::string_view(bad).substr(at, size));
        at += size;
      }
      reader.finish().write(directory / "model", 1);
      exercise(NgramModel::open(directory / "model", Verify::kContent), random);
      ++accepted;
    } catch (const InputError&) {
    }
  }
  // Some changes do no harm, e.g. in the digits of a number; most do.
  CHECK(accepted > 0 && accepted < rounds());
}

TEST(damaged_model_files) {
  const check::TemporaryDirectory directory;
  const std::string good = read_all(sample_model(directory));
  const std::string path = directory / "bad";
  Random random(2);
  int accepted = 0;
  for (int round = 0; round < rounds(); ++round) {
    std::string bad = good;
    for (auto changes = 1 + random() % 20; changes > 0; --changes) {
      const std::size_t at = random() % bad.size();
      switch (random() % 5) {
        case 0:
          bad[at] = static_cast<char>(random());
          break;
        case 1:
          bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
          break;
        case 2: {  // a number of another size
          const std::uint32_t number = random() % 3 == 0 ? 0xffffffff : random() % 2000;
          if (at + 4 <= bad.size()) std::memcpy(bad.data() + at / 4 * 4, &number, 4);
          break;
        }
        case 3: {  // something from elsewhere in the file
          const std::size_t from = random() % bad.size();
          const std::size_t size =
              std::min<std::size_t>(random() % 64, bad.size() - std::max(at, from));
          std::memmove(bad.data() + at, bad.data() + from, size);
          break;
        }
        case 4:  // the section table, which only the content's checksum covers
          bad[64 + random() % 192] = static_cast<char>(random());
          break;
      }
    }
    if (random() % 20 == 0) bad.resize(random() % bad.size());
    // A header that vouches for itself, so that the rest is reached; for the whole file too.
    if (bad.size() >= 64) {
      std::memcpy(bad.data(), good.data(), 24);
      const std::uint64_t size = bad.size();
      std::memcpy(bad.data() + 24, &size, 8);
      const std::uint64_t sum = hash_bytes({bad.data(), 40});
      std::memcpy(bad.data() + 40, &sum, 8);
    }
    write_all(path, bad);
    try {
      exercise(NgramModel::open(path, Verify::kHeader), random);
      ++accepted;
    } catch (const InputError&) {
    }
  }
  CHECK(accepted > 0 && accepted < rounds());
}

TEST(damaged_texts) {
  Random random(3);
  const std::string good = "the old man\nthe <s> sea\n\nein Häuschen 日本\n";
  for (int round = 0; round < rounds() / 4; ++round) {
    const check::TemporaryDirectory directory;
    try {
      EstimateOptions options;
      options.order = 1 + static_cast<int>(random() % 8);
      LmEstimator estimator(options);
      estimator.begin_file("text");
      estimator.add(damaged(good, random));
      estimator.end_file();
      while (estimator.merge(3)) {
      }
      for (int order = 1; order <= estimator.order(); ++order) estimator.smooth(order);
      estimator.write(directory / "model");
      exercise(NgramModel::open(directory / "model", Verify::kContent), random);
    } catch (const InputError&) {
    }
  }
}

CHECK_MAIN()
