// Reports: what is written can be read back, the page holds it, thinning out keeps to its limit.
#include "toccata/io/report_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/json_array.hpp"
#include "io/vertex_clustering.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/io/viewer_page.hpp"
#include "toccata/motion/rigid_motion.hpp"

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
  answer.contact.triangle_a = 7;
  answer.contact.triangle_b = 9;
  answer.contact.feature_a = {FeatureKind::Edge, 2};
  report.results.push_back(record_of(answer));
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

TEST(ReportJson, MotionsWithoutAFormulaAreSampledAtTheirBreakpoints) {
  Pose end;
  end.translation = Vector3(1, 0, 0);
  const std::vector<TimedPose> poses = {{0.0, Pose{}}, {0.3333, end}, {1.0, Pose{}}};
  const MotionRecord record = record_of(PiecewiseMotion(poses), 10);
  const auto& sampled = std::get<SampledMotionRecord>(record);
  ASSERT_EQ(sampled.times.size(), 12u);
  const auto at = std::find(sampled.times.begin(), sampled.times.end(), 0.3333);
  ASSERT_NE(at, sampled.times.end());
  EXPECT_NEAR(sampled.poses[static_cast<std::size_t>(at - sampled.times.begin())].translation.x(), 1.0,
              1e-12);
}

TEST(ReportJson, BadTextBecomesValidJson) {
  Report report = sample_report();
  report.shapes[0].name = "caf\xe9.obj";
  report.results[0].time = std::nan("");
  EXPECT_FALSE(Json::parse(to_json(report), nullptr, false).is_discarded());
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
  const auto bad_face =
      viewer_page(std::string_view(
                      R"({"format":"toccata-report","version":1,"shapes":[{"name":"s","triangles":9,
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
      R"({"format":"toccata-report","version":1,"shapes":[{"name":"one","source":"one.obj"}]})";
  const Expected<std::string> page = viewer_page(std::string_view(report), {.folder = folder.string()});
  ASSERT_TRUE(page);
  EXPECT_NE(page->find("\"triangles\":1"), std::string::npos);
  EXPECT_FALSE(viewer_page(std::string_view(report), {.folder = (folder / "nowhere").string()}));
  std::filesystem::remove_all(folder);
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
