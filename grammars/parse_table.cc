#include "parse_table.h"

#include <map>

namespace portpatch::grammars {

namespace {

using Tokens = std::uint64_t;  // a set of tokens

struct Item {
  std::uint16_t production = 0, dot = 0;
  auto operator<=>(const Item&) const = default;
};

/// Items with the tokens that may follow what they become.
using Items = std::map<Item, Tokens>;

class Maker {
 public:
  explicit Maker(const Grammar& grammar) : grammar_(grammar) {
    if (grammar.token_count > 64) broken_grammar("more than 64 tokens");
    start_ = static_cast<std::uint16_t>(grammar_.productions.size());
    of_.resize(grammar_.symbols.size());
    for (std::uint16_t i = 0; i < start_; ++i) of_[grammar_.productions[i].symbol].push_back(i);
    grammar_.productions.push_back({0, {{grammar.start, 0}}});
    find_first();
  }

  std::vector<State> make() {
    add_kernel({{{start_, 0}, Tokens{1}}});
    for (std::size_t next = 0; next < work_.size(); ++next) follow(work_[next]);
    std::vector<State> states(kernels_.size() + 1);
    states[0].on.resize(grammar_.symbols.size());
    for (std::size_t i = 0; i < kernels_.size(); ++i) fill(states[i + 1], i);
    return states;
  }

 private:
  bool is_token(std::uint16_t symbol) const { return symbol < grammar_.token_count; }
  const std::vector<Part>& parts(const Item& item) const {
    return grammar_.productions[item.production].parts;
  }

  /// The tokens that a symbol may begin with; no symbol but the start is empty.
  void find_first() {
    first_.assign(grammar_.symbols.size(), 0);
    for (std::uint16_t token = 0; token < grammar_.token_count; ++token)
      first_[token] = Tokens{1} << token;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [symbol, right] : grammar_.productions) {
        if (right.empty() || symbol == 0) continue;
        const auto before = first_[symbol];
        first_[symbol] |= first_[right[0].symbol];
        changed |= first_[symbol] != before;
      }
    }
  }

  Items closure(Items items) const {
    std::vector<Item> work;
    for (const auto& [item, follow] : items) work.push_back(item);
    while (!work.empty()) {
      const auto item = work.back();
      work.pop_back();
      const auto& right = parts(item);
      if (item.dot == right.size() || is_token(right[item.dot].symbol)) continue;
      const auto follow = item.dot + 1u < right.size() ? first_[right[item.dot + 1].symbol]
                                                       : items[item];
      for (const auto i : of_[right[item.dot].symbol]) {
        auto& known = items[{i, 0}];
        if ((known | follow) == known) continue;
        known |= follow;
        work.push_back({i, 0});
      }
    }
    return items;
  }

  /// The number of the state with this core; its lookaheads grow, and it is followed again if they
  /// do.
  std::size_t add_kernel(const Items& kernel) {
    std::vector<Item> core;
    for (const auto& [item, follow] : kernel) core.push_back(item);
    const auto [found, is_new] = by_core_.try_emplace(core, kernels_.size());
    if (is_new) {
      kernels_.push_back(kernel);
      work_.push_back(found->second);
      return found->second;
    }
    bool grown = false;
    for (const auto& [item, follow] : kernel) {
      auto& known = kernels_[found->second][item];
      grown |= (known | follow) != known;
      known |= follow;
    }
    if (grown) work_.push_back(found->second);
    return found->second;
  }

  std::map<std::uint16_t, std::size_t> follow(std::size_t state) {
    std::map<std::uint16_t, Items> nexts;
    for (const auto& [item, follow] : closure(kernels_[state])) {
      if (item.dot < parts(item).size())
        nexts[parts(item)[item.dot].symbol]
             [{item.production, static_cast<std::uint16_t>(item.dot + 1)}] = follow;
    }
    std::map<std::uint16_t, std::size_t> out;
    for (const auto& [symbol, kernel] : nexts) out[symbol] = add_kernel(kernel);
    return out;
  }

  void fill(State& state, std::size_t number) {
    state.on.resize(grammar_.symbols.size());
    for (const auto& [item, follow] : closure(kernels_[number])) {
      if (item.dot < parts(item).size()) continue;
      const auto kind = item.production == start_ ? Action::Kind::kAccept : Action::Kind::kReduce;
      for (std::uint16_t token = 0; token < grammar_.token_count; ++token) {
        if (follow >> token & 1)
          state.on[token].push_back({.kind = kind, .production = item.production});
      }
    }
    for (const auto& [symbol, next] : follow(number)) {
      auto& actions = state.on[symbol];
      const bool repeats = !actions.empty() &&
                           grammar_.symbols[grammar_.productions[actions[0].production].symbol]
                               .repeat;
      actions.push_back({.kind = repeats ? Action::Kind::kShiftRepeat : Action::Kind::kShift,
                         .state = static_cast<std::uint16_t>(next + 1)});
      if (actions.size() > 1 && !repeats)
        broken_grammar("a conflict at `" + grammar_.symbols[symbol].name + "`");
    }
    for (const auto& actions : state.on) {
      if (actions.size() > 2) broken_grammar("two ways to reduce");
      if (actions.size() == 2 && actions[1].kind != Action::Kind::kShiftRepeat)
        broken_grammar("two ways to reduce");
    }
  }

  Grammar grammar_;
  std::uint16_t start_ = 0;
  std::vector<std::vector<std::uint16_t>> of_;  ///< the productions of each symbol
  std::vector<Tokens> first_;
  std::vector<Items> kernels_;
  std::map<std::vector<Item>, std::size_t> by_core_;
  std::vector<std::size_t> work_;
};

}  // namespace

std::vector<State> make_states(const Grammar& grammar) { return Maker(grammar).make(); }

}  // namespace portpatch::grammars
