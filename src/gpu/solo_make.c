/* Which of its kernels a game gets, and in which plan. */
#include "gpu/solo.h"

/* Code beyond this takes the driver longer than a match lasts. NVIDIA's
   assembler takes 4 s for the 35,000 instructions of checkers, 12 s for the
   90,000 of skirmish, 30 s for the 170,000 of chess_200 and the 220,000 of hex,
   on one core of an EPYC; 34 s for the 266,000 of hex by steps, which plays
   twice as fast. */
enum { CODE_MOST = 250000, STEPS_CODE_MOST = 300000, GATES_MOST = 60000 };

typedef struct Make {
  const Cones *cones;
  const char *tune;
  uint32_t shared;
  SoloPlan *plan;
  Text *text;
  SoloSize *size;
} Make;

/* Returns false and says why if the plan cannot be tuned so. */
static bool write(Make *make, SoloCourse course, Text *why) {
  *make->plan = solo_plan(make->cones, course);
  if (make->tune && !solo_tune(make->plan, make->tune, why)) return false;
  text_clear(make->text);
  solo_write(make->cones, make->plan, make->text, make->size);
  if (solo_fit(make->plan, make->size, make->shared)) return true;
  text_clear(make->text);
  solo_write(make->cones, make->plan, make->text, make->size);
  return true;
}

/* By legs of steps all lanes of a block wait for the longest playout, and code
   is read from far away. So only what is in local memory, whose code is far
   away in any case, is played by them; the cones have them if they make
   playouts cheaper (wide/tune.c). */
static bool by_steps(const Cones *cones) {
  return cones->steps && solo_plan(cones, SOLO_STEPS).frame.home == HOME_LOCAL;
}

/* Code for all states is smaller than that for each leg: quarto has 15,712 and
   30,052 instructions. */
static bool write_course(Make *make, Text *why) {
  if (by_steps(make->cones)) {
    if (!write(make, SOLO_STEPS, why)) return false;
    if (make->size->instructions <= STEPS_CODE_MOST) return true;
  }
  if (make->cones->rounds) {
    if (!write(make, SOLO_ROUNDS, why)) return false;
    if (make->size->instructions <= CODE_MOST) return true;
  }
  if (!write(make, SOLO_WHOLE, why)) return false;
  if (make->size->instructions <= CODE_MOST) return true;
  text_add(why, "the net is too large for straight code");
  return false;
}

bool solo_make(const Cones *cones, const char *tune, uint32_t shared,
               SoloPlan *plan, Text *text, SoloSize *size, Text *why) {
  Make make = {cones, tune, shared, plan, text, size};
  bool made = false;
  if (cones_gates(cones) > GATES_MOST)
    text_add(why, "the net is too large for straight code");
  else if (write_course(&make, why) && size->shared <= shared)
    made = true;
  else if (!why->length)
    text_add(why, "the state is too large for shared memory");
  if (!made) text_free(text);
  return made;
}
