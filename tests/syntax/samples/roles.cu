// Every shape that the description of C++ names, for the comparison of the two query engines.
#include <map>
#define LIMIT 12
#if defined(LIMIT) && LIMIT > 3
int conditional = 1;
#elif LIMIT
int conditional = 2;
#else
int conditional = 3;
#endif
#ifdef X
int only_x;
#endif
extern "C" { int c_linkage = 1; }
namespace a::b { constexpr int kOne = 1, kTwo = kOne << 1; }
namespace { const char* text = "one" "two"; }
enum class E : int { kFirst, kSecond = 2, kSecond = 3 };
struct Entry { int key = 1; int value{2}; public: void method() const; };
class C : public Entry { C() : key_(1) {} int operator()(int a, int b = 2) { return a + b; } int key_; };
static const std::map<int, std::vector<int>> table = {{9, {4, 6}}, {10, {}}, {11, std::vector<int>{1, 2}}};
Entry entries[] = {{1, 2}, {.key = 3, .value = 4}, {5, 6}};
int plain[3] = {1, 0x10, 0b1}, copied = (1 + 2) * -3;
auto wrapped = Map({{1, 2}}), made = std::set<int>{1};
void C::outside(int a = 1, int b) { auto f = [&](int x) { return x; }; f(1); a = 2; }
int* pointer() { return nullptr; }
int& reference(int& x) { return x; }
template <typename T, int N> __global__ void kernel(T* out, int n) {
  if (n > 0) { out[0] = 'c'; } else if (n == 0) { out[1, 2] = true; } else { return; }
  switch (n) { case 1: out[0] = 1; break; case 2: default: break; }
  kernel<<<1, 2>>>(out, n);
  std::vector<std::pair<int, float>> v{{1, 2.0f}};
}
