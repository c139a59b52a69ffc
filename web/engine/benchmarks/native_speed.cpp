// Microseconds of the calls that a page makes most, by the C API of this machine on one thread: what speed.mjs compares
// the module with. Standard output: {"pin_and_drag_step": 9.1, …}

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "shosa/c/shosa.h"

namespace {

shosa_context* context = nullptr;

void ok(shosa_status status) {
  if (status == SHOSA_OK) return;
  std::fprintf(stderr, "%s: %s\n", shosa_error_function(context), shosa_error_text(context));
  std::exit(1);
}

/// The least of `rounds` means: what disturbs a round makes it longer.
double us(int rounds, int calls, const std::function<void(int)>& call) {
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call(i);
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count() / calls);
  }
  return best;
}

shosa_clip make(const char* name) {
  shosa_clip clip = 0;
  ok(shosa_clip_make(context, name, &clip));
  return clip;
}

}  // namespace

int main() {
  ok(shosa_context_create(nullptr, &context));
  const shosa_clip walk = make("walk_normal"), idle = make("idle"), run = make("run_slow"), kick = make("kick");
  std::uint32_t joints = 0;
  ok(shosa_joint_count(context, walk, &joints));
  const auto free_clip = [](shosa_clip clip) { ok(shosa_free(context, clip)); };

  shosa_pin_drag solver = 0;
  ok(shosa_pin_drag_create(context, walk, nullptr, &solver));
  ok(shosa_pin_drag_set_ranges(context, solver, nullptr));
  shosa_goal goal = SHOSA_GOAL_INIT;
  ok(shosa_joint_find(context, walk, "right_hand", &goal.joint));
  goal.priority = SHOSA_PRIORITY_HIGH;
  std::uint32_t number = 0;
  ok(shosa_pin_drag_add_goal(context, solver, &goal, &number));
  std::printf("{\"pin_and_drag_step\": %.3f", us(5, 2000, [&](int i) {
                goal.position_m[0] = -0.4 + 0.2 * (i % 200) / 200.0;
                goal.position_m[1] = 1.2;
                goal.position_m[2] = 0.4;
                ok(shosa_pin_drag_set_goal(context, solver, number, &goal));
                ok(shosa_pin_drag_step(context, solver, 1.0 / 60.0, nullptr));
              }));

  std::vector<float> rotations(4 * joints), translations(3 * joints), matrices(16 * joints);
  std::printf(", \"sample\": %.3f", us(5, 20000, [&](int i) {
                ok(shosa_clip_sample(context, walk, 0.013 * (i % 100), rotations.data(), translations.data(), joints));
              }));
  std::printf(", \"sample_to_world\": %.3f", us(5, 20000, [&](int i) {
                ok(shosa_clip_matrices(context, walk, 0.013 * (i % 100), matrices.data(), joints));
              }));

  const auto folder_of = [](std::vector<std::pair<const char*, shosa_clip>> clips) {
    shosa_folder folder = 0;
    ok(shosa_folder_create(context, &folder));
    for (const auto& [name, clip] : clips) ok(shosa_folder_add_clip(context, folder, name, clip));
    return folder;
  };
  std::printf(", \"compose\": %.1f", us(3, 3, [&](int) {
                const shosa_folder folder = folder_of({{"1", walk}, {"2", kick}});
                shosa_clip made = 0;
                ok(shosa_folder_join(context, folder, 0.5, &made, nullptr));
                free_clip(made);
                ok(shosa_free(context, folder));
              }));
  std::printf(", \"fix\": %.1f", us(3, 3, [&](int) {
                shosa_clip made = 0;
                ok(shosa_clip_fix(context, walk, nullptr, &made, nullptr));
                free_clip(made);
              }));

  const shosa_folder gaits = folder_of({{"idle", idle}, {"walk_normal", walk}, {"run_slow", run}});
  shosa_graph graph = 0;
  ok(shosa_graph_link(context, gaits, &graph, nullptr));
  shosa_character_kind kind = 0;
  ok(shosa_kind_create(context, graph, nullptr, &kind));
  shosa_character hero = 0;
  ok(shosa_character_create(context, kind, nullptr, &hero));
  std::printf(", \"character_frame\": %.3f", us(5, 3000, [&](int i) {
                if (i % 600 == 0) {
                  shosa_go_place go = SHOSA_GO_PLACE_INIT;
                  go.x_m = i % 1200 == 0 ? 4.0 : -4.0;
                  go.z_m = 5.0;
                  ok(shosa_character_go_place(context, hero, &go, nullptr));
                }
                ok(shosa_character_update(context, hero, 1.0 / 60.0));
              }));
  shosa_reach reach = SHOSA_REACH_INIT;
  reach.joint = goal.joint;
  shosa_command hand = 0;
  std::printf(", \"character_frame_reaching\": %.3f}\n", us(5, 3000, [&](int i) {
                if (i % 600 == 0) {
                  const float* at = nullptr;
                  shosa_pose pose = SHOSA_POSE_INIT;
                  ok(shosa_character_get_pose(context, hero, &pose));
                  at = pose.matrices + 12;
                  reach.target_m[0] = at[0] - 0.3;
                  reach.target_m[1] = 1.3;
                  reach.target_m[2] = at[2] + 0.3;
                  ok(shosa_character_stop(context, hero, nullptr, nullptr));
                  ok(shosa_character_reach(context, hero, &reach, &hand));
                }
                ok(shosa_character_update(context, hero, 1.0 / 60.0));
              }));
  shosa_context_destroy(context);
}
