/* The gates of a program, for those who make code of it elsewhere. */
#ifndef TAFL_PROGRAM_PROGRAM_ORDER_H
#define TAFL_PROGRAM_PROGRAM_ORDER_H

#include "program/order.h"
#include "program/program.h"

/* The gates in an order in which values are used soon after they are computed.
   Values are the fluents, the moves, the loops of the cone, then gates. */
const Order *program_order(const Program *program);
/* Returns the value of output i. */
Value program_value(const Program *program, uint32_t i);

#endif
