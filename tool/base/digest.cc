#include "base/digest.h"

#include <array>

#include <fmt/format.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>

#include "base/files.h"

namespace portpatch {

namespace {

using Digest = std::array<std::uint8_t, SHA256_DIGEST_SIZE>;

Digest digest_of(std::string_view bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  Digest digest{};
  sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::string hex;
  for (const auto byte : digest_of(bytes)) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string sha256_base64(std::string_view bytes) {
  const auto digest = digest_of(bytes);
  std::string text(BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE), '\0');
  base64_encode_raw(text.data(), digest.size(), digest.data());
  return text;
}

std::string state_of_path(const std::string& path) {
  const auto kind = kind_of_path(path);
  if (kind && *kind == PathKind::kNothing) return "absent";
  if (kind && *kind == PathKind::kFolder) return "folder";
  const auto bytes = read_file(path);
  return bytes ? sha256(*bytes) : "unreadable";
}

}  // namespace portpatch
