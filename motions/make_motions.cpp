#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "motions/motions.h"
#include "shosa/io/motion_file.h"

// make_motions FOLDER [FILE.motion ...]: writes every motion that ships, or those of the given files, as .bvh and .glb.

namespace {

namespace fs = std::filesystem;
using namespace shosa;

Result<void> write(const fs::path& folder, const motions::Motion& motion) {
  io::MotionFile file;
  file.skeleton = motion.clip.skeleton_ptr();
  file.clips = {motion.clip};
  file.body_map = motion.body_map;
  for (const char* extension : {".bvh", ".glb"}) {
    if (const auto written = io::write_motion(folder / (motion.name + extension), file); !written) return written;
  }
  return {};
}

int complain(const Error& error) {
  fmt::print(stderr, "make_motions: {}\n", error.message);
  return error.code == ErrorCode::bad_file ? 3 : 1;
}

}  // namespace

int main(int count, char** values) {
  if (count < 2) {
    fmt::print(stderr, "usage: make_motions FOLDER [FILE.motion ...]\n");
    return 2;
  }
  const fs::path folder = values[1];
  std::error_code code;
  fs::create_directories(folder, code);
  const auto keep = [&](const Result<motions::Motion>& motion) {
    if (!motion) return complain(motion.error());
    const auto written = write(folder, *motion);
    if (!written) return complain(written.error());
    fmt::print("{:<22} {:5.2f} s  {}\n", motion->name, motion->clip.last_time_s(), motion->about);
    return 0;
  };
  if (count == 2) {
    for (const std::string& name : motions::names()) {
      if (const int status = keep(motions::make(name)); status != 0) return status;
    }
  }
  for (int i = 2; i < count; ++i) {
    const fs::path path = values[i];
    std::ifstream in(path);
    if (!in) return complain({ErrorCode::cannot_read, path.string() + ": cannot be read"});
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (const int status = keep(motions::make_from_text(path.stem().string(), text, path.string())); status != 0)
      return status;
  }
  return 0;
}
