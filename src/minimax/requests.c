#include "minimax/requests.h"

#include <string.h>

#include "base/memory.h"

void requests_init(Requests *requests, uint32_t room, uint32_t words) {
  *requests = (Requests){.room = room, .words = words};
  requests->rows = memory_new((size_t)room * words * sizeof *requests->rows);
  requests->moves = memory_new(room * sizeof *requests->moves);
}

void requests_free(Requests *requests) {
  memory_delete(requests->rows);
  memory_delete(requests->moves);
}

void requests_clear(Requests *requests) {
  requests->head = requests->count = requests->urgent = 0;
}

/* Returns the place of a new one. */
static uint64_t find_place(Requests *requests, bool urgent) {
  uint32_t room = requests->room;
  if (!urgent) return (requests->head + requests->count++) % room;
  requests->head = (requests->head + room - 1) % room;
  if (requests->count < room) requests->count++;
  if (requests->urgent < room) requests->urgent++;
  return requests->head;
}

bool requests_add(Requests *requests, const uint64_t *state, uint32_t move,
                  bool urgent) {
  bool full = requests->count == requests->room;
  if (full && !urgent) return false;
  uint64_t at = find_place(requests, urgent);
  memcpy(requests->rows + at * requests->words, state,
         requests->words * sizeof *state);
  requests->moves[at] = move;
  return !full;
}

uint32_t requests_take(Requests *requests, uint32_t most, uint64_t *rows,
                       uint32_t *moves) {
  uint64_t there = requests->urgent ? requests->urgent : requests->count;
  uint32_t count = 0, words = requests->words;
  if (most > there) most = (uint32_t)there;
  for (; count < most; count++) {
    uint64_t at = requests->head;
    requests->head = (at + 1) % requests->room;
    memcpy(rows + (size_t)count * words, requests->rows + at * words,
           words * sizeof *rows);
    moves[count] = requests->moves[at];
  }
  requests->count -= count;
  if (requests->urgent) requests->urgent -= count;
  return count;
}
