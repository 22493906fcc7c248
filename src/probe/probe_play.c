/* Probes with matches. The first ones share a match, each continuing where the
   one before it ended, until the probe of ABORT aborts it. The others have
   matches of their own. */
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/probe_parts.h"

/* Seconds into a player's thinking when it is sent another message, and the
   answering time above which it seems to have waited for the move. */
static const double thinking = 0.1, at_once = 0.25;

/* Truncates the reasons to this length: they were about a move that the probe
   does not check. */
static void drop_reasons(Prober *prober, size_t length) {
  Text *why = &prober->finding->why;
  if (why->length > length) why->bytes[length] = 0;
  why->length = length;
}

/* ---- the shared match: the player is the first of two roles in turn ---- */

bool probe_start_in_time(Prober *prober) {
  return probe_begin_match(prober, probe_rules_line, 0);
}

bool probe_first_move_legal(Prober *prober) {
  return probe_play_turn(prober);
}

bool probe_second_move_legal(Prober *prober) {
  return probe_play_turn(prober);
}

/* In the third turn it is the player's move again; a player that takes the
   repetition for another turn believes that it is not. */
bool probe_repeated_play(Prober *prober) {
  Move first, second;
  bool fine = probe_ask_move(prober, &first);
  bool again = probe_ask_move(prober, &second);
  probe_advance(prober, second);
  return probe_play_turn(prober) && fine && again;
}

bool probe_wrong_id(Prober *prober) {
  Text message = {0};
  text_format(&message, "(PLAY not.%s NIL)", prober->match.id.bytes);
  bool fine = probe_ask(prober, message.bytes, probe_play_limit(prober)) &&
              probe_wants_word(prober, "busy");
  text_free(&message);
  return fine;
}

/* Sends a message while the call waits for its move. A player that handles one
   request at a time answers only after the move. */
static bool ask_beside(Prober *prober, const ProbeCall *play,
                       const char *message) {
  probe_sleep(thinking);
  bool early = socket_has_input(play->socket);
  double begin = clock_now();
  if (early) probe_remark(prober, "the move came before the question");
  if (!probe_ask(prober, message, PROBE_SHORT)) return false;
  return early || clock_now() - begin < at_once ||
         !socket_has_input(play->socket) ||
         probe_fail(prober, "the answer came only after the move");
}

bool probe_info_while_thinking(Prober *prober) {
  ProbeCall play;
  Text message = {0};
  Move move;
  probe_write_play(prober, &message);
  bool fine = probe_open_call(prober, &play, message.bytes);
  text_free(&message);
  if (!fine) return false;
  fine = ask_beside(prober, &play, "(INFO)") && probe_wants_term(prober);
  size_t reasons = prober->finding->why.length;
  probe_await_move(prober, &play, &move);
  drop_reasons(prober, reasons);
  probe_advance(prober, move);
  return fine;
}

/* How the PLAY is answered is up to the player; its connection stays open for
   the usual time. */
bool probe_abort_while_thinking(Prober *prober) {
  ProbeCall play;
  Text message = {0};
  if (prober->match.turn % 2) probe_play_turn(prober);
  drop_reasons(prober, 0);
  probe_write_play(prober, &message);
  bool fine = probe_open_call(prober, &play, message.bytes);
  text_clear(&message);
  text_format(&message, "(ABORT %s)", prober->match.id.bytes);
  if (fine) {
    fine = ask_beside(prober, &play, message.bytes) &&
           probe_wants_word(prober, "aborted");
    probe_end_call(prober, &play, probe_play_limit(prober));
    prober->match.open = false;
  }
  text_free(&message);
  return fine;
}

/* ---- names ---- */

/* The last reply must be the move to the letter. */
static bool wants_spelling(Prober *prober, Move move) {
  Text own = {0};
  moves_write(prober->match.game, prober->match.role, move, &own);
  const char *at = strcasestr(text_string(&prober->reply.body), own.bytes);
  bool fine = !at || strncmp(at, own.bytes, own.length) == 0;
  if (!fine)
    probe_fail(prober, "the answer is %.100s, the rules have %.100s",
               prober->term.bytes, own.bytes);
  text_free(&own);
  return fine;
}

bool probe_case(Prober *prober) {
  Text rules = {0};
  probe_rename_mixed(probe_rules_line, &rules);
  bool fine = probe_begin_match(prober, rules.bytes, 0);
  for (int turn = 0; turn < 2 && fine; turn++) {
    Move move;
    fine = probe_ask_move(prober, &move) && wants_spelling(prober, move);
    probe_advance(prober, move);
  }
  probe_abort_match(prober);
  text_free(&rules);
  return fine;
}

bool probe_scrambled(Prober *prober) {
  Text rules = {0};
  probe_rename_random(probe_rules_line, &prober->random, &rules);
  bool fine = probe_begin_match(prober, rules.bytes, 1) &&
              probe_play_turn(prober) && probe_play_turn(prober);
  probe_abort_match(prober);
  text_free(&rules);
  return fine;
}

/* ---- roles, and the end ---- */

bool probe_several_roles(Prober *prober) {
  bool fine = probe_begin_match(prober, probe_rules_fingers, 1) &&
              probe_play_turn(prober) && probe_play_turn(prober);
  probe_abort_match(prober);
  return fine;
}

bool probe_single_role(Prober *prober) {
  return probe_begin_match(prober, probe_rules_lamps, 0) &&
         probe_play_turn(prober) && probe_play_turn(prober);
}

bool probe_stop(Prober *prober) {
  ProbeMatch *match = &prober->match;
  Text message = {0};
  message_write_moves(&message, MESSAGE_STOP, match->id.bytes,
                      match->joint.data, match->joint.count);
  bool fine = probe_ask(prober, message.bytes, probe_play_limit(prober)) &&
              probe_wants_word(prober, "done");
  match->open = !fine;
  text_free(&message);
  return fine;
}

bool probe_play_after_stop(Prober *prober) {
  Text message = {0};
  probe_write_play(prober, &message);
  bool fine = probe_ask(prober, message.bytes, probe_play_limit(prober)) &&
              probe_wants_term(prober) && probe_still_there(prober);
  text_free(&message);
  return fine;
}

/* ---- impossible moves ---- */

static bool ask_anyhow(Prober *prober, const char *moves) {
  Text message = {0};
  text_format(&message, "(PLAY %s %s)", prober->match.id.bytes, moves);
  bool fine = probe_ask(prober, message.bytes, probe_play_limit(prober)) &&
              probe_wants_term(prober) && probe_still_there(prober);
  text_free(&message);
  return fine;
}

bool probe_wrong_length(Prober *prober) {
  return probe_begin_match(prober, probe_rules_line, 1) &&
         ask_anyhow(prober, "NIL") && ask_anyhow(prober, "((mark 1 1))");
}

bool probe_nil_again(Prober *prober) {
  bool fine = ask_anyhow(prober, "NIL");
  probe_abort_match(prober);
  return fine;
}

/* ---- about all matches ---- */

bool probe_move_form(Prober *prober) {
  return !prober->form.length || probe_fail(prober, "%s", prober->form.bytes);
}

bool probe_play_in_time(Prober *prober) {
  double play = prober->options->play;
  if (prober->slowest > play)
    return probe_fail(prober,
                      "%.3f s of a play clock of %g s; the reference game "
                      "master waits a second more, others do not",
                      prober->slowest, play);
  probe_remark(prober, "the slowest of %u moves took %.3f s", prober->plays,
               prober->slowest);
  return true;
}
