/* Which atoms, and which pairs of atoms, the states seen so far had. An atom is
   a value of a field of a packed state, so a state has as many atoms as there
   are fields. The novelty of a state is the size of the smallest set of its
   atoms that no state before it had (Lipovetzky and Geffner 2012). States are
   divided into classes, such as those at the same distance from the goal; what
   is new, is new in its class. */
#ifndef TAFL_SOLVE_ATOMS_H
#define TAFL_SOLVE_ATOMS_H

#include "solve/packing.h"

typedef struct Atoms Atoms;

enum { ATOMS_OLD = 3 }; /* the novelty of a state with nothing new */

/* `width`: 1 or 2 atoms in a set, at most. Tables take up to `memory` bytes;
   where that is too little, some classes or pairs are taken for others. The
   packing is borrowed. Returns NULL if even single atoms do not fit. */
Atoms *atoms_new(const Packing *packing, uint32_t width, size_t memory);
void atoms_delete(Atoms *atoms);
/* Forgets everything; looks at sets of up to `width` atoms from then on. */
void atoms_clear(Atoms *atoms, uint32_t width);
/* Returns false if something may be taken for something else. */
bool atoms_exact(const Atoms *atoms, uint32_t classes);

/* Returns the novelty of the state: 1, 2 (if pairs are looked at) or ATOMS_OLD;
   notes its atoms. `from`: a state of the same class that was noted before, of
   which most fields are the same; or NULL. */
uint32_t atoms_note(Atoms *atoms, uint32_t class, const uint64_t *key,
                    const uint64_t *from);

#endif
