/* Orbits are those of the group that the automorphisms which leave the start as
   it is generate (game/automorphism.h says how they are proved). They map paths
   from the start to paths from the start. */
#include "solve/symmetry.h"

#include "base/bits.h"
#include "game/automorphism.h"

enum { MOST_EDGES = 40000, MOST_MOVES = 3000, MOST_WORK = 1000000 };

typedef struct Orbits {
  const Net *net;
  MoveVector first; /* moves */
  uint32_t
      *least; /* by move: one of its orbit with a lower number, or itself */
} Orbits;

static uint32_t orbit_of(const Orbits *orbits, uint32_t move) {
  while (orbits->least[move] != move) move = orbits->least[move];
  return move;
}

/* True if two first moves that were in different orbits would be in one. */
static bool joins(void *context, const Automorphism *image) {
  const Orbits *orbits = context;
  for (uint32_t i = 0; i < orbits->first.count; i++) {
    uint32_t move = orbits->first.data[i];
    if (orbit_of(orbits, move) != orbit_of(orbits, image->moves[move]))
      return true;
  }
  return false;
}

static void join(void *context, const Automorphism *image) {
  Orbits *orbits = context;
  for (uint32_t m = 0; m < orbits->net->moves.count; m++) {
    uint32_t a = orbit_of(orbits, m), b = orbit_of(orbits, image->moves[m]);
    orbits->least[a > b ? a : b] = a < b ? a : b;
  }
}

static void init_orbits(Orbits *orbits, const Net *net, Game *game) {
  const Move *moves;
  uint32_t count = game_legal(game, 0, &moves);
  *orbits = (Orbits){.net = net};
  for (uint32_t i = 0; i < count; i++) vector_push(&orbits->first, moves[i]);
  orbits->least = memory_new((net->moves.count + 1) * sizeof *orbits->least);
  for (uint32_t m = 0; m < net->moves.count; m++) orbits->least[m] = m;
}

static void free_orbits(Orbits *orbits) {
  vector_free(&orbits->first);
  memory_delete(orbits->least);
}

/* The moves of an orbit are legal first moves, or none of them is. */
static void list_later(Symmetry *symmetry, const Orbits *orbits) {
  symmetry->later =
      memory_new((bits_words(orbits->net->moves.count) + 1) * sizeof(uint64_t));
  for (uint32_t i = 0; i < orbits->first.count; i++) {
    uint32_t move = orbits->first.data[i];
    if (orbit_of(orbits, move) == move) continue;
    bits_add(symmetry->later, move);
    symmetry->skipped++;
  }
}

static const Analysis *analysis_of(const Puzzle *puzzle) {
  const Analysis *analysis = puzzle->book->analysis;
  bool holds = analysis && onehot_holds(&analysis->onehot, puzzle->start);
  return holds ? analysis : NULL;
}

bool symmetry_init(Symmetry *symmetry, Puzzle *puzzle) {
  const Net *net = puzzle->net;
  *symmetry = (Symmetry){0};
  if (!net || net->role_count != 1 || puzzle->terminal ||
      net->moves.count > MOST_MOVES || net_count_edges(net) > MOST_EDGES)
    return false;
  Orbits orbits;
  AutomorphismSearch search = {.net = net,
                               .proof = net,
                               .terms = &puzzle->book->description->rules.terms,
                               .analysis = analysis_of(puzzle),
                               .game = puzzle_game(puzzle),
                               .start = puzzle->start,
                               .words = puzzle->words,
                               .fixed = true,
                               .most_work = MOST_WORK,
                               .wanted = joins,
                               .found = join,
                               .context = &orbits};
  init_orbits(&orbits, net, search.game);
  automorphism_search(&search);
  game_delete(search.game);
  symmetry->candidates = search.candidates;
  symmetry->sampled = search.sampled;
  symmetry->proved = search.proved;
  symmetry->work = search.work;
  if (symmetry->proved) list_later(symmetry, &orbits);
  free_orbits(&orbits);
  if (symmetry->skipped) return true;
  symmetry_free(symmetry);
  return false;
}

void symmetry_free(Symmetry *symmetry) {
  memory_delete(symmetry->later);
  symmetry->later = NULL;
}
