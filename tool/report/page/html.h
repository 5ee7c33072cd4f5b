// HTML written so that text can only ever be text. Names of elements and attributes are literals of
// the program, checked when it is compiled; everything else passes through one function that
// escapes it.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace portpatch {

/// The name of an element: a literal of lower-case letters and digits. Elements that run or load
/// something do not compile.
class Tag {
 public:
  consteval Tag(const char* name) : name_(name) {  // NOLINT: a literal stands for itself
    for (const char c : name_) {
      if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) throw "no name of an element";
    }
    for (const std::string_view active :
         {"script", "style", "iframe", "object", "embed", "link", "base", "meta", "form", "img"}) {
      if (name_ == active) throw "an element that loads or runs something";
    }
  }
  [[nodiscard]] constexpr std::string_view name() const { return name_; }

 private:
  std::string_view name_;
};

/// The name of an attribute: the same. Handlers, styles and addresses do not compile; see
/// Attribute::to().
class AttributeName {
 public:
  consteval AttributeName(const char* name) : name_(name) {  // NOLINT
    for (const char c : name_) {
      if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-') throw "no name of an attribute";
    }
    for (const std::string_view active :
         {"style", "href", "src", "srcset", "srcdoc", "action", "formaction", "ping", "data"}) {
      if (name_ == active) throw "an attribute that loads or runs something";
    }
    if (name_.starts_with("on")) throw "a handler";
  }
  [[nodiscard]] constexpr std::string_view name() const { return name_; }

 private:
  std::string_view name_;
};

struct Attribute {
  std::string_view name;
  std::string value;
  bool is_there = true;

  Attribute(AttributeName attribute, std::string_view text) : name(attribute.name()), value(text) {}
  /// One that is there or not, such as `open`.
  Attribute(AttributeName attribute, std::same_as<bool> auto there)
      : name(attribute.name()), is_there(there) {}
  /// The address of the element of this page that has the id.
  [[nodiscard]] static Attribute to(std::string_view id) {
    return Attribute("#" + std::string(id));
  }

 private:
  explicit Attribute(std::string address) : name("href"), value(std::move(address)) {}
};

/// `text` as HTML: what is markup becomes entities, and what printable() shows as \xNN is shown so,
/// but for line breaks. Holds between tags and in quotes.
[[nodiscard]] std::string escaped(std::string_view text);

class Html {
 public:
  using Attributes = std::initializer_list<Attribute>;

  Html& text(std::string_view text);
  /// An element and what `content` writes into it.
  Html& in(Tag tag, Attributes attributes, const std::invocable auto& content) {
    open(tag, attributes);
    content();
    return close(tag);
  }
  /// An element with nothing but text.
  Html& leaf(Tag tag, Attributes attributes, std::string_view content = {}) {
    return open(tag, attributes).text(content).close(tag);
  }
  /// An element that has neither content nor an end, such as <input>.
  Html& lone(Tag tag, Attributes attributes) { return open(tag, attributes); }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  Html& open(Tag tag, Attributes attributes);
  Html& close(Tag tag);

  std::string out_;
};

}  // namespace portpatch
