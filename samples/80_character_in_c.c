/* A character from C: it goes up some stairs to a place, and reaches for a ball that moves. Nothing but the header and
 * libshosa is needed, and no file: the motions are among those that ship. */

#include <math.h>
#include <shosa/c/shosa.h>
#include <stdio.h>

static shosa_context* context = NULL;

/* Every call gives a status; what was wrong is in the context. */
static int ok(shosa_status status) {
  if (status != SHOSA_OK)
    fprintf(stderr, "%s: %s (%s)\n", shosa_error_function(context), shosa_error_text(context),
            shosa_status_name(status));
  return status == SHOSA_OK;
}

static void say(void* user, int32_t level, const char* text) {
  (void)user;
  fprintf(stderr, "%s: %s\n", level == SHOSA_LOG_NOTE ? "note" : "warning", text);
}

/* Clips → a graph of them → what characters share. Done once. */
static int make_kind(shosa_character_kind* kind) {
  static const char* const names[] = {"idle", "walk_normal", "run_slow"};
  shosa_folder folder = 0;
  shosa_graph graph = 0;
  size_t i;
  if (!ok(shosa_folder_create(context, &folder))) return 0;
  for (i = 0; i < sizeof names / sizeof *names; ++i) {
    shosa_clip clip = 0;
    if (!ok(shosa_clip_make(context, names[i], &clip)) ||
        !ok(shosa_folder_add_clip(context, folder, names[i], clip)) || !ok(shosa_free(context, clip)))
      return 0;
  }
  return ok(shosa_graph_link(context, folder, &graph, NULL)) && ok(shosa_kind_create(context, graph, NULL, kind)) &&
         ok(shosa_free(context, graph)) && ok(shosa_free(context, folder));
}

static int play(shosa_character hero) {
  shosa_go_place go = SHOSA_GO_PLACE_INIT;
  shosa_reach reach = SHOSA_REACH_INIT;
  shosa_outcome going = SHOSA_OUTCOME_INIT;
  shosa_character_facts facts = SHOSA_CHARACTER_FACTS_INIT;
  shosa_pose pose = SHOSA_POSE_INIT;
  shosa_command way = 0, hand = 0;
  int steps = 0, touched = 0, frame;

  go.z_m = 6.0;
  reach.target_m[1] = 1.4;
  if (!ok(shosa_joint_find(context, hero, "right_hand", &reach.joint)) ||
      !ok(shosa_character_go_place(context, hero, &go, &way)) ||
      !ok(shosa_character_reach(context, hero, &reach, &hand)) ||
      !ok(shosa_character_get_pose(context, hero, &pose))) /* once: the arrays stay where they are */
    return 0;

  for (frame = 0; frame < 900; ++frame) {
    shosa_event events[64];
    uint32_t count = 0, i;
    double ball;
    if (!ok(shosa_character_update(context, hero, 1.0 / 60.0)) ||
        !ok(shosa_character_get_facts(context, hero, &facts)) ||
        !ok(shosa_character_get_events(context, hero, events, 64, &count)))
      return 0;
    for (i = 0; i < count; ++i) {
      if (events[i].kind == SHOSA_EVENT_FOOT_DOWN) ++steps;
      if (events[i].kind == SHOSA_EVENT_GOAL_MET && events[i].command == hand) ++touched;
    }
    /* A ball half a metre ahead of the hips, to the right, that sways. `pose.matrices` is what a renderer shows. */
    ball = 0.1 * sin(frame / 20.0);
    if (!ok(shosa_command_move_target(context, hero, hand, pose.matrices[12] - 0.3, pose.matrices[13] + 0.35 + ball,
                                      pose.matrices[14] + 0.4)))
      return 0;
  }
  if (!ok(shosa_command_get_outcome(context, hero, way, &going))) return 0;
  printf("%s at (%.2f, %.2f), hips %.2f m high, %d steps\n", shosa_command_status_name(going.status), facts.x_m,
         facts.z_m, pose.matrices[13], steps);
  printf("the hand was on the ball %d times\n", touched);
  return going.status == SHOSA_COMMAND_DONE && touched > 0;
}

int main(void) {
  shosa_context_params params = SHOSA_CONTEXT_PARAMS_INIT;
  shosa_character_kind kind = 0;
  shosa_character hero = 0;
  shosa_ground stairs = 0;
  int done;
  params.log = say;
  if (shosa_context_create(&params, &context) != SHOSA_OK) return 1;
  done = make_kind(&kind) && ok(shosa_character_create(context, kind, NULL, &hero)) &&
         ok(shosa_ground_from_json(context,
                                   "{\"stairs\": {\"at\": [0, 2], \"rise_m\": 0.17, \"tread_m\": 0.3, \"count\": 5}}",
                                   &stairs)) &&
         ok(shosa_character_set_ground(context, hero, stairs)) && play(hero);
  shosa_context_destroy(context);
  return done ? 0 : 1;
}
