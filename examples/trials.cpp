// Ten thousand trials of one pair of bodies, on all cores.
#include <cstdio>
#include <vector>

#include "box.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"

int main() {
  using namespace toccata;
  const Shape moving(box(1, 1, 1));
  const Shape fixed(box(1, 2, 3));

  // A hundred by a hundred straight motions past the fixed body, turning a little.
  std::vector<BodyPair> pairs;
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < 100; ++j) {
      const Vector3 start(-5, 0.05 * i, 0.05 * j);
      const auto motion = RigidMotion::with_velocity({Matrix3::Identity(), start}, {10, 0, 0}, {0, 0, 1});
      pairs.push_back({{moving, motion}, {fixed}});
    }
  }
  const std::vector<FirstContactResult> results = first_contacts(pairs);

  int touching = 0;
  double first = 1.0;
  for (const FirstContactResult& result : results) {
    touching += result.status == Status::Contact ? 1 : 0;
    first = result.time < first ? result.time : first;
  }
  std::printf("%zu trials, %d touch, the first at t = %.4f\n", results.size(), touching, first);
  return 0;
}
// Output:
// 10000 trials, 1394 touch, the first at t = 0.3849
