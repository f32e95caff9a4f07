// Lines of links: read, written, read again; their trees.
#include <cstdlib>

#include "alignment/links_file.h"
#include "grammar/alignment_tree.h"
#include "text/error.h"

using namespace dragoman;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  std::vector<Link> links;
  try {
    parse_links(line, links);
  } catch (const InputError&) {
    return 0;
  }
  std::string written;
  format_links(links, written);
  std::vector<Link> again;
  parse_links(written, again);
  if (again != links) std::abort();
  if (links.size() < 200) alignment_tree(links);
  return 0;
}
