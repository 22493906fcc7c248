/* Databases are filled breadth-first from the ends, by tables that have for
   each act, unit of the pattern and value what the unit's value before the act
   adds to the index. */
#include "solve/database.h"

static const uint32_t NOWHERE = (uint32_t)1 << 31; /* sums of these overflow */

typedef struct Filling {
  const Factor *factor;
  Database *database;
  uint32_t counts[DATABASE_UNITS], firsts[DATABASE_UNITS]; /* by unit: values */
  uint32_t values;  /* of all its units */
  uint32_t acts;    /* that matter here */
  uint32_t *before; /* by act, then value: share of the index */
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

static void tabulate(Filling *filling) {
  const Factor *factor = filling->factor;
  const Database *database = filling->database;
  for (uint32_t i = 0; i < database->count; i++) {
    filling->counts[i] = factor->units.data[database->units[i]].count;
    filling->firsts[i] = filling->values;
    filling->values += filling->counts[i];
  }
  size_t cells = (size_t)factor->acts.count * filling->values + 1;
  filling->before = memory_new(cells * sizeof *filling->before);
  uint32_t *to = filling->before;
  for (uint32_t act = 0; act < factor->acts.count; act++) {
    if (!act_matters(database, &factor->acts.data[act])) continue;
    filling->acts++;
    for (uint32_t i = 0; i < database->count; i++) {
      const uint8_t *back = factor_back(factor, act) +
                            factor->units.data[database->units[i]].offset;
      for (uint32_t v = 0; v < filling->counts[i]; v++)
        *to++ =
            back[v] == FACTOR_NONE ? NOWHERE : back[v] * database->stride[i];
    }
  }
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
  uint32_t at[DATABASE_UNITS], distance = database->distance[index];
  uint32_t count = database->count, rest = index;
  for (uint32_t i = 0; i < count; i++) {
    at[i] = filling->firsts[i] + rest % filling->counts[i];
    rest /= filling->counts[i];
  }
  /* what is farther away than that has the highest distance */
  if (distance < DATABASE_FAR - 1) distance++;
  const uint32_t *before = filling->before;
  for (uint32_t act = 0; act < filling->acts; act++) {
    uint32_t sum = 0, nowhere = 0;
    for (uint32_t i = 0; i < count; i++) {
      sum += before[at[i]];
      nowhere |= before[at[i]];
    }
    before += filling->values;
    if (!(nowhere & NOWHERE)) reach(filling, sum, distance);
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
  memory_delete(filling.before);
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
