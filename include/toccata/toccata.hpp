#pragma once
// The usual headers in one: shapes, motions, every question and its answer, files and reports.
//
//   #include <toccata/toccata.hpp>
#include "toccata/base/stop.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/broad_phase/broad_phase.hpp"
#include "toccata/ccd/body.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/ccd/deformable/frame_list.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/impact/linear_impact.hpp"
#include "toccata/impact/linear_motion_columns.hpp"
#include "toccata/io/mesh_io.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/motion/rigid_motion.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/ray_cast.hpp"
#include "toccata/proximity/self_intersection.hpp"
