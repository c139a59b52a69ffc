#include <algorithm>
#include <array>
#include <cmath>

#include "io/bvh.h"
#include "io/bvh_columns.h"
#include "io/guarded.h"
#include "shosa/core/parallel.h"

namespace shosa::io {
namespace {

constexpr int kAngleDecimals = 6;
// Deeper joints are indented no further: the text must grow with the joints, not with their square.
constexpr int kDeepestIndent = 64;

/// A name that stays one word group on its line.
std::string written_name(const std::string& name) {
  std::string written = name;
  for (char& c : written) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '{' || c == '}' || c == 0x7f) c = '_';
  }
  return written;
}

std::string offset_text(const Vec3d& offset) {
  return fmt::format("OFFSET {:.9g} {:.9g} {:.9g}\n", offset.x() + 0.0, offset.y() + 0.0, offset.z() + 0.0);
}

std::string hierarchy_text(const Skeleton& skeleton, const BvhHeader& header) {
  static constexpr std::array<std::string_view, 6> kNames = {"Xposition", "Yposition", "Zposition",
                                                             "Xrotation", "Yrotation", "Zrotation"};
  std::vector<std::vector<const BvhHeader::EndSite*>> sites(header.joints.size());
  for (const BvhHeader::EndSite& site : header.end_sites) sites[site.parent].push_back(&site);

  std::string text = "HIERARCHY\n";
  struct Step {
    JointIndex joint;
    int depth;
    bool closes;
  };
  std::vector<Step> steps = {{0, 0, false}};
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    const std::string indent(static_cast<std::size_t>(std::min(step.depth, kDeepestIndent)), '\t');
    if (step.closes) {
      text += indent + "}\n";
      continue;
    }
    const BvhHeader::Joint& joint = header.joints[step.joint];
    text +=
        fmt::format("{}{} {}\n{}{{\n", indent, step.joint == 0 ? "ROOT" : "JOINT", written_name(joint.name), indent);
    text += indent + "\t" + offset_text(joint.offset);
    text += fmt::format("{}\tCHANNELS {}", indent, joint.channels.size());
    for (const BvhChannel channel : joint.channels) {
      text += ' ';
      text += kNames[static_cast<int>(channel)];
    }
    text += '\n';
    const auto add_end_site = [&](const Vec3d& offset) {
      text +=
          fmt::format("{}\tEnd Site\n{}\t{{\n{}\t\t{}{}\t}}\n", indent, indent, indent, offset_text(offset), indent);
    };
    for (const BvhHeader::EndSite* site : sites[step.joint]) add_end_site(site->offset);
    const auto children = skeleton.children(step.joint);
    if (children.empty() && sites[step.joint].empty()) add_end_site(Vec3d::Zero());
    steps.push_back({step.joint, step.depth, true});
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      steps.push_back({*child, step.depth + 1, false});
    }
  }
  return text;
}

std::string frames_text(const std::vector<double>& values, int frame_count, const BvhHeader& header, double unit_m) {
  // Half a last place is at most 2e-8 m.
  const int position_decimals = std::clamp(static_cast<int>(std::ceil(std::log10(unit_m / 4e-8))), 0, 12);
  std::vector<int> decimals(static_cast<std::size_t>(header.channel_count), kAngleDecimals);
  for (const BvhHeader::Joint& joint : header.joints) {
    for (std::size_t i = 0; i < joint.channels.size(); ++i) {
      if (is_position(joint.channels[i]))
        decimals[static_cast<std::size_t>(joint.first_channel) + i] = position_decimals;
    }
  }
  constexpr int kFramesPerPiece = 128;
  std::vector<std::string> pieces(static_cast<std::size_t>((frame_count + kFramesPerPiece - 1) / kFramesPerPiece));
  parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      const int first = static_cast<int>(piece) * kFramesPerPiece;
      const int last = std::min(frame_count, first + kFramesPerPiece);
      const double* value = values.data() + static_cast<std::size_t>(first) * decimals.size();
      for (int frame = first; frame < last; ++frame) {
        for (std::size_t column = 0; column < decimals.size(); ++column) {
          if (column > 0) pieces[piece] += ' ';
          append_fixed(pieces[piece], *value++, decimals[column]);
        }
        pieces[piece] += '\n';
      }
    }
  });
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

}  // namespace

Result<std::string> format_bvh(const Clip& clip, const BvhLayout* layout, double unit_m) {
  if (!(std::isfinite(unit_m) && unit_m > 0.0 && std::isfinite(1.0 / unit_m))) {
    return fail(ErrorCode::invalid_argument, "unit of {} m, expected a positive number", unit_m);
  }
  return guarded("BVH", [&]() -> Result<std::string> {
    const BvhColumns columns = bvh_columns(clip, layout, unit_m);
    std::string text = hierarchy_text(clip.skeleton(), columns.header);
    text += fmt::format("MOTION\nFrames: {}\nFrame Time: {}\n", clip.frame_count(), shortest_text(clip.frame_time_s()));
    text += frames_text(columns.values, clip.frame_count(), columns.header, unit_m);
    return text;
  });
}

}  // namespace shosa::io
