/* How far threads and ranks scale: simulates the schemes of docs/cluster.md
   with measured costs, and prints tables; with FOLDER it writes charts there,
   too. STRENGTH has results of tools/strength. --measure measures the costs of
   this machine and of games, and prints them in the form of the file; started
   by mpirun with two ranks, those of messages by MPI as well; --games measures
   games alone.

     build/tools/scale COSTS [STRENGTH [FOLDER]]
     build/tools/scale docs/cluster-costs.txt docs/cluster-strength.txt docs/img
     TAFL_MPI=build/tafl-mpi.so mpirun --bind-to none -n 2 \
       build/tools/scale --measure games/connectFour.kif
     build/tools/scale --games games/othello.kif */
#include <stdio.h>
#include <stdlib.h>

#include "base/thread.h"
#include "scale/measuring.h"
#include "scale/showing.h"

enum { SIMULATIONS = 1000000, FILE_MOST = 1 << 20 };

static const char *const command =
    "mpirun --bind-to none -n 2 build/tools/scale --measure";

static int complain(const char *what, Text *error) {
  fprintf(stderr, "scale: %s: %s\n", what, text_string(error));
  text_free(error);
  return 3;
}

/* ---- measuring ---- */

static void print(Text *text) {
  fputs(text_string(text), stdout);
  fflush(stdout);
  text_free(text);
}

static void print_machine(Ranks *ranks) {
  MachineCosts costs = {0};
  Text text = {0};
  measuring_machine(&costs);
  measuring_tcp(&costs);
  if (ranks && ranks_count(ranks) > 1)
    measuring_messages(ranks, &costs);
  else
    text_add(&text, "# without MPI: its costs are not measured\n");
  costs_write_machine(&costs, "that was measured", command, &text);
  print(&text);
}

static int print_games(char **paths, int count) {
  for (int i = 0; i < count; i++) {
    GameCosts costs = {0};
    Text text = {0}, error = {0}, own = {0};
    if (!measuring_game(paths[i], SIMULATIONS, &costs, &error))
      return complain(paths[i], &error);
    text_format(&own, "build/tools/scale --games %s", paths[i]);
    costs_write_game(&costs, text_string(&own), &text);
    text_free(&own);
    free(costs.name);
    print(&text);
  }
  return 0;
}

static int measure(char **paths, int count) {
  Text why = {0};
  Ranks *ranks = ranks_open(&why);
  int status = 0;
  if (thread_processors() < 2) {
    fputs("scale: needs two processors; mpirun --bind-to none\n", stderr);
    status = 2;
  } else if (ranks && ranks_own(ranks) == 1) {
    MachineCosts costs;
    measuring_messages(ranks, &costs);
  } else if (!ranks || ranks_own(ranks) == 0) {
    print_machine(ranks);
    status = print_games(paths, count);
  }
  if (ranks) ranks_close(ranks);
  text_free(&why);
  return status;
}

/* ---- the model ---- */

static int model(const char *costs_path, const char *strength_path,
                 const char *folder) {
  Text text = {0}, error = {0};
  Costs costs;
  Matches matches = {0};
  if (!text_read_file(&text, costs_path, FILE_MOST, &error) ||
      !costs_parse(&costs, text_string(&text), &error))
    return complain(costs_path, &error);
  text_clear(&text);
  if (strength_path &&
      (!text_read_file(&text, strength_path, FILE_MOST, &error) ||
       !gains_parse(&matches, text_string(&text), &error)))
    return complain(strength_path, &error);
  text_free(&text);
  int status = 0;
  showing_tables(&costs, &matches, stdout);
  if (folder && !showing_charts(&costs, &matches, folder, &error))
    status = complain(folder, &error);
  gains_free(&matches);
  costs_free(&costs);
  return status;
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "--measure") == 0)
    return measure(arguments + 2, count - 2);
  if (count > 2 && strcmp(arguments[1], "--games") == 0)
    return print_games(arguments + 2, count - 2);
  if (count < 2 || count > 4 || arguments[1][0] == '-') {
    fputs("scale COSTS [STRENGTH [FOLDER]] | scale --measure [GAME...] | "
          "scale --games GAME...\n",
          stderr);
    return 2;
  }
  return model(arguments[1], count > 2 ? arguments[2] : NULL,
               count > 3 ? arguments[3] : NULL);
}
