// Many moving bodies: events as numpy columns, and a response of Python's at each of them.
#include "toccata/world/world.hpp"

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <map>
#include <mutex>
#include <stdexcept>
#include <typeinfo>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "rigid.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::python {
namespace {

py::dict event_fields(const WorldEvent& event) {
  py::dict fields;
  fields["body_a"] = event.body_a;
  fields["body_b"] = event.body_b;
  fields["status"] = to_string(event.status);
  fields["inside"] = to_string(event.inside);
  fields["time"] = event.time;
  fields["lower"] = event.lower;
  fields["upper"] = event.upper;
  fields["group"] = event.group;
  fields["contact"] = fields_of(event.contact);
  fields["pose_a"] = array_of(event.pose_a);
  fields["pose_b"] = array_of(event.pose_b);
  return fields;
}

struct Events {
  std::shared_ptr<WorldEventsResult> result;

  py::dict columns() const {
    const std::span<const WorldEvent> rows(result->events);
    const py::capsule owner = owner_of(result);
    const auto add = [&](py::dict& to, const char* name, auto get) { to[name] = column(rows, owner, get); };
    py::dict columns;
    add(columns, "body_a", [](const WorldEvent& e) -> const std::int32_t& { return e.body_a; });
    add(columns, "body_b", [](const WorldEvent& e) -> const std::int32_t& { return e.body_b; });
    add(columns, "time", [](const WorldEvent& e) -> const double& { return e.time; });
    add(columns, "lower", [](const WorldEvent& e) -> const double& { return e.lower; });
    add(columns, "upper", [](const WorldEvent& e) -> const double& { return e.upper; });
    add(columns, "group", [](const WorldEvent& e) -> const std::int32_t& { return e.group; });
    add(columns, "point_a", [](const WorldEvent& e) -> const Vector3& { return e.contact.point_a; });
    add(columns, "point_b", [](const WorldEvent& e) -> const Vector3& { return e.contact.point_b; });
    add(columns, "normal", [](const WorldEvent& e) -> const Vector3& { return e.contact.normal; });
    return columns;
  }

  py::dict fields() const {
    py::dict fields;
    fields["status"] = to_string(result->status);
    fields["complete_until"] = result->complete_until;
    fields["near_pairs"] = result->near_pairs;
    fields["solved_pairs"] = result->solved_pairs;
    fields["known_pairs"] = result->known_pairs;
    fields["failure"] = result->failure;
    fields["sentence"] = sentence(*result);
    fields["stats"] = fields_of(result->stats);
    return fields;
  }

  py::dict event(std::size_t i) const { return event_fields(result->events.at(i)); }
};

// What a function of Python's may do, while it is called.
struct Response {
  WorldResponse* response = nullptr;
  std::vector<std::pair<std::int32_t, MotionPointer>>* given = nullptr;  // motions, for who looks after them

  WorldResponse& valid() const {
    if (response == nullptr) throw py::value_error("a response is over when its function has returned");
    return *response;
  }
  void set_motion(std::int32_t id, const MotionPointer& motion) const {
    valid().set_motion(id, std::shared_ptr<const Motion>(motion));
    given->push_back({id, motion});
  }
  void set_velocities(std::int32_t id, const py::object& velocities) const {
    const Points rows = points_of(velocities, "velocities");
    valid().set_velocities(id, {rows.span.begin(), rows.span.end()});
  }
};

// The library's world is for one thread at a time where it changes; Python's threads take turns. A function
// that answers an event may ask its world, but not change it.
class SharedWorld {
 public:
  template <typename Change>
  auto changed(Change change) {
    const py::gil_scoped_release release;
    const std::scoped_lock turn(mutex_);
    check_not_played();
    return change(world_);
  }

  template <typename Look>
  auto seen(Look look) {
    const py::gil_scoped_release release;
    const std::scoped_lock turn(mutex_);
    return look(std::as_const(world_));
  }

  std::int32_t insert(const std::shared_ptr<AnyShape>& shape, const MotionPointer& motion, bool solid,
                      std::uint32_t groups, std::uint32_t wants, bool is_static) {
    return changed([&](World& world) {
      const std::int32_t id = world.insert(body_of(*shape, motion, solid), {groups, wants, is_static});
      look_after(id, motion);
      return id;
    });
  }

  bool set_motion(std::int32_t id, const MotionPointer& motion) {
    return changed([&](World& world) {
      const bool is_set = world.set_motion(id, std::shared_ptr<const Motion>(motion));
      if (is_set) look_after(id, motion);
      return is_set;
    });
  }

  std::int32_t insert_deforming(const py::object& positions_t0, const py::object& positions_t1,
                                const py::object& faces, std::uint32_t groups, std::uint32_t wants,
                                bool is_static) {
    const Points start = points_of(positions_t0, "vertices_t0"), end = points_of(positions_t1, "vertices_t1");
    const Rows<3> corners = faces_of(faces, start.span.size(), "faces");
    DeformingBody body;
    body.mesh.vertices.assign(start.span.begin(), start.span.end());
    body.positions_t1.assign(end.span.begin(), end.span.end());
    for (const auto& face : corners.span) body.mesh.faces.push_back({face[0], face[1], face[2]});
    return changed([&](World& world) {
      const std::int32_t id = world.insert_deforming(std::move(body), {groups, wants, is_static});
      motions_.erase(id);
      return id;
    });
  }

  bool set_step(std::int32_t id, const py::object& positions_t0, const py::object& positions_t1) {
    const Points start = points_of(positions_t0, "vertices_t0"), end = points_of(positions_t1, "vertices_t1");
    return changed([&](World& world) {
      return world.set_step(id, {start.span.begin(), start.span.end()}, {end.span.begin(), end.span.end()});
    });
  }

  bool remove(std::int32_t id) {
    return changed([&](World& world) {
      motions_.erase(id);
      return world.remove(id);
    });
  }

  Events ask(const std::string& question, const py::dict& values) {
    return asked(values, [&](const WorldEventsOptions& options) {
      if (question == "first_contact") return world_.first_contact(options);
      if (question == "events") return world_.events(options);
      check_not_played();
      return world_.step(options);
    });
  }

  Events cast(const std::shared_ptr<AnyShape>& shape, const MotionPointer& motion, bool solid,
              const py::dict& values) {
    Events events = asked(values, [&](const WorldEventsOptions& options) {
      return world_.cast(body_of(*shape, motion, solid), options);
    });
    python::raise_pending(*motion);
    return events;
  }

  Events play(const py::function& respond, const py::dict& values) {
    std::vector<std::pair<std::int32_t, MotionPointer>> given;
    const auto called = [&](const WorldEvent& event, WorldResponse& response) {
      const py::gil_scoped_acquire acquire;
      const auto shown = std::make_shared<Response>(Response{&response, &given});
      const auto end_it = [](Response* over) { over->response = nullptr; };
      const std::unique_ptr<Response, decltype(end_it)> until_here(shown.get(), end_it);
      const py::object kept_apart = respond(event_fields(event), shown);
      if (!py::isinstance<py::bool_>(kept_apart))
        throw py::type_error(
            "the function must return True (the bodies are kept apart) or False (they may pass through each "
            "other), not " +
            py::repr(kept_apart).cast<std::string>());
      return kept_apart.cast<bool>();
    };
    return asked(values, [&](const WorldEventsOptions& options) {
      check_not_played();
      is_played_ = true;
      const auto end_it = [](bool* over) { *over = false; };
      const std::unique_ptr<bool, decltype(end_it)> until_here(&is_played_, end_it);
      WorldEventsResult played = world_.play(called, options);
      for (const auto& [id, motion] : given) look_after(id, motion);
      return played;
    });
  }

  py::dict within(double distance, double t, int threads) {
    auto near = std::make_shared<std::vector<NearBodies>>(answered(0.0, [&](const Stop&) {
      const std::scoped_lock turn(mutex_);
      return world_.at(t).within(distance, threads);
    }));
    raise_all();
    const std::span<const NearBodies> rows(*near);
    const py::capsule owner = owner_of(near);
    py::dict columns;
    columns["body_a"] =
        column(rows, owner, [](const NearBodies& n) -> const std::int32_t& { return n.body_a; });
    columns["body_b"] =
        column(rows, owner, [](const NearBodies& n) -> const std::int32_t& { return n.body_b; });
    columns["distance"] =
        column(rows, owner, [](const NearBodies& n) -> const double& { return n.distance; });
    columns["point_a"] =
        column(rows, owner, [](const NearBodies& n) -> const Vector3& { return n.contact.point_a; });
    columns["point_b"] =
        column(rows, owner, [](const NearBodies& n) -> const Vector3& { return n.contact.point_b; });
    columns["normal"] =
        column(rows, owner, [](const NearBodies& n) -> const Vector3& { return n.contact.normal; });
    return columns;
  }

  py::tuple nearest(const Triple& point, double t) {
    const NearestBody found = seen([&](const World& world) { return world.at(t).nearest(vector_of(point)); });
    return py::make_tuple(found.body, found.distance, array_of(found.contact.point_b));
  }

  py::tuple ray_cast(const Triple& origin, const Triple& direction, double t) {
    const WorldRayHit hit = seen([&](const World& world) {
      return world.at(t).ray_cast({vector_of(origin), vector_of(direction)});
    });
    return py::make_tuple(hit.body, hit.parameter, array_of(hit.point), array_of(hit.normal));
  }

  // (n, 4, 4), in the order of the ids.
  py::array poses(double t) {
    const std::vector<Pose> poses = seen([&](const World& world) {
      std::vector<Pose> all;
      for (const std::int32_t id : world.ids()) all.push_back(world.body(id).motion->pose(t));
      return all;
    });
    raise_all();
    py::array_t<double> all({static_cast<py::ssize_t>(poses.size()), py::ssize_t{4}, py::ssize_t{4}});
    auto to = all.mutable_unchecked<3>();
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const auto row = static_cast<py::ssize_t>(i);
      for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c)
          to(row, r, c) = r == 3   ? (c == 3 ? 1.0 : 0.0)
                          : c == 3 ? poses[i].translation[r]
                                   : poses[i].rotation(r, c);
      }
    }
    return all;
  }

 private:
  template <typename Ask>
  Events asked(const py::dict& values, Ask ask) {
    WorldEventsOptions options;
    options.pair = first_contact_options_of(values);
    options.pair.threads = values["threads"].cast<int>();
    options.pair.budget = 0;
    options.until = values["until"].cast<double>();
    options.budget = values["budget"].cast<std::int64_t>();
    Events events{answered(
        options.pair.stop.seconds,
        [&](const Stop& stop) {
          const std::scoped_lock turn(mutex_);
          options.pair.stop = stop;
          return std::make_shared<WorldEventsResult>(ask(options));
        },
        [&] { raise_all(); })};
    return events;
  }

  // With the GIL: what motions raised is looked at after the world is free again.
  void raise_all() {
    const std::map<std::int32_t, MotionPointer> motions = seen([this](const World&) { return motions_; });
    for (const auto& [id, motion] : motions) python::raise_pending(*motion);
  }

  // Only what is no motion of the library's own can raise.
  void look_after(std::int32_t id, const MotionPointer& motion) {
    if (typeid(*motion) == typeid(RigidMotion)) {
      motions_.erase(id);
    } else {
      motions_[id] = motion;
    }
  }

  void check_not_played() const {
    if (is_played_)
      throw std::invalid_argument(
          "world: a function that answers an event changes bodies by response.set_motion, not the world");
  }

  std::recursive_mutex mutex_;
  World world_;
  std::map<std::int32_t, MotionPointer> motions_;  // that functions of Python's may be behind
  bool is_played_ = false;
};

}  // namespace

void bind_world(py::module_& module) {
  py::class_<Events>(module, "WorldEvents")
      .def("columns", &Events::columns)
      .def("fields", &Events::fields)
      .def("event", &Events::event);
  py::class_<Response, std::shared_ptr<Response>>(module, "WorldResponse")
      .def("set_motion", &Response::set_motion)
      .def("set_velocities", &Response::set_velocities)
      .def("stop", [](const Response& r) { r.valid().stop(); });
  py::class_<SharedWorld, std::shared_ptr<SharedWorld>>(module, "World")
      .def(py::init<>())
      .def("insert", &SharedWorld::insert)
      .def("insert_deforming", &SharedWorld::insert_deforming)
      .def("set_step", &SharedWorld::set_step)
      .def("set_motion", &SharedWorld::set_motion)
      .def("remove", &SharedWorld::remove)
      .def("set_filter",
           [](SharedWorld& w, std::int32_t id, std::uint32_t groups, std::uint32_t wants, bool is_static) {
             return w.changed([&](World& world) { return world.set_filter(id, {groups, wants, is_static}); });
           })
      .def("switch",
           [](SharedWorld& w, std::int32_t a, std::int32_t b, bool on) {
             return w.changed(
                 [&](World& world) { return on ? world.switch_on(a, b) : world.switch_off(a, b); });
           })
      .def("generation",
           [](SharedWorld& w, std::int32_t id) {
             return w.seen([&](const World& world) { return world.handle(id).generation; });
           })
      .def("ids",
           [](SharedWorld& w) { return array_of(w.seen([](const World& world) { return world.ids(); })); })
      .def("poses", &SharedWorld::poses)
      .def("ask", &SharedWorld::ask)
      .def("cast", &SharedWorld::cast)
      .def("play", &SharedWorld::play)
      .def("within", &SharedWorld::within)
      .def("nearest", &SharedWorld::nearest)
      .def("ray_cast", &SharedWorld::ray_cast);
}

}  // namespace toccata::python
