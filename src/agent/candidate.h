/* A candidate: one mind with its settings, ready to play a role. Both minds are
   used in the same way here: search/search.h says how, and which functions
   other threads may call. */
#ifndef TAFL_AGENT_CANDIDATE_H
#define TAFL_AGENT_CANDIDATE_H

#include "agent/agent.h"
#include "game/book.h"
#include "search/settings.h"
#include "value/evaluation.h"

typedef struct Candidate Candidate;

/* Alpha-beta if the settings say mind=minimax and it can play the game, else
   the first mind. The book is borrowed. */
Candidate *candidate_new(Book *book, uint32_t role, const Settings *settings,
                         uint64_t seed);
void candidate_delete(Candidate *candidate);
bool candidate_is_minimax(const Candidate *candidate);

/* Borrowed; NULL: none. It may have changed since it was last set. */
void candidate_set_evaluation(Candidate *candidate,
                              const Evaluation *evaluation);

void candidate_reset(Candidate *candidate);
bool candidate_enter(Candidate *candidate, const Term *facts, uint32_t count);
void candidate_advance(Candidate *candidate, const Move *joint);
/* Adds to `work` what was done. */
void candidate_think(Candidate *candidate, const Budget *budget,
                     AgentWork *work);
/* Returns false if it cannot go on, and somebody else has to play. */
bool candidate_sound(Candidate *candidate);
/* Gives it an ally; returns false if it has no use for one. */
bool candidate_ally(Candidate *candidate, Ally *ally);
/* Always legal; may be called from any thread. */
Move candidate_best(Candidate *candidate);
/* Lists are borrowed until the next call. */
void candidate_report(Candidate *candidate, AgentReport *report);
void candidate_explain(Candidate *candidate, Text *text);
void candidate_learned(Candidate *candidate, Text *text);
Game *candidate_game(Candidate *candidate);

#endif
