/* Random games are played to their ends, many at once where the game has
   programs for that (learn/harvest.h), else one by one; a few states of each
   are targets for the fit, labelled with the goals that the game came to. Every
   tenth game is held out: it is predicted, not learned from, and says how much
   of the goals the evaluation explains.

   Playouts that capture and win where they can are nearer to real play than
   uniform ones, but where they trade everything off nobody wins: both kinds are
   tried, and the former are used unless far fewer of their games are decided.
   Correlation with the results of real games (of searches with 300 to 3,000
   simulations a move) after 2 s of processor time, captures against uniform:
   breakthrough 0.30 and 0.26, checkers 0.69 and 0.69, chess of 200 steps 0.29
   and 0.42 (decided: 1 % and 6 % of the games).

   Once they have taught something, games in which both sides look a few steps
   ahead teach in their place (learn/sparring.h). */
#include "learn/learner.h"

#include <math.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/random.h"
#include "learn/fit.h"
#include "learn/harvest.h"
#include "learn/selfplay.h"
#include "learn/sparring.h"

enum {
  SAMPLES = 4,   /* states of each game that are learned from */
  HELD_OUT = 10, /* one game of so many is */
  LOOK = 64,     /* steps between looks at clock and flag */
  EVIDENCE = 50, /* held-out states below which nothing is trusted */
  TRIED = 512,   /* games of each kind of playouts before one is chosen */
  ROUND = 64,    /* games that look ahead until they use what they taught */
  RESUMED = 512, /* the same after what was learned before, which is kept */
  SITTING = 8,   /* of them by each thread, before the fit hears of them */
  PREFACE = 8    /* a part in so many of the budget is for playouts, before */
};
static const double MEMORY = 0.9995; /* of averages, for each state */
static const double WORTH = 0.01;    /* explained share that is worth using */
static const double FEWER = 0.7;     /* decided games, still good enough */

/* Decaying averages over held-out states of one row. */
typedef struct Held {
  double weight, error, goal, goal_square;
} Held;

/* Playouts of one kind. */
typedef struct Field {
  Harvest *harvest;
  double decided, drawn; /* states of such games, lately */
} Field;

enum { FIELD_CAPTURES, FIELD_UNIFORM, FIELDS };

struct Learner {
  Linear *linear;
  Settings settings;
  Random random;
  Game *game;
  Field fields[FIELDS]; /* without a harvest: games are played one by one */
  uint32_t field;       /* at work */
  bool chosen;          /* no other field will be */
  bool elsewhere;       /* the harvest does not begin in the initial state */
  Selfplay *selfplay;   /* teacher=trees; NULL: others teach */
  Book *book;           /* teacher=games, and the game suits; else NULL */
  Sparring *sparring;   /* that goes on from call to call; or NULL */
  Scope scope;          /* of its blocks */
  double seconds;       /* of the calls before */
  uint32_t round, left; /* games of the round, and of these to be played */
  uint64_t seed;
  Fit fit;
  LearnerProgress progress;
  Held *held; /* by row */
  uint64_t held_states;
  VECTOR(uint64_t) path; /* states of the game at play */
  float *targets;        /* by row */
};

/* ---- budgets ---- */

typedef struct Stint {
  const Budget *budget;
  double deadline; /* 0: none */
  uint64_t states, games;
} Stint;

static bool out_of_time(const Stint *stint) {
  const Budget *budget = stint->budget;
  if (budget->stop && atomic_load(budget->stop)) return true;
  return stint->deadline > 0 && clock_now() >= stint->deadline;
}

static bool spent(const Stint *stint) {
  const Budget *budget = stint->budget;
  return (budget->states && stint->states >= budget->states) ||
         (budget->simulations && stint->games >= budget->simulations) ||
         out_of_time(stint);
}

/* ---- targets ---- */

static void set_targets(Learner *learner, const int *goals) {
  const Linear *linear = learner->linear;
  for (uint32_t row = 0; row < linear->rows; row++) {
    int goal = goals[row];
    int least = linear->least[row], range = linear->most[row] - least;
    learner->targets[row] =
        goal < 0 || range <= 0 ? -1 : (float)(goal - least) / (float)range;
  }
}

/* Returns how much a state of a game with these targets counts. Where most
   games come to nothing, those that are won tell more: draws count for no more
   than all others together. */
static float weigh(Learner *learner) {
  Field *field = &learner->fields[learner->field];
  float most = 0;
  for (uint32_t row = 0; row < learner->linear->rows; row++) {
    float from_middle = fabsf(learner->targets[row] - 0.5f);
    if (learner->targets[row] >= 0 && from_middle > most) most = from_middle;
  }
  bool drawn = most < 0.25f;
  field->drawn = field->drawn * MEMORY + drawn;
  field->decided = field->decided * MEMORY + !drawn;
  if (!drawn || field->decided >= field->drawn) return 1;
  return (float)(field->decided / field->drawn);
}

static void hold(Learner *learner, const uint64_t *state, double weight) {
  for (uint32_t row = 0; row < learner->linear->rows; row++) {
    Held *held = &learner->held[row];
    double target = (double)learner->targets[row];
    if (target < 0) continue;
    double error = (double)fit_predict(&learner->fit, state, row) - target;
    held->weight = held->weight * MEMORY + weight;
    held->error = held->error * MEMORY + weight * error * error;
    held->goal = held->goal * MEMORY + weight * target;
    held->goal_square = held->goal_square * MEMORY + weight * target * target;
  }
  learner->held_states++;
}

static void learn_state(Learner *learner, uint64_t game,
                        const uint64_t *state) {
  float weight = weigh(learner);
  if (game % HELD_OUT == 0) {
    hold(learner, state, (double)weight);
    return;
  }
  fit_shuffle(&learner->fit, state, learner->targets, weight);
  learner->progress.targets++;
}

/* ---- games one by one ---- */

static void remember(Learner *learner) {
  const uint64_t *words;
  uint32_t count = game_state(learner->game, &words), at = learner->path.count;
  vector_resize(&learner->path, at + count);
  memcpy(learner->path.data + at, words, count * sizeof *words);
}

/* Returns false if a role has no legal move. */
static bool make_random(Learner *learner) {
  Game *game = learner->game;
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves);
    if (!count) return false;
    joint[role] = moves[count > 1 ? random_below(&learner->random, count) : 0];
  }
  game_make(game, joint);
  return true;
}

/* Plays on to the end. Returns false if there was none in time. */
static bool play(Learner *learner, Stint *stint) {
  Game *game = learner->game;
  vector_clear(&learner->path);
  for (uint32_t step = 1; !game_terminal(game); step++) {
    if (step > learner->settings.steps || game_failed(game)) return false;
    if (step % LOOK == 0 && out_of_time(stint)) return false;
    remember(learner);
    if (!make_random(learner)) return false;
    stint->states++;
  }
  return !game_failed(game);
}

static void learn_one(Learner *learner, Stint *stint, const uint64_t *start) {
  uint32_t words = learner->linear->evaluation.words;
  int goals[RULE_ROLES];
  if (start)
    game_enter(learner->game, start, words);
  else
    game_reset(learner->game);
  bool ended = play(learner, stint);
  uint32_t steps = learner->path.count / words;
  learner->progress.games++;
  stint->games++;
  if (!ended || !steps) return;
  for (uint32_t role = 0; role < learner->game->role_count; role++)
    goals[role] = game_goal(learner->game, role);
  set_targets(learner, goals);
  for (uint32_t i = 0; i < SAMPLES; i++)
    learn_state(learner, learner->progress.games,
                learner->path.data +
                    (size_t)random_below(&learner->random, steps) * words);
}

/* ---- many games at once ---- */

static void hear(void *context, uint64_t game, const uint64_t *state,
                 const int *goals) {
  Learner *learner = context;
  set_targets(learner, goals);
  learn_state(learner, game, state);
}

static double decided_share(const Field *field) {
  double all = field->decided + field->drawn;
  return all > 0 ? field->decided / all : 0;
}

/* Goes on to the next field once the one at work has been tried. */
static void choose_field(Learner *learner, const uint64_t *start) {
  Field *fields = learner->fields;
  if (learner->chosen || harvest_games(fields[learner->field].harvest) < TRIED)
    return;
  if (learner->field == FIELD_CAPTURES && fields[FIELD_UNIFORM].harvest) {
    learner->field = FIELD_UNIFORM;
  } else {
    bool few = decided_share(&fields[FIELD_CAPTURES]) <
               FEWER * decided_share(&fields[FIELD_UNIFORM]);
    learner->field = few ? FIELD_UNIFORM : FIELD_CAPTURES;
    learner->chosen = true;
  }
  if (start) harvest_from(fields[learner->field].harvest, start);
}

static void learn_many(Learner *learner, Stint *stint, const uint64_t *start) {
  Harvest *harvest = learner->fields[learner->field].harvest;
  uint64_t states = harvest_states(harvest), games = harvest_games(harvest);
  harvest_run(harvest);
  games = harvest_games(harvest) - games;
  learner->progress.games += games;
  stint->games += games;
  stint->states += harvest_states(harvest) - states;
  choose_field(learner, start);
}

/* ---- learning ---- */

static void find_explained(Learner *learner) {
  double error = 0, variance = 0, rows = 0;
  for (uint32_t row = 0; row < learner->linear->rows; row++) {
    const Held *held = &learner->held[row];
    if (held->weight == 0) continue;
    double mean = held->goal / held->weight;
    error += held->error / held->weight;
    variance += held->goal_square / held->weight - mean * mean;
    rows++;
  }
  if (rows == 0) return;
  double explained = variance > 0 ? 1 - error / variance : 0;
  if (learner->round && explained < WORTH) return; /* playouts have told */
  learner->progress.error = error / rows;
  learner->progress.explained = explained;
}

/* Learns from trees instead: always from the initial state. */
static void learn_trees(Learner *learner, const Budget *budget) {
  LearnerProgress *progress = &learner->progress;
  SelfplayProgress before = selfplay_progress(learner->selfplay);
  selfplay_learn(learner->selfplay, budget, &learner->fit);
  SelfplayProgress now = selfplay_progress(learner->selfplay);
  progress->games += now.games - before.games;
  progress->states += now.states - before.states;
  progress->targets += now.targets - before.targets;
  learner->held_states += now.targets - before.targets;
  progress->explained = now.explained;
}

/* ---- games that look ahead ---- */

static void hear_step(void *context, uint32_t game, const uint64_t *state,
                      const float *expected, const float *came) {
  Learner *learner = context;
  size_t size = learner->linear->rows * sizeof *learner->targets;
  bool held_out = (learner->progress.games + game) % HELD_OUT == 0;
  memcpy(learner->targets, came, size);
  float weight = weigh(learner);
  if (held_out) {
    hold(learner, state, (double)weight);
    return;
  }
  memcpy(learner->targets, expected, size);
  fit_shuffle(&learner->fit, state, learner->targets, weight);
  learner->progress.targets++;
}

/* What uniform playouts say of single places is worse than nothing where pieces
   are captured: alpha-beta without it won 77 % of 48 games of breakthrough,
   68 % of 36 of skirmish, 60 % of 48 of checkers and 46 % of 36 of chess_200,
   but 4 % of 48 of reversi, where nothing is captured. What playouts that
   capture say of them is worth keeping in breakthrough (78 % of 40 games
   against such playouts instead of 50 %), not in skirmish (16 instead of 44 %),
   and makes no difference in chess_200 (51 and 51 %). */
static void forget_places(Linear *linear) {
  for (uint32_t f = linear->fluents_first; f < linear->features.count; f++)
    for (uint32_t row = 0; row < linear->rows; row++)
      if (linear->kinds.of_fluent[linear->features.data[f].first])
        linear_row(linear, row)[f] = 0;
  linear_freeze(linear);
}

/* All play with what was learned so far, and learn anew from there: each round
   has twice as many games as the one before. */
static void begin_round(Learner *learner, const Sparring *sparring) {
  fit_publish(&learner->fit);
  if (!learner->round) {
    memset(learner->held, 0, learner->linear->rows * sizeof *learner->held);
    if (sparring_captures(sparring)) forget_places(learner->linear);
  }
  fit_turn(&learner->fit);
  learner->round = learner->round ? 2 * learner->round : ROUND;
  learner->left = learner->round;
}

typedef struct Lesson {
  Learner *learner;
  Budget budget;
  bool takes;     /* the evaluation as it is now */
  uint32_t ended; /* games */
} Lesson;

static Budget sitting_of(const Learner *learner, const Stint *stint) {
  int64_t threads = learner->settings.threads;
  uint64_t games = SITTING * (uint64_t)(threads ? threads : 1);
  Budget own = {.stop = stint->budget->stop,
                .simulations = games < learner->left ? games : learner->left};
  if (stint->budget->states) own.states = stint->budget->states - stint->states;
  if (stint->deadline > 0)
    own.seconds = fmax(stint->deadline - clock_now(), 1e-9);
  return own;
}

static void make_sparring(void *context) {
  Learner *learner = ((Lesson *)context)->learner;
  learner->sparring = sparring_new(learner->book, &learner->settings,
                                   learner->linear, learner->seed);
}

static void sit(void *context) {
  Lesson *lesson = context;
  Sparring *sparring = lesson->learner->sparring;
  if (lesson->takes) sparring_take_evaluation(sparring);
  lesson->ended =
      sparring_play(sparring, &lesson->budget, hear_step, lesson->learner);
}

/* Returns false, and nothing is played any more, if memory did not suffice. */
static bool try_to(Learner *learner, TrialWork *work, Lesson *lesson) {
  if (trial_run_in(&learner->scope, work, lesson)) return true;
  learner->sparring = NULL;
  learner->book = NULL;
  return false;
}

static void spar(Learner *learner, Stint *stint) {
  Lesson lesson = {.learner = learner, .ended = 1};
  sparring_prepare(learner->book, &learner->settings);
  if (!learner->sparring && !try_to(learner, make_sparring, &lesson)) return;
  Sparring *sparring = learner->sparring;
  for (bool first = true; lesson.ended && !spent(stint); first = false) {
    lesson.takes = first || !learner->left;
    if (!learner->left) {
      sparring_tell(sparring, hear_step, learner);
      begin_round(learner, sparring);
    }
    lesson.budget = sitting_of(learner, stint);
    uint64_t before = sparring_states(sparring);
    if (!try_to(learner, sit, &lesson)) return;
    stint->states += sparring_states(sparring) - before;
    learner->progress.games += lesson.ended;
    learner->left -=
        lesson.ended < learner->left ? lesson.ended : learner->left;
  }
  sparring_tell(sparring, hear_step, learner);
  if (!spent(stint)) learner->book = NULL; /* it cannot be played so */
}

/* ---- playouts ---- */

static void play_out(Learner *learner, Stint *stint, const uint64_t *state,
                     double until, uint64_t states) {
  Field *fields = learner->fields;
  bool many = fields[learner->field].harvest;
  while (!spent(stint) && !game_failed(learner->game)) {
    if ((until > 0 && clock_now() >= until) ||
        (states && stint->states >= states)) {
      find_explained(learner);
      if (learner_evaluation(learner)) return;
    }
    if (many)
      learn_many(learner, stint, state);
    else
      learn_one(learner, stint, state);
  }
}

/* Returns true if there is time to make what such games need, and to play some,
   in this call or the next ones: it may take an eighth of all time, and half of
   what is left. A mind of chess_200, of 35,548 gates, takes 0.1 s. */
static bool has_time(const Learner *learner, const Stint *stint) {
  static const double gate = 3e-6, times = 8;
  double making = gate * learner->book->net.gates.count;
  if (learner->sparring || stint->deadline <= 0) return true;
  double left = stint->deadline - clock_now();
  double all = learner->seconds + stint->budget->seconds;
  return left > 2 * making && all > times * making;
}

/* Playouts come first, until they have taught something. */
static void learn_games(Learner *learner, Stint *stint) {
  const Budget *budget = stint->budget;
  double now = clock_now();
  double until = budget->seconds > 0 ? now + budget->seconds / PREFACE : 0;
  if (!learner->round)
    play_out(learner, stint, NULL, until,
             budget->states ? budget->states / PREFACE + 1
             : until <= 0   ? 1
                            : 0);
  if (!spent(stint) && has_time(learner, stint) && learner_evaluation(learner))
    spar(learner, stint);
}

/* Budgets of simulations are for playouts alone. */
static void learn(Learner *learner, const Budget *budget,
                  const uint64_t *state) {
  if (learner->selfplay) {
    learn_trees(learner, budget);
    return;
  }
  Stint stint = {.budget = budget};
  Field *fields = learner->fields;
  if (budget->seconds > 0) stint.deadline = clock_now() + budget->seconds;
  if (fields[learner->field].harvest && (state || learner->elsewhere))
    harvest_from(fields[learner->field].harvest, state);
  learner->elsewhere = state;
  if (learner->book && !state && !budget->simulations)
    learn_games(learner, &stint);
  play_out(learner, &stint, state, 0, 0);
  learner->progress.states += stint.states;
  learner->seconds += budget->seconds;
  find_explained(learner);
  fit_publish(&learner->fit);
}

void learner_learn(Learner *learner, const Budget *budget) {
  learn(learner, budget, NULL);
}

void learner_learn_from(Learner *learner, const Budget *budget,
                        const uint64_t *state) {
  learn(learner, budget, state);
}

/* ---- learners ---- */

static Settings uniform_settings(const Settings *settings) {
  Settings uniform = *settings;
  uniform.capture = 0;
  uniform.decisive = DECISIVE_NONE;
  return uniform;
}

void learner_prepare(Book *book, const Settings *settings) {
  Settings uniform = uniform_settings(settings);
  book_analysis(book);
  book_features(book);
  harvest_prepare(book, settings);
  harvest_prepare(book, &uniform);
  sparring_prepare(book, settings);
}

static void plant(Learner *learner, Book *book, uint64_t seed) {
  Settings uniform = uniform_settings(&learner->settings);
  bool same = !learner->settings.capture && !learner->settings.decisive;
  learner->fields[FIELD_CAPTURES].harvest =
      harvest_new(book, &learner->settings, seed, hear, learner);
  if (!same)
    learner->fields[FIELD_UNIFORM].harvest =
        harvest_new(book, &uniform, seed + 1, hear, learner);
  learner->chosen = same;
}

/* Nobody counts legal moves here, so mobility is not learned. */
static uint32_t classes_of(const Settings *settings) {
  if (settings->features == FEATURES_PLAIN)
    return 1u << FEATURE_FLUENT | 1u << FEATURE_KIND;
  return settings->features == FEATURES_ALL ? LINEAR_ALL : LINEAR_USUAL;
}

Learner *learner_new(Book *book, const Settings *settings, uint64_t seed) {
  Linear *linear = linear_new(book);
  if (!linear) return NULL;
  if (!linear->features.count) {
    evaluation_delete(&linear->evaluation);
    return NULL;
  }
  Learner *learner = memory_new(sizeof *learner);
  linear->classes = classes_of(settings);
  learner->linear = linear;
  learner->settings = *settings;
  learner->game = book_game(book);
  random_seed(&learner->random, seed);
  if (settings->teacher == TEACHER_TREES)
    learner->selfplay = selfplay_new(book, settings, seed);
  if (settings->teacher == TEACHER_GAMES && sparring_suits(book, settings))
    learner->book = book;
  learner->seed = seed;
  scope_init(&learner->scope, SIZE_MAX, true);
  plant(learner, book, seed);
  fit_init(&learner->fit, linear, seed);
  learner->held = memory_new(linear->rows * sizeof *learner->held);
  learner->targets = memory_new(linear->rows * sizeof *learner->targets);
  return learner;
}

void learner_delete(Learner *learner) {
  if (!learner) return;
  fit_free(&learner->fit);
  for (uint32_t i = 0; i < FIELDS; i++)
    harvest_delete(learner->fields[i].harvest);
  if (learner->selfplay) selfplay_delete(learner->selfplay);
  if (learner->sparring) sparring_delete(learner->sparring);
  pthread_mutex_destroy(&learner->scope.lock);
  game_delete(learner->game);
  evaluation_delete(&learner->linear->evaluation);
  vector_free(&learner->path);
  memory_delete(learner->held);
  memory_delete(learner->targets);
  memory_delete(learner);
}

const Evaluation *learner_evaluation(const Learner *learner) {
  if (learner->held_states < EVIDENCE || learner->progress.explained < WORTH)
    return NULL;
  return &learner->linear->evaluation;
}

Linear *learner_linear(Learner *learner) {
  return learner->linear;
}

LearnerProgress learner_progress(const Learner *learner) {
  return learner->progress;
}

void learner_resume(Learner *learner, const LearnerProgress *progress) {
  learner->progress = *progress;
  if (progress->explained >= WORTH) learner->held_states = EVIDENCE;
  learner->round = learner->left = RESUMED;
  fit_adopt(&learner->fit, progress->targets);
  linear_freeze(learner->linear);
}

void learner_write(const Learner *learner, Text *text) {
  const LearnerProgress *progress = &learner->progress;
  const Evaluation *evaluation = &learner->linear->evaluation;
  text_format(text,
              "learned from %llu games, %llu states, %llu targets; explains "
              "%.0f %% of the variance of goals\n",
              (unsigned long long)progress->games,
              (unsigned long long)progress->states,
              (unsigned long long)progress->targets, 100 * progress->explained);
  evaluation->operations->write(evaluation, text);
}
