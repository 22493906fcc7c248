/* A learner makes an evaluation of a game from its rules, by playing. It can be
   asked for more at any time: in the start clock, between moves, or ahead of
   time for hours. With counted budgets and one thread what it learns depends on
   the seed alone. */
#ifndef TAFL_LEARN_LEARNER_H
#define TAFL_LEARN_LEARNER_H

#include "game/book.h"
#include "game/budget.h"
#include "search/settings.h"
#include "value/linear.h"

typedef struct Learner Learner;

/* Lets the book make all that a learner needs of it, so that nothing of the
   book is lost if making or using one is given up for lack of memory. */
void learner_prepare(Book *book, const Settings *settings);
/* Returns NULL if the game has no net, or nothing to learn about. */
Learner *learner_new(Book *book, const Settings *settings, uint64_t seed);
void learner_delete(Learner *learner);

/* Learns until the budget is spent (its simulations are games here); later
   calls go on. */
void learner_learn(Learner *learner, const Budget *budget);
/* The same with the game at this state: between moves, what is near matters
   most. */
void learner_learn_from(Learner *learner, const Budget *budget,
                        const uint64_t *state);

/* What was learned so far, owned by the learner; it changes only in the calls
   above. NULL: nothing that would be better than nothing. */
const Evaluation *learner_evaluation(const Learner *learner);
/* For knowledge files: the weights and how much work they rest on. */
Linear *learner_linear(Learner *learner);
typedef struct LearnerProgress {
  uint64_t games, states, targets;
  double error; /* mean squared, of predicted against found values, lately */
  /* Share of the variance of final goals that is predicted in games that were
     not learned from; 0: no better than their mean, 1: exact. Late states of
     random games are easier than real ones, so this is a rough guide. */
  double explained;
} LearnerProgress;
LearnerProgress learner_progress(const Learner *learner);
void learner_resume(Learner *learner, const LearnerProgress *progress);
/* Appends lines of text: what was learned, and what it rests on. */
void learner_write(const Learner *learner, Text *text);

#endif
