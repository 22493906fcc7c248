/* Directions of a board are numbers of base 3, see NeighbourPair; the middle
   one leads nowhere, and the opposite of a direction is what is left to the
   last one. A pair belongs to the direction above the middle; in the table both
   directions lead to it. Coordinates without an order do not change from
   neighbour to neighbour. */
#include "value/neighbours.h"

#include "base/trial.h"

/* One board while its pairs are made. */
typedef struct Grid {
  Neighbours *neighbours;
  const Kinds *kinds;
  const Board *board;
  uint32_t dimensions, ways;     /* ways: 3 to the power of dimensions */
  uint32_t argument[3], size[3]; /* by dimension */
  NumberVector pieces;           /* kinds */
  uint32_t *number;              /* by kind: in `pieces`, + 1 */
  uint32_t *at;                  /* place + 1, by coordinates */
  uint32_t base;                 /* of its table */
} Grid;

static bool grid_init(Grid *grid, uint32_t b) {
  const Kinds *kinds = grid->kinds;
  grid->board = &kinds->analysis->places.boards.data[b];
  grid->dimensions = 0;
  grid->ways = 1;
  vector_clear(&grid->pieces);
  memset(grid->number, 0, kinds->list.count * sizeof *grid->number);
  for (uint32_t a = 0; a < grid->board->arity; a++) {
    if (!(grid->board->place >> a & 1)) continue;
    if (grid->dimensions == 3) return false;
    grid->argument[grid->dimensions] = a;
    grid->size[grid->dimensions++] = grid->board->values[a].count;
    grid->ways *= 3;
  }
  for (uint32_t k = 0; k < kinds->list.count; k++) {
    if (kinds->list.data[k].board != b || kinds->list.data[k].blank) continue;
    vector_push(&grid->pieces, k);
    grid->number[k] = grid->pieces.count;
  }
  uint32_t width = grid->pieces.count;
  return grid->board->place_count <= NEIGHBOURS_PLACES && width &&
         grid->neighbours->pairs.count + grid->ways / 2 * width * width <=
             NEIGHBOURS_MOST;
}

/* ---- pairs ---- */

static void make_pairs(Grid *grid) {
  Neighbours *neighbours = grid->neighbours;
  uint32_t width = grid->pieces.count, square = width * width;
  uint32_t middle = grid->ways / 2, last = grid->ways - 1;
  grid->base = neighbours->table.count;
  vector_resize(&neighbours->table, grid->base + grid->ways * square);
  uint32_t *table = neighbours->table.data + grid->base;
  memset(table + middle * square, 0, square * sizeof *table);
  for (uint32_t way = middle + 1; way < grid->ways; way++)
    for (uint32_t i = 0; i < width; i++)
      for (uint32_t j = 0; j < width; j++) {
        NeighbourPair pair = {grid->pieces.data[i], grid->pieces.data[j], way};
        table[way * square + i * width + j] = neighbours->pairs.count;
        table[(last - way) * square + j * width + i] = neighbours->pairs.count;
        vector_push(&neighbours->pairs, pair);
      }
}

/* ---- places ---- */

static void coordinates(const Grid *grid, uint32_t place, uint32_t *at) {
  const Analysis *analysis = grid->kinds->analysis;
  uint32_t fluent =
      analysis->places.fluents.data[analysis->places.first.data[place]];
  for (uint32_t d = 0; d < grid->dimensions; d++)
    at[d] =
        kinds_rank(&analysis->description->rules.terms, grid->board,
                   analysis->net->fluents.data[fluent].term, grid->argument[d]);
}

static uint32_t cell(const Grid *grid, const uint32_t *at) {
  uint32_t cell = 0;
  for (uint32_t d = 0; d < grid->dimensions; d++)
    cell = cell * grid->size[d] + at[d];
  return cell;
}

/* Returns the place one step on, + 1; 0: there is none. */
static uint32_t step(const Grid *grid, const uint32_t *from, uint32_t way) {
  uint32_t to[3];
  for (uint32_t d = grid->dimensions; d-- > 0; way /= 3) {
    to[d] = from[d] + way % 3 - 1;
    if (to[d] >= grid->size[d]) return 0;
    if (way % 3 != 1 &&
        grid->board->order[grid->argument[d]] == PLACES_UNORDERED)
      return 0;
  }
  return grid->at[cell(grid, to)];
}

/* Lists the pieces of a place as parts of one word each. */
static void add_parts(Grid *grid, uint32_t place, uint32_t table) {
  Neighbours *neighbours = grid->neighbours;
  const Places *places = &grid->kinds->analysis->places;
  uint32_t begin = neighbours->parts.count;
  for (uint32_t i = places->first.data[place];
       i < places->first.data[place + 1]; i++) {
    uint32_t fluent = places->fluents.data[i], at = begin;
    uint32_t kind = grid->kinds->of_fluent[fluent];
    if (!kind || !grid->number[kind - 1]) continue;
    while (at < neighbours->parts.count &&
           neighbours->parts.data[at].word != fluent / 64)
      at++;
    if (at == neighbours->parts.count) {
      NeighbourPart part = {.word = fluent / 64, .table = table};
      vector_push(&neighbours->parts, part);
    }
    neighbours->parts.data[at].mask |= (uint64_t)1 << fluent % 64;
  }
}

static void add_place(Grid *grid, uint32_t place) {
  trial_check();
  Neighbours *neighbours = grid->neighbours;
  const Places *places = &grid->kinds->analysis->places;
  uint32_t at[3] = {0}, width = grid->pieces.count;
  uint32_t first = neighbours->parts.count;
  coordinates(grid, place, at);
  uint32_t middle = grid->ways / 2, back = first;
  for (uint32_t way = grid->ways; way-- > 0;) {
    uint32_t other = way == middle ? 0 : step(grid, at, way);
    if (other) add_parts(grid, other - 1, grid->base + way * width * width);
    if (way == middle) back = neighbours->parts.count;
  }
  for (uint32_t i = places->first.data[place];
       i < places->first.data[place + 1]; i++) {
    uint32_t fluent = places->fluents.data[i];
    uint32_t kind = grid->kinds->of_fluent[fluent];
    if (kind && grid->number[kind - 1])
      neighbours->fluents[fluent] = (NeighbourFluent){
          grid->number[kind - 1], width, first, back, neighbours->parts.count};
  }
}

static void add_board(Grid *grid, uint32_t b) {
  const Places *places = &grid->kinds->analysis->places;
  if (!grid_init(grid, b)) return;
  size_t cells = 1;
  for (uint32_t d = 0; d < grid->dimensions; d++) cells *= grid->size[d];
  grid->at = memory_new((cells + 1) * sizeof *grid->at);
  make_pairs(grid);
  for (int round = 0; round < 2; round++)
    for (uint32_t p = 0; p + 1 < places->first.count; p++) {
      uint32_t at[3] = {0};
      uint32_t fluent = places->fluents.data[places->first.data[p]];
      if (kinds_board(grid->kinds, fluent) != grid->board) continue;
      coordinates(grid, p, at);
      if (round)
        add_place(grid, p);
      else
        grid->at[cell(grid, at)] = p + 1;
    }
  memory_delete(grid->at);
}

void neighbours_init(Neighbours *neighbours, const Kinds *kinds) {
  *neighbours = (Neighbours){0};
  neighbours->fluents = memory_new((kinds->analysis->net->fluents.count + 1) *
                                   sizeof *neighbours->fluents);
  Grid grid = {.neighbours = neighbours, .kinds = kinds};
  grid.number = memory_new((kinds->list.count + 1) * sizeof *grid.number);
  for (uint32_t b = 0; b < kinds->analysis->places.boards.count; b++)
    add_board(&grid, b);
  memory_delete(grid.number);
  vector_free(&grid.pieces);
}

void neighbours_free(Neighbours *neighbours) {
  vector_free(&neighbours->pairs);
  vector_free(&neighbours->parts);
  vector_free(&neighbours->table);
  memory_delete(neighbours->fluents);
}

/* ---- states ---- */

void neighbours_count(const Neighbours *neighbours, const uint64_t *state,
                      uint32_t fluent, float *counts) {
  const NeighbourFluent *own = &neighbours->fluents[fluent];
  for (uint32_t i = own->first; i < own->back; i++) {
    const NeighbourPart *part = &neighbours->parts.data[i];
    for (uint64_t set = state[part->word] & part->mask; set; set &= set - 1) {
      uint32_t other = part->word * 64 + (uint32_t)__builtin_ctzll(set);
      uint32_t entry = part->table + (own->piece - 1) * own->width +
                       neighbours->fluents[other].piece - 1;
      counts[neighbours->table.data[entry]] += 1;
    }
  }
}

void neighbours_add(const Neighbours *neighbours, const uint64_t *state,
                    uint32_t fluent, int32_t sign, const int32_t *weights,
                    uint32_t rows, int32_t *sums) {
  const NeighbourFluent *own = &neighbours->fluents[fluent];
  for (uint32_t i = own->first; i < own->end; i++) {
    const NeighbourPart *part = &neighbours->parts.data[i];
    for (uint64_t set = state[part->word] & part->mask; set; set &= set - 1) {
      uint32_t other = part->word * 64 + (uint32_t)__builtin_ctzll(set);
      uint32_t entry = part->table + (own->piece - 1) * own->width +
                       neighbours->fluents[other].piece - 1;
      for (uint32_t row = 0; row < rows; row++)
        sums[row] += sign * weights[(size_t)entry * rows + row];
    }
  }
}
