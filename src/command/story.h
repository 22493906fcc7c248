/* A match as people at the terminal have seen it: the moves so far, an engine
   in the state that they led to, and what was thought about them. Steps can be
   taken back. */
#ifndef TAFL_COMMAND_STORY_H
#define TAFL_COMMAND_STORY_H

#include "engine/moves.h"
#include "game/book.h"
#include "match/record.h"

typedef struct StoryStep {
  bool choice;       /* a person chose among several moves */
  Text why;          /* what others thought; empty: nothing */
  RecordTurn *turns; /* by role, without texts and lists; NULL: not known */
} StoryStep;

typedef struct Story {
  Book *book; /* borrowed */
  Game *game;
  MoveVector moves;  /* role by role, step by step */
  VECTOR(bool) idle; /* the same: the role only waited */
  VECTOR(StoryStep) steps;
} Story;

void story_init(Story *story, Book *book);
void story_free(Story *story);

/* The joint move of a step. */
const Move *story_moves(const Story *story, uint32_t step);
bool story_idle(const Story *story, uint32_t step, uint32_t role);
/* Returns true if a role has a choice. */
bool story_open(Game *game);
/* Makes a joint move; people play the roles that are `human`. `why` is taken.
 */
void story_add(Story *story, const Move *joint, const bool *human, Text *why);
/* Takes back the last step. */
void story_back(Story *story);
/* Returns how many choices of people can be taken back. */
uint32_t story_choices(const Story *story);
/* What others thought about the last moves, or "". */
const char *story_why(const Story *story);
/* Appends the facts as they were before the last moves of others, or of the
   person if nobody else has moved since; none if there are no moves. */
void story_facts_before(Story *story, TermVector *facts);

/* Appends a move as people say it. */
void story_say(const Game *game, uint32_t role, Move move, Text *text);
/* Appends the moves so far: in pairs if two roles take turns. */
void story_write(const Story *story, Text *text);

#endif
