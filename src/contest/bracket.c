/* A bracket is a list of slots, each after those that it gets its players from:

     winners' round 1           seeds, so that 1 and 2 can only meet at the end
     winners' round k > 1       winners of neighbours in round k - 1
     losers' round 1            losers of neighbours in winners' round 1
     losers' round 2 (k - 1)    winners of the losers' round before, against the
                                losers of winners' round k in reverse order, so
                                that who met lately does not meet again
     losers' round 2 k - 1      winners of neighbours in the round before
     final                      winners of both brackets
     second final               the same, if the first was the winner's first
                                loss

   Players are filled up with ghosts to a power of two. A ghost loses against
   everybody, and its slot is not played: that is how byes come about. The
   whole is filled in anew from the meetings played, which know their slots. */
#include "contest/bracket.h"

#include "base/hash.h"

/* For players. */
#define UNKNOWN (UINT32_MAX - 1)
#define GHOST UINT32_MAX

/* Where a player comes from: a seed, or the winner or loser of a slot. */
typedef struct Source {
  enum { SEED, WINNER, LOSER } kind;
  uint32_t index;
} Source;

typedef struct Slot {
  Source from[2];
  uint32_t leaves; /* losers' round in which its loser is out, from 1, the
                      second final being one more; 0: its loser plays on */
  uint32_t winner, loser;
} Slot;

typedef struct Bracket {
  VECTOR(Slot) slots;
  uint32_t size;   /* power of two, at least 2 */
  uint32_t rounds; /* of the losers' bracket */
} Bracket;

/* ---- building ---- */

static uint32_t add(Bracket *bracket, Source a, Source b, uint32_t leaves) {
  Slot slot = {.from = {a, b}, .leaves = leaves};
  slot.winner = slot.loser = UNKNOWN;
  vector_push(&bracket->slots, slot);
  return bracket->slots.count - 1;
}

/* The seed at a place of the first round: the tree of half the size, with each
   seed s replaced by the pair s, size - 1 - s. */
static uint32_t seed_at(uint32_t place, uint32_t size) {
  if (size == 1) return 0;
  uint32_t above = seed_at(place / 2, size / 2);
  return place % 2 ? size - 1 - above : above;
}

static Source winner_of(uint32_t slot) {
  return (Source){WINNER, slot};
}

static Source loser_of(uint32_t slot) {
  return (Source){LOSER, slot};
}

/* Adds a round whose slots have the winners, or losers, of neighbours among
   the `count` slots from `first` on; returns its first slot. */
static uint32_t add_neighbours(Bracket *bracket, uint32_t first, uint32_t count,
                               Source (*of)(uint32_t), uint32_t leaves) {
  uint32_t start = bracket->slots.count;
  for (uint32_t i = 0; i + 1 < count; i += 2)
    add(bracket, of(first + i), of(first + i + 1), leaves);
  return start;
}

/* Adds a losers' round that takes in the losers of a winners' round. */
static uint32_t add_drop(Bracket *bracket, uint32_t losers, uint32_t winners,
                         uint32_t count, uint32_t leaves) {
  uint32_t start = bracket->slots.count;
  for (uint32_t i = 0; i < count; i++)
    add(bracket, winner_of(losers + i), loser_of(winners + count - 1 - i),
        leaves);
  return start;
}

static void build(Bracket *bracket) {
  uint32_t winners = 0, losers = 0;
  for (uint32_t i = 0; i < bracket->size; i += 2)
    add(bracket, (Source){SEED, seed_at(i, bracket->size)},
        (Source){SEED, seed_at(i + 1, bracket->size)}, 0);
  for (uint32_t count = bracket->size / 2; count > 1; count /= 2) {
    losers = bracket->rounds
                 ? add_neighbours(bracket, losers, count, winner_of,
                                  bracket->rounds + 1)
                 : add_neighbours(bracket, winners, count, loser_of, 1);
    winners = add_neighbours(bracket, winners, count, winner_of, 0);
    losers = add_drop(bracket, losers, winners, count / 2, bracket->rounds + 2);
    bracket->rounds += 2;
  }
  Source last = bracket->rounds ? winner_of(losers) : loser_of(winners);
  add(bracket, winner_of(winners), last, 0);
  add(bracket, winner_of(winners), last, bracket->rounds + 1);
}

/* ---- filling in ---- */

static uint32_t resolve(const Bracket *bracket, Source source,
                        uint32_t players) {
  const Slot *slot = &bracket->slots.data[source.index];
  if (source.kind == SEED) return source.index < players ? source.index : GHOST;
  return source.kind == WINNER ? slot->winner : slot->loser;
}

static const Meeting *find(const Meetings *played, uint32_t slot) {
  for (uint32_t i = 0; i < played->count; i++)
    if (played->data[i].slot == slot) return &played->data[i];
  return NULL;
}

static bool first_wins(const Meeting *meeting, uint64_t seed) {
  if (meeting->points != 0.5) return meeting->points > 0.5;
  if (meeting->margin != 0) return meeting->margin > 0;
  return hash_pair(seed, meeting->slot) % 2;
}

static void decide(Slot *slot, uint32_t winner, uint32_t loser) {
  slot->winner = winner;
  slot->loser = loser;
}

/* Returns whether the second final is to be played: the one who came from the
   losers' bracket has won the first. If the other has, all is decided. */
static bool second_final(Bracket *bracket, uint32_t unbeaten, uint32_t other) {
  const Slot *final = &bracket->slots.data[bracket->slots.count - 2];
  if (final->winner == unbeaten)
    decide(&vector_last(&bracket->slots), unbeaten, other);
  return final->winner == other;
}

/* Fills in the winners and losers that are known; appends what can be played
   to `next` unless that is NULL. */
static void fill_in(Bracket *bracket, const Meetings *played, uint32_t players,
                    uint64_t seed, uint32_t round, Meetings *next) {
  for (uint32_t i = 0; i < bracket->slots.count; i++) {
    Slot *slot = &bracket->slots.data[i];
    uint32_t a = resolve(bracket, slot->from[0], players);
    uint32_t b = resolve(bracket, slot->from[1], players);
    if (a == UNKNOWN || b == UNKNOWN) continue;
    if (i + 1 == bracket->slots.count && !second_final(bracket, a, b)) continue;
    const Meeting *meeting = find(played, i);
    if (a == GHOST || b == GHOST)
      decide(slot, a == GHOST ? b : a, GHOST);
    else if (meeting && first_wins(meeting, seed))
      decide(slot, a, b);
    else if (meeting)
      decide(slot, b, a);
    else if (next)
      vector_push(next, ((Meeting){.round = round,
                                   .slot = i,
                                   .first = a,
                                   .second = b,
                                   .points = 0.5}));
  }
}

static void bracket_init(Bracket *bracket, uint32_t players) {
  *bracket = (Bracket){.size = 2};
  while (bracket->size < players) bracket->size *= 2;
  build(bracket);
}

void bracket_next(const Meetings *played, uint32_t players, uint64_t seed,
                  uint32_t round, Meetings *next) {
  Bracket bracket;
  bracket_init(&bracket, players);
  fill_in(&bracket, played, players, seed, round, next);
  vector_free(&bracket.slots);
}

void bracket_places(const Meetings *played, uint32_t players, uint64_t seed,
                    uint32_t *places) {
  Bracket bracket;
  uint32_t *leaves = memory_new((players + 1) * sizeof *leaves);
  bracket_init(&bracket, players);
  fill_in(&bracket, played, players, seed, 0, NULL);
  for (uint32_t p = 0; p < players; p++) leaves[p] = bracket.rounds + 2;
  for (uint32_t i = 0; i < bracket.slots.count; i++) {
    const Slot *slot = &bracket.slots.data[i];
    if (slot->leaves && slot->loser < players)
      leaves[slot->loser] = slot->leaves;
  }
  for (uint32_t p = 0; p < players; p++) {
    places[p] = 1;
    for (uint32_t q = 0; q < players; q++) places[p] += leaves[q] > leaves[p];
  }
  memory_delete(leaves);
  vector_free(&bracket.slots);
}
