/* The match played with the player: an engine of our own knows what is legal,
   and the other roles move at random. An illegal or missing move is replaced by
   a random one and the match continues, as with the reference game master.

   A move is judged by its meaning: (mark 1 1) may be written `mark 1 1`,
   `((mark 1 1))` or in another case and still be legal; a wrong form is
   recorded for the probe that checks it. */
#include <inttypes.h>
#include <strings.h>

#include "probe/probe_parts.h"
#include "rules/rules.h"

static const RulesLimits limits = {.memory = 64 << 20, .seconds = 10};

static void match_free(ProbeMatch *match) {
  if (match->game) {
    game_delete(match->game);
    description_free(&match->description);
  }
  text_vector_free(&match->joint);
  text_free(&match->id);
  text_free(&match->rules);
  *match = (ProbeMatch){0};
}

void probe_abort_match(Prober *prober) {
  ProbeCall call;
  Text message = {0};
  if (prober->match.open) {
    text_format(&message, "(ABORT %s)", prober->match.id.bytes);
    if (probe_open_call(prober, &call, message.bytes))
      probe_end_call(prober, &call, PROBE_SHORT);
    text_free(&message);
  }
  match_free(&prober->match);
}

static void match_init(Prober *prober, const char *rules, uint32_t role) {
  ProbeMatch *match = &prober->match;
  match->role = role;
  text_add(&match->rules, rules);
  text_format(&match->id, "ping.%" PRIx64 ".%u", prober->session,
              ++prober->matches);
  description_init(&match->description, "probe", match->rules.bytes,
                   match->rules.length);
  match->game = rules_engine_new(&match->description, &limits);
}

bool probe_begin_match(Prober *prober, const char *rules, uint32_t role) {
  ProbeMatch *match = &prober->match;
  Text message = {0}, name = {0};
  probe_abort_match(prober);
  match_init(prober, rules, role);
  term_write(game_terms(match->game), game_role(match->game, role), &name);
  message_write_start(&message, match->id.bytes, name.bytes, rules,
                      prober->options->start, prober->options->play);
  match->open = true;
  bool fine = probe_ask(prober, message.bytes, prober->options->start) &&
              probe_wants_word(prober, "ready");
  text_free(&message);
  text_free(&name);
  return fine;
}

void probe_write_play(const Prober *prober, Text *message) {
  const ProbeMatch *match = &prober->match;
  message_write_moves(message, MESSAGE_PLAY, match->id.bytes, match->joint.data,
                      match->joint.count);
}

double probe_play_limit(const Prober *prober) {
  return prober->options->play + PROBE_SHORT;
}

/* ---- the player's move ---- */

/* In any case, but in exactly this form. */
static bool find_legal(Prober *prober, const char *text, Move *move) {
  const Move *moves;
  Text own = {0};
  bool found = false;
  uint32_t role = prober->match.role;
  uint32_t count = game_legal(prober->match.game, role, &moves);
  for (uint32_t i = 0; i < count && !found; i++) {
    text_clear(&own);
    moves_write(prober->match.game, role, moves[i], &own);
    found = strcasecmp(own.bytes, text) == 0;
    if (found) *move = moves[i];
  }
  text_free(&own);
  return found;
}

/* Writes all terms of the body as one list. */
static void write_as_list(const Prober *prober, Text *list) {
  Text body = {0};
  text_format(&body, "(%s\n)", text_string(&prober->reply.body));
  if (!message_first_term(body.bytes, body.length, list)) text_clear(list);
  text_free(&body);
}

static void note_form(Prober *prober, const char *what) {
  if (prober->form.length) return;
  text_format(&prober->form, "%s: %.100s", what,
              text_string(&prober->reply.body));
}

/* Finds the legal move that is meant, whatever its form. */
static bool find_meant(Prober *prober, Move *move) {
  Text list = {0}, inner = {0}, single = {0};
  const Text *term = &prober->term;
  write_as_list(prober, &list);
  text_format(&single, "(%s)", term->bytes);
  if (term->length > 2 && *term->bytes == '(')
    text_add_bytes(&inner, term->bytes + 1, term->length - 2);
  bool found = find_legal(prober, term->bytes, move);
  if (found && strcmp(text_string(&list), single.bytes) != 0)
    note_form(prober, "more than one term");
  if (!found && (found = find_legal(prober, text_string(&list), move)))
    note_form(prober, "parentheses are missing");
  if (!found && (found = find_legal(prober, text_string(&inner), move)))
    note_form(prober, "too many parentheses");
  text_free(&list);
  text_free(&inner);
  text_free(&single);
  return found;
}

static Move random_move(Prober *prober, uint32_t role) {
  return moves_random(prober->match.game, role, &prober->random);
}

/* Is the last reply a legal move? If not, `move` is unchanged. */
static bool judge_move(Prober *prober, Move *move) {
  return probe_wants_term(prober) &&
         (find_meant(prober, move) ||
          probe_fail(prober, "%.100s is not a legal move", prober->term.bytes));
}

/* The time of a move that arrived before the call is not known. */
bool probe_await_move(Prober *prober, ProbeCall *call, Move *move) {
  bool early = socket_has_input(call->socket);
  *move = random_move(prober, prober->match.role);
  bool answered = probe_await(prober, call, probe_play_limit(prober));
  double seconds = prober->finding->exchanges.data[call->exchange].seconds;
  prober->plays++;
  if (!early && seconds > prober->slowest) prober->slowest = seconds;
  return answered && judge_move(prober, move);
}

bool probe_ask_move(Prober *prober, Move *move) {
  ProbeCall call;
  Text message = {0};
  probe_write_play(prober, &message);
  *move = random_move(prober, prober->match.role);
  bool fine = probe_open_call(prober, &call, message.bytes) &&
              probe_await_move(prober, &call, move);
  text_free(&message);
  return fine;
}

/* ---- turns ---- */

void probe_advance(Prober *prober, Move move) {
  ProbeMatch *match = &prober->match;
  Move joint[PROBE_MOST_ROLES];
  text_vector_free(&match->joint);
  for (uint32_t role = 0; role < match->game->role_count; role++) {
    Text text = {0};
    joint[role] = role == match->role ? move : random_move(prober, role);
    moves_write(match->game, role, joint[role], &text);
    vector_push(&match->joint, text);
  }
  game_make(match->game, joint);
  match->turn++;
}

bool probe_play_turn(Prober *prober) {
  Move move;
  bool fine = probe_ask_move(prober, &move);
  probe_advance(prober, move);
  return fine;
}
