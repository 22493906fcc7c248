/* The web page: a guest of the server (server/server.h) that answers GET / with
   the page and everything under /api/ with JSON (docs/api.md).

   It keeps to the rules of the loop: nothing here takes more than a few
   milliseconds. Matches are rooms with a process each (web/room.h); whatever
   reads rules, files or the store is a task (web/tasks.h). */
#ifndef TAFL_WEB_WEB_H
#define TAFL_WEB_WEB_H

#include "server/server.h"

typedef struct WebSettings {
  const char *name, *version;
  TextVector games;       /* directories of games, in the order of search */
  const char *stylesheet; /* of --stylesheet: a file or a directory; "": none */
  const char *db;         /* the store; "": matches are not kept */
  TextVector tables;      /* files of the papers' tables */
  const char *cache;      /* directory for what takes long to make; "": none */
  const char *token;      /* of --token; "": one is made if it is needed */
  const char *agent;      /* the opponent that is offered first */
  uint32_t matches;       /* at once */
  size_t rules;           /* bytes of a description */
  double longest_start, longest_play;
  double patience; /* seconds; see web/room.h */
  size_t memory;   /* memory limit of each process, bytes */
  BookLimits limits;
  uint32_t processors;
} WebSettings;

/* What is passed in is borrowed until web_delete. */
typedef struct Web Web;
Web *web_new(const WebSettings *settings);
void web_delete(Web *web);
/* For ServerSettings.guest. */
ServerGuest web_guest(Web *web);

#endif
