#include "cluster/talk.h"

#include "base/hash.h"

/* ---- what all messages have ---- */

TalkKind talk_kind(const Text *message) {
  WireReader reader = wire_reader(message->bytes, message->length);
  uint32_t kind = wire_number(&reader);
  return kind < TALK_KINDS ? (TalkKind)kind : 0;
}

void talk_begin(Text *message, TalkKind kind) {
  text_clear(message);
  wire_put_number(message, kind);
}

/* A reader of what follows the kind. */
static WireReader open(const Text *message, TalkKind kind) {
  WireReader reader = wire_reader(message->bytes, message->length);
  if (wire_number(&reader) != (uint32_t)kind) reader.bad = true;
  return reader;
}

static void put_text(Text *message, const Text *text) {
  wire_put_bytes(message, text_string(text), text->length);
}

/* A name or a sentence: no zero bytes. */
static void get_text(WireReader *reader, size_t most, Text *text) {
  size_t before = text->length;
  wire_bytes(reader, most, text);
  if (text->length > before &&
      memchr(text->bytes + before, 0, text->length - before))
    reader->bad = true;
}

/* A number below a limit. */
static uint32_t get_below(WireReader *reader, uint32_t limit) {
  uint32_t number = wire_number(reader);
  if (number >= limit) reader->bad = true;
  return reader->bad ? 0 : number;
}

void talk_write(Text *message, TalkKind kind, const char *text) {
  talk_begin(message, kind);
  wire_put_bytes(message, text, strlen(text));
}

bool talk_read_text(const Text *message, Text *text) {
  WireReader reader = open(message, talk_kind(message));
  get_text(&reader, TALK_WORD, text);
  return wire_finished(&reader);
}

/* ---- nets ---- */

uint64_t talk_print(const Book *book) {
  const Net *net = &book->net;
  const Terms *terms = &book->description->rules.terms;
  uint64_t print = hash_pair(net->fluents.count, net->moves.count);
  Text text = {0};
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    term_write(terms, net->fluents.data[i].term, &text);
    text_add_byte(&text, net->fluents.data[i].initial ? '+' : '-');
  }
  for (uint32_t i = 0; i < net->moves.count; i++) {
    text_format(&text, "%u ", net->moves.data[i].role);
    term_write(terms, net->moves.data[i].term, &text);
  }
  print = hash_pair(print, hash_bytes(text_string(&text), text.length));
  text_free(&text);
  return print ? print : 1;
}

void talk_write_long(Text *message, TalkKind kind, uint64_t number) {
  talk_begin(message, kind);
  wire_put_long(message, number);
}

bool talk_read_long(const Text *message, uint64_t *number) {
  WireReader reader = open(message, talk_kind(message));
  *number = wire_long(&reader);
  return wire_finished(&reader);
}

/* ---- foreman and master ---- */

void talk_write_hello(Text *message, const Hello *hello) {
  talk_begin(message, TALK_HELLO);
  put_text(message, &hello->version);
  put_text(message, &hello->token);
  put_text(message, &hello->host);
  wire_put_number(message, hello->ranks);
}

bool talk_read_hello(const Text *message, Hello *hello) {
  WireReader reader = open(message, TALK_HELLO);
  *hello = (Hello){0};
  get_text(&reader, TALK_WORD, &hello->version);
  get_text(&reader, TALK_WORD, &hello->token);
  get_text(&reader, TALK_WORD, &hello->host);
  hello->ranks = wire_number(&reader);
  if (wire_finished(&reader)) return true;
  talk_free_hello(hello);
  return false;
}

void talk_free_hello(Hello *hello) {
  text_free(&hello->version);
  text_free(&hello->token);
  text_free(&hello->host);
}

void talk_write_status(Text *message, const Status *status) {
  talk_begin(message, TALK_STATUS);
  wire_put_number(message, status->ranks);
  wire_put_number(message, status->hosts);
  wire_put_number(message, status->ready);
  wire_put_number(message, status->threads);
  wire_put_number(message, status->failed);
  wire_put_number(message, status->complete);
  wire_put_number(message, status->wanted);
  wire_put_number(message, status->silent);
  wire_put_real(message, status->silence);
  put_text(message, &status->host);
  wire_put_long(message, status->pieces);
  wire_put_long(message, status->leaves);
  wire_put_real(message, status->busy);
}

bool talk_read_status(const Text *message, Status *status) {
  WireReader reader = open(message, TALK_STATUS);
  *status = (Status){0};
  status->ranks = wire_number(&reader);
  status->hosts = wire_number(&reader);
  status->ready = wire_number(&reader);
  status->threads = wire_number(&reader);
  status->failed = wire_number(&reader);
  status->complete = get_below(&reader, 2);
  status->wanted = wire_number(&reader);
  status->silent = wire_number(&reader);
  status->silence = wire_real(&reader);
  get_text(&reader, TALK_WORD, &status->host);
  status->pieces = wire_long(&reader);
  status->leaves = wire_long(&reader);
  status->busy = wire_real(&reader);
  if (wire_finished(&reader)) return true;
  text_free(&status->host);
  return false;
}

/* ---- the job ---- */

void talk_write_job(Text *message, const Job *job) {
  const BookLimits *limits = &job->limits;
  talk_begin(message, TALK_JOB);
  put_text(message, &job->rules);
  put_text(message, &job->settings);
  wire_put_number(message, job->role);
  wire_put_number(message, job->threads);
  wire_put_long(message, job->seed);
  wire_put_number(message, job->scheme);
  wire_put_number(message, job->merged);
  wire_put_real(message, limits->ground.seconds);
  wire_put_long(message, limits->ground.memory);
  wire_put_real(message, limits->net_seconds);
  wire_put_real(message, limits->reduce_seconds);
  wire_put_real(message, limits->prove_seconds);
  wire_put_long(message, limits->rules.memory);
  wire_put_real(message, limits->rules.seconds);
}

bool talk_read_job(const Text *message, Job *job) {
  WireReader reader = open(message, TALK_JOB);
  BookLimits *limits = &job->limits;
  *job = (Job){0};
  get_text(&reader, TALK_LARGEST, &job->rules);
  get_text(&reader, TALK_LARGEST, &job->settings);
  job->role = get_below(&reader, RULE_ROLES);
  job->threads = get_below(&reader, 1 << 16);
  job->seed = wire_long(&reader);
  job->scheme = (SchemeKind)get_below(&reader, SCHEME_RUNS + 1);
  job->merged = get_below(&reader, 2);
  limits->ground.seconds = wire_real(&reader);
  limits->ground.memory = wire_long(&reader);
  limits->net_seconds = wire_real(&reader);
  limits->reduce_seconds = wire_real(&reader);
  limits->prove_seconds = wire_real(&reader);
  limits->rules.memory = wire_long(&reader);
  limits->rules.seconds = wire_real(&reader);
  if (wire_finished(&reader)) return true;
  talk_free_job(job);
  return false;
}

void talk_free_job(Job *job) {
  text_free(&job->rules);
  text_free(&job->settings);
}

void talk_write_mate(Text *message, const Mate *mate) {
  talk_begin(message, TALK_MATE);
  put_text(message, &mate->host);
  wire_put_number(message, mate->pid);
  wire_put_number(message, mate->processors);
}

bool talk_read_mate(const Text *message, Mate *mate) {
  WireReader reader = open(message, TALK_MATE);
  *mate = (Mate){0};
  get_text(&reader, TALK_WORD, &mate->host);
  mate->pid = wire_number(&reader);
  mate->processors = wire_number(&reader);
  if (wire_finished(&reader)) return true;
  text_free(&mate->host);
  return false;
}

void talk_write_ready(Text *message, const Ready *ready) {
  talk_begin(message, TALK_READY);
  wire_put_long(message, ready->print);
  wire_put_number(message, ready->threads);
  wire_put_number(message, ready->lanes);
  put_text(message, &ready->why);
}

bool talk_read_ready(const Text *message, Ready *ready) {
  WireReader reader = open(message, TALK_READY);
  *ready = (Ready){0};
  ready->print = wire_long(&reader);
  ready->threads = wire_number(&reader);
  ready->lanes = wire_number(&reader);
  get_text(&reader, TALK_WORD, &ready->why);
  if (wire_finished(&reader)) return true;
  text_free(&ready->why);
  return false;
}

/* ---- states ---- */

void talk_write_stand(Text *message, const Stand *stand) {
  talk_begin(message, TALK_STAND);
  wire_put_number(message, stand->epoch);
  wire_put_number(message, stand->depth);
  wire_put_real(message, stand->horizon);
  wire_put_number(message, stand->state.count);
  wire_put_array(message, stand->state.data, stand->state.count,
                 sizeof(uint64_t));
}

bool talk_read_stand(const Text *message, Stand *stand) {
  WireReader reader = open(message, TALK_STAND);
  *stand = (Stand){0};
  stand->epoch = wire_number(&reader);
  stand->depth = wire_number(&reader);
  stand->horizon = wire_real(&reader);
  uint32_t words = wire_number(&reader);
  const char *state = wire_array(&reader, words, sizeof(uint64_t));
  if (!wire_finished(&reader)) return false;
  vector_resize(&stand->state, words);
  if (words) memcpy(stand->state.data, state, words * sizeof(uint64_t));
  return true;
}

void talk_free_stand(Stand *stand) {
  vector_free(&stand->state);
}

/* ---- leaves ---- */

enum { PIECE_HEAD = 7 * sizeof(uint32_t) };

size_t talk_piece_size(uint32_t leaves, uint32_t words) {
  return PIECE_HEAD + (size_t)leaves * words * sizeof(uint64_t);
}

void talk_write_piece(Text *message, const Piece *piece) {
  const uint32_t head[] = {piece->epoch,  piece->number, piece->first,
                           piece->leaves, piece->repeat, piece->words};
  talk_begin(message, TALK_TASK);
  wire_put_array(message, head, sizeof head / sizeof *head, sizeof *head);
  wire_put_array(message, piece->states, (size_t)piece->leaves * piece->words,
                 sizeof(uint64_t));
}

bool talk_read_piece(const Text *message, Piece *piece) {
  WireReader reader = open(message, TALK_TASK);
  *piece = (Piece){0};
  piece->epoch = wire_number(&reader);
  piece->number = wire_number(&reader);
  piece->first = wire_number(&reader);
  piece->leaves = wire_number(&reader);
  piece->repeat = wire_number(&reader);
  piece->words = wire_number(&reader);
  piece->states = wire_array(&reader, (uint64_t)piece->leaves * piece->words,
                             sizeof(uint64_t));
  return wire_finished(&reader) && piece->leaves && piece->repeat &&
         piece->words;
}
