/* Pairs from the top: each player gets the next one below that it has not met,
   unless the others could then no longer be paired, which a perfect matching
   tells (contest/matching.h). With an odd number of players the bye is one more
   player, which chooses first and from the bottom. If no pairing without
   repetition exists, pairs may have met once, then twice and so on; those that
   have met less often are still preferred.

   After r rounds everybody has met r others, so by Dirac's theorem a pairing
   without repetition exists while r < n / 2, whatever the results were. */
#include "contest/swiss.h"

#include "contest/matching.h"

typedef struct Swiss {
  uint32_t count; /* vertices: players by their place in the order, and a bye */
  const uint32_t *order;
  uint32_t *met; /* count × count: how often */
  Matching matching;
} Swiss;

static void count_meetings(Swiss *swiss, const Meetings *played,
                           uint32_t players) {
  uint32_t *vertex = memory_new(players * sizeof *vertex);
  for (uint32_t v = 0; v < players; v++) vertex[swiss->order[v]] = v;
  for (uint32_t i = 0; i < played->count; i++) {
    const Meeting *meeting = &played->data[i];
    uint32_t a = vertex[meeting->first];
    uint32_t b = meeting->second == MEETING_BYE ? swiss->count - 1
                                                : vertex[meeting->second];
    swiss->met[a * swiss->count + b]++;
    swiss->met[b * swiss->count + a]++;
  }
  memory_delete(vertex);
}

/* Finds a pairing in which nobody has met more than `limit` times. */
static bool pairing_exists(Swiss *swiss, uint32_t limit) {
  uint32_t count = swiss->count;
  matching_init(&swiss->matching, count);
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = a + 1; b < count; b++)
      if (swiss->met[a * count + b] <= limit)
        matching_allow(&swiss->matching, a, b);
  if (matching_complete(&swiss->matching)) return true;
  matching_free(&swiss->matching);
  return false;
}

/* Gives a vertex its first possible choice: those it has met least, the bye
   from the bottom, others from the top. */
static void choose(Swiss *swiss, uint32_t a, uint32_t limit, bool bye) {
  uint32_t count = swiss->count;
  for (uint32_t met = 0; met <= limit; met++)
    for (uint32_t i = 0; i < count; i++) {
      uint32_t b = bye ? count - 1 - i : i;
      if (b != a && swiss->met[a * count + b] == met &&
          matching_fix(&swiss->matching, a, b))
        return;
    }
}

static void write_pairs(const Swiss *swiss, uint32_t players, uint32_t round,
                        Meetings *next) {
  for (uint32_t v = 0; v < players; v++) {
    uint32_t mate = swiss->matching.mate[v];
    if (mate < v) continue;
    Meeting meeting = {.round = round,
                       .first = swiss->order[v],
                       .second =
                           mate < players ? swiss->order[mate] : MEETING_BYE,
                       .points = 0.5};
    vector_push(next, meeting);
  }
}

void swiss_pair(const Meetings *played, const uint32_t *order, uint32_t players,
                uint32_t round, Meetings *next) {
  Swiss swiss = {.count = players + players % 2, .order = order};
  uint32_t limit = 0;
  swiss.met =
      memory_new((size_t)swiss.count * swiss.count * sizeof *swiss.met + 1);
  count_meetings(&swiss, played, players);
  while (!pairing_exists(&swiss, limit)) limit++;
  if (players % 2) choose(&swiss, players, limit, true);
  for (uint32_t v = 0; v < players; v++)
    if (!swiss.matching.fixed[v]) choose(&swiss, v, limit, false);
  write_pairs(&swiss, players, round, next);
  matching_free(&swiss.matching);
  memory_delete(swiss.met);
}
