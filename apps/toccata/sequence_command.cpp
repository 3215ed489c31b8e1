// toccata sequence: the contacts of every step of a sequence of frames.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "command.hpp"
#include "contact_writer.hpp"
#include "ending.hpp"
#include "frame_list.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "load_mesh.hpp"
#include "pass_times.hpp"
#include "report_options.hpp"
#include "terminal.hpp"
#include "time_limit.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::app {
namespace {

struct SequenceOptions {
  std::vector<std::string> frames;
  bool all = false, within = false, between = false, json = false, check = false, topology_changes = false;
  double minimum_distance = 0, seconds = 0;
  int from = 0, to = -1, threads = 0, repeat = 1;
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
  bool stopped = false;  // not answered: the time was over
  bool skipped = false;  // vertices came or went: there is no motion to test
  StepRecord record;     // times and counts; contacts only where a report is wanted
  std::set<std::int32_t> objects;
  DeformableStats stats;
  PassSummary passes;
  std::vector<DeformableContact> found;  // until the step is finished
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
  explicit Sequence(const SequenceOptions& options) : options_(options), limit_(options.seconds) {
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
      writer_ =
          std::make_unique<ContactWriter>(options.contacts, options.output.force, options.output.inputs);
  }

  int run() {
    answer_steps();
    if (writer_) writer_->close();
    if (options_.json) {
      print_json(sequence_json());
    } else {
      print_summary();
    }
    if (options_.output.wanted()) write_outputs(options_.output, report(), options_.json ? stderr : stdout);
    const bool touches = std::any_of(reports_.begin(), reports_.end(), [](const StepReport& r) {
      return r.record.first_time || r.record.proven_until;
    });
    return exit_code({.touches = touches || stopped(), .interrupted = stopped() && interrupted()},
                     options_.check);
  }

 private:
  void answer_steps() {
    const InterruptScope interrupts;
    Progress progress("steps", files_.size() - 1);
    previous_ = load(0);
    remember_frame(previous_, 0);
    for (std::size_t i = 1; i < files_.size() && !interrupted() && !limit_.is_over(); ++i) {
      TriangleMesh next = load(i);
      remember_frame(next, i);
      step(i, next);
      if (reports_.size() < i) {  // the time was over before the step was
        if (!record_.frames.empty()) record_.frames.pop_back();
        break;
      }
      previous_ = std::move(next);
      if (!options_.json) {
        progress.hide();
        print(reports_.back());
      }
      progress.advance();
    }
  }

  // Ctrl-C, or the end of the time, came before that of the last step.
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
    if (report.stopped) return;
    finish_step(i, report);
    reports_.push_back(std::move(report));
  }

  // The faces of the later frame hold during the step.
  void test(std::size_t i, const std::vector<Vector3>& start, const TriangleMesh& next, StepReport& report) {
    PassTimes passes;
    do {
      StepReport found = passes.measure([&] { return answered(i, start, next); });
      if (passes.count() > 1 && found.stopped) {  // cut short: an earlier one has the answer
        passes.forget_last();
        break;
      }
      if (passes.count() > 1) continue;
      found.from = report.from;
      found.to = report.to;
      report = std::move(found);
    } while (passes.count() < options_.repeat && !report.stopped && !interrupted() && !limit_.is_over());
    report.passes = passes.summary();
  }

  StepReport answered(std::size_t i, const std::vector<Vector3>& start, const TriangleMesh& next) {
    prepare(i, start, next);
    query_.stop = limit_.stop();
    StepReport report;
    if (counted()) {
      list_contacts(i, report);
    } else {
      find_first(i, report);
    }
    return report;
  }

  void prepare(std::size_t i, const std::vector<Vector3>& start, const TriangleMesh& next) {
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
  }

  bool is_cut(Status status) const { return status == Status::OutOfBudget && limit_.is_over(); }

  void list_contacts(std::size_t i, StepReport& report) {
    DeformableContacts found = scene_->all_contacts(query_);
    report.stopped = is_cut(found.status);
    if (report.stopped) return;
    if (found.status == Status::Failed) throw UsageError(frame_name(i) + ": " + found.failure);
    if (found.status == Status::OutOfBudget) report.record.proven_until = 0.0;
    report.stats = found.stats;
    report.found = std::move(found.contacts);
  }

  void find_first(std::size_t i, StepReport& report) {
    const SafeStep safe = scene_->safe_step(query_);
    report.stopped = is_cut(safe.first.status);
    if (report.stopped) return;
    if (safe.first.status == Status::Failed) throw UsageError(frame_name(i) + ": " + safe.first.failure);
    if (safe.first.status == Status::OutOfBudget) {
      report.record.proven_until = safe.first.lower;
    } else if (safe.first.status != Status::Separated) {
      report.found.push_back(contact_of(safe.first));
    }
    report.stats = safe.stats;
  }

  void remember_frame(const TriangleMesh& mesh, std::size_t i) {
    if (!options_.output.wanted()) return;
    const bool same_faces = i > 0 && mesh.faces == previous_.faces;
    record_.frames.push_back({.label = std::filesystem::path(files_[i]).filename().string(),
                              .positions = mesh.vertices,
                              .faces = same_faces ? std::vector<Face>{} : mesh.faces});
  }

  void remember_contacts(StepReport& report) const {
    if (!options_.output.wanted()) return;
    constexpr std::size_t limit = 120'000;  // per step: more dots than that do not help the eye
    for (std::size_t i = 0; i < std::min(report.found.size(), limit); ++i) {
      report.record.contacts.push_back(record_of(report.found[i]));
    }
  }

  void finish_step(std::size_t i, StepReport& r) const {
    for (const DeformableContact& c : r.found) add(c, r);
    remember_contacts(r);
    if (writer_) writer_->add(options_.from + static_cast<std::int32_t>(i) - 1, r.found);
    r.found.clear();
    StepRecord& step = r.record;
    step.from = static_cast<int>(i) - 1;
    step.to = static_cast<int>(i);
    step.counted = counted();
    step.milliseconds = {{"build", r.stats.build_milliseconds},
                         {"update", r.stats.update_milliseconds},
                         {"cull", r.stats.cull_milliseconds},
                         {"test", r.stats.test_milliseconds},
                         {"total", r.stats.total_milliseconds}};
    for (const StageCount& stage : r.stats.stages) {
      step.stages.push_back({std::string(stage.name), static_cast<std::uint64_t>(stage.count), {}});
    }
  }

  // The answer of the whole, in a sentence.
  std::string answer() const {
    std::vector<StepRecord> steps;
    for (const StepReport& r : reports_) {
      StepRecord& step = steps.emplace_back();
      step.first_time = r.record.first_time;
      step.proven_until = r.record.proven_until;
      step.counted = r.record.counted;
      step.vertex_face = r.record.vertex_face;
      step.edge_edge = r.record.edge_edge;
      step.vertex_edge = r.record.vertex_edge;
      step.vertex_vertex = r.record.vertex_vertex;
    }
    std::string text = sentence(steps);
    if (stopped())
      text += fmt::format(" {} after {} of {}.", interrupted() ? "Interrupted" : "Out of time",
                          reports_.size(), plural(files_.size() - 1, "step"));
    return text;
  }

  Report report() {
    Report report;
    report.query = "sequence";
    report.title = fmt::format("{} to {}", record_.frames.front().label, record_.frames.back().label);
    report.method = options_.method;
    report.answer = answer();
    for (StepReport& r : reports_) record_.steps.push_back(std::move(r.record));
    report.sequence = std::move(record_);
    return report;
  }

  void add(const DeformableContact& c, StepReport& report) const {
    count(c, report.record);
    const FeaturePair& p = c.pair;
    const bool edge_edge = p.kind == FeaturePairKind::EdgeEdge;
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
      fmt::print("{} -> {}: Vertices come or go, no motion to test.\n", r.from, r.to);
      return;
    }
    fmt::print("{} -> {}: {} ({}{:.1f} ms)\n", r.from, r.to, sentence(r.record),
               counted() && r.record.first_time ? plural(r.objects.size(), "connected part") + ", " : "",
               r.stats.total_milliseconds);
  }

  void print_summary() const {
    double milliseconds = 0;
    for (const StepReport& r : reports_) milliseconds += r.stats.total_milliseconds;
    fmt::print("{} {:.1f} ms in all.\n", answer(), milliseconds);
    if (options_.repeat > 1) fmt::print("{}\n", pass_sentence(passes()));
  }

  // Of all steps, one after the other.
  PassSummary passes() const {
    PassSummary sum;
    for (const StepReport& r : reports_) {
      if (!r.skipped) sum += r.passes;
    }
    return sum;
  }

  JsonObject step_json(const StepReport& r) const {
    JsonObject step;
    step.add("from", r.from).add("to", r.to);
    if (r.record.first_time) {
      step.add("first_time", *r.record.first_time);
    } else {
      step.add("first_time", nullptr);
    }
    if (r.record.proven_until) step.add("proven_until", *r.record.proven_until);
    if (counted()) {
      step.add("vertex_face", r.record.vertex_face).add("edge_edge", r.record.edge_edge);
    } else {
      step.add("vertex_face", nullptr).add("edge_edge", nullptr);
    }
    if (r.skipped) step.add("topology_changes", true);
    JsonList objects;
    for (const std::int32_t object : r.objects) objects.add(object);
    JsonObject milliseconds, stages;
    for (const auto& [name, value] : r.record.milliseconds) milliseconds.add(name, value);
    for (const StageRecord& stage : r.record.stages) stages.add(stage.name, stage.left);
    step.add("objects", objects).add("milliseconds", milliseconds).add("stages", stages);
    if (options_.repeat > 1 && !r.skipped) step.add("passes", pass_json(r.passes));
    return step;
  }

  JsonObject sequence_json() const {
    JsonList steps;
    std::size_t touching = 0, skipped = 0, undecided = 0;
    std::uint64_t vertex_face = 0, edge_edge = 0;
    double milliseconds = 0;
    for (const StepReport& r : reports_) {
      steps.add(step_json(r));
      touching += r.record.first_time.has_value();
      skipped += r.skipped;
      undecided += r.record.proven_until.has_value();
      vertex_face += r.record.vertex_face;
      edge_edge += r.record.edge_edge;
      milliseconds += r.stats.total_milliseconds;
    }
    JsonObject summary;
    summary.add("steps", reports_.size()).add("with_contact", touching).add("skipped", skipped);
    if (counted()) summary.add("vertex_face", vertex_face).add("edge_edge", edge_edge);
    if (undecided > 0) summary.add("out_of_budget", undecided);
    summary.add("milliseconds", milliseconds);
    if (options_.repeat > 1) summary.add("passes", pass_json(passes()));
    JsonObject value;
    value.add("steps", steps).add("summary", summary);
    if (stopped()) value.add(interrupted() ? "interrupted" : "out_of_time", true);
    return value;
  }

  const SequenceOptions& options_;
  TimeLimit limit_;
  std::vector<std::string> files_;
  DeformableOptions query_;
  std::optional<DeformableScene> scene_;
  std::unique_ptr<ContactWriter> writer_;
  TriangleMesh previous_;
  SequenceRecord record_;  // for the report, if one is wanted
  std::vector<StepReport> reports_;
};

}  // namespace

Command sequence_command() {
  const auto options = std::make_shared<SequenceOptions>();
  Command command{.name = "sequence", .description = "Contacts of every step of a sequence of mesh frames"};
  command.footer =
      "Examples:\n"
      "  toccata sequence frames/ --all\n"
      "  toccata sequence cloth_00.ply cloth_01.ply --json\n"
      "  toccata sequence 'cloth_*.obj' --within --contacts contacts.csv\n";
  command.options = {
      {.names = "frames",
       .target = &options->frames,
       .help = "Frames in order: files, folders or patterns (OBJ, PLY, STL, OFF)",
       .required = true},
      {.names = "--all", .target = &options->all, .help = "Count every contact, not only the first"},
      {.names = "--within",
       .target = &options->within,
       .help = "Only within a connected part (self-collision)"},
      {.names = "--between",
       .target = &options->between,
       .help = "Only between connected parts",
       .excludes = "--within"},
      {.names = "--minimum-distance",
       .target = &options->minimum_distance,
       .help = "Contact means coming this close",
       .least = 0.0},
      {.names = "--from", .target = &options->from, .help = "First frame, counted from 0", .least = 0.0},
      {.names = "--to", .target = &options->to, .help = "Last frame (default: the last one)", .least = 0.0},
      {.names = "--threads",
       .target = &options->threads,
       .help = "Threads, 0 = all cores",
       .least = 0.0,
       .most = 4096.0},
      repeat_option(options->repeat),
      seconds_option(options->seconds),
      {.names = "--contacts",
       .target = &options->contacts,
       .help = "Write every contact to FILE.csv or FILE.bin",
       .value = "FILE"},
      {.names = "--method",
       .target = &options->method,
       .help = "How candidates are found",
       .choices = {"clusters", "connectivity", "brute"}},
      {.names = "--topology-changes",
       .target = &options->topology_changes,
       .help = "Faces and vertices may change between frames"},
      {.names = "--json", .target = &options->json, .help = "Print JSON"},
      check_option(options->check)};
  add_report_options(
      options->output, command, [options] { return list_frames(options->frames); },
      [options] { return std::vector{options->contacts}; });
  command.run = [options] { return Sequence(*options).run(); };
  return command;
}

}  // namespace toccata::app
