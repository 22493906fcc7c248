/* tafl match GAME: agents play each other; their results as text or JSON. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/contest.h"
#include "base/clock.h"
#include "command/command.h"

enum { GAMES = 100 }; /* unless the options say otherwise */

typedef struct Show {
  const Options *options;
  double start;
} Show;

/* ---- an interrupt ends the contest with what it has ---- */

static atomic_bool interrupted;

static void interrupt(int number) {
  signal(number, SIG_DFL);
  atomic_store(&interrupted, true);
}

/* ---- figures ---- */

static json_t *json_figure(double value) {
  return isnan(value) ? json_null() : json_real(value);
}

static const char *player_text(const Contest *contest, uint32_t player) {
  return contest->players->data[player].text;
}

static const char *score_name(Score score) {
  static const char *const names[] = {[SCORE_NONE] = "none",
                                      [SCORE_LOSS] = "loss",
                                      [SCORE_DRAW] = "draw",
                                      [SCORE_WIN] = "win"};
  return names[score];
}

/* "61.5 % ± 6.7", or what of it is known. */
static void write_rate(const Tally *tally, Text *text) {
  double rate = tally_win_rate(tally), interval = tally_interval(tally);
  if (isnan(rate)) return;
  text_format(text, "%.1f %%", rate);
  if (!isnan(interval)) text_format(text, " ± %.1f", interval);
}

static const char *decision_name(const Sprt *sprt) {
  static const char *const names[] = {
      [SPRT_OPEN] = "open", [SPRT_ELO0] = "elo0", [SPRT_ELO1] = "elo1"};
  return names[sprt_decide(sprt)];
}

/* ---- while it runs ---- */

static void write_left(double seconds, Text *text) {
  unsigned long whole = (unsigned long)(seconds + 0.5);
  if (whole >= 3600)
    text_format(text, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60,
                whole % 60);
  else
    text_format(text, "%lu:%02lu", whole / 60, whole % 60);
}

static void show_progress(const Show *show, const Contest *contest) {
  double seconds = clock_now() - show->start;
  uint32_t games = contest->options->games;
  Text text = {0};
  text_format(&text, "%u", contest->games);
  if (games) text_format(&text, "/%u", games);
  text_format(&text, " games, %.3g a second, ",
              contest->games / (seconds > 0 ? seconds : 1));
  if (games) {
    write_left(seconds * (games - contest->games) / contest->games, &text);
    text_add(&text, " left, ");
  }
  if (contest->options->sprt)
    text_format(&text, "log ratio %.2f of %.2f to %.2f, ",
                sprt_ratio(&contest->sprt), sprt_lower(&contest->sprt),
                sprt_upper(&contest->sprt));
  write_rate(&contest->tallies[0], &text);
  if (contest->players->count == 1 || contest->role_count == 1)
    text_format(&text, "goal %.1f", tally_mean_goal(&contest->tallies[0]));
  log_progress("%s", text.bytes);
  text_free(&text);
}

static json_t *json_moves(const Contest *contest, const MatchResult *result) {
  json_t *list = json_array();
  const char *line = text_string(&result->moves);
  while (*line) {
    json_t *joint = json_array();
    for (uint32_t role = 0; role < contest->role_count; role++) {
      Text move = {0};
      text_add_bytes(&move, line, strcspn(line, "\n"));
      json_array_append_new(joint, open_json_text(move.bytes));
      line += move.length + 1;
      text_free(&move);
    }
    json_array_append_new(list, joint);
  }
  return list;
}

static void print_json_line(json_t *value) {
  json_dumpf(value, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  fflush(stdout);
  json_decref(value);
}

static void print_game_json(const Contest *contest, const ContestGame *game) {
  json_t *players = json_array(), *goals = json_array(), *scores = json_array();
  for (uint32_t role = 0; role < contest->role_count; role++) {
    uint32_t player = game->players[role];
    json_array_append_new(players,
                          open_json_text(player_text(contest, player)));
    json_array_append_new(goals, json_integer(game->result.sides[role].goal));
    json_array_append_new(scores,
                          json_string(score_name(game->scores[player])));
  }
  print_json_line(json_pack("{s:i, s:o, s:o, s:o, s:s, s:i, s:o, s:o}",
                            "number", (int)game->number + 1, "players_by_role",
                            players, "goals_by_role", goals, "scores_by_role",
                            scores, "end", match_end_name(game->result.end),
                            "steps", (int)game->result.steps, "error",
                            open_json_text(text_string(&game->result.error)),
                            "moves", json_moves(contest, &game->result)));
}

static void print_game_text(const Contest *contest, const ContestGame *game) {
  printf("game %u: ", game->number + 1);
  for (uint32_t role = 0; role < contest->role_count; role++)
    printf("%s%s %d", role ? ", " : "",
           player_text(contest, game->players[role]),
           game->result.sides[role].goal);
  printf("; %s after %u steps%s%s\n", match_end_name(game->result.end),
         game->result.steps, game->result.error.length ? ": " : "",
         text_string(&game->result.error));
  fflush(stdout);
}

static void finished(void *context, const Contest *contest,
                     const ContestGame *game) {
  const Show *show = context;
  if (show->options->verbose) {
    log_progress_end();
    if (show->options->json)
      print_game_json(contest, game);
    else
      print_game_text(contest, game);
  }
  if (log_progress_wanted()) show_progress(show, contest);
}

/* ---- the summary ---- */

static json_t *json_player(const Contest *contest, uint32_t player) {
  const Tally *tally = &contest->tallies[player];
  const AgentWork *work = &contest->work[player];
  return json_pack("{s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:I, s:I, s:f}",
                   "player", open_json_text(player_text(contest, player)),
                   "games", (json_int_t)tally->games, "wins",
                   (json_int_t)tally->wins, "draws", (json_int_t)tally->draws,
                   "losses", (json_int_t)tally->losses, "win_rate",
                   json_figure(tally_win_rate(tally)), "interval95",
                   json_figure(tally_interval(tally)), "mean_goal",
                   json_figure(tally_mean_goal(tally)), "simulations",
                   (json_int_t)work->simulations, "states",
                   (json_int_t)work->states, "seconds", work->seconds);
}

static json_t *json_sprt(const Sprt *sprt) {
  return json_pack("{s:f, s:f, s:f, s:f, s:I, s:f, s:f, s:f, s:s}", "elo0",
                   sprt->elo0, "elo1", sprt->elo1, "alpha", sprt->alpha, "beta",
                   sprt->beta, "pairs", (json_int_t)sprt_pairs(sprt),
                   "log_ratio", sprt_ratio(sprt), "lower", sprt_lower(sprt),
                   "upper", sprt_upper(sprt), "decision", decision_name(sprt));
}

static void print_json(const Contest *contest, double seconds) {
  const Tally *first = &contest->tallies[0];
  json_t *players = json_array(), *goals = json_array(), *all = json_array();
  for (uint32_t i = 0; i < contest->players->count; i++) {
    json_array_append_new(players, open_json_text(player_text(contest, i)));
    json_array_append_new(goals,
                          json_figure(tally_mean_goal(&contest->tallies[i])));
    json_array_append_new(all, json_player(contest, i));
  }
  json_t *summary = json_pack(
      "{s:o, s:o, s:i, s:I, s:I, s:I, s:o, s:o, s:o, s:i, s:i, s:I, s:f, s:o}",
      "game", open_json_text(contest->description->source.name), "players",
      players, "games", (int)contest->games, "wins", (json_int_t)first->wins,
      "draws", (json_int_t)first->draws, "losses", (json_int_t)first->losses,
      "win_rate", json_figure(tally_win_rate(first)), "interval95",
      json_figure(tally_interval(first)), "mean_goals", goals, "errors",
      (int)contest->errors, "cut_off", (int)contest->cut_off, "steps",
      (json_int_t)contest->steps, "seconds", seconds, "by_player", all);
  if (contest->options->sprt)
    json_object_set_new(summary, "sprt", json_sprt(&contest->sprt));
  print_json_line(summary);
}

static void print_player(const Contest *contest, uint32_t player) {
  const Tally *tally = &contest->tallies[player];
  const AgentWork *work = &contest->work[player];
  Text rate = {0};
  write_rate(tally, &rate);
  printf("  %s: ", player_text(contest, player));
  if (rate.length)
    printf("%s (%llu wins, %llu draws, %llu losses), ", rate.bytes,
           (unsigned long long)tally->wins, (unsigned long long)tally->draws,
           (unsigned long long)tally->losses);
  printf("mean goal %.1f in %llu games", tally_mean_goal(tally),
         (unsigned long long)tally->games);
  if (work->seconds > 0)
    printf(", %.0f simulations/s, %.0f states/s",
           (double)work->simulations / work->seconds,
           (double)work->states / work->seconds);
  putchar('\n');
  text_free(&rate);
}

static void print_text(const Contest *contest, double seconds) {
  const Sprt *sprt = &contest->sprt;
  printf("%s: %u games in %.1f s, %.1f steps each",
         contest->description->source.name, contest->games, seconds,
         contest->games ? (double)contest->steps / contest->games : 0);
  if (contest->cut_off)
    printf(", %u cut off at %u steps", contest->cut_off,
           contest->options->match.step_limit);
  printf("%s\n", contest->errors ? "" : ", no errors");
  for (uint32_t i = 0; i < contest->players->count; i++)
    if (contest->tallies[i].games) print_player(contest, i);
  if (contest->options->sprt)
    printf("  %s after %llu pairs: log likelihood ratio %.2f of elo %g to elo "
           "%g, bounds %.2f and %.2f\n",
           sprt_decide(sprt) == SPRT_ELO0   ? "elo0 accepted"
           : sprt_decide(sprt) == SPRT_ELO1 ? "elo1 accepted"
                                            : "not decided",
           (unsigned long long)sprt_pairs(sprt), sprt_ratio(sprt), sprt->elo1,
           sprt->elo0, sprt_lower(sprt), sprt_upper(sprt));
}

static int tell_end(const Contest *contest) {
  if (contest->errors)
    log_error("%s: %u of %u games ended by an error; %s",
              contest->description->source.name, contest->errors,
              contest->games, text_string(&contest->error));
  else if (contest->error.length)
    log_error("%s: %s", contest->description->source.name,
              contest->error.bytes);
  if (atomic_load(&interrupted)) log_error("interrupted");
  if (contest->illegal) return EXIT_PLAYER;
  return contest->error.length || atomic_load(&interrupted) ? EXIT_LIMIT
                                                            : EXIT_FINE;
}

/* ---- options ---- */

static Budget start_budget(const Options *options) {
  uint64_t count = (uint64_t)options->start;
  if (options->sims) return (Budget){.simulations = count};
  if (options->states) return (Budget){.states = count};
  return (Budget){.seconds = options->start};
}

/* As many as there are processors for; only one player of a match thinks. */
static uint32_t thread_count(const Options *options,
                             const AgentSpecs *players) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  int64_t most = 1;
  if (options->threads) return (uint32_t)options->threads;
  for (uint32_t i = 0; i < players->count; i++)
    if (players->data[i].settings.threads > most)
      most = players->data[i].settings.threads;
  return processors > most ? (uint32_t)(processors / most) : 1;
}

static void read_options(const Options *options, const AgentSpecs *players,
                         Show *show, ContestOptions *out) {
  *out = (ContestOptions){
      .games = (uint32_t)options->games,
      .threads = thread_count(options, players),
      .seed = (uint64_t)options->seed,
      .match = {.start = start_budget(options),
                .play = open_budget(options),
                .step_limit = (uint32_t)options->steps,
                .idle = options->idle,
                .keep_moves = options->json && options->verbose},
      .limits = open_limits(options),
      .ground = strcmp(options->engine, "rules") != 0,
      .need_net = strcmp(options->engine, "scalar") == 0,
      .sprt = options->sprt,
      .elo0 = options->elo0,
      .elo1 = options->elo1,
      .alpha = 0.05,
      .beta = 0.05,
      .finished = finished,
      .context = show};
  out->match.play.stop = &interrupted;
  if (!out->games && !out->sprt) out->games = GAMES;
}

/* What a game's number of roles decides too. */
static bool check_options(const Options *options,
                          const Description *description,
                          const AgentSpecs *players) {
  const char *wrong = NULL;
  if (strcmp(options->engine, "wide") == 0)
    wrong = "the wide engine is for bench only";
  else if (options->sprt &&
           (description->rules.roles.count != 2 || players->count != 2))
    wrong = "--sprt is for two players of a game with two roles";
  else if (options->sprt && options->elo0 >= options->elo1)
    wrong = "--elo0 must be less than --elo1";
  if (wrong) log_error("%s", wrong);
  return !wrong;
}

static int run(const Options *options, const Description *description,
               const AgentSpecs *players) {
  Show show = {options, clock_now()};
  ContestOptions contest_options;
  Contest contest;
  read_options(options, players, &show, &contest_options);
  contest_init(&contest, description, players, &contest_options);
  signal(SIGINT, interrupt);
  contest_run(&contest);
  signal(SIGINT, SIG_DFL);
  log_progress_end();
  if (options->json)
    print_json(&contest, clock_now() - show.start);
  else
    print_text(&contest, clock_now() - show.start);
  int code = tell_end(&contest);
  contest_free(&contest);
  return code;
}

int command_match(const Options *options) {
  Description description;
  AgentSpecs players;
  Text error = {0};
  if (options->argument_count != 1) {
    log_error("match takes one game");
    return EXIT_USAGE;
  }
  if (!*options->players) {
    log_error("match needs --players A,B; see tafl agents");
    return EXIT_USAGE;
  }
  if (!agent_specs_parse(&players, options->players, &error)) {
    log_error("--players: %s", error.bytes);
    text_free(&error);
    return EXIT_USAGE;
  }
  int code = EXIT_INPUT;
  if (open_description(options, options->arguments[0], &description)) {
    code = check_options(options, &description, &players)
               ? run(options, &description, &players)
               : EXIT_USAGE;
    description_free(&description);
  }
  agent_specs_free(&players);
  return code;
}
