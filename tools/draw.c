/* Draws states of a random game, to see how a game looks in a terminal: the
   initial one and that after STEPS joint moves. -a shows all facts, -c colours,
   -u Unicode characters; -n plays without a net.

     build/tools/draw [-a] [-c] [-u] [-n] GAME STEPS [SEED]
     build/tools/draw -u games/chess.kif 10 */
#include <stdio.h>
#include <stdlib.h>

#include "support/drawing.h"

static void show(Drawn *drawn, const BoardsStyle *style) {
  Text text = {0};
  drawn_write(drawn, style, &text);
  printf("%s\n", text_string(&text));
  text_free(&text);
}

int main(int count, char **arguments) {
  BoardsStyle style = {.width = 80, .height = 24};
  bool net = true;
  int at = 1;
  for (; at < count && arguments[at][0] == '-'; at++) {
    style.all |= arguments[at][1] == 'a';
    style.colour |= arguments[at][1] == 'c';
    style.unicode |= arguments[at][1] == 'u';
    net &= arguments[at][1] != 'n';
  }
  if (at + 2 > count) {
    fputs("draw [-a] [-c] [-u] [-n] GAME STEPS [SEED]\n", stderr);
    return 2;
  }
  static Drawn drawn;
  uint64_t seed = at + 2 < count ? strtoull(arguments[at + 2], NULL, 10) : 1;
  if (!drawn_open(&drawn, arguments[at], net, seed)) return 3;
  show(&drawn, &style);
  int steps = atoi(arguments[at + 1]);
  for (int i = 0; i < steps && drawn_step(&drawn); i++) continue;
  if (steps) show(&drawn, &style);
  drawn_close(&drawn);
  return 0;
}
