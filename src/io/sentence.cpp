#include "toccata/io/sentence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace toccata {
namespace {

constexpr int most_digits = 9;  // more do not help a person

enum class Rounding { Nearest, Down, Up };

std::string printed(const char* format, int digits, double x) {
  char text[64];
  std::snprintf(text, sizeof text, format, digits, x);
  return text;
}

// All of it in one text. (GCC 12 takes a literal plus a temporary text for an overlapping copy.)
template <typename... Parts>
std::string joined(const Parts&... parts) {
  std::string text;
  (text.append(parts), ...);
  return text;
}

// The printf format with so many digits, the last of them worth `unit`, on the asked side of x.
std::string rounded(const char* format, int digits, double unit, double x, Rounding rounding) {
  std::string text = printed(format, digits, x);
  const double back = std::strtod(text.c_str(), nullptr);
  // The nearest number with these digits was on the wrong side: half a unit further is the next one.
  if (rounding == Rounding::Down && back > x) text = printed(format, digits, x - 0.5 * unit);
  if (rounding == Rounding::Up && back < x) text = printed(format, digits, x + 0.5 * unit);
  return text;
}

std::string significant(double x, int digits, Rounding rounding = Rounding::Nearest) {
  if (!(std::abs(x) > 0.0)) return "0";  // -0, too
  if (!std::isfinite(x)) return printed("%.*g", 1, x);
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(x))) - digits + 1);
  return rounded("%.*g", digits, unit, x, rounding);
}

// A time in [lower, upper]: as many decimals as the bracket is sure of, never above `lower`.
std::string time_text(double lower, double upper) {
  const double width = upper - lower;
  int decimals = most_digits;
  if (width > 1e-9) decimals = std::clamp(static_cast<int>(std::floor(-std::log10(width))), 1, most_digits);
  const std::string text = rounded("%.*f", decimals, std::pow(10.0, -decimals), lower, Rounding::Down);
  if (lower > 0.0 && std::strtod(text.c_str(), nullptr) == 0.0) return significant(lower, 3, Rounding::Down);
  return text;
}

// A length known to be in [lower, upper]: one number where that says it all, else both ends.
std::string length_text(double lower, double upper) {
  const double width = upper - lower;
  if (!(width > 1e-9 * upper)) return significant(upper, most_digits);
  // The first digit in which both ends differ, and one more.
  const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(upper / width))) + 1, 2, most_digits);
  const std::string from = significant(lower, digits, Rounding::Down);
  const std::string to = significant(upper, digits, Rounding::Up);
  return from == to ? from : from + " to " + to;
}

std::string failed(const std::string& failure) {
  std::string text = failure.empty() ? "The question could not be asked." : failure;
  if (text.back() != '.') text += '.';
  return text;
}

std::string overlap(Inside inside, const BodyNames& names) {
  if (inside == Inside::FirstInSecond) return names.a + " is inside " + names.b + " at the start.";
  if (inside == Inside::SecondInFirst) return names.b + " is inside " + names.a + " at the start.";
  return "They already touch at the start.";
}

// What was asked for is to come this close.
std::string close_text(double minimum_distance) {
  return "within " + significant(minimum_distance, most_digits);
}

std::string overlap(const FirstContactResult& answer, const BodyNames& names) {
  const bool touching = answer.minimum_distance == 0.0 || answer.distance == 0.0;
  std::string text =
      touching ? overlap(answer.inside, names)
               : joined("They are ", close_text(answer.minimum_distance),
                        " of each other at the start: ", significant(answer.distance, 6), " apart.");
  if (answer.apart_from == 0.0) return text;
  text.pop_back();
  return text + (touching ? ", and never come apart." : ", and never get farther apart.");
}

// When they first touch, or come as close as was asked for. Where no later time is known by which they surely
// touch, what is proven is how close they are.
std::string time_of_contact(const FirstContactResult& answer) {
  if (answer.minimum_distance > 0.0) return "t = " + time_text(answer.lower, answer.lower);
  if (answer.upper < 1.0 || answer.upper - answer.lower <= 1e-9)
    return "t = " + time_text(answer.lower, answer.upper);
  return joined("t = ", time_text(answer.lower, answer.lower), " (",
                significant(answer.distance, 3, Rounding::Up), " apart, within the tolerance)");
}

// "They are in contact at the start, come apart at t = 0.25"; the rest is what follows.
std::string parting_text(const FirstContactResult& answer) {
  const std::string parted = significant(answer.apart_from, 6, Rounding::Up);
  if (answer.minimum_distance == 0.0)
    return joined("They are in contact at the start, come apart at t = ", parted);
  return joined("They are ", close_text(answer.minimum_distance),
                " of each other at the start, get farther apart at t = ", parted);
}

std::string contact_sentence(const FirstContactResult& answer) {
  const std::string when = time_of_contact(answer);
  if (answer.apart_from > 0.0) {
    return joined(parting_text(answer),
                  answer.minimum_distance > 0.0 ? ", and come as close again at " : ", and touch again at ",
                  when, ".");
  }
  if (answer.minimum_distance == 0.0) return joined("They first touch at ", when, ".");
  return joined("They first come ", close_text(answer.minimum_distance), " of each other at ", when, ".");
}

std::string separated_sentence(const FirstContactResult& answer) {
  if (answer.apart_from > 0.0)
    return parting_text(answer) + (answer.minimum_distance > 0.0 ? ", and do not come as close again."
                                                                 : ", and do not touch again.");
  if (answer.minimum_distance == 0.0) return "They do not touch.";
  return joined("They do not come ", close_text(answer.minimum_distance), " of each other.");
}

std::string out_of_budget_sentence(const FirstContactResult& answer) {
  const std::string until = time_text(answer.lower, answer.lower);
  if (answer.apart_from == 0.0) {
    const std::string apart =
        answer.minimum_distance > 0.0
            ? joined("farther than ", significant(answer.minimum_distance, most_digits), " apart")
            : std::string("apart");
    return joined("Out of budget: proven ", apart, " up to t = ", until, ".");
  }
  if (answer.apart_from == 1.0)
    return joined("Out of budget: in contact at the start, which was followed up to t = ", until, " only.");
  return joined("Out of budget: in contact at the start, and proven apart from t = ",
                significant(answer.apart_from, 6, Rounding::Up), " to t = ", until, ".");
}

std::string clearance_text(const ClosestApproachResult& closest) {
  return length_text(closest.lower_distance, closest.distance) + ", at t = " + significant(closest.time, 6);
}

// Of a question that ran out of budget: no proven clearance, but what is known of it.
std::string closest_found_text(const ClosestApproachResult& closest) {
  std::string text = joined("the closest found is ", significant(closest.distance, 6, Rounding::Up),
                            ", at t = ", significant(closest.time, 6));
  if (closest.lower_distance > 0.0)
    text += joined(", and none is nearer than ", significant(closest.lower_distance, 3, Rounding::Down));
  return text;
}

// "3 vertex-face and 2 edge-edge contacts", and the other kinds where there are any.
std::string contacts_text(std::span<const StepRecord> steps) {
  std::uint64_t vertex_face = 0, edge_edge = 0, vertex_edge = 0, vertex_vertex = 0;
  for (const StepRecord& step : steps) {
    vertex_face += step.vertex_face;
    edge_edge += step.edge_edge;
    vertex_edge += step.vertex_edge;
    vertex_vertex += step.vertex_vertex;
  }
  if (vertex_face + edge_edge + vertex_edge + vertex_vertex == 1) {
    return joined("1 ",
                  vertex_face == 1   ? "vertex-face"
                  : edge_edge == 1   ? "edge-edge"
                  : vertex_edge == 1 ? "vertex-edge"
                                     : "vertex-vertex",
                  " contact");
  }
  std::string text = with_thousands(vertex_face) + " vertex-face";
  const std::string edges = with_thousands(edge_edge) + " edge-edge";
  if (vertex_edge + vertex_vertex == 0) return text + " and " + edges + " contacts";
  return text + ", " + edges + ", " + with_thousands(vertex_edge) + " vertex-edge and " +
         with_thousands(vertex_vertex) + " vertex-vertex contacts";
}

std::string point_text(const Vector3& p) {
  // One unit for all three, so that rounding errors beside a large coordinate show as 0.
  const double largest = p.cwiseAbs().maxCoeff();
  std::string text = "(";
  for (int k = 0; k < 3; ++k) {
    const double x = std::abs(p[k]) < 1e-12 * largest ? 0.0 : p[k];
    text.append(k > 0 ? ", " : "").append(significant(x, most_digits));
  }
  return text + ")";
}

bool is_inside(Containment containment) {
  return containment == Containment::Inside || containment == Containment::Mixed;
}

// "A is partly inside B"; empty if neither is.
std::string inside_text(Containment a_in_b, Containment b_in_a, const BodyNames& names) {
  const auto text = [](Containment containment, const std::string& inner, const std::string& outer) {
    return joined(inner, " is ", containment == Containment::Mixed ? "partly " : "", "inside ", outer);
  };
  if (is_inside(a_in_b)) return text(a_in_b, names.a, names.b);
  if (is_inside(b_in_a)) return text(b_in_a, names.b, names.a);
  return {};
}

// A unit vector, without the minus of a zero.
std::string direction_text(const Vector3& direction) {
  std::string text = "(";
  for (int k = 0; k < 3; ++k) {
    const double x = std::abs(direction[k]) < 5e-7 ? 0.0 : direction[k];
    text.append(k > 0 ? ", " : "").append(printed("%.*g", 6, x));
  }
  return text + ")";
}

}  // namespace

std::string with_thousands(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string plural(std::uint64_t count, std::string_view noun) {
  const std::string text = with_thousands(count) + " ";
  if (count == 1) return text + std::string(noun);
  if (!noun.ends_with('y')) return text + std::string(noun) + "s";
  return text + std::string(noun.substr(0, noun.size() - 1)) + "ies";
}

std::string sentence(const FirstContactResult& answer, const BodyNames& names) {
  switch (answer.status) {
    case Status::Separated:
      return separated_sentence(answer);
    case Status::Contact:
      return contact_sentence(answer);
    case Status::OverlapAtStart:
      return overlap(answer, names);
    case Status::OutOfBudget:
      return out_of_budget_sentence(answer);
    case Status::Failed:
      return failed(answer.failure);
  }
  return {};
}

std::string sentence(const FirstContactResult& answer, const ClosestApproachResult& closest,
                     const BodyNames& names) {
  // A mesh without triangles is infinitely far from everything.
  // And of bodies that were in contact at the start, the clearance of the whole motion says nothing.
  const bool apart = answer.status == Status::Separated && answer.apart_from == 0.0;
  const bool known = closest.status == Status::Separated || closest.status == Status::OutOfBudget;
  if (!apart || !known || !std::isfinite(closest.distance)) return sentence(answer, names);
  if (closest.status == Status::OutOfBudget)
    return joined(separated_sentence(answer), " Out of budget: ", closest_found_text(closest), ".");
  return joined(separated_sentence(answer), " The smallest clearance is ", clearance_text(closest), ".");
}

std::string sentence(const ClosestApproachResult& answer, const BodyNames& names) {
  switch (answer.status) {
    case Status::Separated:
      if (!std::isfinite(answer.distance)) return "They do not touch.";
      return joined("They do not touch. The smallest clearance is ", clearance_text(answer), ".");
    case Status::Contact:
      if (answer.distance == 0.0)
        return joined("They first touch at t = ", time_text(answer.time, answer.time), ".");
      return joined("They come within the tolerance: ", significant(answer.distance, 3, Rounding::Up),
                    " apart at t = ", significant(answer.time, 6), ".");
    case Status::OverlapAtStart:
      return overlap(answer.inside, names);
    case Status::OutOfBudget:
      if (!std::isfinite(answer.distance)) return "Out of budget: no distance was found.";
      return joined("Out of budget: ", closest_found_text(answer),
                    answer.lower_distance > 0.0 ? "; they do not touch." : ".");
    case Status::Failed:
      return failed(answer.failure);
  }
  return {};
}

std::string interval_text(const ContactInterval& interval) {
  return joined("from t = ", significant(interval.begin_lower, 6, Rounding::Down),
                " to t = ", significant(interval.end_upper, 6, Rounding::Up));
}

std::string sentence(const ContactIntervalsResult& answer) {
  if (answer.status == Status::Failed) return failed(answer.failure);
  std::string text = "They do not touch.";
  if (!answer.intervals.empty()) {
    const std::string span = interval_text(answer.intervals.front());
    text = answer.intervals.size() == 1
               ? joined("They touch ", span, ".")
               : joined("They touch ", plural(answer.intervals.size(), "time"), ", first ", span, ".");
  }
  if (answer.status != Status::OutOfBudget) return text;
  const std::string until = joined(
      "Out of budget: proven up to t = ", time_text(answer.proven_until, answer.proven_until), " only.");
  return answer.intervals.empty() ? until : joined(text, " ", until);
}

namespace {
// Of those that are not proven to touch, when they come within the tolerance.
std::string event_time(const WorldEvent& event) {
  return time_text(event.lower, event.upper < 1.0 ? event.upper : event.lower);
}
}  // namespace

std::string sentence(const WorldEvent& event, const BodyNames& names) {
  if (event.status == Status::OverlapAtStart && event.inside != Inside::None)
    return overlap(event.inside, names);
  if (event.status == Status::OverlapAtStart)
    return joined(names.a, " and ", names.b, " overlap or touch at the start.");
  return joined(names.a, " and ", names.b, " first touch at t = ", event_time(event), ".");
}

std::string sentence(const WorldEventsResult& answer) {
  if (answer.status == Status::Failed) return failed(answer.failure);
  std::string text = "No two bodies touch.";
  if (!answer.events.empty()) {
    const WorldEvent& first = answer.events.front();
    text = joined(plural(answer.events.size(), "pair"),
                  answer.events.size() == 1 ? " of bodies touches, " : " of bodies touch, the first ",
                  "at t = ", event_time(first), ".");
  }
  if (answer.status != Status::OutOfBudget) return text;
  const std::string until = joined("Out of budget: the list is complete up to t = ",
                                   time_text(answer.complete_until, answer.complete_until), " only.");
  return answer.events.empty() ? until : joined(text, " ", until);
}

std::string sentence(const DistanceResult& answer) {
  if (answer.distance == 0.0) return "They touch.";
  if (!std::isfinite(answer.distance)) return "They are farther apart than was asked for.";
  return joined("They are ", length_text(answer.lower_distance, answer.distance), " apart.");
}

std::string sentence(const WithinResult& answer, double limit) {
  const std::string asked = significant(limit, most_digits);
  if (!answer.within) return "They are more than " + asked + " apart.";
  return "They come within " + asked + " of each other.";
}

std::string sentence(const IntersectsResult& answer, Containment a_in_b, Containment b_in_a,
                     const BodyNames& names) {
  if (answer.intersects && answer.pairs.size() == 1)
    return joined("The surfaces meet: triangle ", std::to_string(answer.pairs[0].a), " of ", names.a,
                  " and triangle ", std::to_string(answer.pairs[0].b), " of ", names.b, ".");
  if (answer.intersects)
    return joined("The surfaces meet in ", plural(answer.pairs.size(), "pair"), " of triangles.");
  const std::string inside = inside_text(a_in_b, b_in_a, names);
  return inside.empty() ? "The surfaces do not meet." : joined("The surfaces do not meet, but ", inside, ".");
}

std::string solid_sentence(const IntersectsResult& answer, Containment a_in_b, Containment b_in_a,
                           const BodyNames& names) {
  if (answer.intersects) return "They overlap or touch.";
  const std::string inside = inside_text(a_in_b, b_in_a, names);
  return inside.empty() ? "They do not meet." : joined("The surfaces do not meet, but ", inside, ".");
}

std::string sentence(const PenetrationResult& answer, const ApartAnswer& apart, const BodyNames& names) {
  if (answer.status == Status::Failed) return failed(answer.failure);
  if (answer.status != Status::OverlapAtStart) {
    const std::string inside = inside_text(apart.a_in_b, apart.b_in_a, names);
    if (!inside.empty()) return joined("The surfaces do not meet, but ", inside, ".");
    if (!std::isfinite(apart.distance.distance)) return "They do not overlap.";
    return joined("They do not overlap; ",
                  length_text(apart.distance.lower_distance, apart.distance.distance), " apart.");
  }
  if (!std::isfinite(answer.upper_depth)) return "They overlap, and no translation parts them.";
  if (!(answer.upper_depth > 0.0)) return "They touch without overlapping.";
  const bool known = answer.upper_depth - answer.lower_depth <= 1e-9 * answer.upper_depth;
  const std::string most =
      known ? significant(answer.upper_depth, most_digits) : significant(answer.upper_depth, 6, Rounding::Up);
  const std::string depth =
      known ? most : joined("between ", significant(answer.lower_depth, 6, Rounding::Down), " and ", most);
  return joined("They overlap by ", depth, "; moving ", names.b, " by ", most, " along ",
                direction_text(answer.contact.normal), " parts them.");
}

std::string deepest_sentence(const DeepestPoint& deepest, std::string_view inner, std::string_view outer) {
  if (!(deepest.upper > 0.0)) return joined("No point of the surface of ", inner, " is inside ", outer, ".");
  if (std::isinf(deepest.upper))
    return joined("The surface of ", inner, " is as deep in ", outer, " as one likes.");
  const std::string most = significant(deepest.upper, 6, Rounding::Up);
  if (!(deepest.lower > 0.0))
    return joined("The surface of ", inner, " is at most ", most, " deep in ", outer, ".");
  return joined("The surface of ", inner, " is between ", significant(deepest.lower, 6, Rounding::Down),
                " and ", most, " deep in ", outer, ", at ", direction_text(deepest.point), ".");
}

void TrialCounts::add(const FirstContactResult& answer) {
  ++answered;
  touching += answer.status == Status::Contact || answer.status == Status::OverlapAtStart;
  undecided += answer.status == Status::OutOfBudget;
  failed += answer.status == Status::Failed;
}

std::string sentence(const TrialCounts& counts) {
  std::string text = joined(with_thousands(counts.touching), " of ", plural(counts.answered, "trial"),
                            counts.touching == 1 ? " touches." : " touch.");
  if (counts.undecided > 0) text += joined(" ", with_thousands(counts.undecided), " ran out of budget.");
  if (counts.failed > 0) text += joined(" ", with_thousands(counts.failed), " could not be asked.");
  if (counts.answered < counts.asked)
    text += joined(" Interrupted: ", with_thousands(counts.asked - counts.answered),
                   counts.asked - counts.answered == 1 ? " was" : " were", " not answered.");
  return text;
}

std::string trial_label(std::size_t index) {
  return joined("trial ", std::to_string(index));
}

namespace {
std::string unfinished_sentence(const StepRecord& step) {
  const std::string until = time_text(*step.proven_until, *step.proven_until);
  if (!step.first_time)
    return *step.proven_until > 0.0
               ? joined("Out of budget: no contact up to t = ", until, ", the rest is not decided.")
               : std::string("Out of budget: no contact was found, but not all pairs were decided.");
  return joined("Out of budget: ", contacts_text({&step, 1}),
                " found, the first at t = ", time_text(*step.first_time, *step.first_time),
                "; there may be more.");
}
}  // namespace

std::string sentence(const StepRecord& step) {
  if (step.proven_until) return unfinished_sentence(step);
  if (!step.first_time) return "No contact in the step.";
  const bool touching = *step.first_time == 0.0;
  const std::string when =
      touching ? std::string("touching from the start")
               : joined("first contact at t = ", time_text(*step.first_time, *step.first_time));
  std::string text = step.counted ? joined(when, ", ", contacts_text({&step, 1}), ".") : joined(when, ".");
  text[0] = touching ? 'T' : 'F';
  return text;
}

std::string sentence(std::span<const StepRecord> steps) {
  std::size_t touching = 0, unfinished = 0;
  bool all = true;
  for (const StepRecord& step : steps) {
    touching += step.first_time.has_value();
    unfinished += step.proven_until.has_value();
    all = all && step.counted;
  }
  std::string text = joined(with_thousands(touching), " of ", plural(steps.size(), "step"), " with contact");
  if (all && touching > 0) text += joined(": ", contacts_text(steps));
  if (unfinished > 0)
    text += joined("; ", with_thousands(unfinished), " out of budget, where there may be more");
  return text + ".";
}

std::string feature_text(const Feature& feature, const TriangleMesh* mesh) {
  std::string text(to_string(feature.kind));
  if (!mesh || feature.part < 0 || static_cast<std::size_t>(feature.part) >= mesh->faces.size()) return text;
  if (feature.kind == FeatureKind::Face) return text + " " + std::to_string(feature.part);
  const Face& face = mesh->faces[static_cast<std::size_t>(feature.part)];
  const auto corner = [&](std::int32_t k) { return std::to_string(face[static_cast<std::size_t>(k % 3)]); };
  text.append(" ").append(corner(feature.index));
  if (feature.kind == FeatureKind::Edge) text.append("-").append(corner(feature.index + 1));
  return text;
}

std::string contact_text(const ContactRecord& record, const BodyNames& names) {
  const Contact& contact = record.contact;
  const auto side = [](const ContactRecord& r, bool first, const std::string& name) {
    const Feature& feature = first ? r.contact.feature_a : r.contact.feature_b;
    const std::string& text = first ? r.text_a : r.text_b;
    // Of what is no mesh the feature is the corners that span the nearest point: of a box the middle of a
    // face may be spanned by two of them, and "edge of box" would be wrong for a person.
    if ((first ? r.corners_a : r.corners_b).empty()) return name;
    const std::string triangle = feature.kind == FeatureKind::Face
                                     ? std::string()
                                     : joined(" (triangle ", std::to_string(feature.part), ")");
    return text + triangle + " of " + name;
  };
  const std::string place_a = point_text(contact.point_a), place_b = point_text(contact.point_b);
  std::string text = "at " + place_a;
  if (place_b != place_a) text += " and " + place_b;
  text += joined(": ", side(record, true, names.a), " and ", side(record, false, names.b));
  if (!contact.normal.isZero(0.0)) {
    const auto shown = [&](int k) { return std::abs(contact.normal[k]) < 5e-7 ? 0.0 : contact.normal[k]; };
    char normal[80];
    std::snprintf(normal, sizeof normal, ", normal (%.6f, %.6f, %.6f)", shown(0), shown(1), shown(2));
    text += normal;
  }
  if (contact.distance > 0.0) text += joined(", ", significant(contact.distance, 6), " apart");
  return text;
}

std::string sentence(const PathContactResult& answer) {
  switch (answer.status) {
    case Status::Separated:
      return "The whole path is free: proven.";
    case Status::Contact:
      if (answer.lower < answer.time)
        return joined(answer.link_a, " touches ", answer.link_b,
                      " at t = ", time_text(answer.time, answer.time), ".");
      return joined(answer.link_a, " first touches ", answer.link_b,
                    " at t = ", time_text(answer.time, answer.time), ".");
    case Status::OverlapAtStart:
      if (answer.inside == Inside::FirstInSecond)
        return joined(answer.link_a, " is inside ", answer.link_b, " at the start.");
      if (answer.inside == Inside::SecondInFirst)
        return joined(answer.link_b, " is inside ", answer.link_a, " at the start.");
      return joined(answer.link_a, " touches ", answer.link_b, " at the start.");
    case Status::OutOfBudget:
      return joined("Not finished: the path is proven free until t = ", time_text(answer.time, answer.time),
                    ".");
    case Status::Failed:
      break;
  }
  return joined("The question could not be asked: ", answer.failure, ".");
}

std::string sentence(const PathClearanceResult& answer) {
  switch (answer.status) {
    case Status::Separated:
      if (!std::isfinite(answer.distance)) return "There is nothing to touch.";
      return joined("The whole path is free: ", answer.link_a, " and ", answer.link_b, " come closest, to ",
                    length_text(answer.lower_distance, answer.distance),
                    " at t = ", time_text(answer.time, answer.time), ".");
    case Status::Contact:
      return joined(answer.link_a, " first touches ", answer.link_b,
                    " at t = ", time_text(answer.time, answer.time), ".");
    case Status::OverlapAtStart:
      return joined(answer.link_a, " and ", answer.link_b, " overlap at the start.");
    case Status::OutOfBudget:
      return "Not finished: no clearance is proven.";
    case Status::Failed:
      break;
  }
  return joined("The question could not be asked: ", answer.failure, ".");
}

std::string sentence(const PathIntervalsResult& answer) {
  switch (answer.status) {
    case Status::Separated:
      return "The whole path is free: proven.";
    case Status::Contact:
    case Status::OverlapAtStart: {
      std::string text =
          joined(plural(answer.pairs.size(), "pair"), answer.pairs.size() == 1 ? " touches" : " touch",
                 " during ", plural(answer.intervals.size(), "interval"), ": ");
      for (std::size_t i = 0; i < answer.intervals.size() && i < 3; ++i)
        text += joined(i == 0 ? "" : ", ", interval_text(answer.intervals[i]));
      return text + (answer.intervals.size() > 3 ? " ..." : ".");
    }
    case Status::OutOfBudget:
      return "Not finished: more pairs may touch than are listed.";
    case Status::Failed:
      break;
  }
  return joined("The question could not be asked: ", answer.failure, ".");
}

}  // namespace toccata
