/* The inside of a room, for room.c (what is kept, who watches) and
   room_command.c (what it says before the process does, and which commands make
   sense). */
#ifndef TAFL_WEB_ROOM_PARTS_H
#define TAFL_WEB_ROOM_PARTS_H

#include "web/room.h"
#include "web/wire.h"

enum { ROOM_ROLES = 64 }; /* whose thoughts are sent */

typedef struct RoomWatcher {
  HttpRequest *request;
  size_t first; /* bytes of its first event */
} RoomWatcher;

struct Room {
  RoomHost host;
  Text id;
  Process process;
  Wire wire;
  bool gone;  /* there is no process any more */
  bool shown; /* the match is played elsewhere */

  /* JSON, as it is sent */
  Text head, turn, brief;
  TextVector steps;
  TextVector live; /* by role; empty: none */
  size_t bytes;    /* of the steps */
  char activity;   /* as in web/kinds.h */

  VECTOR(RoomWatcher) watchers;
  uint64_t dirty;    /* roles whose thoughts have not been sent */
  bool counted;      /* watchers know how many they are */
  double born, life; /* when it began; last sign of life of a person */
  double over_since; /* if it is over */
  double next_live, next_count, beat;
};

/* ---- room_command.c ---- */

/* Writes HEAD, TURN and the brief for as long as the process has said nothing.
 */
void room_describe(Room *room, const MasterPlan *plan);
/* Changes the phase in the brief. */
void room_set_phase(Room *room, const char *phase);

#endif
