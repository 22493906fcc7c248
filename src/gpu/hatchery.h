/* Broods made on the card, ahead of a search that is going to ask for them: the
   legal moves of thousands of states at once, and which fluents each of them
   changes. For games in which at most one role has a choice in each state.

   What comes back are facts of the game: they hold for ever, and for any
   evaluation. One thread at a time. If the card fails, functions return false
   and hatchery_error says what happened. */
#ifndef TAFL_GPU_HATCHERY_H
#define TAFL_GPU_HATCHERY_H

#include "gpu/gpu.h"

enum {
  HATCH_CHANGES = 14,      /* fluents that a child may have changed */
  HATCH_NUMBERS = 1 << 16, /* there are fewer moves, and fewer fluents */
  HATCH_TARGETS = 12       /* fluents that a move may capture, one of them */
};
#define HATCH_NOTHING UINT16_MAX

/* What a node is, as bits. */
enum {
  HATCH_MADE = 1,
  HATCH_FORCED = 2, /* no role has a choice */
  HATCH_ATTACKS = 4 /* of its moves only those that attack are there */
};

/* A move of the role in turn, and the state that it leads to. */
typedef struct HatchChild {
  uint16_t move;
  uint8_t over;  /* the state is an end; 0 also if nobody wants to know */
  uint8_t count; /* of fluents that change */
  uint16_t changes[HATCH_CHANGES];
} HatchChild;

/* A state that is not an end, and its legal moves in ascending order. */
typedef struct HatchNode {
  uint64_t key;          /* the sum of the keys of its fluents */
  uint32_t first, count; /* children */
  uint32_t mover;        /* the role in turn; where none has a choice, 0 */
  uint32_t kind;         /* 0: it could not be made */
} HatchNode;

/* The same in a word, but for the key: the first child, 16 bits for how many
   there are, 8 for the mover and 8 for the kind. 0: it could not be made. */
typedef uint64_t HatchLink;

static inline HatchLink hatch_link(const HatchNode *node) {
  return node->first | (uint64_t)node->count << 32 |
         (uint64_t)node->mover << 48 | (uint64_t)node->kind << 56;
}
static inline HatchNode hatch_node(HatchLink link) {
  return (HatchNode){.first = (uint32_t)link,
                     .count = link >> 32 & 0xffff,
                     .mover = link >> 48 & 0xff,
                     .kind = (uint32_t)(link >> 56)};
}

typedef struct Hatchery Hatchery;

#define HATCHERY_ALL UINT32_MAX

typedef struct HatcheryOptions {
  uint32_t requests; /* of a batch, at most */
  uint32_t room;     /* children of a level, at most; 0: as suits the card */
  /* Of the children of every brood that is made for a request, so many have
     broods, too: those that look best to the role that chooses, by
     hatchery_weigh. */
  uint32_t picked;
  /* By move HATCH_TARGETS fluents of which one is true if the move attacks, or
     HATCH_NOTHING: what was picked has attacks alone then. NULL: all moves. */
  const uint16_t *attacks;
  /* What these lead to has such broods, too, `chain` times: of the children of
     each the `followed` best, then half as many each time, but at least one; or
     HATCHERY_ALL. */
  uint32_t chain, followed;
  /* Nobody wants to know which children are ends: most of them are not looked
     at then. */
  bool blind;
} HatcheryOptions;

/* What a part of a batch came to. After the first `roots` nodes, which were
   asked for, each is what a child leads to: the first one what the child does
   that is `back` before the first child of the part, which is one of the part
   before; and so on, child by child. */
typedef struct Hatched {
  /* Of its nodes one of these is there, after hatchery_take, until the next
     part: links if attacks alone were made. */
  const HatchNode *nodes;
  const HatchLink *links;
  uint32_t nodes_count, children_count;
  uint32_t roots, back;
  bool full; /* something was left out for lack of room */
} Hatched;

/* The Gpu is borrowed; `keys` has one for each fluent. Compiles kernels, which
   takes about as long as the first of a Gpu. Returns NULL and says why if there
   can be none. */
Hatchery *hatchery_new(const Gpu *gpu, const uint64_t *keys,
                       const HatcheryOptions *options, Text *why);
/* Another one that makes batches beside those of the first, with the same
   options, kernels and weights; it must be deleted before the first is. Any
   thread, one at a time. */
Hatchery *hatchery_twin(const Hatchery *first, Text *why);
/* Waits for what is under way. */
void hatchery_delete(Hatchery *hatchery);
const char *hatchery_error(const Hatchery *hatchery);

/* Returns how many children a batch has at most. */
uint32_t hatchery_most(const Hatchery *hatchery);

/* Sets what each fluent is worth to each role, by role and fluent; of twins,
   the first. */
bool hatchery_weigh(Hatchery *hatchery, const float *weights);

/* Makes the broods of these states, rows of bits, and of what their moves lead
   to: of each request that child which `moves` names, or HATCHERY_ALL. Waits
   until it is known how many there are; they stay on the card until they are
   taken. */
bool hatchery_hatch(Hatchery *hatchery, const uint64_t *rows,
                    const uint32_t *moves, uint32_t count, Hatched *hatched);
/* Makes the next part of the same batch: broods of what is picked of those of
   the last one. It has no nodes if there are no more. The last part is gone if
   it was not taken. */
bool hatchery_go_on(Hatchery *hatchery, Hatched *hatched);
/* Fetches the part that was made last, all nodes and children. */
bool hatchery_take(Hatchery *hatchery, HatchChild *children);

#endif
