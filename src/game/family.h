/* The facts of one functor: the values of their arguments, and which arguments
   are the coordinates of a place. */
#ifndef TAFL_GAME_FAMILY_H
#define TAFL_GAME_FAMILY_H

#include "analyse/analysis.h"
#include "game/axis.h"

enum {
  FAMILY_ARGUMENTS = 8, /* of facts that are looked at more closely */
  FAMILY_AXES = 4,
  FAMILY_LONGEST_AXIS = 40,
  FAMILY_VALUES = 400 /* that are remembered of an argument */
};

typedef struct Family {
  Symbol functor;
  uint32_t arity;
  uint32_t known;                      /* facts that may hold */
  TermVector values[FAMILY_ARGUMENTS]; /* in order */
  uint32_t overflow; /* arguments with more values, as bits like the next */
  uint32_t ordered;  /* arguments whose values are numbers, consecutive letters,
                        numbered names, or a chain by the rules */
  uint32_t groups;   /* one-hot groups of the analysis, which vary in: */
  uint32_t varying;
  bool single; /* at most one of its facts holds at a time, */
  bool always; /* and one always does */

  /* How it lies on a board: */
  uint32_t dimension;             /* 0: it does not */
  uint32_t argument[FAMILY_AXES]; /* x, y, outer x (or layer), outer y */
  uint32_t contents;              /* the other arguments, as bits */
  bool split; /* one argument has both coordinates, as in b4 */
  bool mover; /* a thing is in one place, rather than a place has one thing */
} Family;

typedef struct Families {
  const Rules *rules;
  VECTOR(Family) list;
  TermVector facts; /* that may hold, as far as is known */
  bool closed;      /* no others ever will */
  bool analysed;    /* one-hot groups are known */
} Families;

/* Facts are the analysis' fluents, or else what `base` allows. */
void families_init(Families *families, Description *description,
                   const Analysis *analysis);
void families_free(Families *families);
/* Returns the index of the fact's family, or the number of families. */
uint32_t families_find(const Families *families, Term fact);
/* Returns whether the fact is one of the family's. */
bool family_has(const Family *family, const Terms *terms, Term fact);
/* Notes facts of a state. Returns whether something new was learned. */
bool families_learn(Families *families, const Term *facts, uint32_t count);
/* Finds out how the family lies on a board. */
void family_lay_out(const Families *families, Family *family);
/* Tries the two arguments from `first` on as coordinates. Returns false if they
   are not ordered. */
bool family_lay_out_at(Family *family, uint32_t first);

/* The axis `d` of the family, and the fact's coordinate on it. */
void family_axis(const Family *family, const Terms *terms, uint32_t d,
                 Axis *axis);
uint32_t family_coordinate(const Family *family, const Terms *terms, uint32_t d,
                           Term fact);
/* Writes the terms of the contents; returns how many. */
uint32_t family_contents(const Family *family, const Terms *terms, Term fact,
                         Term *contents);

#endif
