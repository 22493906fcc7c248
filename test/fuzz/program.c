/* All stages from text to program on whatever the front end accepts, with small
   limits: grounding, net, reductions, every engine. The engines must agree with
   the rules engine on a short random game; reaching a limit is not a failure.
 */
#include "fuzz/fuzz.h"
#include "support/agree.h"

enum { MOST_ROLES = 8 };

static AgreeBudget budget = {
    .load = {.ground = {.seconds = 0.5,
                        .ticks = 200000,
                        .memory = (size_t)64 << 20},
             .reduce_seconds = 0.2,
             .rules = {.memory = 16 << 20, .seconds = 0.2}},
    .games = 2,
    .steps = 5,
    .seconds = 0.5,
    .gates = 500};

/* Each input gets other modes first. */
static void play(Description *description, size_t size) {
  Text why = {0};
  uint32_t states;
  budget.first_mode = (uint32_t)size % AGREE_MODES;
  budget.seed = size;
  AgreeResult result = agree_check(description, &budget, &states, &why);
  promise(result != AGREE_DIFFERENT, text_string(&why));
  text_free(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Description description;
  description_init(&description, "fuzz", (const char *)data, size);
  if (description_valid(&description) &&
      description.rules.roles.count <= MOST_ROLES)
    play(&description, size);
  description_free(&description);
  return 0;
}
