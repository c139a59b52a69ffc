"""Calls every function of the header wrongly: without a context, with nothing for every argument, and with handles of every kind but the
right one and of what was freed. Each must say so, and none may crash.

    misuse_test.py LIBSHOSA COMPILER WORK_FOLDER
"""
import sys
from pathlib import Path

import header

library, compiler, work = sys.argv[1:4]
functions, _ = header.read()

# With nothing for every argument these have nothing to complain about.
HARMLESS = {"shosa_characters_update"}
# Any of these does, where a function takes a `shosa_handle`.
ANY_KIND = {"shosa_handle_kind", "shosa_free"}


def nothing(kind):
    return "0" if "*" not in kind and kind != "shosa_ground_function" else "NULL"


def something(kind, name):
    """A pointer to memory that is large enough and holds zeros, or a text."""
    if kind == "const char*":
        return '"x"'
    if kind == "const char* const*":
        return "texts"
    if kind == "shosa_context*":
        return "context"
    if kind == "shosa_ground_function":
        return "NULL"
    return f"({kind})scratch" if "*" in kind else "1"


calls = []
for function in functions:
    if not function.on_context or function.result != "shosa_status":
        continue
    rest = function.parameters[1:]
    empty = ", ".join(["NULL"] + [nothing(kind) for kind, _ in rest])
    calls.append(f'  expect({function.name}({empty}), SHOSA_BAD_ARGUMENT, "{function.name} without a context");')
    empty = ", ".join(["context"] + [nothing(kind) for kind, _ in rest])
    if function.name not in HARMLESS:
        calls.append(f'  refuse({function.name}({empty}), "{function.name} with nothing");')
    for place, (kind, name) in enumerate(rest):
        if kind not in header.HANDLES:
            continue
        for wrong in ("freed", "4294967295u", "12345u", *(f"good[{i}]" for i in range(5))):
            # Handles before this one are wrong as well, so that the first complaint is about a handle.
            arguments = ["context"] + [wrong if k in header.HANDLES else something(k, n) for k, n in rest]
            right = {"good[0]": "shosa_buffer", "good[1]": "shosa_folder", "good[2]": "shosa_clip", "good[3]": "shosa_ground", "good[4]": "shosa_pin_drag"}.get(wrong)
            kinds = {k for k, _ in rest if k in header.HANDLES}
            if right and (right in kinds or "shosa_handle" in kinds):
                continue
            calls.append(f'  clear(); expect({function.name}({", ".join(arguments)}), SHOSA_BAD_HANDLE, "{function.name}, {name} = {wrong}");')
        break

source = """
#include <stdio.h>
#include <string.h>
#include "shosa/c/shosa.h"

static shosa_context* context = NULL;
static double scratch[4096];
static const char* const texts[] = {"a", "b"};
static int wrong = 0, asked = 0;

static void clear(void) { memset(scratch, 0, sizeof scratch); }
static void expect(shosa_status found, shosa_status expected, const char* what) {
  ++asked;
  if (found == expected) return;
  ++wrong;
  printf("%s: %s, expected %s (%s)\\n", what, shosa_status_name(found), shosa_status_name(expected), shosa_error_text(context));
}
static void refuse(shosa_status found, const char* what) {
  ++asked;
  if (found != SHOSA_OK && strlen(shosa_error_text(context)) > 0 && strncmp(what, shosa_error_function(context), strlen(shosa_error_function(context))) == 0) return;
  ++wrong;
  printf("%s: %s (%s)\\n", what, shosa_status_name(found), shosa_error_text(context));
}

int main(void) {
  shosa_handle good[5] = {0, 0, 0, 0, 0}, freed = 0;
  if (shosa_context_create(NULL, &context) != SHOSA_OK) return 1;
  expect(shosa_buffer_create(context, NULL, 8, &good[0]), SHOSA_OK, "buffer");
  expect(shosa_folder_create(context, &good[1]), SHOSA_OK, "folder");
  expect(shosa_clip_make(context, "idle", &good[2]), SHOSA_OK, "clip");
  expect(shosa_ground_from_json(context, "{}", &good[3]), SHOSA_OK, "ground");
  expect(shosa_pin_drag_create(context, good[2], NULL, &good[4]), SHOSA_OK, "pin_drag");
  expect(shosa_clip_copy(context, good[2], &freed), SHOSA_OK, "copy");
  expect(shosa_free(context, freed), SHOSA_OK, "free");
  (void)texts;
""" + "\n".join(calls) + """
  shosa_context_destroy(context);
  shosa_context_destroy(NULL);
  printf("%d calls, %d answered wrongly\\n", asked, wrong);
  return wrong == 0 ? 0 : 1;
}
"""
said = header.run_c(compiler, work, "misuse", source, library, f"-Wl,-rpath,{Path(library).parent}")
print(said.strip())
