/* The parts of probes: calls to the player, the match played with it, and
   reports of what is wrong. Functions that return bool mostly return true on
   success; on failure the finding says why, and the probe returns. */
#ifndef TAFL_PROBE_PROBE_PARTS_H
#define TAFL_PROBE_PROBE_PARTS_H

#include "engine/moves.h"
#include "match/message.h"
#include "probe/probe.h"

/* Seconds that the reference game master waits for INFO and ABORT, and after
   the play clock for a move. */
#define PROBE_SHORT 1.0

enum { PROBE_MOST_ROLES = 4 };

typedef struct ProbeMatch {
  bool open;     /* START was sent, and no STOP or ABORT */
  uint32_t turn; /* joint moves made */
  uint32_t role; /* of the player */
  Text id, rules;
  Description description;
  Game *game;
  TextVector joint; /* moves of the last turn by role; empty before the first */
} ProbeMatch;

typedef struct Prober {
  const ProbeOptions *options;
  SocketPlace *place;
  ProbeFinding *finding; /* of the running probe */
  SocketReply reply;     /* the last one */
  Text term;             /* first term of its body; empty if there is none */
  ProbeMatch match;
  uint32_t matches;
  uint64_t session; /* part of match ids, so that no player sees one twice */
  Random random;
  /* about all moves so far */
  uint32_t plays;
  double slowest;
  Text form; /* the first with a wrong form, and what is wrong; may be empty */
} Prober;

/* ---- reasons (probe_call.c) ---- */

bool probe_fail(Prober *prober, const char *format, ...) PRINTF_LIKE(2, 3);
void probe_remark(Prober *prober, const char *format, ...) PRINTF_LIKE(2, 3);

/* ---- calls (probe_call.c) ---- */

typedef struct ProbeCall {
  int socket; /* -1: no connection */
  double begin;
  uint32_t exchange; /* its number in the finding */
} ProbeCall;

/* Writes a POST of the message as the reference game master does; `length` is
   the value of Content-Length. */
void probe_write_post(const Prober *prober, const char *version,
                      const char *message, const char *length, Text *request);
/* Connects and sends; `sent` is what the finding shows. */
bool probe_open_raw(Prober *prober, ProbeCall *call, const Text *request,
                    const char *sent);
bool probe_open_call(Prober *prober, ProbeCall *call, const char *message);
/* Waits for the reply until `limit` seconds after the call began; ends it. */
SocketEnd probe_end_call(Prober *prober, ProbeCall *call, double limit);
bool probe_await(Prober *prober, ProbeCall *call, double limit);
bool probe_ask(Prober *prober, const char *message, double limit);
/* For calls that the player may refuse by closing the connection. */
bool probe_ask_raw(Prober *prober, const Text *request, const char *sent,
                   double limit);
bool probe_wants_term(Prober *prober);
bool probe_wants_word(Prober *prober, const char *word);
/* INFO is still answered. */
bool probe_still_there(Prober *prober);
void probe_sleep(double seconds);

/* ---- games (probe_games.c) ---- */

extern const char *const probe_rules_line;    /* two roles in turn */
extern const char *const probe_rules_fingers; /* three roles at once */
extern const char *const probe_rules_lamps;   /* one role */

/* Write the rules with every name changed, but not keywords and numbers. */
void probe_rename_mixed(const char *rules, Text *out); /* MaRk for mark */
void probe_rename_random(const char *rules, Random *random, Text *out);

/* ---- the match (probe_match.c) ---- */

/* Sends START for `role`. A match that is still open is aborted first. */
bool probe_begin_match(Prober *prober, const char *rules, uint32_t role);
/* Writes the PLAY that is due. */
void probe_write_play(const Prober *prober, Text *message);
/* Waits for the answer and finds the move; if it is not legal, `move` is a
   random one. */
bool probe_await_move(Prober *prober, ProbeCall *call, Move *move);
bool probe_ask_move(Prober *prober, Move *move); /* PLAY, and the above */
/* Makes this move, together with random moves of the other roles. */
void probe_advance(Prober *prober, Move move);
bool probe_play_turn(Prober *prober); /* probe_ask_move and probe_advance */
double probe_play_limit(const Prober *prober);
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
