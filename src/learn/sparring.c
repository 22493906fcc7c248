/* Each thread plays many games side by side and looks ahead in all of them at
   once (minimax/foresight.h). Its games are told in the order in which they
   began: those that ended first would be the short ones. */
#include "learn/sparring.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "minimax/foresight.h"

enum {
  OPENING = 12,    /* random steps at the beginning, at most */
  STRAY = 20,      /* one step of so many is random, too */
  LONGEST = 400,   /* steps of a game */
  DUELS = 64,      /* of a thread, at most */
  ANSWERS = 8,     /* moves of a state that are answered, about, */
  ROOM = 16 << 20, /* bytes for the states of all answers, about */
  LENGTH = 100,    /* steps of a game, about */
  MEMORY = 1,      /* MiB of the first mind's table */
  THREADS = 64,    /* at most */
  SIDES_LEAST = 2  /* roles */
};

/* How much of what a state is expected to come to is due to what was expected
   later on. 60 games each against what playouts taught (40 in skirmish), when
   alpha-beta played these games: with 0.9 breakthrough 93 %, checkers 80 %,
   skirmish 85 %. As they are played now, chess_200 against 0.9: 0.97 42 % and
   0.75 50 % of 80 games. */
static const float lambda = 0.9f;

/* A step of a game: the state is in the path, at the same place. */
typedef struct Step {
  uint32_t role;
  float value; /* the goal that the role expected */
} Step;

/* Steps in which somebody had a choice, and their states. */
typedef struct Trail {
  VECTOR(uint64_t) path;
  VECTOR(Step) steps;
} Trail;

/* A game in play. */
typedef struct Duel {
  bool over;
  uint32_t number;       /* of the table's games */
  uint32_t age, opening; /* steps made, and how many of them are random */
  Trail trail;
} Duel;

/* A game that has ended, and has not been told. */
typedef struct Played {
  uint32_t number;
  int goals[RULE_ROLES]; /* -1: there is none */
  Trail trail;
} Played;

typedef struct Table {
  Sparring *sparring;
  Random random;
  Foresight *foresight;
  Duel *duels;
  uint64_t *rows;  /* states of the duels */
  uint32_t active; /* duels: the first ones */
  Outlook *outlooks;
  VECTOR(Played) played;
  uint32_t begun, told;  /* games */
  uint32_t ready;        /* for the batch: the next ones, which have ended */
  uint64_t states, most; /* made in this call, and how many may be */
  uint64_t looks;        /* at states of duels, since the beginning */
  bool broken;           /* the game cannot be played so */
  TrialHelper helper;
} Table;

struct Sparring {
  const Linear *linear;
  VECTOR(Played) batch;       /* games that are told next */
  SparringListener *listener; /* of this call */
  void *context;
  const Cones *cones;
  Minimax *mind; /* knows captures and ends */
  uint32_t roles, words, count;
  uint32_t duels; /* of a table */
  bool prepared;  /* else nothing can be played */
  uint64_t *start;
  Table *tables;
  double deadline; /* of this call; 0: none */
  const atomic_bool *stop;
  atomic_llong wanted; /* games that are not ready yet, of those asked for */
  uint64_t states;
  float *expected, *came; /* scratch, by row */
};

static uint32_t lanes_of(const Settings *settings) {
  return (uint32_t)settings->lanes / 64;
}

bool sparring_suits(Book *book, const Settings *settings) {
  return book->net.role_count >= SIDES_LEAST && minimax_plays(book) &&
         book_cones(book, lanes_of(settings));
}

void sparring_prepare(Book *book, const Settings *settings) {
  book_analysis(book);
  book_features(book);
  book_cones(book, lanes_of(settings));
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

/* What all duels need to look ahead must not grow too large. */
static uint32_t count_duels(Book *book) {
  const Turns *turns = &book_analysis(book)->turns;
  double moves = 1;
  for (uint32_t role = 0; role < turns->role_count; role++)
    if (turns->roles[role].moves > moves) moves = turns->roles[role].moves;
  double duels =
      ROOM / (ANSWERS * moves * (double)book->words * sizeof(uint64_t));
  return duels > DUELS ? DUELS : duels < 1 ? 1 : (uint32_t)duels;
}

static void find_start(Sparring *sparring) {
  const uint64_t *words;
  game_reset(minimax_game(sparring->mind));
  uint32_t count = game_state(minimax_game(sparring->mind), &words);
  sparring->start = memory_new(count * sizeof *words);
  memcpy(sparring->start, words, count * sizeof *words);
}

Sparring *sparring_new(Book *book, const Settings *settings,
                       const Linear *linear, uint64_t seed) {
  Sparring *sparring = memory_new(sizeof *sparring);
  Settings own = mind_settings(settings);
  sparring->linear = linear;
  sparring->cones = book_cones(book, lanes_of(settings));
  sparring->roles = book->net.role_count;
  sparring->words = book->words;
  sparring->duels = count_duels(book);
  sparring->count = settings->threads ? (uint32_t)settings->threads : 1;
  if (sparring->count > THREADS) sparring->count = THREADS;
  sparring->mind = minimax_new(book, 0, &own, seed);
  sparring->prepared = foresight_prepare(sparring->mind, sparring->cones);
  find_start(sparring);
  sparring->tables = memory_new(sparring->count * sizeof *sparring->tables);
  for (uint32_t i = 0; i < sparring->count; i++) {
    sparring->tables[i].sparring = sparring;
    random_seed(&sparring->tables[i].random, seed + i);
  }
  sparring->expected = memory_new(linear->rows * sizeof *sparring->expected);
  sparring->came = memory_new(linear->rows * sizeof *sparring->came);
  return sparring;
}

static void free_trail(Trail *trail) {
  vector_free(&trail->path);
  vector_free(&trail->steps);
}

static void free_table(const Sparring *sparring, Table *table) {
  if (table->foresight) foresight_delete(table->foresight);
  for (uint32_t i = 0; table->duels && i < sparring->duels; i++)
    free_trail(&table->duels[i].trail);
  memory_delete(table->duels);
  memory_delete(table->rows);
  memory_delete(table->outlooks);
  for (uint32_t i = 0; i < table->played.count; i++)
    free_trail(&table->played.data[i].trail);
  vector_free(&table->played);
}

static void free_batch(Sparring *sparring) {
  for (uint32_t i = 0; i < sparring->batch.count; i++)
    free_trail(&sparring->batch.data[i].trail);
  vector_clear(&sparring->batch);
}

void sparring_delete(Sparring *sparring) {
  free_batch(sparring);
  vector_free(&sparring->batch);
  for (uint32_t i = 0; i < sparring->count; i++)
    free_table(sparring, &sparring->tables[i]);
  minimax_delete(sparring->mind);
  memory_delete(sparring->start);
  memory_delete(sparring->tables);
  memory_delete(sparring->expected);
  memory_delete(sparring->came);
  memory_delete(sparring);
}

bool sparring_captures(const Sparring *sparring) {
  return minimax_captures(sparring->mind);
}

void sparring_take_evaluation(Sparring *sparring) {
  for (uint32_t i = 0; i < sparring->count; i++)
    if (sparring->tables[i].foresight)
      foresight_take_evaluation(sparring->tables[i].foresight,
                                &sparring->linear->evaluation);
}

/* ---- games ---- */

static uint64_t *row_of(const Table *table, uint32_t duel) {
  return table->rows + (size_t)duel * table->sparring->words;
}

static void begin_game(Table *table, uint32_t at) {
  const Sparring *sparring = table->sparring;
  Duel *duel = &table->duels[at];
  duel->age = 0;
  duel->opening = random_below(&table->random, OPENING + 1);
  memcpy(row_of(table, at), sparring->start,
         sparring->words * sizeof *sparring->start);
}

static void set_table(Table *table) {
  const Sparring *sparring = table->sparring;
  uint32_t duels = sparring->duels;
  if (table->foresight) return;
  table->duels = memory_new(duels * sizeof *table->duels);
  table->outlooks = memory_new(duels * sizeof *table->outlooks);
  table->rows =
      memory_new((size_t)duels * sparring->words * sizeof *table->rows);
  table->foresight = foresight_new(sparring->mind, sparring->cones);
  foresight_take_evaluation(table->foresight, &sparring->linear->evaluation);
}

static bool out_of_time(void *context) {
  const Table *table = context;
  const Sparring *sparring = table->sparring;
  return (sparring->stop && atomic_load(sparring->stop)) ||
         (table->most && table->states >= table->most) ||
         (sparring->deadline > 0 && clock_now() >= sparring->deadline);
}

/* Returns the place of a game that has ended, or their count if it has not. */
static uint32_t find_played(const Table *table, uint32_t number) {
  uint32_t at = 0;
  while (at < table->played.count && table->played.data[at].number != number)
    at++;
  return at;
}

/* Keeps a game whose end has these goals; NULL: it was too long. One in which
   nobody chose teaches nothing, and is played again. */
static void keep(Table *table, uint32_t at, const int *goals) {
  Sparring *sparring = table->sparring;
  Duel *duel = &table->duels[at];
  Played played = {.number = duel->number, .trail = duel->trail};
  table->broken |= !duel->age;
  if (!duel->trail.steps.count) {
    begin_game(table, at);
    return;
  }
  for (uint32_t role = 0; role < sparring->roles; role++)
    played.goals[role] = goals ? goals[role] : -1;
  vector_push(&table->played, played);
  duel->trail = (Trail){0};
  duel->over = true;
  while (find_played(table, table->told + table->ready) < table->played.count) {
    table->ready++;
    atomic_fetch_sub(&sparring->wanted, 1);
  }
}

static void remember(Table *table, uint32_t at, Step step) {
  Trail *trail = &table->duels[at].trail;
  uint32_t words = table->sparring->words, end = trail->path.count;
  vector_push(&trail->steps, step);
  vector_resize(&trail->path, end + words);
  memcpy(trail->path.data + end, row_of(table, at),
         words * sizeof *table->rows);
}

/* The role in turn does what looks best, or anything. */
static void move(Table *table, uint32_t at, const Outlook *outlook) {
  Duel *duel = &table->duels[at];
  uint32_t words = table->sparring->words, chosen = outlook->best;
  bool opening = duel->age < duel->opening;
  if (opening || !random_below(&table->random, STRAY))
    chosen = outlook->first + random_below(&table->random, outlook->count);
  if (!opening && !outlook->forced)
    remember(table, at,
             (Step){outlook->mover, outlook->values[outlook->mover]});
  memcpy(row_of(table, at), foresight_state(table->foresight, chosen),
         words * sizeof *table->rows);
  duel->age++;
}

/* A budget of states must suffice for whole games. Returns how many there may
   be side by side. */
static uint32_t duels_now(const Table *table) {
  uint32_t duels = table->sparring->duels;
  uint64_t left = table->most - table->states;
  if (!table->most) return duels;
  if (!table->looks) return 1;
  uint64_t each = foresight_states(table->foresight) / table->looks + 1;
  uint64_t most = left / LENGTH / each;
  return most > duels ? duels : most < 1 ? 1 : (uint32_t)most;
}

static void begin_games(Table *table) {
  for (uint32_t duels = duels_now(table); table->active < duels;) {
    Duel *duel = &table->duels[table->active];
    duel->over = false;
    duel->number = table->begun++;
    begin_game(table, table->active++);
  }
}

/* Puts the last duels in the places of those that are over. */
static void close_up(Table *table) {
  for (uint32_t i = 0; i < table->active;) {
    if (!table->duels[i].over) {
      i++;
      continue;
    }
    Duel over = table->duels[i];
    table->active--;
    table->duels[i] = table->duels[table->active];
    table->duels[table->active] = over;
    memmove(row_of(table, i), row_of(table, table->active),
            table->sparring->words * sizeof *table->rows);
  }
}

/* Makes a step of each duel, or ends it. Returns false if there was no
   time, or the game cannot be played. */
static bool make_step(Table *table) {
  uint64_t before = foresight_states(table->foresight);
  begin_games(table);
  bool seen = foresight_look(table->foresight, table->rows, table->active,
                             table->outlooks, out_of_time, table);
  table->states += foresight_states(table->foresight) - before;
  if (!seen) return false;
  table->looks += table->active;
  for (uint32_t i = 0; i < table->active; i++) {
    const Outlook *outlook = &table->outlooks[i];
    if (outlook->over || table->duels[i].age >= LONGEST)
      keep(table, i, outlook->over ? outlook->goals : NULL);
    else if (outlook->sound)
      move(table, i, outlook);
    else
      table->broken = true;
  }
  close_up(table);
  return !table->broken;
}

static void play_all(void *context) {
  Table *table = context;
  set_table(table);
  while (atomic_load(&table->sparring->wanted) > 0 && !out_of_time(table) &&
         make_step(table))
    continue;
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

static void tell_game(const Sparring *sparring, const Played *played,
                      uint32_t number, SparringListener *listener,
                      void *context) {
  const Linear *linear = sparring->linear;
  float *expected = sparring->expected;
  for (uint32_t row = 0; row < linear->rows; row++)
    expected[row] = sparring->came[row] =
        share_of_goal(linear, row, (float)played->goals[row]);
  const Trail *trail = &played->trail;
  for (uint32_t i = trail->steps.count; i-- > 0;) {
    listener(context, number, trail->path.data + (size_t)i * sparring->words,
             expected, sparring->came);
    look_back(linear, &trail->steps.data[i], expected);
  }
}

void sparring_tell(Sparring *sparring, SparringListener *listener,
                   void *context) {
  for (uint32_t i = 0; i < sparring->batch.count; i++)
    tell_game(sparring, &sparring->batch.data[i], i, listener, context);
  free_batch(sparring);
}

/* In the order in which each table began them. */
static void collect(Sparring *sparring) {
  for (uint32_t i = 0; i < sparring->count; i++)
    for (Table *table = &sparring->tables[i]; table->ready; table->ready--) {
      uint32_t at = find_played(table, table->told++);
      vector_push(&sparring->batch, table->played.data[at]);
      table->played.data[at] = vector_last(&table->played);
      table->played.count--;
    }
}

/* ---- calls ---- */

static void *work(void *argument) {
  Table *table = argument;
  trial_help(&table->helper, play_all, table);
  return NULL;
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
  sparring_tell(sparring, sparring->listener, sparring->context);
  work(&sparring->tables[0]);
  while (count > 1) pthread_join(started[--count], NULL);
  bool failed = false;
  for (uint32_t i = 0; i < sparring->count; i++) {
    failed |= sparring->tables[i].helper.failed;
    trial_join(&sparring->tables[i].helper);
  }
  if (failed) trial_fail("out of memory in a thread of the learner");
}

uint32_t sparring_play(Sparring *sparring, const Budget *budget,
                       SparringListener *listener, void *context) {
  bool broken = false;
  if (!sparring->prepared) return 0;
  sparring->listener = listener;
  sparring->context = context;
  atomic_store(&sparring->wanted, (long long)budget->simulations);
  sparring->stop = budget->stop;
  sparring->deadline = budget->seconds > 0 ? clock_now() + budget->seconds : 0;
  for (uint32_t i = 0; i < sparring->count; i++) {
    Table *table = &sparring->tables[i];
    table->states = 0;
    table->most = (budget->states + sparring->count - 1) / sparring->count;
  }
  if (sparring->count > 1) {
    play_together(sparring);
  } else {
    sparring_tell(sparring, listener, context);
    play_all(&sparring->tables[0]);
  }
  collect(sparring);
  for (uint32_t i = 0; i < sparring->count; i++) {
    sparring->states += sparring->tables[i].states;
    broken |= sparring->tables[i].broken;
  }
  return broken ? 0 : sparring->batch.count;
}

uint64_t sparring_states(const Sparring *sparring) {
  return sparring->states;
}
