/* Makes and checks the files of test/positions/accuracy (command/solved.h).

     build/tools/solved make GAME SEED COUNT FIRST LAST STATES AGENT SIMS RANDOM
     build/tools/solved make games/connectFour.kif 1 200 8 24 0 cadia2007 200 30
     build/tools/solved make games/othello.kif 1 99 -14 -5 40000 cadia2007 20 40
     build/tools/solved check FILE [EVERY]

   `make` plays games in which each move is random in RANDOM of 100 cases and
   else that of AGENT after SIMS simulations. Positions come after FIRST to LAST
   choices, one from each game; negative numbers count from the end of the game,
   and up to four positions of a game are taken. The value of every move is
   proved there: in connectFour by support/fours.h, in breakthroughSmall by
   support/pawns.h, else by support/proof.h; what takes more than STATES states
   is left out. So are positions whose moves are all of one value and those seen
   before; of the trivial ones (see below) at most one in three is written.
   Which positions come out depends on nothing but the arguments.

   `check` proves every position again, or one in EVERY. */
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/random.h"
#include "command/solved.h"
#include "engine/moves.h"
#include "engine/turn.h"
#include "game/book.h"
#include "search/search.h"
#include "support/fours.h"
#include "support/judge.h"
#include "support/pawns.h"
#include "support/proof.h"

enum { PER_GAME = 4 }; /* positions from one game, when counting back */

typedef struct Maker {
  Description description;
  Book book;
  Game *game;
  Proof proof;
  FoursSolver *fours; /* of connectFour, or NULL */
  PawnsSolver *pawns; /* of breakthroughSmall, or NULL */
  Settings settings;
  uint64_t simulations, seed;
  uint32_t random_percent;
  Random random;
  NumberVector choices; /* of the game so far */
  MoveVector way;       /* joint moves of the game so far */
  NumberVector values;  /* of the moves, sorted */
  VECTOR(uint64_t) seen;
} Maker;

typedef struct Counts {
  uint32_t judged, hard, level, trivial, found;
} Counts;

/* ---- the game ---- */

static bool open_game(Maker *maker, const char *path, uint64_t limit) {
  Text error = {0};
  BookLimits limits = {.ground = {.seconds = 60, .memory = (size_t)1 << 30},
                       .reduce_seconds = 5,
                       .rules = {.memory = (size_t)1 << 30}};
  if (!description_read(&maker->description, path, 1 << 20, &error)) {
    log_error("%s: %s", path, text_string(&error));
    text_free(&error);
    return false;
  }
  if (!description_valid(&maker->description)) {
    log_error("%s: the rules are not valid", path);
    return false;
  }
  book_init(&maker->book, &maker->description, &limits, true);
  maker->game = book_game(&maker->book);
  proof_init(&maker->proof, maker->game, limit);
  if (strstr(path, "/connectFour.kif")) maker->fours = fours_new();
  if (strstr(path, "/breakthroughSmall.kif")) maker->pawns = pawns_new(limit);
  return true;
}

static void close_game(Maker *maker) {
  if (maker->fours) fours_delete(maker->fours);
  if (maker->pawns) pawns_delete(maker->pawns);
  proof_free(&maker->proof);
  game_delete(maker->game);
  book_free(&maker->book);
  description_free(&maker->description);
  vector_free(&maker->choices);
  vector_free(&maker->way);
  vector_free(&maker->values);
  vector_free(&maker->seen);
}

/* ---- values ---- */

/* Whether the mover's move wins at once; whether some reply to it does. */
static bool ends_for(Game *game, uint32_t role, bool reply) {
  if (game_terminal(game)) return !reply && game_goal(game, role) == 100;
  if (!reply) return false;
  MoveVector moves = {0};
  Move joint[SOLVE_ROLES];
  Turn turn = turn_of(game);
  bool found = false;
  if (turn.movers != 1) return false;
  moves_sorted(game, turn.role, &moves);
  for (uint32_t other = 0; other < game->role_count; other++)
    joint[other] = moves_first(game, other);
  for (uint32_t i = 0; i < moves.count && !found; i++) {
    joint[turn.role] = moves.data[i];
    game_make(game, joint);
    found = game_terminal(game) && game_goal(game, role) == 0;
    game_retract(game);
  }
  vector_free(&moves);
  return found;
}

/* A position is trivial if a move wins at once, or every wrong move loses to
   the next one, or three quarters of the moves are right. */
static bool is_trivial(Maker *maker, uint32_t role, uint32_t best) {
  Game *game = maker->game;
  MoveVector moves = {0};
  Move joint[SOLVE_ROLES];
  uint32_t right = 0;
  bool wins = false, refuted = true;
  moves_sorted(game, role, &moves);
  for (uint32_t other = 0; other < game->role_count; other++)
    joint[other] = moves_first(game, other);
  for (uint32_t i = 0; i < moves.count; i++) {
    joint[role] = moves.data[i];
    game_make(game, joint);
    right += maker->values.data[i] == best;
    wins |= ends_for(game, role, false);
    if (maker->values.data[i] != best) refuted &= ends_for(game, role, true);
    game_retract(game);
  }
  bool most = 4 * right >= 3 * moves.count;
  vector_free(&moves);
  return wins || refuted || most;
}

/* The board of connectFour that the facts (cell COLUMN ROW PLAYER) say. */
static Fours read_board(Game *game, uint32_t role) {
  const Term *facts;
  const Terms *terms = game_terms(game);
  Fours board = {0};
  uint32_t count = game_facts(game, &facts);
  for (uint32_t i = 0; i < count; i++) {
    if (term_arity(terms, facts[i]) != 3) continue;
    uint32_t column = (uint32_t)term_number(terms,
                                            term_argument(terms, facts[i], 0)) -
                      1,
             row = (uint32_t)term_number(terms,
                                         term_argument(terms, facts[i], 1)) -
                   1;
    uint64_t cell = UINT64_C(1) << (column * (FOURS_ROWS + 1) + row);
    board.discs++;
    board.all |= cell;
    if (term_argument(terms, facts[i], 2) == game_role(game, role))
      board.own |= cell;
  }
  return board;
}

static void judge_fours(Maker *maker, uint32_t role) {
  Game *game = maker->game;
  const Terms *terms = game_terms(game);
  Fours board = read_board(game, role);
  MoveVector moves = {0};
  moves_sorted(game, role, &moves);
  for (uint32_t i = 0; i < moves.count; i++) {
    Term term = game_move_term(game, role, moves.data[i]);
    int64_t column = term_number(terms, term_argument(terms, term, 0));
    vector_push(
        &maker->values,
        (uint32_t)fours_solve_move(maker->fours, &board, (uint32_t)column - 1));
  }
  vector_free(&moves);
}

/* The number, from 0, in an argument of a term. */
static uint32_t number_in(const Terms *terms, Term term, uint32_t argument) {
  return (uint32_t)term_number(terms, term_argument(terms, term, argument)) - 1;
}

/* The bit of a square of breakthroughSmall, for a player that goes up. */
static uint32_t square_of(const Terms *terms, Term term, uint32_t argument,
                          uint32_t role) {
  uint32_t cell = number_in(terms, term, argument + 1) * PAWNS_COLUMNS +
                  number_in(terms, term, argument);
  return role ? PAWNS_CELLS - 1 - cell : cell;
}

/* White is role 0 and goes up. */
static bool judge_pawns(Maker *maker, uint32_t role) {
  Game *game = maker->game;
  const Terms *terms = game_terms(game);
  const Term *facts;
  Pawns board = {0};
  uint32_t count = game_facts(game, &facts);
  for (uint32_t i = 0; i < count; i++) {
    if (term_arity(terms, facts[i]) != 3) continue;
    uint64_t cell = UINT64_C(1) << square_of(terms, facts[i], 0, role);
    if (term_argument(terms, facts[i], 2) == game_role(game, role))
      board.own |= cell;
    else
      board.other |= cell;
  }
  MoveVector moves = {0};
  int won = 0;
  moves_sorted(game, role, &moves);
  for (uint32_t i = 0; i < moves.count && won >= 0; i++) {
    Term term = game_move_term(game, role, moves.data[i]);
    won =
        pawns_solve_move(maker->pawns, &board, square_of(terms, term, 0, role),
                         square_of(terms, term, 2, role));
    vector_push(&maker->values, won > 0 ? 100 : 0);
  }
  vector_free(&moves);
  return won >= 0;
}

/* The highest of the goals that the role reaches after the move just made. The
   lowest needs no proof. */
static int reached(Maker *maker, uint32_t role, const NumberVector *goals) {
  uint32_t i = 0;
  while (i + 1 < goals->count && !maker->proof.beyond &&
         !proof_reaches(&maker->proof, role, (int)goals->data[i]))
    i++;
  return (int)goals->data[i];
}

static bool judge_any(Maker *maker, uint32_t role) {
  Game *game = maker->game;
  MoveVector moves = {0};
  NumberVector goals = {0};
  Move joint[SOLVE_ROLES];
  bool proved = true;
  judge_goals(game, &goals);
  moves_sorted(game, role, &moves);
  for (uint32_t other = 0; other < game->role_count; other++)
    joint[other] = moves_first(game, other);
  proof_begin(&maker->proof);
  for (uint32_t i = 0; proved && i < moves.count; i++) {
    joint[role] = moves.data[i];
    game_make(game, joint);
    int goal = reached(maker, role, &goals);
    game_retract(game);
    proved = goal >= 0 && !maker->proof.beyond && maker->proof.constant_sum;
    vector_push(&maker->values, (uint32_t)goal);
  }
  vector_free(&goals);
  vector_free(&moves);
  return proved;
}

/* Finds the values of the moves in the current state. */
static bool find_values(Maker *maker, uint32_t role) {
  vector_clear(&maker->values);
  if (maker->pawns) return judge_pawns(maker, role);
  if (!maker->fours) return judge_any(maker, role);
  judge_fours(maker, role);
  return true;
}

/* ---- playing ---- */

static Move choose(Maker *maker, Search *search, uint32_t role) {
  Move move = moves_random(maker->game, role, &maker->random);
  if (random_below(&maker->random, 100) < maker->random_percent) return move;
  search_think(search, &(Budget){.simulations = maker->simulations});
  return search_best(search);
}

static void note_choice(Maker *maker, uint32_t role, Move move) {
  MoveVector moves = {0};
  uint32_t number = 0;
  moves_sorted(maker->game, role, &moves);
  while (moves.data[number] != move) number++;
  if (moves.count > 1) vector_push(&maker->choices, number);
  vector_free(&moves);
}

/* Plays until the game is over, or after `most` choices at a state in which
   one role has a choice. Returns false if the game is over. */
static bool play(Maker *maker, uint32_t most) {
  Game *game = maker->game;
  Search *searches[SOLVE_ROLES];
  vector_clear(&maker->choices);
  vector_clear(&maker->way);
  game_reset(game);
  for (uint32_t role = 0; role < game->role_count; role++)
    searches[role] = search_new(&maker->book, role, &maker->settings,
                                random_next(&maker->random));
  while (!game_terminal(game)) {
    Move joint[SOLVE_ROLES];
    if (maker->choices.count >= most && turn_of(game).movers) break;
    for (uint32_t role = 0; role < game->role_count; role++) {
      const Move *moves;
      joint[role] = game_legal(game, role, &moves) > 1
                        ? choose(maker, searches[role], role)
                        : moves[0];
      note_choice(maker, role, joint[role]);
      vector_push(&maker->way, joint[role]);
    }
    game_make(game, joint);
    for (uint32_t role = 0; role < game->role_count; role++)
      search_advance(searches[role], joint);
  }
  for (uint32_t role = 0; role < game->role_count; role++)
    search_delete(searches[role]);
  return !game_terminal(game);
}

/* Goes to the state of the game after that many choices, where somebody has
   one. */
static void go_to(Maker *maker, uint32_t count) {
  Game *game = maker->game;
  uint32_t used = 0, steps = 0;
  game_reset(game);
  for (; used < count || !turn_of(game).movers; steps++) {
    used += turn_of(game).movers;
    game_make(game, maker->way.data + steps * game->role_count);
  }
}

static bool is_new(Maker *maker) {
  uint64_t key = game_key(maker->game);
  for (uint32_t i = 0; i < maker->seen.count; i++)
    if (maker->seen.data[i] == key) return false;
  vector_push(&maker->seen, key);
  return true;
}

/* ---- the programs ---- */

static void write_position(const Maker *maker, uint32_t choices,
                           const uint32_t *values, uint32_t count) {
  for (uint32_t i = 0; i < choices; i++) printf("%u ", maker->choices.data[i]);
  putchar(':');
  for (uint32_t i = 0; i < count; i++) printf(" %u", values[i]);
  putchar('\n');
  fflush(stdout);
}

static uint32_t most_of(const NumberVector *values, bool least) {
  uint32_t found = values->data[0];
  for (uint32_t i = 1; i < values->count; i++)
    if (least ? values->data[i] < found : values->data[i] > found)
      found = values->data[i];
  return found;
}

/* Judges the current state. */
static Verdict judge_state(Maker *maker, Counts *counts) {
  Turn turn = turn_of(maker->game);
  if (turn.movers != 1 || !is_new(maker)) return VERDICT_NO;
  counts->judged++;
  if (!find_values(maker, turn.role)) {
    counts->hard++;
    return VERDICT_UNKNOWN;
  }
  uint32_t best = most_of(&maker->values, false);
  if (best == most_of(&maker->values, true)) {
    counts->level++;
    return VERDICT_NO;
  }
  if (is_trivial(maker, turn.role, best)) {
    if (3 * counts->trivial > counts->found) return VERDICT_NO;
    counts->trivial++;
  }
  return VERDICT_YES;
}

/* One position after that many choices. */
static void make_one(Maker *maker, uint32_t number, Counts *counts) {
  if (!play(maker, number) || judge_state(maker, counts) != VERDICT_YES) return;
  counts->found++;
  write_position(maker, maker->choices.count, maker->values.data,
                 maker->values.count);
}

/* Positions of a whole game, from `least` choices before its end backwards, as
   long as they are not too hard: much of what is proved of one helps the one
   before it. The earliest ones are written. */
static void make_back(Maker *maker, uint32_t least, uint32_t most,
                      Counts *counts) {
  NumberVector values = {0}, starts = {0}, lengths = {0};
  play(maker, UINT32_MAX);
  uint32_t length = maker->choices.count;
  for (uint32_t back = least; back <= most && back < length; back++) {
    go_to(maker, length - back);
    Verdict verdict = judge_state(maker, counts);
    if (verdict == VERDICT_UNKNOWN) break;
    if (verdict == VERDICT_NO) continue;
    vector_push(&lengths, length - back);
    vector_push(&starts, values.count);
    for (uint32_t i = 0; i < maker->values.count; i++)
      vector_push(&values, maker->values.data[i]);
  }
  vector_push(&starts, values.count);
  uint32_t first = lengths.count > PER_GAME ? lengths.count - PER_GAME : 0;
  for (uint32_t i = first; i < lengths.count; i++, counts->found++)
    write_position(maker, lengths.data[i], values.data + starts.data[i],
                   starts.data[i + 1] - starts.data[i]);
  vector_free(&values);
  vector_free(&starts);
  vector_free(&lengths);
}

static void make_positions(Maker *maker, uint32_t count, int first, int last) {
  Counts counts = {0};
  for (uint32_t games = 1; counts.found < count; games++) {
    if (first >= 0)
      make_one(maker,
               (uint32_t)first +
                   random_below(&maker->random, (uint32_t)(last - first + 1)),
               &counts);
    else
      make_back(maker, (uint32_t)-last, (uint32_t)-first, &counts);
    if (games % 50 == 0)
      fprintf(stderr, "%u games, %u judged, %u too hard, %u level, %u found\n",
              games, counts.judged, counts.hard, counts.level, counts.found);
  }
  printf("; %u positions were judged: %u were too hard, %u of one value\n",
         counts.judged, counts.hard, counts.level);
}

static int run_make(int count, char **arguments) {
  Maker maker = {0};
  Text error = {0};
  if (!settings_parse(&maker.settings, arguments[8], &error)) {
    log_error("%s", text_string(&error));
    text_free(&error);
    return 2;
  }
  if (!open_game(&maker, arguments[2], strtoull(arguments[7], NULL, 10)))
    return 3;
  random_seed(&maker.random, strtoull(arguments[3], NULL, 10));
  maker.simulations = strtoull(arguments[9], NULL, 10);
  maker.random_percent = (uint32_t)atoi(arguments[10]);
  const char *slash = strrchr(arguments[2], '/'),
             *name = slash ? slash + 1 : arguments[2];
  printf("; made by build/tools/solved");
  for (int i = 1; i < count; i++) printf(" %s", arguments[i]);
  printf("\ngame %.*s\n", (int)strcspn(name, "."), name);
  make_positions(&maker, (uint32_t)atoi(arguments[4]), atoi(arguments[5]),
                 atoi(arguments[6]));
  close_game(&maker);
  return 0;
}

static bool enter(Maker *maker, const SolvedFile *file, uint32_t number,
                  uint32_t *role) {
  Text error = {0};
  bool fine = solved_enter(file, number, maker->game, role, &error);
  if (!fine) log_error("%s", text_string(&error));
  text_free(&error);
  return fine;
}

/* Proves a position again; prints what differs. */
static bool check_position(Maker *maker, const SolvedFile *file,
                           uint32_t number) {
  uint32_t role;
  if (!enter(maker, file, number, &role)) return false;
  const SolvedPosition *position = &file->positions.data[number];
  const uint32_t *values = solved_values(file, number);
  if (!find_values(maker, role)) {
    printf("%s:%u: too hard\n", file->path, position->line);
    return false;
  }
  for (uint32_t i = 0; i < position->value_count; i++)
    if (values[i] != maker->values.data[i]) {
      printf("%s:%u: move %u is worth %u, not %u\n", file->path, position->line,
             i, maker->values.data[i], values[i]);
      return false;
    }
  return true;
}

static int run_check(const char *path, uint32_t every) {
  Maker maker = {0};
  SolvedFile file;
  Text error = {0}, game = {0};
  int code = 3;
  if (!solved_read(&file, path, &error)) {
    log_error("%s", text_string(&error));
  } else {
    const char *slash = strrchr(path, '/');
    text_add_bytes(&game, path, slash ? (size_t)(slash + 1 - path) : 0);
    text_format(&game, "%s.kif", file.game.bytes);
    FILE *beside = fopen(game.bytes, "r");
    if (beside) {
      fclose(beside);
    } else {
      text_clear(&game);
      text_format(&game, "games/%s.kif", file.game.bytes);
    }
    if (open_game(&maker, game.bytes, UINT64_MAX)) {
      code = 0;
      for (uint32_t i = 0; i < file.positions.count; i += every)
        if (!check_position(&maker, &file, i)) code = 1;
      close_game(&maker);
    }
  }
  text_free(&error);
  text_free(&game);
  solved_free(&file);
  return code;
}

int main(int count, char **arguments) {
  if (count == 11 && strcmp(arguments[1], "make") == 0)
    return run_make(count, arguments);
  if ((count == 3 || count == 4) && strcmp(arguments[1], "check") == 0)
    return run_check(arguments[2],
                     count == 4 ? (uint32_t)atoi(arguments[3]) : 1);
  fputs("solved make GAME SEED COUNT FIRST LAST STATES AGENT SIMS RANDOM\n"
        "solved check FILE [EVERY]\n",
        stderr);
  return 2;
}
