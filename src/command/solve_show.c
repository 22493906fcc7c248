/* As text, the moves come ten to a numbered row and everything else is a
   comment:

        1: move move grab move move drop
     ; score 100 of 100 in 6 moves: proven best, no goal is higher

   JSON is one object:

     game, role, agent, engine   as they were asked for
     plan           list of moves; null: none was found
     length, score  of the plan; null without one
     maximum        highest goal in the rules (100 if they were not ground)
     bound          no plan has a higher score: that is proved
     proven         score and bound are equal; without a plan: there is none
     proof          the method that proved the bound, "rules" if the rules have
                    no higher goal; null if the plan is not proven
     shortest       the plan is proved to be as short as any of its score
     least          no plan with the score `bound` is shorter
     found_by, seconds_to_best, seconds_to_first
     improvements   plans that were the best in turn: score, length, by, seconds
     expanded, generated, simulations, seconds, states_per_second
     threads, seed, memory, interrupted
     methods        name, status, share of the work, expanded, simulations,
                    seconds */
#include "command/solve_show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "command/command.h"
#include "command/wrap.h"

/* ---- words ---- */

/* Appends 12345, 678k or 9.0M. */
static void add_count(Text *text, double count) {
  if (count < 1e5)
    text_format(text, "%.0f", count);
  else if (count < 1e6)
    text_format(text, "%.0fk", count / 1e3);
  else
    text_format(text, "%.1fM", count / 1e6);
}

static void add_seconds(Text *text, double seconds) {
  text_format(text, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
}

static const char *const statuses[] = {
    [MEMBER_WAITING] = "waiting", [MEMBER_WORKING] = "working",
    [MEMBER_UNFIT] = "unfit",     [MEMBER_DONE] = "done",
    [MEMBER_FAILED] = "failed",
};

static double rate_of(const SolveResult *result) {
  return result->seconds > 0 ? (double)result->expanded / result->seconds : 0;
}

static double work_of(const SolveResult *result) {
  double sum = 0;
  for (uint32_t i = 0; i < result->member_count; i++)
    sum += result->members[i].seconds;
  return sum;
}

/* ---- text ---- */

/* Appends the moves, ten to a numbered row. */
static void add_moves(const SolveResult *result, Text *text) {
  enum { ROW = 10, MARGIN = 7 };
  Text move = {0};
  uint32_t at = 0;
  for (uint32_t i = 0; i < result->plan.moves.count; i++) {
    bool begins = i % ROW == 0;
    text_clear(&move);
    moves_write(result->game, 0, result->plan.moves.data[i], &move);
    uint32_t width = wrap_columns(move.bytes);
    if (begins || at + 1 + width > WRAP_WIDTH) {
      if (i) text_add_byte(text, '\n');
      if (begins)
        text_format(text, "%5u:", i + 1);
      else
        text_format(text, "%*s", MARGIN - 1, "");
      at = MARGIN - 1;
    }
    text_format(text, " %s", move.bytes);
    at += 1 + width;
  }
  if (result->plan.moves.count) text_add_byte(text, '\n');
  text_free(&move);
}

static void add_proof(const SolveResult *result, Text *text) {
  if (!solve_show_proven(result)) {
    text_add(text, "not proven best");
    if (result->bound < result->maximum)
      text_format(text, ", but none is above %d (%s)", result->bound,
                  result->prover ? result->prover : "the rules");
  } else if (result->prover) {
    text_format(text, "proven best by %s", result->prover);
  } else if (result->plan.moves.count) {
    text_add(text, "proven best, no goal is higher");
  } else {
    text_add(text, "nothing can change it");
  }
}

static void add_score(const SolveResult *result, Text *text) {
  const Plan *plan = &result->plan;
  if (plan->score >= 0) {
    text_format(text, "; score %d of %d in %u move%s: ", plan->score,
                result->maximum, plan->moves.count,
                plan->moves.count == 1 ? "" : "s");
    add_proof(result, text);
  } else if (solve_show_proven(result)) {
    text_format(text, "; there is no plan: the game cannot be ended (%s)",
                result->prover ? result->prover : "no move is legal");
  } else {
    text_add(text, "; no plan was found");
    if (result->bound < result->maximum)
      text_format(text, ", but none is above %d (%s)", result->bound,
                  result->prover ? result->prover : "the rules");
  }
  text_add_byte(text, '\n');
}

static void add_length(const SolveResult *result, Text *text) {
  if (!result->plan.moves.count) return;
  if (solve_show_shortest(result))
    text_add(text, "; proven shortest of this score\n");
  else if (solve_show_proven(result) && result->least > 1)
    text_format(text,
                "; not proven shortest, but none has fewer than %u moves\n",
                result->least);
  else if (solve_show_proven(result))
    text_add(text, "; not proven shortest\n");
}

static void add_history(const SolveResult *result, Text *text) {
  const PlanNewsVector *news = &result->news;
  if (!news->count) return;
  const PlanNews *first = &news->data[0], *best = &vector_last(news);
  text_format(text, "; found by %s after ", best->by);
  add_seconds(text, best->seconds);
  if (news->count > 1) {
    text_format(text, "; the first plan, score %d, by %s after ", first->score,
                first->by);
    add_seconds(text, first->seconds);
  }
  text_add_byte(text, '\n');
}

static void add_work(const SolveResult *result, Text *text) {
  text_add(text, "; ");
  if (result->interrupted) text_add(text, "interrupted: ");
  text_format(text, "%" PRIu64 " states expanded", result->expanded);
  if (result->simulations)
    text_format(text, " and %" PRIu64 " playouts", result->simulations);
  text_add(text, " in ");
  add_seconds(text, result->seconds);
  text_add(text, " (");
  add_count(text, rate_of(result));
  text_format(text, "/s), %u thread%s\n", result->threads,
              result->threads == 1 ? "" : "s");
}

static void add_member(const MemberReport *member, double all, Text *text) {
  static const char *const ends[] = {[MEMBER_WAITING] = "",
                                     [MEMBER_WORKING] = "",
                                     [MEMBER_UNFIT] = "",
                                     [MEMBER_DONE] = ", finished",
                                     [MEMBER_FAILED] = ", out of memory"};
  text_format(text, ";   %-12s %5.1f %%  ", member->name,
              all > 0 ? 100 * member->seconds / all : 0);
  add_count(text, (double)member->expanded);
  text_add(text, " states");
  if (member->simulations) {
    text_add(text, ", ");
    add_count(text, (double)member->simulations);
    text_add(text, " playouts");
  }
  text_format(text, "%s\n", ends[member->status]);
}

/* Appends the names of those with this status after what is said of them. */
static void add_idle(const SolveResult *result, MemberStatus status,
                     const char *what, Text *text) {
  uint32_t at = 0; /* column */
  for (uint32_t i = 0; i < result->member_count; i++) {
    const char *name = result->members[i].name;
    uint32_t width = (uint32_t)strlen(name) + 2;
    if (result->members[i].status != status) continue;
    if (!at) {
      text_format(text, ";   %s: %s", what, name);
      at = (uint32_t)strlen(what) + 4;
    } else if (at + width < WRAP_WIDTH) {
      text_format(text, ", %s", name);
    } else {
      text_format(text, ",\n;     %s", name);
      at = 4;
    }
    at += width;
  }
  if (at) text_add_byte(text, '\n');
}

static void add_members(const SolveResult *result, Text *text) {
  double all = work_of(result);
  for (uint32_t i = 0; i < result->member_count; i++) {
    const MemberReport *member = &result->members[i];
    if (member->status != MEMBER_UNFIT && member->status != MEMBER_WAITING)
      add_member(member, all, text);
  }
  add_idle(result, MEMBER_UNFIT, "not for this puzzle", text);
  add_idle(result, MEMBER_WAITING, "had no turn", text);
}

static void print_text(const SolveResult *result) {
  Text text = {0};
  add_moves(result, &text);
  add_score(result, &text);
  add_length(result, &text);
  add_history(result, &text);
  add_work(result, &text);
  add_members(result, &text);
  fputs(text_string(&text), stdout);
  text_free(&text);
}

/* ---- JSON ---- */

static json_t *json_moves(const SolveResult *result) {
  if (result->plan.score < 0) return json_null();
  json_t *list = json_array();
  for (uint32_t i = 0; i < result->plan.moves.count; i++) {
    Text text = {0};
    moves_write(result->game, 0, result->plan.moves.data[i], &text);
    json_array_append_new(list, open_json_text(text.bytes));
    text_free(&text);
  }
  return list;
}

static json_t *json_news(const SolveResult *result) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < result->news.count; i++) {
    const PlanNews *news = &result->news.data[i];
    json_array_append_new(list, json_pack("{s:i, s:I, s:s, s:f}", "score",
                                          news->score, "length",
                                          (json_int_t)news->length, "by",
                                          news->by, "seconds", news->seconds));
  }
  return list;
}

static json_t *json_members(const SolveResult *result) {
  double all = work_of(result);
  json_t *list = json_array();
  for (uint32_t i = 0; i < result->member_count; i++) {
    const MemberReport *member = &result->members[i];
    json_array_append_new(
        list,
        json_pack("{s:s, s:s, s:f, s:I, s:I, s:f}", "name", member->name,
                  "status", statuses[member->status], "share",
                  all > 0 ? member->seconds / all : 0.0, "expanded",
                  (json_int_t)member->expanded, "simulations",
                  (json_int_t)member->simulations, "seconds", member->seconds));
  }
  return list;
}

static json_t *json_proof(const SolveResult *result) {
  if (!solve_show_proven(result)) return json_null();
  return json_string(result->prover ? result->prover : "rules");
}

static json_t *json_role(const Game *game) {
  Text text = {0};
  moves_write_role(game, 0, &text);
  json_t *string = open_json_text(text.bytes);
  text_free(&text);
  return string;
}

static json_t *json_first(const SolveResult *result) {
  return result->news.count ? json_real(result->news.data[0].seconds)
                            : json_null();
}

/* Null without a plan. */
static json_t *json_known(const SolveResult *result, int64_t number) {
  return result->plan.score >= 0 ? json_integer(number) : json_null();
}

static void print_json(const SolveResult *result) {
  const Plan *plan = &result->plan;
  const Options *options = result->options;
  json_t *object = json_pack(
      "{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:i, s:i, s:b, s:o, s:b, s:I}",
      "game", open_json_text(result->game->description->source.name), "role",
      json_role(result->game), "agent", open_json_text(options->agent),
      "engine", result->game->operations->name, "plan", json_moves(result),
      "length", json_known(result, plan->moves.count), "score",
      json_known(result, plan->score), "maximum", result->maximum, "bound",
      result->bound, "proven", (int)solve_show_proven(result), "proof",
      json_proof(result), "shortest", (int)solve_show_shortest(result), "least",
      (json_int_t)result->least);
  json_t *more = json_pack(
      "{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:f, s:f, s:i, s:I, s:I, s:b, s:o}",
      "found_by", result->news.count ? json_string(plan->by) : json_null(),
      "seconds_to_best",
      result->news.count ? json_real(plan->seconds) : json_null(),
      "seconds_to_first", json_first(result), "improvements", json_news(result),
      "expanded", (json_int_t)result->expanded, "generated",
      (json_int_t)result->generated, "simulations",
      (json_int_t)result->simulations, "seconds", result->seconds,
      "states_per_second", rate_of(result), "threads", (int)result->threads,
      "seed", (json_int_t)options->seed, "memory", (json_int_t)options->memory,
      "interrupted", (int)result->interrupted, "methods", json_members(result));
  json_object_update(object, more);
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(object);
  json_decref(more);
}

void solve_show(const SolveResult *result) {
  (result->options->json ? print_json : print_text)(result);
}

/* ---- progress ---- */

void solve_show_progress(Puzzle *puzzle, double spent, double left) {
  static const double pause = 0.5;
  static double last;
  double now = clock_now();
  int score = atomic_load(&puzzle->score), bound = atomic_load(&puzzle->bound);
  uint64_t expanded = atomic_load(&puzzle->expanded);
  Text text = {0};
  if (!log_progress_wanted() || now - last < pause) return;
  last = now;
  if (score >= 0)
    text_format(&text, "score %d in %u moves, at most %d; ", score,
                atomic_load(&puzzle->length), bound);
  else
    text_format(&text, "no plan yet, at most %d; ", bound);
  add_count(&text, (double)expanded);
  text_add(&text, " states, ");
  add_count(&text, spent > 0 ? (double)expanded / spent : 0);
  text_format(&text, "/s; %.0f s", spent);
  if (left >= 0) text_format(&text, ", %.0f s left", left);
  log_progress("%s", text_string(&text));
  text_free(&text);
}
