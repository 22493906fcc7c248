/* The reader of knowledge files on any bytes, which get a right check so that
   more than the check is tried. What is read must be the same when it is
   written and read again; what is refused must be refused with a reason.
   Whatever was read may be transferred to a game without harm. */
#include "learn/knowledge.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "fuzz/fuzz.h"
#include "learn/transfer.h"

/* A square board, and two roles. */
static const char rules[] =
    "(role white) (role black) (init (control white)) (index 1) (index 2) "
    "(index 3)"
    "(<= (init (cell ?x ?y b)) (index ?x) (index ?y))"
    "(<= (legal ?r (put ?x ?y)) (true (control ?r)) (true (cell ?x ?y b)))"
    "(<= (legal white noop) (true (control black)))"
    "(<= (legal black noop) (true (control white)))"
    "(<= (next (cell ?x ?y ?r)) (does ?r (put ?x ?y)))"
    "(<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)) (distinct ?m b))"
    "(<= (next (cell ?x ?y b)) (does ?r (put ?v ?w)) (true (cell ?x ?y b))"
    " (or (distinct ?x ?v) (distinct ?y ?w)))"
    "(<= (next (control black)) (true (control white)))"
    "(<= (next (control white)) (true (control black)))"
    "(<= terminal (true (cell 1 1 ?m)) (distinct ?m b))"
    "(<= (goal ?r 100) (role ?r) (true (cell 1 1 ?r)))"
    "(<= (goal ?r 0) (role ?r) (not (true (cell 1 1 ?r))))";

static Description description;
static Book book;
static Canon canon;
static Linear *linear; /* made once */

static void make_game(void) {
  const BookLimits limits = {.ground = {.memory = 64 << 20},
                             .rules = {.memory = 16 << 20}};
  if (linear) return;
  description_init(&description, "game", rules, sizeof rules - 1);
  promise(description_valid(&description), "the game is valid");
  book_init(&book, &description, &limits, true);
  canon_init(&canon, &description);
  linear = linear_new(&book);
  promise(linear, "the game can be learned about");
}

static void sign(const uint8_t *data, size_t size, Text *text) {
  text_add_bytes(text, (const char *)data, size);
  if (text->length && text->bytes[text->length - 1] != '\n')
    text_add_byte(text, '\n');
  text_format(text, "check %016" PRIx64 "\n",
              hash_bytes(text_string(text), text->length));
}

static void check_written(const Knowledge *knowledge) {
  Knowledge again;
  Text first = {0}, second = {0}, error = {0};
  promise(knowledge_write(knowledge, &first, &error), "it can be written");
  promise(knowledge_parse(&again, text_string(&first), first.length, &error),
          "what is written can be read");
  promise(knowledge_write(&again, &second, &error), "and written again");
  promise(first.length == second.length &&
              memcmp(first.bytes, second.bytes, first.length) == 0,
          "it stays the same");
  promise(!error.length, "no reason where nothing is wrong");
  knowledge_free(&again);
  text_free(&first);
  text_free(&second);
}

static void check_given(const Knowledge *knowledge) {
  make_game();
  uint32_t count = linear->features.count;
  promise(knowledge_give(knowledge, &canon, linear) <= count,
          "only features get weights");
  double share = transfer_share(knowledge, linear);
  promise(share >= 0 && share <= 1, "a share is one");
  promise(transfer_give(knowledge, 0.5, linear) <= count,
          "only features are transferred to");
  linear_freeze(linear);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Knowledge knowledge;
  Text text = {0}, error = {0};
  sign(data, size, &text);
  if (knowledge_parse(&knowledge, text_string(&text), text.length, &error)) {
    promise(!error.length, "no reason where nothing is wrong");
    check_written(&knowledge);
    check_given(&knowledge);
    knowledge_free(&knowledge);
  } else {
    promise(error.length, "a reason where something is wrong");
  }
  text_free(&text);
  text_free(&error);
  return 0;
}
