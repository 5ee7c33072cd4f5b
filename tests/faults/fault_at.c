/* A library to preload: lets the N-th call of a program that matters fail, or kills the program
   there. Read from the environment:

   - PORTPATCH_FAULT_IN: name of the programs that count, "portpatch" or "git"
   - PORTPATCH_FAULT_ROOT: only what lies below this folder counts
   - PORTPATCH_FAULT_KIND: the calls that count. "change": what changes the disk; "look": what reads
     from it; "start": what programs are started and talked to with
   - PORTPATCH_FAULT_AT: N; 0 only counts
   - PORTPATCH_FAULT_HOW: "once": the N-th fails; "on": it and all later ones fail, of those that a
     full disk (ENOSPC) refuses; "kill": the program is killed there, a write half done; "stop": its
     whole process group is, as when the machine stops
   - PORTPATCH_FAULT_ERROR: the number of the error
   - PORTPATCH_FAULT_LOG: a file of sizeof(struct log) bytes, which takes how many there were and
     what was hit */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct log {
  long count, hits;
  char call[32], path[472];
};

enum kind { kChange, kLook, kStart };
enum answer { kGoOn, kHalf, kFail };

static struct log* log_;
static const char* root;
static long at;
static int is_counted, error, wanted;
static const char* how;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("PORTPATCH_FAULT_IN"), *file = getenv("PORTPATCH_FAULT_LOG"),
             *kind = getenv("PORTPATCH_FAULT_KIND");
  if (!name || !file || !kind) return;
  if (strncmp(program_invocation_short_name, name, strlen(name)) != 0) return;
  const int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR, 0);
  if (descriptor < 0) return;
  void* memory = mmap(NULL, sizeof *log_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  syscall(SYS_close, descriptor);
  if (memory == MAP_FAILED) return;
  log_ = memory;
  at = atol(getenv("PORTPATCH_FAULT_AT"));
  how = getenv("PORTPATCH_FAULT_HOW");
  error = atoi(getenv("PORTPATCH_FAULT_ERROR"));
  root = getenv("PORTPATCH_FAULT_ROOT");
  wanted = kind[0] == 'c' ? kChange : kind[0] == 'l' ? kLook : kStart;
  is_counted = 1;
}

static int is_below(const char* path) { return strncmp(path, root, strlen(root)) == 0; }

static int is_ours(const char* path) {
  return path && (path[0] != '/' || (is_below(path) && strstr(path, "fault-log") == NULL));
}

static int goes_on(void) { return strcmp(how, "on") == 0; }

static void end_if_killed(void) {
  const int kills = strcmp(how, "kill") == 0, stops = strcmp(how, "stop") == 0;
  if (!kills && !stops) return;
  kill(stops ? 0 : getpid(), SIGKILL);
  for (;;) pause();
}

/* Counts a call; what is to become of it. `needs_room`: a full disk refuses it. */
static enum answer meet(enum kind kind, const char* call, const char* path, int needs_room) {
  if (!is_counted || kind != (enum kind)wanted) return kGoOn;
  const long number = __sync_add_and_fetch(&log_->count, 1);
  if (at == 0 || number < at || (!goes_on() && number > at)) return kGoOn;
  if (goes_on() && error == ENOSPC && !needs_room) return kGoOn;
  if (__sync_add_and_fetch(&log_->hits, 1) == 1) {
    snprintf(log_->call, sizeof log_->call, "%s", call);
    snprintf(log_->path, sizeof log_->path, "%s", path ? path : "");
    if (strcmp(how, "once") != 0 && strcmp(call, "write") == 0) return kHalf;
  }
  end_if_killed();
  errno = error;
  return kFail;
}

static enum answer meet_path(enum kind kind, const char* call, const char* path, int needs_room) {
  return is_counted && is_ours(path) ? meet(kind, call, path, needs_room) : kGoOn;
}

/* The same for what is done with a descriptor: of a file, or of a pipe to another program. */
static enum answer meet_descriptor(enum kind kind, const char* call, int descriptor,
                                   int needs_room) {
  if (!is_counted || descriptor <= STDERR_FILENO) return kGoOn;
  char link[40], path[400];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (size <= 0) return kGoOn;
  path[size] = 0;
  if (strncmp(path, "pipe:", 5) == 0)
    return kind == kLook || kind == kChange ? meet(kStart, call, "", 0) : kGoOn;
  return path[0] == '/' && is_ours(path) ? meet(kind, call, path, needs_room) : kGoOn;
}

#define REAL(name)               \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name);

#define ON_PATH(kind, needs_room, failed, result, name, parameters, path, ...) \
  result name parameters {                                                     \
    REAL(name)                                                                 \
    if (meet_path(kind, #name, path, needs_room) == kFail) return failed;      \
    return real(__VA_ARGS__);                                                  \
  }

ON_PATH(kChange, 1, -1, int, rename, (const char* from, const char* to), to, from, to)
ON_PATH(kChange, 1, -1, int, renameat, (int a, const char* from, int b, const char* to), to, a,
        from, b, to)
ON_PATH(kChange, 1, -1, int, link, (const char* from, const char* to), to, from, to)
ON_PATH(kChange, 1, -1, int, symlink, (const char* from, const char* to), to, from, to)
ON_PATH(kChange, 0, -1, int, unlink, (const char* path), path, path)
ON_PATH(kChange, 0, -1, int, unlinkat, (int folder, const char* path, int flags), path, folder,
        path, flags)
ON_PATH(kChange, 0, -1, int, remove, (const char* path), path, path)
ON_PATH(kChange, 0, -1, int, rmdir, (const char* path), path, path)
ON_PATH(kChange, 1, -1, int, mkdir, (const char* path, mode_t mode), path, path, mode)
ON_PATH(kChange, 0, -1, int, chmod, (const char* path, mode_t mode), path, path, mode)
ON_PATH(kChange, 1, NULL, char*, mkdtemp, (char* path), path, path)
ON_PATH(kChange, 1, -1, int, mkstemp, (char* path), path, path)
ON_PATH(kChange, 1, -1, int, mkstemp64, (char* path), path, path)

ON_PATH(kLook, 0, -1, int, access, (const char* path, int mode), path, path, mode)
ON_PATH(kLook, 0, -1, int, faccessat, (int folder, const char* path, int mode, int flags), path,
        folder, path, mode, flags)
ON_PATH(kLook, 0, NULL, DIR*, opendir, (const char* path), path, path)
ON_PATH(kLook, 0, -1, ssize_t, readlink, (const char* path, char* to, size_t size), path, path, to,
        size)
ON_PATH(kLook, 0, NULL, char*, realpath, (const char* path, char* to), path, path, to)
#define ON_STAT(name, type) \
  ON_PATH(kLook, 0, -1, int, name, (const char* path, struct type* info), path, path, info)
ON_STAT(stat, stat)
ON_STAT(stat64, stat64)
ON_STAT(lstat, stat)
ON_STAT(lstat64, stat64)
ON_PATH(kLook, 0, -1, int, fstatat, (int folder, const char* path, struct stat* info, int flags),
        path, folder, path, info, flags)
ON_PATH(kLook, 0, -1, int, fstatat64,
        (int folder, const char* path, struct stat64* info, int flags), path, folder, path, info,
        flags)

#define ON_DESCRIPTOR(kind, needs_room, failed, result, name, parameters, ...)        \
  result name parameters {                                                            \
    REAL(name)                                                                        \
    if (meet_descriptor(kind, #name, descriptor, needs_room) == kFail) return failed; \
    return real(__VA_ARGS__);                                                         \
  }
ON_DESCRIPTOR(kChange, 1, -1, int, fsync, (int descriptor), descriptor)
ON_DESCRIPTOR(kChange, 0, -1, int, fchmod, (int descriptor, mode_t mode), descriptor, mode)
ON_DESCRIPTOR(kChange, 1, -1, int, ftruncate, (int descriptor, off_t size), descriptor, size)
ON_DESCRIPTOR(kChange, 1, -1, int, ftruncate64, (int descriptor, off64_t size), descriptor, size)
ON_DESCRIPTOR(kChange, 1, -1, ssize_t, pwrite,
              (int descriptor, const void* bytes, size_t size, off_t place), descriptor, bytes,
              size, place)
ON_DESCRIPTOR(kChange, 1, -1, ssize_t, pwrite64,
              (int descriptor, const void* bytes, size_t size, off64_t place), descriptor, bytes,
              size, place)
ON_DESCRIPTOR(kLook, 0, -1, ssize_t, read, (int descriptor, void* bytes, size_t size), descriptor,
              bytes, size)
ON_DESCRIPTOR(kLook, 0, -1, ssize_t, pread, (int descriptor, void* bytes, size_t size, off_t place),
              descriptor, bytes, size, place)
ON_DESCRIPTOR(kLook, 0, -1, ssize_t, pread64,
              (int descriptor, void* bytes, size_t size, off64_t place), descriptor, bytes, size,
              place)
ON_DESCRIPTOR(kLook, 0, -1, int, flock, (int descriptor, int operation), descriptor, operation)
ON_DESCRIPTOR(kLook, 0, NULL, DIR*, fdopendir, (int descriptor), descriptor)

ssize_t write(int descriptor, const void* bytes, size_t size) {
  REAL(write)
  const enum answer answer = meet_descriptor(kChange, "write", descriptor, 1);
  if (answer == kFail) return -1;
  if (answer == kGoOn) return real(descriptor, bytes, size);
  const ssize_t put = size > 1 ? real(descriptor, bytes, size / 2) : 0;
  end_if_killed();
  if (put > 0) return put;
  errno = error;
  return -1;
}

/* What was written may be found lost at the end; the descriptor is closed all the same. */
int close(int descriptor) {
  REAL(close)
  const int flags = is_counted && descriptor > STDERR_FILENO ? fcntl(descriptor, F_GETFL) : -1;
  const int fails = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && wanted == kChange &&
                    meet_descriptor(kChange, "close", descriptor, 1) == kFail;
  const int closed = real(descriptor);
  if (!fails) return closed;
  errno = error;
  return -1;
}

#define ON_READDIR(name, type)                                                     \
  struct type* name(DIR* folder) {                                                 \
    REAL(name)                                                                     \
    if (meet_descriptor(kLook, "readdir", dirfd(folder), 0) == kFail) return NULL; \
    return real(folder);                                                           \
  }
ON_READDIR(readdir, dirent)
ON_READDIR(readdir64, dirent64)

#define ON_OPEN(name, folder_parameter, folder_argument)                                \
  int name(folder_parameter const char* path, int flags, ...) {                         \
    REAL(name)                                                                          \
    mode_t mode = 0;                                                                    \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                \
      va_list rest;                                                                     \
      va_start(rest, flags);                                                            \
      mode = (mode_t)va_arg(rest, int);                                                 \
      va_end(rest);                                                                     \
    }                                                                                   \
    const int changes = (flags & O_CREAT) || (flags & O_TRUNC);                         \
    if (meet_path(changes ? kChange : kLook, #name, path, changes) == kFail) return -1; \
    return real(folder_argument path, flags, mode);                                     \
  }
#define COMMA ,
ON_OPEN(open, , )
ON_OPEN(open64, , )
ON_OPEN(openat, int folder COMMA, folder COMMA)
ON_OPEN(openat64, int folder COMMA, folder COMMA)

#define ON_FOPEN(name)                                                                    \
  FILE* name(const char* path, const char* mode) {                                        \
    REAL(name)                                                                            \
    const int changes = mode[0] != 'r';                                                   \
    if (meet_path(changes ? kChange : kLook, #name, path, changes) == kFail) return NULL; \
    return real(path, mode);                                                              \
  }
ON_FOPEN(fopen)
ON_FOPEN(fopen64)

#define ON_START(failed, result, name, parameters, what, ...) \
  result name parameters {                                    \
    REAL(name)                                                \
    if (meet(kStart, #name, what, 0) == kFail) return failed; \
    return real(__VA_ARGS__);                                 \
  }
ON_START(-1, pid_t, fork, (void), "")
ON_START(-1, int, pipe, (int ends[2]), "", ends)
ON_START(-1, int, pipe2, (int ends[2], int flags), "", ends, flags)
ON_START(-1, int, chdir, (const char* path), path, path)
ON_START(-1, int, execve, (const char* path, char* const* arguments, char* const* variables), path,
         path, arguments, variables)
ON_START(-1, int, execvpe, (const char* path, char* const* arguments, char* const* variables), path,
         path, arguments, variables)
