#include "shosa/character/character.h"

#include "character/character_impl.h"
#include "shosa/core/parallel.h"

namespace shosa::character {

Result<Character> Character::create(std::shared_ptr<const CharacterData> data, const CharacterParams& params) {
  if (!data) return fail(ErrorCode::invalid_argument, "no data");
  const int count = static_cast<int>(data->states().size());
  if (params.start_state < -1 || params.start_state >= count) {
    return fail(ErrorCode::invalid_argument, "the start is state number {}, expected 0 to {}, or -1",
                params.start_state, count - 1);
  }
  const int state = params.start_state >= 0 ? params.start_state : data->still_state();
  const graph::NodeIndex start = state >= 0 ? data->states()[state].nodes.front() : 0;
  // The plane begins at the origin, facing +Z.
  auto player = data->player().another(start);
  if (!player) return std::unexpected(player.error());
  auto impl = std::make_unique<Impl>(std::move(data), std::move(*player));
  impl->begin(params.place);
  return Character(std::move(impl));
}

void Character::set_ground(const feet::GroundView& ground) {
  impl_->ground = ground;
  // Before the first frame was shown it stands on it; later it comes to it in its next steps.
  if (impl_->ticked_s == 0.0) impl_->settle_on_ground();
}

void Character::set_detail(Detail detail) {
  impl_->detail = detail;
}
Detail Character::detail() const {
  return impl_->detail;
}

void Character::update(double dt_s) {
  Impl& impl = *impl_;
  impl.forget_events();
  const analysis::GroundPlace from = impl.shown_place;
  impl.time_s += dt_s > 0.0 ? std::min(dt_s, 1.0) : 0.0;
  while (impl.ticked_s < impl.time_s - 1e-9) impl.tick();
  impl.show();
  impl.events_shown = impl.event_count;
  const Vec3d way =
      about_y(-from.heading_rad) * Vec3d(impl.shown_place.x_m - from.x_m, 0.0, impl.shown_place.z_m - from.z_m);
  impl.step = {way.x(), way.z(), wrap_angle(impl.shown_place.heading_rad - from.heading_rad)};
}

double Character::time_s() const {
  return impl_->time_s;
}
const Pose& Character::pose() const {
  return impl_->shown;
}
analysis::GroundPlace Character::place() const {
  return impl_->shown_place;
}
const analysis::GroundPlace& Character::root_step() const {
  return impl_->step;
}
std::uint8_t Character::contacts() const {
  return impl_->standing;
}
std::span<const Event> Character::events() const {
  return {impl_->events.data(), static_cast<std::size_t>(impl_->events_shown)};
}
int Character::state() const {
  return impl_->state;
}
double Character::speed_mps() const {
  return impl_->speed_mps;
}
const CharacterData& Character::data() const {
  return *impl_->data;
}

void update_all(std::span<Character* const> characters, double dt_s) {
  parallel_for(characters.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) characters[c]->update(dt_s);
  });
}
void update_all(std::span<Character> characters, double dt_s) {
  parallel_for(characters.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) characters[c].update(dt_s);
  });
}

Character::Character(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Character::Character(Character&&) noexcept = default;
Character& Character::operator=(Character&&) noexcept = default;
Character::~Character() = default;

}  // namespace shosa::character
