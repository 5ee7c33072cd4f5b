// A very small standard library: declarations that cc tables and the conditions around them stand
// on. What is missing here costs a name, not a table.
#pragma once

namespace std {

using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using nullptr_t = decltype(nullptr);

template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
  using type = integral_constant;
  constexpr operator T() const { return v; }
};
template <bool b>
using bool_constant = integral_constant<bool, b>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <class T, class U>
inline constexpr bool is_same_v = __is_same(T, U);
template <class T, class U>
struct is_same : bool_constant<__is_same(T, U)> {};
template <bool b, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  using type = T;
};
template <bool b, class T = void>
using enable_if_t = typename enable_if<b, T>::type;
template <bool b, class T, class F>
struct conditional {
  using type = T;
};
template <class T, class F>
struct conditional<false, T, F> {
  using type = F;
};
template <bool b, class T, class F>
using conditional_t = typename conditional<b, T, F>::type;
template <class T>
using decay_t = __decay(T);
template <class T>
using remove_reference_t = __remove_reference_t(T);
template <class T>
inline constexpr bool is_integral_v = __is_integral(T);
template <class T>
inline constexpr bool is_floating_point_v = __is_floating_point(T);
template <class...>
using void_t = void;

template <class T>
class initializer_list {
  const T* begin_ = nullptr;
  size_t size_ = 0;

 public:
  constexpr initializer_list() = default;
  constexpr size_t size() const { return size_; }
  constexpr const T* begin() const { return begin_; }
  constexpr const T* end() const { return begin_ + size_; }
};

template <class T>
constexpr remove_reference_t<T>&& move(T&& value) {
  return static_cast<remove_reference_t<T>&&>(value);
}
template <class T>
constexpr T&& forward(remove_reference_t<T>& value) {
  return static_cast<T&&>(value);
}
template <class T>
constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}

template <class A, class B>
struct pair {
  A first;
  B second;
  constexpr pair() = default;
  constexpr pair(const A& a, const B& b) : first(a), second(b) {}
};
template <class A, class B>
constexpr pair<A, B> make_pair(A a, B b) {
  return {a, b};
}
template <class... T>
struct tuple {};

struct string {
  string(const char* = "");
  const char* c_str() const;
  size_t size() const;
  bool empty() const;
  string operator+(const string&) const;
  bool operator==(const string&) const;
  string& operator+=(const string&);
};
struct string_view {
  constexpr string_view(const char* = "") {}
  string_view(const string&);
  bool operator==(const string_view&) const;
};
template <class T>
string to_string(T);

template <class T>
struct sequence_ {
  constexpr sequence_() = default;
  constexpr sequence_(initializer_list<T>) {}
  sequence_(size_t);
  T* begin() const;
  T* end() const;
  T* data() const;
  size_t size() const;
  bool empty() const;
  T& operator[](size_t) const;
  T& front() const;
  T& back() const;
  void push_back(const T&);
};
template <class T, class...>
struct vector : sequence_<T> {
  using sequence_<T>::sequence_;
};
template <class T, size_t n>
struct array {
  T items[n ? n : 1];
  constexpr const T& operator[](size_t i) const { return items[i]; }
  constexpr size_t size() const { return n; }
};
template <class K, class V>
struct table_ : sequence_<pair<const K, V>> {
  using sequence_<pair<const K, V>>::sequence_;
  V& operator[](const K&);
  V& at(const K&) const;
  pair<const K, V>* find(const K&) const;
  size_t count(const K&) const;
};
template <class K, class V, class...>
struct map : table_<K, V> {
  using table_<K, V>::table_;
};
template <class K, class V, class...>
struct unordered_map : table_<K, V> {
  using table_<K, V>::table_;
};
template <class T, class...>
struct set : sequence_<T> {
  using sequence_<T>::sequence_;
  size_t count(const T&) const;
};
template <class T, class...>
struct unordered_set : set<T> {
  using set<T>::set;
};

struct nullopt_t {};
inline constexpr nullopt_t nullopt{};
template <class T>
struct optional {
  constexpr optional() = default;
  constexpr optional(nullopt_t) {}
  optional(const T&);
  explicit operator bool() const;
  bool has_value() const;
  T& value() const;
  T& operator*() const;
  T* operator->() const;
  T value_or(const T&) const;
};
template <class T, class...>
struct unique_ptr {
  T* get() const;
  T& operator*() const;
  T* operator->() const;
  explicit operator bool() const;
};
template <class T>
struct shared_ptr : unique_ptr<T> {};
template <class>
struct function;
template <class R, class... A>
struct function<R(A...)> {
  template <class F>
  function(F);
  R operator()(A...) const;
};
struct exception {
  const char* what() const;
};
struct runtime_error : exception {
  runtime_error(const string&);
};
struct invalid_argument : runtime_error {
  using runtime_error::runtime_error;
};
struct ostream {};
template <class T>
ostream& operator<<(ostream&, const T&);
extern ostream cout, cerr;
ostream& endl(ostream&);

}  // namespace std

extern "C" int printf(const char*, ...);
extern "C" int snprintf(char*, size_t, const char*, ...);
extern "C" int strcmp(const char*, const char*);
extern "C" [[noreturn]] void exit(int);
extern "C" [[noreturn]] void abort();
