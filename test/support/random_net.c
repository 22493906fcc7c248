#include "support/random_net.h"

typedef struct RandomNet {
  Net *net;
  Random *random;
  SignalVector state; /* signals that do not depend on moves */
  SignalVector all;
} RandomNet;

static Signal random_signal(Random *random, const SignalVector *pool) {
  Signal signal = pool->data[random_below(random, pool->count)];
  return random_below(random, 2) ? signal_not(signal) : signal;
}

Signal random_net_join(Net *net, Random *random, Signal *list, uint32_t count) {
  return random_below(random, 2) ? net_and(net, list, count)
                                 : net_or(net, list, count);
}

static void random_gates(RandomNet *r, uint32_t count, bool moves) {
  SignalVector *pool = moves ? &r->all : &r->state;
  for (uint32_t i = 0; i < count; i++) {
    Signal list[6];
    uint32_t inputs = 2 + random_below(r->random, 5);
    for (uint32_t j = 0; j < inputs; j++)
      list[j] = random_signal(r->random, pool);
    Signal made = random_net_join(r->net, r->random, list, inputs);
    if (signal_gate(made) == 0) continue;
    if (!moves) vector_push(&r->state, made);
    vector_push(&r->all, made);
  }
}

/* Adds signals that are monotone in the variables of a new block. */
static void random_block(RandomNet *r, uint32_t block, bool moves) {
  const SignalVector *pool = moves ? &r->all : &r->state;
  SignalVector growing = {0};
  uint32_t first = r->net->loops.count;
  uint32_t count = 1 + random_below(r->random, 6);
  for (uint32_t i = 0; i < count; i++)
    vector_push(&growing, net_add_loop(r->net, block));
  for (uint32_t i = 0; i < count * 4; i++) {
    Signal list[4];
    uint32_t inputs = 2 + random_below(r->random, 3);
    for (uint32_t j = 0; j < inputs; j++)
      list[j] = j % 2 ? random_signal(r->random, pool)
                      : growing.data[random_below(r->random, growing.count)];
    Signal made = random_net_join(r->net, r->random, list, inputs);
    if (signal_gate(made)) vector_push(&growing, made);
  }
  for (uint32_t i = 0; i < count; i++)
    r->net->loops.data[first + i].definition =
        growing.data[random_below(r->random, growing.count)];
  for (uint32_t i = 0; i < growing.count; i++) {
    if (!moves) vector_push(&r->state, growing.data[i]);
    vector_push(&r->all, growing.data[i]);
  }
  vector_free(&growing);
}

Term random_net_term(Terms *terms, const char *name, uint32_t number) {
  char text[32];
  snprintf(text, sizeof text, "(%s %u)", name, number);
  return front_term(terms, text);
}

static void random_inputs(RandomNet *r, Terms *terms) {
  uint32_t fluents = 1 + random_below(r->random, 80);
  for (uint32_t i = 0; i < fluents; i++) {
    Signal signal = net_add_fluent(r->net, random_net_term(terms, "f", i),
                                   random_below(r->random, 2));
    vector_push(&r->state, signal);
    vector_push(&r->all, signal);
  }
  for (uint32_t role = 0; role < r->net->role_count; role++) {
    uint32_t moves = 1 + random_below(r->random, role ? 8 : 70);
    for (uint32_t i = 0; i < moves; i++)
      vector_push(&r->all,
                  net_add_move(r->net, role, random_net_term(terms, "m", i)));
  }
}

static void random_outputs(RandomNet *r, Terms *terms) {
  Net *net = r->net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    net->fluents.data[i].next = random_signal(r->random, &r->all);
  for (uint32_t i = 0; i < net->moves.count; i++)
    net->moves.data[i].legal = random_below(r->random, 9)
                                   ? random_signal(r->random, &r->state)
                                   : SIGNAL_TRUE;
  net->terminal = random_signal(r->random, &r->state);
  for (uint32_t role = 0; role < net->role_count; role++)
    for (int value = 0; value <= 100; value += 25) {
      char text[16];
      snprintf(text, sizeof text, "%d", value);
      NetGoal goal = {role, value, front_term(terms, text),
                      random_signal(r->random, &r->state)};
      vector_push(&net->goals, goal);
    }
}

void random_net(Net *net, Terms *terms, Random *random, bool blocks) {
  RandomNet r = {.net = net, .random = random};
  uint32_t block = 0;
  net_init(net, 1 + random_below(random, 3));
  random_inputs(&r, terms);
  random_gates(&r, random_below(random, 60), false);
  for (uint32_t i = 0; blocks && i < 1 + random_below(random, 3); i++) {
    random_block(&r, block++, random_below(random, 2));
    random_gates(&r, random_below(random, 20), random_below(random, 2));
  }
  random_gates(&r, random_below(random, 200), true);
  random_outputs(&r, terms);
  vector_free(&r.state);
  vector_free(&r.all);
}
