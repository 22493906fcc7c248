#include "gpu/draw.h"

#include "program/truth.h"

enum { EXTRA_BITS = 8 };

static uint32_t bit_length(uint32_t number) {
  return number ? 32 - (uint32_t)__builtin_clz(number) : 0;
}

/* ---- random words ---- */

void draw_seed(Ptx *ptx, Dice *dice, Reg seed) {
  static const uint32_t odd[] = {0x9e3779b9, 0x85ebca6b, 0xc2b2ae35,
                                 0x27d4eb2f};
  for (uint32_t i = 0; i < 4; i++) {
    Reg state = dice->state[i] = ptx_new(ptx), mixed = ptx_new(ptx);
    ptx_line(ptx, "mad.lo.u32 %%r%u, %%r%u, %u, %u", state, seed, odd[i],
             odd[(i + 1) % 4]);
    for (uint32_t round = 0; round < 2; round++) {
      ptx_line(ptx, "shr.u32 %%r%u, %%r%u, 16", mixed, state);
      ptx_gate_to(ptx, state, TRUTH_A ^ TRUTH_B, state, mixed, mixed);
      ptx_line(ptx, "mul.lo.u32 %%r%u, %%r%u, %u", state, state, 0x7feb352du);
    }
    ptx_line(ptx, "or.b32 %%r%u, %%r%u, 1", state, state);
  }
}

/* The registers are renamed, so that the state need not be moved; draw_move
   moves it back. */
static Reg throw_dice(Ptx *ptx, Dice *dice) {
  Reg x = dice->state[0], w = dice->state[3];
  Reg t = ptx_new(ptx), s = ptx_new(ptx), u = ptx_new(ptx), v = ptx_new(ptx);
  ptx_line(ptx, "shl.b32 %%r%u, %%r%u, 11", s, x);
  ptx_gate_to(ptx, t, TRUTH_A ^ TRUTH_B, x, s, s);
  ptx_line(ptx, "shr.u32 %%r%u, %%r%u, 8", u, t);
  ptx_line(ptx, "shr.u32 %%r%u, %%r%u, 19", v, w);
  Reg first = ptx_parity(ptx, w, v, t), next = ptx_xor(ptx, first, u);
  memmove(dice->state, dice->state + 1, 3 * sizeof *dice->state);
  dice->state[3] = next;
  return next;
}

/* ---- numbers ---- */

static Planes of_word(Reg word) {
  return (Planes){.count = 1, .most = 1, .bits = {word}};
}

static Reg plane(const Planes *number, uint32_t i) {
  return i < number->count ? number->bits[i] : 0;
}

static Planes add(Ptx *ptx, const Planes *a, const Planes *b) {
  Planes sum = {.most = a->most + b->most};
  Reg carry = 0;
  sum.count = bit_length(sum.most);
  for (uint32_t i = 0; i < sum.count; i++) {
    Reg x = plane(a, i), y = plane(b, i);
    if (!x && !y) {
      sum.bits[i] = carry;
      carry = 0;
    } else if (!x || !y || !carry) {
      Reg p = x ? x : y, q = x && y ? y : carry;
      sum.bits[i] = q ? ptx_xor(ptx, p, q) : p;
      carry = q && i + 1 < sum.count ? ptx_and(ptx, p, q) : 0;
    } else {
      sum.bits[i] = ptx_parity(ptx, x, y, carry);
      carry = i + 1 < sum.count ? ptx_majority(ptx, x, y, carry) : 0;
    }
  }
  return sum;
}

/* Returns floor(n * u) for a uniform fraction u of some more bits than n has.
   The sum is halved after each bit, the last bit is the most significant. */
static Planes fraction_of(Ptx *ptx, Dice *dice, const Planes *n) {
  uint32_t bits = n->count + EXTRA_BITS;
  Planes sum = {.count = n->count, .most = n->most};
  for (uint32_t k = 0; k < bits; k++) {
    Reg random = throw_dice(ptx, dice), carry = 0;
    Planes next = {.count = n->count, .most = n->most};
    for (uint32_t i = 0; i < n->count; i++) {
      Reg x = sum.bits[i], y = ptx_and(ptx, n->bits[i], random), low;
      if (!x && !carry) {
        low = y;
      } else if (!x || !carry) {
        Reg q = x ? x : carry;
        low = i ? ptx_xor(ptx, y, q) : 0;
        carry = ptx_and(ptx, y, q);
      } else {
        low = ptx_parity(ptx, x, y, carry);
        carry = ptx_majority(ptx, x, y, carry);
      }
      if (i) next.bits[i - 1] = low;
    }
    next.bits[n->count - 1] = carry;
    sum = next;
  }
  sum.most = n->most - 1;
  sum.count = bit_length(sum.most);
  return sum;
}

/* Returns the lanes where rank < left, and the borrows of rank - left; there is
   one before each plane. */
static Reg borrow(Ptx *ptx, const Planes *rank, const Planes *left,
                  Reg *borrows) {
  enum {
    GREATER_OR_BORROW = (TRUTH_B & ~TRUTH_A) | (TRUTH_C & ~(TRUTH_A ^ TRUTH_B))
  };
  uint32_t planes = rank->count > left->count ? rank->count : left->count;
  borrows[0] = 0;
  for (uint32_t i = 0; i < planes; i++) {
    Reg x = plane(rank, i), y = plane(left, i);
    borrows[i + 1] = y || borrows[i] ? ptx_gate(ptx, GREATER_OR_BORROW & 0xff,
                                                x, y, borrows[i])
                                     : 0;
  }
  return borrows[planes];
}

/* Returns plane i of rank - left where not `less`, and of rank where it is. */
static Reg remainder_plane(Ptx *ptx, const Planes *rank, const Planes *left,
                           const Reg *borrows, Reg less, uint32_t i) {
  Reg y = plane(left, i);
  if (!y && !borrows[i]) return rank->bits[i];
  Reg differ = y && borrows[i] ? ptx_xor(ptx, y, borrows[i])
               : y             ? y
                               : borrows[i];
  return ptx_gate(ptx, (TRUTH_A ^ (TRUTH_B & ~TRUTH_C)) & 0xff, rank->bits[i],
                  differ, less);
}

/* Returns the lanes where rank < left, and leaves in `rank` what remains of it
   on the side that it falls on. */
static Reg descend(Ptx *ptx, Planes *rank, const Planes *left,
                   uint32_t right_most) {
  Reg borrows[DRAW_PLANES + 1], less = borrow(ptx, rank, left, borrows);
  uint32_t most = left->most > right_most ? left->most : right_most;
  uint32_t kept = bit_length(most - 1);
  for (uint32_t i = 0; i < kept && i < rank->count; i++)
    rank->bits[i] = remainder_plane(ptx, rank, left, borrows, less, i);
  if (rank->count > kept) rank->count = kept;
  return less;
}

/* ---- trees of counts ---- */

enum { GROUP_MOST = 32 }; /* words */

/* Returns how many of `count` > 1 leaves are on the left: a power of two. */
static uint32_t left_half(uint32_t count) {
  uint32_t half = 1;
  while (2 * half < count) half *= 2;
  return half;
}

/* Counts the leaves from..to-1. Between any two neighbours one node is divided:
   lefts[i] gets the count of its left side, which ends at i. */
static Planes count_tree(Ptx *ptx, const Planes *leaves, uint32_t from,
                         uint32_t to, Planes *lefts) {
  if (to - from == 1) return leaves[from];
  uint32_t middle = from + left_half(to - from);
  lefts[middle] = count_tree(ptx, leaves, from, middle, lefts);
  Planes right = count_tree(ptx, leaves, middle, to, lefts);
  return add(ptx, &lefts[middle], &right);
}

static Planes count_words(Ptx *ptx, const Reg *words, uint32_t count,
                          Planes *lefts) {
  Planes leaves[GROUP_MOST];
  for (uint32_t i = 0; i < count; i++) leaves[i] = of_word(words[i]);
  return count_tree(ptx, leaves, 0, count, lefts);
}

/* The same without the counts of nodes: three words of a plane become one, and
   one of the next plane. */
static Planes count_flat(Ptx *ptx, const Reg *words, uint32_t count) {
  Planes sum = {.count = bit_length(count), .most = count};
  Reg level[2 * GROUP_MOST], carries[GROUP_MOST];
  uint32_t size = count;
  memcpy(level, words, count * sizeof *level);
  for (uint32_t i = 0; i < sum.count; i++) {
    uint32_t at = 0, carried = 0;
    while (size - at >= 2) {
      Reg a = level[at], b = level[at + 1];
      Reg c = size - at > 2 ? level[at + 2] : 0;
      carries[carried++] = c ? ptx_majority(ptx, a, b, c) : ptx_and(ptx, a, b);
      level[size] = c ? ptx_parity(ptx, a, b, c) : ptx_xor(ptx, a, b);
      at += size - at > 2 ? 3 : 2;
      size++;
    }
    sum.bits[i] = size > at ? level[at] : 0;
    memcpy(level, carries, carried * sizeof *level);
    size = carried;
  }
  return sum;
}

Planes draw_zero(Ptx *ptx, uint32_t most) {
  Planes number = {.count = bit_length(most), .most = most};
  for (uint32_t i = 0; i < number.count; i++) {
    number.bits[i] = ptx_new(ptx);
    ptx_move(ptx, number.bits[i], 0);
  }
  return number;
}

void draw_add(Ptx *ptx, const Planes *number, const Reg *words,
              uint32_t count) {
  Planes more = count_flat(ptx, words, count), before = *number;
  before.most -= count;
  Planes sum = add(ptx, &before, &more);
  for (uint32_t i = 0; i < number->count; i++)
    ptx_move(ptx, number->bits[i], plane(&sum, i));
}

/* Finds the word of the rank in the lanes of `here`. */
static void pick_word(Ptx *ptx, const Planes *lefts, uint32_t from, uint32_t to,
                      Reg here, Planes rank, Reg *picked) {
  if (to - from == 1) {
    picked[from] = here;
    return;
  }
  uint32_t middle = from + left_half(to - from);
  Reg less = descend(ptx, &rank, &lefts[middle], to - middle);
  Reg there = ptx_and_not(ptx, here, less);
  pick_word(ptx, lefts, from, middle, ptx_and(ptx, here, less), rank, picked);
  pick_word(ptx, lefts, middle, to, there, rank, picked);
}

/* ---- few moves ---- */

enum { FEW = 16 };

static void load_words(Frame *frame, uint32_t first, uint32_t count,
                       Reg *words) {
  for (uint32_t i = 0; i < count; i++) words[i] = frame_load(frame, first + i);
}

static void pick_few(Frame *frame, uint32_t first, uint32_t count,
                     const Planes *lefts, Reg lanes, const Planes *rank) {
  Reg picked[FEW];
  pick_word(frame->ptx, lefts, 0, count, lanes, *rank, picked);
  for (uint32_t i = 0; i < count; i++) frame_store(frame, first + i, picked[i]);
}

/* ---- many moves ----

   They are in groups. The group of the rank is found first. In each lane the
   moves of its group are brought together, and the one of the rank is found
   among these. So a chosen move is where its group and its place in that are
   found: two lines. */

typedef struct Crowd {
  Frame *frame;
  uint32_t first, count; /* slots of the moves */
  uint32_t size;         /* moves of a group */
  Planes *lefts;         /* counts of groups, by where they end */
  Reg *groups;           /* lanes in which the group is the one of the rank; */
  Reg words[GROUP_MOST]; /* its moves there, */
  Planes rank;           /* and the rank among these */
} Crowd;

static uint32_t crowd_groups(const Crowd *crowd) {
  return (crowd->count + crowd->size - 1) / crowd->size;
}

/* Moves of the groups before this one. */
static uint32_t crowd_before(const Crowd *crowd, uint32_t group) {
  uint32_t moves = group * crowd->size;
  return moves < crowd->count ? moves : crowd->count;
}

static Planes count_crowd(Crowd *crowd) {
  Ptx *ptx = crowd->frame->ptx;
  uint32_t groups = crowd_groups(crowd);
  Planes *counts = memory_new(groups * sizeof *counts);
  crowd->lefts = memory_new(groups * sizeof *crowd->lefts);
  crowd->groups = memory_new(groups * sizeof *crowd->groups);
  for (uint32_t i = 0; i < groups; i++) {
    Reg words[GROUP_MOST];
    uint32_t from = crowd_before(crowd, i), to = crowd_before(crowd, i + 1);
    load_words(crowd->frame, crowd->first + from, to - from, words);
    counts[i] = count_flat(ptx, words, to - from);
  }
  Planes all = count_tree(ptx, counts, 0, groups, crowd->lefts);
  memory_delete(counts);
  return all;
}

/* Adds the lanes of a word that are here. */
static void gather(Ptx *ptx, Reg *sum, Reg here, Reg word) {
  *sum = *sum ? ptx_gate(ptx, (TRUTH_A & TRUTH_B) | TRUTH_C, here, word, *sum)
              : ptx_and(ptx, here, word);
}

static void gather_group(Crowd *crowd, uint32_t group, Reg here,
                         const Planes *rank) {
  Ptx *ptx = crowd->frame->ptx;
  uint32_t from = crowd_before(crowd, group);
  crowd->groups[group] = here;
  for (uint32_t i = 0; from + i < crowd_before(crowd, group + 1); i++)
    gather(ptx, &crowd->words[i], here,
           frame_load(crowd->frame, crowd->first + from + i));
  for (uint32_t i = 0; i < crowd->rank.count && i < rank->count; i++)
    gather(ptx, &crowd->rank.bits[i], here, rank->bits[i]);
}

static void pick_group(Crowd *crowd, uint32_t from, uint32_t to, Reg here,
                       Planes rank) {
  Ptx *ptx = crowd->frame->ptx;
  if (to - from == 1) {
    gather_group(crowd, from, here, &rank);
    return;
  }
  uint32_t middle = from + left_half(to - from);
  uint32_t right = crowd_before(crowd, to) - crowd_before(crowd, middle);
  Reg less = descend(ptx, &rank, &crowd->lefts[middle], right);
  Reg there = ptx_and_not(ptx, here, less);
  pick_group(crowd, from, middle, ptx_and(ptx, here, less), rank);
  pick_group(crowd, middle, to, there, rank);
}

static void pick_many(Crowd *crowd, Reg lanes, const Planes *rank) {
  Reg picked[GROUP_MOST];
  Planes lefts[GROUP_MOST];
  crowd->rank =
      (Planes){.count = bit_length(crowd->size - 1), .most = crowd->size - 1};
  pick_group(crowd, 0, crowd_groups(crowd), lanes, *rank);
  count_words(crowd->frame->ptx, crowd->words, crowd->size, lefts);
  pick_word(crowd->frame->ptx, lefts, 0, crowd->size, lanes, crowd->rank,
            picked);
  for (uint32_t i = 0; i < crowd->count; i++)
    frame_set_lines(crowd->frame, crowd->first + i,
                    crowd->groups[i / crowd->size], picked[i % crowd->size]);
}

/* Lanes whose number is two or more. */
static Reg several(Ptx *ptx, const Planes *number) {
  Reg lanes = 0;
  for (uint32_t i = 1; i < number->count; i++)
    lanes = lanes ? ptx_or(ptx, lanes, number->bits[i]) : number->bits[i];
  return lanes;
}

/* ---- very many moves ----

   The same by a loop over the rows of moves that are in memory: it takes the
   counts of rows from the rank until that is below the next one, and brings
   together the moves of that row. The lines are in memory, too. The last rows
   come first: some of them may still be in a cache. */

enum {
  ROW = DRAW_ROW,
  ROW_PLANES = 5, /* of a rank in a row */
  ROWS_AHEAD = 3  /* rows that are loaded, the one that is looked at included */
};

/* Where a loop is in the slots of a frame. */
typedef struct Cursor {
  Ptx *ptx;
  Reg at; /* address */
  bool shared;
  uint32_t stride; /* bytes */
} Cursor;

static Cursor point_at(Frame *frame, uint32_t slot) {
  Ptx *ptx = frame->ptx;
  Cursor cursor = {.ptx = ptx, .at = ptx_new(ptx), .stride = 4};
  cursor.shared = frame->plan.home == HOME_SHARED;
  if (cursor.shared) cursor.stride = 4 * frame->plan.threads;
  if (cursor.shared)
    ptx_move(ptx, cursor.at, frame->base);
  else
    ptx_line(ptx, "mov.u32 %%r%u, words", cursor.at);
  ptx_line(ptx, "add.u32 %%r%u, %%r%u, %u", cursor.at, cursor.at,
           slot * cursor.stride);
  return cursor;
}

static void load_at(const Cursor *cursor, uint32_t i, Reg word) {
  ptx_line(cursor->ptx, "ld%s.b32 %%r%u, [%%r%u+%u]",
           cursor->shared ? ".volatile.shared" : ".local", word, cursor->at,
           i * cursor->stride);
}

static void store_at(const Cursor *cursor, Reg word) {
  ptx_line(cursor->ptx, "st%s.b32 [%%r%u], %%r%u",
           cursor->shared ? ".volatile.shared" : ".local", cursor->at, word);
}

static void go_back(const Cursor *cursor, uint32_t slots) {
  ptx_line(cursor->ptx, "sub.u32 %%r%u, %%r%u, %u", cursor->at, cursor->at,
           slots * cursor->stride);
}

typedef struct Rows {
  Frame *frame;
  uint32_t first, count; /* slots of the moves; rows */
  uint32_t lines;        /* slots: one for each row, then ROW more */
} Rows;

/* What is found in the row of the rank: its moves, and the rank there. */
typedef struct Found {
  Reg words[ROW];
  Planes rank;
} Found;

static void gather_to(Ptx *ptx, Reg sum, Reg here, Reg word) {
  ptx_gate_to(ptx, sum, (TRUTH_A & TRUTH_B) | TRUTH_C, here, word, sum);
}

/* A loop through the rows. */
typedef struct Search {
  Rows *rows;
  Cursor next, line; /* the row that is loaded last; the line of the next */
  Reg words[ROWS_AHEAD][ROW];
  Reg rest;    /* rows that have not been looked at */
  Reg todo;    /* lanes whose row has not been found, */
  Planes left; /* and their rank among the rows that are left */
  Found found;
} Search;

static Search begin_search(Rows *rows, const Planes *rank, Reg lanes) {
  Ptx *ptx = rows->frame->ptx;
  uint32_t last = rows->count - 1;
  Search search = {.rows = rows,
                   .next = point_at(rows->frame, rows->first + last * ROW),
                   .rest = ptx_new(ptx),
                   .todo = ptx_new(ptx),
                   .left = draw_zero(ptx, rank->most),
                   .found = {.rank = draw_zero(ptx, ROW - 1)}};
  for (uint32_t k = 0; k < ROWS_AHEAD; k++) {
    if (k && k <= last) go_back(&search.next, ROW);
    for (uint32_t i = 0; i < ROW; i++) {
      search.words[k][i] = ptx_new(ptx);
      load_at(&search.next, i, search.words[k][i]);
    }
  }
  search.line = point_at(rows->frame, rows->lines + last);
  for (uint32_t i = 0; i < ROW; i++) {
    search.found.words[i] = ptx_new(ptx);
    ptx_move(ptx, search.found.words[i], 0);
  }
  for (uint32_t i = 0; i < search.left.count; i++)
    ptx_move(ptx, search.left.bits[i], plane(rank, i));
  ptx_move(ptx, search.todo, lanes);
  ptx_line(ptx, "mov.u32 %%r%u, %u", search.rest, rows->count);
  return search;
}

/* Leaves the lanes of a row in its line. */
static void look_at(Search *search, const Reg words[ROW]) {
  Ptx *ptx = search->rows->frame->ptx;
  Planes *left = &search->left, count = count_flat(ptx, words, ROW);
  Reg borrows[DRAW_PLANES + 1], less = borrow(ptx, left, &count, borrows);
  Reg here = ptx_and(ptx, search->todo, less);
  for (uint32_t i = 0; i < ROW; i++)
    gather_to(ptx, search->found.words[i], here, words[i]);
  for (uint32_t i = 0; i < ROW_PLANES && i < left->count; i++)
    gather_to(ptx, search->found.rank.bits[i], here, left->bits[i]);
  for (uint32_t i = 0; i < left->count; i++)
    ptx_move(ptx, left->bits[i],
             remainder_plane(ptx, left, &count, borrows, less, i));
  ptx_move(ptx, search->todo, ptx_and_not(ptx, search->todo, less));
  store_at(&search->line, here);
  go_back(&search->line, 1);
  ptx_line(ptx, "sub.u32 %%r%u, %%r%u, 1", search->rest, search->rest);
}

/* Loads the row after those that are loaded; after the last one, that once
   more. */
static void load_next(Search *search, const Reg words[ROW]) {
  const Cursor *next = &search->next;
  Ptx *ptx = next->ptx;
  uint32_t more = ptx->predicates++;
  ptx_line(ptx, "setp.ge.u32 %%p%u, %%r%u, %u", more, search->rest, ROWS_AHEAD);
  ptx_line(ptx, "@%%p%u sub.u32 %%r%u, %%r%u, %u", more, next->at, next->at,
           ROW * next->stride);
  for (uint32_t i = 0; i < ROW; i++) load_at(next, i, words[i]);
}

/* The rows that are loaded take turns, so that no words are moved. */
static Found find_row(Rows *rows, const Planes *rank, Reg lanes) {
  Ptx *ptx = rows->frame->ptx;
  Search search = begin_search(rows, rank, lanes);
  uint32_t label = ptx->labels++, over = ptx->predicates++;
  text_format(&ptx->body, "find%u:\n", label);
  for (uint32_t k = 0; k < ROWS_AHEAD; k++) {
    look_at(&search, search.words[k]);
    ptx_line(ptx, "setp.eq.u32 %%p%u, %%r%u, 0", over, search.rest);
    ptx_line(ptx, "@%%p%u bra found%u", over, label);
    load_next(&search, search.words[k]);
  }
  ptx_line(ptx, "bra find%u", label);
  text_format(&ptx->body, "found%u:\n", label);
  return search.found;
}

static void pick_rows(Rows *rows, const Planes *rank, Reg lanes) {
  Frame *frame = rows->frame;
  Found found = find_row(rows, rank, lanes);
  Planes lefts[ROW];
  Reg picked[ROW];
  count_words(frame->ptx, found.words, ROW, lefts);
  pick_word(frame->ptx, lefts, 0, ROW, lanes, found.rank, picked);
  for (uint32_t i = 0; i < ROW; i++)
    frame_store(frame, rows->lines + rows->count + i, picked[i]);
  for (uint32_t i = 0; i < rows->count * ROW; i++)
    frame_set_line_slots(frame, rows->first + i, rows->lines + i / ROW,
                         rows->lines + rows->count + i % ROW);
}

/* ---- the choice ---- */

/* Calls of throw_dice have renamed the registers. */
static void keep_dice(Ptx *ptx, Dice *dice, const Dice *before) {
  for (uint32_t i = 0; i < 4; i++)
    ptx_move(ptx, before->state[i], dice->state[i]);
  *dice = *before;
}

/* Lanes with a legal move. */
static Reg find_any(Ptx *ptx, const Planes *count, Reg some) {
  return some ? ptx_or(ptx, some, count->bits[0]) : count->bits[0];
}

/* Instructions of a step, compiled for an H200, with groups of 8, 16 and 32:
   pentago (36 moves) 700, 730 and more; breakthrough (154) 2,342, 2,300 and
   2,222, of which 64, 115 and 14 are spills. */
static uint32_t group_size(uint32_t moves) {
  return moves <= 100 ? 8 : GROUP_MOST;
}

static Reg draw_many(Frame *frame, Dice *dice, uint32_t first, uint32_t moves,
                     Reg free) {
  Ptx *ptx = frame->ptx;
  Dice before = *dice;
  Crowd crowd = {.frame = frame,
                 .first = first,
                 .count = moves,
                 .size = group_size(moves)};
  Planes count = count_crowd(&crowd);
  Reg any = find_any(ptx, &count, several(ptx, &count));
  Planes rank = fraction_of(ptx, dice, &count);
  pick_many(&crowd, ptx_and(ptx, free, any), &rank);
  keep_dice(ptx, dice, &before);
  memory_delete(crowd.lefts);
  memory_delete(crowd.groups);
  return any;
}

static Reg draw_rows(Frame *frame, Dice *dice, uint32_t first, uint32_t moves,
                     const Planes *legal, Reg free) {
  Ptx *ptx = frame->ptx;
  Dice before = *dice;
  Rows rows = {.frame = frame,
               .first = first,
               .count = moves / ROW,
               .lines = frame_take_lines(frame, draw_lines(moves))};
  Reg any = find_any(ptx, legal, several(ptx, legal));
  Planes rank = fraction_of(ptx, dice, legal);
  pick_rows(&rows, &rank, ptx_and(ptx, free, any));
  keep_dice(ptx, dice, &before);
  return any;
}

/* The same where nothing is done if no lane has a choice. */
static Reg draw_few(Frame *frame, Dice *dice, uint32_t first, uint32_t moves,
                    Reg free) {
  Ptx *ptx = frame->ptx;
  Dice before = *dice;
  uint32_t label = ptx->labels++, predicate = ptx->predicates++;
  Reg words[FEW];
  Planes lefts[FEW];
  load_words(frame, first, moves, words);
  Planes count = count_words(ptx, words, moves, lefts);
  Reg some = several(ptx, &count), any = find_any(ptx, &count, some);
  if (some) {
    Reg choosing = ptx_and(ptx, some, free);
    ptx_line(ptx, "setp.eq.u32 %%p%u, %%r%u, 0", predicate, choosing);
    ptx_line(ptx, "@%%p%u bra single%u", predicate, label);
    Planes rank = fraction_of(ptx, dice, &count);
    Reg lanes = ptx_and(ptx, free, any);
    pick_few(frame, first, moves, lefts, lanes, &rank);
    keep_dice(ptx, dice, &before);
    text_format(&ptx->body, "single%u:\n", label);
  }
  return any;
}

bool draw_clears(uint32_t moves, bool by_loop) {
  return by_loop || moves > FEW;
}

uint32_t draw_lines(uint32_t moves) {
  return moves > 1 ? moves / ROW + ROW : 0;
}

Reg draw_move(Frame *frame, Dice *dice, uint32_t first, uint32_t moves,
              const Planes *legal, Reg free) {
  if (!moves) return 0;
  Reg any = legal         ? draw_rows(frame, dice, first, moves, legal, free)
            : moves > FEW ? draw_many(frame, dice, first, moves, free)
                          : draw_few(frame, dice, first, moves, free);
  frame_forget(frame);
  return any;
}
