# Debian's clang 22 with wasi-libc: C++23 without exceptions and without threads, as a module for browsers and Node.js.
# Which compiler and why: docs/decisions/0016-webassembly.md
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# A program cannot be linked before its entry is known; the compiler is tried without one.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
