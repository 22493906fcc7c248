/* The inside of the team kernel's text: every function writes a part of it.
   That of expansions (gpu/team_expand.h) has some of these parts, too. */
#ifndef TAFL_GPU_TEAM_PARTS_H
#define TAFL_GPU_TEAM_PARTS_H

#include "gpu/ptx.h"
#include "gpu/roster.h"

typedef struct Team {
  Ptx ptx;
  const Roster *roster;
  RosterShape shape;
  uint32_t helpers; /* warps of a word */
  uint32_t legs;    /* that play goes through in turn */
  bool homes;       /* fluents are where a table says (gpu/squad.h) */
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

/* The head of the module up to the entry's body; `more` is written before the
   parameters of a team. */
void team_write_head(const RosterShape *shape, const char *more, Text *text);
void team_write_registers(Team *team);
void team_write_parameters(Team *team); /* loads them */
void team_write_begin(Team *team);      /* what every thread knows */

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
/* Parts of that: which lanes are present, over, awake; whether this step is
   blind to weights, which is the same for all threads of a block; the weight of
   one move of x1, which it loses, until there is none, from a label that `ed`
   is added to at the end; the bit of x2 whose rank is `rank`; `aim`, the random
   number in `rank` as a part of a sum of weights, below it; after the roles. */
void team_choose_lanes(Team *team);
void team_choose_blind(Team *team);
void team_choose_weigh(Team *team, const char *label);
void team_choose_bit(Team *team);
void team_choose_aim(Team *team, const char *sum);
void team_choose_end(Team *team);

#endif
