/* Making a net smaller without changing what it says. Each reduction is one
   function from a net to a new net with the same inputs and outputs in the same
   order; `net_reduce` runs them in a good order.

   Some know more than the circuit alone: that each role does exactly one move,
   that exactly one fluent of a group is true, that play begins in the initial
   state, that only legal moves are made and none in a terminal state. The net
   that comes out agrees with the one that went in wherever that is so. */
#ifndef TAFL_REDUCE_REDUCE_H
#define TAFL_REDUCE_REDUCE_H

#include "net/net.h"

/* Groups of fluents, exactly one of which is true in every state: group g has
   members[first[g] … first[g + 1]). A fluent is in one group at most. */
typedef struct ReduceGroups {
  NumberVector members, first;
} ReduceGroups;

/* Gates that no output depends on. */
void reduce_dead(const Net *in, Net *out);
/* An AND read once, by an AND, becomes part of it. */
void reduce_single_use(const Net *in, Net *out);
/* Inputs implied, or decided, by the other inputs of their AND; clauses implied
   by others; a AND b OR a AND NOT b = a. `groups` may be NULL. With `legal`, a
   move that is done was legal, in a state not terminal. */
void reduce_absorb(const Net *in, Net *out, const ReduceGroups *groups,
                   bool legal);
/* Two of a group, all of a group, all but few of a group. With `legal`, also
   that roles take turns. */
void reduce_exclusive(const Net *in, Net *out, const ReduceGroups *groups,
                      bool legal);
/* A move that its role does in exactly those states where some signal is true:
   the signal is read instead. */
void reduce_forced(const Net *in, Net *out);
/* ORs of products of a move and a condition share selections. */
void reduce_select(const Net *in, Net *out, bool legal);
/* ab OR ac = a(b OR c), where ab and ac are read nowhere else. */
void reduce_distribute(const Net *in, Net *out);
/* Inputs that many ANDs have in common become ANDs of their own. */
void reduce_factor(const Net *in, Net *out);
/* Gates that have one value in every state that moves, legal or not, can reach
   from the initial one. */
void reduce_constant(const Net *in, Net *out);
/* Fluents that are always equal, or always different: one is read for all. */
void reduce_equal(const Net *in, Net *out);

typedef struct ReduceOptions {
  double seconds;             /* no further pass is begun after; nominal, by
                                 count of work; 0: no limit */
  bool legal;                 /* only legal moves are made, in states not
                                 terminal */
  const ReduceGroups *groups; /* may be NULL */
} ReduceOptions;

/* The size after a pass. */
typedef struct ReduceStep {
  const char *name;
  uint32_t ands;
  uint64_t edges;
  double seconds; /* it took */
} ReduceStep;

typedef struct ReduceReport {
  VECTOR(ReduceStep) steps; /* the first is the net that went in */
  uint32_t unread_fluents;  /* state that no output depends on, kept as facts */
} ReduceReport;

/* `report` may be NULL. */
void net_reduce(const Net *in, Net *out, const ReduceOptions *options,
                ReduceReport *report);
void reduce_report_free(ReduceReport *report);
void reduce_report_write(const ReduceReport *report, Text *text);

#endif
