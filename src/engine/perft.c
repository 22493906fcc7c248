/* Depth-first over all joint moves. The last level is not entered: its
   sequences are the product of the roles' legal moves. */
#include "engine/perft.h"

/* Joint moves in mixed radix: the last role counts fastest. */
typedef struct Joint {
  uint32_t roles;
  uint32_t counts[RULE_ROLES], at[RULE_ROLES];
  TermVector moves; /* of all roles in order */
  uint32_t first[RULE_ROLES];
} Joint;

static void fail_count(Game *game) {
  if (!game_failed(game))
    text_add(&game->error, "more than 18446744073709551615 move sequences");
}

static uint64_t joint_init(Joint *joint, Game *game) {
  uint64_t product = 1;
  joint->roles = game->role_count;
  for (uint32_t role = 0; role < joint->roles; role++) {
    const Move *moves;
    joint->counts[role] = game_legal(game, role, &moves);
    joint->at[role] = 0;
    joint->first[role] = joint->moves.count;
    for (uint32_t i = 0; i < joint->counts[role]; i++)
      vector_push(&joint->moves, moves[i]);
    if (__builtin_mul_overflow(product, joint->counts[role], &product))
      fail_count(game);
  }
  return product;
}

static void joint_get(const Joint *joint, Move *moves) {
  for (uint32_t role = 0; role < joint->roles; role++)
    moves[role] = joint->moves.data[joint->first[role] + joint->at[role]];
}

static bool joint_next(Joint *joint) {
  for (uint32_t role = joint->roles; role-- > 0;) {
    if (++joint->at[role] < joint->counts[role]) return true;
    joint->at[role] = 0;
  }
  return false;
}

uint64_t perft_count(Game *game, uint32_t depth) {
  if (depth == 0) return 1;
  if (game_terminal(game)) return 0;
  Joint *joint = memory_new(sizeof *joint);
  uint64_t total = joint_init(joint, game);
  if (depth > 1 && total) {
    Move moves[RULE_ROLES];
    total = 0;
    do {
      joint_get(joint, moves);
      game_make(game, moves);
      if (__builtin_add_overflow(total, perft_count(game, depth - 1), &total))
        fail_count(game);
      game_retract(game);
    } while (joint_next(joint) && !game_failed(game));
  }
  vector_free(&joint->moves);
  memory_delete(joint);
  return total;
}
