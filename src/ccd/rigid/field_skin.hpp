#pragma once
// What is apart from a height field touches its boundary before anything in it: a point of the other body
// that is inside the solid has been inside for a moment, so that the first one is not. The boundary is the
// tops of the columns, the walls at the border of the field and of holes, and the floor, which is not met by
// a body that stays above it. Boxes around tops are tighter than boxes around columns.
#include "ccd/search/search_question.hpp"

namespace toccata::rigid {

// Lets a search from question.start on see nothing but the skin of a height field that stands still, where
// the other body is proven apart from it then and stays above its floor. Otherwise the question is left as it
// is.
void see_skin(search::SearchQuestion& question, QueryStats& stats);

}  // namespace toccata::rigid
