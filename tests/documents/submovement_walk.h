#pragma once

#include "scenes/scenes.h"
#include "shosa/documents/submovement_play.h"

namespace shosa::documents {

/// A walk of two seconds as submovements, with its stances.
inline const submovement::BodyDecomposition& walking_submovements() {
  static const submovement::BodyDecomposition body = [] {
    const Clip clip = scenes::walk({.duration_s = 2.0}).clip;
    submovement::BodyDecomposition made = submovement::decompose_body(clip)->body;
    made.feet = *stances_of(analysis::study(clip, body::guess_body_map(clip.skeleton())));
    return made;
  }();
  return body;
}

}  // namespace shosa::documents
