// A character as bytes: a head that says what they are, then all that runs.

#include <cassert>

#include "character/character_impl.h"
#include "character/fingerprint.h"

namespace shosa::character {
namespace {

constexpr std::uint64_t kMark = 0x3172616863736873u;  ///< "shschar1" as it lies in memory.
constexpr std::uint32_t kVersion = 7;                 ///< Of what is written; grows when that changes.

struct Head {
  std::uint64_t mark = kMark;
  std::uint32_t version = kVersion;
  std::uint64_t data = 0;   ///< `CharacterData::fingerprint`.
  std::uint64_t size = 0;   ///< Of what follows …
  std::uint64_t check = 0;  ///< … and its hash.
  void visit_state(StateBytes& bytes) { bytes(mark, version, data, size, check); }
};
constexpr std::size_t kHeadSize = 4 * sizeof(std::uint64_t) + sizeof(std::uint32_t);

}  // namespace

void Character::Impl::visit_state(StateBytes& bytes) {
  bytes(player, steering, footing, layers, gaze, goals, going, time_s, ticked_s, now, before, shown);
  for (analysis::GroundPlace* at : {&place, &place_before, &shown_place, &step})
    bytes(at->x_m, at->z_m, at->heading_rad);
  bytes(facing_rad, speed_mps, clip_speed_mps, velocity_mps, detail, detail_before, hips_m, standing);
  for (Record& record : records) bytes(record.handle, record.outcome.status, record.outcome.reason, record.outcome.met);
  bytes(last_handle, event_count, events_shown, push, state);
  if (event_count < 0 || event_count > kMostEvents || events_shown < 0 || events_shown > event_count)
    return bytes.fail();
  for (int i = 0; i < event_count; ++i) bytes(events[i].kind, events[i].time_s, events[i].handle, events[i].index);
}

std::size_t Character::snapshot_size() const {
  StateBytes counted = StateBytes::measure();
  counted(*impl_);
  return kHeadSize + counted.size();
}

Result<void> Character::snapshot(std::span<std::byte> bytes) const {
  const std::size_t size = snapshot_size();
  if (bytes.size() != size)
    return fail(ErrorCode::invalid_argument, "room for {} bytes, expected {}", bytes.size(), size);
  const auto rest = bytes.subspan(kHeadSize);
  StateBytes body = StateBytes::write(rest);
  body(*impl_);
  Head head{.data = impl_->data->fingerprint(), .size = rest.size(), .check = Fingerprint().add(rest).value()};
  StateBytes written = StateBytes::write(bytes.first(kHeadSize));
  written(head);
  return {};
}

std::vector<std::byte> Character::snapshot() const {
  std::vector<std::byte> bytes(snapshot_size());
  [[maybe_unused]] const Result<void> written = snapshot(bytes);
  assert(written);  // the size is right
  return bytes;
}

Result<void> Character::restore(std::span<const std::byte> bytes) {
  const auto refuse = [](const char* what) { return fail(ErrorCode::bad_file, "snapshot of a character: {}", what); };
  if (bytes.size() < kHeadSize) return refuse("shorter than its head");
  Head head;
  StateBytes read = StateBytes::read(bytes.first(kHeadSize));
  read(head);
  if (head.mark != kMark) return refuse("these bytes are something else");
  if (head.version != kVersion) {
    return fail(ErrorCode::bad_file, "snapshot of a character: version {}, expected {}", head.version, kVersion);
  }
  if (head.data != impl_->data->fingerprint()) return refuse("of a character with other clips, graph or parameters");
  const auto rest = bytes.subspan(kHeadSize);
  if (rest.size() != head.size) {
    return fail(ErrorCode::bad_file, "snapshot of a character: {} bytes after the head, expected {}", rest.size(),
                head.size);
  }
  if (Fingerprint().add(rest).value() != head.check) return refuse("damaged");
  StateBytes body = StateBytes::read(rest);
  body(*impl_);
  assert(!body.failed() && body.size() == rest.size());
  return {};
}

}  // namespace shosa::character
