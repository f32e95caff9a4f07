// Alignments on disk: Pharaoh text (one line a pair, "0-0 1-2") and a mapped binary file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/links.h"
#include "text/binary_format.h"

namespace dragoman {

// Appends the links of a Pharaoh line, sorted and each once. Throws InputError that says what
// is wrong with which token; the caller knows the file and the line.
void parse_links(std::string_view line, std::vector<Link>& links);

// Appends "0-0 1-2" without an end of line.
void format_links(std::span<const Link> links, std::string& text);

class LinksFile {
 public:
  explicit LinksFile(const std::string& path);
  static void save(const LinkSets& links, const std::string& path);
  LinkSets links() const { return links_; }

 private:
  BinaryFile file_;
  LinkSets links_;
};

}  // namespace dragoman
