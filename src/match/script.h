/* Somebody's plan for a game of one role: moves as text, with their places, and
   what becomes of them when they are played.

     plan    := (comment | label | move)*
     comment := ';' and the rest of the line
     label   := digits and ':' or '.', at the beginning of a line
     move    := a ground term

   Moves may be in any case and with f for (f), as in match/spelling.h. */
#ifndef TAFL_MATCH_SCRIPT_H
#define TAFL_MATCH_SCRIPT_H

#include "engine/game.h"
#include "gdl/report.h"

typedef struct Script {
  Source source; /* as it was written */
  Report report; /* of what is wrong with it */
  TextVector moves;
  NumberVector offsets; /* of the moves in the text */
} Script;

/* Name and text are borrowed. Returns false, with errors in the report, if the
   text is not a plan; free it either way. */
bool script_read(Script *script, const char *name, const char *text,
                 size_t length);
void script_free(Script *script);

typedef enum {
  SCRIPT_HOLDS,   /* the game is over after the last move, and has a goal */
  SCRIPT_ILLEGAL, /* the move after `made` is not legal */
  SCRIPT_LONG,    /* the game is over before the last move */
  SCRIPT_SHORT,   /* it is not over after the last move */
  SCRIPT_STUCK,   /* the same, and no move is legal */
  SCRIPT_NO_GOAL, /* it is over, but the role has no goal */
  SCRIPT_FAILED   /* the engine has reached a limit */
} ScriptEnd;

typedef struct ScriptResult {
  ScriptEnd end;
  uint32_t made;   /* moves that could be made */
  uint32_t offset; /* in the text: of the wrong move, or else the last */
  int score;       /* where the game is over and has a goal; else -1 */
} ScriptResult;

/* Plays the moves from the game's state; the game stays where they end. */
ScriptResult script_play(const Script *script, Game *game);

#endif
