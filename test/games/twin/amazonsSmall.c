/* Counts the move sequences of Amazons on a board of 6 by 6, with the amazons
   one square from the corners. Usage: amazonsSmall DEPTH. */

#define SIZE 6
#include "amazons.c"
