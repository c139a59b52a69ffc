#include "shosa/documents/submovement_edits.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/rotations.h"

namespace shosa::documents {

namespace {

using submovement::After;
using submovement::PositionModel;
using submovement::RotationModel;
using Kind = SubmovementEdit::Kind;

Vec3d value_of(const PositionModel&, const Vec3d& place_m) {
  return place_m;
}
Quatd value_of(const RotationModel&, const Vec3d& rotation_rad) {
  return exp_rotation(rotation_rad);
}

Vec3d goal_moved_by(const PositionModel& model, std::size_t index, const Vec3d& by_m) {
  return goal_m(model, index) + by_m;
}
Quatd goal_moved_by(const RotationModel& model, std::size_t index, const Vec3d& by_rad) {
  return exp_rotation(by_rad) * goal(model, index);
}

// Edits on one model, whose submovements keep the numbers they had.
template <class Model>
class Editor {
 public:
  explicit Editor(const Model& model) : model_(model), count_(model.submovements.size()) {
    for (std::size_t k = 0; k < count_; ++k) ids_.push_back(k);
  }

  Result<void> make(const SubmovementEdit& edit) {
    if (edit.kind == Kind::insert) {
      const auto place = insert(model_, {edit.from, edit.to, edit.value}, After::stays);
      if (!place) return std::unexpected(place.error());
      edited_.push_back(next_id_);
      ids_.insert(at(*place), next_id_++);
      return {};
    }
    edited_.push_back(edit.index);
    if (edit.index == SubmovementEdit::kAll) return retime_all(edit);
    if (edit.index >= count_)
      return fail(ErrorCode::invalid_argument, "submovement {} is not there: there {}", edit.index,
                  count_ == 0 ? "is none" : fmt::format("are {}, 0 to {}", count_, count_ - 1));
    const auto found = std::find(ids_.begin(), ids_.end(), edit.index);
    if (found == ids_.end())
      return fail(ErrorCode::invalid_argument, "submovement {} is not there any more: an edit before took it out",
                  edit.index);
    return make_at(edit, static_cast<std::size_t>(found - ids_.begin()));
  }

  Model model() && { return std::move(model_); }
  EditedPlaces places() const {
    EditedPlaces places;
    for (const std::size_t id : edited_) {
      const auto found = std::find(ids_.begin(), ids_.end(), id);
      places.push_back(found == ids_.end() ? std::nullopt
                                           : std::optional(static_cast<std::size_t>(found - ids_.begin())));
    }
    return places;
  }

 private:
  std::vector<std::size_t>::iterator at(std::size_t index) { return ids_.begin() + static_cast<std::ptrdiff_t>(index); }

  Result<void> make_at(const SubmovementEdit& edit, std::size_t index) {
    const double t0_s = model_.submovements[index].t0_s, tf_s = model_.submovements[index].tf_s;
    switch (edit.kind) {
      case Kind::move_goal:
        return move_goal(model_, index, value_of(model_, edit.value));
      case Kind::move_goal_by:
        return move_goal(model_, index, goal_moved_by(model_, index, edit.value));
      case Kind::pass:
        return pass_through(model_, index, value_of(model_, edit.value));
      case Kind::set_timing:
        return retime(index, edit.from, edit.to);
      case Kind::shift:
        return retime(index, t0_s + edit.from, tf_s + edit.from);
      case Kind::stretch:
        return retime(index, t0_s, t0_s + edit.from * (tf_s - t0_s));
      case Kind::remove:
        ids_.erase(at(index));
        return remove(model_, index);
      default:
        if (index + 1 == ids_.size())
          return fail(ErrorCode::invalid_argument, "submovement {} is the last, expected one with a next", edit.index);
        ids_.erase(at(index + 1));
        return merge(model_, index);
    }
  }

  Result<void> retime(std::size_t index, double t0_s, double tf_s) {
    const auto place = set_timing(model_, index, t0_s, tf_s);
    if (!place) return std::unexpected(place.error());
    const std::size_t id = ids_[index];
    ids_.erase(at(index));
    ids_.insert(at(*place), id);
    return {};
  }

  Result<void> retime_all(const SubmovementEdit& edit) {
    const bool stretch = edit.kind == Kind::stretch;
    for (auto& s : model_.submovements) {
      const auto moved = [&](double time_s) { return stretch ? edit.from * time_s : time_s + edit.from; };
      s.t0_s = moved(s.t0_s);
      s.tf_s = moved(s.tf_s);
      if (!std::isfinite(s.t0_s) || !std::isfinite(s.tf_s) || !(s.t0_s < s.tf_s))
        return fail(ErrorCode::invalid_argument, "a submovement from {} s to {} s: its start must lie before its end",
                    s.t0_s, s.tf_s);
    }
    return {};
  }

  Model model_;
  std::size_t count_;
  std::vector<std::size_t> ids_;     // Of the submovements as they now are: numbers at first, ...
  std::size_t next_id_ = count_;     // ... then one more for each that is added.
  std::vector<std::size_t> edited_;  // What each edit was about.
};

}  // namespace

template <class Model>
Result<EditedPlaces> apply_edits(Model& model, std::span<const SubmovementEdit> edits) {
  Editor<Model> editor(model);
  for (const SubmovementEdit& edit : edits)
    if (const auto ok = editor.make(edit); !ok) return fail(ok.error().code, "{}: {}", edit.asked, ok.error().message);
  EditedPlaces places = editor.places();
  model = std::move(editor).model();
  return places;
}

template Result<EditedPlaces> apply_edits(PositionModel&, std::span<const SubmovementEdit>);
template Result<EditedPlaces> apply_edits(RotationModel&, std::span<const SubmovementEdit>);

}  // namespace shosa::documents
