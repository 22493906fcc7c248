/* What probes are made of: calls to the player, the match that is being played
   with it, and words for what is wrong. Nearly everything here returns whether
   all is well so far; if it is not, the finding says why, and the probe
   returns. */
#ifndef TAFL_PROBE_PROBE_PARTS_H
#define TAFL_PROBE_PROBE_PARTS_H

#include "base/random.h"
#include "engine/game.h"
#include "match/message.h"
#include "probe/probe.h"

/* What the reference game master waits for INFO and ABORT, and beyond the play
   clock for a move. */
#define PROBE_SHORT 1.0

enum { PROBE_MOST_ROLES = 4 };

typedef struct ProbeMatch {
  bool open;     /* the player was told to start it, and not yet to stop */
  uint32_t turn; /* joint moves made */
  uint32_t role; /* the player's */
  Text id, rules;
  Description description;
  Game *game;
  TextVector joint; /* the last turn's moves by role; none before the first */
} ProbeMatch;

typedef struct Prober {
  const ProbeOptions *options;
  SocketPlace *place;
  ProbeFinding *finding; /* of the probe that runs */
  SocketReply reply;     /* the last one */
  Text term;             /* the first one of its body; empty: there is none */
  ProbeMatch match;
  uint32_t matches;
  uint64_t session; /* in ids, so that a player meets no id twice */
  Random random;
  /* of all moves so far */
  uint32_t plays;
  double slowest;
  Text form; /* the first that had a wrong form, and which; empty: none */
} Prober;

/* ---- what is wrong (probe_call.c) ---- */

bool probe_fail(Prober *prober, const char *format, ...) PRINTF_LIKE(2, 3);
void probe_remark(Prober *prober, const char *format, ...) PRINTF_LIKE(2, 3);

/* ---- calls (probe_call.c) ---- */

typedef struct ProbeCall {
  int socket; /* -1: no connection */
  double begin;
  uint32_t exchange; /* its number in the finding */
} ProbeCall;

/* A POST of the message as the reference game master writes it; `length` is
   what the head says of it. */
void probe_write_post(const Prober *prober, const char *version,
                      const char *message, const char *length, Text *request);
/* Connect and send; `sent` is what the finding shows. */
bool probe_open_raw(Prober *prober, ProbeCall *call, const Text *request,
                    const char *sent);
bool probe_open_call(Prober *prober, ProbeCall *call, const char *message);
/* The reply, `limit` seconds after the call began; ends the call. */
SocketEnd probe_end_call(Prober *prober, ProbeCall *call, double limit);
bool probe_await(Prober *prober, ProbeCall *call, double limit);
bool probe_ask(Prober *prober, const char *message, double limit);
/* For calls that may also be refused by closing the connection. */
bool probe_ask_raw(Prober *prober, const Text *request, const char *sent,
                   double limit);
bool probe_wants_term(Prober *prober);
bool probe_wants_word(Prober *prober, const char *word);
/* INFO is answered: what upset the player has passed. */
bool probe_still_there(Prober *prober);
void probe_sleep(double seconds);

/* ---- games (probe_games.c) ---- */

extern const char *const probe_rules_line;    /* two roles in turn */
extern const char *const probe_rules_fingers; /* three roles at once */
extern const char *const probe_rules_lamps;   /* one role */

/* The rules with every name of their own changed, not numbers. */
void probe_rename_mixed(const char *rules, Text *out); /* MaRk for mark */
void probe_rename_random(const char *rules, Random *random, Text *out);

/* ---- the match (probe_match.c) ---- */

/* START; `role` is the player's. A match that is still open is aborted. */
bool probe_begin_match(Prober *prober, const char *rules, uint32_t role);
/* The PLAY that is due. */
void probe_write_play(const Prober *prober, Text *message);
/* The answer to it: a legal move? If not, `move` is one by chance. */
bool probe_await_move(Prober *prober, ProbeCall *call, Move *move);
bool probe_ask_move(Prober *prober, Move *move); /* both */
/* The joint move of this and the others' by chance. */
void probe_advance(Prober *prober, Move move);
/* PLAY, its answer judged, the joint move made. */
bool probe_play_turn(Prober *prober);
double probe_play_limit(const Prober *prober);
/* Spelled as in the rules. */
void probe_write_move(const Prober *prober, uint32_t role, Move move,
                      Text *text);
void probe_abort_match(Prober *prober);

/* ---- the probes (probe_talk.c, probe_play.c, probe_upset.c) ---- */

bool probe_info(Prober *prober);
bool probe_ping(Prober *prober);
bool probe_info_case(Prober *prober);
bool probe_extra_arguments(Prober *prober);
bool probe_reply_headers(Prober *prober);
bool probe_cors(Prober *prober);
bool probe_http_1_1(Prober *prober);
bool probe_get_request(Prober *prober);
bool probe_preview(Prober *prober);

bool probe_start_in_time(Prober *prober);
bool probe_first_move_legal(Prober *prober);
bool probe_second_move_legal(Prober *prober);
bool probe_repeated_play(Prober *prober);
bool probe_wrong_id(Prober *prober);
bool probe_info_while_thinking(Prober *prober);
bool probe_abort_while_thinking(Prober *prober);
bool probe_case(Prober *prober);
bool probe_scrambled(Prober *prober);
bool probe_several_roles(Prober *prober);
bool probe_single_role(Prober *prober);
bool probe_stop(Prober *prober);
bool probe_play_after_stop(Prober *prober);
bool probe_wrong_length(Prober *prober);
bool probe_nil_again(Prober *prober);
bool probe_move_form(Prober *prober);
bool probe_play_in_time(Prober *prober);

bool probe_malformed(Prober *prober);
bool probe_unknown_message(Prober *prober);
bool probe_empty_body(Prober *prober);
bool probe_bad_length(Prober *prober);
bool probe_truncated(Prober *prober);
bool probe_slow_client(Prober *prober);
bool probe_idle_connections(Prober *prober);
bool probe_huge_rules(Prober *prober);

#endif
