#include "alignment/examples.h"

#include <string>

#include "text/error.h"

namespace dragoman {

void Examples::require_fit(const Sentences& source, const Sentences& target) const {
  if (sure.size() != possible.size()) {
    throw std::invalid_argument("every example has sure and possible links");
  }
  if (size() > source.size()) {
    throw InputError("there are links of " + std::to_string(size()) + " pairs, but only " +
                     std::to_string(source.size()) + " pairs");
  }
  for (std::size_t pair = 0; pair < size(); ++pair) {
    for (const LinkSets* links : {&sure, &possible}) {
      for (const Link link : (*links)[pair]) {
        if (link.source < source[pair].size() && link.target < target[pair].size()) continue;
        throw InputError("example " + std::to_string(pair + 1) + ": link " +
                         std::to_string(link.source) + "-" + std::to_string(link.target) +
                         " leaves a pair of " + std::to_string(source[pair].size()) + " and " +
                         std::to_string(target[pair].size()) + " words");
      }
    }
  }
}

}  // namespace dragoman
