/* A tree of other states: every state becomes its image under a permutation of
   the fluents, and every move that under a permutation of the moves. Children
   hang on the same actions as before. */
#include <string.h>

#include "base/bits.h"
#include "search/tree.h"
#include "search/tree_hash.h"

static void map_state(const Tree *tree, Node *node, const TreeImage *image) {
  size_t place =
      node_state_place(tree, node->flags, node_action_count(tree, node));
  uint64_t *state = (void *)((uint8_t *)node + place);
  uint64_t *scratch = image->scratch, key = 0;
  memset(scratch, 0, node->state_words * sizeof *scratch);
  for (uint32_t w = 0; w < node->state_words; w++)
    for (uint64_t bits = state[w]; bits;) {
      uint32_t fluent = image->fluents[w * 64 + bits_take(&bits)];
      bits_add(scratch, fluent);
      key += image->keys[fluent];
    }
  memcpy(state, scratch, node->state_words * sizeof *state);
  node->key = key;
}

static void map_moves(const Tree *tree, Node *node, const TreeImage *image) {
  uint32_t count = node_action_count(tree, node);
  if (!(node->flags & NODE_CLOSED)) {
    Action *actions = node_all(tree, node);
    for (uint32_t i = 0; i < count; i++)
      actions[i].move = image->moves[actions[i].move];
    return;
  }
  void *list = (uint8_t *)node + tree->header;
  for (uint32_t i = 0; i < count; i++)
    if (node->flags & NODE_LONG)
      ((uint32_t *)list)[i] = image->moves[((uint32_t *)list)[i]];
    else
      ((uint16_t *)list)[i] = (uint16_t)image->moves[((uint16_t *)list)[i]];
}

void tree_map(Tree *tree, const TreeImage *image) {
  size_t place = TREE_FIRST_BLOCK;
  tree_hash_clear(tree, tree_hash_slots(tree));
  for (Node *node; (node = node_next(tree, &place));) {
    if (node->flags & NODE_DEAD) continue;
    map_state(tree, node, image);
    map_moves(tree, node, image);
    tree_hash_insert(tree, node);
  }
}
