#pragma once
// Certificates of paths as JSON, written and read back (docs/robots.md, docs/certificate.schema.json).
// Component Toccata::json.
#include <optional>
#include <string>
#include <string_view>

#include "toccata/base/expected.hpp"
#include "toccata/report/path_certificate.hpp"

namespace toccata {

inline constexpr int certificate_version = 1;

// Numbers read back to the same doubles.
std::string to_json(const PathCertificate& certificate);
std::optional<Error> write_certificate(const std::string& path, const PathCertificate& certificate);

// The error names the field: "pairs[3].spans[1]: ...". Nothing is proven by reading: verify_certificate.
Expected<PathCertificate> certificate_from_json(std::string_view text);
Expected<PathCertificate> read_certificate(const std::string& path);

}  // namespace toccata
