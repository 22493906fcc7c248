/* A match that our player plays for a game master: nobody is asked here. The
   server says which moves were made, and the process makes them on an engine of
   its own, so that the page can draw the states. */
#include "engine/moves.h"
#include "match/spelling.h"
#include "web/master_parts.h"
#include "web/thought.h"

/* Says who is to move, or that it is over. */
static void say_where(Master *master) {
  if (game_failed(master->game)) {
    master_fail(master, "The game cannot be shown: %s.",
                master->game->error.bytes);
  } else if (game_terminal(master->game)) {
    master_say_phase(master, TURN_OVER, "");
  } else {
    master_see_choices(master);
    master_say_turn(master);
  }
}

/* Returns false if the moves are not legal here. */
static bool make(Master *master, const char *lines) {
  Move joint[RULE_ROLES];
  TextVector moves = {0};
  spelling_split(lines, &moves);
  bool fine =
      moves.count == master->role_count && !game_terminal(master->game) &&
      spelling_find_joint(master->game, &moves, joint) == master->role_count;
  master_see_choices(master);
  if (fine) master_make(master, joint);
  text_vector_free(&moves);
  return fine;
}

/* Our player had misunderstood a move. */
static void go_back(Master *master, json_int_t step) {
  if (game_failed(master->game) || step < 0 || step >= master->steps.count)
    return;
  while (master->steps.count > step) master_take_back(master);
  master_say_back(master, master->steps.count);
  say_where(master);
}

static uint32_t own_role(const Master *master) {
  uint32_t role = 0;
  while (role + 1 < master->role_count && !*master->players[role]->text) role++;
  return role;
}

/* What our player thinks about this state; it stays with the step. */
static void show_thought(Master *master, const char *text) {
  uint32_t role = own_role(master);
  ThoughtAbout about = {.step = master->steps.count,
                        .role = role,
                        .sum = master->sum,
                        .spec = master->players[role]};
  json_t *thought = thought_complete(master->scene, master->game,
                                     json_loads(text, 0, NULL), &about);
  if (!thought) return;
  turn_say_thought(&master->turn, role, thought);
  json_decref(master->thoughts[role]);
  master->thoughts[role] = thought;
}

static void take(Master *master, const json_t *fed) {
  const char *moves = json_string_value(json_object_get(fed, "moves"));
  const char *end = json_string_value(json_object_get(fed, "end"));
  const char *outlook = json_string_value(json_object_get(fed, "outlook"));
  json_int_t step = json_integer_value(json_object_get(fed, "step"));
  const json_t *back = json_object_get(fed, "back");
  if (back) {
    go_back(master, json_integer_value(back));
  } else if (master->turn.phase != TURN_PLAYING) {
    return;
  } else if (outlook) {
    if (step == master->steps.count) show_thought(master, outlook);
  } else if (end) {
    master_say_phase(master, TURN_OVER, end);
  } else if (moves && !make(master, moves)) {
    master_fail(master, "Move %u of the match is not understood.",
                master->steps.count + 1);
  } else if (moves) {
    say_where(master);
  }
}

void master_show(Master *master) {
  json_t *fed;
  master_say_head(master);
  if (!game_failed(master->game)) master_say_step(master, NULL, NULL);
  say_where(master);
  while ((fed = turn_take_fed(&master->turn))) {
    take(master, fed);
    json_decref(fed);
  }
}
