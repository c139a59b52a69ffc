// Any bytes as an AMC file on a small skeleton: an error or a motion. A NUL byte parts a skeleton from its motion, so
// that both can change together.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io/asf_amc.h"

namespace {

constexpr std::string_view kAsf = R"(:units
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    name leg
    direction 0 -1 0
    length 7
    axis 0 0 20 XYZ
    dof rx rz
  end
  begin
    name foot
    direction 0 0 1
    length 2
    axis 90 0 0 XYZ
    dof tx ry
  end
:hierarchy
  begin
    root leg
    leg foot
  end
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view amc(reinterpret_cast<const char*>(data), size);
  std::string_view asf = kAsf;
  if (const std::size_t cut = amc.find('\0'); cut != std::string_view::npos) {
    asf = amc.substr(0, cut);
    amc.remove_prefix(cut + 1);
  }
  const auto file = shosa::io::parse_amc(asf, "fuzz.asf", amc, "fuzz.amc");
  if (file && file->clips.size() > 1) std::abort();
  return 0;
}
