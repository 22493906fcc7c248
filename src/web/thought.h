/* What a search thinks, as JSON: the THOUGHT of docs/api.md. */
#ifndef TAFL_WEB_THOUGHT_H
#define TAFL_WEB_THOUGHT_H

#include "about/scene.h"
#include "agent/spec.h"

typedef struct ThoughtAbout {
  uint32_t step, role;
  const AgentSpec *spec; /* of the agent */
  bool hint;
  double left;   /* seconds; < 0: none */
  uint32_t most; /* moves; 0: all that a THOUGHT may have */
  int sum;       /* that the goals of two roles add up to; 0: not known */
} ThoughtAbout;

/* Returns a new value, or NULL if the report has nothing to say. `game` stands
   at the state that was thought about and belongs to the scene's book; `own` is
   the agent's engine, which numbers the report's moves. */
json_t *thought_json(Scene *scene, Game *game, const Game *own,
                     const AgentReport *report, const ThoughtAbout *about);

/* The same of what the player says (player/outlook.h), which is released; NULL
   if it is not that. */
json_t *thought_complete(Scene *scene, Game *game, json_t *outlook,
                         const ThoughtAbout *about);

#endif
