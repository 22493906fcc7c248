/* Matches on disk, so that a server that was killed goes on with them: a file
   for each in the folder of the server's state, to which everything is appended
   as it happens.

   Names of files are random numbers; what a game master calls a match is only
   ever inside. A file that is in use is locked. */
#ifndef TAFL_SERVER_JOURNAL_H
#define TAFL_SERVER_JOURNAL_H

#include "match/message.h"

typedef struct Journal {
  int folder, file; /* file -1: none, or given up after an error */
  char name[40];
  size_t length; /* of whole records */
} Journal;

/* What a journal tells. */
typedef struct JournalMatch {
  Message start;
  TextVector history; /* joint moves, one move a line */
  Text moves;         /* of the last PLAY, one a line */
  bool asked;         /* it has come, and no step followed */
  Text sent;          /* the last move that we answered with */
} JournalMatch;

/* The folder, made where it is missing; -1, with the reason, if it cannot be.
 */
int journal_open_folder(const char *path, Text *error);

/* Each of these is false, with the reason, if it cannot be written; the journal
   is given up then: what is in it stays, the calls that follow do nothing. */
bool journal_begin(Journal *journal, int folder, unsigned port,
                   const Message *start, Text *error);
bool journal_play(Journal *journal, const char *moves, Text *error);
bool journal_step(Journal *journal, uint32_t number, const char *joint,
                  Text *error);
bool journal_sent(Journal *journal, const char *move, Text *error);

void journal_close(Journal *journal);  /* it stays */
void journal_remove(Journal *journal); /* the match is over */

typedef void JournalFound(void *context, Journal *journal, JournalMatch *match);
/* Hand all journals of a port to `found`, which owns what it gets; remove those
   that nobody wrote to for too long, of any port, and those that tell nothing.
 */
void journal_restore(int folder, unsigned port, JournalFound *found,
                     void *context);
void journal_match_free(JournalMatch *match);

/* Seconds without a message after which a match is over. */
double journal_patience(const Message *start);
/* Joint move `number` is `joint`, and what was after it is forgotten; false if
   there is a gap before it. */
bool journal_set_step(TextVector *history, uint32_t number, const char *joint);

#endif
