/* The inside of the squad kernel's text. */
#ifndef TAFL_GPU_SQUAD_PARTS_H
#define TAFL_GPU_SQUAD_PARTS_H

#include "gpu/squad.h"
#include "gpu/team_parts.h"

/* ---- the code of gates ---- */

/* Declares the lists of streams, which come before the rest. */
void squad_code_targets(Team *team, const Squad *squad);
/* `looking`, and what follows the choice, and `evaluate`: the programs of the
   leg, and the goals; they go on at `tally`, after1 and after2. */
void squad_code_look(Team *team, Squad *squad);
void squad_code_next(Team *team, Squad *squad);
void squad_code_goals(Team *team, Squad *squad);

/* ---- the choice ---- */

void squad_choose_prepare(Team *team); /* `look`: what a step begins with */
/* `tally`: counts the moves of a part, and after the last part chooses. */
void squad_choose(Team *team, const Squad *squad);

#endif
