#include "base/system_error.h"

#include <cerrno>
#include <cstring>

namespace portpatch {

bool says_absent(int error) { return error == ENOENT || error == ENOTDIR; }

std::string remedy_of(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
      return "";
    case ENOSPC:
    case EDQUOT:
      return "make room and run the command again";
    case EACCES:
    case EPERM:
      return "see to it that you may read and write there, then run the command again";
    case EROFS:
      return "mount it so that it can be written, then run the command again";
    case EMFILE:
    case ENFILE:
      return "too many files are open: raise the limit (`ulimit -n`), then run the command again";
    case EAGAIN:
    case ENOMEM:
      return "the machine has no memory or no processes left; run the command again later";
    case EIO:
      return "the disk may be failing (`dmesg` says more); run the command again once it is mended";
    default:
      return "mend that, then run the command again";
  }
}

std::string remedy_in(std::string_view message, std::string otherwise) {
  for (const int error :
       {ENOSPC, EDQUOT, EACCES, EPERM, EROFS, EMFILE, ENFILE, EAGAIN, ENOMEM, EIO}) {
    if (message.contains(std::strerror(error))) return remedy_of(error);
  }
  return otherwise;
}

}  // namespace portpatch
