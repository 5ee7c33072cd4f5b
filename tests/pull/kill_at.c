/* A library to preload: ends a program before its N-th call that changes something on the disk.

   PORTPATCH_KILL_IN     name of the programs that count: "portpatch", "git"
   PORTPATCH_KILL_AT     N; 0 only counts
   PORTPATCH_KILL_COUNT  a file of 8 bytes that they count in, together
   PORTPATCH_KILL_GROUP  set: the whole process group is killed, as when the machine stops */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static long* counter;
static long kill_at;
static int is_counted, kills_group;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("PORTPATCH_KILL_IN"), *at = getenv("PORTPATCH_KILL_AT"),
             *file = getenv("PORTPATCH_KILL_COUNT");
  if (!name || !at || !file || strncmp(program_invocation_short_name, name, strlen(name)) != 0)
    return;
  const int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR, 0);
  if (descriptor < 0) return;
  void* memory = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (memory == MAP_FAILED) return;
  counter = memory;
  kill_at = atol(at);
  kills_group = getenv("PORTPATCH_KILL_GROUP") != NULL;
  is_counted = 1;
}

static void count(void) {
  if (!is_counted) return;
  if (__sync_add_and_fetch(counter, 1) != kill_at) return;
  kill(kills_group ? 0 : getpid(), SIGKILL);
  for (;;) pause();
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRAP(result, name, parameters, ...) \
  result name parameters {                  \
    static __typeof__(&name) real;          \
    if (!real) real = REAL(name);           \
    count();                                \
    return real(__VA_ARGS__);               \
  }

WRAP(int, rename, (const char* from, const char* to), from, to)
WRAP(int, renameat, (int a, const char* from, int b, const char* to), a, from, b, to)
WRAP(int, link, (const char* from, const char* to), from, to)
WRAP(int, symlink, (const char* from, const char* to), from, to)
WRAP(int, unlink, (const char* path), path)
WRAP(int, unlinkat, (int folder, const char* path, int flags), folder, path, flags)
WRAP(int, rmdir, (const char* path), path)
WRAP(int, mkdir, (const char* path, mode_t mode), path, mode)
WRAP(int, chmod, (const char* path, mode_t mode), path, mode)
WRAP(int, fsync, (int descriptor), descriptor)
WRAP(ssize_t, write, (int descriptor, const void* bytes, size_t size), descriptor, bytes, size)

#define WRAP_OPEN(name, folder_parameter, folder_argument)      \
  int name(folder_parameter const char* path, int flags, ...) { \
    static __typeof__(&name) real;                              \
    if (!real) real = REAL(name);                               \
    mode_t mode = 0;                                            \
    if (flags & (O_CREAT | O_TMPFILE)) {                        \
      va_list rest;                                             \
      va_start(rest, flags);                                    \
      mode = (mode_t)va_arg(rest, int);                         \
      va_end(rest);                                             \
    }                                                           \
    if (flags & O_CREAT) count();                               \
    return real(folder_argument path, flags, mode);             \
  }
#define COMMA ,
WRAP_OPEN(open, , )
WRAP_OPEN(open64, , )
WRAP_OPEN(openat, int folder COMMA, folder COMMA)
WRAP_OPEN(openat64, int folder COMMA, folder COMMA)
