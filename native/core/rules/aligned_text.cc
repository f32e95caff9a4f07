#include "rules/aligned_text.h"

#include <string>

#include "text/error.h"

namespace dragoman {

void check_equally_many(const Sentences& source, const Sentences& target, const LinkSets& links) {
  if (source.size() == target.size() && links.size() == source.size()) return;
  throw InputError(std::to_string(source.size()) + " source sentences, " +
                   std::to_string(target.size()) + " target sentences and " +
                   std::to_string(links.size()) + " lines of links; they must be equally many");
}

}  // namespace dragoman
