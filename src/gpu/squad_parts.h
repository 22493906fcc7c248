/* The inside of the squad kernel's text. */
#ifndef TAFL_GPU_SQUAD_PARTS_H
#define TAFL_GPU_SQUAD_PARTS_H

#include "gpu/squad.h"
#include "gpu/team_parts.h"

/* ---- the code of gates ---- */

/* Declares the lists of streams, which come before the rest. */
void squad_code_targets(Team *team, const Squad *squad);
/* What a step begins with, what follows the choice, and `evaluate`: the
   programs of the leg, and the goals; they go on at `tally` with the numbers of
   the leg and the part, at after1 and after2. */
void squad_code_look(Team *team, Squad *squad);
void squad_code_next(Team *team, Squad *squad);
void squad_code_goals(Team *team, Squad *squad);

/* ---- the choice ---- */

/* Near slots for what is known of the roles before `role` from one part of the
   leg to the next; they are the first that programs may use. */
uint32_t squad_choose_kept(const Squad *squad, uint32_t leg, uint32_t role);
void squad_choose_prepare(Team *team); /* `look`: what a step begins with */
/* Begins to load what the tally begins with; before the barrier. */
void squad_choose_ahead(Team *team, const Squad *squad, uint32_t leg,
                        uint32_t part);
/* `tally` of every leg and part: counts the moves, and after the last part
   chooses. */
void squad_choose(Team *team, const Squad *squad);

#endif
