/* A game as a list of rules in text, and a way to shrink a game that shows a
   failure by dropping rules and literals. */
#ifndef TAFL_TEST_AGREE_RULELIST_H
#define TAFL_TEST_AGREE_RULELIST_H

#include "base/text.h"
#include "base/vector.h"
#include "support/unit.h"

typedef struct GameRule {
  char *head;
  VECTOR(char *) body; /* empty: a fact */
} GameRule;

typedef struct RandomGame {
  VECTOR(GameRule) rules;
} RandomGame;

/* Returns a copy that the caller frees, and frees the text; so do the two below
   with their texts. */
char *text_taken(Text *text);
GameRule *game_add_rule(RandomGame *game, Text *head);
void game_add_literal(GameRule *rule, Text *literal);
void random_game_free(RandomGame *game);
void random_game_write(const RandomGame *game, Text *text);

/* Returns whether the game still fails; it may be invalid. */
typedef bool GameFails(void *context, const char *text);

/* Drops rules, then literals, as long as the game fails without them. */
void random_game_shrink(RandomGame *game, GameFails *fails, void *context);

#endif
