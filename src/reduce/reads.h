/* Which gates of a net read which. */
#ifndef TAFL_REDUCE_READS_H
#define TAFL_REDUCE_READS_H

#include "net/net.h"

/* Writes to live[gate] whether an output depends on it. */
void reads_mark_live(const Net *net, bool *live);
/* Marks also what marked gates depend on, in a net without loops. */
void reads_mark_below(const Net *net, bool *marked);
/* Writes to late[gate] whether it depends on a move. */
void reads_mark_late(const Net *net, bool *late);
/* Does a value of the state alone (legal, terminal, goal) depend on a move? It
   never does in a valid game. */
bool reads_moves_leak(const Net *net, const bool *late);
bool reads_late_loops(const Net *net, const bool *late);
/* Counts how often live ANDs, loops and outputs read each gate. */
void reads_count(const Net *net, const bool *live, uint32_t *uses);
/* Lists the live ANDs that read each signal s: list[first[s] … first[s + 1]).
   The caller frees both arrays. */
void reads_list(const Net *net, const bool *live, uint32_t **first,
                Gate **list);

#endif
