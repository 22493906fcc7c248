#include "minimax/attacks.h"

#include "base/bits.h"
#include "base/memory.h"
#include "engine/game.h"

/* Returns false if there are too many. */
static bool list_targets(const Features *features, const Net *net, Move move,
                         uint16_t *targets) {
  uint32_t place = features->moves[move].to, count = 0;
  for (uint32_t i = place ? features->first.data[place - 1] : 0;
       place && i < features->first.data[place]; i++) {
    const PlaceWord *part = &features->place_words.data[i];
    for (uint64_t left = part->mask; left;) {
      uint32_t fluent = part->word * 64 + bits_take(&left);
      uint32_t feature = features->of_fluent[fluent];
      if (!feature ||
          features->list.data[feature - 1].owner == net->moves.data[move].role)
        continue;
      if (count == HATCH_TARGETS) return false;
      targets[count++] = (uint16_t)fluent;
    }
  }
  while (count < HATCH_TARGETS) targets[count++] = HATCH_NOTHING;
  return true;
}

uint16_t *attacks_new(const Features *features) {
  const Net *net = features->analysis->net;
  uint32_t moves = net->moves.count;
  uint16_t *attacks =
      memory_new((size_t)moves * HATCH_TARGETS * sizeof *attacks);
  bool fine = true;
  for (Move move = 0; fine && move < moves; move++)
    fine = list_targets(features, net, move,
                        attacks + (size_t)move * HATCH_TARGETS);
  if (fine) return attacks;
  memory_delete(attacks);
  return NULL;
}
