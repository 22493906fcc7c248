/* Databases are filled breadth-first from the ends, by tables that have for
   each act, each unit of the pattern that matters to it, and each value what
   the unit's value before the act adds to the index. */
#include "solve/database.h"

static const int32_t NOWHERE = INT32_MIN; /* there is no value before */

/* A unit that matters to an act. */
typedef struct Change {
  uint32_t place; /* of the unit in the pattern */
  int32_t *adds;  /* by value, to the index */
} Change;

typedef struct Filling {
  const Factor *factor;
  Database *database;
  uint32_t counts[DATABASE_UNITS]; /* by unit: values */
  NumberVector first; /* changes of each act that matters here, and one more */
  VECTOR(Change) changes;
  int32_t *adds;
  uint32_t *queue;
  uint32_t count;
} Filling;

static void set_strides(const Factor *factor, Database *database) {
  database->size = 1;
  for (uint32_t i = 0; i < database->count; i++) {
    database->stride[i] = database->size;
    database->size *= factor->units.data[database->units[i]].count;
  }
}

static bool act_matters(const Database *database, const FactorAct *act) {
  for (uint32_t c = 0; c < act->count; c++)
    for (uint32_t i = 0; i < database->count; i++)
      if (act->changes[c] == database->units[i]) return true;
  return false;
}

static void tabulate_unit(Filling *filling, uint32_t act, uint32_t place,
                          int32_t *adds) {
  const Factor *factor = filling->factor;
  const Database *database = filling->database;
  const uint8_t *back = factor_back(factor, act) +
                        factor->units.data[database->units[place]].offset;
  bool matters = false;
  for (uint32_t v = 0; v < filling->counts[place]; v++) {
    int32_t moved = (int32_t)back[v] - (int32_t)v;
    adds[v] = back[v] == FACTOR_NONE ? NOWHERE
                                     : moved * (int32_t)database->stride[place];
    matters |= adds[v] != 0;
  }
  if (matters) vector_push(&filling->changes, ((Change){place, adds}));
}

static void tabulate(Filling *filling) {
  const Factor *factor = filling->factor;
  const Database *database = filling->database;
  uint32_t values = 0;
  for (uint32_t i = 0; i < database->count; i++) {
    filling->counts[i] = factor->units.data[database->units[i]].count;
    values += filling->counts[i];
  }
  filling->adds =
      memory_new((size_t)factor->acts.count * values * sizeof *filling->adds);
  int32_t *adds = filling->adds;
  for (uint32_t act = 0; act < factor->acts.count; act++) {
    if (!act_matters(database, &factor->acts.data[act])) continue;
    vector_push(&filling->first, filling->changes.count);
    for (uint32_t i = 0; i < database->count; i++) {
      tabulate_unit(filling, act, i, adds);
      adds += filling->counts[i];
    }
  }
  vector_push(&filling->first, filling->changes.count);
}

static void reach(Filling *filling, uint32_t index, uint32_t distance) {
  uint8_t *entry = &filling->database->distance[index];
  if (*entry != DATABASE_FAR) return;
  *entry = (uint8_t)distance;
  filling->queue[filling->count++] = index;
}

/* Reaches all ends that have the index so far in units before `i`. */
static void reach_ends(Filling *filling, uint32_t i, uint32_t index) {
  const Database *database = filling->database;
  if (i == database->count) {
    reach(filling, index, 0);
    return;
  }
  const FactorUnit *unit = &filling->factor->units.data[database->units[i]];
  for (uint32_t v = 0; v < unit->count; v++)
    if (filling->factor->goal[unit->offset + v])
      reach_ends(filling, i + 1, index + v * database->stride[i]);
}

/* Reaches everything one act before an entry. */
static void reach_before(Filling *filling, uint32_t index) {
  const Database *database = filling->database;
  uint32_t values[DATABASE_UNITS], distance = database->distance[index];
  uint32_t rest = index;
  for (uint32_t i = 0; i < database->count; i++) {
    values[i] = rest % filling->counts[i];
    rest /= filling->counts[i];
  }
  /* what is farther away than that has the highest distance */
  if (distance < DATABASE_FAR - 1) distance++;
  const Change *change = filling->changes.data;
  for (uint32_t act = 0; act + 1 < filling->first.count; act++) {
    const Change *end = filling->changes.data + filling->first.data[act + 1];
    uint32_t before = index;
    for (; change < end; change++) {
      int32_t adds = change->adds[values[change->place]];
      if (adds == NOWHERE) break;
      before += (uint32_t)adds;
    }
    if (change == end) reach(filling, before, distance);
    change = end;
  }
}

void database_init(Database *database, const Factor *factor,
                   const uint8_t *units, uint32_t count) {
  *database = (Database){.count = count};
  memcpy(database->units, units, count);
  set_strides(factor, database);
  database->distance = memory_new(database->size);
  memset(database->distance, DATABASE_FAR, database->size);
  Filling filling = {.factor = factor, .database = database};
  filling.queue = memory_new(database->size * sizeof *filling.queue);
  tabulate(&filling);
  reach_ends(&filling, 0, 0);
  for (uint32_t i = 0; i < filling.count; i++)
    reach_before(&filling, filling.queue[i]);
  database->reached = filling.count;
  database->highest = database->distance[filling.queue[filling.count - 1]];
  vector_free(&filling.first);
  vector_free(&filling.changes);
  memory_delete(filling.adds);
  memory_delete(filling.queue);
}

void database_free(Database *database) {
  memory_delete(database->distance);
}

/* ---- choosing ---- */

static void sort_units(Database *database) {
  for (uint32_t i = 1; i < database->count; i++)
    for (uint32_t j = i; j && database->units[j] < database->units[j - 1];
         j--) {
      uint8_t unit = database->units[j];
      database->units[j] = database->units[j - 1];
      database->units[j - 1] = unit;
    }
}

void database_divide(const Factor *factor, Random *random, uint32_t most,
                     DatabaseVector *databases) {
  uint8_t order[FACTOR_UNITS];
  uint32_t count = factor->units.count;
  for (uint32_t u = 0; u < count; u++) {
    uint32_t at = random_below(random, u + 1);
    order[u] = order[at];
    order[at] = (uint8_t)u;
  }
  Database database = {.size = 1};
  for (uint32_t u = 0; u < count; u++) {
    uint32_t values = factor->units.data[order[u]].count;
    if (database.count && (database.count == DATABASE_UNITS ||
                           (uint64_t)database.size * values > most)) {
      sort_units(&database);
      vector_push(databases, database);
      database = (Database){.size = 1};
    }
    database.units[database.count++] = order[u];
    database.size *= values;
  }
  sort_units(&database);
  vector_push(databases, database);
}
