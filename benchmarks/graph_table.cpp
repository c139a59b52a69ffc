// The table of pushes in docs/methods/motion_graph.md: what change-overs of graphs do to the body.
//
//   graph_table [SETS]   so many sets of six captures each, from each half of the clips (12); --each lists every one
//                        above 12 m/s2
#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "blend_body.h"
#include "shosa/analysis/metrics.h"
#include "shosa/shosa.h"

namespace {

using namespace shosa;

constexpr double kAround_s = 0.4, kWalk_s = 60.0;
constexpr double kAllowed_mps2 = 8.0;
constexpr double kLoose_m = 0.25;  ///< As `--threshold auto` has it where clips are unlike: run and walk are linked.

/// People on their feet: what a graph of moves is made of.
const std::vector<std::string> kMoves = {"02_01",  "02_03",  "03_01",  "07_01",  "07_04",  "07_12",  "08_07",  "09_01",
                                         "10_03",  "16_08",  "16_11",  "16_15",  "16_17",  "16_19",  "16_21",  "16_22",
                                         "16_33",  "16_35",  "16_37",  "16_41",  "16_55",  "35_01",  "35_17",  "35_18",
                                         "39_05",  "74_03",  "77_24",  "82_10",  "82_12",  "91_29",  "104_06", "104_09",
                                         "104_10", "104_11", "104_41", "111_01", "120_13", "127_03", "127_04", "127_05",
                                         "127_07", "131_01", "132_20", "132_31", "137_01", "138_08", "69_68",  "10_01"};

struct Figures {
  std::vector<double> push, ratio, fall, kink;
  int changes = 0;
  double slide_mps = 0.0;
  int walks = 0;
};

std::vector<std::vector<std::string>> choose(const std::filesystem::path& folder, bool aside, int sets) {
  std::vector<std::string> files;
  for (const char* part : {"cmu-bvh", "quality"}) {
    for (const std::string& name : kMoves) {
      const auto path = folder / part / (name + ".bvh");
      const std::string file = name + ".bvh";
      const int sum = std::accumulate(file.begin(), file.end(), 0);
      if ((sum % 2 == 1) == aside && std::filesystem::exists(path)) files.push_back(path.string());
    }
  }
  std::mt19937 random(aside ? 17 : 13);
  std::vector<std::vector<std::string>> chosen(static_cast<std::size_t>(sets));
  for (auto& set : chosen) {
    while (set.size() < 6) {
      const std::string& file = files[random() % files.size()];
      if (std::ranges::find(set, file) == set.end()) set.push_back(file);
    }
  }
  return chosen;
}

/// Links at random; after a change-over the clip plays on for `rest_s` where it can.
std::vector<graph::LinkIndex> wander(const graph::MotionGraph& graph, graph::NodeIndex at, double rest_s,
                                     std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<graph::LinkIndex> links;
  double since_s = 0.0;
  for (double left_s = kWalk_s; left_s > 0.0;) {
    std::vector<graph::LinkIndex> on, over;
    for (const graph::LinkIndex l : graph.links_from(at)) (plays_on(graph, l) ? on : over).push_back(l);
    const bool rests = since_s < rest_s && !on.empty();
    const auto& from = rests || over.empty() ? on : over;
    links.push_back(from[random() % from.size()]);
    const double time_s = std::max(1e-3, graph.link(links.back()).time_s);
    since_s = plays_on(graph, links.back()) ? since_s + time_s : 0.0;
    left_s -= time_s;
    at = graph.link(links.back()).to;
  }
  return links;
}

void measure(const LinkedClips& linked, const std::vector<analysis::BodyMotion>& own, GraphPlayer& player,
             const std::vector<graph::LinkIndex>& links, bool each, Figures& figures) {
  const graph::MotionGraph& graph = linked.file.graph;
  const double begin_s = player.player().until_next_s();
  if (!player.player().follow(links)) return;
  const auto played = player.record(kWalk_s);
  if (!played) return;
  const analysis::StudiedClip studied = analysis::study(played->clip(), played->motion.body_map);
  const analysis::BodyMotion body = analysis::observe_body(studied);
  figures.slide_mps += analysis::measure_quality(studied).foot_skate_mps, ++figures.walks;
  const double dt = played->clip().frame_time_s();
  double at_s = begin_s;
  for (const graph::LinkIndex l : links) {
    const graph::Link& link = graph.link(l);
    const double end_s = at_s + link.time_s + kAround_s;
    if (!plays_on(graph, l) && end_s < kWalk_s) {
      const auto& set = linked.clips.set;
      const int a = set.find(graph.clips()[graph.node(link.from).clip]),
                b = set.find(graph.clips()[graph.node(link.to).clip]);
      const auto whole = [&](int clip) { return analysis::measure_body(own[clip], 0, 1 << 30); };
      const auto source_a = whole(a), source_b = whole(b);
      const double allowed = std::max({kAllowed_mps2, source_a.com_acceleration_mps2, source_b.com_acceleration_mps2});
      const auto here = analysis::measure_body(body, static_cast<int>(std::lround(at_s / dt)) - 1,
                                               static_cast<int>(std::lround(end_s / dt)));
      figures.push.push_back(here.com_acceleration_mps2);
      figures.ratio.push_back(here.com_acceleration_mps2 / allowed);
      figures.fall.push_back(here.com_fall_mps2);
      figures.kink.push_back((here.knee_kink_rad - std::max(source_a.knee_kink_rad, source_b.knee_kink_rad)) * 180.0 /
                             M_PI);
      ++figures.changes;
      if (each && here.com_acceleration_mps2 > 12.0) {
        fmt::print("  {:.1f} m/s2 at {:.2f} s: {} {:.2f} s -> {} {:.2f} s in {:.2f} s (link {}), allowed {:.1f}\n",
                   here.com_acceleration_mps2, at_s, graph.clips()[graph.node(link.from).clip],
                   graph.node(link.from).time_s, graph.clips()[graph.node(link.to).clip], graph.node(link.to).time_s,
                   link.time_s, link.id, allowed);
      }
    }
    at_s += link.time_s;
  }
}

void print(const char* name, const Figures& f) {
  const auto three = [](const std::vector<double>& v) {
    return fmt::format("{:.1f} / {:.1f} / {:.1f}", bench::median(v), bench::quantile(v, 0.9), bench::quantile(v, 1.0));
  };
  const auto above = std::ranges::count_if(f.push, [](double p) { return p > 2.0 * 9.81; });
  const auto pushed = std::ranges::count_if(f.ratio, [](double r) { return r > 1.2; });
  fmt::print("| {} | {} | {} | {:.2f} / {:.2f} | {} | {} | {} | {} | {:.1f} |\n", name, f.changes, three(f.push),
             bench::median(f.ratio), bench::quantile(f.ratio, 0.9), pushed, above, three(f.fall), three(f.kink),
             1000.0 * f.slide_mps / std::max(1, f.walks));
}

}  // namespace

int main(int argc, char** argv) {
  int sets = 12;
  bool each = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--each") == 0)
      each = true;
    else
      sets = std::max(1, std::atoi(argv[i]));
  }
  fmt::print("| links | change-overs | push m/s2 | / allowed | > 1.2 | > 2 g | fall m/s2 | kink deg | slide mm/s |\n");
  for (const bool aside : {false, true}) {
    Figures chained, rested;
    for (const auto& files : choose(SHOSA_REAL_DATA, aside, sets)) {
      auto linked = build_graph(files, {.match = {.threshold_m = kLoose_m}});
      if (!linked) {
        fmt::print(stderr, "{}\n", linked.error().message);
        continue;
      }
      std::vector<analysis::BodyMotion> own;
      for (const graph::SetClip& clip : (*linked)->clips.set.clips) own.push_back(analysis::observe_body(clip.studied));
      for (const bool rests : {false, true}) {
        auto player = play_graph(*linked);
        if (!player) continue;
        const auto links =
            wander((*linked)->file.graph, player->player().next_node(), rests ? 0.8 : 0.0, aside ? 5 : 3);
        measure(**linked, own, *player, links, each && rests, rests ? rested : chained);
      }
    }
    print(aside ? "one after the other, held aside" : "one after the other", chained);
    print(aside ? "0.8 s apart, held aside" : "0.8 s apart", rested);
  }
}
