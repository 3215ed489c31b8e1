#pragma once
// Grey images in the format PNG, as heights.
#include <cstddef>
#include <string>
#include <vector>

namespace toccata::app {

bool is_png_file(const std::string& path);  // by its name

struct GreyImage {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // from the first row on: 0 is black, 1 white, NaN what is wholly transparent
};

// Grey of 1 to 16 bits, with or without transparency. Colours and interlaced images are refused, damaged
// files too: throws UsageError.
GreyImage load_png(const std::string& path);

}  // namespace toccata::app
