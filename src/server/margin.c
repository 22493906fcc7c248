/* Each figure is the worst value seen, reduced by a twentieth with every new
   one, so that one bad moment is remembered for some forty moves. The first
   values are guesses that decay in the same way. The least margin covers what
   has not been seen lately: with 0.05 s, at a load of some twenty on two
   processors, 2 of 640 replies were sent 0.07 s after they were due, too late;
   with 0.08 s, and the server's priority raised as well, none of 1,640 was, and
   in an evening of 4,977 at a load of seven two came 0.005 s late, both at the
   same moment. */
#include "server/margin.h"

#include <math.h>

static const double decay = 0.95;
static const double least = 0.12; /* seconds before the end of a clock */
static const double first_late = 0.02 / 1.5;
static const double first_slow = 0.02;

void margin_init(Margin *margin) {
  *margin = (Margin){.late = first_late, .slow = first_slow};
}

static void see(double *worst, double seconds) {
  *worst = fmax(seconds, *worst * decay);
}

void margin_saw_trip(Margin *margin, double seconds) {
  see(&margin->trip, seconds);
}

void margin_saw_reply(Margin *margin, double late) {
  see(&margin->late, late);
}

void margin_saw_process(Margin *margin, double late) {
  see(&margin->slow, late);
}

double margin_reply(const Margin *margin, double clock) {
  double own =
      fmin(least + 1.5 * margin->late, fmax(0.15 * clock, 1.5 * margin->late));
  return fmin(own + 2 * margin->trip, clock / 3);
}

double margin_process(const Margin *margin, double clock) {
  double own = fmin(0.01, 0.02 * clock) + 1.5 * margin->slow;
  return fmin(own, clock / 6);
}
