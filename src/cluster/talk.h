/* What master, foreman and workers tell each other. A message is bytes: its
   kind, then what the functions here write. Readers refuse whatever is not
   exactly one message of their kind, with sizes that fit together, so that
   nobody is led astray by damaged bytes.

   The master is the process of a match, the foreman the rank 0 of a job. Epochs
   number the states that the master's search stood at: what is told of an
   earlier one is dropped. */
#ifndef TAFL_CLUSTER_TALK_H
#define TAFL_CLUSTER_TALK_H

#include "cluster/scheme.h"
#include "cluster/wire.h"
#include "game/book.h"
#include "search/ally.h"
#include "search/settings.h"

typedef enum {
  /* foreman to master */
  TALK_HELLO = 1, /* a foreman is there */
  TALK_STATUS,    /* how its job is; several a second */
  TALK_NOTE,      /* a line for people */
  /* master to foreman, some of which it passes on to workers */
  TALK_JOB,    /* the game and how to work on it */
  TALK_NET,    /* the master's net is known by this print */
  TALK_STAND,  /* where the search stands now */
  TALK_REST,   /* the search has stopped thinking */
  TALK_TASK,   /* leaves; to a worker: a piece of them */
  TALK_SCORES, /* scores for the choice of moves */
  TALK_END,    /* the job is to end */
  TALK_BEAT,   /* I am alive; between all */
  /* worker to foreman */
  TALK_MATE,   /* a rank is there */
  TALK_READY,  /* its net was made, or not */
  TALK_RESULT, /* of a piece; the foreman passes it on */
  TALK_ROOTS,  /* sums at the root; also from and to the foreman */
  TALK_KINDS
} TalkKind;

enum {
  TALK_LARGEST = 256 << 20, /* bytes of a message, */
  TALK_FIRST = 4096,        /* and of a HELLO */
  TALK_WORD = 1024          /* bytes of a name in a message */
};

typedef struct Hello {
  Text version, token, host;
  uint32_t ranks;
} Hello;

typedef struct Status {
  uint32_t ranks, hosts;   /* of the job */
  uint32_t ready, threads; /* workers that can work, and their threads */
  uint32_t failed;         /* workers that cannot */
  bool complete;           /* there are no others */
  uint32_t wanted;         /* leaves under way that would keep them at work */
  uint32_t silent;         /* rank that was not heard of for longest, */
  double silence;          /* seconds */
  Text host;               /* of that rank */
  uint64_t pieces, leaves; /* that were relayed */
  double busy;             /* seconds of the foreman's processor time */
} Status;

typedef struct Job {
  Text rules, settings; /* as in settings_parse */
  uint32_t role, threads;
  uint64_t seed;
  SchemeKind scheme;
  bool merged;       /* the master's scores choose moves, not a worker's own */
  BookLimits limits; /* memory and seconds alone */
} Job;

typedef struct Mate {
  Text host;
  uint32_t pid, processors;
} Mate;

typedef struct Ready {
  uint64_t print; /* of the net (talk_print); 0: there is none */
  uint32_t threads;
  uint32_t lanes; /* playouts that each of them makes at once */
  Text why;       /* there is none */
} Ready;

/* A state, as in AllyPosition. */
typedef struct Stand {
  uint32_t epoch, depth;
  double horizon;
  VECTOR(uint64_t) state;
} Stand;

/* A task, or a piece of one. The states lie in the message. */
typedef struct Piece {
  uint32_t epoch, number, first, leaves, repeat, words;
  const char *states;
} Piece;

/* What comes before the sums of a piece. */
typedef struct Outcome {
  uint32_t epoch, number, first, leaves;
  double seconds; /* that the playouts took */
} Outcome;

TalkKind talk_kind(const Text *message);       /* 0: of no kind */
void talk_begin(Text *message, TalkKind kind); /* clears it */
/* A message that is its kind alone, or one text. */
void talk_write(Text *message, TalkKind kind, const char *text);
bool talk_read_text(const Text *message, Text *text);

/* A number that differs, in all likelihood, for nets with other states or
   moves; never 0. */
uint64_t talk_print(const Book *book);
void talk_write_long(Text *message, TalkKind kind, uint64_t number);
bool talk_read_long(const Text *message, uint64_t *number);

void talk_write_hello(Text *message, const Hello *hello);
bool talk_read_hello(const Text *message, Hello *hello);
void talk_free_hello(Hello *hello);
void talk_write_status(Text *message, const Status *status);
bool talk_read_status(const Text *message, Status *status);
void talk_write_job(Text *message, const Job *job);
bool talk_read_job(const Text *message, Job *job);
void talk_free_job(Job *job);
void talk_write_mate(Text *message, const Mate *mate);
bool talk_read_mate(const Text *message, Mate *mate);
void talk_write_ready(Text *message, const Ready *ready);
bool talk_read_ready(const Text *message, Ready *ready);
void talk_write_stand(Text *message, const Stand *stand);
bool talk_read_stand(const Text *message, Stand *stand);
void talk_free_stand(Stand *stand);

/* Bytes of a task's message. */
size_t talk_piece_size(uint32_t leaves, uint32_t words);
void talk_write_piece(Text *message, const Piece *piece);
bool talk_read_piece(const Text *message, Piece *piece);

/* Role and move counts are those of the net: results that do not fit are
   refused. */
void talk_write_result(Text *message, const Outcome *outcome,
                       const AllyResult *result, uint32_t roles);
/* The part that a relay needs. */
bool talk_read_outcome(const Text *message, Outcome *outcome);
/* Appends what the message has of each leaf, and adds up the rest. */
bool talk_read_result(const Text *message, uint32_t roles, uint32_t moves,
                      AllyResult *result);

void talk_write_scores(Text *message, const double *scores, uint32_t count);
bool talk_read_scores(const Text *message, uint32_t count, double *scores);
void talk_write_roots(Text *message, uint32_t epoch, const RootSums *sums);
bool talk_read_roots(const Text *message, uint32_t moves, uint32_t *epoch,
                     RootSums *sums);

#endif
