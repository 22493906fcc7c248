/* Threads take the numbers of games from a counter; each has its own desk. For
   other ranks the calling thread takes and deals them out. A result waits in
   `waiting` until all games before it are finished; then it is counted, under
   the lock, and freed. So the sums, and where the test stops, depend on results
   only. */
#include "contest/contest.h"

#include "base/thread.h"
#include "contest/desk.h"

enum { FAILURES = 3 }; /* of the first games, until the contest is given up */

typedef struct Runner {
  Contest *contest;
  pthread_mutex_t lock;
  uint32_t next;             /* game to begin */
  bool done;                 /* no more games are begun */
  bool settled;              /* no more games are counted */
  uint32_t counted;          /* games counted so far */
  VECTOR(Fixture *) waiting; /* from `counted` on; NULL: being played */
  Score first_of_pair;       /* of player 0 */
  const AgentSpec *players[RULE_ROLES]; /* of the game that is being dealt */
} Runner;

/* ---- one game ---- */

static void play_match(const ContestTable *table, MatchResult *result) {
  RefereeOptions options = {.match = table->contest->options->match};
  RefereeMatch match = {
      .book = table->book, .players = table->players, .seed = table->seed};
  referee_play(&match, &options, result);
}

/* Fills in the players, by role. */
static ContestTable lay_table(const Contest *contest, const Fixture *game,
                              const AgentSpec **players) {
  for (uint32_t role = 0; role < contest->role_count; role++)
    players[role] = &contest->players->data[game->players[role]];
  return (ContestTable){
      .contest = contest,
      .number = game->number,
      .seed =
          fixture_seed(&contest->seating, contest->options->seed, game->number),
      .players = players};
}

static Fixture *play_game(const Contest *contest, Desk *desk, uint32_t number) {
  const ContestOptions *options = contest->options;
  const AgentSpec *players[RULE_ROLES];
  Fixture *game = fixture_new(&contest->seating, number);
  ContestTable table = lay_table(contest, game, players);
  table.book = &desk->book;
  if (options->play)
    options->play(options->context, &table, &game->result);
  else
    play_match(&table, &game->result);
  fixture_judge(game);
  return game;
}

/* ---- counting, under the lock ---- */

static void count_work(Contest *contest, const Fixture *game) {
  for (uint32_t role = 0; role < contest->role_count; role++) {
    AgentWork *sum = &contest->work[game->players[role]];
    const AgentWork *work = &game->result.sides[role].work;
    sum->simulations += work->simulations;
    sum->states += work->states;
    sum->seconds += work->seconds;
  }
}

/* A game that always fails, perhaps after a minute each time, is not worth a
   hundred attempts. */
static void count_error(Runner *runner, const Fixture *game) {
  Contest *contest = runner->contest;
  contest->errors++;
  if (game->result.end == MATCH_FAILED && contest->errors == contest->games &&
      contest->errors >= FAILURES)
    runner->done = runner->settled = true;
  contest->illegal += game->result.end == MATCH_ILLEGAL;
  if (!contest->error.length)
    text_format(&contest->error, "game %u: %s", game->number + 1,
                text_string(&game->result.error));
}

static void count_faults(Contest *contest, const Fixture *game) {
  if (!contest->faults && game->result.faults)
    text_format(&contest->fault, "game %u, %s", game->number + 1,
                text_string(&game->result.fault));
  contest->faults += game->result.faults;
}

static void keep_names(Contest *contest, const Fixture *game) {
  for (uint32_t role = 0; role < contest->role_count; role++) {
    Text *name = &contest->names[game->players[role]];
    text_clear(name);
    text_add(name, text_string(&game->result.sides[role].name));
  }
}

/* The test gets the pairs in which both games have a score. */
static void count_pair(Runner *runner, const Fixture *game) {
  Contest *contest = runner->contest;
  Score score = game->scores[0], other = runner->first_of_pair;
  if (game->number % 2 == 0) {
    runner->first_of_pair = score;
  } else if (score != SCORE_NONE && other != SCORE_NONE) {
    sprt_add(&contest->sprt,
             (uint32_t)(score - SCORE_LOSS) + (uint32_t)(other - SCORE_LOSS));
    if (sprt_decide(&contest->sprt) != SPRT_OPEN)
      runner->done = runner->settled = true;
  }
}

static void count_game(Runner *runner, const Fixture *game) {
  Contest *contest = runner->contest;
  contest->games++;
  contest->steps += game->result.steps;
  contest->cut_off += game->result.end == MATCH_CUT_OFF;
  count_work(contest, game);
  keep_names(contest, game);
  count_faults(contest, game);
  if (fixture_has_score(game)) {
    for (uint32_t player = 0; player < contest->players->count; player++)
      if (game->played[player])
        tally_add(&contest->tallies[player], game->scores[player],
                  game->goals[player]);
  } else {
    count_error(runner, game);
  }
  if (contest->options->sprt) count_pair(runner, game);
  if (contest->options->finished)
    contest->options->finished(contest->options->context, contest, game);
}

/* Counts the results that are next in order; drops those after the last game.
 */
static void count_waiting(Runner *runner) {
  uint32_t ready = 0;
  while (ready < runner->waiting.count && runner->waiting.data[ready]) {
    Fixture *game = runner->waiting.data[ready++];
    if (game->result.end == MATCH_STOPPED) runner->done = true;
    if (game->result.end != MATCH_STOPPED && !runner->settled)
      count_game(runner, game);
    fixture_delete(game);
  }
  runner->counted += ready;
  runner->waiting.count -= ready;
  for (uint32_t i = 0; i < runner->waiting.count; i++)
    runner->waiting.data[i] = runner->waiting.data[i + ready];
}

static void hand_in(Runner *runner, Fixture *game) {
  pthread_mutex_lock(&runner->lock);
  while (runner->counted + runner->waiting.count <= game->number)
    vector_push(&runner->waiting, NULL);
  runner->waiting.data[game->number - runner->counted] = game;
  count_waiting(runner);
  pthread_mutex_unlock(&runner->lock);
}

/* ---- threads ---- */

/* Under the lock. */
static bool is_more(const Runner *runner) {
  const ContestOptions *options = runner->contest->options;
  const atomic_bool *stop = options->match.play.stop;
  return !runner->done && !(stop && atomic_load(stop)) &&
         (!options->games || runner->next < options->games);
}

static bool has_games(Runner *runner) {
  pthread_mutex_lock(&runner->lock);
  bool more = is_more(runner);
  pthread_mutex_unlock(&runner->lock);
  return more;
}

static bool take_game(Runner *runner, uint32_t *number) {
  pthread_mutex_lock(&runner->lock);
  bool more = is_more(runner);
  *number = runner->next;
  runner->next += more;
  pthread_mutex_unlock(&runner->lock);
  return more;
}

static void fail(Runner *runner, const Text *why) {
  pthread_mutex_lock(&runner->lock);
  if (!runner->contest->error.length)
    text_add(&runner->contest->error, text_string(why));
  runner->done = true;
  pthread_mutex_unlock(&runner->lock);
}

static void *work(void *argument) {
  Runner *runner = argument;
  const Contest *contest = runner->contest;
  const BookLimits *limits = &contest->options->limits;
  Desk desk;
  uint32_t number;
  desk_init(&desk, contest->description, limits, contest->options->ground);
  if (contest->options->need_net && !desk.book.has_net)
    fail(runner, &desk.book.why[BOOK_NET]);
  for (bool first = true; take_game(runner, &number); first = false) {
    if (!first) desk_clear(&desk, contest->description, limits);
    hand_in(runner, play_game(contest, &desk, number));
  }
  desk_free(&desk);
  return NULL;
}

/* ---- other ranks ---- */

/* A game that another rank plays. */
typedef struct Away {
  Fixture *game;
  bool recorded;
  Record record;
} Away;

static SpreadNext deal_game(void *context, SpreadGame *out) {
  Runner *runner = context;
  const Contest *contest = runner->contest;
  const ContestOptions *options = contest->options;
  uint32_t number;
  if (!out) return has_games(runner) ? SPREAD_LATER : SPREAD_OVER;
  if (!take_game(runner, &number)) return SPREAD_OVER;
  Away *away = memory_new(sizeof *away);
  away->game = fixture_new(&contest->seating, number);
  ContestTable table = lay_table(contest, away->game, runner->players);
  away->recorded = options->records;
  if (away->recorded)
    options->records->open(options->context, &table, &away->record);
  *out = (SpreadGame){.description = contest->description,
                      .ground = options->ground,
                      .need_net = options->need_net,
                      .players = runner->players,
                      .seed = table.seed,
                      .match = options->match,
                      .turns = away->recorded,
                      .live = away->recorded,
                      .record = away->recorded ? &away->record : NULL,
                      .own = away};
  return SPREAD_TAKEN;
}

static void note_step(void *context, const SpreadGame *game, uint32_t step,
                      const RecordTurn *turns) {
  const Runner *runner = context;
  const Away *away = game->own;
  const ContestOptions *options = runner->contest->options;
  ContestTable table = {.contest = runner->contest,
                        .number = away->game->number};
  options->records->stepped(options->context, &table, step, turns);
}

/* Returns the game, without its record. */
static Fixture *come_home(const Runner *runner, Away *away) {
  const ContestOptions *options = runner->contest->options;
  Fixture *game = away->game;
  if (away->recorded) options->records->close(options->context, &away->record);
  memory_delete(away);
  return game;
}

static void end_game(void *context, const SpreadGame *dealt,
                     MatchResult *result, double seconds) {
  Runner *runner = context;
  Fixture *game = come_home(runner, dealt->own);
  (void)seconds;
  game->result = *result;
  fixture_judge(game);
  hand_in(runner, game);
}

static void refuse_game(void *context, const SpreadGame *dealt,
                        const Text *why) {
  Runner *runner = context;
  fixture_delete(come_home(runner, dealt->own));
  fail(runner, why);
}

static bool is_needed(void *context) {
  Runner *runner = context;
  pthread_mutex_lock(&runner->lock);
  bool needed = !runner->done;
  pthread_mutex_unlock(&runner->lock);
  return needed;
}

static void deal_out(Runner *runner) {
  const ContestOptions *options = runner->contest->options;
  SpreadWork spread = {.take = deal_game,
                       .stepped = note_step,
                       .finished = end_game,
                       .refused = refuse_game,
                       .needed = is_needed,
                       .stop = options->match.play.stop,
                       .context = runner};
  spread_run(options->spread, &spread);
}

/* ---- the contest ---- */

static uint32_t thread_count(const ContestOptions *options) {
  uint32_t count = options->threads || options->spread ? options->threads : 1;
  return options->games && options->games < count ? options->games : count;
}

bool contest_run(Contest *contest) {
  Runner runner = {.contest = contest};
  uint32_t count = thread_count(contest->options);
  pthread_t *threads = memory_new((count + 1) * sizeof *threads);
  pthread_mutex_init(&runner.lock, NULL);
  for (uint32_t i = 0; i < count; i++)
    if (!thread_start(&threads[i], THREAD_STACK, work, &runner))
      fatal("cannot start a thread");
  if (contest->options->spread) deal_out(&runner);
  for (uint32_t i = 0; i < count; i++) pthread_join(threads[i], NULL);
  for (uint32_t i = 0; i < runner.waiting.count; i++)
    fixture_delete(runner.waiting.data[i]);
  vector_free(&runner.waiting);
  pthread_mutex_destroy(&runner.lock);
  memory_delete(threads);
  return contest->games > 0;
}

void contest_init(Contest *contest, const Description *description,
                  const AgentSpecs *players, const ContestOptions *options) {
  uint32_t roles = description->rules.roles.count, count = players->count;
  *contest = (Contest){.options = options,
                       .description = description,
                       .players = players,
                       .role_count = roles,
                       .seating = fixture_seating(count, roles)};
  contest->tallies = memory_new(count * sizeof *contest->tallies);
  contest->names = memory_new(count * sizeof *contest->names);
  contest->work = memory_new(count * sizeof *contest->work);
  contest->sprt = (Sprt){.elo0 = options->elo0,
                         .elo1 = options->elo1,
                         .alpha = options->alpha,
                         .beta = options->beta};
}

void contest_free(Contest *contest) {
  for (uint32_t i = 0; i < contest->players->count; i++)
    text_free(&contest->names[i]);
  memory_delete(contest->names);
  memory_delete(contest->tallies);
  memory_delete(contest->work);
  text_free(&contest->error);
  text_free(&contest->fault);
}
