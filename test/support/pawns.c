#include "support/pawns.h"

#include "base/hash.h"
#include "base/memory.h"

enum {
  TABLE = 1 << 22,
  BUCKET = 4,
  INFINITE = 1 << 30,
  CHILDREN = 3 * 2 * PAWNS_COLUMNS
};

/* Numbers for the player to move: how many boards must be proved to show that
   it wins, and that it loses. */
typedef struct Numbers {
  uint32_t win, loss;
} Numbers;

typedef struct Entry {
  uint64_t key;
  Numbers numbers;
  uint64_t work;
} Entry;

struct PawnsSolver {
  Entry *table;
  uint64_t limit, boards;
};

PawnsSolver *pawns_new(uint64_t limit) {
  PawnsSolver *solver = memory_new(sizeof *solver);
  solver->table = memory_new(TABLE * sizeof *solver->table);
  solver->limit = limit;
  return solver;
}

void pawns_delete(PawnsSolver *solver) {
  memory_delete(solver->table);
  memory_delete(solver);
}

/* ---- boards ---- */

static const uint64_t rank_cells = (UINT64_C(1) << PAWNS_COLUMNS) - 1;

static uint64_t rank(uint32_t number) {
  return rank_cells << (number * PAWNS_COLUMNS);
}

static uint64_t reversed(uint64_t word) {
  word = (word >> 1 & UINT64_C(0x5555555555555555)) |
         (word & UINT64_C(0x5555555555555555)) << 1;
  word = (word >> 2 & UINT64_C(0x3333333333333333)) |
         (word & UINT64_C(0x3333333333333333)) << 2;
  word = (word >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) |
         (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
  return __builtin_bswap64(word) >> (64 - PAWNS_CELLS);
}

Pawns pawns_turned(const Pawns *pawns) {
  return (Pawns){reversed(pawns->other), reversed(pawns->own)};
}

static Pawns after(const Pawns *pawns, uint64_t from, uint64_t to) {
  Pawns next = {(pawns->own ^ from) | to, pawns->other & ~to};
  return pawns_turned(&next);
}

/* Cells of the first column, and those of the last. */
static uint64_t edge(bool last) {
  uint64_t cells = 0;
  for (uint32_t i = 0; i < PAWNS_RANKS; i++)
    cells |=
        UINT64_C(1) << (i * PAWNS_COLUMNS + (last ? PAWNS_COLUMNS - 1 : 0));
  return cells;
}

/* Pawns that can capture on these cells to the left or the right. */
static uint64_t takers(const Pawns *pawns, uint64_t cells, bool right) {
  return right ? (cells & ~edge(false)) >> (PAWNS_COLUMNS + 1) & pawns->own
               : (cells & ~edge(true)) >> (PAWNS_COLUMNS - 1) & pawns->own;
}

/* Returns true if the board is decided by its look, with its numbers. */
static bool decided(const Pawns *pawns, Numbers *numbers) {
  *numbers = (Numbers){INFINITE, 0};
  if (!pawns->own) return true;
  if (pawns->own & rank(PAWNS_RANKS - 2)) {
    *numbers = (Numbers){0, INFINITE};
    return true;
  }
  uint64_t threats = pawns->other & rank(1);
  return threats &&
         ((threats & (threats - 1)) ||
          !(takers(pawns, threats, false) | takers(pawns, threats, true)));
}

static uint32_t add_moves(const Pawns *pawns, uint64_t to, uint32_t shift,
                          Pawns *children) {
  uint32_t count = 0;
  for (; to; to &= to - 1) {
    uint64_t cell = to & -to;
    children[count++] = after(pawns, cell >> shift, cell);
  }
  return count;
}

/* Lists the boards after each move, or after those that answer a threat. */
static uint32_t list_children(const Pawns *pawns, Pawns *children) {
  uint64_t threats = pawns->other & rank(1),
           free = threats ? threats : ~pawns->own;
  uint32_t count = 0;
  count += add_moves(pawns,
                     (pawns->own & ~edge(false)) << (PAWNS_COLUMNS - 1) & free,
                     PAWNS_COLUMNS - 1, children);
  count +=
      add_moves(pawns, (pawns->own & ~edge(true)) << (PAWNS_COLUMNS + 1) & free,
                PAWNS_COLUMNS + 1, children + count);
  if (!threats)
    count += add_moves(
        pawns, pawns->own << PAWNS_COLUMNS & ~(pawns->own | pawns->other),
        PAWNS_COLUMNS, children + count);
  return count;
}

/* ---- the table ---- */

static uint64_t key_of(const Pawns *pawns) {
  return hash_pair(pawns->own, pawns->other) | 1;
}

static Entry *bucket_of(PawnsSolver *solver, uint64_t key) {
  return &solver->table[(key >> 1) % (TABLE / BUCKET) * BUCKET];
}

static Numbers look_up(PawnsSolver *solver, const Pawns *pawns) {
  Numbers numbers;
  if (decided(pawns, &numbers)) return numbers;
  uint64_t key = key_of(pawns);
  const Entry *entry = bucket_of(solver, key);
  for (uint32_t i = 0; i < BUCKET; i++, entry++)
    if (entry->key == key) return entry->numbers;
  return (Numbers){1, 1};
}

static void note(PawnsSolver *solver, const Pawns *pawns, Numbers numbers,
                 uint64_t work) {
  uint64_t key = key_of(pawns);
  Entry *entry = bucket_of(solver, key), *least = entry;
  for (uint32_t i = 0; i < BUCKET; i++, entry++) {
    if (entry->key == key) {
      least = entry;
      work += entry->work;
      break;
    }
    if (entry->work < least->work) least = entry;
  }
  *least = (Entry){key, numbers, work};
}

/* ---- the search ---- */

/* A win of the player to move is a child that is lost for the other. */
static Numbers sum_up(const Numbers *children, uint32_t count, uint32_t *best,
                      uint32_t *second, uint32_t *others) {
  uint32_t least = INFINITE + 1, most = 0, undecided = 0;
  *second = INFINITE;
  for (uint32_t i = 0; i < count; i++) {
    if (children[i].loss < least) {
      if (least < *second) *second = least;
      least = children[i].loss;
      *best = i;
    } else if (children[i].loss < *second) {
      *second = children[i].loss;
    }
    if (children[i].win > most) most = children[i].win;
    undecided += children[i].win != 0;
  }
  *others = undecided ? undecided - 1 : 0;
  if (least == 0) return (Numbers){0, INFINITE};
  if (least >= INFINITE) return (Numbers){INFINITE, 0};
  uint32_t sum = most + *others;
  return (Numbers){least, sum < INFINITE ? sum : INFINITE};
}

static Numbers search(PawnsSolver *solver, const Pawns *pawns, Numbers limits) {
  Pawns boards[CHILDREN];
  Numbers children[CHILDREN], numbers;
  uint64_t start = solver->boards;
  uint32_t count = list_children(pawns, boards);
  for (uint32_t i = 0; i < count; i++)
    children[i] = look_up(solver, &boards[i]);
  solver->boards += count;
  for (;;) {
    uint32_t best = 0, second, others;
    numbers = sum_up(children, count, &best, &second, &others);
    if (numbers.win >= limits.win || numbers.loss >= limits.loss ||
        solver->boards >= solver->limit)
      break;
    uint64_t wider = (uint64_t)second + second / 4 + 1;
    Numbers inner = {limits.loss > others ? limits.loss - others : 1,
                     wider < limits.win ? (uint32_t)wider : limits.win};
    children[best] = search(solver, &boards[best], inner);
  }
  note(solver, pawns, numbers, solver->boards - start);
  return numbers;
}

int pawns_solve(PawnsSolver *solver, const Pawns *pawns) {
  Numbers numbers = look_up(solver, pawns);
  solver->boards = 0;
  while (numbers.win && numbers.loss && solver->boards < solver->limit)
    numbers = search(solver, pawns, (Numbers){INFINITE, INFINITE});
  return numbers.win == 0 ? 1 : numbers.loss == 0 ? 0 : -1;
}

int pawns_solve_move(PawnsSolver *solver, const Pawns *pawns, uint32_t from,
                     uint32_t to) {
  if (to >= PAWNS_CELLS - PAWNS_COLUMNS) return 1;
  Pawns next = after(pawns, UINT64_C(1) << from, UINT64_C(1) << to);
  int answer = pawns_solve(solver, &next);
  return answer < 0 ? answer : 1 - answer;
}
