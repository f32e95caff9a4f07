// Scored source phrases on their way into a table: partitions are filled by several threads, each
// in the order of its words, and merged into one sorted file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rules/phrase_table_writer.h"
#include "rules/spool.h"

namespace dragoman {

class ScoredTable {
 public:
  ScoredTable(std::size_t partitions, std::uint64_t memory, const std::string& directory,
              PhraseTableLayout layout);
  ~ScoredTable();

  // What a partition will hold, collected by one thread. Bilingual tokens are not kept.
  class Batch {
   public:
    // Source phrases by rising words; the options of each in their final order.
    void begin_source(Sentence source);
    void add_option(const OptionFields& fields);

   private:
    friend class ScoredTable;
    void close();
    std::vector<std::uint32_t> words_;
    std::size_t begun_ = 0;  // where the source phrase under way begins
    bool open_ = false;      // whether there is one
  };
  void add(std::size_t partition, Batch& batch);

  // What was added here goes to a file; what others have put away is as if it had been added.
  void put_away(const std::string& path) const;
  void take_up(const std::string& path);

  // When all is added: merges a part into the file. Returns true when done, false when there is
  // more: call again.
  bool write(const std::string& path);

  std::uint64_t written() const { return written_; }  // options so far
  std::uint64_t spilled_bytes() const { return spool_.spilled_bytes(); }

 private:
  class Merge;
  PhraseTableLayout layout_;
  PartitionedSpool<std::uint32_t> spool_;
  std::unique_ptr<Merge> merge_;
  std::uint64_t written_ = 0;
};

}  // namespace dragoman
