/* Depth-first over all joint moves. The last level is not entered: its
   sequences are the product of the roles' legal moves. */
#include "engine/perft.h"

#include "engine/moves.h"

/* Joint moves in mixed radix: the last role counts fastest. */
typedef struct Joint {
  uint32_t roles;
  uint32_t counts[RULE_ROLES], at[RULE_ROLES];
  MoveVector moves; /* of all roles in order */
  uint32_t first[RULE_ROLES];
} Joint;

static void fail_count(Game *game) {
  if (!game_failed(game))
    text_add(&game->error, "more than 18446744073709551615 move sequences");
}

/* Returns the number of joint moves. Sorting them takes time. */
static uint64_t joint_init(Joint *joint, Game *game, bool sorted) {
  uint64_t product = 1;
  joint->roles = game->role_count;
  for (uint32_t role = 0; role < joint->roles; role++) {
    const Move *moves;
    joint->at[role] = 0;
    joint->first[role] = joint->moves.count;
    if (sorted) {
      moves_sorted(game, role, &joint->moves);
    } else {
      uint32_t count = game_legal(game, role, &moves);
      for (uint32_t i = 0; i < count; i++) vector_push(&joint->moves, moves[i]);
    }
    joint->counts[role] = joint->moves.count - joint->first[role];
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

/* Counts below each joint move in turn. */
static uint64_t count_below(Game *game, Joint *joint, uint32_t depth,
                            uint64_t all, PerftListener *listener,
                            void *context) {
  Move moves[RULE_ROLES];
  uint64_t total = 0, done = 0;
  do {
    joint_get(joint, moves);
    game_make(game, moves);
    uint64_t count = perft_count(game, depth - 1);
    if (__builtin_add_overflow(total, count, &total)) fail_count(game);
    game_retract(game);
    game_late(game);
    if (listener && !game_failed(game))
      listener(context, moves, count, ++done, all);
  } while (joint_next(joint) && !game_failed(game));
  return total;
}

static uint64_t count_all(Game *game, uint32_t depth, PerftListener *listener,
                          void *context) {
  if (game_terminal(game)) return 0;
  Joint *joint = memory_new(sizeof *joint);
  uint64_t total = joint_init(joint, game, listener);
  if ((depth > 1 || listener) && total && !game_failed(game))
    total = count_below(game, joint, depth, total, listener, context);
  vector_free(&joint->moves);
  memory_delete(joint);
  return total;
}

uint64_t perft_count(Game *game, uint32_t depth) {
  return depth ? count_all(game, depth, NULL, NULL) : 1;
}

uint64_t perft_divide(Game *game, uint32_t depth, PerftListener *listener,
                      void *context) {
  return count_all(game, depth, listener, context);
}
