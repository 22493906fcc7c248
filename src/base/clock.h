/* Seconds since some fixed moment; never runs backwards, unmoved by changes of
   the wall clock. */
#ifndef TAFL_BASE_CLOCK_H
#define TAFL_BASE_CLOCK_H

double clock_now(void);

#endif
