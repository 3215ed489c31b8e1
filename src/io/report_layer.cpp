#include "toccata/io/report_layer.hpp"

namespace toccata {

const char* to_string(LayerKind kind) {
  switch (kind) {
    case LayerKind::Slice:
      return "slice";
    case LayerKind::Surface:
      return "surface";
    case LayerKind::Balls:
      return "balls";
    case LayerKind::Arrows:
      return "arrows";
    case LayerKind::Lines:
      return "lines";
  }
  return "";
}

const char* to_string(LayerColours colours) {
  switch (colours) {
    case LayerColours::Plain:
      return "plain";
    case LayerColours::Signed:
      return "signed";
    case LayerColours::Scale:
      return "scale";
    case LayerColours::Cells:
      return "cells";
  }
  return "";
}

}  // namespace toccata
