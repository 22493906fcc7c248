#include "learn/learner.h"

Learner *learner_new(Book *book, const Settings *settings, uint64_t seed) {
  (void)book, (void)settings, (void)seed;
  return NULL;
}
void learner_delete(Learner *learner) {
  (void)learner;
}
void learner_learn(Learner *learner, const Budget *budget) {
  (void)learner, (void)budget;
}
const Evaluation *learner_evaluation(const Learner *learner) {
  (void)learner;
  return NULL;
}
LearnerProgress learner_progress(const Learner *learner) {
  (void)learner;
  return (LearnerProgress){0};
}
