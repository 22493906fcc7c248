/* Matches on disk, so that a restarted server can continue them: for each a
   file in the server's state folder, to which every event is appended, and
   another one with the rules.

   File names are random numbers; the game master's id of a match appears only
   inside. A file in use is locked. */
#ifndef TAFL_SERVER_JOURNAL_H
#define TAFL_SERVER_JOURNAL_H

#include "match/message.h"

typedef struct Journal {
  int folder, file; /* file -1: none, or closed after an error */
  int rules;        /* their file, for journal_write_rules; -1: none */
  char name[40];
  size_t length; /* of complete records */
} Journal;

/* A match as read from its journal. */
typedef struct JournalMatch {
  Message start;
  TextVector history; /* joint moves, one move per line */
  Text moves;         /* of the last PLAY, one per line */
  bool played;        /* there was a PLAY */
  bool asked;         /* no step followed the last one */
  Text sent;          /* our last answer */
  double age;         /* seconds since the last record */
} JournalMatch;

/* Opens the folder, and creates it if it is missing. Returns -1 and sets
   `error` on failure. */
int journal_open_folder(const char *path, Text *error);

/* These return false and set `error` if writing fails. The journal is then
   closed: its contents stay, later calls do nothing. */
bool journal_begin(Journal *journal, int folder, unsigned port,
                   const Message *start, Text *error);
bool journal_play(Journal *journal, const char *moves, Text *error);
bool journal_step(Journal *journal, uint32_t number, const char *joint,
                  Text *error);
bool journal_sent(Journal *journal, const char *move, Text *error);

/* Writes the rules to their file unless they are there. May take long; without
   it nothing can be restored. Returns false and sets errno if it fails. */
bool journal_write_rules(int file, const char *rules, size_t length);

void journal_close(Journal *journal);  /* keeps the file */
void journal_remove(Journal *journal); /* deletes it: the match is over */

typedef void JournalFound(void *context, Journal *journal, JournalMatch *match);
/* Passes all journals of the port to `found`, which takes ownership. Removes
   unreadable ones, and those of other ports that are a week old. */
void journal_restore(int folder, unsigned port, JournalFound *found,
                     void *context);
void journal_match_free(JournalMatch *match);

/* Sets joint move `number` of a history and drops all after it. Returns false
   if there would be a gap before it. */
bool journal_set_step(TextVector *history, uint32_t number, const char *joint);

#endif
