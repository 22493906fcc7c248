/* Messages made, sent and judged. A reply is worth its first term, which must
   be spelled as a legal move is: no brackets too many or few. Waiting times are
   those of the reference game master: the start clock for START, the play clock
   and the grace for PLAY and STOP, one second for ABORT. */
#include "match/remote.h"

#include "io/client.h"
#include "match/message.h"

/* Sent by the reference game master. */
static const char *const headers[] = {"Accept: text/delim",
                                      "Sender: GAMESERVER", "Receiver: PLAYER",
                                      "Content-Type: text/acl", NULL};

static const double abort_seconds = 1;
enum { SHOWN = 200 }; /* bytes of an illegal reply that are kept */

void remotes_init(Remotes *remotes, Game *game, const char *id,
                  const RemoteClocks *clocks, const atomic_bool *stop,
                  bool scramble, uint64_t seed) {
  const Text *rules = &game->description->text;
  *remotes = (Remotes){.game = game, .clocks = *clocks, .stop = stop};
  text_add(&remotes->id, id);
  scramble_init(&remotes->scramble, text_string(rules), rules->length, scramble,
                seed);
}

void remotes_add(Remotes *remotes, uint32_t role, const char *url) {
  Remote remote = {.role = role, .url = url};
  uint32_t same = 0;
  for (uint32_t i = 0; i < remotes->list.count; i++)
    same += !strcmp(remotes->list.data[i].url, url);
  text_add(&remote.id, text_string(&remotes->id));
  if (same) text_format(&remote.id, ".%u", same + 1);
  vector_push(&remotes->list, remote);
}

void remotes_free(Remotes *remotes) {
  for (uint32_t i = 0; i < remotes->list.count; i++) {
    text_free(&remotes->list.data[i].id);
    text_free(&remotes->list.data[i].reply);
    text_free(&remotes->list.data[i].error);
  }
  vector_free(&remotes->list);
  text_free(&remotes->id);
  scramble_free(&remotes->scramble);
}

/* ---- sending ---- */

static void take_reply(Remote *remote, const ClientRequest *request) {
  text_clear(&remote->reply);
  text_clear(&remote->error);
  remote->seconds = request->took;
  switch (request->end) {
  case CLIENT_ANSWERED:
    text_add_bytes(&remote->reply, text_string(&request->reply),
                   request->reply.length);
    break;
  case CLIENT_LATE: text_add(&remote->error, "TO"); break;
  case CLIENT_STOPPED: text_add(&remote->error, "CE broken off"); break;
  case CLIENT_FAILED:
    text_format(&remote->error, "CE %s", text_string(&request->why));
    break;
  }
}

/* To all of them, each its own text; frees the texts. */
static void send_all(Remotes *remotes, Text *bodies, double seconds,
                     const atomic_bool *stop) {
  uint32_t count = remotes->list.count;
  ClientRequest *requests = memory_new((count + 1) * sizeof *requests);
  for (uint32_t i = 0; i < count; i++)
    requests[i] = (ClientRequest){.url = remotes->list.data[i].url,
                                  .body = text_string(&bodies[i]),
                                  .seconds = seconds};
  client_exchange(requests, count, headers, stop);
  for (uint32_t i = 0; i < count; i++) {
    take_reply(&remotes->list.data[i], &requests[i]);
    client_request_free(&requests[i]);
    text_free(&bodies[i]);
  }
  memory_delete(requests);
  memory_delete(bodies);
}

static Text *new_bodies(const Remotes *remotes) {
  return memory_new((remotes->list.count + 1) * sizeof(Text));
}

void remotes_preview(Remotes *remotes) {
  Text *bodies = new_bodies(remotes);
  for (uint32_t i = 0; i < remotes->list.count; i++)
    message_write_preview(&bodies[i], text_string(&remotes->scramble.rules),
                          remotes->clocks.preview);
  send_all(remotes, bodies, remotes->clocks.preview, remotes->stop);
}

void remotes_start(Remotes *remotes) {
  Text *bodies = new_bodies(remotes);
  for (uint32_t i = 0; i < remotes->list.count; i++) {
    const Remote *remote = &remotes->list.data[i];
    Text role = {0}, told = {0};
    term_write(game_terms(remotes->game),
               game_role(remotes->game, remote->role), &role);
    scramble_tell(&remotes->scramble, text_string(&role), &told);
    message_write_start(&bodies[i], text_string(&remote->id),
                        text_string(&told),
                        text_string(&remotes->scramble.rules),
                        remotes->clocks.start, remotes->clocks.play);
    text_free(&role);
    text_free(&told);
  }
  send_all(remotes, bodies, remotes->clocks.start, remotes->stop);
}

static void send_moves(Remotes *remotes, MessageKind kind, const Text *moves) {
  uint32_t roles = remotes->game->role_count;
  Text *bodies = new_bodies(remotes);
  Text *told = memory_new(roles * sizeof *told);
  for (uint32_t role = 0; moves && role < roles; role++)
    scramble_tell(&remotes->scramble, text_string(&moves[role]), &told[role]);
  for (uint32_t i = 0; i < remotes->list.count; i++)
    message_write_moves(&bodies[i], kind,
                        text_string(&remotes->list.data[i].id),
                        moves ? told : NULL, roles);
  for (uint32_t role = 0; role < roles; role++) text_free(&told[role]);
  memory_delete(told);
  send_all(remotes, bodies, remotes->clocks.play + remotes->clocks.grace,
           remotes->stop);
}

void remotes_play(Remotes *remotes, const Text *moves) {
  send_moves(remotes, MESSAGE_PLAY, moves);
}

void remotes_stop(Remotes *remotes, const Text *moves) {
  send_moves(remotes, MESSAGE_STOP, moves);
}

void remotes_abort(Remotes *remotes) {
  Text *bodies = new_bodies(remotes);
  for (uint32_t i = 0; i < remotes->list.count; i++)
    message_write_abort(&bodies[i], text_string(&remotes->list.data[i].id));
  send_all(remotes, bodies, abort_seconds, NULL);
}

/* ---- judging ---- */

bool remote_find_move(Game *game, uint32_t role, const char *text, Move *move) {
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves);
  Text own = {0};
  bool found = false;
  for (uint32_t i = 0; i < count && !found; i++) {
    text_clear(&own);
    term_write(game_terms(game), game_move_term(game, role, moves[i]), &own);
    found = !strcmp(text_string(&own), text);
    if (found) *move = moves[i];
  }
  text_free(&own);
  return found;
}

/* Among moves sorted by their text, so that a seed gives the same move in every
   engine. */
Move remote_random_move(Game *game, uint32_t role, Random *random) {
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves);
  TermVector terms = {0};
  for (uint32_t i = 0; i < count; i++)
    vector_push(&terms, game_move_term(game, role, moves[i]));
  term_sort(game_terms(game), terms.data, count);
  Term chosen = terms.data[random_below(random, count)];
  uint32_t i = 0;
  while (game_move_term(game, role, moves[i]) != chosen) i++;
  vector_free(&terms);
  return moves[i];
}

/* The reply as a line of plain characters, in the game's own words. */
static void note_illegal(Remotes *remotes, Remote *remote) {
  Text text = {0};
  scramble_read(&remotes->scramble, text_string(&remote->reply), &text);
  text_add(&remote->error, "IL ");
  for (size_t i = 0; i < text.length && i < SHOWN; i++) {
    unsigned char byte = (unsigned char)text.bytes[i];
    text_add_byte(&remote->error, byte >= ' ' && byte < 127 ? (char)byte : '?');
  }
  text_free(&text);
}

Move remote_move(Remotes *remotes, Remote *remote, Random *random) {
  Text term = {0}, real = {0};
  Move move;
  bool legal = !remote->error.length &&
               message_first_term(text_string(&remote->reply),
                                  remote->reply.length, &term) &&
               scramble_read(&remotes->scramble, term.bytes, &real) &&
               remote_find_move(remotes->game, remote->role, real.bytes, &move);
  if (!legal && !remote->error.length) note_illegal(remotes, remote);
  if (!legal) move = remote_random_move(remotes->game, remote->role, random);
  text_free(&term);
  text_free(&real);
  return move;
}
