/* A puzzle: a game of one role that is to be solved from one state, and what is
   known of it so far: the best plan that anybody found, and an upper bound of
   the score that was proved. Methods (solve/method.h) work on it side by side,
   each in a thread of its own; they offer plans and prove bounds.

   A plan is the moves from the state to a terminal one. Every plan that is
   offered is played on an engine before it is believed, so that a method cannot
   be wrong, only unlucky; bounds are believed. The better plan is the one with
   the higher score, then the shorter one. */
#ifndef TAFL_SOLVE_PUZZLE_H
#define TAFL_SOLVE_PUZZLE_H

#include <stdatomic.h>

#include "game/book.h"

typedef struct Plan {
  MoveVector moves;
  int score;      /* -1: there is no plan */
  const char *by; /* the name of the method that found it */
  double seconds; /* after the puzzle was set */
} Plan;

/* A plan that was the best one when it was found. */
typedef struct PlanNews {
  int score;
  uint32_t length;
  const char *by;
  double seconds;
} PlanNews;
typedef VECTOR(PlanNews) PlanNewsVector;

typedef struct Puzzle {
  Book *book;     /* borrowed */
  const Net *net; /* NULL: there is none, moves are those of the rules */
  uint64_t seed;
  size_t memory; /* bytes that all methods together may use */
  double began;  /* clock_now when the state was entered */
  /* The state, in words of Game.state; borrowed, changed by puzzle_advance and
     puzzle_enter only, when no method is at work. */
  const uint64_t *start;
  uint32_t words;
  bool terminal; /* the state is; `best` then is the empty plan */
  /* Readable by any thread at any time. */
  atomic_int score;   /* of the best plan; -1: none */
  atomic_int bound;   /* no plan has a higher score */
  atomic_uint length; /* of the best plan; 0: none, or the empty one */
  atomic_uint least;  /* no plan of the score `bound` is shorter */
  atomic_uint_fast64_t expanded, generated; /* states, by all methods */
  struct PuzzleInside *inside;
} Puzzle;

/* Begins at the initial state. The book is borrowed. */
Puzzle *puzzle_new(Book *book, uint64_t seed, size_t memory);
void puzzle_delete(Puzzle *puzzle);

/* Goes to the successor, or to any state of the book's engine. The plan is kept
   if it still leads to its score: one move shorter if it begins with this move,
   whole if the move changed nothing that matters to it. */
void puzzle_advance(Puzzle *puzzle, Move move);
void puzzle_enter(Puzzle *puzzle, const uint64_t *words, uint32_t count);
/* Changes whenever methods that began at the old state are of no more use: not
   if nothing but autonomous fluents changed. */
uint64_t puzzle_version(const Puzzle *puzzle);
/* Returns true if the words differ from the puzzle's state in more than
   autonomous fluents. */
bool puzzle_moves(const Puzzle *puzzle, const uint64_t *words, uint32_t count);
/* Says which fluents are autonomous; NULL: none. Borrowed. */
void puzzle_set_timed(Puzzle *puzzle, const uint64_t *timed);

/* Returns true if the plan was better than the best one and took its place.
   Cheap if the score cannot be higher than that of the best plan; `score` is
   what the caller expects, and is not believed. */
bool puzzle_offer(Puzzle *puzzle, const char *by, int score, const Move *moves,
                  uint32_t count);
/* No plan has a higher score than this. */
void puzzle_prove_bound(Puzzle *puzzle, const char *by, int bound);
/* No plan with this score is shorter, from the state that was entered last.
   Ignored unless the score is the bound, which others may lower meanwhile. */
void puzzle_prove_least(Puzzle *puzzle, int score, uint32_t least);

/* The score of the best plan is proved to be the highest. */
static inline bool puzzle_solved(const Puzzle *puzzle) {
  return atomic_load_explicit(&puzzle->score, memory_order_relaxed) >=
         atomic_load_explicit(&puzzle->bound, memory_order_relaxed);
}
/* The same, and the plan is proved to be as short as any with that score. */
static inline bool puzzle_shortest(const Puzzle *puzzle) {
  return puzzle_solved(puzzle) &&
         atomic_load_explicit(&puzzle->length, memory_order_relaxed) <=
             atomic_load_explicit(&puzzle->least, memory_order_relaxed);
}

/* Copies the best plan; its moves are the caller's to free. */
void puzzle_best(Puzzle *puzzle, Plan *plan);
/* Fills an empty list with the plans that were the best of this state one after
   the other, up to the best. */
void puzzle_news(Puzzle *puzzle, PlanNewsVector *news);
/* The method that proved the bound; NULL: the rules have no higher goal. */
const char *puzzle_prover(Puzzle *puzzle);

/* Returns true if the best plan leads to the same score after this move, too:
   then the move only waits. True if there is no plan with any points. */
bool puzzle_waits(Puzzle *puzzle, Move move);

/* A new engine, in the scope of the caller, at the puzzle's state. Threads may
   ask at once. */
Game *puzzle_game(Puzzle *puzzle);

/* Plays the moves from the puzzle's state on the book's engine. Returns the
   score, or -1 if a move is not legal, the last state is not terminal or has no
   goal; `at` then is the number of moves that could be made. */
int puzzle_replay(Puzzle *puzzle, const Move *moves, uint32_t count,
                  uint32_t *at);

#endif
