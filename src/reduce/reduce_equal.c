/* Fluents that are equal in every state, or always different, or constant (van
   Eijk 2000, with structural equality in place of proofs). Each fluent is taken
   with the sign that makes it false in the initial state. Classes of such
   signals begin as coarse as random play allows; then the net is made with one
   fluent read for each class, and classes are split by the resulting next
   signals. Once none is split, members of a class are equal initially and stay
   equal, whatever moves are made. Class 0 is that of constants, whose next
   signal is false.

   If the classes do not settle in time, only fluents with identical next
   signals are joined, which needs no induction. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/random.h"
#include "base/trial.h"
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

/* A fluent and what decides its class. */
typedef struct Member {
  uint64_t key;
  uint32_t class, fluent;
} Member;

typedef struct Classes {
  const Net *net;
  uint32_t *of;     /* by fluent; 0: constant */
  uint32_t *leader; /* by class: its fluent with the lowest number */
  uint32_t count;   /* with class 0 */
} Classes;

/* ---- random play, 64 games at once ---- */

typedef struct Play {
  const Net *net;
  Random random;
  uint64_t *values; /* by gate */
  uint64_t *state;  /* by fluent */
  uint64_t *keys;   /* by fluent: a hash of its values so far */
} Play;

static void choose_moves(Play *play) {
  const Net *net = play->net;
  for (uint32_t i = 0; i < net->moves.count; i++)
    play->values[net->moves.data[i].gate] = 0;
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t first = net->role_first.data[role];
    uint32_t count = net->role_first.data[role + 1] - first;
    for (uint32_t game = 0; game < 64 && count; game++) {
      uint32_t move = first + random_below(&play->random, count);
      play->values[net->moves.data[move].gate] |= (uint64_t)1 << game;
    }
  }
}

static uint64_t value_of(const Play *play, Signal signal) {
  uint64_t value = play->values[signal_gate(signal)];
  return signal_negated(signal) ? ~value : value;
}

static void evaluate(Play *play) {
  trial_check();
  const Net *net = play->net;
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    if (g->kind == GATE_FLUENT) play->values[gate] = play->state[g->first];
    if (g->kind != GATE_AND) continue;
    uint64_t value = ~(uint64_t)0;
    for (uint32_t i = 0; i < g->count; i++)
      value &= value_of(play, net->inputs.data[g->first + i]);
    play->values[gate] = value;
  }
}

static void note_state(Play *play) {
  const Net *net = play->net;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    uint64_t sign = net->fluents.data[i].initial ? ~(uint64_t)0 : 0;
    uint64_t value = play->state[i] ^ sign;
    if (value || play->keys[i])
      play->keys[i] = hash_pair(play->keys[i], value) | 1;
  }
}

/* Fluents that differ get different keys; the key of a constant is 0. */
static void play_games(const Net *net, uint64_t *keys) {
  enum { STEPS = 400, WORK = 40000000 };
  Play play = {.net = net, .keys = keys};
  uint64_t work = 0, cost = 1 + net_count_edges(net);
  if (net->loops.count) return;
  random_seed(&play.random, 1);
  play.values = memory_new(net->gates.count * sizeof *play.values);
  play.state = memory_new(net->fluents.count * sizeof *play.state);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    play.state[i] = net->fluents.data[i].initial ? ~(uint64_t)0 : 0;
  for (uint32_t step = 0; step < STEPS && work < WORK; step++, work += cost) {
    choose_moves(&play);
    evaluate(&play);
    for (uint32_t i = 0; i < net->fluents.count; i++)
      play.state[i] = value_of(&play, net->fluents.data[i].next);
    note_state(&play);
  }
  memory_delete(play.values);
  memory_delete(play.state);
}

/* ---- classes ---- */

static int by_class(const void *left, const void *right) {
  const Member *a = left, *b = right;
  if (a->class != b->class) return a->class < b->class ? -1 : 1;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->fluent > b->fluent) - (a->fluent < b->fluent);
}

/* Splits the classes by the keys; returns true if there are more than before.
   Only members with key 0 stay in class 0. */
static bool split(Classes *classes, const uint64_t *keys) {
  uint32_t count = classes->net->fluents.count, old = classes->count;
  Member *members = memory_new(count * sizeof *members);
  for (uint32_t i = 0; i < count; i++)
    members[i] = (Member){keys[i], classes->of[i], i};
  if (count) qsort(members, count, sizeof *members, by_class);
  classes->count = 1;
  for (uint32_t i = 0; i < count; i++) {
    Member member = members[i];
    if (member.class == 0 && member.key == 0) {
      classes->of[member.fluent] = 0;
      continue;
    }
    if (i == 0 || members[i - 1].class != member.class ||
        members[i - 1].key != member.key)
      classes->leader[classes->count++] = member.fluent;
    classes->of[member.fluent] = classes->count - 1;
  }
  memory_delete(members);
  return classes->count > old;
}

/* Maps every fluent to its class's leader. */
static void map_fluents(const Classes *classes, Rebuild *rebuild) {
  const Net *net = classes->net;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    const NetFluent *fluent = &net->fluents.data[i];
    uint32_t class = classes->of[i];
    const NetFluent *leader = &net->fluents.data[classes->leader[class]];
    Signal read = SIGNAL_FALSE;
    if (class)
      read =
          gate_signal(rebuild->to->fluents.data[classes->leader[class]].gate) ^
          leader->initial;
    rebuild->map[fluent->gate] = read ^ fluent->initial;
  }
}

static void make(const Classes *classes, Net *out) {
  Rebuild rebuild;
  rebuild_begin(&rebuild, classes->net, out);
  map_fluents(classes, &rebuild);
  for (Gate gate = 0; gate < classes->net->gates.count; gate++)
    if (rebuild_is_and(&rebuild, gate)) rebuild_copy(&rebuild, gate);
  rebuild_end(&rebuild);
}

static void key_by_next(const Net *net, uint64_t *keys) {
  for (uint32_t i = 0; i < net->fluents.count; i++)
    keys[i] = net->fluents.data[i].next ^ net->fluents.data[i].initial;
}

/* Makes the net by the classes until none is split; returns false if that takes
   too long. */
static bool settle(Classes *classes, uint64_t *keys, Net *out) {
  enum { WORK = 20000000 };
  uint64_t work = 0, cost = 1 + net_count_edges(classes->net);
  for (uint32_t round = 0; round == 0 || work < WORK; round++, work += cost) {
    make(classes, out);
    key_by_next(out, keys);
    if (!split(classes, keys)) return true;
    net_free(out);
  }
  return false;
}

/* Classes of fluents with the same sign and next signal. */
static void join_same(Classes *classes, uint64_t *keys) {
  memset(classes->of, 0, classes->net->fluents.count * sizeof *classes->of);
  classes->count = 1;
  key_by_next(classes->net, keys);
  for (uint32_t i = 0; i < classes->net->fluents.count; i++) keys[i]++;
  split(classes, keys);
}

void reduce_equal(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  uint32_t count = in->fluents.count;
  Classes classes = {.net = in, .count = 1};
  uint64_t *keys = memory_new(count * sizeof *keys);
  classes.of = memory_new(count * sizeof *classes.of);
  classes.leader = memory_new((count + 1) * sizeof *classes.leader);
  play_games(in, keys);
  split(&classes, keys);
  if (!settle(&classes, keys, out)) {
    join_same(&classes, keys);
    make(&classes, out);
  }
  memory_delete(keys);
  memory_delete(classes.of);
  memory_delete(classes.leader);
}
