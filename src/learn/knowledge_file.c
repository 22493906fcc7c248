/* Knowledge as the lines of a file, read strictly: a file that is not exactly
   what knowledge_write would write is damaged, foreign or of another version,
   and is refused. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "learn/knowledge.h"

static const char heading[] = "tafl knowledge 1\n";
static const double largest_weight = 1e4;

/* ---- writing ---- */

static void write_words(Text *text, const char *key, const TextVector *words) {
  text_add(text, key);
  for (uint32_t i = 0; i < words->count; i++)
    text_format(text, " %s", text_string(&words->data[i]));
  text_add_byte(text, '\n');
}

static void write_board(Text *text, const KnowledgeBoard *board) {
  text_format(text, "board %s %u %u %u\n", board->functor, board->arity,
              board->place, board->piece);
  for (uint32_t a = 0; a < PLACES_ARGUMENTS; a++)
    if (board->place >> a & 1) write_words(text, "axis", &board->axes[a]);
}

static void write_body(const Knowledge *knowledge, Text *text) {
  const LearnerProgress *work = &knowledge->work;
  text_add(text, heading);
  text_format(text, "rules %s\n", knowledge->rules);
  text_format(text, "game %s\n", text_string(&knowledge->game));
  write_words(text, "roles", &knowledge->roles);
  text_format(text, "work %" PRIu64 " %" PRIu64 " %" PRIu64 " %.9g %.9g\n",
              work->games, work->states, work->targets, work->error,
              work->explained);
  text_format(text, "words %u\n", knowledge->words.count);
  for (uint32_t i = 0; i < knowledge->words.count; i++)
    text_format(text, "%s\n", text_string(&knowledge->words.data[i]));
  text_format(text, "boards %u\n", knowledge->boards.count);
  for (uint32_t b = 0; b < knowledge->boards.count; b++)
    write_board(text, &knowledge->boards.data[b]);
  text_format(text, "weights %u %u\n", knowledge->names.count, knowledge->rows);
  for (uint32_t i = 0; i < knowledge->names.count; i++) {
    for (uint32_t row = 0; row < knowledge->rows; row++) {
      size_t at = (size_t)i * knowledge->rows + row;
      text_format(text, "%.9g ", (double)knowledge->weights.data[at]);
    }
    text_format(text, "%s\n", text_string(&knowledge->names.data[i]));
  }
}

static const char *why_not(const Knowledge *knowledge) {
  if (knowledge->words.count > KNOWLEDGE_WORDS) return "too many words";
  if (knowledge->names.count > KNOWLEDGE_WEIGHTS) return "too many features";
  for (uint32_t i = 0; i < knowledge->weights.count; i++)
    if (!(fabs((double)knowledge->weights.data[i]) <= largest_weight))
      return "weights beyond all bounds";
  return NULL;
}

bool knowledge_write(const Knowledge *knowledge, Text *text, Text *error) {
  const char *wrong = why_not(knowledge);
  size_t start = text->length;
  if (!wrong) {
    write_body(knowledge, text);
    text_format(text, "check %016" PRIx64 "\n",
                hash_bytes(text_string(text) + start, text->length - start));
    if (text->length - start > KNOWLEDGE_BYTES) wrong = "too large a file";
  }
  if (wrong) text_format(error, "what was learned cannot be kept: %s", wrong);
  return !wrong;
}

/* ---- reading ---- */

typedef struct Reader {
  const char *at, *end; /* the rest of the text */
  const char *line;     /* the line at hand, of `length` bytes */
  size_t length;
  const char *wrong; /* NULL: nothing so far */
} Reader;

static bool refuse(Reader *reader, const char *wrong) {
  if (!reader->wrong) reader->wrong = wrong;
  return false;
}

static bool next_line(Reader *reader) {
  const char *end =
      memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
  if (!end) return refuse(reader, "it ends too early");
  reader->line = reader->at;
  reader->length = (size_t)(end - reader->at);
  reader->at = end + 1;
  return true;
}

/* Reads a line that begins with the key; what follows the blank behind it stays
   as the line at hand. */
static bool next_key(Reader *reader, const char *key) {
  size_t length = strlen(key);
  if (!next_line(reader)) return false;
  if (reader->length < length || memcmp(reader->line, key, length) != 0 ||
      (reader->length > length && reader->line[length] != ' '))
    return refuse(reader, "a line is missing");
  reader->line += length + (reader->length > length);
  reader->length -= length + (reader->length > length);
  return true;
}

/* Cuts a word off the line at hand. */
static bool next_word(Reader *reader, Text *word) {
  size_t length = 0;
  while (length < reader->length && reader->line[length] != ' ') length++;
  if (!length) return refuse(reader, "a word is missing");
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)reader->line[i] < ' ' || reader->line[i] == 127)
      return refuse(reader, "a word is none");
  text_clear(word);
  text_add_bytes(word, reader->line, length);
  bool more = length < reader->length;
  reader->line += length + more;
  reader->length -= length + more;
  return true;
}

static bool next_number(Reader *reader, uint64_t most, uint64_t *number) {
  Text word = {0}, again = {0};
  bool fine = next_word(reader, &word);
  if (fine) {
    *number = strtoull(text_string(&word), NULL, 10);
    text_format(&again, "%" PRIu64, *number);
    fine = strcmp(text_string(&again), text_string(&word)) == 0;
    if (!fine) refuse(reader, "a number is none");
    if (fine && *number > most)
      fine = refuse(reader, "it is over the limits of knowledge files");
  }
  text_free(&word);
  text_free(&again);
  return fine;
}

static bool next_count(Reader *reader, uint32_t most, uint32_t *count) {
  uint64_t number;
  if (!next_number(reader, most, &number)) return false;
  *count = (uint32_t)number;
  return true;
}

static bool next_real(Reader *reader, double most, double *number) {
  Text word = {0};
  char *end = NULL;
  bool fine = next_word(reader, &word);
  if (fine) {
    *number = strtod(text_string(&word), &end);
    if (*end || !(fabs(*number) <= most))
      fine = refuse(reader, "a number is none");
  }
  text_free(&word);
  return fine;
}

static bool next_words(Reader *reader, uint32_t most, TextVector *words) {
  while (reader->length) {
    Text word = {0};
    if (words->count == most)
      return refuse(reader, "it is over the limits of knowledge files");
    bool fine = next_word(reader, &word);
    if (!fine) {
      text_free(&word);
      return false;
    }
    vector_push(words, word);
  }
  return true;
}

static bool ended(Reader *reader) {
  return !reader->length || refuse(reader, "a line is too long");
}

/* Reads the next word, which must be the last of its line. */
static bool last_word(Reader *reader, Text *word) {
  return next_word(reader, word) && ended(reader);
}

static bool last_count(Reader *reader, uint32_t most, uint32_t *count) {
  return next_count(reader, most, count) && ended(reader);
}

static bool read_board(Reader *reader, Knowledge *knowledge) {
  Text functor = {0};
  KnowledgeBoard board = {0};
  const uint32_t bits = (1u << PLACES_ARGUMENTS) - 1;
  bool fine = next_key(reader, "board") && next_word(reader, &functor) &&
              next_count(reader, PLACES_ARGUMENTS, &board.arity) &&
              next_count(reader, bits, &board.place) &&
              last_count(reader, bits, &board.piece);
  board.functor = memory_new(functor.length + 1);
  memcpy(board.functor, text_string(&functor), functor.length);
  text_free(&functor);
  vector_push(&knowledge->boards, board);
  KnowledgeBoard *own = &vector_last(&knowledge->boards);
  if (fine && (own->place | own->piece) >> own->arity)
    fine = refuse(reader, "a board is none");
  for (uint32_t a = 0; fine && a < PLACES_ARGUMENTS; a++)
    if (own->place >> a & 1)
      fine = next_key(reader, "axis") &&
             next_words(reader, KNOWLEDGE_AXIS, &own->axes[a]);
  return fine;
}

static bool read_weight(Reader *reader, Knowledge *knowledge) {
  bool fine = next_line(reader);
  for (uint32_t row = 0; fine && row < knowledge->rows; row++) {
    double weight = 0;
    fine = next_real(reader, largest_weight, &weight);
    vector_push(&knowledge->weights, (float)weight);
  }
  if (fine && !reader->length) fine = refuse(reader, "a name is missing");
  if (!fine) return false;
  Text name = {0};
  text_add_bytes(&name, reader->line, reader->length);
  vector_push(&knowledge->names, name);
  return strlen(text_string(&name)) == reader->length ||
         refuse(reader, "a name is none");
}

static bool read_head(Reader *reader, Knowledge *knowledge) {
  Text rules = {0};
  LearnerProgress *work = &knowledge->work;
  bool fine = next_key(reader, "rules") && last_word(reader, &rules) &&
              (rules.length == CANON_HASH || refuse(reader, "a hash is none"));
  if (fine) memcpy(knowledge->rules, text_string(&rules), rules.length);
  text_free(&rules);
  return fine && next_key(reader, "game") &&
         last_word(reader, &knowledge->game) && next_key(reader, "roles") &&
         next_words(reader, RULE_ROLES, &knowledge->roles) &&
         next_key(reader, "work") &&
         next_number(reader, UINT64_MAX, &work->games) &&
         next_number(reader, UINT64_MAX, &work->states) &&
         next_number(reader, UINT64_MAX, &work->targets) &&
         next_real(reader, 1e9, &work->error) &&
         next_real(reader, 1e9, &work->explained) && ended(reader);
}

static bool read_lists(Reader *reader, Knowledge *knowledge) {
  uint32_t count = 0;
  bool fine =
      next_key(reader, "words") && last_count(reader, KNOWLEDGE_WORDS, &count);
  for (uint32_t i = 0; fine && i < count; i++) {
    Text word = {0};
    fine = next_line(reader) && last_word(reader, &word);
    vector_push(&knowledge->words, word);
  }
  fine = fine && next_key(reader, "boards") &&
         last_count(reader, KNOWLEDGE_BOARDS, &count);
  for (uint32_t i = 0; fine && i < count; i++)
    fine = read_board(reader, knowledge);
  fine = fine && next_key(reader, "weights") &&
         next_count(reader, KNOWLEDGE_WEIGHTS, &count) &&
         last_count(reader, RULE_ROLES, &knowledge->rows);
  if (fine && (!knowledge->rows || knowledge->rows > knowledge->roles.count))
    fine = refuse(reader, "it has too many rows");
  for (uint32_t i = 0; fine && i < count; i++)
    fine = read_weight(reader, knowledge);
  return fine;
}

/* The last line is a check of all before it. */
static bool check(const char *text, size_t length) {
  char expected[32];
  size_t size =
      (size_t)snprintf(expected, sizeof expected, "check %016x\n", 0u);
  if (length < size) return false;
  snprintf(expected, sizeof expected, "check %016" PRIx64 "\n",
           hash_bytes(text, length - size));
  return memcmp(text + length - size, expected, size) == 0;
}

bool knowledge_parse(Knowledge *knowledge, const char *text, size_t length,
                     Text *error) {
  Reader reader = {.at = text, .end = text + length};
  size_t first = sizeof heading - 1;
  *knowledge = (Knowledge){0};
  if (length > KNOWLEDGE_BYTES)
    refuse(&reader, "it is too large");
  else if (length < first || memcmp(text, heading, 14) != 0)
    refuse(&reader, "it is not a knowledge file");
  else if (memcmp(text, heading, first) != 0)
    refuse(&reader, "it is of another version");
  else if (!check(text, length))
    refuse(&reader, "it is damaged");
  if (!reader.wrong) {
    reader.at += first;
    if (read_head(&reader, knowledge) && read_lists(&reader, knowledge) &&
        next_key(&reader, "check") && reader.at != reader.end)
      refuse(&reader, "it goes on behind its end");
  }
  if (!reader.wrong) return true;
  knowledge_free(knowledge);
  text_add(error, reader.wrong);
  return false;
}
