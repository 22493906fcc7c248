/* Measured costs, the input of the model: a text file (docs/cluster-costs.txt)
   with a section for the machine, one for the network and one for each game.

     machine AMD EPYC, two cores
       lock 11.9 ns: build/tools/scale --measure
     network 25 Gbit/s Ethernet
       latency 25 us: assumed
     game connectFour
       descend 0.21 us: build/tools/scale --measure games/connectFour.kif

   Every cost is a line: its name, a number, its unit, a colon, and the command
   that measured it. Lines that begin with # say nothing to the model. Inside,
   all times are seconds and all rates bytes per second. */
#ifndef TAFL_TEST_SCALE_COSTS_H
#define TAFL_TEST_SCALE_COSTS_H

#include "base/text.h"

/* COST(name, unit, meaning) */
#define MACHINE_COSTS(COST) \
  COST(lock, "ns", "taking and giving back a lock that is free") \
  COST(line, "ns", "moving a cache line to a core of the same cache") \
  COST(far, "ns", "moving it to a core of another cache") \
  COST(near, "cores", "that have a cache in common") \
  COST(copy, "GB/s", "copying memory, one core") \
  COST(lines, "GB/s", "random cache lines from memory, one core") \
  COST(memory, "GB/s", "the same, all cores") \
  COST(tcp_message, "us", "processor time of one end for a message over TCP") \
  COST(tcp_latency, "us", "a small message over TCP, on this machine") \
  COST(tcp_rate, "GB/s", "large messages over TCP, on this machine") \
  COST(mpi_message, "us", "processor time of one end for a message by MPI") \
  COST(mpi_latency, "us", "a small message by MPI, on this machine") \
  COST(mpi_rate, "GB/s", "large messages by MPI, on this machine")

#define NETWORK_COSTS(COST) \
  COST(latency, "us", "a small message from host to host") \
  COST(rate, "GB/s", "of a host's connection, each way")

/* Times are those of one thread that shares nothing. */
#define GAME_COSTS(COST) \
  COST(descend, "us", "descending the tree, a leaf") \
  COST(expand, "us", "expanding it") \
  COST(backup, "us", "backing it up") \
  COST(playout, "us", "playing it out once, in full lanes") \
  COST(start, "us", "a batch of playouts besides: lanes that run empty") \
  COST(spread, "%", "deviation of a batch's time from its mean") \
  COST(depth, "nodes", "a descent passes on the average") \
  COST(best, "%", "of a round's descents take the move that most take") \
  COST(line, "nodes", "of that main line, below the root, a descent passes") \
  COST(lessons, "pairs", "of node and move that a round teaches, a leaf") \
  COST(width, "moves", "at the root") \
  COST(state, "bytes", "of a state in a message") \
  COST(credit, "bytes", "of what a message says of moves (MAST)") \
  COST(node, "bytes", "of memory that a new node takes")

#define COST_FIELD(name, unit, meaning) double name;

typedef struct MachineCosts {
  MACHINE_COSTS(COST_FIELD)
} MachineCosts;

typedef struct NetworkCosts {
  NETWORK_COSTS(COST_FIELD)
} NetworkCosts;

typedef struct GameCosts {
  char *name;
  GAME_COSTS(COST_FIELD)
} GameCosts;

typedef struct Costs {
  char *machine_name, *network_name;
  MachineCosts machine;
  NetworkCosts network;
  VECTOR(GameCosts) games;
} Costs;

/* Returns false and sets `error`, with the number of the line, if the text is
   not such a file or a cost is missing. Free the costs in either case. */
bool costs_parse(Costs *costs, const char *text, Text *error);
void costs_free(Costs *costs);

/* Append sections in the form of the file. */
void costs_write_machine(const MachineCosts *costs, const char *name,
                         const char *command, Text *text);
void costs_write_game(const GameCosts *costs, const char *command, Text *text);

#endif
