// toccata sequence: the contacts of every step of a sequence of frames.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

// First: g++ takes its enumerator Edge for a shadow of the type Edge of the headers below.
#include "toccata/report/contact.hpp"

#include "command.hpp"
#include "contact_writer.hpp"
#include "ending.hpp"
#include "frame_list.hpp"
#include "interrupt.hpp"
#include "load_mesh.hpp"
#include "report_options.hpp"
#include "terminal.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/io/report_record.hpp"

namespace toccata::app {
namespace {

struct SequenceOptions {
  std::vector<std::string> frames;
  bool all = false, within = false, between = false, json = false, check = false, topology_changes = false;
  double minimum_distance = 0;
  int from = 0, to = -1, threads = 0;
  std::string contacts, method = "clusters";
  ReportOptions output;
};

// The first contact of a step in the form that all contacts have.
DeformableContact contact_of(const FirstContactResult& first) {
  const Contact& contact = first.contact;
  DeformableContact found;
  found.pair = feature_pair_of(contact.feature_a, contact.feature_b);
  found.impact.status = first.status;
  found.impact.time = found.impact.lower = first.lower;
  found.impact.upper = first.upper;
  found.impact.weights = first.weights;
  found.impact.point = contact.point_a;
  found.impact.normal = contact.normal;
  return found;
}

struct StepReport {
  std::string from, to;
  bool skipped = false;  // vertices came or went: there is no motion to test
  std::optional<double> first_time;
  std::int64_t vertex_face = 0, edge_edge = 0, other = 0;
  std::set<std::int32_t> objects;
  DeformableStats stats;
};

DeformableMethod method_named(const std::string& name) {
  if (name == "connectivity") return DeformableMethod::Connectivity;
  if (name == "brute") return DeformableMethod::BruteForce;
  return DeformableMethod::Clusters;
}

// Where the vertices of a frame were before it, when vertices were split or renumbered but no face came or
// went: each is where the corner was that it now is. Vertices of no face must not change in number. None
// where the faces do not tell, or contradict each other.
std::optional<std::vector<Vector3>> positions_before(const TriangleMesh& before, const TriangleMesh& after) {
  if (before.faces.size() != after.faces.size()) return std::nullopt;
  std::vector<std::int32_t> origin(after.vertices.size(), -1);
  std::vector<bool> used(before.vertices.size(), false);
  for (std::size_t f = 0; f < after.faces.size(); ++f) {
    for (int k = 0; k < 3; ++k) {
      std::int32_t& from = origin[after.faces[f][k]];
      if (from >= 0 && from != before.faces[f][k]) return std::nullopt;
      from = before.faces[f][k];
      used[from] = true;
    }
  }
  std::vector<Vector3> positions;
  std::size_t next = 0;  // of the vertices of no face
  for (const std::int32_t from : origin) {
    while (from < 0 && next < used.size() && used[next]) ++next;
    if (from < 0 && next == used.size()) return std::nullopt;
    positions.push_back(before.vertices[from >= 0 ? static_cast<std::size_t>(from) : next++]);
  }
  while (next < used.size() && used[next]) ++next;
  if (next < used.size()) return std::nullopt;
  return positions;
}

class Sequence {
 public:
  explicit Sequence(const SequenceOptions& options) : options_(options) {
    files_ = list_frames(options.frames);
    const int last = static_cast<int>(files_.size()) - 1;
    const int to = options.to < 0 ? last : options.to;
    if (last < 1) throw UsageError("two or more frames are needed, and there is only " + files_.front());
    if (to > last || options.from > last) {
      throw UsageError(
          fmt::format("--from {} --to {}: frames are counted from 0 to {}", options.from, to, last));
    }
    if (options.from >= to) {
      throw UsageError(
          fmt::format("--from {} --to {}: the last frame must come after the first", options.from, to));
    }
    files_ = {files_.begin() + options.from, files_.begin() + to + 1};
    query_.threads = options.threads;
    query_.minimum_distance = options.minimum_distance;
    if (options.within) query_.scope = PairScope::WithinComponent;
    if (options.between) query_.scope = PairScope::BetweenComponents;
    if (!options.contacts.empty())
      writer_ = std::make_unique<ContactWriter>(options.contacts, options.output.force);
  }

  int run() {
    answer_steps();
    if (writer_) writer_->close();
    if (options_.json) {
      print_ordered_json(to_json());
    } else {
      print_summary();
    }
    if (options_.output.wanted()) write_outputs(options_.output, report(), options_.json ? stderr : stdout);
    const bool touches = std::any_of(reports_.begin(), reports_.end(),
                                     [](const StepReport& r) { return r.first_time.has_value(); });
    return exit_code({.touches = touches, .interrupted = stopped()}, options_.check);
  }

 private:
  void answer_steps() {
    const InterruptScope interrupts;
    Progress progress("steps", files_.size() - 1);
    previous_ = load(0);
    remember_frame(previous_, 0);
    for (std::size_t i = 1; i < files_.size() && !interrupted(); ++i) {
      TriangleMesh next = load(i);
      remember_frame(next, i);
      step(i, next);
      previous_ = std::move(next);
      if (!options_.json) {
        progress.hide();
        print(reports_.back());
      }
      progress.advance();
    }
  }

  // Ctrl-C came before the last step.
  bool stopped() const { return reports_.size() + 1 < files_.size(); }

  std::string frame_name(std::size_t i) const {
    return fmt::format("frame {} ({})", options_.from + static_cast<int>(i), files_[i]);
  }

  TriangleMesh load(std::size_t i) const {
    auto mesh = load_any_mesh(files_[i]);
    if (!mesh) throw UsageError(frame_name(i) + ": " + mesh.error().message);
    return std::move(*mesh);
  }

  void step(std::size_t i, const TriangleMesh& next) {
    StepReport report;
    report.from = files_[i - 1];
    report.to = files_[i];
    const bool same_vertices = next.vertices.size() == previous_.vertices.size();
    if (!same_vertices || next.faces != previous_.faces) {
      if (!options_.topology_changes) {
        throw UsageError(fmt::format(
            "{}: {} vertices and {} faces, the frame before has {} and {}{}; say "
            "--topology-changes if this is meant",
            frame_name(i), next.vertices.size(), next.faces.size(), previous_.vertices.size(),
            previous_.faces.size(),
            same_vertices && next.faces.size() == previous_.faces.size() ? ", but other faces" : ""));
      }
    }
    if (same_vertices) {
      test(i, previous_.vertices, next, report);
    } else if (const auto start = positions_before(previous_, next)) {
      test(i, *start, next, report);
    } else {
      report.skipped = true;
    }
    remember_step(i, report);
    reports_.push_back(std::move(report));
  }

  // The faces of the later frame hold during the step.
  void test(std::size_t i, const std::vector<Vector3>& start, const TriangleMesh& next, StepReport& report) {
    const DeformableObject object = next;
    if (!scene_) {
      auto built = DeformableScene::build({object}, {method_named(options_.method), options_.threads});
      if (!built) throw UsageError(frame_name(i) + ": " + built.error().message);
      scene_.emplace(std::move(*built));
    } else if (scene_->vertex_count() != object.vertex_count ||
               !std::equal(object.faces.begin(), object.faces.end(), scene_->faces().begin(),
                           scene_->faces().end())) {
      const auto changed = scene_->update_topology({object});
      if (!changed) throw UsageError(frame_name(i) + ": " + changed.error().message);
    }
    const auto updated = scene_->update(start, next.vertices);
    if (!updated) throw UsageError(frame_name(i) + ": " + updated.error().message);
    if (options_.all || writer_) {
      const DeformableContacts found = scene_->all_contacts(query_);
      for (const DeformableContact& c : found.contacts) {
        count(c, report);
        if (!report.first_time || c.impact.time < *report.first_time) report.first_time = c.impact.time;
      }
      remember_contacts(found.contacts);
      if (writer_) writer_->add(options_.from + static_cast<std::int32_t>(i) - 1, found.contacts);
      report.stats = found.stats;
    } else {
      const SafeStep safe = scene_->safe_step(query_);
      if (safe.first.status != Status::Separated) {
        const DeformableContact contact = contact_of(safe.first);
        report.first_time = safe.first.time;
        count(contact, report);
        remember_contacts({contact});
      }
      report.stats = safe.stats;
    }
  }

  void remember_frame(const TriangleMesh& mesh, std::size_t i) {
    if (!options_.output.wanted()) return;
    const bool same_faces = i > 0 && mesh.faces == previous_.faces;
    record_.frames.push_back({.label = std::filesystem::path(files_[i]).filename().string(),
                              .positions = mesh.vertices,
                              .faces = same_faces ? std::vector<Face>{} : mesh.faces});
  }

  void remember_contacts(const std::vector<DeformableContact>& contacts) {
    if (!options_.output.wanted()) return;
    constexpr std::size_t limit = 120'000;  // a step: more dots than that do not help the eye
    for (std::size_t i = 0; i < std::min(contacts.size(), limit); ++i) {
      step_contacts_.push_back(record_of(contacts[i]));
    }
  }

  void remember_step(std::size_t i, const StepReport& r) {
    if (!options_.output.wanted()) return;
    StepRecord step;
    step.from = static_cast<int>(i) - 1;
    step.to = static_cast<int>(i);
    step.first_time = r.first_time;
    step.vertex_face = static_cast<std::uint64_t>(r.vertex_face);
    step.edge_edge = static_cast<std::uint64_t>(r.edge_edge);
    step.milliseconds = {{"build", r.stats.build_milliseconds},
                         {"update", r.stats.update_milliseconds},
                         {"cull", r.stats.cull_milliseconds},
                         {"test", r.stats.test_milliseconds},
                         {"total", r.stats.total_milliseconds}};
    for (const StageCount& stage : r.stats.stages) {
      step.stages.push_back({std::string(stage.name), static_cast<std::uint64_t>(stage.count), {}});
    }
    step.contacts = std::move(step_contacts_);
    step_contacts_.clear();
    record_.steps.push_back(std::move(step));
  }

  Report report() {
    Report report;
    report.query = "sequence";
    report.title = fmt::format("{} to {}", record_.frames.front().label, record_.frames.back().label);
    report.method = options_.method;
    std::size_t touching = 0;
    std::int64_t vertex_face = 0, edge_edge = 0;
    for (const StepReport& r : reports_) {
      touching += r.first_time.has_value();
      vertex_face += r.vertex_face;
      edge_edge += r.edge_edge;
    }
    report.answer = fmt::format("{} of {} step{} with contact", touching, reports_.size(),
                                reports_.size() == 1 ? "" : "s");
    if (counted())
      report.answer += fmt::format(": {} vertex-face and {} edge-edge contacts",
                                   with_thousands(static_cast<std::uint64_t>(vertex_face)),
                                   with_thousands(static_cast<std::uint64_t>(edge_edge)));
    report.answer += ".";
    if (stopped()) report.answer += fmt::format(" Interrupted after {}.", plural(reports_.size(), "step"));
    report.sequence = std::move(record_);
    return report;
  }

  void count(const DeformableContact& c, StepReport& report) const {
    const FeaturePair& p = c.pair;
    const bool edge_edge = p.kind == FeaturePairKind::EdgeEdge;
    (p.kind == FeaturePairKind::VertexFace ? report.vertex_face
     : edge_edge                           ? report.edge_edge
                                           : report.other)++;
    const std::int32_t a = edge_edge ? scene_->edges()[p.first][0] : p.first;
    std::int32_t b = p.second;
    if (p.kind == FeaturePairKind::VertexFace) b = scene_->faces()[p.second][0];
    if (edge_edge || p.kind == FeaturePairKind::VertexEdge) b = scene_->edges()[p.second][0];
    report.objects.insert(scene_->component_of_vertex(a));
    report.objects.insert(scene_->component_of_vertex(b));
  }

  bool counted() const { return options_.all || writer_ != nullptr; }

  void print(const StepReport& r) const {
    if (r.skipped) {
      fmt::print("{} -> {}: vertices come or go, no motion to test\n", r.from, r.to);
      return;
    }
    if (!r.first_time) {
      fmt::print("{} -> {}: no contact", r.from, r.to);
    } else if (*r.first_time == 0) {
      fmt::print("{} -> {}: touching from the start", r.from, r.to);
    } else {
      fmt::print("{} -> {}: first contact at {:.9f}", r.from, r.to, *r.first_time);
    }
    if (counted() && r.first_time) {
      fmt::print(", {} vertex-face and {} edge-edge contacts", r.vertex_face, r.edge_edge);
      if (r.other > 0) fmt::print(", {} of wires and points", r.other);
      fmt::print(" on {} connected part{}", r.objects.size(), r.objects.size() == 1 ? "" : "s");
    }
    fmt::print(" ({:.1f} ms)\n", r.stats.total_milliseconds);
  }

  void print_summary() const {
    if (stopped())
      fmt::print("Interrupted after {} of {}.\n", reports_.size(), plural(files_.size() - 1, "step"));
    std::size_t touching = 0;
    std::int64_t vertex_face = 0, edge_edge = 0;
    double milliseconds = 0;
    for (const StepReport& r : reports_) {
      touching += r.first_time.has_value();
      vertex_face += r.vertex_face;
      edge_edge += r.edge_edge;
      milliseconds += r.stats.total_milliseconds;
    }
    fmt::print("{} step{}, {} with contact", reports_.size(), reports_.size() == 1 ? "" : "s", touching);
    if (counted()) fmt::print(", {} vertex-face and {} edge-edge contacts in all", vertex_face, edge_edge);
    fmt::print("; {:.1f} ms\n", milliseconds);
  }

  nlohmann::ordered_json to_json() const {
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    std::size_t touching = 0, skipped = 0;
    std::int64_t vertex_face = 0, edge_edge = 0;
    double milliseconds = 0;
    for (const StepReport& r : reports_) {
      nlohmann::ordered_json step;
      step["from"] = r.from;
      step["to"] = r.to;
      step["first_time"] = nullptr;
      if (r.first_time) step["first_time"] = *r.first_time;
      step["vertex_face"] = counted() ? nlohmann::ordered_json(r.vertex_face) : nlohmann::ordered_json();
      step["edge_edge"] = counted() ? nlohmann::ordered_json(r.edge_edge) : nlohmann::ordered_json();
      if (r.skipped) step["topology_changes"] = true;
      step["objects"] = r.objects;
      step["milliseconds"] = {{"build", r.stats.build_milliseconds},
                              {"update", r.stats.update_milliseconds},
                              {"cull", r.stats.cull_milliseconds},
                              {"test", r.stats.test_milliseconds},
                              {"total", r.stats.total_milliseconds}};
      step["stages"] = nlohmann::ordered_json::object();
      for (const StageCount& s : r.stats.stages) step["stages"][std::string(s.name)] = s.count;
      steps.push_back(std::move(step));
      touching += r.first_time.has_value();
      skipped += r.skipped;
      vertex_face += r.vertex_face;
      edge_edge += r.edge_edge;
      milliseconds += r.stats.total_milliseconds;
    }
    nlohmann::ordered_json summary = {
        {"steps", reports_.size()}, {"with_contact", touching}, {"skipped", skipped}};
    if (counted()) {
      summary["vertex_face"] = vertex_face;
      summary["edge_edge"] = edge_edge;
    }
    summary["milliseconds"] = milliseconds;
    nlohmann::ordered_json value = {{"steps", steps}, {"summary", summary}};
    if (stopped()) value["interrupted"] = true;
    return value;
  }

  const SequenceOptions& options_;
  std::vector<std::string> files_;
  DeformableOptions query_;
  std::optional<DeformableScene> scene_;
  std::unique_ptr<ContactWriter> writer_;
  TriangleMesh previous_;
  SequenceRecord record_;                          // for the report, if one is wanted
  std::vector<FrameContactRecord> step_contacts_;  // of the step at hand
  std::vector<StepReport> reports_;
};

}  // namespace

void add_sequence_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("sequence", "Contacts of every step of a sequence of mesh frames");
  auto options = std::make_shared<SequenceOptions>();
  command->footer(
      "Examples:\n"
      "  toccata sequence frames/ --all\n"
      "  toccata sequence cloth_00.ply cloth_01.ply --json\n"
      "  toccata sequence 'cloth_*.obj' --within --contacts contacts.csv\n");
  command
      ->add_option("frames", options->frames,
                   "Frames in order: files, folders or patterns (OBJ, PLY, STL, OFF)")
      ->required();
  command->add_flag("--all", options->all, "Count every contact, not only the first");
  auto* within =
      command->add_flag("--within", options->within, "Only within a connected part (self-collision)");
  command->add_flag("--between", options->between, "Only between connected parts")->excludes(within);
  command->add_option("--minimum-distance", options->minimum_distance, "Contact means coming this close")
      ->check(finite_at_least(0));
  command->add_option("--from", options->from, "First frame, counted from 0")->check(CLI::NonNegativeNumber);
  command->add_option("--to", options->to, "Last frame (default: the last one)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--threads", options->threads, "Threads, 0 = all cores")->check(finite_at_least(0));
  command->add_option("--contacts", options->contacts, "Write every contact to FILE.csv or FILE.bin")
      ->type_name("FILE");
  command->add_option("--method", options->method, "How candidates are found")
      ->check(CLI::IsMember({"clusters", "connectivity", "brute"}));
  command->add_flag("--topology-changes", options->topology_changes,
                    "Faces and vertices may change between frames");
  command->add_flag("--json", options->json, "Print JSON");
  add_check_option(*command, options->check);
  add_report_options(*command, options->output);
  command->callback([&run, options] { run = [options] { return Sequence(*options).run(); }; });
}

}  // namespace toccata::app
