/* A placeholder, to be replaced: there is never a card. */
#include "minimax/breeder.h"

Breeder *breeder_new(Book *book, const Settings *settings) {
  (void)book;
  (void)settings;
  return NULL;
}

void breeder_delete(Breeder *breeder) {
  (void)breeder;
}

void breeder_begin(Breeder *breeder, const Budget *budget) {
  (void)breeder;
  (void)budget;
}

void breeder_end(Breeder *breeder) {
  (void)breeder;
}

const Nest *breeder_nest(const Breeder *breeder) {
  (void)breeder;
  return NULL;
}

void breeder_ask(Breeder *breeder, const uint64_t *state, uint32_t move) {
  (void)breeder;
  (void)state;
  (void)move;
}

const char *breeder_trouble(Breeder *breeder) {
  (void)breeder;
  return NULL;
}
