// One step of a sheet falling onto a ball, answered pair by pair: all pairs of features whose swept boxes
// overlap are asked for their first contact.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <span>
#include <vector>

#include "demo.hpp"
#include "json_text.hpp"
#include "scenes/sheet_and_ball.hpp"
#include "terminal.hpp"
#include "toccata/geometry/adjacency.hpp"
#include "toccata/impact/linear_impact.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::app {
namespace {

using scenes::DeformingMesh;

// A vertex, edge or face on its way from t = 0 to t = 1.
struct MovingFeature {
  std::array<std::int32_t, 3> vertices{};
  int count = 0;
  Vector3 lower, upper;  // box around both ends
};

std::vector<MovingFeature> features_of(const DeformingMesh& body, int count) {
  std::vector<MovingFeature> features;
  const auto add = [&](std::span<const std::int32_t> vertices) {
    MovingFeature feature;
    feature.count = count;
    feature.lower = feature.upper = body.mesh.vertices[static_cast<std::size_t>(vertices[0])];
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const auto v = static_cast<std::size_t>(vertices[i]);
      feature.vertices[i] = vertices[i];
      feature.lower = feature.lower.cwiseMin(body.mesh.vertices[v]).cwiseMin(body.vertices_t1[v]);
      feature.upper = feature.upper.cwiseMax(body.mesh.vertices[v]).cwiseMax(body.vertices_t1[v]);
    }
    features.push_back(feature);
  };
  if (count == 1) {
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(body.mesh.vertices.size()); ++v) add({&v, 1});
  } else if (count == 2) {
    for (const Edge& edge : mesh_edges(body.mesh).edges) add(edge);
  } else {
    for (const Face& face : body.mesh.faces) add(face);
  }
  return features;
}

struct Found {
  std::size_t a, b;  // features of the first and the second body
  Impact impact;
};

// The answers for one kind of pairs.
struct Answers {
  std::string kind;
  std::size_t pairs = 0;       // all
  std::size_t candidates = 0;  // boxes overlap
  std::vector<Found> contacts;
};

Answers answer_pairs(const char* kind, const DeformingMesh& a, int count_a, const DeformingMesh& b,
                     int count_b) {
  const std::vector<MovingFeature> first = features_of(a, count_a), second = features_of(b, count_b);
  std::array<std::vector<double>, 24> coordinates;
  std::vector<std::pair<std::size_t, std::size_t>> candidates;
  const auto append = [&](std::size_t point, const DeformingMesh& body, std::int32_t vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      coordinates[3 * point + axis].push_back(body.mesh.vertices[v][static_cast<int>(axis)]);
      coordinates[12 + 3 * point + axis].push_back(body.vertices_t1[v][static_cast<int>(axis)]);
    }
  };
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t j = 0; j < second.size(); ++j) {
      if ((first[i].lower.array() > second[j].upper.array()).any()) continue;
      if ((second[j].lower.array() > first[i].upper.array()).any()) continue;
      candidates.emplace_back(i, j);
      for (int k = 0; k < count_a; ++k)
        append(static_cast<std::size_t>(k), a, first[i].vertices[static_cast<std::size_t>(k)]);
      for (int k = 0; k < count_b; ++k) {
        append(static_cast<std::size_t>(count_a + k), b, second[j].vertices[static_cast<std::size_t>(k)]);
      }
    }
  }
  LinearMotionBatch batch;
  batch.size = candidates.size();
  for (std::size_t i = 0; i < 24; ++i) batch.coordinates[i] = coordinates[i].data();
  const LinearImpactBatchResult result = count_a == 1 ? vertex_face_impacts(batch) : edge_edge_impacts(batch);
  Answers answers{kind, first.size() * second.size(), candidates.size(), {}};
  for (std::size_t i = 0; i < result.indices.size(); ++i) {
    const auto [p, q] = candidates[result.indices[i]];
    answers.contacts.push_back({p, q, result.impacts[i]});
  }
  return answers;
}

const Found* earliest(const std::vector<Answers>& all, std::string* kind) {
  const Found* first = nullptr;
  for (const Answers& answers : all) {
    for (const Found& found : answers.contacts) {
      if (first != nullptr && found.impact.time >= first->impact.time) continue;
      first = &found;
      *kind = answers.kind;
    }
  }
  return first;
}

JsonObject demo_json(const std::vector<Answers>& all, const Found* first, const std::string& kind) {
  JsonList pairs;
  for (const Answers& answers : all) {
    JsonObject row;
    row.add("kind", answers.kind).add("pairs", answers.pairs);
    pairs.add(row.add("candidates", answers.candidates).add("contacts", answers.contacts.size()));
  }
  JsonObject value;
  value.add("scene", "sheet_and_ball").add("pairs", pairs);
  if (first == nullptr) return value.add("first", nullptr);
  const Impact& impact = first->impact;
  JsonObject found;
  found.add("kind", kind).add("features", JsonList().add(first->a).add(first->b));
  found.add("lower", impact.lower).add("upper", impact.upper);
  return value.add("first", found.add("point", impact.point).add("normal", impact.normal));
}

// The answer in the words of every first contact.
std::string first_sentence(const Found* first) {
  FirstContactResult answer;
  if (first != nullptr) {
    answer.status = first->impact.status;
    answer.time = first->impact.time;
    answer.lower = first->impact.lower;
    answer.upper = first->impact.upper;
  }
  return sentence(answer, {"the sheet", "the ball"});
}

void print_demo(const scenes::SheetAndBall& scene, const std::vector<Answers>& all, const Found* first,
                const std::string& kind, double seconds) {
  fmt::print("A sheet of {} triangles falls and ripples onto a rising ball of {}.\n\n",
             with_thousands(scene.sheet.mesh.faces.size()), with_thousands(scene.ball.mesh.faces.size()));
  fmt::print("{}\n", styled(first_sentence(first), Style::Bold));
  if (first != nullptr) {
    const Impact& impact = first->impact;
    fmt::print("  proven  in [{:.17g}, {:.17g}]\n", impact.lower, impact.upper);
    fmt::print("  where   ({:.6f}, {:.6f}, {:.6f})\n", impact.point.x(), impact.point.y(), impact.point.z());
    fmt::print("  normal  ({:.6f}, {:.6f}, {:.6f}), from the first to the second\n", impact.normal.x(),
               impact.normal.y(), impact.normal.z());
    fmt::print("  who     {}, features {} and {}\n", kind, first->a, first->b);
  }
  fmt::print("\n{:<28}{:>14}{:>16}{:>12}\n", "during the step", "pairs", "boxes overlap", "touch");
  for (const Answers& answers : all) {
    fmt::print("{:<28}{:>14}{:>16}{:>12}\n", answers.kind, with_thousands(answers.pairs),
               with_thousands(answers.candidates), with_thousands(answers.contacts.size()));
  }
  fmt::print("\nEvery answer is exact; all of it took {}.\n", duration_text(seconds));
}

void append(const DeformingMesh& body, SequenceRecord& sequence) {
  std::vector<Vector3>& start = sequence.frames[0].positions;
  const auto offset = static_cast<std::int32_t>(start.size());
  sequence.objects.push_back(offset);
  start.insert(start.end(), body.mesh.vertices.begin(), body.mesh.vertices.end());
  std::vector<Vector3>& end = sequence.frames[1].positions;
  end.insert(end.end(), body.vertices_t1.begin(), body.vertices_t1.end());
  for (const Face& f : body.mesh.faces) {
    sequence.frames[0].faces.push_back({f[0] + offset, f[1] + offset, f[2] + offset});
  }
}

Report demo_report(const scenes::SheetAndBall& scene, const std::vector<Answers>& all, const Found* first,
                   double seconds) {
  Report report;
  report.query = "sequence";
  report.title = "A sheet falls onto a ball";
  report.up = 'z';
  SequenceRecord sequence;
  sequence.frames = {{.label = "start", .positions = {}, .faces = {}},
                     {.label = "end", .positions = {}, .faces = {}}};
  append(scene.sheet, sequence);
  append(scene.ball, sequence);
  StepRecord step;
  std::uint64_t pairs = 0, candidates = 0;
  for (const Answers& answers : all) {
    const bool edges = &answers == &all.back();
    (edges ? step.edge_edge : step.vertex_face) += answers.contacts.size();
    pairs += answers.pairs;
    candidates += answers.candidates;
    for (const Found& found : answers.contacts) {
      step.contacts.push_back({.kind = edges ? FeaturePairKind::EdgeEdge : FeaturePairKind::VertexFace,
                               .first = static_cast<std::int32_t>(found.a),
                               .second = static_cast<std::int32_t>(found.b),
                               .time = found.impact.time,
                               .point = found.impact.point,
                               .normal = found.impact.normal});
    }
  }
  if (first != nullptr) step.first_time = first->impact.time;
  step.stages = {{"pairs of features", pairs, {}},
                 {"swept boxes overlap", candidates, {}},
                 {"contacts", step.vertex_face + step.edge_edge, {}}};
  step.milliseconds = {{"total", 1e3 * seconds}};
  report.answer = first_sentence(first);
  if (first != nullptr)
    report.answer +=
        fmt::format(" {} of features touch in all.", plural(step.vertex_face + step.edge_edge, "pair"));
  sequence.steps.push_back(std::move(step));
  report.sequence = std::move(sequence);
  return report;
}

}  // namespace

int run_sheet_and_ball_demo(const DemoOptions& options) {
  const scenes::SheetAndBall scene = scenes::sheet_and_ball();
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Answers> all = {answer_pairs("sheet vertex - ball face", scene.sheet, 1, scene.ball, 3),
                                    answer_pairs("ball vertex - sheet face", scene.ball, 1, scene.sheet, 3),
                                    answer_pairs("sheet edge - ball edge", scene.sheet, 2, scene.ball, 2)};
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::string kind;
  const Found* first = earliest(all, &kind);
  if (options.json) {
    print_json(demo_json(all, first, kind));
  } else {
    print_demo(scene, all, first, kind, taken.count());
  }
  if (options.output.wanted()) {
    write_outputs(options.output, demo_report(scene, all, first, taken.count()),
                  options.json ? stderr : stdout);
  }
  return 0;
}

}  // namespace toccata::app
