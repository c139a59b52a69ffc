#pragma once

#include <memory>
#include <vector>

namespace shosa {

/// Room for what a call computes and forgets, shared by all calls on a thread: one `T` a thread and size, made when it
/// is asked for first. So a thousand characters need it once per thread, not a thousand times.
///
/// `T` has a constructor from a size and a member `size` of that value. Whatever uses it must write before it reads,
/// and must not run anything else in between that may use the same `T`.
template <class T>
T& thread_scratch(int size) {
  thread_local std::vector<std::unique_ptr<T>> all;
  for (const std::unique_ptr<T>& one : all)
    if (one->size == size) return *one;
  return *all.emplace_back(std::make_unique<T>(size));
}

}  // namespace shosa
