/* Broods that a card made of software (test/gpu/machine_card.h), or a real one
   (CARD=real), makes ahead of the search: what was asked for is there, and is
   what the scalar engine makes; searches come to the very same with it. */
#include "minimax/breeder.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/thread.h"
#include "engine/moves.h"
#include "minimax/brood.h"
#include "minimax/parts.h"
#include "search/card_child.h"
#include "support/cards.h"
#include "support/minds.h"
#include "value/linear.h"

/* A batch of it has up to 12,288 children. */
#define SMALL_CARD "TAFL_CARD_MEMORY=40000000"

static const double patience = 60; /* seconds: machines are busy */

static const Budget timed = {.seconds = 60};

static void pause_briefly(void) {
  usleep(1000);
}

/* ---- a breeder without a search ---- */

typedef VECTOR(uint64_t) Words;

typedef struct Rig {
  TestGame book;
  Game *game;
  Breeder *breeder;
  const Features *features; /* NULL: attacks are not known */
  bool ends;                /* are told */
  uint32_t words;
  Words states; /* rows, that were drawn */
  Words keys;   /* of the nodes that should be there */
} Rig;

static void open_rig(Rig *rig, const char *game, size_t memory, bool attacks) {
  Settings settings;
  Text error = {0};
  *rig = (Rig){0};
  CHECK(settings_parse(&settings, "minimax:gpuwait=60", &error));
  test_game_open(&rig->book, game, true);
  rig->game = book_game(&rig->book.rules);
  rig->words = rig->book.rules.words;
  rig->features = attacks ? book_features(&rig->book.rules) : NULL;
  rig->ends = !attacks;
  book_cones(&rig->book.rules, 0);
  rig->breeder = breeder_new(&rig->book.rules, &settings, rig->features,
                             rig->ends, memory);
  CHECK(rig->breeder);
}

static void close_rig(Rig *rig) {
  breeder_delete(rig->breeder);
  vector_free(&rig->states);
  vector_free(&rig->keys);
  game_delete(rig->game);
  test_game_close(&rig->book);
}

/* Begins, and waits for the card. */
static const Nest *begin(Rig *rig, const Evaluation *evaluation) {
  double until = clock_now() + patience;
  const Nest *nest = NULL;
  breeder_begin(rig->breeder, &timed, evaluation);
  while (!(nest = breeder_nest(rig->breeder))) {
    CHECK(clock_now() < until && !breeder_trouble(rig->breeder));
    pause_briefly();
  }
  return nest;
}

/* Draws so many states that are not ends. */
static void draw_states(Rig *rig, uint32_t count, uint64_t seed) {
  Game *game = rig->game;
  const uint64_t *words;
  Random random;
  random_seed(&random, seed);
  vector_clear(&rig->states);
  game_reset(game);
  while (rig->states.count < count * rig->words) {
    Move joint[RULE_ROLES];
    if (game_terminal(game)) game_reset(game);
    game_state(game, &words);
    for (uint32_t i = 0; i < rig->words; i++)
      vector_push(&rig->states, words[i]);
    for (uint32_t role = 0; role < game->role_count; role++)
      joint[role] = moves_random(game, role, &random);
    game_make(game, joint);
  }
}

static void enter(Rig *rig, uint32_t number) {
  game_enter(rig->game, rig->states.data + number * rig->words, rig->words);
}

static bool is_expected(const Rig *rig, uint64_t key) {
  for (uint32_t i = 0; i < rig->keys.count; i++)
    if (rig->keys.data[i] == key) return true;
  return false;
}

static void expect(Rig *rig, uint64_t key) {
  if (!is_expected(rig, key)) vector_push(&rig->keys, key);
}

static uint32_t mover_of(Game *game, Move *joint) {
  Turn turn = turn_of(game);
  const Move *moves;
  for (uint32_t role = 0; role < game->role_count; role++) {
    game_legal(game, role, &moves);
    joint[role] = moves[0];
  }
  return turn.movers ? turn.role : 0;
}

/* Asks for a drawn state, and for what `move` leads to; what should be there
   then is noted. */
static void ask(Rig *rig, uint32_t number, uint32_t move) {
  Game *game = rig->game;
  Move joint[RULE_ROLES];
  const Move *moves;
  enter(rig, number);
  breeder_ask(rig->breeder, game_key(game),
              rig->states.data + number * rig->words, move);
  expect(rig, game_key(game));
  uint32_t mover = mover_of(game, joint);
  uint32_t count = game_legal(game, mover, &moves);
  for (uint32_t i = 0; i < count; i++) {
    game_legal(game, mover, &moves);
    joint[mover] = moves[i];
    if (move != BREEDER_ALL && move != moves[i]) continue;
    game_make(game, joint);
    if (!game_terminal(game)) expect(rig, game_key(game));
    game_retract(game);
  }
}

static Move random_move(Rig *rig, uint32_t number, Random *random) {
  Move joint[RULE_ROLES];
  enter(rig, number);
  return moves_random(rig->game, mover_of(rig->game, joint), random);
}

static void check_child(const Rig *rig, Game *game, const Move *joint,
                        const HatchChild *child) {
  const uint64_t *from, *to;
  uint32_t words = rig->words;
  uint64_t state[64];
  CHECK(words <= LENGTH(state));
  game_state(game, &from);
  memcpy(state, from, words * sizeof *state);
  for (uint32_t i = 0; i < child->count; i++)
    state[child->changes[i] / 64] ^= (uint64_t)1 << child->changes[i] % 64;
  game_make(game, joint);
  game_state(game, &to);
  CHECK(memcmp(state, to, words * sizeof *state) == 0);
  CHECK(child->over == (rig->ends && game_terminal(game)));
  game_retract(game);
}

/* The brood is that of the state where the game stands. */
static void check_brood(const Rig *rig, Game *game, const NestBrood *brood) {
  Move joint[RULE_ROLES];
  const Move *moves;
  uint32_t mover = mover_of(game, joint);
  CHECK(brood->mover == mover);
  CHECK(brood->forced == (turn_of(game).movers == 0));
  CHECK(brood->count == game_legal(game, mover, &moves));
  for (uint32_t i = 0; i < brood->count; i++) {
    joint[mover] = brood->children[i].move;
    CHECK(moves_contain(game, mover, joint[mover]));
    CHECK(!i || brood->children[i - 1].move < brood->children[i].move);
    check_child(rig, game, joint, &brood->children[i]);
  }
}

static BreederReport report_of(const Rig *rig) {
  return breeder_report(rig->breeder);
}

/* Waits until there are so many nodes. */
static void await(const Rig *rig, const Nest *nest, uint32_t nodes) {
  double until = clock_now() + patience;
  while (nest_count(nest) < nodes) {
    CHECK(clock_now() < until && !breeder_trouble(rig->breeder));
    pause_briefly();
  }
}

/* Waits until the drawn state is there. */
static void await_state(Rig *rig, const Nest *nest, uint32_t number) {
  double until = clock_now() + patience;
  NestBrood brood;
  enter(rig, number);
  while (!nest_find(nest, game_key(rig->game), &brood)) {
    CHECK(clock_now() < until && !breeder_trouble(rig->breeder));
    pause_briefly();
  }
  check_brood(rig, rig->game, &brood);
}

/* Waits until all that was asked for is made, to the last part. */
static void await_all(const Rig *rig) {
  double until = clock_now() + patience;
  BreederReport report = breeder_report(rig->breeder);
  while (report.made < report.asked) {
    CHECK(clock_now() < until && !breeder_trouble(rig->breeder));
    pause_briefly();
    report = breeder_report(rig->breeder);
  }
  CHECK(report.made == report.asked);
}

/* The nest has exactly what is expected; those of drawn states, and of their
   children, are right. */
static void check_nest(Rig *rig, const Nest *nest, uint32_t drawn) {
  NestBrood brood;
  Move joint[RULE_ROLES];
  await(rig, nest, rig->keys.count);
  CHECK(nest_count(nest) == rig->keys.count);
  for (uint32_t i = 0; i < rig->keys.count; i++)
    CHECK(nest_find(nest, rig->keys.data[i], &brood));
  for (uint32_t i = 0; i < drawn; i++) {
    enter(rig, i);
    CHECK(nest_find(nest, game_key(rig->game), &brood));
    check_brood(rig, rig->game, &brood);
    uint32_t mover = mover_of(rig->game, joint);
    for (uint32_t k = 0; k < brood.count; k++) {
      NestBrood next;
      joint[mover] = brood.children[k].move;
      game_make(rig->game, joint);
      bool there = nest_find(nest, game_key(rig->game), &next);
      CHECK(there == is_expected(rig, game_key(rig->game)));
      if (there) check_brood(rig, rig->game, &next);
      game_retract(rig->game);
    }
  }
}

enum { MEMORY = 8 << 20 };

/* All children, then one of each, then many of both kinds. */
static void ask_directly(const void *context) {
  enum { DRAWN = 150 };
  Rig rig;
  Random random;
  BreederReport before, after;
  random_seed(&random, 1);
  open_rig(&rig, context, MEMORY, false);
  draw_states(&rig, DRAWN, 1);
  breeder_ask(rig.breeder, 1, rig.states.data, BREEDER_ALL); /* nobody thinks */
  const Nest *nest = begin(&rig, NULL);
  CHECK(nest_count(nest) == 0);
  ask(&rig, 0, BREEDER_ALL);
  check_nest(&rig, nest, 1);
  ask(&rig, 2, random_move(&rig, 2, &random));
  await(&rig, nest, rig.keys.count);
  before = report_of(&rig);
  CHECK(before.asked == 2 && before.repeated == 0);
  ask(&rig, 0, BREEDER_ALL);
  after = report_of(&rig);
  CHECK(after.asked == 2 && after.repeated == 1);
  for (uint32_t i = 0; i < DRAWN; i++)
    ask(&rig, i, i % 3 ? random_move(&rig, i, &random) : BREEDER_ALL);
  check_nest(&rig, nest, DRAWN);
  after = report_of(&rig);
  CHECK(after.asked + after.repeated == DRAWN + 3);
  CHECK(after.asked > before.asked + DRAWN / 4 && after.batches > 2);
  CHECK(after.dropped == before.dropped);
  breeder_end(rig.breeder);
  CHECK(!breeder_nest(rig.breeder));
  breeder_ask(rig.breeder, 2, rig.states.data, BREEDER_ALL);
  CHECK(report_of(&rig).dropped == after.dropped + 1);
  CHECK(report_of(&rig).asked == after.asked);
  /* what was made stays, and may be asked for again */
  CHECK(begin(&rig, NULL) == nest && nest_count(nest) == rig.keys.count);
  ask(&rig, 0, BREEDER_ALL);
  CHECK(report_of(&rig).asked == after.asked + 1);
  close_rig(&rig);
}

static void test_asked(void **state) {
  (void)state;
  card_child(ask_directly, "ticTacToe", "");
  card_child(ask_directly, "connectFour", "TAFL_CARD_LATE=0");
}

/* With an evaluation there is more than was asked for, and it is right. */
static void ask_weighed(const void *context) {
  Rig rig;
  open_rig(&rig, context, MEMORY, false);
  Linear *linear = minds_random_linear(&rig.book, 1);
  const Nest *nest = begin(&rig, NULL);
  breeder_end(rig.breeder);
  CHECK(begin(&rig, &linear->evaluation) == nest);
  draw_states(&rig, 12, 2);
  for (uint32_t i = 0; i < 12; i++) ask(&rig, i, BREEDER_ALL);
  double until = clock_now() + patience;
  while (nest_count(nest) <= rig.keys.count) {
    CHECK(clock_now() < until && !breeder_trouble(rig.breeder));
    pause_briefly();
  }
  for (uint32_t i = 0; i < 12; i++) {
    NestBrood brood;
    enter(&rig, i);
    if (!nest_find(nest, game_key(rig.game), &brood)) continue;
    check_brood(&rig, rig.game, &brood);
  }
  close_rig(&rig);
  evaluation_delete(&linear->evaluation);
}

static void test_weighed(void **state) {
  (void)state;
  card_child(ask_weighed, "connectFour", "");
}

/* ---- attacks ---- */

/* Checks the brood of attacks of the state where the game stands. */
static void check_attacks(Rig *rig, const NestBrood *brood) {
  Game *game = rig->game;
  Move joint[RULE_ROLES];
  const Move *moves;
  const uint64_t *words;
  uint32_t attacks = 0;
  uint32_t mover = mover_of(game, joint);
  uint32_t count = game_legal(game, mover, &moves);
  game_state(game, &words);
  for (uint32_t i = 0; i < count; i++)
    attacks += brood_attacks(rig->features, mover, moves[i], words);
  CHECK(brood->count == attacks);
  for (uint32_t i = 0; i < brood->count; i++) {
    joint[mover] = brood->children[i].move;
    game_state(game, &words);
    CHECK(brood_attacks(rig->features, mover, joint[mover], words));
    CHECK(moves_contain(game, mover, joint[mover]));
    check_child(rig, game, joint, &brood->children[i]);
  }
}

/* Checks the brood of the state where the game stands, and what there is so
   many steps below. Returns how many have attacks alone, and some. */
static uint32_t check_below(Rig *rig, const Nest *nest, const NestBrood *brood,
                            uint32_t steps) {
  Game *game = rig->game;
  Move joint[RULE_ROLES];
  uint32_t attacks = brood->attacks && brood->count;
  if (brood->attacks)
    check_attacks(rig, brood);
  else
    check_brood(rig, game, brood);
  uint32_t mover = mover_of(game, joint);
  for (uint32_t i = 0; steps && i < brood->count; i++) {
    NestBrood next;
    joint[mover] = brood->children[i].move;
    if (!nest_follow(nest, nest_place(brood, i), &next)) continue;
    game_make(game, joint);
    CHECK(!game_terminal(game));
    attacks += check_below(rig, nest, &next, steps - 1);
    game_retract(game);
  }
  return attacks;
}

/* What is made beyond what was asked for has attacks alone. */
static void ask_attacks(const void *context) {
  enum { DRAWN = 40 };
  Rig rig;
  uint32_t attacks = 0;
  open_rig(&rig, context, MEMORY, true);
  CHECK(rig.features);
  Linear *linear = minds_random_linear(&rig.book, 1);
  const Nest *nest = begin(&rig, NULL);
  breeder_end(rig.breeder);
  CHECK(begin(&rig, &linear->evaluation) == nest);
  draw_states(&rig, DRAWN, 2);
  for (uint32_t i = DRAWN - 5; i < DRAWN; i++) ask(&rig, i, BREEDER_ALL);
  await_all(&rig);
  for (uint32_t i = DRAWN - 5; i < DRAWN; i++) {
    NestBrood brood;
    await_state(&rig, nest, i);
    CHECK(nest_find(nest, game_key(rig.game), &brood));
    attacks += check_below(&rig, nest, &brood, 4);
  }
  CHECK(attacks > 0);
  close_rig(&rig);
  evaluation_delete(&linear->evaluation);
}

static void test_attacks(void **state) {
  (void)state;
  card_child(ask_attacks, "breakthrough", SMALL_CARD);
}

/* ---- memory ---- */

/* Memory for two batches of the small card. */
enum { LITTLE = 1 << 20, LITTLE_CHILDREN = LITTLE / sizeof(HatchChild) };

/* Asks for states, a few at a time, and waits for them. */
static void ask_steadily(Rig *rig, uint32_t drawn) {
  enum { AT_ONCE = 20 };
  for (uint32_t i = 0; i < drawn; i += AT_ONCE) {
    double until = clock_now() + patience;
    uint64_t batches = report_of(rig).batches;
    for (uint32_t k = 0; k < AT_ONCE; k++) {
      enter(rig, i + k);
      breeder_ask(rig->breeder, game_key(rig->game),
                  rig->states.data + (i + k) * rig->words, BREEDER_ALL);
    }
    while (report_of(rig).batches == batches) {
      CHECK(clock_now() < until && !breeder_trouble(rig->breeder));
      pause_briefly();
    }
  }
}

/* Returns true if a state before had been the same: it was not asked again. */
static bool is_known(Rig *rig, uint32_t number) {
  const uint64_t *state = rig->states.data + number * rig->words;
  for (uint32_t i = 0; i < number; i++)
    if (!memcmp(rig->states.data + i * rig->words, state,
                rig->words * sizeof *state))
      return true;
  return false;
}

/* What there is of drawn states is right, and not too much. Returns how many of
   those from `from` up to `to` are there. */
static uint32_t check_filled(Rig *rig, const Nest *nest, uint32_t from,
                             uint32_t to) {
  uint32_t found = 0;
  for (uint32_t i = from; i < to; i++) {
    NestBrood brood;
    enter(rig, i);
    nest_enter(nest, 0);
    bool there = nest_find(nest, game_key(rig->game), &brood);
    if (there) check_brood(rig, rig->game, &brood);
    nest_leave(nest, 0);
    found += there;
  }
  CHECK(nest_count(nest) <= LITTLE_CHILDREN / 16);
  return found;
}

/* When the memory is full, what came first is forgotten. */
static void fill_memory(const void *context) {
  enum { DRAWN = 1000, LAST = 40 };
  Rig rig;
  open_rig(&rig, context, LITTLE, false);
  const Nest *nest = begin(&rig, NULL);
  for (uint64_t round = 1; round <= 3; round++) {
    if (round > 1) CHECK(begin(&rig, NULL) == nest);
    draw_states(&rig, DRAWN, round);
    ask_steadily(&rig, DRAWN);
    await_state(&rig, nest, DRAWN - 1);
    for (uint32_t i = DRAWN - LAST; i < DRAWN; i++)
      CHECK(is_known(&rig, i) || check_filled(&rig, nest, i, i + 1));
    uint32_t all = check_filled(&rig, nest, 0, DRAWN);
    CHECK(all > LAST && all < DRAWN);
    breeder_end(rig.breeder);
    CHECK(!breeder_trouble(rig.breeder));
  }
  close_rig(&rig);
}

static void test_memory(void **state) {
  (void)state;
  if (cards_real()) skip();
  card_child(fill_memory, "connectFour", SMALL_CARD);
}

/* More requests than may wait: those that came first are made, but before them
   what is needed at once, and what was left when thinking ended is not. */
static void ask_too_much(const void *context) {
  enum { ASKED = 200000 };
  Rig rig;
  open_rig(&rig, context, MEMORY, false);
  draw_states(&rig, 4, 3);
  const Nest *nest = begin(&rig, NULL);
  ask(&rig, 0, BREEDER_ALL);
  for (uint64_t i = 1; i < ASKED; i++)
    breeder_ask(rig.breeder, i, rig.states.data + rig.words, BREEDER_ALL);
  BreederReport report = report_of(&rig);
  CHECK(report.asked + report.dropped + report.repeated == ASKED);
  CHECK(report.dropped > 0 && report.asked > 60000);
  await_state(&rig, nest, 0);
  enter(&rig, 3);
  uint64_t key = game_key(rig.game);
  const uint64_t *third = rig.states.data + 3 * rig.words;
  BreederReport before = report_of(&rig);
  breeder_ask_first(rig.breeder, key, third);
  breeder_ask_first(rig.breeder, key, third); /* is known */
  await_state(&rig, nest, 3);
  report = report_of(&rig);
  CHECK(report.asked == before.asked + 1);
  CHECK(report.repeated == before.repeated + 1);
  CHECK(report.made < report.asked / 2); /* most others still wait */
  breeder_end(rig.breeder);
  nest = begin(&rig, NULL);
  ask(&rig, 2, BREEDER_ALL);
  await_state(&rig, nest, 2);
  CHECK(report_of(&rig).batches < 10);
  close_rig(&rig);
}

static void test_much(void **state) {
  (void)state;
  if (cards_real()) skip();
  card_child(ask_too_much, "ticTacToe", SMALL_CARD);
}

/* ---- threads ---- */

enum { ASKERS = 3 };

typedef struct Asker {
  Rig *rig;
  const Nest *nest;
  atomic_bool *done;
  Game *game;
  uint64_t seed;
  uint32_t reader, found;
} Asker;

/* Asks for what it comes along, and looks whether it is right. */
static void *ask_along(void *context) {
  Asker *asker = context;
  Game *game = asker->game;
  const uint64_t *words;
  Random random;
  random_seed(&random, asker->seed);
  while (!atomic_load(asker->done)) {
    NestBrood brood;
    Move joint[RULE_ROLES];
    if (game_terminal(game)) game_reset(game);
    uint32_t mover = mover_of(game, joint);
    for (uint32_t role = 0; role < game->role_count; role++)
      joint[role] = moves_random(game, role, &random);
    game_state(game, &words);
    if (random_below(&random, 4))
      breeder_ask(asker->rig->breeder, game_key(game), words,
                  random_below(&random, 2) ? BREEDER_ALL : joint[mover]);
    else
      breeder_ask_first(asker->rig->breeder, game_key(game), words);
    nest_enter(asker->nest, asker->reader);
    if (nest_find(asker->nest, game_key(game), &brood)) {
      check_brood(asker->rig, game, &brood);
      asker->found++;
    }
    nest_leave(asker->nest, asker->reader);
    game_make(game, joint);
  }
  return NULL;
}

/* Threads ask and look while thinking begins and ends, and while the memory is
   turned again and again. */
static void ask_together(const char *game, size_t memory, uint32_t hands) {
  Rig rig;
  Asker askers[ASKERS];
  uint32_t found = 0;
  open_rig(&rig, game, memory, false);
  for (uint32_t t = 0; t < ASKERS; t++)
    askers[t] = (Asker){.rig = &rig,
                        .game = book_game(&rig.book.rules),
                        .seed = t + 1,
                        .reader = t};
  begin(&rig, NULL);
  CHECK(report_of(&rig).hands == hands);
  breeder_end(rig.breeder);
  for (uint32_t round = 0; round < 12; round++) {
    pthread_t threads[ASKERS];
    atomic_bool done = false;
    breeder_begin(rig.breeder, &timed, NULL);
    const Nest *nest = breeder_nest(rig.breeder);
    for (uint32_t t = 0; t < ASKERS; t++) {
      askers[t].nest = nest;
      askers[t].done = &done;
      CHECK(thread_start(&threads[t], THREAD_STACK, ask_along, &askers[t]));
    }
    usleep(1000 * (10 + 17 * (round % 4)));
    atomic_store(&done, true);
    for (uint32_t t = 0; t < ASKERS; t++) pthread_join(threads[t], NULL);
    breeder_end(rig.breeder);
  }
  for (uint32_t t = 0; t < ASKERS; t++) {
    found += askers[t].found;
    game_delete(askers[t].game);
  }
  CHECK(found > 0 && !breeder_trouble(rig.breeder));
  close_rig(&rig);
}

static void ask_with_little(const void *context) {
  ask_together(context, LITTLE, 1);
}

/* Where there is memory for several batches, a second hand makes some. */
static void ask_with_more(const void *context) {
  enum { MUCH = 256 << 20 }; /* addresses */
  ask_together(context, MUCH, thread_processors() > 1 ? 2 : 1);
}

static void test_together(void **state) {
  (void)state;
  card_child(ask_with_little, "connectFour", SMALL_CARD);
  card_child(ask_with_more, "connectFour", SMALL_CARD);
}

/* ---- searches ---- */

static Minimax *open_mind(TestGame *book, const char *agent, bool gpu) {
  Settings settings;
  Text error = {0};
  CHECK(settings_parse(&settings, agent, &error));
  settings.memory = 16;
  settings.gpu = gpu;
  settings.gpuwait = patience;
  book_cones(&book->rules, 0);
  return minimax_new(&book->rules, 0, &settings, 1);
}

static void check_best(Minimax *minimax) {
  CHECK(moves_contain(minimax->game, 0, minimax_best(minimax)));
  CHECK(minimax_sound(minimax));
}

typedef struct Thinking {
  const char *game, *agent;
  uint32_t depth; /* 0: to the end */
  uint32_t positions;
  bool alike;   /* one thread makes the same states with the card and without */
  bool attacks; /* there are broods of attacks alone */
} Thinking;

/* Thinks of the same until so many nodes were made by the card. */
static void compare_here(const Thinking *c, Minimax *with, Minimax *without,
                         const Evaluation *evaluation) {
  double until = clock_now() + patience;
  for (uint64_t hatched = 0; hatched < 20;) {
    Minimax *minds[] = {with, without};
    for (uint32_t m = 0; m < 2; m++) {
      minds[m]->proven = false;
      minimax_set_evaluation(minds[m], evaluation);
      minimax_limit_depth(minds[m], c->depth);
      minimax_think(minds[m], &timed);
      check_best(minds[m]);
    }
    const MinimaxReport *one = minimax_report(with);
    const MinimaxReport *other = minimax_report(without);
    CHECK(other->hatched == 0);
    CHECK(c->depth || (one->proven && other->proven));
    if (!c->depth || c->alike) CHECK(one->value == other->value);
    if (c->alike)
      CHECK(one->depth == other->depth && one->states == other->states &&
            one->hits == other->hits && one->evaluated == other->evaluated);
    hatched += one->hatched;
    CHECK(!breeder_trouble(with->breeder));
    CHECK(clock_now() < until);
  }
}

static void think_alike(const void *context) {
  const Thinking *c = context;
  TestGame book;
  test_game_open(&book, c->game, true);
  Linear *linear = minds_random_linear(&book, 1);
  Minimax *with = open_mind(&book, c->agent, true);
  Minimax *without = open_mind(&book, c->agent, false);
  CHECK(!with->breeder); /* nobody has looked for it yet */
  CHECK(c->attacks == (with->quiet && with->features));
  for (uint32_t i = 0; i < c->positions; i++) {
    compare_here(c, with, without, &linear->evaluation);
    Move joint[RULE_ROLES];
    Random random;
    random_seed(&random, i);
    for (uint32_t role = 0; role < with->role_count; role++)
      joint[role] = moves_random(with->game, role, &random);
    minimax_advance(with, joint);
    minimax_advance(without, joint);
  }
  CHECK(with->breeder && !without->breeder);
  BreederReport report = breeder_report(with->breeder);
  CHECK(report.asked > 0 && report.batches > 0 && report.nodes > 0);
  CHECK(report.asked >= report.batches);
  minimax_delete(with);
  minimax_delete(without);
  evaluation_delete(&linear->evaluation);
  test_game_close(&book);
}

static void test_thinking(void **state) {
  (void)state;
  static const Thinking cases[] = {
      {"connectFour", "minimax:reduce=0,symmetry=0", 4, 3, true, false},
      {"connectFour", "minimax:reduce=0,symmetry=0,threads=3", 4, 2, false,
       false},
      {"ticTacToe", "minimax:reduce=0,symmetry=0", 0, 3, true, false},
      {"ticTacToe", "minimax:threads=2", 0, 2, false, false},
      {"checkers", "minimax", 3, 1, true, false},
      {"chess", "minimax", 2, 1, true, true}};
  for (size_t i = 0; i < LENGTH(cases); i++)
    if (!cases[i].attacks || unit_long())
      card_child(think_alike, &cases[i], SMALL_CARD);
}

/* Thinking that is limited otherwise does without the card. */
static void count_only(const void *context) {
  TestGame book;
  test_game_open(&book, context, true);
  Minimax *minimax = open_mind(&book, "minimax", true);
  for (int i = 0; i < 4; i++) {
    minimax_set_evaluation(minimax, NULL);
    minimax_think(minimax, i % 2
                               ? &(Budget){.states = 3000, .seconds = 60}
                               : &(Budget){.simulations = 1000, .seconds = 60});
    check_best(minimax);
    CHECK(minimax_report(minimax)->hatched == 0);
    usleep(20000);
  }
  CHECK(!minimax->breeder);
  minimax_delete(minimax);
  test_game_close(&book);
}

static void test_counted(void **state) {
  (void)state;
  /* the first call would fail */
  card_child(count_only, "connectFour", cards_real() ? "" : "TAFL_CARD_GONE=1");
}

/* ---- several searches ---- */

static void *think_alone(void *context) {
  const Thinking *c = context;
  double until = clock_now() + patience;
  TestGame book;
  test_game_open(&book, c->game, true);
  Minimax *minimax = open_mind(&book, c->agent, true);
  for (uint64_t hatched = 0; !hatched;) {
    minimax_set_evaluation(minimax, NULL);
    minimax_think(minimax, &(Budget){.seconds = 0.05});
    check_best(minimax);
    hatched = minimax_report(minimax)->hatched;
    CHECK(!breeder_trouble(minimax->breeder));
    CHECK(clock_now() < until);
  }
  minimax_delete(minimax);
  test_game_close(&book);
  return NULL;
}

static void think_both(const void *context) {
  const Thinking *cases = context;
  pthread_t threads[2];
  for (uint32_t t = 0; t < 2; t++)
    CHECK(thread_start(&threads[t], THREAD_STACK, think_alone,
                       (void *)&cases[t]));
  for (uint32_t t = 0; t < 2; t++) pthread_join(threads[t], NULL);
}

static void test_two(void **state) {
  (void)state;
  static const Thinking cases[] = {
      {.game = "connectFour", .agent = "minimax"},
      {.game = "ticTacToe3d", .agent = "minimax:threads=2"}};
  card_child(think_both, cases, SMALL_CARD);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_asked),    cmocka_unit_test(test_weighed),
      cmocka_unit_test(test_attacks),  cmocka_unit_test(test_memory),
      cmocka_unit_test(test_much),     cmocka_unit_test(test_together),
      cmocka_unit_test(test_thinking), cmocka_unit_test(test_counted),
      cmocka_unit_test(test_two)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
