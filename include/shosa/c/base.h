#pragma once

/// The context, what it says about errors, and what can be done with every handle. Begin with shosa/c/shosa.h.

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(SHOSA_C_BUILDING)
#define SHOSA_API __declspec(dllexport)
#elif defined(_WIN32)
#define SHOSA_API
#else
#define SHOSA_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Of this header: major * 65536 + minor * 256 + patch.
#define SHOSA_VERSION 0x000100u
/// Of the library that is running.
SHOSA_API uint32_t shosa_version(void);
/// "0.1.0".
SHOSA_API const char* shosa_version_text(void);
/// 1 where the library can do it, else 0: "fbx" (reads .fbx), "files" (reads and writes files by path), "threads"
/// (work is shared out over cores), "snapshot" (characters can be stored).
SHOSA_API int32_t shosa_has_feature(const char* name);

typedef int32_t shosa_status;
enum {
  SHOSA_OK = 0,
  SHOSA_BAD_ARGUMENT = 1,  ///< NULL, not a number, out of bounds, a wrong size: a bug of the caller.
  SHOSA_BAD_HANDLE = 2,    ///< 0, of another kind, or freed.
  SHOSA_CANNOT_READ = 3,   ///< A file or text that is not there.
  SHOSA_BAD_FILE = 4,      ///< Read, and makes no sense; the text names line, byte or key.
  SHOSA_CANNOT_WRITE = 5,  ///< Nothing was left half written.
  SHOSA_NOT_POSSIBLE = 6,  ///< Understood, but cannot be done with this input.
  SHOSA_OUT_OF_MEMORY = 7,
  SHOSA_WRONG_VERSION = 8,  ///< Header and library do not fit, or a struct asks for what the library does not know.
  SHOSA_FAILED = 9          ///< A fault of the library itself.
};
/// "bad_argument", …; "unknown" for a number that is no status.
SHOSA_API const char* shosa_status_name(shosa_status status);

/// What a library says to people: notes (what was done), warnings (what may be wrong), errors (also in the context).
enum {
  SHOSA_LOG_NOTE = 0,
  SHOSA_LOG_WARNING = 1,
  SHOSA_LOG_ERROR = 2
};

typedef struct shosa_context shosa_context;

typedef struct shosa_context_params {
  uint32_t size;
  uint32_t version;  ///< SHOSA_VERSION of the caller. Another major or minor version is refused.
  void* user;        ///< Handed to the functions below.
  /// Both or none. Memory of the context itself, of its handles, and of buffers and arrays of postures. Texts and what
  /// the methods work with inside come from C++'s operator new. `alignment` is a power of two up to 64. NULL: no
  /// memory.
  void* (*allocate)(void* user, size_t bytes, size_t alignment);
  void (*release)(void* user, void* memory, size_t bytes, size_t alignment);
  void (*log)(void* user, int32_t level, const char* text);  ///< May be NULL. Must not call the context.
} shosa_context_params;
#define SHOSA_CONTEXT_PARAMS_INIT \
  { sizeof(shosa_context_params), SHOSA_VERSION, NULL, NULL, NULL, NULL }

/// `params` may be NULL. The context is the one thing that is named by a pointer: after `destroy` it must not be used.
SHOSA_API shosa_status shosa_context_create(const shosa_context_params* params, shosa_context** out);
/// Frees everything that is left. NULL: nothing is done.
SHOSA_API void shosa_context_destroy(shosa_context* context);

/// Of the last call that failed: what was found, what was expected, where. "" before the first.
SHOSA_API const char* shosa_error_text(const shosa_context* context);
/// The function that failed: "shosa_clip_read".
SHOSA_API const char* shosa_error_function(const shosa_context* context);
SHOSA_API shosa_status shosa_error_status(const shosa_context* context);

/// Names an object of a context. All are of this type; which kind a function takes is said by the names below.
typedef uint32_t shosa_handle;
typedef shosa_handle shosa_buffer;          ///< Bytes, or a text.
typedef shosa_handle shosa_clip;            ///< A motion on a body.
typedef shosa_handle shosa_folder;          ///< Clips and texts under their names.
typedef shosa_handle shosa_graph;           ///< Clips that are linked where they are alike.
typedef shosa_handle shosa_character_kind;  ///< What characters share.
typedef shosa_handle shosa_character;
typedef shosa_handle shosa_ground;       ///< What characters walk on.
typedef shosa_handle shosa_pin_drag;     ///< A posture that is pulled at.
typedef shosa_handle shosa_pose_moment;  ///< A moment of a pose script that is pulled at.

/// What a handle names: "clip", "character", … A text that lasts for ever.
SHOSA_API shosa_status shosa_handle_kind(shosa_context* context, shosa_handle handle, const char** out);
/// Ends an object of any kind. What others were made from it stays as it is.
SHOSA_API shosa_status shosa_free(shosa_context* context, shosa_handle handle);
/// How many objects there are.
SHOSA_API shosa_status shosa_handle_count(shosa_context* context, uint32_t* out);

/// A copy of bytes; zeros where `data` is NULL. A byte 0 that is not counted stands behind them.
SHOSA_API shosa_status shosa_buffer_create(shosa_context* context, const void* data, size_t size, shosa_buffer* out);
/// Where the bytes are, and how many. Either may be NULL. They may be written to.
SHOSA_API shosa_status shosa_buffer_data(shosa_context* context, shosa_buffer buffer, void** data, size_t* size);

/// Writes the defaults of a struct, for languages without the macros: `shosa_defaults("shosa_go_place", &go, sizeof
/// go)`.
SHOSA_API shosa_status shosa_defaults(shosa_context* context, const char* name, void* out, uint32_t size);

#ifdef __cplusplus
}
#endif
