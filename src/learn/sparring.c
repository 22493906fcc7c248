/* Each thread has partners of its own, a mind for each role, which it makes
   itself (0.1 s for the first one in chess, then 0.03), and keeps what the
   games of one call came to until it is told. */
#include "learn/sparring.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "engine/moves.h"
#include "engine/turn.h"
#include "minimax/minimax.h"

enum {
  OPENING = 12,   /* random steps at the beginning, at most */
  STRAY = 20,     /* one step of so many is random, too */
  LONGEST = 400,  /* steps of a game */
  LEAST = 20,     /* states for a step, */
  EACH = 4,       /* and so many for each move that there usually is */
  MEMORY = 2,     /* MiB of each mind's table */
  THREADS = 64,   /* at most */
  SIDES_LEAST = 2 /* roles */
};

/* How much of what a state is expected to come to is due to what was expected
   later on. 60 games each against what playouts taught (40 in skirmish): with
   0.9 breakthrough 93 %, checkers 80 %, skirmish 85 %. */
static const float lambda = 0.9f;

/* A step of a game: the state is in the path, at the same place. */
typedef struct Step {
  uint32_t role;
  float value; /* the goal that the role expected */
} Step;

/* A game that has ended. */
typedef struct Played {
  uint32_t first, count; /* steps */
  int goals[RULE_ROLES]; /* -1: there is none */
} Played;

typedef struct Table {
  Sparring *sparring;
  Minimax *minds[RULE_ROLES];
  uint64_t seed;
  Random random;
  VECTOR(uint64_t) path;
  VECTOR(Step) steps;
  VECTOR(Played) played;
  uint64_t states, most; /* made in this call, and how many may be */
  uint32_t games;        /* that may be played in this call */
  bool broken;           /* the game cannot be played so */
  TrialHelper helper;
} Table;

struct Sparring {
  const Linear *linear;
  uint32_t roles, words, count;
  uint64_t think[RULE_ROLES]; /* states for a step */
  Table *tables;
  double deadline; /* of this call; 0: none */
  const atomic_bool *stop;
  uint64_t states;
  float *expected, *came; /* scratch, by row */
};

bool sparring_suits(Book *book) {
  return book->net.role_count >= SIDES_LEAST && minimax_plays(book);
}

void sparring_prepare(Book *book) {
  book_analysis(book);
  book_features(book);
}

static Settings mind_settings(const Settings *settings) {
  Settings own = *settings;
  own.threads = 1;
  own.memory = MEMORY;
  own.gpu = 0;
  own.symmetry = 0;
  own.share = 1;
  return own;
}

Sparring *sparring_new(Book *book, const Settings *settings,
                       const Linear *linear, uint64_t seed) {
  Sparring *sparring = memory_new(sizeof *sparring);
  Settings own = mind_settings(settings);
  const Turns *turns = &book_analysis(book)->turns;
  sparring->linear = linear;
  sparring->roles = book->net.role_count;
  sparring->words = book->words;
  sparring->count = settings->threads ? (uint32_t)settings->threads : 1;
  if (sparring->count > THREADS) sparring->count = THREADS;
  for (uint32_t role = 0; role < sparring->roles; role++)
    sparring->think[role] = (uint64_t)(LEAST + EACH * turns->roles[role].moves);
  sparring->tables = memory_new(sparring->count * sizeof *sparring->tables);
  for (uint32_t i = 0; i < sparring->count; i++) {
    Table *table = &sparring->tables[i];
    table->sparring = sparring;
    table->seed = seed + i;
    random_seed(&table->random, seed + i);
  }
  sparring->tables[0].minds[0] = minimax_new(book, 0, &own, seed);
  sparring->expected = memory_new(linear->rows * sizeof *sparring->expected);
  sparring->came = memory_new(linear->rows * sizeof *sparring->came);
  return sparring;
}

void sparring_delete(Sparring *sparring) {
  for (uint32_t i = 0; i < sparring->count; i++) {
    Table *table = &sparring->tables[sparring->count - 1 - i];
    for (uint32_t role = sparring->roles; role-- > 0;)
      if (table->minds[role]) minimax_delete(table->minds[role]);
    vector_free(&table->path);
    vector_free(&table->steps);
    vector_free(&table->played);
  }
  memory_delete(sparring->tables);
  memory_delete(sparring->expected);
  memory_delete(sparring->came);
  memory_delete(sparring);
}

bool sparring_captures(const Sparring *sparring) {
  return minimax_captures(sparring->tables[0].minds[0]);
}

void sparring_take_evaluation(Sparring *sparring) {
  for (uint32_t i = 0; i < sparring->count; i++)
    for (uint32_t role = 0; role < sparring->roles; role++)
      if (sparring->tables[i].minds[role])
        minimax_set_evaluation(sparring->tables[i].minds[role],
                               &sparring->linear->evaluation);
}

static void make_minds(Table *table) {
  const Sparring *sparring = table->sparring;
  const Minimax *first = sparring->tables[0].minds[0];
  for (uint32_t role = 0; role < sparring->roles; role++) {
    if (table->minds[role]) continue;
    table->minds[role] = minimax_new_beside(first, role, table->seed);
    minimax_set_evaluation(table->minds[role], &sparring->linear->evaluation);
  }
}

/* ---- games ---- */

static bool out_of_time(const Table *table) {
  const Sparring *sparring = table->sparring;
  return (sparring->stop && atomic_load(sparring->stop)) ||
         (table->most && table->states >= table->most) ||
         (sparring->deadline > 0 && clock_now() >= sparring->deadline);
}

static void remember(Table *table, Game *game, uint32_t role, double value) {
  const uint64_t *words;
  uint32_t count = game_state(game, &words), at = table->path.count;
  vector_resize(&table->path, at + count);
  memcpy(table->path.data + at, words, count * sizeof *words);
  vector_push(&table->steps, ((Step){role, (float)value}));
}

/* The role in turn thinks, and says what it does. */
static void think(Table *table, uint32_t role, Move *joint) {
  Minimax *mind = table->minds[role];
  const Budget budget = {.states = table->sparring->think[role], .threads = 1};
  minimax_think(mind, &budget);
  table->states += minimax_states(mind);
  remember(table, minimax_game(mind), role, minimax_value(mind));
  if (random_below(&table->random, STRAY)) joint[role] = minimax_best(mind);
}

/* Returns false if a role has no legal move. */
static bool make_step(Table *table, bool opening) {
  uint32_t roles = table->sparring->roles;
  Game *game = minimax_game(table->minds[0]);
  Turn turn = turn_of(game);
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < roles; role++) {
    const Move *moves;
    if (!game_legal(game, role, &moves)) return false;
    joint[role] = moves_random(game, role, &table->random);
  }
  if (!opening && turn.movers) think(table, turn.role, joint);
  for (uint32_t role = 0; role < roles; role++)
    minimax_advance(table->minds[role], joint);
  table->states++;
  return minimax_sound(table->minds[turn.movers ? turn.role : 0]);
}

/* Plays a game to its end. Returns false if there was none in time, or the game
   cannot be played. */
static bool play(Table *table) {
  Game *game = minimax_game(table->minds[0]);
  Played played = {.first = table->steps.count};
  uint32_t opening = random_below(&table->random, OPENING + 1);
  for (uint32_t role = 0; role < table->sparring->roles; role++)
    minimax_reset(table->minds[role]);
  for (uint32_t step = 0; !game_terminal(game) && step < LONGEST; step++) {
    if (out_of_time(table)) return false;
    table->broken |= !make_step(table, step < opening) || game_failed(game);
    if (table->broken) return false;
  }
  played.count = table->steps.count - played.first;
  for (uint32_t role = 0; role < table->sparring->roles; role++)
    played.goals[role] = game_terminal(game) ? game_goal(game, role) : -1;
  vector_push(&table->played, played);
  return true;
}

static void play_all(void *context) {
  Table *table = context;
  make_minds(table);
  while (table->played.count < table->games && play(table)) continue;
}

static void *work(void *argument) {
  Table *table = argument;
  trial_help(&table->helper, play_all, table);
  return NULL;
}

static uint32_t share_of(uint64_t all, uint32_t count, uint32_t i) {
  return (uint32_t)(all / count + (i < all % count));
}

static void play_together(Sparring *sparring) {
  pthread_t started[THREADS];
  uint32_t count = 1;
  for (uint32_t i = 0; i < sparring->count; i++)
    trial_helper_init(&sparring->tables[i].helper, sparring->count);
  while (count < sparring->count &&
         thread_start(&started[count], THREAD_STACK, work,
                      &sparring->tables[count]))
    count++;
  work(&sparring->tables[0]);
  while (count > 1) pthread_join(started[--count], NULL);
  bool failed = false;
  for (uint32_t i = 0; i < sparring->count; i++) {
    failed |= sparring->tables[i].helper.failed;
    trial_join(&sparring->tables[i].helper);
  }
  if (failed) trial_fail("out of memory in a thread of the learner");
}

uint32_t sparring_play(Sparring *sparring, const Budget *budget) {
  uint32_t ended = 0;
  bool broken = false;
  sparring->stop = budget->stop;
  sparring->deadline = budget->seconds > 0 ? clock_now() + budget->seconds : 0;
  for (uint32_t i = 0; i < sparring->count; i++) {
    Table *table = &sparring->tables[i];
    vector_clear(&table->path);
    vector_clear(&table->steps);
    vector_clear(&table->played);
    table->states = 0;
    table->most = (budget->states + sparring->count - 1) / sparring->count;
    table->games = share_of(budget->simulations, sparring->count, i);
  }
  if (sparring->count > 1)
    play_together(sparring);
  else
    play_all(&sparring->tables[0]);
  for (uint32_t i = 0; i < sparring->count; i++) {
    ended += sparring->tables[i].played.count;
    sparring->states += sparring->tables[i].states;
    broken |= sparring->tables[i].broken;
  }
  return broken ? 0 : ended;
}

uint64_t sparring_states(const Sparring *sparring) {
  return sparring->states;
}

/* ---- what they teach ---- */

/* The share of a role's goal in its row; below 0 if it has none. */
static float share_of_goal(const Linear *linear, uint32_t row, float goal) {
  float least = (float)linear->least[row], most = (float)linear->most[row];
  if (goal < 0 || most <= least) return -1;
  float share = (goal - least) / (most - least);
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* Blends what was expected at a step into what is expected before it. Of two
   roles with one row the second has what the first does not get. */
static void look_back(const Linear *linear, const Step *step, float *expected) {
  bool own = step->role < linear->rows;
  uint32_t row = own ? step->role : 0;
  float value = own ? step->value : (float)linear->sum - step->value;
  float share = share_of_goal(linear, row, value);
  if (share < 0) return;
  expected[row] =
      expected[row] < 0 ? share : lambda * expected[row] + (1 - lambda) * share;
}

static void tell_game(const Sparring *sparring, const Table *table,
                      const Played *played, uint32_t number,
                      SparringListener *listener, void *context) {
  const Linear *linear = sparring->linear;
  float *expected = sparring->expected;
  for (uint32_t row = 0; row < linear->rows; row++)
    expected[row] = sparring->came[row] =
        share_of_goal(linear, row, (float)played->goals[row]);
  for (uint32_t i = played->first + played->count; i-- > played->first;) {
    listener(context, number, table->path.data + (size_t)i * sparring->words,
             expected, sparring->came);
    look_back(linear, &table->steps.data[i], expected);
  }
}

void sparring_tell(Sparring *sparring, SparringListener *listener,
                   void *context) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < sparring->count; i++) {
    const Table *table = &sparring->tables[i];
    for (uint32_t g = 0; g < table->played.count; g++)
      tell_game(sparring, table, &table->played.data[g], number++, listener,
                context);
  }
}
