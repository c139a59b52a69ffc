#include "io/bvh_header.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "io/unique_names.h"

namespace shosa::io {
namespace {

constexpr int kMaxChannelsPerJoint = 9;

std::optional<BvhChannel> find_channel(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, BvhChannel>, 6> kChannels = {{
      {"xposition", BvhChannel::x_position},
      {"yposition", BvhChannel::y_position},
      {"zposition", BvhChannel::z_position},
      {"xrotation", BvhChannel::x_rotation},
      {"yrotation", BvhChannel::y_rotation},
      {"zrotation", BvhChannel::z_rotation},
  }};
  for (const auto& [name, channel] : kChannels) {
    if (same_word(word, name)) return channel;
  }
  return std::nullopt;
}

Result<Vec3d> take_vector(TextCursor& cursor, std::string_view what) {
  Vec3d vector;
  for (int axis = 0; axis < 3; ++axis) {
    const Result<double> value = cursor.take_number(what);
    if (!value) return std::unexpected(value.error());
    vector[axis] = *value;
  }
  return vector;
}

Result<std::vector<BvhChannel>> take_channels(TextCursor& cursor) {
  const std::size_t start = cursor.position();
  const Result<double> count = cursor.take_number("the number of channels");
  if (!count) return std::unexpected(count.error());
  if (!(*count >= 0 && *count <= kMaxChannelsPerJoint) || *count != std::floor(*count)) {
    cursor.set_position(start);
    return cursor.fail_here(fmt::format("a number of channels from 0 to {}", kMaxChannelsPerJoint));
  }
  std::vector<BvhChannel> channels;
  for (int i = 0; i < static_cast<int>(*count); ++i) {
    const std::optional<BvhChannel> channel = find_channel(cursor.peek());
    if (!channel) return cursor.fail_here("a channel (Xposition … Zrotation)");
    if (is_position(*channel) && std::ranges::find(channels, *channel) != channels.end()) {
      return cursor.fail_here("each position channel once");
    }
    cursor.take();
    channels.push_back(*channel);
  }
  return channels;
}

/// Where the parser stands in the tree: a joint's block or an end site's.
struct OpenBlock {
  JointIndex joint = kNoJoint;
  int end_site = -1;
  bool has_offset = false;
  bool has_channels = false;
};

class HierarchyParser {
 public:
  HierarchyParser(TextCursor& cursor, BvhHeader& header) : cursor_(cursor), header_(header) {}

  /// From ROOT to the brace that closes it. A stack of its own instead of recursion: depth costs memory only.
  Result<void> parse() {
    if (!same_word(cursor_.peek(), "ROOT")) return cursor_.fail_here("ROOT");
    cursor_.take();
    if (auto opened = open_joint(kNoJoint); !opened) return opened;
    while (!open_.empty()) {
      if (auto went_on = parse_item(); !went_on) return went_on;
    }
    return {};
  }

 private:
  Result<void> parse_item() {
    const std::string_view word = cursor_.peek();
    OpenBlock& block = open_.back();
    const bool in_joint = block.end_site < 0;
    if (word == "}") {
      cursor_.take();
      open_.pop_back();
      return {};
    }
    if (same_word(word, "OFFSET")) {
      if (block.has_offset) return cursor_.fail_here("one OFFSET a joint");
      cursor_.take();
      const Result<Vec3d> offset = take_vector(cursor_, "an OFFSET number");
      if (!offset) return std::unexpected(offset.error());
      block.has_offset = true;
      if (in_joint) {
        header_.joints[block.joint].offset = *offset;
      } else {
        header_.end_sites[block.end_site].offset = *offset;
      }
      return {};
    }
    if (!in_joint) return cursor_.fail_here("OFFSET or '}'");
    if (same_word(word, "CHANNELS")) {
      if (block.has_channels) return cursor_.fail_here("one CHANNELS line a joint");
      cursor_.take();
      Result<std::vector<BvhChannel>> channels = take_channels(cursor_);
      if (!channels) return std::unexpected(channels.error());
      block.has_channels = true;
      header_.joints[block.joint].channels = std::move(*channels);
      return {};
    }
    if (same_word(word, "JOINT")) {
      cursor_.take();
      return open_joint(block.joint);
    }
    if (same_word(word, "End")) {
      cursor_.take();
      if (!same_word(cursor_.peek(), "Site")) return cursor_.fail_here("Site");
      cursor_.take();
      cursor_.take_rest_of_line();
      const JointIndex parent = block.joint;
      header_.end_sites.push_back({.parent = parent});
      open_.push_back({.joint = parent, .end_site = static_cast<int>(header_.end_sites.size()) - 1});
      return expect_brace();
    }
    return cursor_.fail_here("OFFSET, CHANNELS, JOINT, End Site or '}'");
  }

  Result<void> open_joint(JointIndex parent) {
    std::string_view name = cursor_.take_rest_of_line();
    if (name.empty() && cursor_.peek() != "{") name = cursor_.take_rest_of_line();
    header_.joints.push_back({.name = std::string(name), .parent = parent});
    open_.push_back({.joint = static_cast<JointIndex>(header_.joints.size()) - 1});
    return expect_brace();
  }

  Result<void> expect_brace() {
    if (cursor_.peek() != "{") return cursor_.fail_here("'{'");
    cursor_.take();
    return {};
  }

  TextCursor& cursor_;
  BvhHeader& header_;
  std::vector<OpenBlock> open_;
};

/// `Frames: N`, also with the colon apart or left out.
Result<void> take_keyword(TextCursor& cursor, std::string_view keyword) {
  const std::string_view word = cursor.peek();
  const std::string_view bare = word.ends_with(':') ? word.substr(0, word.size() - 1) : word;
  if (!same_word(bare, keyword)) return cursor.fail_here(fmt::format("{}:", keyword));
  cursor.take();
  if (cursor.peek() == ":") cursor.take();
  return {};
}

Result<void> parse_motion_head(TextCursor& cursor, BvhHeader& header) {
  if (auto taken = take_keyword(cursor, "Frames"); !taken) return taken;
  cursor.skip_space();
  const std::size_t frames_byte = cursor.position();
  const Result<double> frames = cursor.take_number("the number of frames");
  if (!frames) return std::unexpected(frames.error());
  if (!(*frames >= 0 && *frames <= 1e15) || *frames != std::floor(*frames)) {
    cursor.set_position(frames_byte);
    return cursor.fail_here("a whole number of frames");
  }
  header.declared_frames = static_cast<std::int64_t>(*frames);

  if (same_word(cursor.peek(), "FrameTime:")) {
    cursor.take();
  } else {
    if (!same_word(cursor.peek(), "Frame")) return cursor.fail_here("Frame Time:");
    cursor.take();
    if (auto taken = take_keyword(cursor, "Time"); !taken) return taken;
  }
  cursor.skip_space();
  header.frame_time_byte = cursor.position();
  const Result<double> frame_time = cursor.take_number("the frame time in seconds");
  if (!frame_time) return std::unexpected(frame_time.error());
  header.frame_time_s = *frame_time;
  header.frames_begin = cursor.position();
  return {};
}

}  // namespace

Result<BvhHeader> parse_bvh_header(TextCursor& cursor) {
  BvhHeader header;
  if (!same_word(cursor.peek(), "HIERARCHY")) return cursor.fail_here("HIERARCHY");
  cursor.take();
  if (auto parsed = HierarchyParser(cursor, header).parse(); !parsed) return std::unexpected(parsed.error());
  if (same_word(cursor.peek(), "ROOT")) {
    return cursor.fail_here("MOTION (a file with several ROOTs holds several bodies and is not read; split it)");
  }
  std::int64_t channels = 0;
  for (BvhHeader::Joint& joint : header.joints) {
    joint.first_channel = static_cast<int>(channels);
    channels += static_cast<std::int64_t>(joint.channels.size());
    if (channels > 1'000'000'000) return cursor.fail_here("fewer channels");
  }
  header.channel_count = static_cast<int>(channels);

  if (cursor.peek().empty()) {
    header.warnings.push_back("no MOTION section: only the skeleton was read");
    return header;
  }
  if (!same_word(cursor.peek(), "MOTION")) return cursor.fail_here("MOTION");
  cursor.take();
  header.has_motion = true;
  if (auto parsed = parse_motion_head(cursor, header); !parsed) return std::unexpected(parsed.error());
  return header;
}

Result<Skeleton> rest_skeleton(BvhHeader& header) {
  UniqueNames names;
  int renamed = 0;
  std::string example;
  std::vector<Joint> joints;
  joints.reserve(header.joints.size());
  for (std::size_t i = 0; i < header.joints.size(); ++i) {
    BvhHeader::Joint& joint = header.joints[i];
    std::string name = names.make(joint.name.empty() ? fmt::format("joint_{}", i) : joint.name);
    if (name != joint.name) {
      if (renamed++ == 0) example = fmt::format("'{}' became '{}'", joint.name, name);
      joint.name = name;
    }
    joints.push_back({.name = std::move(name),
                      .parent = joint.parent,
                      .rest_translation_m = joint.offset.cast<float>(),
                      .rest_rotation = Quatf::Identity()});
  }
  if (renamed > 0) {
    header.warnings.push_back(
        fmt::format("{} joint{} with an equal or empty name renamed: {}", renamed, renamed == 1 ? "" : "s", example));
  }
  std::vector<EndSite> end_sites;
  end_sites.reserve(header.end_sites.size());
  for (const BvhHeader::EndSite& site : header.end_sites) {
    end_sites.push_back({.name = names.make(joints[site.parent].name + "_end"),
                         .parent = site.parent,
                         .offset_m = site.offset.cast<float>()});
  }
  return Skeleton::create(std::move(joints), std::move(end_sites));
}

}  // namespace shosa::io
