/* Shorthand to play a game by its rules in tests: open it from a text, compare
   facts, legal moves and goals with a line of sorted text, make moves by name.
 */
#ifndef TAFL_TEST_SUPPORT_PLAY_H
#define TAFL_TEST_SUPPORT_PLAY_H

#include "rules/rules.h"
#include "support/front.h"

/* Opens a game; the text must be valid. */
Game *play_open(Description *description, const char *text);

void play_close(Game *game);
void play_write_sorted(const Game *game, const Term *list, uint32_t count,
                       Text *text);
void expect_legal(Game *game, uint32_t role, const char *expected);
void expect_goals(Game *game, uint32_t role, const char *expected);
void expect_facts(Game *game, const char *expected);

/* Makes the joint move; `names` has one legal move for each role. */
void play_move(Game *game, const char *const *names);

#define PLAY(game, ...) play_move(game, (const char *const[]){__VA_ARGS__})

#endif
