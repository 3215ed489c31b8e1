// toccata clearance A B: how close two moving bodies come, when and where.
#include <fmt/core.h>

#include <chrono>
#include <memory>

#include "body_argument.hpp"
#include "command.hpp"
#include "csv_text.hpp"
#include "ending.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "moving_arguments.hpp"
#include "rigid_answer.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_record.hpp"

namespace toccata::app {
namespace {

// A place is known: of everything but a question that failed or found nothing in its budget.
bool has_place(const ClosestApproachResult& answer) {
  return answer.status != Status::Failed && answer.contact.feature_a.part >= 0;
}

void print_clearance_json(const ClosestApproachResult& answer, const MovingPair& pair, double microseconds) {
  JsonObject json;
  json.add("status", to_string(answer.status));
  if (answer.inside != Inside::None) json.add("inside", to_string(answer.inside));
  if (!answer.failure.empty()) json.add("failure", answer.failure);
  if (has_place(answer)) {
    json.add("time", answer.time)
        .add("distance", answer.distance)
        .add("lower_distance", answer.lower_distance);
    add_contact(record_of(answer.contact, pair.meshes()), json);
    add_poses(answer.pose_a, answer.pose_b, json);
  }
  json.add("microseconds", microseconds).add("stats", stats_json(answer.stats));
  add_question(pair, json);
  print_json(json);
}

void print_clearance_table(const ClosestApproachResult& answer, const MovingPair& pair) {
  fmt::print(
      "status,time,distance,lower_distance,point_a_x,point_a_y,point_a_z,point_b_x,point_b_y,point_b_z,"
      "normal_x,"
      "normal_y,normal_z,triangle_a,triangle_b,feature_a,feature_b\n");
  CsvLine line;
  line.add(to_string(answer.status));
  if (has_place(answer)) {
    const ContactRecord record = record_of(answer.contact, pair.meshes());
    line.add(answer.time).add(answer.distance).add(answer.lower_distance);
    line.add(record.contact.point_a).add(record.contact.point_b).add(record.contact.normal);
    add_features(record, line);
  } else {
    line.skip(16);
  }
  line.print();
}

int run_clearance(const MovingArguments& arguments) {
  const MovingPair pair = moving_pair(arguments, "clearance");
  ClosestApproachOptions options;
  options.tolerance = arguments.tolerance;
  options.relative_tolerance = arguments.relative_tolerance;
  options.budget = arguments.budget;
  options.stop = stop_of(arguments);
  const InterruptScope interrupts;
  const auto start = std::chrono::steady_clock::now();
  const ClosestApproachResult answer = closest_approach(pair.body_a(), pair.body_b(), options);
  const double microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  if (arguments.json) {
    print_clearance_json(answer, pair, microseconds);
  } else if (arguments.csv) {
    print_clearance_table(answer, pair);
  } else if (answer.status != Status::Failed) {
    fmt::print("{}\n", sentence(answer, pair.names()));
    if (has_place(answer))
      fmt::print("  {}\n", contact_text(record_of(answer.contact, pair.meshes()), pair.names()));
  }
  if (arguments.output.wanted()) {
    Report report = closest_approach_report(pair.a, pair.b, answer);
    describe_question(arguments, pair, report);
    report.timings = {{"query", 1e-3 * microseconds}};
    write_outputs(arguments.output, std::move(report), arguments.prints_sentences() ? stdout : stderr);
  }
  if (answer.status == Status::Failed) throw UsageError(answer.failure);
  return exit_code({.touches = answer.status != Status::Separated, .interrupted = interrupted()},
                   arguments.check);
}

}  // namespace

Command clearance_command() {
  const auto arguments = std::make_shared<MovingArguments>();
  arguments->budget = ClosestApproachOptions().budget;
  Command command{.name = "clearance", .description = "How close do two moving bodies come, when and where?"};
  add_moving_options(*arguments, command);
  add_answer_options(*arguments, command);
  command.footer =
      "The clearance is proven to the tolerance. Whether they keep a distance all the way:\n"
      "toccata impact A.obj B.obj --to \"0 0 5\" --minimum-distance 0.01 --check\n"
      "Examples:\n"
      "  toccata clearance A.obj B.obj --from \"0 0 5\" --to \"9 0 5\"\n"
      "  toccata clearance A.obj B.obj --path poses.txt --view\n"
      "  toccata clearance A.obj B.obj --turn \"0 0 1 360\" --json\n" +
      shapes_help();
  command.run = [arguments] { return run_clearance(*arguments); };
  return command;
}

}  // namespace toccata::app
