/* The evaluation of an agent, and where it comes from: setting `evaluation`. */
#ifndef TAFL_AGENT_INSIGHT_H
#define TAFL_AGENT_INSIGHT_H

#include "game/book.h"
#include "game/budget.h"
#include "search/settings.h"
#include "value/evaluation.h"

typedef struct Insight Insight;

/* The book is borrowed. */
Insight *insight_new(Book *book, const Settings *settings, uint64_t seed);
void insight_delete(Insight *insight);

/* Returns true if time makes it better. */
bool insight_learns(const Insight *insight);
/* Makes it better for the budget. The evaluation may be another one then, and
   has to be set again wherever it is used. */
void insight_learn(Insight *insight, const Budget *budget);

/* Returns NULL if there is none that is better than nothing. */
const Evaluation *insight_evaluation(const Insight *insight);
/* Returns what whoever runs the agent should know, or "". */
const char *insight_trouble(const Insight *insight);
/* Append lines of text: what it rests on; what it consists of. */
void insight_explain(const Insight *insight, Text *text);
void insight_write(const Insight *insight, Text *text);

#endif
