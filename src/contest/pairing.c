/* The points of a meeting are the share that each player has of its games'
   points, not one for the winner: where a meeting has many games, how clearly
   it was won says something. Means are compared and not sums, so that a bye
   neither helps nor hurts, which matters where the first byes are drawn by lot.
   The Swiss system orders players by the same criteria as the final places, and
   equal ones by lot. */
#include "contest/pairing.h"

#include <string.h>

#include "base/hash.h"
#include "contest/bracket.h"
#include "contest/swiss.h"

static const char *const names[] = {[PAIRING_ROUND_ROBIN] = "round-robin",
                                    [PAIRING_GAUNTLET] = "gauntlet",
                                    [PAIRING_SWISS] = "swiss",
                                    [PAIRING_ELIMINATION] = "elimination"};

const char *pairing_name(PairingSystem system) {
  return names[system];
}

bool pairing_find(const char *name, PairingSystem *system) {
  for (uint32_t i = 0; i < PAIRING_SYSTEMS; i++)
    if (!strcmp(name, names[i])) {
      *system = (PairingSystem)i;
      return true;
    }
  return false;
}

uint32_t pairing_rounds(uint32_t players) {
  uint32_t rounds = 0;
  while (rounds < 31 && (uint32_t)1 << rounds < players) rounds++;
  return rounds;
}

/* ---- standings ---- */

static void add_points(const Meetings *played, PairingStanding *standings) {
  for (uint32_t i = 0; i < played->count; i++) {
    const Meeting *meeting = &played->data[i];
    if (meeting->second == MEETING_BYE) continue;
    standings[meeting->first].points += meeting->points;
    standings[meeting->first].meetings++;
    standings[meeting->second].points += 1 - meeting->points;
    standings[meeting->second].meetings++;
  }
}

static double mean(double sum, uint32_t count) {
  return count ? sum / count : 0.5;
}

static void add_opponents(const Meetings *played, uint32_t players,
                          PairingStanding *standings) {
  for (uint32_t i = 0; i < played->count; i++) {
    uint32_t first = played->data[i].first, second = played->data[i].second;
    if (second == MEETING_BYE) continue;
    standings[first].opponents += standings[second].mean;
    standings[second].opponents += standings[first].mean;
  }
  for (uint32_t p = 0; p < players; p++)
    standings[p].opponents =
        mean(standings[p].opponents, standings[p].meetings);
}

/* Sums of the same results in different orders may differ in the last bits. */
static int compare(double a, double b) {
  return a > b + 1e-9 ? 1 : b > a + 1e-9 ? -1 : 0;
}

/* Returns more than 0 if a stands better than b, 0 if they are equal. */
static int better(const Pairing *pairing, const PairingStanding *a,
                  const PairingStanding *b) {
  int by_points = compare(a->mean, b->mean);
  if (by_points || pairing->system != PAIRING_SWISS) return by_points;
  return compare(a->opponents, b->opponents);
}

static void find_places(const Pairing *pairing, PairingStanding *standings) {
  for (uint32_t p = 0; p < pairing->players; p++) {
    standings[p].place = 1;
    for (uint32_t q = 0; q < pairing->players; q++)
      standings[p].place += better(pairing, &standings[q], &standings[p]) > 0;
  }
}

static void find_exits(const Pairing *pairing, const Meetings *played,
                       PairingStanding *standings) {
  uint32_t *places = memory_new((pairing->players + 1) * sizeof *places);
  bracket_places(played, pairing->players, pairing->seed, places);
  for (uint32_t p = 0; p < pairing->players; p++)
    standings[p].place = places[p];
  memory_delete(places);
}

void pairing_rank(const Pairing *pairing, const Meetings *played,
                  PairingStanding *standings) {
  memset(standings, 0, pairing->players * sizeof *standings);
  add_points(played, standings);
  for (uint32_t p = 0; p < pairing->players; p++)
    standings[p].mean = mean(standings[p].points, standings[p].meetings);
  add_opponents(played, pairing->players, standings);
  if (pairing->system == PAIRING_ELIMINATION)
    find_exits(pairing, played, standings);
  else
    find_places(pairing, standings);
}

/* ---- rounds ---- */

static void add_meeting(Meetings *next, uint32_t first, uint32_t second) {
  vector_push(next,
              ((Meeting){.first = first, .second = second, .points = 0.5}));
}

static void pair_all(const Pairing *pairing, Meetings *next) {
  uint32_t firsts = pairing->system == PAIRING_GAUNTLET && pairing->players
                        ? 1
                        : pairing->players;
  for (uint32_t a = 0; a < firsts; a++)
    for (uint32_t b = a + 1; b < pairing->players; b++) add_meeting(next, a, b);
}

static uint64_t lot(const Pairing *pairing, uint32_t round, uint32_t player) {
  return hash_pair(hash_pair(pairing->seed, round), player);
}

/* Inserts players into `order` one by one, best first. */
static void order_players(const Pairing *pairing, uint32_t round,
                          const PairingStanding *standings, uint32_t *order) {
  for (uint32_t p = 0; p < pairing->players; p++) {
    uint32_t at = p;
    for (; at > 0; at--) {
      uint32_t q = order[at - 1];
      if (standings[q].place < standings[p].place ||
          (standings[q].place == standings[p].place &&
           lot(pairing, round, q) <= lot(pairing, round, p)))
        break;
      order[at] = q;
    }
    order[at] = p;
  }
}

static void pair_swiss(const Pairing *pairing, const Meetings *played,
                       uint32_t round, Meetings *next) {
  uint32_t players = pairing->players;
  uint32_t rounds = pairing->rounds ? pairing->rounds : pairing_rounds(players);
  if (players < 2 || round >= rounds) return;
  PairingStanding *standings = memory_new(players * sizeof *standings);
  uint32_t *order = memory_new(players * sizeof *order);
  pairing_rank(pairing, played, standings);
  order_players(pairing, round, standings, order);
  swiss_pair(played, order, players, round, next);
  memory_delete(standings);
  memory_delete(order);
}

bool pairing_next(const Pairing *pairing, const Meetings *played,
                  Meetings *next) {
  uint32_t round = played->count ? vector_last(played).round + 1 : 0;
  vector_clear(next);
  if (pairing->system == PAIRING_SWISS)
    pair_swiss(pairing, played, round, next);
  else if (pairing->system == PAIRING_ELIMINATION)
    bracket_next(played, pairing->players, pairing->seed, round, next);
  else if (!played->count)
    pair_all(pairing, next);
  return next->count > 0;
}
