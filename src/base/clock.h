/* Clocks that never run backwards, in seconds since some fixed moment. */
#ifndef TAFL_BASE_CLOCK_H
#define TAFL_BASE_CLOCK_H

double clock_now(void);    /* real time, unaffected by setting the wall clock */
double clock_thread(void); /* processor time of this thread */

#endif
