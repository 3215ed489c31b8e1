// Sentences of answers: never later than the truth, digits as the bracket allows, one text for one feature.
#include "toccata/io/sentence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "toccata/base/random.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_record.hpp"

namespace toccata {
namespace {

FirstContactResult contact_at(double lower, double upper) {
  FirstContactResult answer;
  answer.status = Status::Contact;
  answer.time = answer.lower = lower;
  answer.upper = upper;
  answer.distance = 3e-7;
  return answer;
}

// What a search found before its budget ended is said to be that, and no contact found is not said to be
// none.
TEST(Sentence, UnfinishedStepsClaimNoMoreThanIsProven) {
  StepRecord step;
  step.proven_until = 0.0;
  EXPECT_EQ(sentence(step), "Out of budget: no contact was found, but not all pairs were decided.");
  step.proven_until = 0.25;
  step.counted = false;
  EXPECT_EQ(sentence(step), "Out of budget: no contact up to t = 0.250000000, the rest is not decided.");
  EXPECT_EQ(sentence(std::vector<StepRecord>{step, {}}),
            "0 of 2 steps with contact; 1 out of budget, where there may be more.");
  step.counted = true;
  step.proven_until = 0.0;
  step.first_time = 0.5;
  step.edge_edge = 3;
  EXPECT_EQ(sentence(step),
            "Out of budget: 0 vertex-face and 3 edge-edge contacts found, the first at t = 0.500000000; "
            "there may be "
            "more.");
}

TEST(Sentence, TimesHaveTheDigitsOfTheirBracketAndAreNeverLate) {
  EXPECT_EQ(sentence(contact_at(0.25, 0.25)), "They first touch at t = 0.250000000.");
  EXPECT_EQ(sentence(contact_at(0.474013961, 0.474014672)), "They first touch at t = 0.474013.");
  EXPECT_EQ(sentence(contact_at(0.99, 1.0)),
            "They first touch at t = 0.990000000 (3e-07 apart, within the tolerance).");
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const double lower = 0.9 * random.unit(), width = std::pow(10.0, -1.0 - 14.0 * random.unit());
    const std::string text = sentence(contact_at(lower, lower + width));
    const double said = std::strtod(text.c_str() + std::string("They first touch at t = ").size(), nullptr);
    EXPECT_LE(said, lower) << text;
    EXPECT_GE(said, lower - 10.0 * std::max(width, 1e-9)) << text;
  }
}

TEST(Sentence, EveryEndingHasItsOwn) {
  FirstContactResult answer;
  EXPECT_EQ(sentence(answer), "They do not touch.");
  answer.status = Status::OverlapAtStart;
  EXPECT_EQ(sentence(answer), "They already touch at the start.");
  answer.inside = Inside::FirstInSecond;
  EXPECT_EQ(sentence(answer, {"the nut", "the box"}), "the nut is inside the box at the start.");
  answer.inside = Inside::SecondInFirst;
  EXPECT_EQ(sentence(answer), "B is inside A at the start.");
  answer = {};
  answer.status = Status::OutOfBudget;
  answer.lower = answer.time = 0.125;
  EXPECT_EQ(sentence(answer), "Out of budget: proven apart up to t = 0.125000000.");
  answer.status = Status::Failed;
  answer.failure = "the motion of A is not finite";
  EXPECT_EQ(sentence(answer), "the motion of A is not finite.");
}

TEST(Sentence, SaysWhatWasAskedFor) {
  FirstContactResult answer;
  answer.minimum_distance = 0.05;
  EXPECT_EQ(sentence(answer), "They do not come within 0.05 of each other.");
  answer.status = Status::Contact;
  answer.time = answer.lower = 0.25;
  answer.distance = 0.05;
  EXPECT_EQ(sentence(answer), "They first come within 0.05 of each other at t = 0.250000000.");
  answer.status = Status::OutOfBudget;
  EXPECT_EQ(sentence(answer), "Out of budget: proven farther than 0.05 apart up to t = 0.250000000.");
  answer.status = Status::OverlapAtStart;
  answer.distance = 0.01;
  EXPECT_EQ(sentence(answer), "They are within 0.05 of each other at the start: 0.01 apart.");
  answer.distance = 0.0;
  EXPECT_EQ(sentence(answer), "They already touch at the start.");
}

TEST(Sentence, SaysWhenBodiesInContactComeApart) {
  FirstContactResult answer;
  answer.apart_from = 0.1234567;  // said not too early
  EXPECT_EQ(sentence(answer),
            "They are in contact at the start, come apart at t = 0.123457, and do not touch again.");
  answer.status = Status::Contact;
  answer.time = answer.lower = answer.upper = 0.5;
  EXPECT_EQ(
      sentence(answer),
      "They are in contact at the start, come apart at t = 0.123457, and touch again at t = 0.500000000.");
  answer.minimum_distance = 2.0;
  EXPECT_EQ(sentence(answer),
            "They are within 2 of each other at the start, get farther apart at t = 0.123457, and come as "
            "close again "
            "at t = 0.500000000.");
  answer = {};
  answer.status = Status::OutOfBudget;
  answer.time = answer.lower = 0.5;
  answer.apart_from = 0.25;
  EXPECT_EQ(sentence(answer),
            "Out of budget: in contact at the start, and proven apart from t = 0.25 to t = 0.500000000.");
  answer.apart_from = 1.0;
  EXPECT_EQ(sentence(answer),
            "Out of budget: in contact at the start, which was followed up to t = 0.500000000 only.");
  answer.status = Status::OverlapAtStart;
  EXPECT_EQ(sentence(answer), "They already touch at the start, and never come apart.");
}

TEST(Sentence, OneIsOneAndZeroHasNoSign) {
  StepRecord step;
  step.first_time = 0.5;
  step.edge_edge = 1;
  EXPECT_EQ(sentence(step), "First contact at t = 0.500000000, 1 edge-edge contact.");
  step.vertex_face = 1;
  EXPECT_EQ(sentence(step), "First contact at t = 0.500000000, 1 vertex-face and 1 edge-edge contacts.");
  EXPECT_EQ(sentence(TrialCounts{.asked = 2, .answered = 1, .touching = 1}),
            "1 of 1 trial touches. Interrupted: 1 was not answered.");
  ContactRecord record;
  record.contact.point_a = record.contact.point_b = {-0.0, 1.0, -0.0};
  EXPECT_TRUE(contact_text(record).starts_with("at (0, 1, 0): ")) << contact_text(record);
}

TEST(Sentence, OutOfBudgetSaysWhatIsProven) {
  ClosestApproachResult closest;
  closest.status = Status::OutOfBudget;
  closest.distance = 0.25;
  closest.time = 0.5;
  EXPECT_EQ(sentence(closest), "Out of budget: the closest found is 0.25, at t = 0.5.");
  closest.lower_distance = 0.23456;
  EXPECT_EQ(
      sentence(closest),
      "Out of budget: the closest found is 0.25, at t = 0.5, and none is nearer than 0.234; they do not "
      "touch.");
  EXPECT_EQ(
      sentence(FirstContactResult(), closest),
      "They do not touch. Out of budget: the closest found is 0.25, at t = 0.5, and none is nearer than "
      "0.234.");
}

TEST(Sentence, ClearancesAreRoundedOutward) {
  FirstContactResult apart;
  ClosestApproachResult closest;
  closest.distance = 1.0;
  closest.lower_distance = 0.9999993;
  closest.time = 0.5;
  EXPECT_EQ(sentence(apart, closest),
            "They do not touch. The smallest clearance is 0.9999993 to 1, at t = 0.5.");
  closest.lower_distance = 1.0;
  EXPECT_EQ(sentence(closest), "They do not touch. The smallest clearance is 1, at t = 0.5.");
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    closest.distance = std::pow(10.0, 12.0 * random.unit() - 6.0);
    closest.lower_distance = closest.distance * (1.0 - std::pow(10.0, -8.0 * random.unit()));
    const std::string text = sentence(closest);
    const std::string from = "clearance is ";
    const char* start = text.c_str() + text.find(from) + from.size();
    char* end = nullptr;
    const double lower = std::strtod(start, &end);
    EXPECT_LE(lower, closest.lower_distance * (1 + 1e-15)) << text;
    if (std::string(end).starts_with(" to ")) {
      EXPECT_GE(std::strtod(end + 4, nullptr), closest.distance * (1 - 1e-15)) << text;
    }
  }
}

TEST(Sentence, IntervalsDistancesAndTrials) {
  ContactIntervalsResult intervals;
  EXPECT_EQ(sentence(intervals), "They do not touch.");
  intervals.intervals = {{1.0 / 3, 0.3334, 0.66, 2.0 / 3}};
  EXPECT_EQ(sentence(intervals), "They touch from t = 0.333333 to t = 0.666667.");
  intervals.intervals.push_back({0.8, 0.8, 0.9, 0.9});
  EXPECT_EQ(sentence(intervals), "They touch 2 times, first from t = 0.333333 to t = 0.666667.");
  DistanceResult distance;
  EXPECT_EQ(sentence(distance), "They are farther apart than was asked for.");
  distance.distance = 0.0;
  EXPECT_EQ(sentence(distance), "They touch.");
  distance.distance = 2.0;
  distance.lower_distance = 2.0 - 1e-15;
  EXPECT_EQ(sentence(distance), "They are 2 apart.");
  EXPECT_EQ(sentence(TrialCounts{.asked = 3, .answered = 3, .touching = 1}), "1 of 3 trials touches.");
  EXPECT_EQ(sentence(TrialCounts{.asked = 9, .answered = 3, .touching = 1, .undecided = 1}),
            "1 of 3 trials touches. 1 ran out of budget. Interrupted: 6 were not answered.");
  EXPECT_EQ(trial_label(0), "trial 0");
}

TEST(Sentence, FeaturesCarryTheNumbersOfTheMesh) {
  const TriangleMesh mesh = {{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)},
                             {{0, 1, 2}, {3, 2, 1}}};
  EXPECT_EQ(feature_text({FeatureKind::Vertex, 0, 1}, &mesh), "vertex 3");
  EXPECT_EQ(feature_text({FeatureKind::Edge, 2, 1}, &mesh), "edge 1-3");
  EXPECT_EQ(feature_text({FeatureKind::Face, 0, 1}, &mesh), "face 1");
  EXPECT_EQ(feature_text({FeatureKind::Edge, 2, 7}, &mesh), "edge");
  Contact contact;
  contact.feature_a = {FeatureKind::Edge, 2, 1};
  contact.feature_b = {FeatureKind::Face, 0, 0};
  const ContactRecord record = record_of(contact, {&mesh, &mesh});
  EXPECT_NE(contact_text(record, {"cup", "lid"}).find("edge 1-3 (triangle 1) of cup and face 0 of lid"),
            std::string::npos);
}

TEST(Sentence, StepsNameEveryKindOfContact) {
  StepRecord step;
  EXPECT_EQ(sentence(step), "No contact in the step.");
  DeformableContact contact;
  contact.impact.time = 0.5;
  contact.pair.kind = FeaturePairKind::VertexEdge;
  count(contact, step);
  EXPECT_EQ(sentence(step), "First contact at t = 0.500000000, 1 vertex-edge contact.");
  step.counted = false;
  EXPECT_EQ(sentence(step), "First contact at t = 0.500000000.");
  EXPECT_EQ(record_of(contact).kind, FeaturePairKind::VertexEdge);
}

}  // namespace
}  // namespace toccata
