/* A game as a list of rules in text, which can be dropped one by one, and a way
   to shrink a game that shows a failure. */
#ifndef TAFL_TEST_AGREE_RULELIST_H
#define TAFL_TEST_AGREE_RULELIST_H

#include "base/text.h"
#include "base/vector.h"
#include "support/unit.h"

typedef struct GameRule {
  char *head;
  VECTOR(char *) body; /* none: a fact */
} GameRule;

typedef struct RandomGame {
  VECTOR(GameRule) rules;
} RandomGame;

char *text_taken(Text *text);
GameRule *game_add_rule(RandomGame *game, Text *head);
void game_add_literal(GameRule *rule, Text *literal);
void random_game_free(RandomGame *game);
void random_game_write(const RandomGame *game, Text *text);

/* Does the game still fail? Asked also of games that are not valid. */
typedef bool GameFails(void *context, const char *text);

/* Drop rules, then literals, as long as the game fails without them. */
void random_game_shrink(RandomGame *game, GameFails *fails, void *context);

#endif
