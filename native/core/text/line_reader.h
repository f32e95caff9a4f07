// The lines of a text that arrives in pieces cut anywhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dragoman {

class LineReader {
 public:
  // Calls visit(line), without the line end, for every line that ends in the piece.
  template <class Visit>
  void add(std::string_view piece, Visit&& visit) {
    while (!piece.empty()) {
      const std::size_t end = piece.find('\n');
      if (end == std::string_view::npos) {
        cut_ += piece;
        return;
      }
      if (cut_.empty()) {
        visit(piece.substr(0, end));
      } else {
        cut_ += piece.substr(0, end);
        visit(std::string_view(cut_));
        cut_.clear();
      }
      piece.remove_prefix(end + 1);
    }
  }
  // The last line, if the text did not end with a line end.
  template <class Visit>
  void finish(Visit&& visit) {
    if (!cut_.empty()) visit(std::string_view(cut_));
    cut_.clear();
  }
  // How much of a line has come whose end has not.
  std::size_t pending() const { return cut_.size(); }
  void clear() { cut_.clear(); }

 private:
  std::string cut_;
};

}  // namespace dragoman
