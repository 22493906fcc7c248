/* Units (solve/factor.h) are divided at random into patterns, several times
   over; the sum of all their databases leads a beam. The sum is not a bound of
   the distance, but it tells states apart far better than the highest entry,
   and patterns across kinds of pieces are better than those of one kind: in a
   trial with beams of width 10,000, 5 patterns of 4 pieces of one kind took 37
   moves for the cube on average of ten random scrambles, 15 mixed ones 24 of
   twenty. The highest entry is a bound; it keeps the beam within the moves that
   are left.

   A child is not made before it is chosen: its databases' indexes and its hash
   follow from its parent's and the units that its act changes. Children are in
   buckets by their sum. Buckets that cannot be reached any more are dropped as
   others fill. Those chosen are told apart by 64 bits of hash, which loses a
   state now and then, never a proof.

   When a beam has ended, the next one is four times as wide; if there is a
   plan, it looks for a shorter one. */
#include "solve/patterns.h"

#include "base/hash.h"
#include "solve/database.h"
#include "solve/perimeter.h"

enum {
  WORK = 1 << 25, /* entries times acts of a database, at most */
  DATABASES = 48, /* at most, in whole divisions but for the first */
  AROUND = 60000, /* states of the perimeter, at most */
  LAST_WIDTH = 1 << 20,
  STATE_BYTES = 900, /* of each state of the width, for everything */
  SEEN = 32,         /* slots for hashes of each state of the width */
  REJECTED = 100,    /* plans that were none, after which it gives up */
  NO_ACT = UINT16_MAX
};

/* Databases of a size, for beams from a width on. Three times twenty scrambles
   of the cube were all solved by beams that begin with small ones, in 0.4 s on
   average and 1.6 s at most; with the large ones alone it took 0.8 s, of which
   0.6 s to make them, but plans were shorter: 31 moves instead of 34. */
typedef struct Level {
  uint32_t entries;   /* of a database, at most */
  uint32_t divisions; /* of the units into patterns */
  uint32_t width;
} Level;

static const Level levels[] = {{1 << 14, 6, 2000}, {1 << 19, 3, 16000}};
enum { LEVELS = sizeof levels / sizeof *levels };

/* A child that was not yet made. */
typedef struct Child {
  uint64_t hash;
  uint32_t parent;
  uint16_t act;
} Child;
typedef VECTOR(Child) ChildVector;

/* How a state of the beam came about. */
typedef struct Step {
  uint32_t parent; /* in the layer before */
  uint16_t act;
} Step;

/* What a unit adds to the index of a database. */
typedef struct Share {
  uint32_t database, stride;
} Share;

typedef struct Patterns {
  Method method;
  Factor factor;
  DatabaseVector databases;
  uint32_t level;        /* of the databases */
  uint32_t made;         /* databases that are made */
  uint32_t *share_first; /* by unit, and one more */
  Share *shares;
  uint64_t *salts; /* by value of units: summed up to hashes */
  Perimeter perimeter;
  bool ready; /* databases and perimeter are made */
  Random random;
  size_t memory;
  uint32_t rejected;
  /* the beam */
  uint32_t width, most_width; /* 0: there is none */
  uint32_t depth;             /* of the layer that is expanded */
  uint32_t count;             /* its states */
  uint32_t at;                /* the next to expand */
  uint8_t *rows, *chosen;     /* of this layer and the next */
  VECTOR(Step) steps;         /* of all layers */
  NumberVector layers;        /* first steps of each */
  ChildVector *buckets;       /* by sum */
  uint64_t *offered; /* by bucket: children so far, also those left out */
  uint32_t bucket_count, cut; /* buckets from `cut` on are of no use */
  uint64_t kept;              /* children in buckets */
  uint64_t *seen;             /* hashes */
  uint64_t seen_mask, seen_count;
  uint32_t *indexes, *changed; /* by database, of a parent and its child */
  NumberVector acts;           /* scratch: a plan */
} Patterns;

/* ---- making ---- */

static void choose_databases(Patterns *patterns) {
  const Factor *factor = &patterns->factor;
  DatabaseVector *databases = &patterns->databases;
  const Level *level = &levels[patterns->level];
  uint32_t most = WORK / factor->acts.count;
  if (most > level->entries) most = level->entries;
  for (uint32_t i = 0; i < level->divisions; i++) {
    uint32_t before = databases->count;
    database_divide(factor, &patterns->random, most, databases);
    if (i && databases->count > DATABASES) {
      databases->count = before;
      break;
    }
    if (databases->count == 1) break; /* the next would be the same */
  }
}

static void list_shares(Patterns *patterns) {
  const DatabaseVector *databases = &patterns->databases;
  uint32_t units = patterns->factor.units.count, total = 0;
  for (uint32_t d = 0; d < databases->count; d++)
    total += databases->data[d].count;
  patterns->share_first =
      memory_new((units + 1) * sizeof *patterns->share_first);
  patterns->shares = memory_new((total + 1) * sizeof *patterns->shares);
  total = 0;
  for (uint32_t u = 0; u < units; u++) {
    patterns->share_first[u] = total;
    for (uint32_t d = 0; d < databases->count; d++) {
      uint32_t stride = 1;
      for (uint32_t i = 0; i < databases->data[d].count; i++) {
        uint32_t unit = databases->data[d].units[i];
        if (unit == u) patterns->shares[total++] = (Share){d, stride};
        stride *= patterns->factor.units.data[unit].count;
      }
    }
  }
  patterns->share_first[units] = total;
}

static void free_databases(Patterns *patterns) {
  for (uint32_t d = 0; d < patterns->made; d++)
    database_free(&patterns->databases.data[d]);
  patterns->made = 0;
  vector_clear(&patterns->databases);
  memory_delete(patterns->share_first);
  memory_delete(patterns->shares);
  memory_delete(patterns->indexes);
  memory_delete(patterns->changed);
}

/* Chooses the databases of a level, to be made in slices. */
static void begin_level(Patterns *patterns, uint32_t level) {
  free_databases(patterns);
  patterns->level = level;
  patterns->ready = false;
  choose_databases(patterns);
  list_shares(patterns);
  uint32_t databases = patterns->databases.count;
  patterns->indexes = memory_new(databases * sizeof *patterns->indexes);
  patterns->changed = memory_new(databases * sizeof *patterns->changed);
}

static Method *new_method(const MethodTask *task) {
  Patterns *patterns = memory_new(sizeof *patterns);
  if (!factor_init(&patterns->factor, task->puzzle)) {
    memory_delete(patterns);
    return NULL;
  }
  const Factor *factor = &patterns->factor;
  patterns->method = (Method){.kind = &patterns_method, .puzzle = task->puzzle};
  patterns->memory = task->memory;
  random_seed(&patterns->random, task->seed);
  begin_level(patterns, 0);
  patterns->salts = memory_new(factor->values * sizeof *patterns->salts);
  for (uint32_t v = 0; v < factor->values; v++)
    patterns->salts[v] = hash_pair(v, 1);
  perimeter_init(&patterns->perimeter, factor, false, task->memory / 4);
  return &patterns->method;
}

static void free_beam(Patterns *patterns) {
  memory_delete(patterns->rows);
  memory_delete(patterns->chosen);
  memory_delete(patterns->seen);
  for (uint32_t i = 0; patterns->buckets && i < patterns->bucket_count; i++)
    vector_free(&patterns->buckets[i]);
  memory_delete(patterns->buckets);
  memory_delete(patterns->offered);
  vector_free(&patterns->steps);
  vector_free(&patterns->layers);
  patterns->rows = patterns->chosen = NULL;
  patterns->seen = patterns->offered = NULL;
  patterns->buckets = NULL;
}

static void delete_method(Method *method) {
  Patterns *patterns = (Patterns *)method;
  free_beam(patterns);
  free_databases(patterns);
  vector_free(&patterns->databases);
  memory_delete(patterns->salts);
  perimeter_free(&patterns->perimeter);
  vector_free(&patterns->acts);
  factor_free(&patterns->factor);
  memory_delete(patterns);
}

/* ---- sums ---- */

static void find_indexes(Patterns *patterns, const uint8_t *row) {
  for (uint32_t d = 0; d < patterns->databases.count; d++)
    patterns->indexes[d] = database_index(&patterns->databases.data[d], row);
}

/* Sets the sum and the highest of the entries; returns false if one says that
   there is no way. */
static bool look_up(const Patterns *patterns, const uint32_t *indexes,
                    uint32_t *sum, uint32_t *highest) {
  *sum = *highest = 0;
  for (uint32_t d = 0; d < patterns->databases.count; d++) {
    uint32_t entry = patterns->databases.data[d].distance[indexes[d]];
    *sum += entry;
    if (entry > *highest) *highest = entry;
  }
  return *highest != DATABASE_FAR;
}

static uint64_t hash_row(const Patterns *patterns, const uint8_t *row) {
  const FactorUnit *units = patterns->factor.units.data;
  uint64_t hash = 0;
  for (uint32_t u = 0; u < patterns->factor.units.count; u++)
    hash += patterns->salts[units[u].offset + row[u]];
  return hash;
}

/* Sets the indexes of the child and changes the hash into its one. */
static void change(Patterns *patterns, uint32_t act, const uint8_t *row,
                   uint64_t *hash) {
  const Factor *factor = &patterns->factor;
  const FactorAct *a = &factor->acts.data[act];
  const uint8_t *next = factor_next(factor, act);
  memcpy(patterns->changed, patterns->indexes,
         patterns->databases.count * sizeof *patterns->changed);
  for (uint32_t i = 0; i < a->count; i++) {
    uint32_t u = a->changes[i], offset = factor->units.data[u].offset;
    uint32_t from = row[u], to = next[offset + from];
    if (from == to) continue;
    *hash += patterns->salts[offset + to] - patterns->salts[offset + from];
    const Share *end = patterns->shares + patterns->share_first[u + 1];
    for (const Share *share = patterns->shares + patterns->share_first[u];
         share < end; share++)
      patterns->changed[share->database] += (to - from) * share->stride;
  }
}

static bool can_act(const Factor *factor, uint32_t act, const uint8_t *row) {
  const FactorAct *a = &factor->acts.data[act];
  const uint8_t *next = factor_next(factor, act);
  for (uint32_t i = 0; i < a->checks; i++) {
    uint32_t u = a->checked[i];
    if (next[factor->units.data[u].offset + row[u]] == FACTOR_NONE)
      return false;
  }
  return true;
}

/* ---- plans ---- */

/* Sets the acts that lead to a state of the layer. */
static void trace(Patterns *patterns, uint32_t state, uint32_t depth) {
  vector_resize(&patterns->acts, depth);
  while (depth) {
    const Step *step =
        &patterns->steps.data[patterns->layers.data[depth] + state];
    patterns->acts.data[--depth] = step->act;
    state = step->parent;
  }
}

/* Moves that a plan may have so that it is of use. */
static uint32_t most_moves(const Patterns *patterns) {
  const Puzzle *puzzle = patterns->method.puzzle;
  uint32_t most = factor_longest(&patterns->factor);
  if (atomic_load(&puzzle->score) < patterns->factor.target) return most;
  uint32_t length = atomic_load(&puzzle->length);
  return length <= most ? length - (length > 0) : most;
}

/* Offers the way over a child that is inside the perimeter. Returns true if it
   is a plan. */
static bool offer(Patterns *patterns, uint32_t act) {
  const Factor *factor = &patterns->factor;
  uint32_t units = factor->units.count;
  uint8_t *row = memory_new(units);
  bool found = false;
  memcpy(row, patterns->rows + (size_t)patterns->at * units, units);
  factor_apply(factor, act, factor_next(factor, act), row);
  bool inside = perimeter_has(&patterns->perimeter, row);
  if (inside || factor_is_goal(factor, row)) {
    trace(patterns, patterns->at, patterns->depth);
    vector_push(&patterns->acts, act);
    if (inside) perimeter_follow(&patterns->perimeter, row, &patterns->acts);
    if (patterns->acts.count <= most_moves(patterns)) {
      found =
          factor_offer(factor, patterns->method.puzzle, patterns_method.name,
                       patterns->acts.data, patterns->acts.count);
      patterns->rejected += !found;
    }
  }
  memory_delete(row);
  return found;
}

/* Offers the way to the first state of the layer and waiting from there on,
   where the score counts what is right in the end. */
static void offer_part(Patterns *patterns) {
  const Factor *factor = &patterns->factor;
  Puzzle *puzzle = patterns->method.puzzle;
  if (!factor->waits || !factor->ends ||
      atomic_load(&puzzle->score) >= factor->target)
    return;
  MoveVector moves = {0};
  uint32_t at;
  trace(patterns, 0, patterns->depth);
  for (uint32_t i = 0; i < patterns->acts.count; i++)
    vector_push(&moves, factor->acts.data[patterns->acts.data[i]].move);
  while (moves.count < factor_longest(factor))
    vector_push(&moves, factor->waiting);
  int score = puzzle_replay(puzzle, moves.data, moves.count, &at);
  if (score > 0)
    puzzle_offer(puzzle, patterns_method.name, score, moves.data, moves.count);
  vector_free(&moves);
}

/* ---- the beam ---- */

static void begin_beam(Patterns *patterns, uint32_t width) {
  const Factor *factor = &patterns->factor;
  free_beam(patterns);
  patterns->width = width;
  patterns->depth = patterns->at = 0;
  patterns->count = 1;
  patterns->rows = memory_new((size_t)width * factor->units.count);
  patterns->chosen = memory_new((size_t)width * factor->units.count);
  factor_start(factor, patterns->rows);
  patterns->bucket_count = 1;
  for (uint32_t d = 0; d < patterns->databases.count; d++)
    patterns->bucket_count += patterns->databases.data[d].highest;
  patterns->buckets =
      memory_new(patterns->bucket_count * sizeof *patterns->buckets);
  patterns->offered =
      memory_new(patterns->bucket_count * sizeof *patterns->offered);
  patterns->cut = patterns->bucket_count;
  patterns->kept = 0;
  uint64_t slots = 1 << 12;
  while (slots < (uint64_t)width * SEEN) slots *= 2;
  patterns->seen = memory_new(slots * sizeof *patterns->seen);
  patterns->seen_mask = slots - 1;
  patterns->seen_count = 0;
  vector_clear(&patterns->steps);
  vector_clear(&patterns->layers);
  vector_push(&patterns->layers, 0);
  vector_push(&patterns->steps, ((Step){0, NO_ACT}));
}

/* Adds a hash to those seen; returns false if it was there. */
static bool see(Patterns *patterns, uint64_t hash) {
  uint64_t at = hash & patterns->seen_mask;
  hash |= !hash;
  for (; patterns->seen[at]; at = (at + 1) & patterns->seen_mask)
    if (patterns->seen[at] == hash) return false;
  patterns->seen[at] = hash;
  patterns->seen_count++;
  return true;
}

/* Keeps a child in its bucket; one that is full keeps a random selection. */
static void keep(Patterns *patterns, uint32_t sum, Child child) {
  ChildVector *bucket = &patterns->buckets[sum];
  uint64_t offered = ++patterns->offered[sum];
  if (bucket->count >= 2 * patterns->width) {
    uint64_t place = random_next(&patterns->random) % offered;
    if (place < bucket->count) bucket->data[place] = child;
    return;
  }
  vector_push(bucket, child);
  patterns->kept++;
  /* half as many again as there is room for, since some will be the same */
  while (patterns->cut > 1) {
    ChildVector *last = &patterns->buckets[patterns->cut - 1];
    if (patterns->kept - last->count < patterns->width / 2 * 3) break;
    patterns->kept -= last->count;
    vector_clear(last);
    patterns->cut--;
  }
}

/* Expands the next state of the layer; returns true if that led to a plan. */
static bool expand(Patterns *patterns) {
  const Factor *factor = &patterns->factor;
  const uint8_t *row =
      patterns->rows + (size_t)patterns->at * factor->units.count;
  uint32_t sum, highest, most = most_moves(patterns), children = 0;
  uint64_t parent_hash = hash_row(patterns, row);
  bool found = false;
  find_indexes(patterns, row);
  for (uint32_t act = 0; act < factor->acts.count && !found; act++) {
    if (!can_act(factor, act, row)) continue;
    uint64_t hash = parent_hash;
    children++;
    change(patterns, act, row, &hash);
    if (!look_up(patterns, patterns->changed, &sum, &highest)) continue;
    if (patterns->depth + 1 + highest > most) continue;
    if (highest <= patterns->perimeter.depth) found = offer(patterns, act);
    if (sum < patterns->cut)
      keep(patterns, sum, (Child){hash, patterns->at, (uint16_t)act});
  }
  method_count(&patterns->method, 1, children);
  patterns->at++;
  return found;
}

/* Makes a state of the next layer of a child unless it was seen. */
static bool make_child(Patterns *patterns, const Child *child, uint32_t place) {
  const Factor *factor = &patterns->factor;
  uint32_t units = factor->units.count;
  if (!see(patterns, child->hash)) return false;
  uint8_t *row = patterns->chosen + (size_t)place * units;
  memcpy(row, patterns->rows + (size_t)child->parent * units, units);
  factor_apply(factor, child->act, factor_next(factor, child->act), row);
  vector_push(&patterns->steps, ((Step){child->parent, child->act}));
  return true;
}

/* Chooses the next layer: the lowest sums, at random among equals. */
static void choose(Patterns *patterns) {
  if (patterns->seen_count > patterns->seen_mask / 2) {
    memset(patterns->seen, 0,
           (patterns->seen_mask + 1) * sizeof *patterns->seen);
    patterns->seen_count = 0;
  }
  uint32_t count = 0;
  vector_push(&patterns->layers, patterns->steps.count);
  for (uint32_t b = 0; b < patterns->bucket_count; b++) {
    ChildVector *bucket = &patterns->buckets[b];
    for (uint32_t i = 0; i < bucket->count && count < patterns->width; i++) {
      uint32_t j = i + random_below(&patterns->random, bucket->count - i);
      Child child = bucket->data[j];
      bucket->data[j] = bucket->data[i];
      count += make_child(patterns, &child, count);
    }
    vector_clear(bucket);
    patterns->offered[b] = 0;
  }
  uint8_t *rows = patterns->rows;
  patterns->rows = patterns->chosen;
  patterns->chosen = rows;
  patterns->count = count;
  patterns->at = 0;
  patterns->depth++;
  patterns->cut = patterns->bucket_count;
  patterns->kept = 0;
}

/* ---- slices ---- */

/* Makes the next database, or layer of the perimeter; returns the number of
   states that take the beam about as long. */
static uint64_t prepare(Patterns *patterns) {
  if (patterns->made < patterns->databases.count) {
    Database *database = &patterns->databases.data[patterns->made];
    Database pattern = *database;
    database_init(database, &patterns->factor, pattern.units, pattern.count);
    patterns->made++;
    return database->reached / 64 + 1;
  }
  uint64_t states = AROUND;
  patterns->ready = !perimeter_grow(&patterns->perimeter, AROUND, &states);
  return (AROUND - states) / 6 + 1;
}

/* Begins the next beam, or the databases that it needs; returns false if there
   is none to begin. */
static bool widen(Patterns *patterns) {
  uint64_t width =
      patterns->width ? (uint64_t)4 * patterns->width : levels[0].width;
  if (width > LAST_WIDTH || width * STATE_BYTES > patterns->memory ||
      patterns->rejected > REJECTED || !most_moves(patterns))
    return false;
  uint32_t level = patterns->level;
  while (level + 1 < LEVELS && levels[level + 1].width <= width) level++;
  /* a database of everything cannot be improved on */
  if (level > patterns->level && patterns->databases.count > 1)
    begin_level(patterns, level);
  else
    begin_beam(patterns, (uint32_t)width);
  return true;
}

/* The start's databases say how long a plan is at least. */
static void prove(Patterns *patterns) {
  const Factor *factor = &patterns->factor;
  uint8_t *row = memory_new(factor->units.count);
  uint32_t sum, highest;
  factor_start(factor, row);
  find_indexes(patterns, row);
  if (!look_up(patterns, patterns->indexes, &sum, &highest))
    highest = FACTOR_NEVER;
  factor_prove(factor, patterns->method.puzzle, patterns_method.name, highest);
  memory_delete(row);
}

/* Works on; returns false if there is nothing left to do. */
static bool step(Patterns *patterns, uint64_t *states) {
  if (!patterns->ready) {
    *states += prepare(patterns);
    if (patterns->ready) prove(patterns);
    return true;
  }
  bool ended = !patterns->width || !patterns->count ||
               patterns->depth >= most_moves(patterns);
  if (ended) return widen(patterns);
  if (patterns->at == patterns->count) {
    choose(patterns);
    if (patterns->count) offer_part(patterns);
    return true;
  }
  (*states)++;
  if (expand(patterns)) patterns->count = 0; /* a wider beam comes next */
  return true;
}

static MethodStatus run(Method *method, const Slice *slice) {
  Patterns *patterns = (Patterns *)method;
  uint64_t states = 0;
  factor_ask_time(&patterns->factor, method->puzzle);
  do
    for (uint32_t i = 0; i < 100 && states < slice->states; i++)
      if (!step(patterns, &states)) return METHOD_DONE;
  while (!method_slice_over(slice, states));
  return METHOD_WORKING;
}

static void explain(Method *method, Text *text) {
  const Patterns *patterns = (const Patterns *)method;
  text_format(text,
              "%u units, %u acts, %u of %u databases, %u states within %u "
              "moves of the end, width %u, depth %u",
              patterns->factor.units.count, patterns->factor.acts.count,
              patterns->made, patterns->databases.count,
              vector_last(&patterns->perimeter.first),
              patterns->perimeter.depth, patterns->width, patterns->depth);
}

const MethodKind patterns_method = {
    .name = "patterns",
    .origin = "Culberson and Schaeffer 1998; Korf 1997",
    .help = "beam search by pattern databases, to a perimeter around the end",
    .pace = 1500,
    .weight = 6, /* few puzzles are of its kind, and those it solves */
    .usual = true,
    .new = new_method,
    .run = run,
    .explain = explain,
    .delete = delete_method,
};
