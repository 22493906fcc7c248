/* Messages in all forms that game masters send. */
#include "match/message.h"

#include "support/unit.h"

static bool read(Message *message, const char *text) {
  Text error = {0};
  bool fine = message_parse(message, text, strlen(text), &error);
  assert_int_equal(fine, !error.length);
  text_free(&error);
  return fine;
}

static void keywords_in_any_case(void **state) {
  (void)state;
  static const struct {
    const char *text;
    MessageKind kind;
  } cases[] = {{"(INFO)", MESSAGE_INFO},
               {"info", MESSAGE_INFO},
               {"( Ping )", MESSAGE_INFO},
               {"(ABORT m.1)", MESSAGE_ABORT},
               {"(abort m.1 now)", MESSAGE_ABORT},
               {"(Play m.1 nil)", MESSAGE_PLAY},
               {"(stop m.1 (a b))", MESSAGE_STOP},
               {"; a comment\n(PREVIEW ((role x)) 10)", MESSAGE_PREVIEW}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Message message;
    assert_true(read(&message, cases[i].text));
    assert_int_equal(message.kind, cases[i].kind);
    message_free(&message);
  }
}

static void start_has_rules_and_clocks(void **state) {
  (void)state;
  Message message;
  assert_true(read(&message,
                   "(START Match.3 White ((role White) ; one\n (<= a b)) 30 "
                   "2.5 extra)"));
  assert_string_equal(message.id.bytes, "Match.3");
  assert_string_equal(message.role.bytes, "White");
  assert_string_equal(message.rules.bytes, "(role White) ; one\n (<= a b)");
  assert_float_equal(message.start, 30, 0);
  assert_float_equal(message.play, 2.5, 0);
  message_free(&message);
  assert_true(read(&message, "(start m w () 1 2)"));
  assert_int_equal(message.rules.length, 0);
  message_free(&message);
}

static void rules_are_a_string(void **state) {
  (void)state;
  static const char text[] = "(PREVIEW ((role a) ; b\0c\n(role d)) 1)";
  Message message;
  Text error = {0};
  assert_true(message_parse(&message, text, sizeof text - 1, &error));
  assert_string_equal(message.rules.bytes, "(role a) ; b c\n(role d)");
  message_free(&message);
}

static void rules_may_be_spread_out(void **state) {
  (void)state;
  Message message;
  assert_true(read(&message, "(PREVIEW (role a) (init (x 1)) 15)"));
  assert_string_equal(message.rules.bytes, "(role a) (init (x 1)) ");
  assert_float_equal(message.start, 15, 0);
  message_free(&message);
  assert_true(read(&message, "(START m a (role a) (<= b c) 1 2)"));
  assert_string_equal(message.rules.bytes, "(role a) (<= b c) ");
  message_free(&message);
}

/* Reads the message in pieces of `bytes`, and compares it with the whole. */
static void check_pieces(const char *text, size_t bytes) {
  Message whole;
  MessageReader reader;
  MessageProgress progress;
  Text body = {0}, error = {0};
  bool fine = message_parse(&whole, text, strlen(text), &error);
  text_add(&body, text);
  message_begin(&reader, body.bytes, body.length);
  do progress = message_read(&reader, bytes);
  while (progress == MESSAGE_PART);
  assert_int_equal(progress == MESSAGE_WHOLE, fine);
  if (fine) {
    message_take_rules(&reader, &body);
    assert_int_equal(reader.message.kind, whole.kind);
    assert_string_equal(text_string(&reader.message.id),
                        text_string(&whole.id));
    assert_string_equal(text_string(&reader.message.rules),
                        text_string(&whole.rules));
    assert_float_equal(reader.message.start, whole.start, 0);
    assert_float_equal(reader.message.play, whole.play, 0);
    message_free(&reader.message);
    message_free(&whole);
  } else {
    assert_string_equal(text_string(&reader.error), text_string(&error));
  }
  text_free(&reader.error);
  text_free(&error);
  text_free(&body);
}

static void messages_in_pieces(void **state) {
  (void)state;
  static const char *const cases[] = {
      "(INFO)",
      "(START m w ((role w) ; a ) comment (\n(<= a (b c))) 3 4 more (x y))",
      "(START m w (role w) ; a ) comment (\n(<= a (b c)) ;\n 3 4)",
      "(START m w () 3 4) rest",
      "(START m w ((role w)) 3 4",
      "(START m w ((role w)) ; 3 4)",
      "(START m w ((role w) 3 4)",
      "(START m w (role w))",
      "(PREVIEW ((role w)))",
      "(PREVIEW (role w) 7)",
      "(PLAY m (a b))"};
  for (size_t i = 0; i < LENGTH(cases); i++)
    for (size_t bytes = 1; bytes < 40; bytes++) check_pieces(cases[i], bytes);
}

/* What is wrong in rules is for the process of the match to judge. */
static void rules_are_not_judged(void **state) {
  (void)state;
  Message message;
  assert_true(read(&message, "(START m w ((a \x01 \xff ? ())) 1 2)"));
  assert_string_equal(message.rules.bytes, "(a \x01 \xff ? ())");
  message_free(&message);
  assert_false(read(&message, "(START m\x01 w ((role w)) 1 2)"));
  assert_false(read(&message, "(START m w ((role w)) 1 \xff)"));
}

static void long_texts(void **state) {
  (void)state;
  enum { LONG = 300 << 10 };
  Message message;
  Text text = {0}, error = {0};
  text_add(&text, "(START m w (");
  while (text.length < LONG) text_add(&text, "(fact 1 2) ; comment )\n");
  size_t length = text.length;
  text_add(&text, ") 1 2)");
  assert_true(read(&message, text.bytes));
  assert_int_equal(message.rules.length, length - strlen("(START m w ("));
  assert_float_equal(message.play, 2, 0);
  message_free(&message);
  text_clear(&text);
  text_add(&text, "(START m w ((role w)) ");
  while (text.length < LONG) text_add_byte(&text, ' ');
  text_add(&text, "1 2)"); /* the clocks are too far away */
  assert_false(read(&message, text.bytes));
  for (int length_of_id = 256; length_of_id <= LONG; length_of_id++) {
    text_clear(&text);
    text_add(&text, "(ABORT ");
    for (int i = 0; i < length_of_id; i++) text_add_byte(&text, 'm');
    text_add(&text, ")");
    bool fine = message_parse(&message, text.bytes, text.length, &error);
    assert_int_equal(fine, length_of_id == 256);
    if (fine) message_free(&message);
    if (length_of_id == 258) length_of_id = LONG - 1;
  }
  text_clear(&error);
  text.bytes[0] = ' ';
  memcpy(text.bytes, "(START", 6);
  assert_false(message_parse(&message, text.bytes, text.length, &error));
  assert_string_equal(error.bytes, "a match id of more than 256 bytes");
  text_free(&text);
  text_free(&error);
}

static void moves_are_copied_by_token(void **state) {
  (void)state;
  Message message;
  assert_true(read(&message, "(PLAY m ( ( mark 1\n1) NOOP (f(g ?x)) ) more)"));
  assert_int_equal(message.moves.count, 3);
  assert_string_equal(message.moves.data[0].bytes, "(mark 1 1)");
  assert_string_equal(message.moves.data[1].bytes, "NOOP");
  assert_string_equal(message.moves.data[2].bytes, "(f (g ?x))");
  message_free(&message);
  assert_true(read(&message, "(PLAY m)"));
  assert_int_equal(message.moves.count, 0);
  message_free(&message);
}

static void what_is_no_message(void **state) {
  (void)state;
  static const char *const cases[] = {
      "",
      ")",
      "(",
      "()",
      "((INFO))",
      "(HELLO)",
      "PLAY",
      "(START m)",
      "(START m w)",
      "(START m w x 1 2)",
      "(START m w ((role w)) 1)",
      "(START m w ((role w)) one 2)",
      "(START m w ((role w)) -1 2)",
      "(START m w ((role w)) nan 2)",
      "(START m w ((role w) 1 2)",
      "(START m w ((role w)) 10000000000000000000000000000000000000000000 2)",
      "(PLAY)",
      "(PLAY m (a",
      "(PLAY m (a b)",
      "(PLAY m word)",
      "(ABORT)"};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Message message;
    assert_false(read(&message, cases[i]));
  }
}

static void a_reply_is_its_first_term(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"mark 1 1", "mark"},
                                         {" (mark  1 1)\r\n", "(mark 1 1)"},
                                         {"((mark 1 1))", "((mark 1 1))"},
                                         {"noop", "noop"}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Text term = {0};
    assert_true(message_first_term(cases[i][0], strlen(cases[i][0]), &term));
    assert_string_equal(term.bytes, cases[i][1]);
    text_free(&term);
  }
  Text none = {0};
  assert_false(message_first_term("", 0, &none));
  assert_false(message_first_term("(a", 2, &none));
  text_free(&none);
}

static void written_messages_read_back(void **state) {
  (void)state;
  Text text = {0}, moves[2] = {{0}};
  Message message;
  message_write_start(&text, "m", "w", "(role w) ; end", 5, 1.5);
  assert_true(read(&message, text.bytes));
  assert_string_equal(message.rules.bytes, "(role w) ; end\n");
  assert_float_equal(message.play, 1.5, 0);
  message_free(&message);
  text_add(&moves[0], "(a b)");
  text_add(&moves[1], "noop");
  text_clear(&text);
  message_write_moves(&text, MESSAGE_PLAY, "m", moves, 2);
  assert_string_equal(text.bytes, "(PLAY m ((a b) noop))");
  text_clear(&text);
  message_write_moves(&text, MESSAGE_PLAY, "m", NULL, 0);
  assert_string_equal(text.bytes, "(PLAY m NIL)");
  text_free(&text);
  text_free(&moves[0]);
  text_free(&moves[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keywords_in_any_case),
      cmocka_unit_test(start_has_rules_and_clocks),
      cmocka_unit_test(rules_are_a_string),
      cmocka_unit_test(rules_may_be_spread_out),
      cmocka_unit_test(messages_in_pieces),
      cmocka_unit_test(rules_are_not_judged),
      cmocka_unit_test(long_texts),
      cmocka_unit_test(moves_are_copied_by_token),
      cmocka_unit_test(what_is_no_message),
      cmocka_unit_test(a_reply_is_its_first_term),
      cmocka_unit_test(written_messages_read_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
