#include "solve/rollout.h"

#include <string.h>

/* ---- life ---- */

static WideListener hear;

void rollout_init(Rollout *rollout, Method *method, uint64_t seed, bool lanes) {
  *rollout = (Rollout){.method = method, .way.score = -1, .result.score = -1};
  random_seed(&rollout->random, seed);
  rollout->game = puzzle_game(method->puzzle);
  const Cones *cones = method->puzzle->book->cones;
  if (!lanes || !cones || !method->puzzle->net) return;
  WideOptions options = {.seed = random_next(&rollout->random),
                         .step_limit = ROLLOUT_STEPS,
                         .record = true,
                         .listener = hear,
                         .context = rollout};
  rollout->wide = wide_new(cones, &options);
  rollout->lanes = cones->mode.words * 64;
}

void rollout_free(Rollout *rollout) {
  game_delete(rollout->game);
  sequence_free(&rollout->way);
  sequence_free(&rollout->result);
  sequence_free(&rollout->best);
  vector_free(&rollout->rows);
  vector_free(&rollout->firsts);
  if (rollout->wide) wide_delete(rollout->wide);
}

uint64_t rollout_budget(const Rollout *rollout, const Slice *slice) {
  bool whole = slice->states >= rollout->method->kind->pace;
  return slice->states * (rollout->wide && whole ? ROLLOUT_GAIN : 1);
}

/* ---- one at a time ---- */

void rollout_make(Rollout *rollout, Move move) {
  game_make(rollout->game, &move);
  vector_push(&rollout->way.moves, move);
}

void rollout_go_back(Rollout *rollout, uint32_t length) {
  for (; rollout->way.moves.count > length; rollout->way.moves.count--)
    game_retract(rollout->game);
}

static void offer(Rollout *rollout) {
  const Sequence *result = &rollout->result;
  if (result->score >= 0)
    puzzle_offer(rollout->method->puzzle, rollout->method->kind->name,
                 result->score, result->moves.data, result->moves.count);
}

void rollout_end(Rollout *rollout) {
  rollout->way.score = game_goal(rollout->game, 0);
  sequence_copy(&rollout->result, &rollout->way);
  offer(rollout);
}

void rollout_play(Rollout *rollout) {
  uint32_t length = rollout->way.moves.count, end = length + ROLLOUT_STEPS;
  rollout->result.score = -1;
  while (!game_terminal(rollout->game) && rollout->way.moves.count < end) {
    const Move *legal;
    uint32_t count = game_legal(rollout->game, 0, &legal);
    if (!count) break;
    rollout_make(rollout, legal[random_below(&rollout->random, count)]);
  }
  if (game_terminal(rollout->game)) rollout_end(rollout);
  method_count(rollout->method, rollout->way.moves.count - length,
               rollout->way.moves.count - length);
  rollout->method->simulations++;
  rollout_go_back(rollout, length);
}

/* ---- in lanes ---- */

/* Keeps a playout that is better than those before. */
static void hear(void *context, const WidePlayout *playout) {
  Rollout *rollout = context;
  Sequence *best = &rollout->best;
  rollout->method->simulations++;
  if (playout->outcome != WIDE_ENDED || playout->goals[0] < best->score) return;
  if (playout->goals[0] == best->score && playout->steps >= best->moves.count)
    return;
  best->score = playout->goals[0];
  vector_resize(&best->moves, playout->steps);
  for (uint32_t i = 0; i < playout->steps; i++)
    best->moves.data[i] = wide_move(rollout->wide, playout, i, 0);
  rollout->best_row = playout->start;
}

static void set_scores(Rollout *rollout, const RolloutScores *scores,
                       uint32_t step) {
  size_t moves = rollout->method->puzzle->net->moves.count;
  if (scores->every_step && step) return;
  wide_set_scores(rollout->wide,
                  step < scores->count ? scores->rows + step * moves : NULL);
}

/* Plays all rows; every lane plays once, so that all lanes are at the same
   step. NULL: uniformly. */
static void play_rows(Rollout *rollout, const RolloutScores *scores) {
  uint32_t rows = rollout->firsts.count;
  uint32_t repeat = rollout->lanes / rows;
  uint64_t before = wide_totals(rollout->wide)->states;
  rollout->best.score = -1;
  wide_set_starts(rollout->wide, rollout->rows.data, rows, repeat ? repeat : 1);
  for (uint32_t step = 0;; step++) {
    if (scores) set_scores(rollout, scores, step);
    if (!wide_run(rollout->wide, 1)) break;
  }
  uint64_t states = 1 + wide_totals(rollout->wide)->states - before;
  method_count(rollout->method, states, states);
}

static void add_row(Rollout *rollout, Move first) {
  const uint64_t *words;
  uint32_t count = game_state(rollout->game, &words);
  vector_resize(&rollout->rows, rollout->rows.count + count);
  if (count)
    memcpy(rollout->rows.data + rollout->rows.count - count, words,
           count * sizeof *words);
  vector_push(&rollout->firsts, first);
}

static void clear_rows(Rollout *rollout) {
  vector_clear(&rollout->rows);
  vector_clear(&rollout->firsts);
}

/* The way, the move and the best playout after it become the result if they
   are better. */
static void take_best(Rollout *rollout) {
  const Sequence *best = &rollout->best;
  Sequence *result = &rollout->result;
  uint32_t length = rollout->way.moves.count;
  if (best->score < 0 || best->score < result->score) return;
  if (best->score == result->score &&
      length + 1 + best->moves.count >= result->moves.count)
    return;
  result->score = best->score;
  vector_clear(&result->moves);
  for (uint32_t i = 0; i < length; i++)
    vector_push(&result->moves, rollout->way.moves.data[i]);
  vector_push(&result->moves, rollout->firsts.data[rollout->best_row]);
  for (uint32_t i = 0; i < best->moves.count; i++)
    vector_push(&result->moves, best->moves.data[i]);
  offer(rollout);
}

void rollout_play_moves(Rollout *rollout, const Move *moves, uint32_t count) {
  uint32_t length = rollout->way.moves.count;
  Sequence ended = {.score = -1};
  clear_rows(rollout);
  rollout->result.score = -1;
  for (uint32_t i = 0; i < count; i++) {
    rollout_make(rollout, moves[i]);
    if (!game_terminal(rollout->game)) {
      add_row(rollout, moves[i]);
    } else {
      rollout_end(rollout);
      if (sequence_better(&rollout->result, &ended))
        sequence_copy(&ended, &rollout->result);
    }
    rollout_go_back(rollout, length);
  }
  sequence_copy(&rollout->result, &ended);
  sequence_free(&ended);
  if (!rollout->firsts.count) return;
  play_rows(rollout, NULL);
  take_best(rollout);
}

void rollout_play_scores(Rollout *rollout, const RolloutScores *scores) {
  clear_rows(rollout);
  add_row(rollout, 0);
  play_rows(rollout, scores);
  sequence_copy(&rollout->result, &rollout->best);
  offer(rollout);
}
