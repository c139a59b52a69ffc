#pragma once

#include <cstdint>

#include "c/memory.h"
#include "shosa/c/base.h"

namespace shosa::c {

enum class Kind : std::uint32_t {
  none,
  buffer,
  clip,
  folder,
  graph,
  character_kind,
  character,
  ground,
  pin_drag,
  pose_moment
};
/// "clip"; a text that lasts for ever.
const char* kind_name(Kind kind);

/// What a handle names. Every kind of object has a `kKind`.
struct Object {
  virtual ~Object() = default;
};

/// The objects of a context by number: a place in the low 20 bits and a generation, from 1 on, in the high 12. A place
/// that has had its last generation stays empty for ever, so that no number is ever given twice.
class HandleTable {
 public:
  explicit HandleTable(const Allocator& allocator) : allocator_(allocator) {}
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;
  ~HandleTable();

  static constexpr std::uint32_t kPlaceBits = 20, kMostPlaces = 1U << kPlaceBits, kLastGeneration = 4095;

  /// 0 where there is no memory or no place left; the object is the table's only where it is not.
  shosa_handle add(Kind kind, Object* object);
  /// Kind::none for what is not there.
  Kind kind_of(shosa_handle handle) const {
    const Slot* slot = find(handle);
    return slot == nullptr ? Kind::none : slot->kind;
  }
  Object* object(shosa_handle handle, Kind kind) const {
    const Slot* slot = find(handle);
    return slot != nullptr && slot->kind == kind ? slot->object : nullptr;
  }
  bool remove(shosa_handle handle);
  std::uint32_t count() const { return count_; }

 private:
  struct Slot {
    Object* object;
    Kind kind;
    std::uint32_t generation;
    std::uint32_t next_free;  // place + 1; 0: none
  };
  Slot* find(shosa_handle handle) const {
    const std::uint32_t place = handle & (kMostPlaces - 1);
    if (place >= used_) return nullptr;
    Slot& slot = slots_[place];
    return slot.object != nullptr && slot.generation == handle >> kPlaceBits ? &slot : nullptr;
  }
  bool grow();

  Allocator allocator_;
  Slot* slots_ = nullptr;
  std::uint32_t capacity_ = 0, used_ = 0, first_free_ = 0, count_ = 0;
};

}  // namespace shosa::c

struct shosa_context {
  explicit shosa_context(const shosa::c::Allocator& from) : allocator(from), handles(from) {}

  shosa::c::Allocator allocator;
  shosa::c::HandleTable handles;
  void* user = nullptr;
  void (*log)(void* user, int32_t level, const char* text) = nullptr;
  shosa_status error_status = SHOSA_OK;
  const char* error_function = "";
  char error_text[2048] = "";  // long enough for a list of joints; setting it must not need memory
  std::uint32_t batch = 0;     // of `shosa_characters_update`, to see a character that stands in it twice
};
