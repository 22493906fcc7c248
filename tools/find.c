/* Finds problems for test/positions: plays random games, goes back some plies
   from their ends and lets the solver judge every move of a role that has a
   choice. Writes the positions in which exactly one move is right as files
   (support/problem.h); with `trap` only those in which the move with the best
   average of random playouts is wrong.

     build/tools/find GAME SEED BACK_LEAST BACK_MOST PLIES_LEAST PLIES_MOST
       STATES COUNT PREFIX [trap] [ROLE]
     build/tools/find games/connectFour.kif 1 8 12 3 9 100000 2 build/found-

   BACK_LEAST with a plus sign counts from the start. PLIES_… is the depth of
   the proof, STATES limits each proof. COUNT files PREFIX1.txt, … are written;
   with an exclamation mark before PREFIX only wins are looked for. */
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "engine/playout.h"
#include "game/boards.h"
#include "game/book.h"
#include "support/judge.h"

enum { PLAYOUTS = 400 };

typedef struct Finder {
  Game *game;
  Boards *boards;
  Solver solver;
  Judgement judgement;
  Random random;
  VECTOR(Move) way; /* joint moves from the start */
  uint32_t role, plies;
  Term tempting;      /* best average */
  double averages[2]; /* of the right move, of the tempting one */
} Finder;

static uint32_t play_random_game(Finder *finder) {
  Game *game = finder->game;
  uint32_t steps = 0;
  vector_clear(&finder->way);
  for (game_reset(game); !game_terminal(game); steps++) {
    Move joint[SOLVE_ROLES];
    for (uint32_t role = 0; role < game->role_count; role++) {
      const Move *moves;
      uint32_t count = game_legal(game, role, &moves);
      joint[role] = moves[random_below(&finder->random, count)];
      vector_push(&finder->way, joint[role]);
    }
    game_make(game, joint);
  }
  return steps;
}

/* Chooses a role with three moves or more at random. */
static bool choose_role(Finder *finder) {
  const Move *moves;
  uint32_t roles = finder->game->role_count,
           first = random_below(&finder->random, roles);
  for (uint32_t i = 0; i < roles; i++) {
    finder->role = (first + i) % roles;
    if (game_legal(finder->game, finder->role, &moves) > 2) return true;
  }
  return false;
}

static double average(Finder *finder, Move move) {
  Game *game = finder->game;
  double total = 0;
  for (uint32_t i = 0; i < PLAYOUTS; i++) {
    Move joint[SOLVE_ROLES];
    uint32_t steps, stuck;
    for (uint32_t role = 0; role < game->role_count; role++) {
      const Move *moves;
      uint32_t count = game_legal(game, role, &moves);
      joint[role] = role == finder->role
                        ? move
                        : moves[random_below(&finder->random, count)];
    }
    game_make(game, joint);
    playout_run(game, &finder->random, 1000, &steps, &stuck);
    total += game_goal(game, finder->role);
    for (uint32_t k = 0; k <= steps; k++) game_retract(game);
  }
  return total / PLAYOUTS;
}

/* True if exactly one move wins within `most` plies and none wins in fewer than
   `least`: cheap to see, and rules out most positions. */
static bool wins_alone(Finder *finder, uint32_t least, uint32_t most) {
  const Move *legal;
  uint32_t count = game_legal(finder->game, finder->role, &legal), wins = 0;
  VECTOR(Move) moves = {0};
  for (uint32_t i = 0; i < count; i++) vector_push(&moves, legal[i]);
  solver_begin(&finder->solver, finder->role);
  for (uint32_t i = 0; i < count && wins < 2; i++)
    if (solve_move_reaches(&finder->solver, moves.data[i], 100, most))
      wins += solve_move_reaches(&finder->solver, moves.data[i], 100, least - 1)
                  ? 2
                  : 1;
  vector_free(&moves);
  return wins == 1;
}

/* True if there is one right move; finds out how deep it is and what random
   playouts think of it. */
static bool interesting(Finder *finder, bool trap) {
  Judgement *judgement = &finder->judgement;
  judge(&finder->solver, finder->role, judgement);
  int best = judge_best(judgement);
  if (best < 0) return false;
  uint32_t rights = 0;
  Move right = 0;
  double highest = -1;
  for (uint32_t i = 0; i < judgement->moves.count; i++) {
    const JudgedMove *move = &judgement->moves.data[i];
    double mean = average(finder, move->move);
    if (move->low == best)
      rights++, right = move->move, finder->averages[0] = mean;
    if (mean > highest) highest = mean, finder->tempting = move->term;
  }
  finder->averages[1] = highest;
  if (rights != 1) return false;
  if (trap &&
      finder->tempting == game_move_term(finder->game, finder->role, right))
    return false;
  finder->plies = 0;
  if (finder->game->role_count == 2)
    for (finder->plies = 1;
         !solve_move_reaches(&finder->solver, right, best, finder->plies) &&
         !finder->solver.beyond && finder->plies < 60;)
      finder->plies++;
  return true;
}

/* ---- writing ---- */

static void write_moves(Finder *finder, uint32_t steps, Text *text) {
  Game *game = finder->game;
  text_add(text, "(moves");
  size_t line = text->length - 6;
  game_reset(game);
  for (uint32_t step = 0; step < steps; step++) {
    const Move *joint = finder->way.data + step * game->role_count;
    for (uint32_t role = 0; role < game->role_count; role++) {
      const Move *moves;
      if (game_legal(game, role, &moves) < 2) continue;
      Text term = {0};
      term_write(game_terms(game), game_move_term(game, role, joint[role]),
                 &term);
      bool wrap = text->length - line + term.length > 78;
      text_add(text, wrap ? "\n  " : " ");
      if (wrap) line = text->length - 2;
      text_add(text, term.bytes);
      text_free(&term);
    }
    game_make(game, joint);
  }
  text_add(text, ")\n");
}

static void write_board(Finder *finder, Text *text) {
  const Term *facts;
  Text board = {0};
  uint32_t count = game_facts(finder->game, &facts);
  const BoardsStyle style = {0};
  boards_draw(finder->boards, &style, facts, count, NULL, 0, &board);
  for (char *line = strtok(board.bytes, "\n"); line; line = strtok(NULL, "\n"))
    text_format(text, "; %s\n", line);
  text_free(&board);
}

static void write_judgement(Finder *finder, int best, Text *text) {
  const Terms *terms = game_terms(finder->game);
  int most = -1;
  Text right = {0};
  for (uint32_t i = 0; i < finder->judgement.moves.count; i++) {
    const JudgedMove *move = &finder->judgement.moves.data[i];
    if (move->low == best)
      term_write(terms, move->term, &right);
    else if (move->high > most)
      most = move->high;
  }
  text_format(text, "; Of %u moves only %s is worth %d, the others at most %d",
              finder->judgement.moves.count, right.bytes, best, most);
  if (finder->plies) text_format(text, "; %u plies", finder->plies);
  text_format(text, ".\n; Random playouts give it %.0f and ",
              finder->averages[0]);
  term_write(terms, finder->tempting, text);
  text_format(text, " %.0f.\n", finder->averages[1]);
  text_format(text, "(right %s)\n(goal %d)\n(proof %llu)\n", right.bytes, best,
              (unsigned long long)finder->judgement.states);
  text_free(&right);
}

static void write_position(Finder *finder, const char *game, uint32_t steps,
                           const char *path) {
  Text text = {0};
  text_format(&text, "(game %s)\n(role ", game);
  term_write(game_terms(finder->game), game_role(finder->game, finder->role),
             &text);
  text_add(&text, ")\n");
  write_moves(finder, steps, &text);
  write_board(finder, &text);
  write_judgement(finder, judge_best(&finder->judgement), &text);
  FILE *file = fopen(path, "w");
  if (file) {
    fputs(text.bytes, file);
    fclose(file);
  }
  fputs(strstr(text.bytes, "; Of"), stdout);
  fflush(stdout);
  text_free(&text);
}

/* ---- the program ---- */

static bool try_once(Finder *finder, char **arguments, bool trap,
                     const char *role, uint32_t *steps) {
  uint32_t least = (uint32_t)atoi(arguments[3]),
           most = (uint32_t)atoi(arguments[4]),
           length = play_random_game(finder),
           back = least + random_below(&finder->random, most - least + 1);
  if (back >= length) return false;
  *steps = arguments[3][0] == '+' ? back : length - back;
  game_reset(finder->game);
  for (uint32_t i = 0; i < *steps; i++)
    game_make(finder->game, finder->way.data + i * finder->game->role_count);
  if (!choose_role(finder)) return false;
  const Terms *terms = game_terms(finder->game);
  if (role &&
      strcmp(role, symbol_text(&terms->symbols,
                               term_symbol(terms, game_role(finder->game,
                                                            finder->role)))))
    return false;
  uint32_t shallow = (uint32_t)atoi(arguments[5]),
           deep = (uint32_t)atoi(arguments[6]);
  if (arguments[9][0] == '!' && !wins_alone(finder, shallow, deep))
    return false;
  return interesting(finder, trap) &&
         (!finder->plies ||
          (finder->plies >= shallow && finder->plies <= deep));
}

int main(int count, char **arguments) {
  if (count < 10) {
    fputs("find GAME SEED BACK_LEAST BACK_MOST PLIES_LEAST PLIES_MOST STATES "
          "COUNT PREFIX [trap] [ROLE]\n",
          stderr);
    return 2;
  }
  Description description;
  Text error = {0};
  if (!description_read(&description, arguments[1], 1 << 20, &error)) return 3;
  BookLimits limits = {.ground = {.seconds = 60, .memory = (size_t)1 << 30},
                       .reduce_seconds = 5,
                       .rules = {.memory = (size_t)1 << 30}};
  Book book;
  book_init(&book, &description, &limits, true);
  Finder finder = {.game = book_game(&book)};
  finder.boards = boards_new(&description, book_analysis(&book));
  random_seed(&finder.random, strtoull(arguments[2], NULL, 10));
  solver_init(&finder.solver, finder.game, strtoull(arguments[7], NULL, 10));
  bool trap = count > 10 && strcmp(arguments[10], "trap") == 0;
  const char *role = count > 11 ? arguments[11] : NULL;
  for (uint32_t found = 0; found < (uint32_t)atoi(arguments[8]);) {
    uint32_t steps;
    if (!try_once(&finder, arguments, trap, role, &steps)) continue;
    char path[300];
    snprintf(path, sizeof path, "%s%u.txt",
             arguments[9] + (arguments[9][0] == '!'), ++found);
    printf("%s: ", path);
    write_position(&finder, arguments[1], steps, path);
  }
  judgement_free(&finder.judgement);
  vector_free(&finder.way);
  solver_free(&finder.solver);
  boards_delete(finder.boards);
  game_delete(finder.game);
  book_free(&book);
  description_free(&description);
  text_free(&error);
  return 0;
}
