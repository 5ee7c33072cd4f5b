// `portpatch man`: the manual page, in the macros of man(7), from the tables that make the help.
#include <fmt/format.h>

#include "cli/output.h"

namespace portpatch {

namespace {

/// Text for roff: no character of it is a command.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '"')
      result += "\\(dq";
    else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
      result += fmt::format("\\&{}", c);
    else
      result += c;
  }
  return result;
}

/// `PACK...`, `[RUN]`
std::string usage_words(const Arguments& arguments) {
  const auto many = arguments.name + (arguments.most > 1 ? "..." : "");
  return arguments.least > 0 ? many : "[" + many + "]";
}

/// A line of the help that shows a command, and behind two blanks what it does.
void write_example(std::string& page, std::string_view line) {
  const auto gap = line.find("  ");
  page += fmt::format(".TP\n.B {}\n{}\n", roff(line.substr(0, gap)),
                      gap == std::string_view::npos ? "\\&" : roff(trim(line.substr(gap))));
}

void write_help(std::string& page, std::string_view help) {
  bool in_text = false;
  for (const auto line : split_lines(help)) {
    const bool is_example = line.starts_with("portpatch ");
    if (is_example)
      write_example(page, line);
    else
      page += (in_text ? "" : ".P\n") + roff(line) + "\n";
    in_text = !is_example;
  }
}

void write_option(std::string& page, const OptionText& option) {
  page += fmt::format(".TP\n.B {} \\fI{}\\fR\n{}\n", roff(option.name), roff(option.value),
                      roff(option.help));
}

void write_command(std::string& page, const Command& command) {
  page += fmt::format(".SS portpatch {} {}\n{}\n", roff(command.name),
                      roff(usage_words(command.arguments)), roff(command.summary));
  write_help(page, command.help);
  page += fmt::format(".TP\n.I {}\n{}\n", roff(command.arguments.name),
                      roff(command.arguments.help));
  for (const auto& option : options_of(command)) write_option(page, option);
}

}  // namespace

int run_manual(const Options&) {
  std::string
      page = ".TH PORTPATCH 1 \"\" \"portpatch " PORTPATCH_VERSION
             "\" \"User Commands\"\n"
             ".SH NAME\nportpatch \\- keeps local patches alive on a fast\\-moving upstream\n"
             ".SH SYNOPSIS\n.B portpatch\n[\\fB\\-C\\fR \\fIDIR\\fR] [\\fB\\-\\-format\\fR "
             "\\fIFORMAT\\fR] \\fICOMMAND\\fR ...\n"
             ".SH DESCRIPTION\n"
             "Each edit is a rule: a tree\\-sitter query says where, a directive says what must "
             "hold there. After every pull the rules\n"
             "are applied again, wherever their place has gone, in the style of the file. What is "
             "not certain is not edited: it is\n"
             "reported, with the reason and what to do.\n"
             ".SH OPTIONS\n";
  for (const auto& option : common_options()) write_option(page, option);
  page += ".SH COMMANDS\n";
  for (const auto& command : command_table()) {
    if (!command.is_hidden) write_command(page, command);
  }
  page +=
      ".SH EXIT STATUS\n.TP\n.B 0\nnothing needs a person\n.TP\n.B 1\nsomething does\n"
      ".TP\n.B 2\nthe command, the pack or the machine is at fault\n"
      ".SH ENVIRONMENT\n.TP\n.B PORTPATCH_CC\nthe portpatch\\-cc that reads C++ and CUDA; "
      "otherwise it is looked for beside portpatch, then in PATH\n"
      ".TP\n.B NO_COLOR\nno colour, also on a terminal\n"
      ".SH FILES\nIn a git work tree: journal and hints under .git/portpatch, backups under "
      "refs/portpatch; elsewhere\n"
      "all under .portpatch.\n"
      ".SH SEE ALSO\n.BR git (1),\nthe rule language in rules/README.md of the documentation.\n";
  print(page);
  return 0;
}

}  // namespace portpatch
