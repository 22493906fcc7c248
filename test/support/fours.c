#include "support/fours.h"

#include "base/hash.h"
#include "base/memory.h"

enum { HEIGHT = FOURS_ROWS + 1, TABLE = 1 << 23, CELLS = 42 };

/* A table entry: the board, and in the two lowest bits of `bounds` the least,
   in the next two the most that the player to move can get, as goals of 0, 1
   and 2 halves. */
typedef struct Entry {
  uint64_t key;
  uint8_t bounds;
} Entry;

struct FoursSolver {
  Entry *table;
};

static const uint32_t order[] = {3, 2, 4, 1, 5, 0, 6}; /* the middle first */

FoursSolver *fours_new(void) {
  FoursSolver *solver = memory_new(sizeof *solver);
  solver->table = memory_new(TABLE * sizeof *solver->table);
  return solver;
}

void fours_delete(FoursSolver *solver) {
  memory_delete(solver->table);
  memory_delete(solver);
}

/* ---- boards ---- */

static uint64_t column_cells(uint32_t column) {
  return ((UINT64_C(1) << FOURS_ROWS) - 1) << (column * HEIGHT);
}

/* The lowest cell of each column; all cells. */
static const uint64_t bottom = UINT64_C(0x40810204081);
static const uint64_t board =
    UINT64_C(0x40810204081) * ((UINT64_C(1) << FOURS_ROWS) - 1);

/* The cells that discs may fall into. */
static uint64_t landings(const Fours *fours) {
  return (fours->all + bottom) & board;
}

/* Empty cells that complete a line of four for these discs. */
static uint64_t threats(uint64_t discs, uint64_t all) {
  uint64_t cells = discs << 1 & discs << 2 & discs << 3;
  for (uint32_t shift = FOURS_ROWS; shift <= FOURS_ROWS + 2; shift++) {
    uint64_t up = discs << shift & discs << 2 * shift,
             down = discs >> shift & discs >> 2 * shift;
    cells |= up & discs << 3 * shift;
    cells |= up & discs >> shift;
    cells |= down & discs << shift;
    cells |= down & discs >> 3 * shift;
  }
  return cells & (board ^ all);
}

static Fours after(const Fours *fours, uint64_t cell) {
  return (Fours){fours->own ^ fours->all, fours->all | cell, fours->discs + 1};
}

bool fours_free(const Fours *fours, uint32_t column) {
  return (landings(fours) & column_cells(column)) != 0;
}

bool fours_wins(const Fours *fours, uint32_t column) {
  return (threats(fours->own, fours->all) & landings(fours) &
          column_cells(column)) != 0;
}

void fours_drop(Fours *fours, uint32_t column) {
  *fours = after(fours, landings(fours) & column_cells(column));
}

/* ---- the search, in halves: 0 loss, 1 draw, 2 win ---- */

static int search(FoursSolver *solver, const Fours *fours, int low, int high);

/* Moves that do not lose at once: all, or the one that answers a threat, but
   none below a threat. 0 if every move loses. */
static uint64_t safe_moves(const Fours *fours) {
  uint64_t moves = landings(fours),
           against = threats(fours->own ^ fours->all, fours->all),
           forced = moves & against;
  if (forced) {
    if (forced & (forced - 1)) return 0;
    moves = forced;
  }
  return moves & ~(against >> 1);
}

static uint32_t sorted_moves(const Fours *fours, uint64_t safe,
                             uint64_t *sorted) {
  int weights[FOURS_COLUMNS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < FOURS_COLUMNS; i++) {
    uint64_t cell = safe & column_cells(order[i]);
    if (!cell) continue;
    int weight =
        __builtin_popcountll(threats(fours->own | cell, fours->all | cell));
    uint32_t at = count++;
    for (; at && weights[at - 1] < weight; at--) {
      weights[at] = weights[at - 1];
      sorted[at] = sorted[at - 1];
    }
    weights[at] = weight;
    sorted[at] = cell;
  }
  return count;
}

static int search_moves(FoursSolver *solver, const Fours *fours, uint64_t safe,
                        int low, int high) {
  uint64_t sorted[FOURS_COLUMNS];
  uint32_t count = sorted_moves(fours, safe, sorted);
  int best = 0;
  for (uint32_t i = 0; i < count && best < high; i++) {
    Fours next = after(fours, sorted[i]);
    int value = 2 - search(solver, &next, 2 - high, 2 - low);
    if (value > best) best = value;
    if (best > low) low = best;
  }
  return best;
}

/* Returns the value if it lies between the bounds, or else a bound of it. */
static int search(FoursSolver *solver, const Fours *fours, int low, int high) {
  if (threats(fours->own, fours->all) & landings(fours)) return 2;
  if (fours->discs >= CELLS - 1) return 1; /* the last disc does not win */
  uint64_t safe = safe_moves(fours);
  if (!safe) return 0;
  if (fours->discs >= CELLS - 2) return 1;
  uint64_t key = fours->own + fours->all + bottom;
  Entry *entry = &solver->table[hash_mix(key) % TABLE];
  int least = 0, most = 2;
  if (entry->key == key) least = entry->bounds & 3, most = entry->bounds >> 2;
  if (least >= high || least == most) return least;
  if (most <= low) return most;
  int value = search_moves(solver, fours, safe, low, high);
  if (value > low) least = value;
  if (value < high) most = value;
  *entry = (Entry){key, (uint8_t)(least | most << 2)};
  return value;
}

int fours_solve(FoursSolver *solver, const Fours *fours) {
  return 50 * search(solver, fours, 0, 2);
}

int fours_solve_move(FoursSolver *solver, const Fours *fours, uint32_t column) {
  if (fours_wins(fours, column)) return 100;
  Fours next = *fours;
  fours_drop(&next, column);
  if (next.discs == CELLS) return 50;
  return 100 - fours_solve(solver, &next);
}
