#include "report/page/html.h"

#include "base/text.h"

namespace portpatch {

namespace {

void add_line(std::string_view line, std::string& out) {
  for (const char c : printable(line)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (;;) {
    const auto at = text.find('\n');
    // The carriage return of a line break is not worth showing.
    const bool is_break = at != std::string_view::npos;
    const auto line = is_break && at > 0 && text[at - 1] == '\r' ? text.substr(0, at - 1)
                                                                 : text.substr(0, at);
    add_line(line, out);
    if (!is_break) return out;
    out += '\n';
    text.remove_prefix(at + 1);
  }
}

Html& Html::text(std::string_view text) {
  out_ += escaped(text);
  return *this;
}

Html& Html::open(Tag tag, Attributes attributes) {
  (out_ += '<') += tag.name();
  for (const auto& [name, value, is_there] : attributes) {
    if (!is_there) continue;
    ((out_ += ' ') += name) += "=\"";
    (out_ += escaped(value)) += '"';
  }
  out_ += '>';
  return *this;
}

Html& Html::close(Tag tag) {
  ((out_ += "</") += tag.name()) += '>';
  return *this;
}

}  // namespace portpatch
