/* Play by legs of steps (wide/legs.h). The games of a block go through the
   stages of a course together, from the first stage that a start of the launch
   belongs to; playouts from later stages wait for theirs, and those that are
   over wait until all of the block are. While playouts flow, all then begin
   anew. What is known of a stage need not be true of lanes that wait: these
   keep their state, since only lanes that are alive get another. */
#include "gpu/solo_parts.h"
#include "program/truth.h"

/* After the last stage the course goes on from an earlier one. */
static Reg find_stage(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  const Course *course = &solo->cones->steps->course;
  Reg stage = ptx_new(ptx), past = ptx_new(ptx);
  uint32_t late = ptx->predicates++;
  ptx_move(ptx, stage, solo->clock);
  ptx_line(ptx, "setp.ge.u32 %%p%u, %%r%u, %u", late, stage, course->stages);
  ptx_line(ptx, "sub.u32 %%r%u, %%r%u, %u", past, stage, course->back);
  ptx_line(ptx, "rem.u32 %%r%u, %%r%u, %u", past, past,
           course->stages - course->back);
  ptx_line(ptx, "add.u32 %%r%u, %%r%u, %u", past, past, course->back);
  ptx_line(ptx, "@%%p%u mov.u32 %%r%u, %%r%u", late, stage, past);
  return stage;
}

/* Goes to the leg of the stage. The legs of a round follow each other; from
   time to time the next ones take their place. */
static void go_to_leg(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  const Legs *legs = solo->cones->steps;
  uint32_t period = solo->cones->rounds->count, some = ptx->predicates++;
  Reg stage = find_stage(solo), leg = ptx_new(ptx);
  ptx_line(ptx, "rem.u32 %%r%u, %%r%u, %u", leg, stage, period);
  for (uint32_t i = period; i < legs->course.stages; i += period) {
    if (legs->of_stage[i] == legs->of_stage[i - period]) continue;
    ptx_line(ptx, "setp.ge.u32 %%p%u, %%r%u, %u", some, stage, i);
    ptx_line(ptx, "@%%p%u add.u32 %%r%u, %%r%u, %u", some, leg, leg, period);
  }
  for (uint32_t i = 0; i < legs->count; i++) {
    ptx_line(ptx, "setp.eq.u32 %%p%u, %%r%u, %u", some, leg, i);
    ptx_line(ptx, "@%%p%u bra leg%u", some, i);
  }
}

/* Playouts from this stage begin; those that have made all their steps are to
   stop. */
static void begin_stage(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  uint32_t here = ptx->predicates++, last = ptx->predicates++;
  ptx_line(ptx, "setp.eq.u32 %%p%u, %%r%u, %%r%u", here, solo->clock,
           solo->phase);
  ptx_line(ptx, "@%%p%u or.b32 %%r%u, %%r%u, %%r%u", here, solo->alive,
           solo->alive, solo->waiting);
  ptx_line(ptx, "@%%p%u mov.b32 %%r%u, 0", here, solo->waiting);
  ptx_line(ptx, "setp.ge.u32 %%p%u, %%r%u, %%r%u", last, solo->clock,
           solo->limit);
  ptx_line(ptx, "selp.b32 %%r%u, -1, 0, %%p%u", solo->full, last);
}

/* Leaves in a predicate whether some playout of the block goes on. Playouts
   that are over are added up at once if each has its own discount, else all
   together. */
static void settle(Solo *solo, uint32_t goes_on) {
  Ptx *ptx = &solo->ptx;
  uint32_t now = ptx->predicates++, label = ptx->labels++;
  ptx_line(ptx, "add.u32 %%r%u, %%r%u, 1", solo->clock, solo->clock);
  ptx_line(ptx, "setp.ne.u32 %%p%u, %%r%u, 0", goes_on,
           ptx_or(ptx, solo->alive, solo->waiting));
  if (solo->plan->barrier)
    ptx_line(ptx, "bar.red.or.pred %%p%u, 0, %%p%u", goes_on, goes_on);
  else
    ptx_line(ptx, "vote.sync.any.pred %%p%u, %%p%u, 0xffffffff", goes_on,
             goes_on);
  Reg done = ptx_gate(ptx, TRUTH_A | TRUTH_B | TRUTH_C, solo->over, solo->cut,
                      solo->stuck);
  ptx_line(ptx, "not.pred %%p%u, %%p%u", now, goes_on);
  ptx_line(ptx, "or.pred %%p%u, %%p%u, each", now, now);
  ptx_line(ptx, "setp.ne.and.u32 %%p%u, %%r%u, 0, %%p%u", now, done, now);
  ptx_line(ptx, "@!%%p%u bra settled%u", now, label);
  frame_forget(&solo->frame);
  solo_add_up(solo);
  text_format(&ptx->body, "settled%u:\n", label);
}

void solo_steps(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  uint32_t goes_on = ptx->predicates++, again = ptx->predicates++;
  text_add(&ptx->body, "begin:\n");
  solo_load_starts(solo);
  ptx_move(ptx, solo->waiting, solo->mine);
  ptx_move(ptx, solo->clock, solo->first);
  text_add(&ptx->body, "stage:\n");
  begin_stage(solo);
  go_to_leg(solo);
  for (uint32_t i = 0; i < solo->plan->legs; i++) {
    solo_write_leg(solo, i);
    if (i + 1 < solo->plan->legs) ptx_line(ptx, "bra settle");
  }
  text_add(&ptx->body, "settle:\n");
  settle(solo, goes_on);
  ptx_line(ptx, "@%%p%u bra stage", goes_on);
  ptx_line(ptx, "sub.s32 %%r%u, %%r%u, %%r%u", solo->left, solo->left,
           solo->clock);
  ptx_line(ptx, "add.s32 %%r%u, %%r%u, %%r%u", solo->left, solo->left,
           solo->first);
  ptx_line(ptx, "setp.gt.s32 %%p%u, %%r%u, 0", again, solo->left);
  ptx_line(ptx, "@%%p%u bra begin", again);
}
