#include "toccata/io/assimp_import.hpp"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <limits>

#include "geometry/vertex_welder.hpp"

namespace toccata {

Expected<TriangleMesh> import_with_assimp(const std::string& path) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  // Coordinates stay as the file has them, whichever axis it calls up.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* scene =
      importer.ReadFile(path, aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices);
  if (scene == nullptr) return Error{path + ": Assimp cannot read it: " + importer.GetErrorString()};
  TriangleMesh mesh;
  VertexWelder welder(mesh.vertices, true);
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& part = *scene->mMeshes[m];
    if (mesh.vertices.size() + part.mNumVertices > std::numeric_limits<std::int32_t>::max()) {
      return Error{path + ": expected at most 2147483647 vertices, found more"};
    }
    std::vector<std::int32_t> index(part.mNumVertices);
    for (unsigned v = 0; v < part.mNumVertices; ++v) {
      const aiVector3D& p = part.mVertices[v];
      index[v] = welder.index({p.x, p.y, p.z});
    }
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& face = part.mFaces[f];
      if (face.mNumIndices != 3) continue;
      mesh.faces.push_back({index[face.mIndices[0]], index[face.mIndices[1]], index[face.mIndices[2]]});
    }
  }
  if (mesh.vertices.empty()) return Error{path + ": the file holds no triangles"};
  const Expected<MeshSummary> summary = validate(mesh);
  if (!summary) return Error{path + ": " + summary.error().message};
  return mesh;
}

}  // namespace toccata
