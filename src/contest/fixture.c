#include "contest/fixture.h"

#include "base/hash.h"

Seating fixture_seating(uint32_t players, uint32_t roles) {
  return (Seating){players, roles, players > roles ? players : roles};
}

uint32_t fixture_player(const Seating *seating, uint32_t game, uint32_t role) {
  uint32_t seat = role + seating->seats - game % seating->seats;
  return seat % seating->seats % seating->players;
}

uint32_t fixture_round(const Seating *seating) {
  bool even = seating->seats % seating->players == 0;
  return even ? seating->players : seating->seats;
}

uint64_t fixture_seed(const Seating *seating, uint64_t seed, uint32_t game) {
  return hash_pair(seed, game / fixture_round(seating));
}

Fixture *fixture_new(const Seating *seating, uint32_t number) {
  Fixture *fixture = memory_new(sizeof *fixture);
  fixture->number = number;
  fixture->seating = *seating;
  fixture->players = memory_new(seating->roles * sizeof *fixture->players);
  fixture->scores = memory_new(seating->players * sizeof *fixture->scores);
  fixture->goals = memory_new(seating->players * sizeof *fixture->goals);
  fixture->played = memory_new(seating->players * sizeof *fixture->played);
  for (uint32_t role = 0; role < seating->roles; role++) {
    fixture->players[role] = fixture_player(seating, number, role);
    fixture->played[fixture->players[role]] = true;
  }
  return fixture;
}

void fixture_delete(Fixture *fixture) {
  if (!fixture) return;
  match_result_free(&fixture->result);
  memory_delete(fixture->players);
  memory_delete(fixture->scores);
  memory_delete(fixture->goals);
  memory_delete(fixture->played);
  memory_delete(fixture);
}

static void find_goals(Fixture *fixture) {
  for (uint32_t player = 0; player < fixture->seating.players; player++) {
    uint32_t roles = 0;
    for (uint32_t role = 0; role < fixture->seating.roles; role++)
      if (fixture->players[role] == player) {
        fixture->goals[player] += fixture->result.sides[role].goal;
        roles++;
      }
    if (roles) fixture->goals[player] /= roles;
  }
}

static void find_scores(Fixture *fixture) {
  uint32_t count = fixture->seating.players, playing = 0, first = 0;
  double best = -1;
  for (uint32_t player = 0; player < count; player++) {
    if (!fixture->played[player]) continue;
    playing++;
    if (fixture->goals[player] > best) first = 0;
    if (fixture->goals[player] > best) best = fixture->goals[player];
    first += fixture->goals[player] >= best;
  }
  for (uint32_t player = 0; player < count; player++)
    if (fixture->played[player] && playing > 1)
      fixture->scores[player] = fixture->result.end == MATCH_CUT_OFF
                                    ? SCORE_DRAW
                                : fixture->goals[player] < best ? SCORE_LOSS
                                : first > 1                     ? SCORE_DRAW
                                                                : SCORE_WIN;
}

bool fixture_has_score(const Fixture *fixture) {
  return fixture->result.end == MATCH_ENDED ||
         fixture->result.end == MATCH_CUT_OFF;
}

void fixture_judge(Fixture *fixture) {
  if (!fixture_has_score(fixture)) return;
  find_goals(fixture);
  find_scores(fixture);
}
