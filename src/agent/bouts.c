/* Each entrant has a candidate for each role, made when it is first needed.
   Everybody whose roles take part in a game stands at its state.

   Where two roles' goals add up to a constant, a game is over as soon as a
   candidate has proved its value, or both have expected the same winner twice
   in a row. A game that lasts too long counts as what its players expect. */
#include "agent/bouts.h"

#include <math.h>

#include "agent/candidate.h"
#include "base/clock.h"
#include "base/hash.h"
#include "engine/moves.h"

enum {
  ENTRANTS = 4,
  OPENING = 4,    /* at most so many random moves of each role begin a game */
  STEPS = 300,    /* of a game, at most */
  AGREEMENTS = 2, /* of opinions that end it */
};

static const double sure = 90; /* an opinion counts that is so near to the end
                                  of the goals */

typedef struct Bout {
  bool running;
  uint32_t entrants[2];
  uint32_t owner[RULE_ROLES]; /* 0 or 1 */
  uint32_t steps, agreed;
  double value[RULE_ROLES]; /* that the role's owner expects for it; < 0: not
                               known */
} Bout;

struct Bouts {
  Book *book;
  Game *game; /* of the referee */
  uint32_t count;
  int64_t memory;
  uint64_t seed;
  Entrant entrants[ENTRANTS];
  Candidate *candidates[ENTRANTS][RULE_ROLES];
  BoutsScore scores[ENTRANTS][ENTRANTS];
  uint64_t moves;
  double making; /* seconds: the longest that making a candidate took */
  bool opposed;  /* two roles with goals of a constant sum */
  int sum;
  Bout bout;
};

Bouts *bouts_new(Book *book, const Entrant *entrants, uint32_t count,
                 int64_t memory, double making, uint64_t seed) {
  Bouts *bouts = memory_new(sizeof *bouts);
  const Analysis *analysis = book_analysis(book);
  bouts->book = book;
  bouts->game = book_game(book);
  bouts->count = count;
  bouts->memory = memory / (count * bouts->game->role_count);
  bouts->making = making;
  bouts->seed = seed;
  for (uint32_t i = 0; i < count; i++) bouts->entrants[i] = entrants[i];
  bouts->opposed = bouts->game->role_count == 2 && analysis &&
                   analysis->constant_sum != EVIDENCE_NONE;
  bouts->sum = bouts->opposed ? analysis->sum : 0;
  return bouts;
}

void bouts_delete(Bouts *bouts) {
  for (uint32_t i = 0; i < ENTRANTS; i++)
    for (uint32_t role = 0; role < RULE_ROLES; role++)
      if (bouts->candidates[i][role])
        candidate_delete(bouts->candidates[i][role]);
  game_delete(bouts->game);
  memory_delete(bouts);
}

/* ---- the players ---- */

static Candidate *player(Bouts *bouts, uint32_t role) {
  const Bout *bout = &bouts->bout;
  return bouts->candidates[bout->entrants[bout->owner[role]]][role];
}

static bool is_out_of_time(const Budget *move, double until) {
  return (move->stop && atomic_load(move->stop)) ||
         (until > 0 && clock_now() >= until);
}

/* Makes the role's candidate if there is none yet. In large games that takes a
   while: returns false if there is no time for it. */
static bool make_player(Bouts *bouts, uint32_t role, const Budget *move,
                        double until) {
  const Bout *bout = &bouts->bout;
  uint32_t entrant = bout->entrants[bout->owner[role]];
  Candidate **candidate = &bouts->candidates[entrant][role];
  double start = clock_now();
  if (*candidate) {
    candidate_reset(*candidate);
    return true;
  }
  if (is_out_of_time(move, until > 0 ? until - bouts->making : 0)) return false;
  Settings settings = bouts->entrants[entrant].settings;
  settings.gpu = 0;     /* games are over before it is ready, */
  settings.threads = 1; /* and moves before other threads are */
  settings.memory = bouts->memory > 1 ? bouts->memory : 1;
  *candidate = candidate_new(bouts->book, role, &settings,
                             hash_pair(bouts->seed, entrant));
  candidate_set_evaluation(*candidate, bouts->entrants[entrant].evaluation);
  bouts->making = fmax(bouts->making, clock_now() - start);
  return true;
}

/* Returns false if the game cannot go on. */
static bool make_move(Bouts *bouts, const Move *joint) {
  uint32_t roles = bouts->game->role_count;
  const Move *moves;
  game_make(bouts->game, joint);
  bool sound = !game_failed(bouts->game);
  for (uint32_t role = 0; role < roles; role++) {
    candidate_advance(player(bouts, role), joint);
    sound &= candidate_sound(player(bouts, role));
  }
  bouts->bout.steps++;
  if (!sound || game_terminal(bouts->game)) return sound;
  for (uint32_t role = 0; role < roles; role++)
    sound &= game_legal(bouts->game, role, &moves) > 0;
  return sound;
}

/* ---- the opening ---- */

/* Ends before the game would be over, or would stand still. */
static bool open_game(Bouts *bouts, uint64_t seed) {
  Game *game = bouts->game;
  Move joint[RULE_ROLES];
  Random random;
  random_seed(&random, seed);
  uint32_t steps = random_below(&random, OPENING * game->role_count + 1);
  for (uint32_t step = 0; step < steps; step++) {
    const Move *moves;
    for (uint32_t role = 0; role < game->role_count; role++) {
      if (!game_legal(game, role, &moves)) return false;
      joint[role] = moves_random(game, role, &random);
    }
    game_make(game, joint);
    bool over = game_terminal(game);
    game_retract(game);
    if (over || game_failed(game)) break;
    if (!make_move(bouts, joint)) return false;
  }
  return !game_failed(game);
}

/* Each role of the game is the first entrant's in one of two games. */
static bool begin(Bouts *bouts, uint32_t first, uint32_t second,
                  const Budget *move, double until) {
  Bout *bout = &bouts->bout;
  uint32_t roles = bouts->game->role_count;
  uint32_t number = bouts->scores[first][second].games;
  *bout = (Bout){.running = true, .entrants = {first, second}};
  for (uint32_t role = 0; role < roles; role++) {
    bool alone = role == number / 2 % roles;
    bout->owner[role] = alone == (number % 2 != 0);
    bout->value[role] = -1;
  }
  game_reset(bouts->game);
  for (uint32_t role = 0; role < roles; role++)
    if (!make_player(bouts, role, move, until)) return false;
  return !game_terminal(bouts->game) &&
         open_game(bouts, hash_pair(bouts->seed, number / 2));
}

/* ---- the end ---- */

static void count_game(Bouts *bouts, double points) {
  const Bout *bout = &bouts->bout;
  uint32_t first = bout->entrants[0], second = bout->entrants[1];
  bouts->scores[first][second].points += points;
  bouts->scores[first][second].games++;
  bouts->scores[second][first].points += 1 - points;
  bouts->scores[second][first].games++;
  bouts->bout.running = false;
}

/* How much more the first entrant's roles get than the second's, on average. */
static double lead_of(const Bouts *bouts, const double *values) {
  double sums[2] = {0};
  uint32_t counts[2] = {0};
  for (uint32_t role = 0; role < bouts->game->role_count; role++) {
    sums[bouts->bout.owner[role]] += values[role];
    counts[bouts->bout.owner[role]]++;
  }
  return sums[0] / counts[0] - sums[1] / counts[1];
}

/* Half for getting more, half for how much. */
static void count_end(Bouts *bouts) {
  double values[RULE_ROLES];
  for (uint32_t role = 0; role < bouts->game->role_count; role++) {
    int goal = game_goal(bouts->game, role);
    values[role] = goal < 0 ? 0 : goal;
  }
  double lead = lead_of(bouts, values);
  count_game(bouts, 0.5 + lead / 400 + 0.25 * ((lead > 0) - (lead < 0)));
}

/* The value of role 0 of two that are opposed, as both see it. */
static void count_opinions(Bouts *bouts) {
  const double *seen = bouts->bout.value;
  double first = bouts->sum / 2.0;
  if (bouts->opposed && seen[0] >= 0 && seen[1] >= 0)
    first = (seen[0] + bouts->sum - seen[1]) / 2;
  double values[2] = {first, bouts->sum - first};
  count_game(bouts, bouts->opposed ? 0.5 + lead_of(bouts, values) / 200 : 0.5);
}

/* Returns true if the opinions end the game. */
static bool judge(Bouts *bouts, uint32_t role, const AgentReport *report) {
  Bout *bout = &bouts->bout;
  double *seen = bout->value;
  seen[role] = report->value;
  if (!bouts->opposed) return false;
  if (report->proven) {
    seen[1 - role] = bouts->sum - report->value;
    return true;
  }
  bool agreed = false;
  for (uint32_t i = 0; i < 2; i++)
    agreed |= seen[i] >= sure && seen[1 - i] >= 0 && seen[1 - i] <= 100 - sure;
  bout->agreed = agreed ? bout->agreed + 1 : 0;
  return bout->agreed >= 2 * AGREEMENTS;
}

/* ---- a game ---- */

/* Lets everybody who has a choice think. Returns false if it was broken off;
   `over`: the opinions end the game. */
static bool ask(Bouts *bouts, const Budget *move, double until, Move *joint,
                bool *over) {
  AgentWork work = {0};
  AgentReport report;
  const Move *moves;
  for (uint32_t role = 0; role < bouts->game->role_count; role++) {
    Candidate *candidate = player(bouts, role);
    if (game_legal(bouts->game, role, &moves) > 1) {
      candidate_think(candidate, move, &work);
      bouts->moves++;
      if (is_out_of_time(move, until)) return false;
      candidate_report(candidate, &report);
      *over |= judge(bouts, role, &report);
    }
    joint[role] = candidate_best(candidate);
  }
  return true;
}

static bool step(Bouts *bouts, const Budget *move, double until) {
  Move joint[RULE_ROLES];
  bool over = false;
  if (is_out_of_time(move, until) || !ask(bouts, move, until, joint, &over))
    return false;
  if (over || bouts->bout.steps >= STEPS)
    count_opinions(bouts);
  else if (!make_move(bouts, joint))
    count_game(bouts, 0.5);
  else if (game_terminal(bouts->game))
    count_end(bouts);
  return true;
}

bool bouts_play(Bouts *bouts, uint32_t first, uint32_t second,
                const Budget *move, double until) {
  Bout *bout = &bouts->bout;
  bool same = bout->running && bout->entrants[0] == first &&
              bout->entrants[1] == second;
  if (!same && !begin(bouts, first, second, move, until)) {
    bout->running = false;
    return false;
  }
  while (bout->running)
    if (!step(bouts, move, until)) return false;
  return true;
}

BoutsScore bouts_score(const Bouts *bouts, uint32_t first, uint32_t second) {
  return bouts->scores[first][second];
}

uint64_t bouts_moves(const Bouts *bouts) {
  return bouts->moves;
}
