/* Who of several minds plays this game best at this clock. Short games decide
   (agent/bouts.h), a few at a time: the choice can be gone on with whenever
   there is time to spare. */
#ifndef TAFL_AGENT_CHOICE_H
#define TAFL_AGENT_CHOICE_H

#include "agent/bouts.h"

typedef struct ChoiceEntrant {
  Entrant entrant;
  double expected; /* points of a game against the first entrant, from 0 to 1,
                      that count as if they had been seen in a few games */
} ChoiceEntrant;

typedef struct Choice Choice;

/* The first entrant is chosen where nothing is clear. `play` is what each move
   of the match will have; `memory` and `making` as in agent/bouts.h. The book
   is borrowed. */
Choice *choice_new(Book *book, const ChoiceEntrant *entrants, uint32_t count,
                   const Budget *play, int64_t memory, double making,
                   uint64_t seed);
void choice_delete(Choice *choice);

/* Lets the entrants play for the budget, or until the choice is clear. */
void choice_improve(Choice *choice, const Budget *budget);

uint32_t choice_best(const Choice *choice);
/* Nothing is left to find out. */
bool choice_clear(const Choice *choice);
/* Appends a line for each meeting. */
void choice_explain(const Choice *choice, Text *text);

#endif
