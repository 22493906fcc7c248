/* A search's use of the graphics card: what its threads share of it. The card
   is opened beside the first thinking; until it is there, and after it has
   failed, lanes alone play.

   It is used while thinking has a limit of time alone: thinking that is limited
   in simulations or states has the same results wherever it is done. */
#ifndef TAFL_SEARCH_OFFLOAD_H
#define TAFL_SEARCH_OFFLOAD_H

#include "game/budget.h"
#include "gpu/pool.h"
#include "search/parts.h"

typedef struct Offload Offload;

enum { OFFLOAD_SLOTS = 2 }; /* batches that a thread has on the card */

/* The programs of playouts are borrowed. `leaves` is how many a thread may have
   in its lanes. */
Offload *offload_new(Search *search, const Cones *playing, uint32_t leaves);
/* Never waits for playouts. */
void offload_delete(Offload *offload);

/* Thinking begins or has ended; while no thread is at work. */
void offload_begin(Offload *offload, const Budget *budget);
void offload_end(Offload *offload);

/* ---- for all threads ---- */

/* Returns how many leaves a thread may have under way on the card, and how many
   threads may have some: those with the first numbers. */
uint32_t offload_most(const Offload *offload);
uint32_t offload_feeders(const Offload *offload);
/* Returns true if playouts on the card choose moves by scores. */
bool offload_weighs(const Offload *offload);
/* Returns true if the card may become ready during this thinking. */
bool offload_expected(const Offload *offload);
/* Returns what plays on the card, or NULL: not yet, or not any more. */
Gpu *offload_gpu(Offload *offload);
/* The card is of no more use in this match. The first reason counts. */
void offload_fail(Offload *offload, const char *why);

/* Takes jobs of 32 playouts on, or says that they are over. */
void offload_count(Offload *offload, int64_t jobs);
/* Returns true if the card has as many jobs as keep it at work. */
bool offload_full(Offload *offload);

/* Returns the sum of a role's returns over the playouts from a leaf, whose sums
   by role are a row. */
double offload_returns(const Aim *aim, const GpuSums *sums,
                       const GpuRoleSums *roles, uint32_t role);

/* Returns a sentence on why the card is not used, or NULL: it is, or this
   machine has none, or it is not wanted. While no thread is at work. */
const char *offload_trouble(Offload *offload);

#endif
