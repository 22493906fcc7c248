#include "minimax/minimax.h"

bool minimax_plays(Book *book) {
  (void)book;
  return false;
}
Minimax *minimax_new(Book *book, uint32_t role, const Settings *settings,
                     uint64_t seed) {
  (void)book, (void)role, (void)settings, (void)seed;
  return NULL;
}
void minimax_delete(Minimax *minimax) {
  (void)minimax;
}
void minimax_set_evaluation(Minimax *minimax, const Evaluation *evaluation) {
  (void)minimax, (void)evaluation;
}
void minimax_reset(Minimax *minimax) {
  (void)minimax;
}
bool minimax_enter(Minimax *minimax, const Term *facts, uint32_t count) {
  (void)minimax, (void)facts, (void)count;
  return false;
}
void minimax_advance(Minimax *minimax, const Move *joint) {
  (void)minimax, (void)joint;
}
void minimax_think(Minimax *minimax, const Budget *budget) {
  (void)minimax, (void)budget;
}
Move minimax_best(Minimax *minimax) {
  (void)minimax;
  return 0;
}
const MinimaxReport *minimax_report(Minimax *minimax) {
  (void)minimax;
  return NULL;
}
Game *minimax_game(Minimax *minimax) {
  (void)minimax;
  return NULL;
}
void minimax_explain(Minimax *minimax, Text *text) {
  (void)minimax, (void)text;
}
