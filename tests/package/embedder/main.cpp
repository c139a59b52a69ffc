#include <cstdio>

#include "shosa/core/skeleton.h"

int main() {
  const auto skeleton = shosa::Skeleton::create({{.name = "root"}});
  std::printf("%d joint\n", skeleton ? skeleton->joint_count() : -1);
}
