/* A game in play: the Game Controller of the thesis (Finnsson 2007, section
   3.2). Every engine fills in one table of operations; whoever plays, searches
   or counts knows only this interface.

   There is one current state; `make` enters its successor by a joint move and
   `retract` goes back. Returned lists are valid until the next call. When an
   engine fails (a limit is reached), `error` is set for good and answers are
   meaningless from then on; callers check it after a piece of work, not after
   each call. */
#ifndef TAFL_ENGINE_GAME_H
#define TAFL_ENGINE_GAME_H

#include "gdl/description.h"
#include "statistics.h"

typedef uint32_t Move; /* an action's number in its engine */
typedef VECTOR(Move) MoveVector;
typedef struct Game Game;

/* To a question that may be given up. */
typedef enum { VERDICT_NO, VERDICT_YES, VERDICT_UNKNOWN } Verdict;

/* Operations with a time limit; engine/attempt.h says what they do. */
typedef struct GameAttempts {
  bool (*moves)(Game *game, uint32_t role, bool stateless, double until,
                MoveVector *moves);
  Verdict (*move)(Game *game, uint32_t role, Term term, double until,
                  Move *move);
  Verdict (*terminal)(Game *game, double until);
  bool (*make)(Game *game, const Move *joint, bool partly, double until);
} GameAttempts;

typedef struct GameOperations {
  const char *name;
  void (*delete)(Game *game);
  void (*reset)(Game *game);                   /* to the initial state */
  void (*make)(Game *game, const Move *joint); /* one move for each role */
  void (*retract)(Game *game);
  bool (*terminal)(Game *game);
  uint32_t (*legal)(Game *game, uint32_t role, const Move **moves);
  /* All goal values of the role in this state; a valid game has one. */
  uint32_t (*goals)(Game *game, uint32_t role, const Term **values);
  uint32_t (*facts)(Game *game, const Term **facts); /* in any order */
  Term (*move_term)(const Game *game, uint32_t role, Move move);
  /* The state as words, which are equal for equal states only, among games of
     one engine and net; and its key, equal to game_state_hash. */
  uint32_t (*state)(Game *game, const uint64_t **words);
  uint64_t (*key)(Game *game);
  /* Enters any state; `retract` cannot go back beyond it. */
  void (*enter)(Game *game, const uint64_t *words, uint32_t count);
  /* The same for facts in any order, without repetition. Returns false, and
     changes nothing, if the engine knows of no state with one of them. */
  bool (*enter_facts)(Game *game, const Term *facts, uint32_t count);
  /* The successor's words, without entering it. NULL: make and retract. */
  uint32_t (*successor)(Game *game, const Move *joint, const uint64_t **words);
  const GameAttempts *attempts; /* NULL: every answer is quick */
} GameOperations;

struct Game {
  const GameOperations *operations;
  Description *description; /* borrowed; engines add terms to it */
  uint32_t role_count;
  Statistics statistics;
  Text error;      /* empty unless it has failed */
  double deadline; /* of clock_now, for those who ask game_late; 0: none */
};

static inline void game_delete(Game *game) {
  game->operations->delete (game);
}
static inline void game_reset(Game *game) {
  game->operations->reset(game);
}
static inline void game_make(Game *game, const Move *joint) {
  game->statistics.states++;
  game->operations->make(game, joint);
}
static inline void game_retract(Game *game) {
  game->operations->retract(game);
}
static inline bool game_terminal(Game *game) {
  return game->operations->terminal(game);
}
static inline uint32_t game_legal(Game *game, uint32_t role,
                                  const Move **moves) {
  return game->operations->legal(game, role, moves);
}
static inline uint32_t game_goals(Game *game, uint32_t role,
                                  const Term **values) {
  return game->operations->goals(game, role, values);
}
static inline uint32_t game_facts(Game *game, const Term **facts) {
  return game->operations->facts(game, facts);
}
static inline Term game_move_term(const Game *game, uint32_t role, Move move) {
  return game->operations->move_term(game, role, move);
}
static inline uint32_t game_state(Game *game, const uint64_t **words) {
  return game->operations->state(game, words);
}
static inline uint64_t game_key(Game *game) {
  return game->operations->key(game);
}
static inline void game_enter(Game *game, const uint64_t *words,
                              uint32_t count) {
  game->operations->enter(game, words, count);
}
static inline bool game_enter_facts(Game *game, const Term *facts,
                                    uint32_t count) {
  return game->operations->enter_facts(game, facts, count);
}
static inline bool game_failed(const Game *game) {
  return game->error.length != 0;
}
static inline const Terms *game_terms(const Game *game) {
  return &game->description->rules.terms;
}

/* Returns the words of the successor by a joint move; the game stays where it
   is. */
uint32_t game_successor(Game *game, const Move *joint, const uint64_t **words);
/* Returns true, and fails the game, if its deadline has passed. */
bool game_late(Game *game);

/* Returns the role's goal in this state, the first if there are several, or -1
   if there is none or it is not a number from 0 to 100. */
int game_goal(Game *game, uint32_t role);
Term game_role(const Game *game, uint32_t role);
/* Returns a hash of the set of true facts, equal in every engine and run. */
uint64_t game_state_hash(Game *game);

#endif
