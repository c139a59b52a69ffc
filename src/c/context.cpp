#include "c/context.h"

#include <algorithm>
#include <cstring>

#include "c/call.h"
#include "c/objects.h"
#include "shosa/c/shosa.h"

namespace shosa::c {

const char* kind_name(Kind kind) {
  constexpr const char* kNames[] = {"nothing",        "buffer",    "clip",   "folder",   "graph",
                                    "character kind", "character", "ground", "pin_drag", "pose moment"};
  return kNames[static_cast<std::size_t>(kind)];
}

HandleTable::~HandleTable() {
  for (std::uint32_t place = 0; place < used_; ++place) delete slots_[place].object;
  allocator_.give_back(slots_, capacity_ * sizeof(Slot), alignof(Slot));
}

bool HandleTable::grow() {
  const std::uint32_t capacity = std::min(kMostPlaces, capacity_ == 0 ? 64 : 2 * capacity_);
  if (capacity == capacity_) return false;
  auto* slots = static_cast<Slot*>(allocator_.take(capacity * sizeof(Slot), alignof(Slot)));
  if (slots == nullptr) return false;
  std::copy_n(slots_, used_, slots);
  allocator_.give_back(slots_, capacity_ * sizeof(Slot), alignof(Slot));
  slots_ = slots;
  capacity_ = capacity;
  return true;
}

shosa_handle HandleTable::add(Kind kind, Object* object) {
  std::uint32_t place = 0;
  if (first_free_ != 0) {
    place = first_free_ - 1;
    first_free_ = slots_[place].next_free;
  } else {
    if (used_ == capacity_ && !grow()) return 0;
    place = used_++;
    slots_[place].generation = 1;
  }
  Slot& slot = slots_[place];
  slot.object = object;
  slot.kind = kind;
  slot.next_free = 0;
  ++count_;
  return slot.generation << kPlaceBits | place;
}

bool HandleTable::remove(shosa_handle handle) {
  Slot* slot = find(handle);
  if (slot == nullptr) return false;
  delete slot->object;
  slot->object = nullptr;
  --count_;
  if (slot->generation == kLastGeneration) return true;
  ++slot->generation;
  slot->next_free = first_free_;
  first_free_ = (handle & (kMostPlaces - 1)) + 1;
  return true;
}

void Call::set_error(shosa_status status, std::string_view text) {
  shosa_context& context = context_;
  failed_ = true;
  context.error_status = status;
  context.error_function = function_;
  std::size_t length = std::min(text.size(), sizeof(context.error_text) - 1);
  // Not in the middle of a letter.
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  std::memcpy(context.error_text, text.data(), length);
  context.error_text[length] = '\0';
  if (context.log != nullptr) context.log(context.user, SHOSA_LOG_ERROR, context.error_text);
}

namespace {
shosa_status status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return SHOSA_BAD_ARGUMENT;
    case ErrorCode::cannot_read:
      return SHOSA_CANNOT_READ;
    case ErrorCode::bad_file:
      return SHOSA_BAD_FILE;
    case ErrorCode::cannot_write:
      return SHOSA_CANNOT_WRITE;
    case ErrorCode::not_possible:
      return SHOSA_NOT_POSSIBLE;
  }
  return SHOSA_FAILED;
}
}  // namespace

void Call::fail(const Error& error) {
  if (!failed_) set_error(status_of(error.code), error.message);
}

Object* Call::find_object(shosa_handle handle, Kind kind) {
  Object* object = context_.handles.object(handle, kind);
  if (object != nullptr || failed_) return failed_ ? nullptr : object;
  const Kind found = context_.handles.kind_of(handle);
  if (found != Kind::none) {
    fail(SHOSA_BAD_HANDLE, "handle {} is a {}, expected a {}", handle, kind_name(found), kind_name(kind));
  } else if (handle == 0) {
    fail(SHOSA_BAD_HANDLE, "handle 0, expected a {}", kind_name(kind));
  } else {
    fail(SHOSA_BAD_HANDLE, "handle {} names nothing (any more), expected a {}", handle, kind_name(kind));
  }
  return nullptr;
}

bool Call::add_object(Kind kind, Object* object, shosa_handle* out) {
  *out = context_.handles.add(kind, object);
  if (*out != 0) return true;
  delete object;
  fail(SHOSA_OUT_OF_MEMORY, "no memory for another {}", kind_name(kind));
  return false;
}

void Call::give_bytes(shosa_buffer* out, std::string_view bytes) {
  if (out == nullptr || failed_) return;
  auto buffer = std::make_unique<BufferObject>(context_.allocator, bytes.size());
  if (!buffer->memory) return fail(SHOSA_OUT_OF_MEMORY, "no memory for {} bytes", bytes.size());
  std::memcpy(buffer->memory.bytes(), bytes.data(), bytes.size());
  give(out, std::move(buffer));
}

void Call::say(const Notes& notes) {
  if (context_.log == nullptr) return;
  for (const Note& note : notes)
    context_.log(context_.user, note.is_done() ? SHOSA_LOG_NOTE : SHOSA_LOG_WARNING, note.text.c_str());
}

}  // namespace shosa::c

using namespace shosa::c;

uint32_t shosa_version(void) {
  return SHOSA_VERSION;
}

const char* shosa_version_text(void) {
  return SHOSA_VERSION_TEXT;
}

int32_t shosa_has_feature(const char* name) {
  if (name == nullptr) return 0;
  const std::string_view wanted = name;
#ifdef SHOSA_HAS_ASSIMP
  if (wanted == "fbx") return 1;
#endif
  if (wanted == "snapshot") return 1;
#ifndef __wasm__
  if (wanted == "files" || wanted == "threads") return 1;
#endif
  return 0;
}

const char* shosa_status_name(shosa_status status) {
  constexpr const char* kNames[] = {"ok",           "bad_argument", "bad_handle",    "cannot_read",   "bad_file",
                                    "cannot_write", "not_possible", "out_of_memory", "wrong_version", "failed"};
  return status >= 0 && status < static_cast<int>(std::size(kNames)) ? kNames[status] : "unknown";
}

shosa_status shosa_context_create(const shosa_context_params* params, shosa_context** out) {
  if (out == nullptr) return SHOSA_BAD_ARGUMENT;
  *out = nullptr;
  shosa_context_params own = SHOSA_CONTEXT_PARAMS_INIT;
  if (params != nullptr) {
    if (params->size < sizeof(own)) return SHOSA_BAD_ARGUMENT;
    if (params->size > sizeof(own)) return SHOSA_WRONG_VERSION;
    own = *params;
  }
  if (own.version >> 8 != SHOSA_VERSION >> 8) return SHOSA_WRONG_VERSION;
  if ((own.allocate == nullptr) != (own.release == nullptr)) return SHOSA_BAD_ARGUMENT;
  const Allocator allocator{own.user, own.allocate, own.release};
  void* memory = allocator.take(sizeof(shosa_context), alignof(shosa_context));
  if (memory == nullptr) return SHOSA_OUT_OF_MEMORY;
  *out = new (memory) shosa_context(allocator);
  (*out)->user = own.user;
  (*out)->log = own.log;
  return SHOSA_OK;
}

void shosa_context_destroy(shosa_context* context) {
  if (context == nullptr) return;
  const Allocator allocator = context->allocator;
  context->~shosa_context();
  allocator.give_back(context, sizeof(shosa_context), alignof(shosa_context));
}

const char* shosa_error_text(const shosa_context* context) {
  return context == nullptr ? "the context is NULL" : context->error_text;
}

const char* shosa_error_function(const shosa_context* context) {
  return context == nullptr ? "" : context->error_function;
}

shosa_status shosa_error_status(const shosa_context* context) {
  return context == nullptr ? SHOSA_BAD_ARGUMENT : context->error_status;
}

shosa_status shosa_handle_kind(shosa_context* context, shosa_handle handle, const char** out) {
  return call(context, "shosa_handle_kind", [&](Call& c) {
    c.clear(out);
    const Kind kind = context->handles.kind_of(handle);
    if (kind == Kind::none) c.fail(SHOSA_BAD_HANDLE, "handle {} names nothing", handle);
    if (!c.failed()) *out = kind_name(kind);
  });
}

shosa_status shosa_free(shosa_context* context, shosa_handle handle) {
  return call(context, "shosa_free", [&](Call& c) {
    if (!context->handles.remove(handle)) c.fail(SHOSA_BAD_HANDLE, "handle {} names nothing (any more)", handle);
  });
}

shosa_status shosa_handle_count(shosa_context* context, uint32_t* out) {
  return call(context, "shosa_handle_count", [&](Call& c) {
    if (c.clear(out)) *out = context->handles.count();
  });
}

shosa_status shosa_buffer_create(shosa_context* context, const void* data, size_t size, shosa_buffer* out) {
  return call(context, "shosa_buffer_create", [&](Call& c) {
    if (!c.clear(out)) return;
    if (size > kMostBytes) return c.fail(SHOSA_OUT_OF_MEMORY, "{} bytes, expected {} at most", size, kMostBytes);
    auto buffer = std::make_unique<BufferObject>(context->allocator, size);
    if (!buffer->memory) return c.fail(SHOSA_OUT_OF_MEMORY, "no memory for {} bytes", size);
    if (data != nullptr) std::memcpy(buffer->memory.bytes(), data, size);
    c.give(out, std::move(buffer));
  });
}

shosa_status shosa_buffer_data(shosa_context* context, shosa_buffer buffer, void** data, size_t* size) {
  return call(context, "shosa_buffer_data", [&](Call& c) {
    if (data != nullptr) *data = nullptr;
    if (size != nullptr) *size = 0;
    const auto* object = c.find<BufferObject>(buffer);
    if (object == nullptr) return;
    if (data != nullptr) *data = object->memory.bytes();
    if (size != nullptr) *size = object->size;
  });
}
