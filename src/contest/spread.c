/* Rank 0's side. Games that were dealt are in `dealt`, whose index is the id
   that messages have; one that was broken off, and is not answered in time,
   keeps its place, without an asker, until it is. Rules have numbers, in the
   order in which they were first played, and are sent to a rank before its
   first game that has them.

   Records are written by this rank alone, as news of them come in: how often
   that is depends on the number of games at once, so that 500 records a second
   are written at most. */
#include "contest/spread.h"

#include <math.h>

#include "base/clock.h"

static const double in_advance = 0.05; /* seconds of work waiting in a rank */
static const double patience = 0.5;    /* for those that are to break off */
static const double news_every = 0.2, news_each = 0.002;

enum { MOST_IN_ADVANCE = 64 };

typedef struct Peer { /* another rank */
  bool ready;
  uint32_t threads;
  uint32_t out;           /* games that it has got */
  double mean;            /* seconds of a game; 0: not known */
  VECTOR(bool) has_rules; /* by number */
} Peer;

typedef struct Dealt {
  uint32_t peer; /* 0: the place is free */
  bool asked;    /* somebody waits for it; else `game` is not to be used */
  uint32_t roles;
  SpreadGame game;
} Dealt;

typedef struct KnownRules {
  Text name, text;
} KnownRules;

struct Spread {
  Ranks *ranks;
  const char *version;
  Peer *peers;              /* by rank; 0 is not used */
  uint32_t count;           /* of ranks */
  uint32_t slots;           /* games that all of them play at once */
  VECTOR(Dealt) dealt;      /* by id */
  NumberVector free;        /* ids */
  uint32_t asked;           /* games that somebody waits for */
  VECTOR(KnownRules) rules; /* by number */
  TextVector words;         /* that results point to */
  const SpreadWork *work;   /* of the run */
};

/* ---- the beginning and the end ---- */

static void tell_all(Spread *spread, ErrandTag tag, const Text *body) {
  for (uint32_t rank = 1; rank < spread->count; rank++) {
    Text copy = {0};
    if (body) text_add_bytes(&copy, body->bytes, body->length);
    ranks_send(spread->ranks, rank, tag, &copy);
  }
}

Spread *spread_new(Ranks *ranks, const char *version) {
  Spread *spread = memory_new(sizeof *spread);
  *spread =
      (Spread){.ranks = ranks, .count = ranks_count(ranks), .version = version};
  spread->peers = memory_new(spread->count * sizeof *spread->peers);
  return spread;
}

void spread_begin(Spread *spread, const ErrandBegin *begin) {
  Text body = {0};
  errand_write_begin(begin, &body);
  tell_all(spread, ERRAND_BEGIN, &body);
  text_free(&body);
}

bool spread_delete(Spread *spread) {
  bool idle = spread->free.count == spread->dealt.count;
  tell_all(spread, ERRAND_END, NULL);
  for (uint32_t i = 0; i < spread->rules.count; i++) {
    text_free(&spread->rules.data[i].name);
    text_free(&spread->rules.data[i].text);
  }
  for (uint32_t rank = 0; rank < spread->count; rank++)
    vector_free(&spread->peers[rank].has_rules);
  memory_delete(spread->peers);
  vector_free(&spread->dealt);
  vector_free(&spread->free);
  vector_free(&spread->rules);
  text_vector_free(&spread->words);
  memory_delete(spread);
  return idle;
}

/* ---- dealing ---- */

static uint32_t find_rules(Spread *spread, const Description *description) {
  const char *name = description->source.name;
  const Text *text = &description->text;
  for (uint32_t i = 0; i < spread->rules.count; i++) {
    const KnownRules *known = &spread->rules.data[i];
    if (known->text.length == text->length &&
        strcmp(text_string(&known->name), name) == 0 &&
        memcmp(text_string(&known->text), text_string(text), text->length) == 0)
      return i;
  }
  KnownRules new = {0};
  text_add(&new.name, name);
  text_add_bytes(&new.text, text_string(text), text->length);
  vector_push(&spread->rules, new);
  return spread->rules.count - 1;
}

static void send_rules(Spread *spread, uint32_t rank, uint32_t number,
                       const Description *description) {
  Peer *peer = &spread->peers[rank];
  while (peer->has_rules.count <= number) vector_push(&peer->has_rules, false);
  if (peer->has_rules.data[number]) return;
  Text body = {0};
  errand_write_rules(number, description, &body);
  ranks_send(spread->ranks, rank, ERRAND_RULES, &body);
  peer->has_rules.data[number] = true;
}

static double news_interval(const Spread *spread, const SpreadGame *game) {
  if (!game->live) return 0;
  return fmax(news_every, news_each * spread->slots);
}

static uint32_t place_game(Spread *spread, uint32_t rank,
                           const SpreadGame *game) {
  if (!spread->free.count) {
    vector_push(&spread->free, spread->dealt.count);
    vector_push(&spread->dealt, (Dealt){0});
  }
  uint32_t id = vector_last(&spread->free);
  spread->free.count--;
  spread->dealt.data[id] =
      (Dealt){.peer = rank,
              .asked = true,
              .roles = game->description->rules.roles.count,
              .game = *game};
  spread->peers[rank].out++;
  spread->asked++;
  return id;
}

static void send_game(Spread *spread, uint32_t rank, const SpreadGame *game) {
  Errand errand = {.id = place_game(spread, rank, game),
                   .rules = find_rules(spread, game->description),
                   .ground = game->ground,
                   .need_net = game->need_net,
                   .seed = game->seed,
                   .match = game->match,
                   .turns = game->turns,
                   .every = news_interval(spread, game),
                   .recorded = game->record};
  Text body = {0};
  send_rules(spread, rank, errand.rules, game->description);
  if (game->record) errand.record = *game->record;
  for (uint32_t i = 0; i < game->description->rules.roles.count; i++) {
    Text player = {0};
    text_add(&player, game->players[i]->text);
    vector_push(&errand.players, player);
  }
  errand_write(&errand, &body);
  ranks_send(spread->ranks, rank, ERRAND_GAME, &body);
  text_vector_free(&errand.players);
}

static bool has_room(const Peer *peer) {
  double more = peer->mean > 0 ? in_advance / peer->mean : 0;
  if (more > MOST_IN_ADVANCE) more = MOST_IN_ADVANCE;
  return peer->ready && peer->out < peer->threads * (1 + (uint32_t)more);
}

/* Gives every rank that has room a game, until none has. */
static SpreadNext deal(Spread *spread) {
  SpreadNext next = SPREAD_TAKEN;
  for (bool any = true; any && next == SPREAD_TAKEN;) {
    any = false;
    for (uint32_t rank = 1; rank < spread->count; rank++) {
      SpreadGame game = {0};
      if (!has_room(&spread->peers[rank])) continue;
      next = spread->work->take(spread->work->context, &game);
      if (next != SPREAD_TAKEN) break;
      send_game(spread, rank, &game);
      any = true;
    }
  }
  return next == SPREAD_TAKEN ? spread->work->take(spread->work->context, NULL)
                              : next;
}

/* ---- answers ---- */

static _Noreturn void refuse(uint32_t rank) {
  fatal_limit("rank %u sent a message that cannot be read", rank);
}

static void take_ready(Spread *spread, const RankMessage *message) {
  Peer *peer = &spread->peers[message->from];
  ErrandReady ready;
  if (!errand_read_ready(&ready, &message->body)) refuse(message->from);
  if (strcmp(text_string(&ready.version), spread->version) != 0)
    fatal_limit("rank %u is tafl %s, and this one is tafl %s", message->from,
                text_string(&ready.version), spread->version);
  text_free(&ready.version);
  peer->ready = true;
  peer->threads = ready.threads;
  spread->slots += ready.threads;
}

/* A record that cannot be written is reported once, and the match goes on. */
static void learn_record(Record *record, const json_t *news) {
  bool reported = record->error.length != 0;
  record_learn(record, news);
  if (!record_write(record) && !reported)
    log_error("%s; the match goes on", record->error.bytes);
}

static void tell_news(Spread *spread, const SpreadGame *game,
                      ErrandNews *news) {
  const SpreadWork *work = spread->work;
  if (game->record && news->record) learn_record(game->record, news->record);
  for (uint32_t i = 0; work->stepped && i < news->steps.count; i++)
    work->stepped(work->context, game, news->steps.data[i].step,
                  news->steps.data[i].turns);
  if (!news->over) return;
  if (news->refused.length && !work->refused) {
    fatal_limit("a rank cannot play: %s", news->refused.bytes);
  } else if (news->refused.length) {
    work->refused(work->context, game, &news->refused);
  } else {
    work->finished(work->context, game, &news->result, news->seconds);
    news->result = (MatchResult){0};
  }
}

static bool is_dealt(const Spread *spread, uint32_t rank,
                     const ErrandNews *news) {
  if (news->id >= spread->dealt.count) return false;
  const Dealt *dealt = &spread->dealt.data[news->id];
  return dealt->peer == rank && dealt->roles == news->roles;
}

static void end_game(Spread *spread, uint32_t id, double seconds) {
  Dealt *dealt = &spread->dealt.data[id];
  Peer *peer = &spread->peers[dealt->peer];
  peer->out--;
  peer->mean = peer->mean > 0 ? 0.9 * peer->mean + 0.1 * seconds : seconds;
  spread->asked -= dealt->asked;
  *dealt = (Dealt){0};
  vector_push(&spread->free, id);
}

static void take_news(Spread *spread, const RankMessage *message) {
  ErrandNews news;
  if (!errand_read_news(&news, &message->body, &spread->words) ||
      !is_dealt(spread, message->from, &news))
    refuse(message->from);
  Dealt dealt = spread->dealt.data[news.id];
  if (news.over) end_game(spread, news.id, news.seconds);
  if (dealt.asked) tell_news(spread, &dealt.game, &news);
  errand_free_news(&news);
}

static void receive(Spread *spread) {
  RankMessage message;
  while (ranks_receive(spread->ranks, &message)) {
    if (message.tag == ERRAND_READY)
      take_ready(spread, &message);
    else
      take_news(spread, &message);
    text_free(&message.body);
  }
}

/* ---- the run ---- */

static bool is_broken_off(const SpreadWork *work) {
  return (work->stop && atomic_load(work->stop)) ||
         (work->needed && !work->needed(work->context));
}

/* What ranks have not answered in time counts as broken off. */
static void forget(Spread *spread) {
  const SpreadWork *work = spread->work;
  for (uint32_t i = 0; i < spread->dealt.count; i++) {
    Dealt *dealt = &spread->dealt.data[i];
    if (!dealt->asked) continue;
    MatchResult result = {.end = MATCH_STOPPED, .role_count = dealt->roles};
    dealt->asked = false;
    spread->asked--;
    result.sides = memory_new(result.role_count * sizeof *result.sides);
    work->finished(work->context, &dealt->game, &result, 0);
  }
}

static void break_off(Spread *spread) {
  double end = clock_now() + patience;
  tell_all(spread, ERRAND_STOP, NULL);
  receive(spread);
  while (spread->asked && clock_now() < end) {
    ranks_wait(spread->ranks, end - clock_now());
    receive(spread);
  }
  forget(spread);
}

void spread_run(Spread *spread, const SpreadWork *work) {
  SpreadNext next = SPREAD_LATER;
  spread->work = work;
  while (next != SPREAD_OVER || spread->asked) {
    receive(spread);
    if (is_broken_off(work)) {
      break_off(spread);
      return;
    }
    if (next != SPREAD_OVER) next = deal(spread);
    ranks_wait(spread->ranks, 0.01);
  }
}
