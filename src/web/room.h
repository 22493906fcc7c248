/* A match on the page as the server sees it: the process of its game master,
   the last that this said, and who watches. It needs no JSON: what the process
   says is passed on as it is.

   A watcher who does not keep up loses thoughts first; one with too much unsent
   is cut off, and its browser connects again. Thoughts are sent at most ten
   times a second. */
#ifndef TAFL_WEB_ROOM_H
#define TAFL_WEB_ROOM_H

#include "io/http.h"
#include "io/process.h"
#include "web/master.h"

typedef struct Room Room;

typedef struct RoomHost {
  ProcessLimits process;
  double patience; /* seconds without a sign of life until a match ends; half of
                      it after the match is over */
} RoomHost;

/* Starts the process. Returns NULL if the system refuses it. */
Room *room_new(const RoomHost *host, const MasterPlan *plan);
/* Watchers are told that it is gone. The process stores the match and ends. */
void room_delete(Room *room);

const char *room_id(const Room *room);
uint32_t room_watchers(const Room *room);
/* Begins a stream of events as the answer. Returns false if there are too many
   watchers. */
bool room_watch(Room *room, HttpRequest *request);
/* Appends the whole MATCH; what GET /api/matches says of it. */
void room_write(const Room *room, Text *json);
void room_write_brief(const Room *room, Text *json);
/* Passes a command of a person on. Returns false, with the reason in `why`, if
   it cannot be carried out now. */
bool room_command(Room *room, char kind, const char *json, size_t length,
                  const char **why);
/* Tells the process of a match that is played elsewhere what happened there
   (MASTER_FEED). Returns false if there is no room for it now. */
bool room_feed(Room *room, const json_t *what);
bool room_is_active(const Room *room); /* it uses a processor, or will */
bool room_is_over(const Room *room);   /* to be deleted */
/* When it could be deleted for another match, since nobody watches: at once if
   it is over, else some minutes after the last sign of life. */
double room_spare(const Room *room);

void room_share(Room *room, uint32_t threads);
int room_file(const Room *room); /* to read from; -1: none */
void room_read(Room *room);
double room_due(const Room *room);
void room_tick(Room *room);
void room_reaped(Room *room, pid_t pid);

#endif
