/* The inside of the team kernel's text: every function writes a part of it.
   That of expansions (gpu/team_expand.h) has some of these parts, too. */
#ifndef TAFL_GPU_TEAM_PARTS_H
#define TAFL_GPU_TEAM_PARTS_H

#include "gpu/ptx.h"
#include "gpu/team.h"

typedef struct Team {
  Ptx ptx;
  const Roster *roster;
  RosterShape shape;
  uint32_t helpers; /* warps of a word */
} Team;

/* Adds lines of assembly; names of registers are those of team.c. */
#define LINES(...) text_format(&team->ptx.body, __VA_ARGS__)

/* ---- what several parts need ---- */

/* Declares the registers of this section and of team_gates_evaluate, whose
   `changed` has to be 0 at first. */
void team_registers(Team *team);
/* Fills those that tell a thread who it is. */
void team_identify(Team *team);
/* The slot's number in `to` becomes its place; `scratch` is overwritten. */
void team_place(Team *team, const char *to, const char *scratch);
/* `to` gets the address of a word at a place. */
void team_address(Team *team, const char *to, const char *place,
                  const char *word);
/* A number from the thread's sequence: steps of a constant of its own, mixed
   (Wellons's lowbias32). */
void team_random(Team *team, const char *to);
/* x0: bit j of lane i becomes bit i of lane j. */
void team_transpose(Team *team);

/* ---- parts ---- */

/* Lists of branch targets, which come before the rest. */
void team_gates_targets(Team *team);
/* `evaluate`: runs the program `phase`, then goes on at after0, after1 or
   after2. */
void team_gates_evaluate(Team *team);
/* `step`: at every eighth step, words that are done are settled and begin
   again. */
void team_settle_turnover(Team *team);
/* `finished`: the end of the kernel. */
void team_settle_finish(Team *team);
/* `after0`: what is over, and a move for every role of the other lanes. */
void team_choose(Team *team);

#endif
