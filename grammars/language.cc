// The tables as tree-sitter's struct TSLanguage wants them (parser.h of its core, ABI 15), every
// state "large": the parse table is dense.
#include <algorithm>
#include <map>

extern "C" {
#include <tree_sitter/api.h>
// Last: it makes its own what api.h has not made.
#include <parser.h>
}

#include "parse_table.h"

namespace portpatch::grammars {

namespace {

/// What a TSLanguage points to.
struct Tables {
  Grammar grammar;
  std::vector<std::uint16_t> parse_table;
  std::vector<TSParseActionEntry> actions;
  std::vector<const char*> symbol_names, field_names;
  std::vector<TSMapSlice> field_slices;
  std::vector<TSFieldMapEntry> field_entries;
  std::vector<TSSymbolMetadata> metadata;
  std::vector<TSSymbol> public_symbols, alias_sequences;
  std::vector<std::uint16_t> alias_map = {0};
  std::vector<TSLexerMode> lex_modes;
  std::vector<TSStateId> primary_states;
  std::vector<std::uint16_t> production_ids;
  TSLanguage language{};
};

class Packer {
 public:
  Packer(const Grammar& grammar, std::vector<State> states) : states_(std::move(states)) {
    out_.grammar = grammar;
  }

  Tables* pack(const char* name, const LexMode& mode, bool (*lex)(TSLexer*, std::uint16_t)) {
    add_symbols();
    add_fields();
    add_actions();
    add_modes(mode);
    auto* tables = new Tables(std::move(out_));
    fill(*tables, name);
    tables->language.lex_fn = lex;
    return tables;
  }

 private:
  const Grammar& grammar() const { return out_.grammar; }

  void add_symbols() {
    const auto& symbols = grammar().symbols;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      out_.symbol_names.push_back(symbols[i].name.c_str());
      out_.metadata.push_back(
          {.visible = symbols[i].visible, .named = symbols[i].named, .supertype = false});
      const auto first = std::ranges::find_if(symbols, [&](const Symbol& one) {
        return one.name == symbols[i].name && one.named == symbols[i].named;
      });
      out_.public_symbols.push_back(static_cast<TSSymbol>(first - symbols.begin()));
    }
  }

  /// Productions with the same fields at the same places share a number; 0: no fields.
  void add_fields() {
    out_.field_names.push_back(nullptr);
    for (const auto& field : grammar().fields) out_.field_names.push_back(field.c_str());
    std::map<std::vector<std::pair<std::uint16_t, std::uint8_t>>, std::uint16_t> known;
    known[{}] = 0;
    out_.field_slices.push_back({0, 0});
    std::size_t longest = 1;
    for (const auto& production : grammar().productions) {
      std::vector<std::pair<std::uint16_t, std::uint8_t>> fields;
      longest = std::max(longest, production.parts.size());
      for (std::size_t i = 0; i < production.parts.size(); ++i) {
        if (production.parts[i].field != 0)
          fields.emplace_back(production.parts[i].field, static_cast<std::uint8_t>(i));
      }
      std::ranges::sort(fields);
      const auto [found, is_new] = known.try_emplace(
          fields, static_cast<std::uint16_t>(out_.field_slices.size()));
      if (is_new)
        out_.field_slices.push_back({static_cast<std::uint16_t>(out_.field_entries.size()),
                                     static_cast<std::uint16_t>(fields.size())});
      for (const auto& [field, child] : fields) {
        if (is_new) out_.field_entries.push_back({field, child, false});
      }
      out_.production_ids.push_back(found->second);
    }
    out_.language.max_alias_sequence_length = static_cast<std::uint16_t>(longest);
    out_.alias_sequences.assign(longest * out_.field_slices.size(), 0);
  }

  static TSParseActionEntry shift(std::uint16_t state, bool extra, bool repetition) {
    TSParseActionEntry entry{};
    entry.action.shift = {
        .type = TSParseActionTypeShift, .state = state, .extra = extra, .repetition = repetition};
    return entry;
  }

  static TSParseActionEntry plain(std::uint8_t type) {
    TSParseActionEntry entry{};
    entry.action.type = type;
    return entry;
  }

  TSParseActionEntry entry_of(const Action& action) const {
    if (action.kind == Action::Kind::kAccept) return plain(TSParseActionTypeAccept);
    if (action.kind != Action::Kind::kReduce)
      return shift(action.state, false, action.kind == Action::Kind::kShiftRepeat);
    const auto& production = grammar().productions[action.production];
    TSParseActionEntry entry{};
    entry.action.reduce = {.type = TSParseActionTypeReduce,
                           .child_count = static_cast<std::uint8_t>(production.parts.size()),
                           .symbol = production.symbol,
                           .dynamic_precedence = 0,
                           .production_id = out_.production_ids[action.production]};
    return entry;
  }

  std::uint16_t add(const std::vector<TSParseActionEntry>& entries) {
    const auto at = static_cast<std::uint16_t>(out_.actions.size());
    TSParseActionEntry count{};
    count.entry = {.count = static_cast<std::uint8_t>(entries.size()),
                   .reusable = !entries.empty()};
    out_.actions.push_back(count);
    out_.actions.insert(out_.actions.end(), entries.begin(), entries.end());
    return at;
  }

  void add_actions() {
    add({});
    const auto recover = add({plain(TSParseActionTypeRecover)});
    const auto skip = add({shift(0, true, false)});
    std::vector<std::pair<std::vector<Action>, std::uint16_t>> known;
    for (const auto& state : states_) {
      const bool is_error = &state == &states_[0];
      for (std::uint16_t symbol = 0; symbol < grammar().symbols.size(); ++symbol) {
        const auto& actions = state.on[symbol];
        const bool is_token = symbol < grammar().token_count;
        std::uint16_t value = 0;
        if (is_token && grammar().extra[symbol]) {
          value = skip;
        } else if (is_token && is_error) {
          value = recover;
        } else if (!is_token) {
          value = actions.empty() ? 0 : actions.back().state;
        } else if (!actions.empty()) {
          const auto found = std::ranges::find(
              known, actions, &std::pair<std::vector<Action>, std::uint16_t>::first);
          if (found == known.end()) {
            std::vector<TSParseActionEntry> entries;
            for (const auto& action : actions) entries.push_back(entry_of(action));
            value = add(entries);
            known.emplace_back(actions, value);
          } else {
            value = found->second;
          }
        }
        out_.parse_table.push_back(value);
      }
    }
  }

  void add_modes(const LexMode& mode) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      std::vector<bool> accepted;
      for (std::uint16_t token = 0; token < grammar().token_count; ++token)
        accepted.push_back(!states_[i].on[token].empty());
      out_.lex_modes.push_back({.lex_state = i == 0 ? std::uint16_t{0} : mode(accepted),
                                .external_lex_state = 0,
                                .reserved_word_set_id = 0});
      out_.primary_states.push_back(static_cast<TSStateId>(i));
    }
  }

  void fill(Tables& tables, const char* name) const {
    auto& language = tables.language;
    // The strings moved with the grammar: short ones live inside of it.
    for (std::size_t i = 0; i < tables.grammar.symbols.size(); ++i)
      tables.symbol_names[i] = tables.grammar.symbols[i].name.c_str();
    for (std::size_t i = 0; i < tables.grammar.fields.size(); ++i)
      tables.field_names[i + 1] = tables.grammar.fields[i].c_str();
    tables.symbol_names[0] = "end";
    language.abi_version = 15;
    language.symbol_count = static_cast<std::uint32_t>(tables.grammar.symbols.size());
    language.token_count = tables.grammar.token_count;
    language.state_count = language.large_state_count = static_cast<std::uint32_t>(states_.size());
    language.production_id_count = static_cast<std::uint32_t>(tables.field_slices.size());
    language.field_count = static_cast<std::uint32_t>(tables.grammar.fields.size());
    language.parse_table = tables.parse_table.data();
    language.parse_actions = tables.actions.data();
    language.symbol_names = tables.symbol_names.data();
    language.field_names = tables.field_names.data();
    language.field_map_slices = tables.field_slices.data();
    language.field_map_entries = tables.field_entries.data();
    language.symbol_metadata = tables.metadata.data();
    language.public_symbol_map = tables.public_symbols.data();
    language.alias_map = tables.alias_map.data();
    language.alias_sequences = tables.alias_sequences.data();
    language.lex_modes = tables.lex_modes.data();
    language.primary_state_ids = tables.primary_states.data();
    language.name = name;
  }

  std::vector<State> states_;
  Tables out_;
};

}  // namespace

const TSLanguage* make_language(const char* name, const Grammar& grammar, const LexMode& mode,
                                bool (*lex)(TSLexer*, std::uint16_t)) {
  return &Packer(grammar, make_states(grammar)).pack(name, mode, lex)->language;
}

}  // namespace portpatch::grammars
