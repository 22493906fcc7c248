/* A contest's games and summary as text or JSON, and its progress. */
#include "command/match_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "command/command.h"

/* ---- figures ---- */

static json_t *json_figure(double value) {
  return isnan(value) ? json_null() : json_real(value);
}

/* Returns [low, high], or null. */
static json_t *json_wilson(const Tally *tally) {
  double low, high;
  tally_wilson(tally, &low, &high);
  return isnan(low) ? json_null() : json_pack("[f, f]", low, high);
}

static const char *player_text(const Contest *contest, uint32_t player) {
  return contest->players->data[player].text;
}

/* The agent as it was written; an HTTP player also by its own name. */
static void write_player(const Contest *contest, uint32_t player, Text *text) {
  text_add(text, player_text(contest, player));
  if (contest->names[player].length)
    text_format(text, " (%s)", contest->names[player].bytes);
}

static const char *score_name(Score score) {
  static const char *const names[] = {[SCORE_NONE] = "none",
                                      [SCORE_LOSS] = "loss",
                                      [SCORE_DRAW] = "draw",
                                      [SCORE_WIN] = "win"};
  return names[score];
}

/* Are there winners and losers? Not among players of a puzzle. */
static bool is_scored(const Contest *contest) {
  return contest->players->count > 1 && contest->role_count > 1;
}

/* Writes "61.5 % ± 6.7", or as much of it as is known. */
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

static void show_progress(const MatchShow *show, const Contest *contest) {
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
  if (!is_scored(contest))
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

static void print_game_json(const Contest *contest, const Fixture *game) {
  json_t *players = json_array(), *goals = json_array(), *scores = json_array();
  for (uint32_t role = 0; role < contest->role_count; role++) {
    uint32_t player = game->players[role];
    json_array_append_new(players,
                          open_json_text(player_text(contest, player)));
    json_array_append_new(goals, json_integer(game->result.sides[role].goal));
    json_array_append_new(scores,
                          json_string(score_name(game->scores[player])));
  }
  print_json_line(json_pack(
      "{s:i, s:o, s:o, s:o, s:s, s:i, s:o, s:i, s:o}", "number",
      (int)game->number + 1, "players_by_role", players, "goals_by_role", goals,
      "scores_by_role", scores, "end", match_end_name(game->result.end),
      "steps", (int)game->result.steps, "error",
      open_json_text(text_string(&game->result.error)), "faults",
      (int)game->result.faults, "moves", json_moves(contest, &game->result)));
}

/* The line is printed at once: other threads print the steps of other games. */
static void print_game_text(const Contest *contest, const Fixture *game) {
  const MatchResult *result = &game->result;
  Text text = {0};
  text_format(&text, "game %u: ", game->number + 1);
  for (uint32_t role = 0; role < contest->role_count; role++) {
    const MatchSide *side = &result->sides[role];
    text_format(&text, "%s%s", role ? ", " : "",
                player_text(contest, game->players[role]));
    if (side->name.length)
      text_format(&text, " (%s)", text_string(&side->name));
    text_format(&text, " %d", side->goal);
  }
  text_format(&text, "; %s after %u steps", match_end_name(result->end),
              result->steps);
  if (result->error.length)
    text_format(&text, ": %s", text_string(&result->error));
  if (result->faults)
    text_format(&text, "; %u fault%s of players, the first at %s",
                result->faults, result->faults == 1 ? "" : "s",
                text_string(&result->fault));
  puts(text.bytes);
  fflush(stdout);
  text_free(&text);
}

void match_show_game(const MatchShow *show, const Contest *contest,
                     const Fixture *game) {
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
  return json_pack(
      "{s:o, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:I, s:I, s:f}",
      "player", open_json_text(player_text(contest, player)), "name",
      text_string(&contest->names[player]), "games", (json_int_t)tally->games,
      "wins", (json_int_t)tally->wins, "draws", (json_int_t)tally->draws,
      "losses", (json_int_t)tally->losses, "win_rate",
      json_figure(tally_win_rate(tally)), "interval95",
      json_figure(tally_interval(tally)), "wilson95", json_wilson(tally),
      "mean_goal", json_figure(tally_mean_goal(tally)), "simulations",
      (json_int_t)work->simulations, "states", (json_int_t)work->states,
      "seconds", work->seconds);
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
      "{s:o, s:o, s:i, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:i, s:I, s:i, s:I, "
      "s:f, s:o}",
      "game", open_json_text(contest->description->source.name), "players",
      players, "games", (int)contest->games, "wins", (json_int_t)first->wins,
      "draws", (json_int_t)first->draws, "losses", (json_int_t)first->losses,
      "win_rate", json_figure(tally_win_rate(first)), "interval95",
      json_figure(tally_interval(first)), "wilson95", json_wilson(first),
      "mean_goals", goals, "errors", (int)contest->errors, "faults",
      (json_int_t)contest->faults, "cut_off", (int)contest->cut_off, "steps",
      (json_int_t)contest->steps, "seconds", seconds, "by_player", all);
  if (contest->options->sprt)
    json_object_set_new(summary, "sprt", json_sprt(&contest->sprt));
  print_json_line(summary);
}

/* Columns of the table; a longer name has a line of its own. */
enum { NAME_WIDTH = 14 };

/* Prints the name, and moves to the column after it. */
static void print_name(const Contest *contest, uint32_t player) {
  Text name = {0};
  write_player(contest, player, &name);
  if (name.length <= NAME_WIDTH)
    printf("  %-*s", NAME_WIDTH, name.bytes);
  else
    printf("  %s\n  %-*s", name.bytes, NAME_WIDTH, "");
  text_free(&name);
}

static void print_score(const Tally *tally) {
  double interval = tally_interval(tally), low, high;
  tally_wilson(tally, &low, &high);
  printf(" %6llu %5llu %6llu  %5.1f", (unsigned long long)tally->wins,
         (unsigned long long)tally->draws, (unsigned long long)tally->losses,
         tally_win_rate(tally));
  if (isnan(interval))
    printf("%7s", "");
  else
    printf(" ± %-4.1f", interval);
  printf("  %5.1f to %-5.1f", low, high);
}

/* The win rate has the interval of the papers beside it. */
static void print_table(const Contest *contest) {
  printf("  %-*s %5s", NAME_WIDTH, "player", "games");
  if (is_scored(contest))
    printf("   wins draws losses   win rate %%   95 %% by Wilson");
  printf("   goal\n");
  for (uint32_t i = 0; i < contest->players->count; i++) {
    const Tally *tally = &contest->tallies[i];
    if (!tally->games) continue;
    print_name(contest, i);
    printf(" %5llu", (unsigned long long)tally->games);
    if (is_scored(contest)) print_score(tally);
    printf("  %5.1f\n", tally_mean_goal(tally));
  }
}

static void print_speeds(const Contest *contest) {
  for (uint32_t i = 0; i < contest->players->count; i++) {
    const AgentWork *work = &contest->work[i];
    if (work->seconds > 0)
      printf("  %s: %.0f simulations/s, %.0f states/s\n",
             player_text(contest, i), (double)work->simulations / work->seconds,
             (double)work->states / work->seconds);
  }
}

static void print_text(const Contest *contest, double seconds) {
  const Sprt *sprt = &contest->sprt;
  printf("%s: %u game%s in %.1f s, %.1f steps each",
         contest->description->source.name, contest->games,
         contest->games == 1 ? "" : "s", seconds,
         contest->games ? (double)contest->steps / contest->games : 0);
  if (contest->cut_off)
    printf(", %u cut off at %u steps", contest->cut_off,
           contest->options->match.step_limit);
  if (contest->faults)
    printf(", %llu fault%s of players", (unsigned long long)contest->faults,
           contest->faults == 1 ? "" : "s");
  printf("%s\n", contest->errors || contest->faults ? "" : ", no errors");
  if (contest->games > contest->errors) print_table(contest);
  print_speeds(contest);
  if (contest->options->sprt)
    printf("  %s after %llu pairs: log likelihood ratio %.2f of elo %g to elo "
           "%g, bounds %.2f and %.2f\n",
           sprt_decide(sprt) == SPRT_ELO0   ? "elo0 accepted"
           : sprt_decide(sprt) == SPRT_ELO1 ? "elo1 accepted"
                                            : "not decided",
           (unsigned long long)sprt_pairs(sprt), sprt_ratio(sprt), sprt->elo1,
           sprt->elo0, sprt_lower(sprt), sprt_upper(sprt));
}

void match_show_summary(const MatchShow *show, const Contest *contest) {
  double seconds = clock_now() - show->start;
  if (show->options->json)
    print_json(contest, seconds);
  else
    print_text(contest, seconds);
}
