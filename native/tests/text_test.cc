#include "check.h"

#include <filesystem>
#include <fstream>
#include <random>

#include "text/binary_format.h"
#include "text/checksum.h"
#include "text/error.h"
#include "text/key_numbers.h"
#include "text/line_reader.h"
#include "text/spool_file.h"
#include "text/tokens.h"
#include "text/vocabulary.h"

using namespace dragoman;

namespace {

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_all(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string write_sample(const check::TemporaryDirectory& directory) {
  const std::string path = directory / "sample";
  BinaryWriter writer(path, "sample", 7, 2);
  const std::vector<std::int32_t> numbers{1, 2, 3};
  writer.section(std::span<const std::int32_t>(numbers));
  writer.section(std::span<const char>("abc", 3));
  writer.finish();
  return path;
}

}  // namespace

TEST(checksum_does_not_depend_on_how_the_stream_is_cut) {
  const std::string text(1000, 'x');
  const auto bytes = std::as_bytes(std::span(text));
  StreamChecksum whole;
  whole.add(bytes);
  for (const std::size_t cut : {0u, 1u, 63u, 64u, 65u, 500u, 1000u}) {
    StreamChecksum pieces;
    pieces.add(bytes.first(cut));
    pieces.add(bytes.subspan(cut));
    CHECK_EQUAL(pieces.value(), whole.value());
  }
  StreamChecksum longer;
  longer.add(bytes);
  longer.add(bytes.first(1));
  CHECK(longer.value() != whole.value());
}

TEST(hashes_differ_in_every_byte) {
  const std::string text = "the quick brown fox";
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] ^= 1;
    CHECK(hash_bytes(other) != hash_bytes(text));
  }
  CHECK(hash_bytes("") != hash_bytes(std::string_view("\0", 1)));
}

TEST(binary_file_returns_what_was_written) {
  const check::TemporaryDirectory directory;
  const BinaryFile file(write_sample(directory), "sample", 7, 2);
  const auto numbers = file.section<std::int32_t>(0);
  CHECK_EQUAL(numbers.size(), 3u);
  CHECK_EQUAL(numbers[2], 3);
  const auto letters = file.section<char>(1);
  CHECK_EQUAL(std::string(letters.begin(), letters.end()), "abc");
  CHECK_THROWS(file.section<std::int32_t>(1), InputError, "no multiple");
}

TEST(binary_file_refuses_another_kind_or_version) {
  const check::TemporaryDirectory directory;
  const auto path = write_sample(directory);
  CHECK_THROWS(BinaryFile(path, "bitext", 7, 2), InputError, "holds a sample, not a bitext");
  CHECK_THROWS(BinaryFile(path, "sample", 8, 2), InputError, "format version 7");
  CHECK_THROWS(BinaryFile(path, "sample", 7, 3), InputError, "section table");
  CHECK_THROWS(BinaryFile(directory / "absent", "sample", 7, 2), IoError, "No such file");
  CHECK_THROWS(BinaryFile(directory.path(), "sample", 7, 2), IoError, "regular file");
}

TEST(binary_file_notices_every_changed_byte_and_every_cut) {
  const check::TemporaryDirectory directory;
  const auto good = read_all(write_sample(directory));
  const std::string path = directory / "bad";
  for (std::size_t i = 0; i < good.size(); ++i) {
    if (i >= 48 && i < 64) continue;  // reserved
    std::string bad = good;
    bad[i] ^= 0x41;
    write_all(path, bad);
    CHECK_THROWS(BinaryFile(path, "sample", 7, 2), InputError, path);
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    write_all(path, good.substr(0, size));
    CHECK_THROWS(BinaryFile(path, "sample", 7, 2), InputError, path);
  }
}

TEST(unfinished_file_is_refused) {
  const check::TemporaryDirectory directory;
  const std::string path = directory / "unfinished";
  {
    BinaryWriter writer(path, "sample", 7, 1);
    writer.section(std::span<const char>("abc", 3));
  }
  CHECK_THROWS(BinaryFile(path, "sample", 7, 1), InputError, "interrupted");
}

TEST(vocabulary_numbers_by_count_then_spelling) {
  VocabularyBuilder builder;
  for (const char* word : {"b", "a", "c", "c", "<s>"}) builder.add(word);
  const auto [vocabulary, final_ids] = builder.finish();
  CHECK_EQUAL(vocabulary.size(), 7u);
  CHECK_EQUAL(vocabulary.word(3), "c");
  CHECK_EQUAL(vocabulary.word(4), "<s>");
  CHECK_EQUAL(vocabulary.word(5), "a");
  CHECK_EQUAL(vocabulary.word(6), "b");
  CHECK_EQUAL(final_ids[0], 6);  // "b" came first
  CHECK_EQUAL(vocabulary.find("c"), 3);
  CHECK_EQUAL(vocabulary.find("absent"), kUnknown);
  CHECK_EQUAL(vocabulary.find("<unk>"), kUnknown);
  CHECK_EQUAL(vocabulary.find("<s>"), 4);
  CHECK_EQUAL(vocabulary.word(kBeginSentence), "<s>");
  CHECK_EQUAL(vocabulary.count(3), 2u);
  CHECK_THROWS(vocabulary.word(7), std::out_of_range, "outside");
  CHECK_THROWS(vocabulary.word(-1), std::out_of_range, "outside");
}

TEST(vocabulary_drops_rare_words) {
  VocabularyBuilder builder;
  for (const char* word : {"once", "twice", "twice"}) builder.add(word);
  const auto [vocabulary, final_ids] = builder.finish(2);
  CHECK_EQUAL(vocabulary.size(), 4u);
  CHECK_EQUAL(final_ids[0], kUnknown);
  CHECK_EQUAL(final_ids[1], 3);
}

TEST(vocabulary_survives_saving) {
  const check::TemporaryDirectory directory;
  VocabularyBuilder builder;
  for (int i = 0; i < 10000; ++i) builder.add("w" + std::to_string(i % 5000));
  const auto built = builder.finish().vocabulary;
  built.save(directory / "v");
  const auto opened = Vocabulary::open(directory / "v");
  CHECK_EQUAL(opened.size(), 5003u);
  for (WordId id = kReserved; id < 5003; ++id) {
    CHECK_EQUAL(opened.word(id), built.word(id));
    CHECK_EQUAL(opened.find(built.word(id)), id);
  }
}

TEST(tokens_are_runs_without_white_space) {
  const std::string alphabet = std::string(" \t\n\v\f\r a-\x08\x0e\x1f!\x7f\x85\xa0\xff") + '\0';
  std::mt19937_64 random(5);
  for (std::size_t size = 0; size < 300; ++size) {
    std::string line;
    const bool often = size % 2 == 0;  // short tokens, or long ones
    for (std::size_t i = 0; i < size; ++i) {
      line += often || random() % 40 == 0 ? alphabet[random() % alphabet.size()] : 'x';
    }
    std::vector<std::string> expected;
    bool inside = false;
    for (const char c : line) {
      if (!is_space(c) && !inside) expected.emplace_back();
      inside = !is_space(c);
      if (inside) expected.back() += c;
    }
    std::vector<std::string> found;
    for_each_token(line, [&](std::string_view token) { found.emplace_back(token); });
    CHECK(found == expected);
  }
}

TEST(lines_do_not_depend_on_how_the_text_is_cut) {
  const std::string text = "one\n\ntwo words\r\n\n\nlast";
  const std::vector<std::string> expected{"one", "", "two words\r", "", "", "last"};
  for (std::size_t size = 1; size <= text.size(); ++size) {
    std::vector<std::string> found;
    const auto add = [&](std::string_view line) { found.emplace_back(line); };
    LineReader reader;
    for (std::size_t at = 0; at < text.size(); at += size) {
      reader.add(std::string_view(text).substr(at, size), add);
    }
    CHECK_EQUAL(reader.pending(), 4u);
    reader.finish(add);
    reader.finish(add);
    CHECK(found == expected);
  }
}

TEST(spool_files_give_back_what_was_put_in_and_leave_nothing) {
  const check::TemporaryDirectory directory;
  SpoolFile file(directory.path());
  const std::string first(100'000, 'a');
  CHECK_EQUAL(file.append(std::as_bytes(std::span(first))), 0u);
  CHECK_EQUAL(file.append(std::as_bytes(std::span("bcd", 3))), first.size());
  CHECK_EQUAL(file.size(), first.size() + 3);
  char end[4];
  file.read(first.size() - 1, std::as_writable_bytes(std::span(end)));
  CHECK_EQUAL(std::string(end, 4), "abcd");
  CHECK_THROWS(file.read(first.size(), std::as_writable_bytes(std::span(end))), IoError,
               "read back");
  CHECK_THROWS(SpoolFile(directory / "absent"), IoError, "absent");
  CHECK(std::filesystem::is_empty(directory.path()));
}

TEST(spool_files_reserve_room_without_touching_what_is_there) {
  const check::TemporaryDirectory directory;
  constexpr std::size_t kRoom = 3'000'001;  // more than is written at once
  for (const bool by_writing : {false, true}) {
    SpoolFile file(directory.path());
    file.append(std::as_bytes(std::span("abc", 3)));
    if (by_writing) {
      file.fill(kRoom);
    } else {
      file.reserve(kRoom);
    }
    CHECK_EQUAL(file.size(), kRoom);
    std::string all(kRoom, 'x');
    file.read(0, std::as_writable_bytes(std::span(all)));
    CHECK_EQUAL(all.substr(0, 3), "abc");
    CHECK(all.find_first_not_of('\0', 3) == std::string::npos);
  }
}

TEST(keys_are_numbered_in_the_order_in_which_they_come) {
  KeyNumbers numbers;
  // 0 is a key as any other, and keys that end alike are told apart, also when the table grows.
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t key = 0; key < 5000; ++key) CHECK_EQUAL(numbers.number(key << 32), key);
    CHECK_EQUAL(numbers.size(), 5000u);
  }
  numbers.clear();
  CHECK_EQUAL(numbers.size(), 0u);
  CHECK_EQUAL(numbers.number(7), 0u);
  CHECK_EQUAL(numbers.number(0), 1u);
  CHECK_EQUAL(numbers.number(7), 0u);
}

CHECK_MAIN()
