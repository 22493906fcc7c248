#include "support/proof.h"

#include "base/hash.h"
#include "engine/turn.h"

enum { ROLES = 2, INFINITE = 1 << 30 };

typedef struct Numbers {
  uint32_t proof, disproof;
} Numbers;

void proof_init(Proof *proof, Game *game, uint64_t limit) {
  *proof = (Proof){.game = game, .limit = limit, .constant_sum = true};
  proof->table = memory_new(PROOF_TABLE * sizeof *proof->table);
}

void proof_free(Proof *proof) {
  memory_delete(proof->table);
  vector_free(&proof->children);
}

void proof_begin(Proof *proof) {
  proof->states = 0;
  proof->beyond = proof->simultaneous = false;
  proof->constant_sum = true;
}

/* ---- the table ---- */

static ProofEntry *bucket_of(Proof *proof, uint64_t question) {
  return &proof->table[question % (PROOF_TABLE / PROOF_BUCKET) * PROOF_BUCKET];
}

static Numbers look_up(Proof *proof, uint64_t question) {
  const ProofEntry *entry = bucket_of(proof, question);
  for (uint32_t i = 0; i < PROOF_BUCKET; i++, entry++)
    if (entry->question == question)
      return (Numbers){entry->proof, entry->disproof};
  return (Numbers){1, 1};
}

/* Replaces the entry of the question, or that of the least work. */
static void note(Proof *proof, uint64_t question, Numbers numbers,
                 uint64_t work) {
  ProofEntry *entry = bucket_of(proof, question), *least = entry;
  for (uint32_t i = 0; i < PROOF_BUCKET; i++, entry++) {
    if (entry->question == question) {
      least = entry;
      work += entry->work;
      break;
    }
    if (entry->work < least->work) least = entry;
  }
  *least = (ProofEntry){question, numbers.proof, numbers.disproof, work};
}

/* ---- states ---- */

static Numbers end_of(Proof *proof) {
  int own = game_goal(proof->game, proof->role);
  if (own + game_goal(proof->game, 1 - proof->role) != 100)
    proof->constant_sum = false;
  return own >= proof->goal ? (Numbers){0, INFINITE} : (Numbers){INFINITE, 0};
}

static uint64_t question_of(Proof *proof) {
  return hash_pair(game_key(proof->game),
                   (uint64_t)proof->goal << 1 | proof->role);
}

/* A state that is being searched. */
typedef struct ProofNode {
  bool own; /* the role moves, or nobody has a choice */
  uint32_t mover;
  Move joint[ROLES];
  uint32_t first, count; /* in Proof.children */
} ProofNode;

static void make_child(Proof *proof, ProofNode *node, uint32_t number) {
  node->joint[node->mover] = proof->children.data[node->first + number].move;
  proof->states++;
  game_make(proof->game, node->joint);
}

/* Numbers of the child, which is the current state. */
static void look_at(Proof *proof, uint32_t at) {
  Numbers numbers;
  uint64_t question = 0;
  if (game_terminal(proof->game)) {
    numbers = end_of(proof);
  } else {
    question = question_of(proof);
    numbers = look_up(proof, question);
  }
  ProofChild *child = &proof->children.data[at];
  child->question = question;
  child->proof = numbers.proof;
  child->disproof = numbers.disproof;
}

static void open_node(Proof *proof, ProofNode *node) {
  Game *game = proof->game;
  Turn turn = turn_of(game);
  const Move *moves;
  if (turn.movers > 1) proof->simultaneous = true;
  node->mover = turn.movers ? turn.role : proof->role;
  node->own = node->mover == proof->role;
  for (uint32_t role = 0; role < ROLES; role++) {
    game_legal(game, role, &moves);
    node->joint[role] = moves[0];
  }
  node->first = proof->children.count;
  node->count = game_legal(game, node->mover, &moves);
  for (uint32_t i = 0; i < node->count; i++)
    vector_push(&proof->children, ((ProofChild){.move = moves[i]}));
  for (uint32_t i = 0; i < node->count; i++) {
    make_child(proof, node, i);
    look_at(proof, node->first + i);
    game_retract(game);
    const ProofChild *child = &proof->children.data[node->first + i];
    if (node->own ? child->proof == 0 : child->disproof == 0) {
      node->count = i + 1; /* that decides */
      break;
    }
  }
}

/* ---- the search ---- */

/* The number that one child decides, and the one that all add to. */
static uint32_t single(const ProofNode *node, const ProofChild *child) {
  return node->own ? child->proof : child->disproof;
}

static uint32_t joined(const ProofNode *node, const ProofChild *child) {
  return node->own ? child->disproof : child->proof;
}

typedef struct ProofSums {
  uint32_t least, second; /* of single */
  uint32_t best;          /* the child that has it */
  uint32_t most, others;  /* of joined: the largest, and undecided others */
} ProofSums;

static ProofSums sum_up(const Proof *proof, const ProofNode *node) {
  ProofSums sums = {.least = INFINITE + 1, .second = INFINITE};
  uint32_t undecided = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    const ProofChild *child = &proof->children.data[node->first + i];
    uint32_t one = single(node, child), sum = joined(node, child);
    if (one < sums.least) {
      if (sums.least < sums.second) sums.second = sums.least;
      sums.least = one;
      sums.best = i;
    } else if (one < sums.second) {
      sums.second = one;
    }
    if (sum > sums.most) sums.most = sum;
    undecided += sum != 0;
  }
  sums.others = undecided ? undecided - 1 : 0;
  return sums;
}

static uint32_t bounded(uint64_t number) {
  return number < INFINITE ? (uint32_t)number : INFINITE;
}

static Numbers numbers_of(const ProofNode *node, const ProofSums *sums) {
  uint32_t one = bounded(sums->least),
           all = sums->least == 0
                     ? INFINITE
                     : bounded((uint64_t)sums->most + sums->others);
  if (one >= INFINITE) all = 0;
  return node->own ? (Numbers){one, all} : (Numbers){all, one};
}

static Numbers search(Proof *proof, uint64_t question, Numbers limits);

/* Searches the most promising child, until its numbers say that another one
   is, or that this state is less promising than those beside it. */
static void search_child(Proof *proof, ProofNode *node, const ProofSums *sums,
                         Numbers limits) {
  ProofChild child = proof->children.data[node->first + sums->best];
  uint32_t one = node->own ? limits.proof : limits.disproof,
           all = node->own ? limits.disproof : limits.proof;
  uint64_t second = (uint64_t)sums->second + sums->second / 4 + 1;
  if (second < one) one = (uint32_t)second;
  all = all > sums->others ? all - sums->others : 1;
  make_child(proof, node, sums->best);
  Numbers found = search(proof, child.question,
                         node->own ? (Numbers){one, all} : (Numbers){all, one});
  game_retract(proof->game);
  ProofChild *changed = &proof->children.data[node->first + sums->best];
  changed->proof = found.proof;
  changed->disproof = found.disproof;
}

/* Searches the current state until one of its numbers reaches its limit. */
static Numbers search(Proof *proof, uint64_t question, Numbers limits) {
  ProofNode node;
  Numbers numbers;
  uint64_t states = proof->states;
  open_node(proof, &node);
  for (;;) {
    ProofSums sums = sum_up(proof, &node);
    numbers = numbers_of(&node, &sums);
    if (numbers.proof >= limits.proof || numbers.disproof >= limits.disproof)
      break;
    if (proof->states >= proof->limit || proof->simultaneous)
      proof->beyond = true;
    if (proof->beyond) break;
    search_child(proof, &node, &sums, limits);
  }
  proof->children.count = node.first;
  note(proof, question, numbers, proof->states - states);
  return numbers;
}

bool proof_reaches(Proof *proof, uint32_t role, int goal) {
  proof->role = role;
  proof->goal = goal;
  if (game_terminal(proof->game)) return end_of(proof).proof == 0;
  uint64_t question = question_of(proof);
  Numbers numbers = look_up(proof, question);
  while (numbers.proof && numbers.disproof && !proof->beyond)
    numbers = search(proof, question, (Numbers){INFINITE, INFINITE});
  return numbers.proof == 0;
}
