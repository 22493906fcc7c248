/* Seconds since some fixed moment, never backwards. */
#ifndef TAFL_BASE_CLOCK_H
#define TAFL_BASE_CLOCK_H

double clock_now(void); /* of the world; unmoved by changes of the wall clock */
double clock_thread(void); /* of this thread's work: stands while others run */

#endif
