#include "check.h"

#include <fstream>
#include <map>
#include <random>

#include "lm/arpa.h"
#include "lm/estimator.h"
#include "lm/lookup_memory.h"
#include "lm/mixture.h"
#include "lm/score_text.h"
#include "text/error.h"
#include "text/utf8.h"

using namespace dragoman;

namespace {

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Sentences of words w0, w1, ... of which low numbers are frequent.
std::string random_text(std::size_t sentences, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (std::size_t i = 0; i < sentences; ++i) {
    for (auto left = random() % 12; left > 0; --left) {
      const auto range = 1 + random() % 60;
      text += "w" + std::to_string(random() % range) + (left > 1 ? " " : "");
    }
    text += '\n';
  }
  return text;
}

void estimate(const std::string& text, const std::string& path, EstimateOptions options,
              std::size_t piece = 1000) {
  LmEstimator estimator(std::move(options));
  estimator.begin_file("text");
  for (std::size_t at = 0; at < text.size(); at += piece) {
    estimator.add(std::string_view(text).substr(at, piece));
  }
  estimator.end_file();
  while (estimator.merge(100)) {
  }
  for (int order = 1; order <= estimator.order(); ++order) estimator.smooth(order);
  estimator.write(path);
}

EstimateOptions of_order(int order) {
  EstimateOptions options;
  options.order = order;
  return options;
}

using Model = std::map<std::vector<WordId>, std::pair<float, float>>;
Model ngrams_of(const NgramModel& model) {
  Model ngrams;
  for (int order = 1; order <= model.order(); ++order) {
    std::vector<WordId> last;
    model.for_each_ngram(order, [&](std::span<const WordId> words, float log_prob, float backoff) {
      const std::vector<WordId> ngram(words.begin(), words.end());
      CHECK(last < ngram);
      ngrams[ngram] = {log_prob, backoff};
      last = ngram;
    });
  }
  return ngrams;
}

}  // namespace

TEST(utf8) {
  for (const char* good : {"", "abc", "ü", "日本語", "abcdefgh\xc3\xbc", "\xf0\x9f\x98\x80"}) {
    CHECK(is_utf8(good));
  }
  for (const char* bad : {"\x80", "\xc3", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",
                          "abcdefgh\xe6\x97", "\xe6\x97z", "\xf0\x9f\x98z"}) {
    CHECK(!is_utf8(bad));
  }
}

TEST(vocabulary_finds_every_word) {
  LmVocabularyBuilder builder;
  for (int i = 0; i < 5000; ++i) CHECK_EQUAL(builder.add("w" + std::to_string(i)), i + 3);
  CHECK_EQUAL(builder.add("w17"), 20);
  CHECK_EQUAL(builder.add("</s>"), kEndSentence);
  const LmVocabulary vocabulary = builder.view();
  CHECK_EQUAL(vocabulary.size(), 5003u);
  CHECK_EQUAL(vocabulary.find("w4999"), 5002);
  CHECK_EQUAL(vocabulary.word(5002), "w4999");
  CHECK_EQUAL(vocabulary.find("absent"), kUnknown);
  CHECK_THROWS(vocabulary.word(5003), std::out_of_range, "outside");
}

TEST(words_of_any_length_are_found_in_lines) {
  LmVocabularyBuilder builder;
  std::vector<std::string> words;
  for (std::size_t size = 1; size <= 40; ++size) {
    words.push_back(std::string(size, 'x'));
    words.push_back(std::string(size, 'x') + "y");  // alike in the beginning
    words.push_back("z" + std::string(size, 'x'));  // and in the end
  }
  for (const std::string& word : words) builder.add(word);
  const LmVocabulary vocabulary = builder.view();
  LineEncoder encoder(vocabulary);
  std::string line;
  for (const std::string& word : words) (line += word) += "  ";
  encoder.add(line);
  CHECK_EQUAL(encoder.ids().size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    CHECK_EQUAL(encoder.ids()[i], vocabulary.find(words[i]));
    CHECK_EQUAL(vocabulary.word(encoder.ids()[i]), words[i]);
  }
  encoder.add("");
  encoder.add("xxxxz <s> </s> <unk> x");
  CHECK_EQUAL(encoder.offsets().size(), 4u);
  const std::vector<WordId> last(encoder.ids().end() - 5, encoder.ids().end());
  CHECK(last == (std::vector<WordId>{kUnknown, kUnknown, kUnknown, kUnknown, 3}));
}

TEST(columns_in_memory_and_in_files_are_alike) {
  const check::TemporaryDirectory directory;
  for (const Storage& storage : {Storage{}, Storage{directory.path()}}) {
    Column<std::uint32_t> column(storage);
    for (std::uint32_t i = 0; i < 10000; ++i) column.push_back(i);
    column.resize(20000, 7);
    CHECK_EQUAL(column.size(), 20000u);
    CHECK_EQUAL(column[9999], 9999u);
    CHECK_EQUAL(column[19999], 7u);
    const Column<std::uint32_t> moved = std::move(column);
    CHECK_EQUAL(moved[5000], 5000u);
  }
  CHECK(std::filesystem::is_empty(directory.path()));
  CHECK_THROWS(Column<int>(Storage{directory / "absent"}), IoError, "temporary file");
}

TEST(counts_are_merged_in_order_whatever_was_spilled) {
  const check::TemporaryDirectory directory;
  const std::string text = random_text(60000, 1);
  std::vector<CountedNgram> expected;
  for (const auto& [memory, threads] : {std::pair{std::uint64_t{1} << 30, 1},
                                        {std::uint64_t{1} << 30, 3},
                                        {std::uint64_t{1}, 2}}) {
    CountOptions options;
    options.order = 3;
    options.memory = memory;
    options.threads = threads;
    options.spool = directory.path();
    NgramCounter counter(options);
    counter.begin_file("text");
    counter.add(text);
    counter.end_file();
    counter.begin_merge();
    CHECK_EQUAL(counter.sentences(), 60000u);
    CHECK_EQUAL(counter.spilled() > 0, memory == 1);
    std::vector<CountedNgram> ngrams;
    CountedNgram ngram{};
    std::uint64_t total = 0;
    while (counter.next(ngram)) {
      CHECK(ngrams.empty() || ngrams.back().words < ngram.words);
      ngrams.push_back(ngram);
      total += ngram.count;
    }
    CHECK_EQUAL(total, counter.tokens() + counter.sentences());
    if (expected.empty()) expected = ngrams;
    CHECK_EQUAL(ngrams.size(), expected.size());
    for (std::size_t i = 0; i < ngrams.size(); ++i) {
      CHECK(ngrams[i].words == expected[i].words && ngrams[i].count == expected[i].count);
    }
  }
}

TEST(discounts_by_hand) {
  // Chen and Goodman's equation 26 with n1..n4 = 8, 4, 2, 1: y = 8 / 16.
  const auto good = estimate_discounts({0, 8, 4, 2, 1}, {0.5, 1, 1.5});
  CHECK_NEAR(good.amount[1], 1 - 2 * 0.5 * 4 / 8, 1e-12);
  CHECK_NEAR(good.amount[2], 2 - 3 * 0.5 * 2 / 4, 1e-12);
  CHECK_NEAR(good.amount[3], 3 - 4 * 0.5 * 1 / 2, 1e-12);
  CHECK(good.fallback_reason.empty());
  CHECK_NEAR(good.of(17), good.amount[3], 0);
  CHECK_EQUAL(estimate_discounts({0, 8, 0, 2, 1}, {0.5, 1, 1.5}).fallback_reason,
              "no n-gram has the count 2");
  const auto negative = estimate_discounts({0, 100, 1, 10, 1}, {0.5, 1, 1.5});
  CHECK_NEAR(negative.amount[2], 1, 0);
  CHECK(negative.fallback_reason.find("would be") != std::string::npos);
}

TEST(same_bytes_for_threads_memory_and_pieces) {
  const check::TemporaryDirectory directory;
  const std::string text = random_text(3000, 2);
  for (const int order : {1, 2, 5, 8}) {
    estimate(text, directory / "plain", of_order(order));
    auto options = of_order(order);
    options.threads = 3;
    options.memory = 1;
    options.spool = directory.path();
    estimate(text, directory / "spilled", options, 7);
    CHECK(read_all(directory / "plain") == read_all(directory / "spilled"));
  }
}

TEST(model_gives_back_its_ngrams) {
  const check::TemporaryDirectory directory;
  estimate(random_text(2000, 3), directory / "lm", of_order(4));
  const auto model = NgramModel::open(directory / "lm", Verify::kContent);
  const Model ngrams = ngrams_of(model);
  std::size_t total = 0;
  for (const auto count : model.counts()) total += count;
  CHECK_EQUAL(ngrams.size(), total);
  // Every n-gram is found, as is, by its words; contexts with many continuations are hashed.
  for (const auto& [words, values] : ngrams) {
    LmState states[2] = {model.null_state(), {}};
    int current = 0;
    LmScore score;
    for (const WordId word : words) {
      score = model.score(states[current], word, states[1 - current]);
      current = 1 - current;
    }
    CHECK_EQUAL(static_cast<std::size_t>(score.matched), words.size());
    CHECK_EQUAL(score.log_prob, values.first);
  }
}

void check_batches(int order) {
  const check::TemporaryDirectory directory;
  const std::string text = random_text(2000, 4);
  estimate(text, directory / "lm", of_order(order));
  const auto model = NgramModel::open(directory / "lm");
  // Some lines of the text itself, whose n-grams are all found, then random words.
  LineEncoder known(model.vocabulary());
  for (std::size_t at = 0; known.offsets().size() <= 800; at = text.find('\n', at) + 1) {
    known.add(std::string_view(text).substr(at, text.find('\n', at) - at));
  }
  std::vector<WordId> ids = known.ids();
  std::vector<std::uint64_t> offsets = known.offsets();
  std::mt19937 random(5);
  for (int i = 0; i < 800; ++i) {
    for (auto left = random() % 9; left > 0; --left) {
      ids.push_back(static_cast<WordId>(random() % (model.vocabulary().size() + 3)) - 1);
    }
    offsets.push_back(ids.size());
  }
  const Sentences sentences(ids, offsets);
  for (const bool begin : {false, true}) {
    ScoreOptions options;
    options.begin = begin;
    options.threads = 2;
    WordScores words;
    const auto scores = score_sentences(model, sentences, options, &words);
    std::size_t at = 0;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      LmState state = begin ? model.begin_state() : model.null_state(), next;
      double total = 0;
      std::vector<WordId> all(sentences[i].begin(), sentences[i].end());
      all.push_back(kEndSentence);
      for (const WordId word : all) {
        const LmScore score = model.score(state, word, next);
        CHECK_EQUAL(words.log_probs[at], score.log_prob);
        CHECK_EQUAL(words.matched[at], score.matched);
        total += score.log_prob;
        state = next;
        ++at;
      }
      CHECK_EQUAL(scores.log_probs[i], total);
    }
    CHECK_EQUAL(at, words.log_probs.size());
  }
}

TEST(batches_score_like_single_words) {
  for (int order = 1; order <= kMaxLmOrder; ++order) check_batches(order);
}

TEST(lines_score_like_ids) {
  const check::TemporaryDirectory directory;
  estimate(random_text(2000, 4), directory / "lm", of_order(5));
  const auto model = NgramModel::open(directory / "lm");
  std::mt19937 random(6);
  std::vector<WordId> ids;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::string> texts;
  for (int i = 0; i < 1500; ++i) {
    texts.emplace_back();
    for (auto left = random() % 9; left > 0; --left) {
      const auto id = static_cast<WordId>(random() % model.vocabulary().size());
      ids.push_back(id < kReserved ? kUnknown : id);
      texts.back() += std::string(model.vocabulary().word(id)) + " ";
    }
    offsets.push_back(ids.size());
  }
  const std::vector<std::string_view> lines(texts.begin(), texts.end());
  for (const bool end : {false, true}) {
    ScoreOptions options;
    options.end = end;
    const auto expected = score_sentences(model, Sentences(ids, offsets), options);
    for (const int threads : {1, 2, 4}) {
      options.threads = threads;
      const auto scores = score_lines(model, lines, options);
      CHECK(scores.log_probs == expected.log_probs);
      CHECK(scores.unknown_log_probs == expected.unknown_log_probs);
      CHECK(scores.unknowns == expected.unknowns);
      CHECK_EQUAL(scores.words, expected.words);
      CHECK_EQUAL(scores.words, ids.size() + (end ? lines.size() : 0));
    }
  }
}

TEST(remembered_answers_are_those_of_the_model) {
  const check::TemporaryDirectory directory;
  estimate(random_text(3000, 5), directory / "lm.bin", of_order(5));
  const NgramModel model = NgramModel::open(directory / "lm.bin");
  LookupMemory memory(model);
  std::mt19937 random(1);
  // More questions than are remembered, most of them asked before.
  for (int walk = 0; walk < 4000; ++walk) {
    LmState state = walk % 2 == 0 ? model.begin_state() : model.null_state();
    const LmState* remembered = &state;
    for (auto left = random() % 12; left > 0; --left) {
      const auto word = static_cast<WordId>(random() % (1 + random() % model.vocabulary().size()));
      LmState next;
      const LmScore score = model.score(state, word, next);
      const LookupMemory::Answer answer = memory.score(*remembered, word);
      CHECK_EQUAL(answer.log_prob, score.log_prob);
      CHECK_EQUAL(answer.length, next.length);
      CHECK(*answer.state == next);
      for (std::uint32_t i = 0; i < next.length; ++i) {
        CHECK_EQUAL(answer.state->places[i], next.places[i]);
        CHECK_EQUAL(answer.state->backoffs[i], next.backoffs[i]);
      }
      state = next;
      remembered = answer.state;
    }
  }
}

TEST(arpa_round_trip_in_pieces_of_any_size) {
  const check::TemporaryDirectory directory;
  estimate(random_text(300, 6), directory / "lm", of_order(3));
  const auto model = NgramModel::open(directory / "lm");
  std::string arpa, piece;
  for (ArpaWriter writer(model); writer.next(piece);) arpa += piece;
  for (const std::size_t size : {1u, 10u, 1000u, 1000000u}) {
    ArpaReader reader("arpa");
    for (std::size_t at = 0; at < arpa.size(); at += size) {
      reader.add(std::string_view(arpa).substr(at, size));
    }
    reader.finish().write(directory / "again", 1);
    const Model expected = ngrams_of(model);
    const Model again = ngrams_of(NgramModel::open(directory / "again"));
    CHECK_EQUAL(again.size(), expected.size());
    for (const auto& [words, values] : expected) {
      CHECK_NEAR(again.at(words).first, values.first, 1e-5);
      CHECK_NEAR(again.at(words).second, values.second, 1e-5);
    }
  }
}

TEST(mixture_of_equal_models_is_the_model) {
  const check::TemporaryDirectory directory;
  estimate(random_text(300, 7), directory / "lm", of_order(3));
  const auto model = NgramModel::open(directory / "lm");
  const Mixture mixture({&model, &model});
  CHECK_EQUAL(mixture.unknown_words(0), 1u);
  const double weights[] = {0.3, 0.7};
  mixture.write(weights, directory / "mixed", 2, std::uint64_t{1} << 30, directory.path());
  const Model expected = ngrams_of(model);
  for (const auto& [words, values] : ngrams_of(NgramModel::open(directory / "mixed"))) {
    CHECK_NEAR(values.first, expected.at(words).first, 1e-4);
  }
  mixture.write(weights, directory / "filed", 2, 1, directory.path());
  CHECK_EQUAL(read_all(directory / "filed"), read_all(directory / "mixed"));
}

TEST(wrong_requests_are_refused) {
  CHECK_THROWS(LmEstimator(of_order(9)), InputError, "1 to 8");
  auto options = of_order(2);
  options.prune = {0, 1, 1};
  CHECK_THROWS(LmEstimator(options), InputError, "more pruning thresholds");
  CHECK_THROWS(Mixture({}), InputError, "at least one");
  LmEstimator empty(of_order(2));
  CHECK_THROWS(empty.merge(1), InputError, "no words");
  CHECK_THROWS(NgramModel::open("/nonexistent"), IoError, "No such file");
}

CHECK_MAIN()
