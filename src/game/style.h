/* How a state is to be drawn. */
#ifndef TAFL_GAME_STYLE_H
#define TAFL_GAME_STYLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct BoardsStyle {
  uint32_t width, height; /* of the screen in characters; 0: no limit */
  bool colour;            /* ANSI colours may be used */
  bool unicode;           /* the output is UTF-8 */
  bool all;  /* also facts that are not worth showing, such as helper facts */
  bool over; /* the state is terminal: whose turn it is does not matter */
} BoardsStyle;

#endif
