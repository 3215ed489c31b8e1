#include "contact_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <iterator>

#include "command.hpp"
#include "report_options.hpp"

namespace toccata::app {
namespace {

std::array<double, 13> numbers(const Impact& i) {
  return {i.time,     i.lower,    i.upper,    i.weights[0], i.weights[1], i.weights[2], i.weights[3],
          i.point[0], i.point[1], i.point[2], i.normal[0],  i.normal[1],  i.normal[2]};
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

ContactWriter::ContactWriter(const std::string& path, bool force, const InputFiles& inputs)
    : path_(path), binary_(ends_with(path, ".bin")) {
  static_assert(std::endian::native == std::endian::little, "records are written as they lie in memory");
  if (!binary_ && !ends_with(path, ".csv")) {
    throw UsageError("--contacts " + path + ": the name must end in .csv or .bin");
  }
  refuse_output(path, force, inputs);
  file_.open(path, std::ios::binary);
  if (!file_) throw UsageError("--contacts " + path + ": cannot be written");
  file_ << (binary_
                ? "TOCCATA1"
                : "step,kind,first,second,status,time,lower,upper,weight0,weight1,weight2,weight3,point_x,"
                  "point_y,point_z,normal_x,normal_y,normal_z\n");
}

void ContactWriter::add(std::int32_t step, const std::vector<DeformableContact>& contacts) {
  std::string buffer;
  for (const DeformableContact& c : contacts) {
    const auto values = numbers(c.impact);
    if (binary_) {
      const std::array<std::int32_t, 6> ids = {
          step,          static_cast<std::int32_t>(c.pair.kind),     c.pair.first,
          c.pair.second, static_cast<std::int32_t>(c.impact.status), 0};
      buffer.append(reinterpret_cast<const char*>(ids.data()), sizeof(ids));
      buffer.append(reinterpret_cast<const char*>(values.data()), sizeof(values));
    } else {
      auto out = std::back_inserter(buffer);
      fmt::format_to(out, "{},{},{},{},{}", step, to_string(c.pair.kind), c.pair.first, c.pair.second,
                     to_string(c.impact.status));
      for (const double value : values) fmt::format_to(out, ",{}", value + 0.0);  // no -0
      buffer += '\n';
    }
  }
  file_ << buffer;
  if (!file_) throw UsageError("--contacts " + path_ + ": writing failed");
}

void ContactWriter::close() {
  file_.close();
  if (!file_) throw UsageError("--contacts " + path_ + ": writing failed");
}

}  // namespace toccata::app
