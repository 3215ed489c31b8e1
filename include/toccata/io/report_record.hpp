#pragma once
// From the library's answers to the records of a report.
#include <string>

#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/hierarchy/shape.hpp"
#include "toccata/io/report.hpp"
#include "toccata/report/closest_approach_result.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/contact_intervals_result.hpp"
#include "toccata/report/deformable_contact.hpp"
#include "toccata/report/first_contact_result.hpp"

namespace toccata {

// The meshes of both bodies, for the text and the corners of features.
struct MeshPair {
  const TriangleMesh* a = nullptr;
  const TriangleMesh* b = nullptr;
};

ContactRecord record_of(const Contact& contact, const MeshPair& meshes = {});

// Contacts of separated bodies are left out: no field of the answer speaks of them.
ResultRecord record_of(const FirstContactResult& answer, const MeshPair& meshes = {});

// Bodies that touch become a contact, those that stay apart a closest approach.
ResultRecord record_of(const ClosestApproachResult& answer, const MeshPair& meshes = {});
ClosestApproachRecord closest_approach_record(const ClosestApproachResult& answer,
                                              const MeshPair& meshes = {});

ResultRecord record_of(const ContactIntervalsResult& answer);

// A distance at rest, between bodies 0 and 1.
ResultRecord record_of_distance(const Contact& closest, const MeshPair& meshes = {});

FrameContactRecord record_of(const DeformableContact& contact);

// Counts the contact under its kind, and takes its time if it is the earliest.
void count(const DeformableContact& contact, StepRecord& step);

// Embeds the mesh; `source` is the file it came from, or empty.
ShapeRecord record_of(const TriangleMesh& mesh, std::string name, std::string source = {});

// The same of any shape: the triangles of what is no mesh are for the eye.
ShapeRecord record_of(const Shape& shape, std::string name, std::string source = {});

}  // namespace toccata
