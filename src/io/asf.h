#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/core/skeleton.h"

namespace shosa::io {

/// One degree of freedom of an Acclaim bone: tx ty tz (0 to 2), rx ry rz (3 to 5), length (6).
using AcclaimDof = int;

struct AcclaimBone {
  std::string name;
  JointIndex parent = kNoJoint;      ///< In `AcclaimSkeleton::bones`.
  Vec3d tip = Vec3d::Zero();         ///< Direction times length: from this joint to its children. File units.
  Quatd axis = Quatd::Identity();    ///< C: the axes in which `dof` turns.
  std::vector<AcclaimDof> dof = {};  ///< In the order of the values in the .amc.
  std::vector<int> turn_order = {};  ///< Columns of `dof` in the order in which the turns are applied.
};

struct AcclaimSkeleton {
  std::vector<AcclaimBone> bones;  ///< Parents first; 0 is the root.
  Vec3d root_position = Vec3d::Zero();
  double length_scale = 1.0;  ///< `length` of the units section; 1 when there is none.
  bool degrees = true;
};

/// Splits a text into lines of words; comments (#) and blank lines are left out.
class AcclaimLines {
 public:
  AcclaimLines(std::string_view text, std::string_view file);
  /// Goes to the next line with words; false at the end.
  bool next();
  /// The current line is met again by the following `next`.
  void put_back() { repeat_ = true; }
  const std::vector<std::string_view>& words() const { return words_; }
  std::unexpected<Error> fail_here(std::string_view found, std::string_view expected) const;
  /// Word `index` of the line as a finite number.
  Result<double> number(std::size_t index, std::string_view what) const;

 private:
  std::string_view text_;
  std::string_view file_;
  std::size_t position_ = 0;
  std::size_t line_ = 0;
  bool repeat_ = false;
  std::vector<std::string_view> words_;
};

Result<AcclaimSkeleton> parse_acclaim_skeleton(std::string_view text, std::string_view file);

}  // namespace shosa::io
