#include "report/page/frame.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/digest.h"

namespace portpatch {

namespace {

struct PageFile {
  std::string_view name, content;
};

constexpr PageFile kFiles[] = {
#include "page_files.inc"
};

std::string_view page_file(std::string_view name) {
  return std::ranges::find(kFiles, name, &PageFile::name)->content;
}

void put_pairs(Html& html, const std::vector<std::pair<std::string, std::string>>& pairs) {
  html.in("dl", {{"class", "facts"}}, [&] {
    for (const auto& [name, value] : pairs) {
      html.in("div", {}, [&] { html.leaf("dt", {}, name).leaf("dd", {}, value); });
    }
  });
}

void put_remarks(Html& html, const PageHead& head) {
  if (!head.notes.empty()) {
    html.in("section", {{"class", "remarks"}}, [&] {
      html.leaf("h2", {}, "Notes").in("ul", {}, [&] {
        for (const auto& note : head.notes) html.leaf("li", {}, note);
      });
    });
  }
  if (head.skipped.empty()) return;
  html.in("details", {{"class", "remarks"}}, [&] {
    html.leaf("summary", {},
              fmt::format("Not looked at: {}", counted(head.skipped.size(), "file")));
    html.in("ul", {}, [&] {
      for (const auto& [path, reason] : head.skipped) {
        html.in("li", {}, [&] { html.leaf("code", {}, path).text(" " + reason); });
      }
    });
  });
}

}  // namespace

std::string_view tone_name(Tone tone) {
  constexpr std::string_view kNames[] = {"good", "quiet", "notice", "warning", "bad"};
  return kNames[static_cast<std::size_t>(tone)];
}

Tone tone_of(Outcome outcome) {
  if (outcome == Outcome::kMoved) return Tone::kWarning;
  if (needs_person(outcome)) return Tone::kBad;
  if (outcome == Outcome::kPending) return Tone::kNotice;
  return outcome == Outcome::kUpstreamed ? Tone::kQuiet : Tone::kGood;
}

std::string make_page(const PageHead& head, const std::function<void(Html&)>& body) {
  const auto style = page_file("style.css"), script = page_file("script.js");
  Html html;
  html.in("header", {}, [&] {
    html.in("p", {{"class", "command"}},
            [&] { html.leaf("code", {}, "portpatch " + head.command); });
    html.leaf("h1", {{"class", fmt::format("verdict {}", tone_name(head.tone))}}, head.verdict);
    put_pairs(html, head.facts);
  });
  html.in("main", {}, [&] {
    body(html);
    put_remarks(html, head);
  });
  html.leaf("p", {{"id", "said"}, {"class", "unseen"}, {"role", "status"}});
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'sha256-{}'; script-src 'sha256-{}'; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
      "name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" "
      "content=\"no-referrer\">\n<title>{}</title>\n<style>{}</style>\n</"
      "head>\n<body>\n{}\n<script>{}</script>\n</body>\n</html>\n",
      sha256_base64(style), sha256_base64(script),
      escaped(fmt::format("{} - portpatch {}", head.verdict, head.command)), style, html.take(),
      script);
}

void put_badge(Html& html, std::string_view word, Tone tone) {
  html.leaf("span", {{"class", fmt::format("badge {}", tone_name(tone))}}, word);
}

void put_card(Html& html, const Card& card, const std::function<void()>& body) {
  html.in("article", {{"data-kind", card.kind}, {"class", tone_name(card.tone)}}, [&] {
    html.in("details", {{"open", card.is_open}}, [&] {
      html.in("summary", {}, [&] {
        put_badge(html, card.kind, card.tone);
        html.in("span", {{"class", "title"}}, [&] {
          html.leaf("strong", {}, card.title).leaf("span", {{"class", "place"}}, card.place);
        });
      });
      html.in("div", {{"class", "body"}}, body);
    });
  });
}

void put_command(Html& html, std::string_view command, std::string_view remark) {
  html.in("p", {{"class", "run"}}, [&] {
    html.leaf("code", {}, command);
    if (!remark.empty()) html.leaf("span", {}, remark);
    html.leaf("button",
              {{"type", "button"},
               {"class", "copy scripted"},
               {"aria-label", fmt::format("Copy: {}", command)}},
              "Copy");
  });
}

std::string place_text(std::string_view path, std::size_t line) {
  return line > 0 ? fmt::format("{}:{}", path, line) : std::string(path);
}

void put_filter(Html& html, std::string_view list, const std::vector<Choice>& choices) {
  html.in(
      "div",
      {{"class", "filter"}, {"role", "group"}, {"aria-label", "Show only"}, {"data-list", list}},
      [&] {
        for (const auto& choice : choices) {
          html.in(
              "button",
              {{"type", "button"},
               {"class", fmt::format("badge {}", tone_name(choice.tone))},
               {"aria-pressed", "false"},
               {"data-show", choice.value}},
              [&] { html.leaf("b", {}, std::to_string(choice.count)).text(" " + choice.value); });
        }
        html.lone("input", {{"type", "search"},
                            {"class", "scripted"},
                            {"placeholder", "path, name, word"},
                            {"aria-label", "Show only what has these words"}});
      });
}

}  // namespace portpatch
