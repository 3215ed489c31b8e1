// Any bytes, as an array, an archive or a mesh of numpy, give what they hold or an error that names the file.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "toccata/io/numpy_io.hpp"

using namespace toccata;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  if (const Expected<NumpyArray> array = parse_npy(content, "fuzz")) {
    std::size_t count = 1;
    for (const std::size_t length : array->shape) count *= length;
    if (count != array->values.size()) std::abort();
  } else if (!array.error().message.starts_with("fuzz")) {
    std::abort();
  }
  if (const Expected<std::vector<NpzEntry>> entries = parse_npz(content, "fuzz")) {
    for (const NpzEntry& entry : *entries) {
      if (entry.npy.size() > size || entry.npy.data() < content.data()) std::abort();
    }
  }
  for (const char* name : {"fuzz.npy", "fuzz.npz"}) {
    const Expected<TriangleMesh> mesh = parse_numpy_mesh(content, name);
    if (mesh && !validate(*mesh)) std::abort();
  }
  return 0;
}
