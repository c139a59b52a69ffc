#pragma once

#include "shosa/core/result.h"

namespace shosa::cli {

// The contract of docs/cli.md.
inline constexpr int kDone = 0;
inline constexpr int kCannotBeDone = 1;
inline constexpr int kWrongUsage = 2;
inline constexpr int kBadFile = 3;

inline int exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::cannot_read:
    case ErrorCode::bad_file:
      return kBadFile;
    case ErrorCode::invalid_argument:
    case ErrorCode::cannot_write:
    case ErrorCode::not_possible:
      return kCannotBeDone;
  }
  return kCannotBeDone;
}

}  // namespace shosa::cli
