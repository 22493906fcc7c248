/* Messages written, sent and judged. Only the first term of a reply counts, and
   it must be spelled exactly as a legal move is. Waiting times are those of the
   reference game master: the start clock for START, the play clock and the
   grace for PLAY and STOP, one second for INFO and ABORT. */
#include "match/remote.h"

#include "engine/moves.h"
#include "io/client.h"
#include "match/info.h"
#include "match/message.h"

typedef struct Remote {
  Agent agent;
  RemoteMatch *match;
  const char *url;
  Text id;        /* of the match; differs between roles at one address */
  Text *told;     /* by role: the last moves, as the player is told them */
  bool moved;     /* there are any */
  Text name;      /* from INFO; empty: unknown */
  Text reply;     /* to the last message */
  double seconds; /* until it came */
} Remote;

/* Sent by the reference game master. */
static const char *const headers[] = {"Accept: text/delim",
                                      "Sender: GAMESERVER", "Receiver: PLAYER",
                                      "Content-Type: text/acl", NULL};

static const double info_seconds = 1, abort_seconds = 1;
enum { SHOWN = 200 }; /* bytes of an illegal reply that are kept */

void remote_match_init(RemoteMatch *match, Game *game, const char *id,
                       const RemoteClocks *clocks, const atomic_bool *stop,
                       bool scramble, uint64_t seed) {
  const Text *rules = &game->description->text;
  *match = (RemoteMatch){.game = game, .clocks = *clocks, .stop = stop};
  text_add(&match->id, id);
  scramble_init(&match->scramble, text_string(rules), rules->length, scramble,
                seed);
}

void remote_match_free(RemoteMatch *match) {
  vector_free(&match->urls);
  text_free(&match->id);
  scramble_free(&match->scramble);
}

/* ---- sending ---- */

static void take_reply(Remote *remote, const ClientRequest *request) {
  Text *fault = &remote->agent.fault;
  text_clear(&remote->reply);
  text_clear(fault);
  remote->seconds = request->took;
  switch (request->end) {
  case CLIENT_ANSWERED:
    text_add_bytes(&remote->reply, text_string(&request->reply),
                   request->reply.length);
    break;
  case CLIENT_LATE: text_add(fault, "TO"); break;
  case CLIENT_STOPPED: text_add(fault, "CE broken off"); break;
  case CLIENT_FAILED:
    text_format(fault, "CE %s", text_string(&request->why));
    break;
  }
}

/* Sends the message and frees it. */
static void send(Remote *remote, Text *body, double seconds,
                 const atomic_bool *stop) {
  ClientRequest request = {
      .url = remote->url, .body = text_string(body), .seconds = seconds};
  client_exchange(&request, 1, headers, stop);
  take_reply(remote, &request);
  client_request_free(&request);
  text_free(body);
}

void remote_ask_name(Agent *agent) {
  Remote *remote = (Remote *)agent;
  Text body = {0};
  text_add(&body, "(INFO)");
  send(remote, &body, info_seconds, remote->match->stop);
  text_clear(&remote->name);
  info_name(text_string(&remote->reply), remote->reply.length, &remote->name);
  text_clear(&agent->fault);
}

const char *remote_name(const Agent *agent) {
  return text_string(&((const Remote *)agent)->name);
}

static void preview(Agent *agent) {
  Remote *remote = (Remote *)agent;
  const RemoteMatch *match = remote->match;
  Text body = {0};
  if (match->clocks.preview <= 0) return;
  message_write_preview(&body, text_string(&match->scramble.rules),
                        match->clocks.preview);
  send(remote, &body, match->clocks.preview, match->stop);
}

static void start(Agent *agent, const Budget *budget) {
  Remote *remote = (Remote *)agent;
  const RemoteMatch *match = remote->match;
  Text body = {0}, role = {0}, told = {0};
  (void)budget;
  moves_write_role(match->game, agent->role, &role);
  scramble_tell(&match->scramble, text_string(&role), &told);
  message_write_start(&body, text_string(&remote->id), text_string(&told),
                      text_string(&match->scramble.rules), match->clocks.start,
                      match->clocks.play);
  send(remote, &body, match->clocks.start, match->stop);
  text_free(&role);
  text_free(&told);
}

static void send_moves(Remote *remote, MessageKind kind) {
  const RemoteMatch *match = remote->match;
  Text body = {0};
  message_write_moves(&body, kind, text_string(&remote->id),
                      remote->moved ? remote->told : NULL,
                      match->game->role_count);
  send(remote, &body, match->clocks.play + match->clocks.grace, match->stop);
}

static void think(Agent *agent, const Budget *budget) {
  (void)budget;
  send_moves((Remote *)agent, MESSAGE_PLAY);
}

static void told(Agent *agent, const Move *joint) {
  Remote *remote = (Remote *)agent;
  Text move = {0};
  for (uint32_t role = 0; role < agent->game->role_count; role++) {
    text_clear(&move);
    text_clear(&remote->told[role]);
    moves_write(agent->game, role, joint[role], &move);
    scramble_tell(&remote->match->scramble, move.bytes, &remote->told[role]);
  }
  remote->moved = true;
  text_free(&move);
}

/* ---- judging ---- */

/* Appends the reply as a line of plain characters, in the game's own words. */
static void write_reply(const Remote *remote, Text *to) {
  Text text = {0};
  scramble_read(&remote->match->scramble, text_string(&remote->reply), &text);
  for (size_t i = 0; i < text.length && i < SHOWN; i++) {
    unsigned char byte = (unsigned char)text.bytes[i];
    text_add_byte(to, byte >= ' ' && byte < 127 ? (char)byte : '?');
  }
  text_free(&text);
}

static void note_illegal(Remote *remote) {
  text_add(&remote->agent.fault, "IL ");
  write_reply(remote, &remote->agent.fault);
}

static bool best(Agent *agent, Move *move) {
  Remote *remote = (Remote *)agent;
  Text term = {0}, real = {0};
  if (agent->fault.length) return false;
  bool legal = message_first_term(text_string(&remote->reply),
                                  remote->reply.length, &term) &&
               scramble_read(&remote->match->scramble, term.bytes, &real) &&
               moves_find(agent->game, agent->role, real.bytes, move);
  if (!legal) note_illegal(remote);
  text_free(&term);
  text_free(&real);
  return legal;
}

static void explain(Agent *agent, Text *text) {
  const Remote *remote = (const Remote *)agent;
  text_format(text, "answered after %.3f s: ", remote->seconds);
  if (agent->fault.length)
    text_add(text, agent->fault.bytes);
  else
    write_reply(remote, text);
  text_add_byte(text, '\n');
}

/* ---- life ---- */

static void end(Agent *agent, AgentEnd how) {
  Remote *remote = (Remote *)agent;
  Text body = {0};
  if (how == AGENT_COMPLETED) {
    send_moves(remote, MESSAGE_STOP);
  } else if (how == AGENT_BROKEN_OFF) {
    message_write_abort(&body, text_string(&remote->id));
    send(remote, &body, abort_seconds, NULL);
  }
  for (uint32_t role = 0; role < agent->game->role_count; role++)
    text_free(&remote->told[role]);
  memory_delete(remote->told);
  text_free(&remote->id);
  text_free(&remote->reply);
  text_free(&remote->name);
  text_free(&agent->fault);
  memory_delete(remote);
}

static const AgentOperations operations = {.every_turn = true,
                                           .preview = preview,
                                           .start = start,
                                           .told = told,
                                           .think = think,
                                           .best = best,
                                           .explain = explain,
                                           .end = end};

Agent *remote_new(RemoteMatch *match, uint32_t role, const char *url) {
  Remote *remote = memory_new(sizeof *remote);
  uint32_t same = 0;
  *remote = (Remote){
      .agent = {.operations = &operations, .role = role, .game = match->game},
      .match = match,
      .url = url};
  for (uint32_t i = 0; i < match->urls.count; i++)
    same += strcmp(match->urls.data[i], url) == 0;
  vector_push(&match->urls, url);
  text_add(&remote->id, text_string(&match->id));
  if (same) text_format(&remote->id, ".%u", same + 1);
  remote->told = memory_new(match->game->role_count * sizeof *remote->told);
  return &remote->agent;
}
