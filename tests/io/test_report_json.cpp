// Reports: what is written can be read back, the page holds it, thinning out keeps to its limit.
#include "toccata/io/report_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/json_array.hpp"
#include "io/vertex_clustering.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/io/layer_report.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/io/viewer_page.hpp"
#include "toccata/motion/rigid_motion.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata {
namespace {

using Json = nlohmann::ordered_json;

Report sample_report() {
  Report report;
  report.query = "first_contact";
  report.title = "a </script> title";
  report.answer = "They touch.";
  report.shapes.push_back(record_of(scenes::torus_knot({.along = 30, .around = 6}), "knot"));
  Pose away;
  away.translation = Vector3(3, 0, 0);
  const RigidMotion motion =
      RigidMotion::with_velocity(away, Vector3(-2, 0, 0), Vector3(0, 7, 0), Vector3(0.1, 0, 0));
  report.bodies.push_back({"a", 0, record_of(motion)});
  report.bodies.push_back({"b", 0, FixedMotionRecord{}});
  FirstContactResult answer;
  answer.status = Status::Contact;
  answer.time = answer.lower = 0.25;
  answer.upper = 0.25000001;
  answer.contact.feature_a = {FeatureKind::Edge, 2, 7};
  answer.contact.feature_b = {FeatureKind::Face, 0, 9};
  const TriangleMesh* mesh = &*report.shapes[0].mesh;
  report.results.push_back(record_of(answer, {mesh, mesh}));
  return report;
}

// The formula of docs/report.md, as a reader of the file would write it.
Vector3 linear_point(const Json& motion, const Vector3& p, double t) {
  const auto vector = [](const Json& v) { return Vector3(v[0], v[1], v[2]); };
  Matrix3 start;
  for (int row = 0; row < 3; ++row) start.row(row) = vector(motion["from"]["rotation"][row]).transpose();
  const Vector3 k = vector(motion["axis"]);
  Matrix3 cross;
  cross << 0, -k.z(), k.y(), k.z(), 0, -k.x(), -k.y(), k.x(), 0;
  const double angle = t * motion["angle"].get<double>();
  const Matrix3 turn = Matrix3::Identity() + std::sin(angle) * cross + (1 - std::cos(angle)) * cross * cross;
  const Vector3 reference = vector(motion["reference"]);
  const Vector3 center =
      start * reference + vector(motion["from"]["translation"]) + t * vector(motion["displacement"]);
  return center + turn * start * (p - reference);
}

TEST(ReportJson, IsVersionedAndHoldsTheAnswer) {
  const Json json = Json::parse(to_json(sample_report()));
  EXPECT_EQ(json["format"], "toccata-report");
  EXPECT_EQ(json["version"], report_version);
  const Json& result = json["results"][0];
  EXPECT_EQ(result["status"], "contact");
  EXPECT_EQ(result["time"], 0.25);
  EXPECT_EQ(result["upper"], 0.25000001);
  EXPECT_EQ(result["contacts"][0]["triangle_a"], 7);
  EXPECT_EQ(result["contacts"][0]["corners_b"].size(), 3u);
}

TEST(ReportJson, NamesFeaturesByTheVerticesOfTheMesh) {
  const Report report = sample_report();
  const Json json = Json::parse(to_json(report));
  const Face& face = report.shapes[0].mesh->faces[7];
  EXPECT_EQ(json["results"][0]["contacts"][0]["feature_a"],
            std::string("edge ") + std::to_string(face[2]) + "-" + std::to_string(face[0]));
}

TEST(ReportJson, MeshesComeBackExactly) {
  const Report report = sample_report();
  const Json json = Json::parse(to_json(report));
  const auto positions = json_array::read_positions(json["shapes"][0]["mesh"]["positions"], "positions");
  const auto faces = json_array::read_faces(json["shapes"][0]["mesh"]["faces"], "faces");
  ASSERT_TRUE(positions);
  ASSERT_TRUE(faces);
  EXPECT_EQ(*positions, report.shapes[0].mesh->vertices);
  EXPECT_EQ(*faces, report.shapes[0].mesh->faces);
}

TEST(ReportJson, BytesOfAnyNumberSurviveBase64) {
  for (std::size_t n = 0; n < 20; ++n) {
    Random random(n);
    std::vector<Vector3> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(random.in_box(1e6));
    const auto back = json_array::read_positions(json_array::positions(values), "values");
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, values);
  }
}

TEST(ReportJson, QuantisedPositionsAreWithinHalfAStep) {
  Random random(1);
  std::vector<Vector3> values;
  for (int i = 0; i < 1000; ++i) values.push_back(random.in_box(5.0) + Vector3(1e5, 0, -3));
  const auto back = json_array::read_positions(json_array::quantised_positions(values), "values");
  ASSERT_TRUE(back);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_LE(((*back)[i] - values[i]).cwiseAbs().maxCoeff(), 0.51 * 10.0 / 65535.0);
  }
}

TEST(ReportJson, LinearMotionEvaluatesAsTheLibraryDoes) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    Pose start;
    start.translation = random.in_box(10.0);
    const RigidMotion motion =
        RigidMotion::with_velocity(start, random.in_box(5.0), random.in_box(12.0), random.in_box(1.0));
    Report report;
    report.bodies.push_back({"a", 0, record_of(motion)});
    const Json json = Json::parse(to_json(report))["bodies"][0]["motion"];
    ASSERT_EQ(json["type"], "linear");
    const Vector3 p = random.in_box(2.0);
    const double t = random.unit();
    EXPECT_LT((linear_point(json, p, t) - motion.pose(t).apply(p)).norm(), 1e-12);
  }
}

TEST(ReportJson, PiecewiseMotionsAreWrittenByTheirFormulas) {
  Pose end;
  end.translation = Vector3(1, 0, 0);
  Report report;
  report.bodies.push_back(
      {"a", 0, record_of(PiecewiseMotion({{0.0, Pose{}}, {0.3333, end}, {1.0, Pose{}}}))});
  const Json motion = Json::parse(to_json(report))["bodies"][0]["motion"];
  EXPECT_EQ(motion["type"], "piecewise");
  EXPECT_EQ(motion["times"], Json({0.0, 0.3333, 1.0}));
  EXPECT_EQ(motion["segments"][1]["type"], "linear");
}

TEST(ReportJson, BadTextBecomesValidJson) {
  Report report = sample_report();
  report.shapes[0].name = "caf\xe9.obj";
  report.results[0].time = std::nan("");
  EXPECT_FALSE(Json::parse(to_json(report), nullptr, false).is_discarded());
}

// ---------------------------------------------------------------- reading back

ReportBody cube_body(const std::string& name, double side, const OwnedMotion& motion = {}) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(0.5 * side * Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  mesh.faces = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return {.name = name, .shape = Shape(mesh), .motion = motion};
}

Pose at(double x, double y, double z) {
  Pose pose;
  pose.translation = Vector3(x, y, z);
  return pose;
}

Body body_of(const ReportBody& body) {
  return {body.shape, body.motion, body.solid};
}

Report deforming_report() {
  const std::vector<Vector3> start = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}, {0.1, 0.7, 0.3}};
  std::vector<Vector3> end = start;
  end[3].z() = -1.0;
  const std::vector<Face> faces = {{0, 1, 2}};
  std::vector<DeformableContact> contacts(4);
  for (int i = 0; i < feature_pair_kind_count; ++i) {
    contacts[i].pair = {static_cast<FeaturePairKind>(i), 3, i};
    contacts[i].impact.time = 0.1 * i + 0.3;
    contacts[i].impact.point = Vector3(0.1, 0.2, 0.3);
  }
  Report report = step_report({start, end, faces}, contacts);
  report.sequence->objects = {0, 3};
  report.sequence->steps[0].proven_until = 0.125;
  report.sequence->steps[0].milliseconds = {{"total", 1.25}};
  report.sequence->steps[0].stages = {{"all", 7, 0.5}, {"left", 4, {}}};
  return report;
}

// One of each kind.
std::vector<LayerRecord> every_layer() {
  const std::vector<Vector3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  LayerRecord slice{.kind = LayerKind::Slice, .colours = LayerColours::Signed, .name = "distance"};
  slice.points = corners;
  slice.size = {2, 1};
  slice.values = {-0.5F, 0.25F};
  LayerRecord surface{.kind = LayerKind::Surface, .colours = LayerColours::Cells, .name = "parts"};
  surface.points = corners;
  surface.faces = {{0, 1, 2}};
  surface.values = {0.0F};
  const LayerRecord balls =
      medial_layer({corners, {1.0, 2.0, 3.0}, {{0, 1}}, {}}, std::vector<double>{0.1, 0.2});
  LayerRecord arrows{.kind = LayerKind::Arrows, .colours = LayerColours::Scale, .name = "depth"};
  arrows.points = {{1, 2, 3}};
  arrows.vectors = {{0, 0, 1}};
  arrows.values = {1.0F};
  LayerRecord lines{.kind = LayerKind::Lines, .name = "strands"};
  lines.points = {{0, 0, 0}, {1, 1, 1}};
  lines.first = {0};
  return {slice, surface, balls, arrows, lines};
}

std::vector<Report> all_kinds_of_reports() {
  const ReportBody still = cube_body("still", 1.0);
  const ReportBody hits = cube_body("hits", 0.5, RigidMotion(at(-3, 0.1, 0.2), at(0, 0, 0)));
  const ReportBody turns =
      cube_body("turns", 0.5, ScrewMotion(at(-3, 0, 3), Vector3(0, 1, 0), at(0, 0, 0).translation, 2, 1));
  const ReportBody path =
      cube_body("path", 0.5, PiecewiseMotion({{0, at(-3, 0, 2)}, {0.4, at(0, 0, 1)}, {1, at(3, 1, 2)}}));
  ReportBody inner = cube_body("inner", 0.25), outer = cube_body("outer", 1.0);
  inner.solid = outer.solid = true;
  const FirstContactResult found = first_contact(body_of(hits), body_of(still), {.all_contacts = true});
  const ClosestApproachResult closest = closest_approach(body_of(path), body_of(still));
  const ContactIntervalsResult intervals = contact_intervals(body_of(hits), body_of(still));
  std::vector<Report> reports;
  reports.push_back(first_contact_report(hits, still, found, {.intervals = intervals.intervals},
                                         {.clearance_samples = 8, .hierarchy_levels = 3}));
  reports.back().method = "advancement";
  reports.back().up = 'z';
  reports.back().options = {{"tolerance", "1e-6"}, {"b", "2"}};
  reports.back().timings = {{"query", 0.123}};
  reports.back().counts = {{"pairs", 12}};
  reports.push_back(
      first_contact_report(path, still, first_contact(body_of(path), body_of(still)), {.closest = closest}));
  reports.push_back(first_contact_report(inner, outer, first_contact(body_of(inner), body_of(outer))));
  ReportBody open = cube_body("open", 1.0);
  open.shape = Shape(TriangleMesh{open.shape.mesh().vertices, {{0, 2, 3}}});
  open.solid = true;
  reports.push_back(first_contact_report(open, outer, first_contact(body_of(open), body_of(outer))));
  reports.push_back(closest_approach_report(path, still, closest));
  reports.push_back(
      contact_intervals_report(turns, still, contact_intervals(body_of(turns), body_of(still))));
  const std::vector<TrialAnswer> trials = {
      {0, found, hits.motion, still.motion, {}, 1.5},
      {4, first_contact(body_of(path), body_of(still)), path.motion, still.motion, closest, {}}};
  reports.push_back(trials_report(hits, still, trials, {.asked = 9, .answered = 9, .touching = 1}));
  const PlacedShape a(still.shape, at(3, 0, 0)), b(still.shape);
  reports.push_back(distance_report(cube_body("a", 1.0, at(3, 0, 0)), still, distance(a, b)));
  reports.push_back(within_report(still, still, within(a, b, 5.0), 5.0));
  reports.push_back(intersects_report(cube_body("a", 1.0, at(0.5, 0.2, 0)), still,
                                      intersects({still.shape, at(0.5, 0.2, 0)}, b, {.all_pairs = true}),
                                      Containment::Crossing, Containment::Crossing));
  reports.push_back(deforming_report());
  reports.push_back(layers_report("medial", "It is enclosed.", every_layer()));
  add_body(still.shape, "still", reports.back());
  return reports;
}

TEST(ReadReport, WhatIsWrittenReadsBackToTheSameText) {
  for (const Report& report : all_kinds_of_reports()) {
    const std::string text = to_json(report);
    const Expected<Report> again = report_from_json(text);
    ASSERT_TRUE(again) << report.query << ": " << again.error().message;
    EXPECT_EQ(to_json(*again), text);
    EXPECT_FALSE(report.answer.empty());
    EXPECT_TRUE(report.results.empty() || !report.results[0].sentence.empty());
  }
}

TEST(ReadReport, ShapesByReferenceStayReferences) {
  Report report = all_kinds_of_reports().front();
  for (ShapeRecord& shape : report.shapes) shape.source = "somewhere.obj";
  const std::string text = to_json(report, {.embed_shapes = false});
  EXPECT_EQ(text.find("\"mesh\""), std::string::npos);
  const Expected<Report> again = report_from_json(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(again->shapes[0].mesh);
  EXPECT_EQ(again->shapes[0].triangle_count, 12u);
  EXPECT_EQ(to_json(*again), text);
}

TEST(ReadReport, ABodyOfAReportAnswersAsBefore) {
  const Report report = all_kinds_of_reports().front();
  const Report again = *report_from_json(to_json(report));
  const auto body = [&](int i) {
    const BodyRecord& record = again.bodies[i];
    return Body{Shape(*again.shapes[record.shape].mesh), *motion_of(record.motion), record.solid};
  };
  const FirstContactResult found = first_contact(body(0), body(1), {.all_contacts = true});
  EXPECT_EQ(found.status, report.results[0].status);
  EXPECT_NEAR(found.time, report.results[0].time, 1e-12);
  EXPECT_EQ(found.contacts.size(), report.results[0].contacts.size());
}

TEST(ReadReport, KindsOfContactsOfAStepSurvive) {
  const Report again = *report_from_json(to_json(deforming_report()));
  const StepRecord& step = again.sequence->steps[0];
  ASSERT_EQ(step.contacts.size(), 4u);
  for (int i = 0; i < feature_pair_kind_count; ++i) EXPECT_EQ(static_cast<int>(step.contacts[i].kind), i);
  EXPECT_EQ(step.vertex_edge, 1u);
  EXPECT_EQ(step.vertex_vertex, 1u);
  EXPECT_EQ(step.contacts[2].second, 2);
}

TEST(ReadReport, SaysWhatIsWrongWithALayer) {
  const std::string whole = to_json(layers_report("medial", "It is enclosed.", every_layer()));
  const auto error = [&](const char* pointer, const Json& value) {
    Json json = Json::parse(whole);
    json[Json::json_pointer(pointer)] = value;
    const Expected<Report> report = report_from_json(json.dump());
    return report ? std::string("no error") : report.error().message;
  };
  EXPECT_NE(error("/layers/0/kind", "fog").find("layers[0].kind: expected one of slice"), std::string::npos);
  EXPECT_NE(error("/layers/0/size", {3, 3}).find("layers[0].values: expected 9 entries"), std::string::npos);
  EXPECT_NE(error("/layers/1/faces", {{0, 1, 9}}).find("layers[1].faces: expected numbers of its points"),
            std::string::npos);
  EXPECT_NE(error("/layers/2/radii", {1.0}).find("layers[2].radii: expected 3 entries"), std::string::npos);
  EXPECT_NE(error("/layers/3/vectors", Json::array()).find("layers[3].vectors: expected 1 entries"),
            std::string::npos);
  EXPECT_NE(error("/layers/4/first", {5}).find("layers[4].first[0]: expected an integer from 0 to 1"),
            std::string::npos);
}

TEST(ReadReport, SaysWhichFieldIsWrong) {
  const std::string whole = to_json(all_kinds_of_reports().front());
  const auto error = [&](const char* pointer, const Json& value) {
    Json json = Json::parse(whole);
    json[Json::json_pointer(pointer)] = value;
    const Expected<Report> report = report_from_json(json.dump());
    return report ? std::string("no error") : report.error().message;
  };
  EXPECT_EQ(error("/results/0/bodies/1", 7),
            "results[0].bodies[1]: expected an integer from 0 to 1, found 7");
  EXPECT_EQ(error("/results/0/time", nullptr), "results[0].time: expected a number, found null");
  EXPECT_NE(error("/results/0/status", "maybe").find("results[0].status: expected one of separated, contact"),
            std::string::npos);
  EXPECT_NE(error("/results/0/contacts/0/feature_a", "corner 3").find("contacts[0].feature_a"),
            std::string::npos);
  EXPECT_NE(error("/bodies/0/motion/type", "wild").find("bodies[0].motion.type"), std::string::npos);
  EXPECT_NE(error("/bodies/0/shape", -1).find("bodies[0].shape"), std::string::npos);
  EXPECT_NE(error("/bodies/0/motion/from/rotation/0", {1, 2})
                .find("bodies[0].motion.from.rotation[0]: expected three numbers"),
            std::string::npos);
  EXPECT_NE(error("/shapes/0/mesh/faces/base64", "AAAA").find("shapes[0].mesh.faces: the number of values"),
            std::string::npos);
  EXPECT_NE(error("/shapes/0/mesh/positions/base64", "*").find("shapes[0].mesh.positions: not base64"),
            std::string::npos);
  EXPECT_NE(error("/shapes/0/mesh/positions", "x").find("expected an array"), std::string::npos);
  EXPECT_NE(error("/hierarchies/0/levels", 3).find("hierarchies[0].levels: expected a list"),
            std::string::npos);
  EXPECT_NE(error("/results/0/clearance/distances", {1}).find("one distance for each time"),
            std::string::npos);
  EXPECT_NE(error("/up", "w").find("up: expected x, y or z"), std::string::npos);
  EXPECT_NE(error("/counts/pairs", -3).find("counts.pairs: expected a count"), std::string::npos);
  EXPECT_NE(error("/results", {{"a", 1}}).find("results: expected a list"), std::string::npos);
}

TEST(ReadReport, NeverCrashesOnBadText) {
  const std::string deep =
      R"({"format":"toccata-report","version":1,"results":)" + std::string(1'000'000, '[');
  EXPECT_NE(report_from_json(deep).error().message.find("nested too deeply"), std::string::npos);
  EXPECT_NE(viewer_page(std::string_view(deep)).error().message.find("nested too deeply"), std::string::npos);
  EXPECT_FALSE(report_from_json(""));
  EXPECT_FALSE(report_from_json("[]"));
  EXPECT_FALSE(report_from_json(R"({"format":"toccata-report","version":"1"})"));
  EXPECT_FALSE(report_from_json(R"({"format":"toccata-report","version":1,"timings":{"a":NaN}})"));
  EXPECT_FALSE(report_from_json(R"({"format":"toccata-report","version":1,"timings":{"a":1e999}})"));
  EXPECT_FALSE(read_report("/nowhere/report.json"));
  EXPECT_FALSE(read_report("/"));
  for (const Report& report : all_kinds_of_reports()) {
    const std::string text = to_json(report);
    // Cut short anywhere, and with any byte changed.
    Random random(7);
    for (int i = 0; i < 60; ++i) {
      const auto place = static_cast<std::size_t>(random.unit() * static_cast<double>(text.size()));
      EXPECT_FALSE(report_from_json(text.substr(0, place)));
      std::string changed = text;
      changed[place] = static_cast<char>(random.unit() * 255.0);
      (void)report_from_json(changed);
    }
    // Every value of the text replaced by one of another type.
    const Json flat = Json::parse(text).flatten();
    int turn = 0;
    for (const auto& [pointer, value] : flat.items()) {
      if (++turn % 17 != 0) continue;
      for (const Json& other :
           {Json(nullptr), Json(-1), Json("x"), Json::array({1}), Json::object({{"a", 1}}), Json(1e308)}) {
        Json json = Json::parse(text);
        json[Json::json_pointer(pointer)] = other;
        (void)report_from_json(json.dump());
      }
    }
  }
}

TEST(ReadReport, HandWrittenMotionsMayLeaveOutWhatFollows) {
  const std::string pose = R"({"rotation":[[1,0,0],[0,1,0],[0,0,1]],"translation":[1,0,0]})";
  const std::string text = R"({"format":"toccata-report","version":1,"shapes":[{"name":"s"}],"bodies":[
      {"name":"a","shape":0,"motion":{"type":"linear","from":)" +
                           pose + R"(,"reference":[0,0,0],"displacement":[0,2,0],
       "axis":[0,0,1],"angle":3}},
      {"name":"b","shape":0,"motion":{"type":"screw","from":)" +
                           pose + R"(,"point":[0,0,0],"axis":[0,0,1],"angle":2,"advance":5}}]})";
  const Expected<Report> report = report_from_json(text);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(std::get<LinearMotionRecord>(report->bodies[0].motion).angular_velocity, Vector3(0, 0, 3));
  EXPECT_EQ(std::get<ScrewMotionRecord>(report->bodies[1].motion).velocity, Vector3(0, 2, 5));
}

TEST(QueryReport, ClearanceIsSampledAtTheContactToo) {
  const Report report = all_kinds_of_reports().front();
  const ClearanceRecord& clearance = report.results[0].clearance;
  ASSERT_EQ(clearance.times.size(), 10u);
  const auto contact = std::find(clearance.times.begin(), clearance.times.end(), report.results[0].time);
  ASSERT_NE(contact, clearance.times.end());
  EXPECT_LT(clearance.distances[static_cast<std::size_t>(contact - clearance.times.begin())], 1e-5);
}

TEST(QueryReport, KindsAndDepthReachTheReportAndReadBack) {
  const ReportBody crate{.name = "crate", .shape = Shape(Box{{1, 2, 3}, 0.5})};
  const ReportBody ground{.name = "ground", .shape = Shape(HalfSpace{{0, 0, 2}, -1.0})};
  const PenetrationResult deep = penetration({crate.shape}, {ground.shape});
  const Report report = penetration_report(crate, ground, deep);
  EXPECT_EQ(report.shapes[0].kind, "box");
  EXPECT_EQ(report.shapes[0].sizes, (std::vector<double>{1, 2, 3, 0.5}));
  EXPECT_EQ(report.shapes[1].kind, "half space");
  EXPECT_EQ(report.shapes[1].sizes, (std::vector<double>{0, 0, 2, -1}));
  ASSERT_TRUE(report.results[0].depth);
  EXPECT_NEAR(report.results[0].depth->upper, 1.5, 1e-9);  // its lowest point is at -2, the ground at -0.5
  EXPECT_LE(report.results[0].depth->lower, 1.5);
  const std::string text = to_json(report);
  const Expected<Report> back = report_from_json(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), text);
  EXPECT_EQ(back->shapes[0].sizes, report.shapes[0].sizes);
  EXPECT_EQ(back->results[0].depth->upper, report.results[0].depth->upper);
  EXPECT_EQ(record_of(Shape(scenes::torus_knot({.along = 30, .around = 6})), "mesh").kind, "");
}

TEST(QueryReport, InsideAndFailureReachTheReport) {
  const std::vector<Report> reports = all_kinds_of_reports();
  EXPECT_EQ(reports[2].answer, "inner is inside outer at the start.");
  EXPECT_EQ(reports[2].results[0].inside, Inside::FirstInSecond);
  EXPECT_EQ(reports[2].results[0].clearance.distances[0], 0.0);
  EXPECT_EQ(reports[3].results[0].status, Status::Failed);
  EXPECT_FALSE(reports[3].results[0].failure.empty());
  EXPECT_EQ(Json::parse(to_json(reports[2]))["bodies"][0]["solid"], true);
}

TEST(ViewerPage, HoldsTheReportAndCannotBeEndedByIt) {
  const Expected<std::string> page = viewer_page(sample_report());
  ASSERT_TRUE(page);
  EXPECT_EQ(page->find("__TOCCATA_REPORT__"), std::string::npos);
  EXPECT_EQ(page->find("a </script> title"), std::string::npos);
  EXPECT_NE(page->find("a \\u003c/script> title"), std::string::npos);
  EXPECT_LT(page->size(), 1'500'000u);
}

TEST(ViewerPage, SaysWhatIsWrongWithAReport) {
  EXPECT_NE(viewer_page(std::string_view("{")).error().message.find("not JSON"), std::string::npos);
  EXPECT_NE(viewer_page(std::string_view("{}")).error().message.find("toccata-report"), std::string::npos);
  EXPECT_NE(
      viewer_page(std::string_view(R"({"format":"toccata-report","version":99})")).error().message.find("99"),
      std::string::npos);
  const auto bad_face = viewer_page(
      std::string_view(
          R"({"format":"toccata-report","version":1,"query":"distance","shapes":[{"name":"s","triangles":9,
          "mesh":{"positions":[[0,0,0]],"faces":[[0,1,2]]}}]})"),
      {.triangle_limit = 1});
  ASSERT_FALSE(bad_face);
  EXPECT_NE(bad_face.error().message.find("vertex 1"), std::string::npos);
}

TEST(ViewerPage, FetchesShapesGivenByReference) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "toccata_report_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "one.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const std::string report =
      R"({"format":"toccata-report","version":1,"query":"distance","shapes":[{"name":"one","source":"one.obj"}]})";
  const Expected<std::string> page = viewer_page(std::string_view(report), {.folder = folder.string()});
  ASSERT_TRUE(page);
  EXPECT_NE(page->find("\"triangles\":1"), std::string::npos);
  EXPECT_FALSE(viewer_page(std::string_view(report), {.folder = (folder / "nowhere").string()}));
  std::filesystem::remove_all(folder);
}

TEST(ViewerPage, RefusesWhatDoesNotFitTheSchemaAndNamesThePlace) {
  const auto refusal = [](const std::string& text) {
    const Expected<std::string> page = viewer_page(std::string_view(text));
    return page ? std::string() : page.error().message;
  };
  const std::string head = R"({"format":"toccata-report","version":1)";
  EXPECT_EQ(refusal(head + R"(,"query":"distance"})"), "");
  EXPECT_NE(refusal(head + "}").find("query: is missing"), std::string::npos);
  EXPECT_NE(refusal(head + R"(,"query":"distance","resutls":[]})").find("resutls"), std::string::npos);
  EXPECT_NE(refusal(head + R"(,"query":"distance","bodies":[{"name":"a","shape":0}]})").find("bodies[0]"),
            std::string::npos);
}

TEST(ViewerPage, ShowsBoxesAndStandsUpWhereAsked) {
  Report report = sample_report();
  const Expected<std::string> plain = viewer_page(report);
  const Expected<std::string> asked = viewer_page(report, {.up = 'x', .hierarchy_levels = 3});
  ASSERT_TRUE(plain && asked);
  EXPECT_EQ(plain->find("\"hierarchies\":[{\"body\""), std::string::npos);
  EXPECT_NE(asked->find("\"hierarchies\":[{\"body\":0"), std::string::npos);
  EXPECT_NE(asked->find("\"up\":\"x\""), std::string::npos);
  add_hierarchies(report, 3);
  ASSERT_EQ(report.hierarchies.size(), 2u);
  EXPECT_EQ(report.hierarchies[1].body, 1);
  EXPECT_LE(report.hierarchies[0].levels.size(), 3u);
}

TEST(ViewerPage, HoldsTwoReports) {
  const std::string first = to_json(sample_report());
  const Expected<std::string> both = comparison_page(first, {}, first, {.up = 'y'});
  ASSERT_TRUE(both);
  EXPECT_NE(both->find("toccata-comparison"), std::string::npos);
  EXPECT_NE(both->find("\"up\":\"y\""), std::string::npos);
  const Expected<std::string> wrong = comparison_page(first, {}, "{}", {});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("second report"), std::string::npos);
}

TEST(ViewerPage, ThinsOutAboveTheLimitAndSaysSo) {
  Report report = sample_report();
  report.shapes[0] = record_of(scenes::torus_knot({.along = 400, .around = 40}), "knot");
  const Expected<std::string> page = viewer_page(report, {.triangle_limit = 4000});
  ASSERT_TRUE(page);
  EXPECT_NE(page->find("\"triangles\":32000"), std::string::npos);
  EXPECT_NE(page->find("\"displayed_triangles\":"), std::string::npos);
}

TEST(VertexClustering, KeepsToTheLimitAndToTheShape) {
  const TriangleMesh knot = scenes::torus_knot({.along = 300, .around = 30});
  for (const std::size_t limit : {100u, 1000u, 10000u, 18000u}) {
    const VertexClustering thin = cluster_vertices(knot.vertices, knot.faces, limit);
    EXPECT_LE(thin.faces.size(), limit);
    EXPECT_GT(thin.faces.size(), limit / 3);
    EXPECT_TRUE(std::is_sorted(thin.kept.begin(), thin.kept.end()));
    for (const Face& face : thin.faces) {
      for (const std::int32_t index : face) ASSERT_LT(static_cast<std::size_t>(index), thin.kept.size());
    }
  }
}

TEST(VertexClustering, NeverMergesAcrossObjects) {
  TriangleMesh two = scenes::torus_knot({.along = 60, .around = 10});
  const auto n = static_cast<std::int32_t>(two.vertices.size());
  const std::size_t faces = two.faces.size();
  for (std::int32_t i = 0; i < n; ++i) two.vertices.push_back(two.vertices[i]);
  for (std::size_t i = 0; i < faces; ++i) {
    const Face f = two.faces[i];
    two.faces.push_back({f[0] + n, f[1] + n, f[2] + n});
  }
  const std::vector<std::int64_t> objects = {0, n};
  const VertexClustering thin = cluster_vertices(two.vertices, two.faces, 500, objects);
  const auto split = std::lower_bound(thin.kept.begin(), thin.kept.end(), n) - thin.kept.begin();
  EXPECT_EQ(2 * split, static_cast<std::ptrdiff_t>(thin.kept.size()));
  for (const Face& f : thin.faces) {
    EXPECT_EQ(f[0] < split, f[1] < split);
    EXPECT_EQ(f[0] < split, f[2] < split);
  }
}

}  // namespace
}  // namespace toccata
