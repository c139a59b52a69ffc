#pragma once

#include <string_view>

#include "shosa/core/note.h"
#include "shosa/library/library.h"

namespace shosa::library {

/// A moment of a clip, and what is around it: what `find_like` looks for.
struct Example {
  std::string file;                ///< As it was asked for.
  std::filesystem::path path;      ///< To be read again.
  int take = 0;                    ///< Its number in the file.
  std::optional<std::int64_t> id;  ///< In the index, where it is there.
  body::BodyKind kind = body::BodyKind::unknown;
  std::vector<Feature> features;  ///< Of the whole clip.
  double time_s = 0.0;
  TimeInterval core;
};

/// What CLIP or CLIP@SECONDS names; a name may hold an @ of its own.
struct ExampleName {
  std::string file;
  std::optional<double> time_s;
};
ExampleName split_example(const std::string& text);

/// `text` is CLIP or CLIP@SECONDS: a file of the index, below its folder or anywhere. Without a time the middle of its
/// core is meant. Fails when there is no such file, it cannot be read, or the time lies outside the clip.
Result<Example> read_example(const Library& library, const std::string& text);

/// Joints at places.
struct PoseQuery {
  struct Point {
    int point = 0;  ///< 0 hips, 1 head, 2 left foot, 3 right foot, 4 left hand, 5 right hand.
    Vec3d position_m = Vec3d::Zero();
  };
  std::vector<Point> points;  ///< At least one.
  /// Places and heading are free; otherwise they are as the body sees them: hips above the origin, facing +Z, left at
  /// +X. Heights count from the ground in both.
  bool anywhere = false;
};
/// {"joints": [{"joint": "left_hand", "position": [x, y, z]}, …], "place": "body" or "anywhere"}
Result<PoseQuery> parse_pose_query(std::string_view text, const std::string& file);

enum class Twin {
  none,
  copy,     ///< The same motion: the whole, or a part of it.
  mirrored  ///< The same, left and right exchanged.
};

struct Match {
  std::int64_t id = 0;
  std::string file;
  int take = 0;
  double time_s = 0.0;
  double distance_m = 0.0;  ///< Root mean square over the points that are compared.
  bool mirrored = false;    ///< Its mirror image is what was found.
  Twin twin = Twin::none;   ///< Of the example.
  std::string twin_of;      ///< A better match that is the same motion; empty: none.
  double from_s = 0.0;      ///< `find_following`: where the example is left,
  double cost = 0.0;        ///< and what the search minimised.
};

struct FindParams {
  Filter filter;
  int limit = 20;         ///< Most matches; >= 1.
  int per_clip = 1;       ///< Most matches of one clip, half a second apart; >= 1.
  bool mirrored = false;  ///< Also frames whose mirror image fits.
};

/// Frames that look and move like the example, nearest first; the example's own clip is left out. Bodies of its kind
/// only. Every frame of every clip is compared: O(frames).
///
/// A match is a twin where the frames around both agree for half a second or more (median within `kTwin_m`), whatever
/// the rates of the files and wherever one was cut.
Result<std::vector<Match>> find_like(const Library& library, const Example& example, const FindParams& params = {});

/// Frames whose points are nearest to those asked for.
Result<std::vector<Match>> find_pose(const Library& library, const PoseQuery& query, const FindParams& params = {});

/// What can come next.
struct Following {
  std::vector<Match> matches;  ///< The least cost first.
  Notes warnings;              ///< Clips that could not be read or put on the example's body.
};
/// Clips that can come next, by what the composer's search makes of them (`blend::join_cost`); one match a clip: where
/// the legs leave the example and enter the clip, and how far apart they are then. A clip can follow itself.
///
/// The index knows six points of a body, the search needs all: the `kShortlist` clips (or `limit`, where that is more)
/// with a frame before their core that is nearest to one after the example's are read again, cleaned, put on the
/// example's body and searched.
Result<Following> find_following(const Library& library, const Example& example, const FindParams& params = {});

inline constexpr int kShortlist = 100;
inline constexpr double kTwin_m = 0.02;

}  // namespace shosa::library
