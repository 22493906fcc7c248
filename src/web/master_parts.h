/* The inside of a game master: master.c (the course of the match), master_ask.c
   (agents, persons, hints), master_say.c (what the server is told) and
   master_store.c (the database). */
#ifndef TAFL_WEB_MASTER_PARTS_H
#define TAFL_WEB_MASTER_PARTS_H

#include "match/match.h"
#include "match/party.h"
#include "server/margin.h"
#include "web/master.h"
#include "web/turn.h"

/* Whatever takes long is nicer than the thread that makes the moves, as in
   player/team.c. */
enum { MASTER_NICE = 5 };

typedef struct MasterSpent { /* on a move of one role */
  double seconds;
  AgentWork work;
  bool searched;
  double value, depth; /* if so */
} MasterSpent;

typedef struct MasterStep {
  bool choice;        /* a person chose among several moves */
  MasterSpent *spent; /* by role; NULL: the move was given */
} MasterStep;

typedef struct Master {
  const MasterPlan *plan;
  Turn turn;
  double begun; /* by clock_now */
  char date[32];
  Text title;

  Description description;
  Book book;
  bool loaded; /* what follows is there */
  Game *game;
  Scene *scene;
  uint32_t version; /* of the scene, as far as it was sent */
  uint32_t role_count;
  int sum;          /* that final goals add up to, as far as is known; or 0 */
  AgentSpec *specs; /* by role; texts are the plan's */
  const AgentSpec **players; /* by role */

  PartyOptions options;
  Party party;
  bool seated;      /* there is a party */
  uint32_t parties; /* that there were */
  Margin margin;    /* of the agents' clocks */

  MoveVector moves; /* role by role, step by step */
  VECTOR(MasterStep) steps;
  json_t **thoughts; /* by role, of this step; or NULL */
  bool *idle;        /* by role: it has no choice */
  bool resigned;
  bool kept; /* the store has the match as it stands */
} Master;

/* ---- master.c ---- */

void master_fail(Master *master, const char *format, ...) PRINTF_LIKE(2, 3);
/* Sees who has a choice, in `idle`. */
void master_see_choices(Master *master);
/* Makes a joint move and says so; choices have been seen. */
void master_make(Master *master, const Move *joint);

/* Takes the last step back, without a word. */
void master_take_back(Master *master);

/* ---- master_show.c ---- */

/* Shows a match that is played elsewhere. */
void master_show(Master *master);

/* ---- master_ask.c ---- */

/* Sets what the party calls while it plays. */
void master_seat(Master *master);
/* Seconds that agents get of a clock, so that their moves come in time. */
double master_seconds(const Master *master, double clock);
void master_forget_thoughts(Master *master);

/* ---- master_say.c ---- */

void master_say_head(Master *master);
/* The same before the match is loaded, with the state that it will begin with.
   `scene` is taken. */
void master_say_early(Master *master, json_t *scene, json_t *state);
void master_say_brief(Master *master);
/* Sends the step whose moves were just made; `before` are the facts before
   it. `moves` is a new value, or NULL for the initial state. */
void master_say_step(Master *master, json_t *moves, const TermVector *before);
/* The moves that are about to be made, with what the agents say. */
json_t *master_moves_json(Master *master, const Move *joint);
/* Offers persons their moves, says who thinks, and sends TURN. */
void master_say_turn(Master *master);
/* Ends choosing and thinking: TURN with the phase and the message. */
void master_say_phase(Master *master, TurnPhase phase, const char *message);
void master_say_back(Master *master, uint32_t step);

/* ---- master_store.c ---- */

/* Stores the match, if there is a store and a move was made; a note says if it
   cannot be. */
void master_store(Master *master, MatchEnd end, const char *error);

#endif
