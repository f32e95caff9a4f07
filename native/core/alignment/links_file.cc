#include "alignment/links_file.h"

#include <algorithm>
#include <charconv>

#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {
namespace {

constexpr std::string_view kKind = "links";
constexpr std::uint32_t kVersion = 1;
enum Section : std::uint32_t { kLinks, kOffsets, kSections };

}  // namespace

void parse_links(std::string_view line, std::vector<Link>& links) {
  const auto begin = static_cast<std::ptrdiff_t>(links.size());
  for_each_token(line, [&](std::string_view token) {
    Link link;
    const char* const end = token.data() + token.size();
    const auto source = std::from_chars(token.data(), end, link.source);
    bool good = source.ec == std::errc() && source.ptr != end && *source.ptr == '-';
    if (good) {
      const auto target = std::from_chars(source.ptr + 1, end, link.target);
      good = target.ec == std::errc() && target.ptr == end;
    }
    if (!good) {
      throw InputError("\"" + std::string(token) +
                       "\" is not a link; links are source-target positions from 0 to 65535, "
                       "such as 3-4");
    }
    links.push_back(link);
  });
  std::sort(links.begin() + begin, links.end());
  links.erase(std::unique(links.begin() + begin, links.end()), links.end());
}

void format_links(std::span<const Link> links, std::string& text) {
  char buffer[16];
  bool first = true;
  for (const Link link : links) {
    if (!first) text += ' ';
    first = false;
    char* at = std::to_chars(buffer, buffer + sizeof buffer, link.source).ptr;
    *at++ = '-';
    at = std::to_chars(at, buffer + sizeof buffer, link.target).ptr;
    text.append(buffer, at);
  }
}

LinksFile::LinksFile(const std::string& path) : file_(path, kKind, kVersion, kSections) {
  try {
    links_ = LinkSets(file_.section<Link>(kLinks), file_.section<std::uint64_t>(kOffsets));
  } catch (const std::invalid_argument& problem) {
    throw InputError(path + ": " + problem.what());
  }
}

void LinksFile::save(const LinkSets& links, const std::string& path) {
  BinaryWriter writer(path, kKind, kVersion, kSections);
  writer.section(links.links());
  writer.section(links.offsets());
  writer.finish();
}

}  // namespace dragoman
