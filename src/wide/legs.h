/* Programs for parts of play (analyse/course.h): at a stage much of the net is
   known, so a program for that stage has fewer gates, fewer moves that may be
   legal, and fewer fluents that may change. It says of states that agree with
   the stage what the program of the whole net says of all states. A leg is one
   stage of a course, or several that share their programs. */
#ifndef TAFL_WIDE_LEGS_H
#define TAFL_WIDE_LEGS_H

#include "analyse/course.h"
#include "wide/copies.h"

#define LEG_NEVER UINT32_MAX

/* Of a course of steps, about; with 28 hex is 8 % faster and needs 0.3 s more
   at the start. */
enum { LEGS_MOST = 12 };

typedef struct Leg {
  uint32_t number; /* of the cones, from 1; 0: the whole net */
  Program *look, *next;
  uint32_t *legal; /* vector of each move's legality, after `look`; or
                      LEG_NEVER: it is legal in no state */
  uint32_t terminal;
  Copies changes; /* of the fluents that may change */
  Copies late;    /* of those that the machine code of `next` does not write */
  bool assigns;   /* it writes some; `next` takes the lanes that are held */
  SlicedCopy *rest; /* other fluents, onto themselves */
  uint32_t rest_count;
} Leg;

typedef struct Legs {
  Course course;
  Leg *list;
  uint32_t count;
  uint32_t *of_stage; /* the leg of each stage */
  uint32_t vectors;   /* size of the memory */
} Legs;

/* Takes over the course, in which roles take turns with the period, and makes
   at most about `most` legs of it, numbered from `first`. */
Legs *legs_new(Course course, uint32_t period, uint32_t most, uint32_t first);
void legs_delete(Legs *legs);
/* Prepares all programs; returns false if the mode is not available. */
bool legs_prepare(Legs *legs, const ProgramMode *mode);

/* The leg of the states after so many steps from the initial one. */
static inline const Leg *legs_at(const Legs *legs, uint32_t step) {
  return &legs->list[legs->of_stage[course_stage(&legs->course, step)]];
}

/* An estimate of what the first steps of a game cost with such legs, before
   they are made; only good to be compared with others of the same net. */
double legs_estimate(const Course *course, uint32_t period, uint32_t most,
                     uint32_t steps);

/* Returns the fluents that the outputs of `next` are for: all but those at
   rest. The caller frees the list. */
uint32_t *legs_changed(const Leg *leg, uint32_t fluents, uint32_t *count);

/* What a step costs, about: gates, copies, and moves to look at. */
uint64_t legs_cost_of(const Leg *leg, const Net *net);
/* The same for the first steps of a game, on average. */
double legs_cost(const Legs *legs, uint32_t steps);

#endif
