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
#include "reduce/reads.h"
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

/* Marks the gates that next signals depend on; where there are loops, all that
   are live. */
static bool *mark_needed(const Net *net) {
  bool *needed = memory_new(net->gates.count * sizeof *needed);
  if (net->loops.count) {
    reads_mark_live(net, needed);
    return needed;
  }
  for (uint32_t i = 0; i < net->fluents.count; i++)
    needed[signal_gate(net->fluents.data[i].next)] = true;
  reads_mark_below(net, needed);
  return needed;
}

/* ---- random play, 64 games at once ---- */

typedef struct Play {
  const Net *net;
  VECTOR(NetGate) ands; /* that are needed, in order */
  NumberVector gates;   /* of these */
  Random random;
  uint64_t *values; /* by signal */
  uint64_t *state;  /* by fluent */
  uint64_t *keys;   /* by fluent: a hash of its values so far */
} Play;

static void set_value(Play *play, Gate gate, uint64_t value) {
  play->values[gate_signal(gate)] = value;
  play->values[signal_not(gate_signal(gate))] = ~value;
}

static void choose_moves(Play *play, uint64_t *chosen) {
  const Net *net = play->net;
  memset(chosen, 0, net->moves.count * sizeof *chosen);
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t first = net->role_first.data[role];
    uint32_t count = net->role_first.data[role + 1] - first;
    for (uint32_t game = 0; game < 64 && count; game++)
      chosen[first + random_below(&play->random, count)] |= (uint64_t)1 << game;
  }
  for (uint32_t i = 0; i < net->moves.count; i++)
    set_value(play, net->moves.data[i].gate, chosen[i]);
}

static void evaluate(Play *play) {
  trial_check();
  const Net *net = play->net;
  const uint64_t *values = play->values;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    set_value(play, net->fluents.data[i].gate, play->state[i]);
  for (uint32_t i = 0; i < play->ands.count; i++) {
    const NetGate *and = &play->ands.data[i];
    const Signal *inputs = net->inputs.data + and->first;
    uint64_t value = values[inputs[0]] & values[inputs[1]];
    for (uint32_t j = 2; j < and->count; j++) value &= values[inputs[j]];
    set_value(play, play->gates.data[i], value);
  }
}

static void list_needed(Play *play, const bool *needed) {
  const Net *net = play->net;
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    if (net->gates.data[gate].kind != GATE_AND || !needed[gate]) continue;
    vector_push(&play->ands, net->gates.data[gate]);
    vector_push(&play->gates, gate);
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

static int by_number(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static uint32_t count_different(const uint64_t *keys, uint32_t count) {
  uint64_t *sorted = memory_new((count + 1) * sizeof *sorted);
  uint32_t different = 0;
  for (uint32_t i = 0; i < count; i++) sorted[i] = keys[i];
  if (count) qsort(sorted, count, sizeof *sorted, by_number);
  for (uint32_t i = 0; i < count; i++)
    different += i == 0 || sorted[i] != sorted[i - 1];
  memory_delete(sorted);
  return different;
}

/* Is each fluent in a class of its own, and none constant? */
static bool all_differ(const uint64_t *keys, uint32_t count,
                       uint32_t different) {
  for (uint32_t i = 0; i < count; i++)
    if (!keys[i]) return false;
  return different == count;
}

static void play_step(Play *play, uint64_t *chosen) {
  const Net *net = play->net;
  choose_moves(play, chosen);
  evaluate(play);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    play->state[i] = play->values[net->fluents.data[i].next];
  note_state(play);
}

/* Fluents that differ get different keys; the key of a constant is 0. Ends when
   some steps showed no more differences: what is left to find takes rounds of
   `settle`, which come to the same classes. hex ends after 112 steps. */
static void play_games(const Net *net, const bool *needed, uint64_t *keys) {
  enum { STEPS = 400, WORK = 40000000, SOME = 16 };
  Play play = {.net = net, .keys = keys};
  uint64_t work = 0, cost = 1 + net_count_edges(net);
  uint32_t known = 0;
  if (net->loops.count) return;
  list_needed(&play, needed);
  random_seed(&play.random, 1);
  play.values = memory_new(2 * (size_t)net->gates.count * sizeof *play.values);
  play.state = memory_new(net->fluents.count * sizeof *play.state);
  uint64_t *chosen = memory_new(net->moves.count * sizeof *chosen);
  set_value(&play, 0, 0);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    play.state[i] = net->fluents.data[i].initial ? ~(uint64_t)0 : 0;
  for (uint32_t step = 0; step < STEPS && work < WORK; step++, work += cost) {
    if (step % SOME == 0 && step) {
      uint32_t different = count_different(keys, net->fluents.count);
      if (different == known || all_differ(keys, net->fluents.count, different))
        break;
      known = different;
    }
    play_step(&play, chosen);
  }
  vector_free(&play.ands);
  vector_free(&play.gates);
  memory_delete(play.values);
  memory_delete(play.state);
  memory_delete(chosen);
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

/* What a fluent is in the net that is made by the classes: its class's leader,
   or the other value. */
static Signal find_signal(const Classes *classes, const Net *made,
                          uint32_t fluent) {
  const Net *net = classes->net;
  uint32_t class = classes->of[fluent], leader = classes->leader[class];
  Signal read = SIGNAL_FALSE;
  if (class)
    read = gate_signal(made->fluents.data[leader].gate) ^
           net->fluents.data[leader].initial;
  return read ^ net->fluents.data[fluent].initial;
}

static void make(const Classes *classes, Net *out) {
  Rebuild rebuild;
  rebuild_begin(&rebuild, classes->net, out);
  for (uint32_t i = 0; i < classes->net->fluents.count; i++)
    rebuild.map[classes->net->fluents.data[i].gate] =
        find_signal(classes, out, i);
  rebuild_copy_all(&rebuild);
  rebuild_end(&rebuild);
}

static void key_by_next(const Net *net, uint64_t *keys) {
  for (uint32_t i = 0; i < net->fluents.count; i++)
    keys[i] = net->fluents.data[i].next ^ net->fluents.data[i].initial;
}

/* A draft is a net that grows: a gate is made again where what it reads has
   changed, and stays as it is otherwise. Gates are equal in it if they are
   equal in a net that is made afresh. */
typedef struct Draft {
  const Classes *classes;
  const bool *needed; /* gates of the net */
  Rebuild rebuild;
  Net net;
  bool *changed; /* by gate, in this round */
  bool fresh;    /* nothing is made yet */
} Draft;

static void draft_begin(Draft *draft) {
  rebuild_begin(&draft->rebuild, draft->classes->net, &draft->net);
  draft->fresh = true;
}

static void draft_end(Draft *draft) {
  rebuild_end(&draft->rebuild);
  net_free(&draft->net);
}

static bool reads_changed(const Draft *draft, Gate gate) {
  const Net *net = draft->classes->net;
  const Signal *inputs = net_inputs(net, gate);
  for (uint32_t i = 0; i < net->gates.data[gate].count; i++)
    if (draft->changed[signal_gate(inputs[i])]) return true;
  return false;
}

static void draft_fluents(Draft *draft) {
  const Net *net = draft->classes->net;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    Gate gate = net->fluents.data[i].gate;
    Signal signal = find_signal(draft->classes, &draft->net, i);
    draft->changed[gate] = signal != draft->rebuild.map[gate];
    draft->rebuild.map[gate] = signal;
  }
}

/* Makes the draft anew where it does not fit the classes, and sets the keys. */
static void draft_round(Draft *draft, uint64_t *keys) {
  const Net *net = draft->classes->net;
  Signal *map = draft->rebuild.map;
  draft_fluents(draft);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    if (!draft->needed[gate] || net->gates.data[gate].kind != GATE_AND)
      continue;
    Signal before = map[gate];
    bool makes = draft->fresh || reads_changed(draft, gate);
    if (makes) rebuild_copy(&draft->rebuild, gate);
    draft->changed[gate] = makes && map[gate] != before;
  }
  draft->fresh = false;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    keys[i] = rebuild_signal(&draft->rebuild, net->fluents.data[i].next) ^
              net->fluents.data[i].initial;
}

/* What is no more of use in the draft must not take much memory. */
static void draft_clear(Draft *draft) {
  enum { TIMES = 4 };
  if (draft->net.inputs.count / TIMES < draft->classes->net->inputs.count)
    return;
  draft_end(draft);
  draft_begin(draft);
}

/* Splits classes until the net that is made by them splits none; returns false
   if that takes too long. */
static bool settle(Classes *classes, const bool *needed, uint64_t *keys) {
  enum { WORK = 20000000 };
  uint64_t work = 0, cost = 1 + net_count_edges(classes->net);
  if (classes->count == classes->net->fluents.count + 1) return true;
  Draft draft = {.classes = classes, .needed = needed};
  bool splits = true;
  draft.changed = memory_new(classes->net->gates.count * sizeof(bool));
  draft_begin(&draft);
  for (uint32_t round = 0; splits && (round == 0 || work < WORK);
       round++, work += cost) {
    draft_round(&draft, keys);
    splits = split(classes, keys);
    draft_clear(&draft);
  }
  draft_end(&draft);
  memory_delete(draft.changed);
  return !splits;
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
  bool *needed = mark_needed(in);
  play_games(in, needed, keys);
  split(&classes, keys);
  if (!settle(&classes, needed, keys)) join_same(&classes, keys);
  make(&classes, out);
  memory_delete(needed);
  memory_delete(keys);
  memory_delete(classes.of);
  memory_delete(classes.leader);
}
