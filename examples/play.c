/* Plays a game against itself, every role by the same agent:

       cc play.c $(pkg-config --cflags --libs tafl) && ./a.out GAME.kif */
#include <stdio.h>
#include <stdlib.h>
#include <tafl.h>

enum { ROLES = 64 };

static void check(tafl_status status) {
  if (!status) return;
  fprintf(stderr, "%s: %s\n", tafl_status_name(status), tafl_message());
  exit(1);
}

int main(int argc, char **argv) {
  tafl_game *game;
  tafl_position *position;
  tafl_agent *agents[ROLES];
  tafl_budget budget = {.simulations = 20000};
  int over, goals[ROLES];
  check(tafl_game_load_file(argc > 1 ? argv[1] : "", NULL, &game, NULL));
  check(tafl_position_new(game, &position));
  uint32_t roles = tafl_game_role_count(game);
  if (roles > ROLES) return 1;
  for (uint32_t role = 0; role < roles; role++)
    check(tafl_agent_new(game, "tafl", role, role + 1, &agents[role]));
  while (check(tafl_position_terminal(position, &over)), !over) {
    uint32_t joint[ROLES];
    for (uint32_t role = 0; role < roles; role++) {
      tafl_thought thought;
      check(tafl_agent_think(agents[role], position, &budget, &thought));
      joint[role] = thought.number;
      printf("%s %s%s", tafl_game_role(game, role), thought.move,
             role + 1 < roles ? ", " : "\n");
    }
    check(tafl_position_make(position, joint));
  }
  check(tafl_position_goals(position, goals));
  for (uint32_t role = 0; role < roles; role++)
    printf("%s gets %d\n", tafl_game_role(game, role), goals[role]);
  for (uint32_t role = 0; role < roles; role++) tafl_agent_close(agents[role]);
  tafl_position_close(position);
  tafl_game_close(game);
  return 0;
}
