/* A node's moves and the states that they lead to.

   The engine is asked about a node's legal moves once. Successors are made
   without entering them, which takes 150 to 800 ns each instead of the 800 to
   10,000 of a state whose own legal moves are asked for, so whole broods are
   made and evaluated at once and only those that matter are entered.

   Where the card has made a brood ahead (minimax/nest.h) the engine is not
   asked at all. What comes of a brood is the same either way: its moves are in
   the same order, and the same of its children are known to be ends. */
#ifndef TAFL_MINIMAX_BROOD_H
#define TAFL_MINIMAX_BROOD_H

#include "minimax/parts.h"

/* Lists the moves of the role in turn; the engine stands at the node. Returns
   false if there is none, or no room: brood_free need not be called then. */
bool brood_list(Worker *worker, uint32_t ply, Brood *brood);
/* The same for a node of the nest, wherever the engine stands. Returns false if
   it is not there or there is no room; if it is there, it is not an end. With
   `attacks` moves that cannot be captures may be missing. */
bool brood_fetch(Worker *worker, uint32_t ply, bool attacks, Brood *brood);
void brood_free(Worker *worker, const Brood *brood);

static inline Child *brood_child(const Worker *worker, const Brood *brood,
                                 uint32_t i) {
  return worker->children + brood->first + i;
}

/* Makes a child's sums, and its state unless they do without it; the engine
   stands at the node, unless the brood is hatched. */
void brood_make(Worker *worker, const Brood *brood, Child *child);
/* Makes those from `from` up to `to` that are not made, finds which are ends,
   and evaluates them; the engine stands at the node, unless the brood is
   hatched. */
void brood_make_some(Worker *worker, const Brood *brood, uint32_t from,
                     uint32_t to);
/* Returns true if the move captures: another role has fewer pieces than before.
 */
bool brood_captures(const Minimax *minimax, uint32_t mover,
                    const uint64_t *from, const uint64_t *to);
/* Returns true if the move goes to a place where another role has a piece. */
static inline bool brood_attacks(const Features *features, uint32_t mover,
                                 Move move, const uint64_t *state) {
  uint32_t place = features->moves[move].to;
  uint32_t there = place ? features_at(features, state, place - 1) : 0;
  return there && features->list.data[there - 1].owner != mover;
}
/* Drops the children that cannot be captures, where that can be told. */
void brood_keep_attacks(Worker *worker, Brood *brood);
/* Sorts children from `from` up to `to` by `order`, the highest first. */
void brood_sort(Worker *worker, const Brood *brood, uint32_t from, uint32_t to);
/* Puts the `count` children of the highest `order` first, in order. */
void brood_pick(Worker *worker, const Brood *brood, uint32_t count);

/* Makes the child's state that of the next ply. */
void brood_descend(Worker *worker, uint32_t ply, const Child *child);
/* Returns true if the nest has the brood of the child's state, which is made.
 */
bool brood_there(const Worker *worker, uint32_t ply, const Child *child);

/* The goals of the end at which the engine stands. */
void brood_goals(Worker *worker, float *goals);
/* The score of a ply's state, which is an end at which the engine stands, or
   not. */
Result brood_end(Worker *worker, uint32_t ply);
Result brood_evaluate(Worker *worker, uint32_t ply);

static inline void brood_enter(Worker *worker, uint32_t ply) {
  game_enter(worker->game, worker->plies[ply].state, worker->minimax->words);
}
/* Lets the engine stand at the node again, if more children are to be made. */
static inline void brood_return(Worker *worker, const Brood *brood) {
  if (!brood->hatched) brood_enter(worker, brood->ply);
}

#endif
