// A question that would take hours ends after a twentieth of a second, and says what is proven by then.
#include <cstdio>

#include "box.hpp"
#include "toccata/toccata.hpp"

int main() {
  using namespace toccata;
  // All that is known of the drone is a bound on its speed, and a wild one.
  CustomMotionBounds bounds;
  bounds.speed = 1e12;
  const CustomMotion drone([](double t) { return Pose{Matrix3::Identity(), {3.0 - t, 0, 0}}; }, bounds);
  const Body a = {box(1, 1, 1), drone}, b = {box(1, 1, 1)};

  FirstContactOptions options;
  options.stop.seconds = 0.05;
  const FirstContactResult found = first_contact(a, b, options);
  std::printf("%s, %s\n", to_string(found.status).data(),
              found.lower < 1.0 ? "not proven free to the end" : "proven free");

  // Or by a token, copies of which ask and are asked alike.
  const StopToken token = StopToken::create();
  options.stop = {.token = token};
  token.request_stop();  // usually in another thread, or in a signal handler
  std::printf("%s\n", to_string(first_contact(a, b, options).status).data());
}
// Output:
// out_of_budget, not proven free to the end
// out_of_budget
