// toccata robot verify: does a certificate hold?
#ifdef TOCCATA_WITH_URDF
#include <fmt/core.h>

#include "ending.hpp"
#include "interrupt.hpp"
#include "robot_arguments.hpp"
#include "terminal.hpp"
#include "toccata/io/certificate_json.hpp"
#include "toccata/io/sentence.hpp"
#include "toccata/proximity/verify_certificate.hpp"

namespace toccata::app {

// Knows nothing of what found the path free. A certificate that does not hold ends with 1.
int verify_path(const RobotArguments& arguments, const LoadedRobot& loaded) {
  const InterruptScope interrupts;
  const JointPath path = path_of(arguments, loaded);
  const Expected<PathCertificate> read = read_certificate(arguments.certificate);
  if (!read) throw UsageError(read.error().message);
  const PathCertificate& certificate = *read;
  VerifyCertificateOptions options;
  options.allowed = loaded.allowed;
  options.self_contact = !arguments.no_self;
  options.minimum_distance = arguments.minimum_distance;
  options.threads = arguments.threads;
  options.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  const CertificateCheck found = verify_certificate(loaded.body, loaded.scene, path, certificate, options);
  if (arguments.json) {
    print_json(JsonObject()
                   .add("valid", found.valid)
                   .add("reason", found.reason)
                   .add("clearance", found.clearance)
                   .add("pairs", found.pairs)
                   .add("spans", found.spans)
                   .add("distances", found.distances)
                   .add("microseconds", found.microseconds));
  } else if (found.valid) {
    fmt::print("The certificate holds: {} stay apart by at least {:.6g} all the way ({}, {}).\n",
               plural(static_cast<std::size_t>(found.pairs), "pair"), found.clearance,
               plural(static_cast<std::size_t>(found.distances), "distance"),
               duration_text(1e-6 * found.microseconds));
  } else {
    fmt::print("The certificate does not hold: {}.\n", found.reason);
  }
  return interrupted() ? 130 : (found.valid ? 0 : 1);
}

}  // namespace toccata::app
#endif
