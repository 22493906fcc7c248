/* Knowledge: hashes of rules up to renaming, files that are read back exactly
   or refused, a directory that several processes use, and what one game gives
   another. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/random.h"
#include "learn/audition.h"
#include "learn/keeper.h"
#include "learn/shelf.h"
#include "learn/transfer.h"
#include "match/scramble.h"
#include "support/games.h"
#include "support/library.h"

/* ---- games ---- */

/* Marks on a square board; a corner wins. */
static void write_game(Text *text, const char *cell, uint32_t size,
                       const char *marks) {
  text_format(text,
              "(role xplayer) (role oplayer) (init (control xplayer)) (mark "
              "xplayer %.1s) (mark oplayer %.1s)\n",
              marks, marks + 1);
  for (uint32_t i = 1; i <= size; i++) text_format(text, "(index %u)\n", i);
  text_format(
      text,
      "(<= (init (%s ?x ?y b)) (index ?x) (index ?y))\n"
      "(<= (legal ?r (put ?x ?y)) (true (control ?r)) (true (%s ?x ?y b)))\n"
      "(<= (legal xplayer noop) (true (control oplayer)))\n"
      "(<= (legal oplayer noop) (true (control xplayer)))\n"
      "(<= (next (%s ?x ?y ?m)) (does ?r (put ?x ?y)) (mark ?r ?m))\n"
      "(<= (next (%s ?x ?y ?m)) (true (%s ?x ?y ?m)) (distinct ?m b))\n"
      "(<= (next (%s ?x ?y b)) (does ?r (put ?v ?w)) (true (%s ?x ?y b))\n"
      "   (or (distinct ?x ?v) (distinct ?y ?w)))\n"
      "(<= (next (control oplayer)) (true (control xplayer)))\n"
      "(<= (next (control xplayer)) (true (control oplayer)))\n"
      "(<= (won ?r) (mark ?r ?m) (true (%s 1 1 ?m)))\n"
      "(<= terminal (won ?r))\n"
      "(<= (goal ?r 100) (won ?r))\n"
      "(<= (goal ?r 0) (role ?r) (not (won ?r)))\n",
      cell, cell, cell, cell, cell, cell, cell, cell);
}

typedef struct Table {
  Text text;
  Description description;
  Book book;
  Canon canon;
  Linear *linear;
} Table;

static void open_text(Table *table) {
  BookLimits limits = games_limits();
  games_read(&table->description, text_string(&table->text));
  canon_init(&table->canon, &table->description);
  book_init(&table->book, &table->description, &limits, true);
  table->linear = linear_new(&table->book);
  assert_non_null(table->linear);
}

static void open_game(Table *table, const char *cell, uint32_t size,
                      const char *marks) {
  *table = (Table){0};
  write_game(&table->text, cell, size, marks);
  open_text(table);
}

static void close_game(Table *table) {
  evaluation_delete(&table->linear->evaluation);
  canon_free(&table->canon);
  book_free(&table->book);
  description_free(&table->description);
  text_free(&table->text);
}

/* Gives every feature a weight that its name alone decides, so that it can be
   recognised elsewhere. */
static void set_weights(Linear *linear, uint64_t seed) {
  Random random;
  random_seed(&random, seed);
  for (uint32_t row = 0; row < linear->rows; row++)
    for (uint32_t f = 0; f < linear->features.count; f++)
      linear_row(linear, row)[f] =
          (float)(random_below(&random, 20001) / 1e4 - 1);
}

static const LearnerProgress some_work = {.games = 12,
                                          .states = 3456,
                                          .targets = 789,
                                          .error = 0.123456,
                                          .explained = 0.25};

static void write_table(Table *table, const LearnerProgress *work, Text *text) {
  Knowledge knowledge;
  Text error = {0};
  knowledge_take(&knowledge, &table->canon, table->linear, work);
  assert_true(knowledge_write(&knowledge, text, &error));
  knowledge_free(&knowledge);
  text_free(&error);
}

/* ---- rules ---- */

static void hash_text(const char *text, char *hash) {
  Description description;
  Canon canon;
  front_read(&description, text);
  canon_init(&canon, &description);
  memcpy(hash, canon.hash, sizeof canon.hash);
  canon_free(&canon);
  description_free(&description);
}

static bool same_hash(const char *one, const char *other) {
  char hashes[2][CANON_HASH + 1];
  hash_text(one, hashes[0]);
  hash_text(other, hashes[1]);
  return strcmp(hashes[0], hashes[1]) == 0;
}

static void test_hash(void **state) {
  (void)state;
  const char *game = "(role a) (init (p 1)) (<= (legal a (do ?x)) (true (p "
                     "?x))) (<= (goal a 100) (true (p 1))) terminal";
  assert_true(same_hash(game, game));
  assert_true(same_hash(
      game, "; c\n(role\n\ta) (init (p 1)) (<= (legal a (do ?x)) ; c\n(true (p "
            "?x)))(<= (goal a 100)(true (p 1)))\nterminal"));
  assert_true(same_hash(
      game, "(ROLE z) (init (q 1)) (<= (legal z (b ?u)) (true (q ?u))) (<= "
            "(goal z 100) (true (q 1))) terminal"));
  static const char *const others[] = {
      "(role a) (init (p 2)) (<= (legal a (do ?x)) (true (p ?x))) (<= (goal a "
      "100) (true (p 1))) terminal",
      "(role a) (init (p 1)) (<= (legal a (do ?x)) (true (p ?x))) (<= (goal a "
      "50) (true (p 1))) terminal",
      "(role a) (init (p 1)) (<= (legal a (do ?x)) (not (true (p ?x)))) (<= "
      "(goal a 100) (true (p 1))) terminal",
      "(role a) (init (p 1)) (<= (legal a (a ?x)) (true (p ?x))) (<= (goal a "
      "100) (true (p 1))) terminal",
      "(role a) (init (p 1)) (<= (legal a (do ?x)) (true (p ?y))) (<= (goal a "
      "100) (true (p 1))) terminal",
      "(role a) (init p 1) (<= (legal a (do ?x)) (true (p ?x))) (<= (goal a "
      "100) (true (p 1))) terminal",
      "(role a) (init (p 1)) (<= (legal a (do ?x)) (true (p ?x))) (<= (goal a "
      "100) (true (p 1)))",
      "(init (p 1)) (role a) (<= (legal a (do ?x)) (true (p ?x))) (<= (goal a "
      "100) (true (p 1))) terminal"};
  for (size_t i = 0; i < LENGTH(others); i++)
    if (same_hash(game, others[i])) fail_msg("%s", others[i]);
}

/* The same whether or not a net was made, which adds terms. */
static void test_hash_stays(void **state) {
  (void)state;
  Table table;
  Canon after;
  open_game(&table, "cell", 3, "xo");
  book_features(&table.book);
  canon_init(&after, &table.description);
  assert_string_equal(after.hash, table.canon.hash);
  assert_int_equal(after.words.count, table.canon.words.count);
  canon_free(&after);
  close_game(&table);
}

static void test_words(void **state) {
  (void)state;
  Description description;
  Canon canon;
  Text there = {0}, back = {0};
  front_read(&description, "(role a) (init (cell 1 a x))");
  canon_init(&canon, &description);
  canon_write(&canon, "kind (cell _ a x) y 1", &there);
  assert_string_equal(text_string(&there), "kind (#2 _ #1 #3) y 1");
  text_add(&there, " #0 #4 #1x #");
  canon_read(&canon.words, text_string(&there), &back);
  assert_string_equal(text_string(&back), "kind (cell _ a x) y 1 #0 #4 #1x #");
  text_free(&there);
  text_free(&back);
  canon_free(&canon);
  description_free(&description);
}

/* ---- files ---- */

static void test_round_trip(void **state) {
  (void)state;
  Table table;
  Knowledge knowledge;
  Text first = {0}, second = {0}, error = {0};
  open_game(&table, "cell", 4, "xo");
  set_weights(table.linear, 1);
  size_t bytes =
      (size_t)table.linear->rows * table.linear->features.count * sizeof(float);
  float *before = memory_new(bytes);
  memcpy(before, table.linear->weights, bytes);
  write_table(&table, &some_work, &first);
  set_weights(table.linear, 2);
  assert_true(
      knowledge_parse(&knowledge, text_string(&first), first.length, &error));
  assert_int_equal(knowledge.work.targets, some_work.targets);
  assert_true(knowledge.work.error == some_work.error);
  assert_true(knowledge_give(&knowledge, &table.canon, table.linear) > 3 * 16);
  assert_memory_equal(before, table.linear->weights, bytes);
  assert_true(knowledge_write(&knowledge, &second, &error));
  assert_string_equal(text_string(&first), text_string(&second));
  assert_int_equal(error.length, 0);
  knowledge_free(&knowledge);
  memory_delete(before);
  text_free(&first);
  text_free(&second);
  text_free(&error);
  close_game(&table);
}

/* A name that a game has as a word, too, does not lead astray. */
static void test_other_rules(void **state) {
  (void)state;
  Table small, large;
  Knowledge knowledge;
  Text text = {0}, error = {0};
  open_game(&small, "cell", 3, "xo");
  open_game(&large, "cell", 4, "xo");
  set_weights(small.linear, 1);
  write_table(&small, &some_work, &text);
  assert_true(
      knowledge_parse(&knowledge, text_string(&text), text.length, &error));
  assert_int_equal(knowledge_give(&knowledge, &large.canon, large.linear), 0);
  for (uint32_t f = 0; f < large.linear->features.count; f++)
    assert_true(large.linear->weights[f] == 0);
  knowledge_free(&knowledge);
  text_free(&text);
  text_free(&error);
  close_game(&small);
  close_game(&large);
}

static int compare_lines(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of a text in order, without those of words, which differ. */
static void sort_weights(Text *text, Text *sorted) {
  VECTOR(char *) lines = {0};
  char *start = strstr(text->bytes, "\nweights "),
       *end = strstr(start, "check");
  *end = '\0';
  for (char *line = strtok(start, "\n"); line; line = strtok(NULL, "\n"))
    vector_push(&lines, line);
  qsort(lines.data, lines.count, sizeof *lines.data, compare_lines);
  for (uint32_t i = 0; i < lines.count; i++)
    text_format(sorted, "%s\n", lines.data[i]);
  vector_free(&lines);
}

/* A game in other words uses and continues the file: what it writes then are
   the same weights of the same features. */
static void test_renamed(void **state) {
  (void)state;
  Table table, other = {0};
  Knowledge knowledge;
  Text first = {0}, second = {0}, error = {0}, lists[2] = {{0}, {0}};
  open_game(&table, "kind", 3, "xo"); /* a word of names of features */
  Scramble scramble;
  scramble_init(&scramble, text_string(&table.text), table.text.length, true,
                5);
  text_add(&other.text, text_string(&scramble.rules));
  scramble_free(&scramble);
  assert_null(strstr(text_string(&other.text), "kind"));
  open_text(&other);
  assert_string_equal(table.canon.hash, other.canon.hash);
  set_weights(table.linear, 1);
  write_table(&table, &some_work, &first);
  assert_true(
      knowledge_parse(&knowledge, text_string(&first), first.length, &error));
  assert_int_equal(knowledge_give(&knowledge, &other.canon, other.linear),
                   knowledge.names.count);
  write_table(&other, &some_work, &second);
  sort_weights(&first, &lists[0]);
  sort_weights(&second, &lists[1]);
  assert_true(lists[0].length > 300);
  assert_string_equal(text_string(&lists[0]), text_string(&lists[1]));
  knowledge_free(&knowledge);
  text_free(&first);
  text_free(&second);
  text_free(&lists[0]);
  text_free(&lists[1]);
  text_free(&error);
  close_game(&table);
  close_game(&other);
}

static bool is_refused(const char *text, size_t length, const char *why) {
  Knowledge knowledge;
  Text error = {0};
  bool read = knowledge_parse(&knowledge, text, length, &error);
  bool refused = !read && error.length && strstr(text_string(&error), why);
  if (!refused) print_error("%s\n", text_string(&error));
  if (read) knowledge_free(&knowledge);
  text_free(&error);
  return refused;
}

static void make_file(Text *text) {
  Table table;
  open_game(&table, "cell", 3, "xo");
  set_weights(table.linear, 3);
  write_table(&table, &some_work, text);
  close_game(&table);
}

static void test_damage(void **state) {
  (void)state;
  Text text = {0};
  Random random;
  random_seed(&random, 1);
  make_file(&text);
  for (size_t i = 0; i < text.length; i++) {
    char was = text.bytes[i];
    text.bytes[i] = (char)(was ^ (char)(1 + random_below(&random, 255)));
    assert_true(is_refused(text.bytes, text.length, ""));
    text.bytes[i] = was;
    assert_true(is_refused(text.bytes, i, ""));
  }
  text_add(&text, "x");
  assert_true(is_refused(text.bytes, text.length, "damaged"));
  assert_true(is_refused("(role a)\n", 9, "not a knowledge file"));
  assert_true(is_refused("tafl knowledge 99\n....", 22, "another version"));
  text_free(&text);
}

/* Replaces the check by the right one. */
static void sign(Text *text) {
  char *check = strstr(text->bytes, "\ncheck ") + 1;
  size_t length = (size_t)(check - text->bytes);
  Text body = {0};
  text_add_bytes(&body, text->bytes, length);
  text_format(&body, "check %016llx\n",
              (unsigned long long)hash_bytes(text->bytes, length));
  text_free(text);
  *text = body;
}

static void replace(Text *text, const char *from, const char *to) {
  Text made = {0};
  char *at = strstr(text->bytes, from);
  assert_non_null(at);
  text_add_bytes(&made, text->bytes, (size_t)(at - text->bytes));
  text_add(&made, to);
  text_add(&made, at + strlen(from));
  text_free(text);
  *text = made;
}

/* Files with a right check that are wrong nevertheless. */
static void test_wrong(void **state) {
  (void)state;
  static const char *const changes[][3] = {
      {"\nroles ", "\nrules ", "missing"},
      {"\nwords ", "\nwords 1", "none"},
      {"\nwords ", "\nwords 9999", "limits"},
      {"\nwords ", "\nwords 0", "none"},
      {"\nweights ", "\nweights 9", "early"},
      {"\nweights ", "\nweights 999999", "limits"},
      {"\nboards 1", "\nboards 2", "missing"},
      {"\nboards 1", "\nboards 0", "missing"},
      {"\nboard ", "\nboard a b", "none"},
      {"\nwork ", "\nwork -", "none"},
      {"\nwork ", "\nwork 99999999999999999999", "none"},
      {" 1\n(", " 1\nnan (", "none"},
  };
  for (size_t i = 0; i < LENGTH(changes); i++) {
    Text text = {0};
    make_file(&text);
    if (!strstr(text.bytes, changes[i][0])) {
      text_free(&text);
      continue;
    }
    replace(&text, changes[i][0], changes[i][1]);
    sign(&text);
    if (!is_refused(text.bytes, text.length, "")) fail_msg("%zu", i);
    text_free(&text);
  }
  Text text = {0};
  make_file(&text);
  sign(&text); /* sign alone changes nothing */
  Knowledge knowledge;
  Text error = {0};
  assert_true(knowledge_parse(&knowledge, text.bytes, text.length, &error));
  knowledge.weights.data[0] = 1e9f;
  text_clear(&text);
  assert_false(knowledge_write(&knowledge, &text, &error));
  assert_non_null(strstr(text_string(&error), "bounds"));
  knowledge_free(&knowledge);
  text_free(&error);
  text_free(&text);
}

static void test_large(void **state) {
  (void)state;
  Text text = {0};
  make_file(&text);
  size_t length = KNOWLEDGE_BYTES + 1;
  char *large = memory_new(length);
  memcpy(large, text.bytes, text.length);
  assert_true(is_refused(large, length, "too large"));
  memory_delete(large);
  text_free(&text);
}

/* ---- the directory ---- */

static char folder[] = "/tmp/tafl-knowledge-XXXXXX";

static void clean(void) {
  Text command = {0};
  text_format(&command, "rm -rf %s", folder);
  assert_int_equal(system(text_string(&command)), 0);
  text_free(&command);
}

static void make_knowledge(Table *table, uint64_t targets,
                           Knowledge *knowledge) {
  LearnerProgress work = some_work;
  work.targets = targets;
  knowledge_take(knowledge, &table->canon, table->linear, &work);
}

static uint64_t saved_targets(const Table *table) {
  Knowledge knowledge;
  Text error = {0};
  ShelfEnd end = shelf_load(folder, table->canon.hash, &knowledge, &error);
  if (end == SHELF_REFUSED) fail_msg("%s", text_string(&error));
  uint64_t targets = end == SHELF_READ ? knowledge.work.targets : 0;
  if (end == SHELF_READ) knowledge_free(&knowledge);
  text_free(&error);
  return targets;
}

static void save(Table *table, uint64_t targets) {
  Knowledge knowledge;
  Text error = {0};
  make_knowledge(table, targets, &knowledge);
  if (!shelf_save(folder, &knowledge, &error))
    fail_msg("%s", text_string(&error));
  knowledge_free(&knowledge);
}

/* The file of more work stays. */
static void test_more_work(void **state) {
  (void)state;
  Table table;
  Text error = {0};
  open_game(&table, "cell", 3, "xo");
  set_weights(table.linear, 4);
  assert_true(shelf_open(folder, &error));
  assert_int_equal(saved_targets(&table), 0);
  save(&table, 100);
  assert_int_equal(saved_targets(&table), 100);
  save(&table, 50);
  assert_int_equal(saved_targets(&table), 100);
  save(&table, 200);
  assert_int_equal(saved_targets(&table), 200);
  close_game(&table);
  clean();
}

/* A damaged file is refused, and replaced by the next save. */
static void test_damaged_file(void **state) {
  (void)state;
  Table table;
  Knowledge knowledge;
  Text error = {0}, path = {0};
  open_game(&table, "cell", 3, "xo");
  set_weights(table.linear, 4);
  assert_true(shelf_open(folder, &error));
  save(&table, 100);
  text_format(&path, "%s/%s.knowledge", folder, table.canon.hash);
  assert_int_equal(truncate(text_string(&path), 300), 0);
  assert_int_equal(shelf_load(folder, table.canon.hash, &knowledge, &error),
                   SHELF_REFUSED);
  assert_non_null(strstr(text_string(&error), ".knowledge: it is damaged"));
  save(&table, 50);
  assert_int_equal(saved_targets(&table), 50);
  text_free(&error);
  text_free(&path);
  close_game(&table);
  clean();
}

/* Writers in other processes never leave anything that a reader refuses. */
static void test_writers(void **state) {
  (void)state;
  enum { WRITERS = 3, SAVES = 8 };
  Table table;
  Text error = {0};
  pid_t writers[WRITERS];
  open_game(&table, "cell", 3, "xo");
  set_weights(table.linear, 4);
  assert_true(shelf_open(folder, &error));
  for (uint32_t w = 0; w < WRITERS; w++) {
    writers[w] = fork();
    if (writers[w]) continue;
    for (uint32_t i = 1; i <= SAVES; i++) save(&table, i * WRITERS + w);
    _exit(0);
  }
  for (uint32_t w = 0; w < WRITERS; w++) {
    int status;
    while (waitpid(writers[w], &status, WNOHANG) == 0) saved_targets(&table);
    assert_int_equal(status, 0);
  }
  assert_true(saved_targets(&table) >= SAVES * WRITERS);
  close_game(&table);
  clean();
}

static uint32_t count_files(void) {
  uint32_t count = 0;
  DIR *open = opendir(folder);
  for (struct dirent *entry; (entry = readdir(open));)
    count += *entry->d_name != '.';
  closedir(open);
  return count;
}

static void make_empty(const char *name, time_t age) {
  Text path = {0};
  text_format(&path, "%s/%s", folder, name);
  FILE *file = fopen(text_string(&path), "w");
  assert_non_null(file);
  fclose(file);
  struct timespec times[2] = {{.tv_sec = time(NULL) - age},
                              {.tv_sec = time(NULL) - age}};
  assert_int_equal(utimensat(AT_FDCWD, text_string(&path), times, 0), 0);
  text_free(&path);
}

static bool exists(const char *name) {
  Text path = {0};
  text_format(&path, "%s/%s", folder, name);
  bool found = access(text_string(&path), F_OK) == 0;
  text_free(&path);
  return found;
}

/* The least recently used files go, what is not ours stays. */
static void test_bounds(void **state) {
  (void)state;
  static const char oldest[] = "00000000000000000000000000000000.knowledge",
                    left[] = ".00000000000000000000000000000000.1.2.new";
  Table table;
  Text error = {0};
  char name[80];
  open_game(&table, "cell", 3, "xo");
  set_weights(table.linear, 4);
  assert_true(shelf_open(folder, &error));
  for (uint32_t i = 0; i < SHELF_FILES; i++) {
    snprintf(name, sizeof name, "%032x.knowledge", i);
    make_empty(name, 100000 - i);
  }
  make_empty("other.knowledge", 200000);
  make_empty(left, 100000);
  save(&table, 1);
  assert_false(exists(oldest));
  assert_false(exists(left));
  assert_true(exists("00000000000000000000000000000001.knowledge"));
  assert_int_equal(count_files(), SHELF_FILES + 1);
  assert_int_equal(saved_targets(&table), 1);
  close_game(&table);
  clean();
}

static Learner *make_learner(Table *table) {
  Settings settings;
  Text error = {0};
  assert_true(settings_parse(&settings, "minimax", &error));
  Learner *learner = learner_new(&table->book, &settings, 1);
  assert_non_null(learner);
  return learner;
}

static void test_no_directory(void **state) {
  (void)state;
  Table table;
  Text error = {0}, path = {0};
  assert_true(shelf_open(folder, &error));
  make_empty("file", 0);
  text_format(&path, "%s/file/more", folder);
  assert_false(shelf_open(text_string(&path), &error));
  assert_non_null(strstr(text_string(&error), "Not a directory"));
  open_game(&table, "cell", 3, "xo");
  table.book.limits.knowledge = text_string(&path);
  Learner *learner = make_learner(&table);
  Keeper *keeper = keeper_new(&table.book, learner);
  assert_non_null(strstr(keeper_trouble(keeper), "Not a directory"));
  learner_learn(learner, &(Budget){.simulations = 3000});
  assert_false(keeper_save(keeper, learner));
  keeper_delete(keeper);
  learner_delete(learner);
  close_game(&table);
  text_free(&error);
  text_free(&path);
  clean();
}

/* A second learner begins where the first ended. */
static void test_keeper(void **state) {
  (void)state;
  Table table;
  Text text = {0};
  open_game(&table, "cell", 3, "xo");
  table.book.limits.knowledge = folder;
  Learner *first = make_learner(&table);
  Keeper *keeper = keeper_new(&table.book, first);
  keeper_write(keeper, &text);
  assert_int_equal(text.length, 0);
  learner_learn(first, &(Budget){.simulations = 3000});
  assert_true(keeper_save(keeper, first));
  assert_int_equal(saved_targets(&table), learner_progress(first).targets);
  keeper_delete(keeper);

  Learner *second = make_learner(&table);
  keeper = keeper_new(&table.book, second);
  keeper_write(keeper, &text);
  assert_non_null(strstr(text_string(&text), "weights of this game"));
  assert_int_equal(learner_progress(second).games,
                   learner_progress(first).games);
  Linear *one = learner_linear(first), *other = learner_linear(second);
  assert_memory_equal(one->weights, other->weights,
                      one->rows * one->features.count * sizeof(float));
  keeper_delete(keeper);
  learner_delete(first);
  learner_delete(second);
  assert_null(keeper_new(&(Book){0}, NULL));
  text_free(&text);
  close_game(&table);
  clean();
}

/* ---- transfer ---- */

/* The name of a feature, with F for the functor of the board. */
static void write_plain(const Linear *linear, uint32_t feature, Text *name) {
  Text own = {0};
  text_clear(name);
  linear_name(linear, feature, &own);
  for (const char *at = text_string(&own); *at;) {
    bool board =
        strncmp(at, "(cell ", 6) == 0 || strncmp(at, "(holds ", 7) == 0;
    text_add(name, board ? "(F " : "");
    if (!board) text_add_byte(name, *at);
    at += board ? strcspn(at, " ") + 1 : 1;
  }
  text_free(&own);
}

/* What a feature is worth in a made-up world in which places matter evenly, in
   boards of any size, and everything else by its name. */
static double worth(const Linear *linear, uint32_t feature, uint32_t size) {
  Text name = {0};
  int x, y, sum = 0;
  char mark;
  write_plain(linear, feature, &name);
  bool fluent = sscanf(text_string(&name), "(F %d %d %c)", &x, &y, &mark) == 3;
  for (const char *c = text_string(&name); *c; c++) sum = (3 * sum + *c) % 97;
  text_free(&name);
  if (!fluent) return 0.01 * (1 + sum);
  double value = mark == 'b' ? 0.1 : mark == 'x' ? 1 : -1;
  return value + (3.0 * (x - 1) + 7.0 * (y - 1)) / (size - 1);
}

static void take_world(Table *table, uint32_t size, Knowledge *knowledge) {
  for (uint32_t row = 0; row < table->linear->rows; row++)
    for (uint32_t f = 0; f < table->linear->features.count; f++)
      linear_row(table->linear, row)[f] =
          (float)((1 + row) * worth(table->linear, f, size));
  knowledge_take(knowledge, &table->canon, table->linear, &some_work);
}

/* Does the other game have the feature, or its piece on any place? */
static bool is_known(const Linear *linear, uint32_t feature,
                     const Linear *other) {
  Text name = {0}, each = {0};
  int place[2];
  char marks[2];
  bool found = false;
  write_plain(linear, feature, &name);
  bool fluent = sscanf(text_string(&name), "(F %d %d %c)", &place[0], &place[1],
                       &marks[0]) == 3;
  for (uint32_t f = 0; f < other->features.count && !found; f++) {
    write_plain(other, f, &each);
    found = fluent ? sscanf(text_string(&each), "(F %d %d %c)", &place[0],
                            &place[1], &marks[1]) == 3 &&
                         marks[0] == marks[1]
                   : strcmp(text_string(&name), text_string(&each)) == 0;
  }
  text_free(&name);
  text_free(&each);
  return found;
}

/* Features that the other game has must get what they are worth, all others
   nothing. */
static void check_world(const Knowledge *from, const Linear *other,
                        Table *table, uint32_t size) {
  Linear *linear = table->linear;
  uint32_t expected = 0;
  set_weights(linear, 9);
  uint32_t given = transfer_give(from, 0.5, linear);
  for (uint32_t f = 0; f < linear->features.count; f++) {
    bool known = is_known(linear, f, other);
    expected += known;
    for (uint32_t row = 0; row < linear->rows; row++) {
      double right = known ? 0.5 * (1 + row) * worth(linear, f, size) : 0;
      double got = (double)linear_row(linear, row)[f];
      if (fabs(got - right) > 1e-5) {
        Text name = {0};
        linear_name(linear, f, &name);
        fail_msg("%s: %g, not %g", text_string(&name), got, right);
      }
    }
  }
  assert_int_equal(given, expected);
  assert_true(expected >= size * size);
  assert_true(fabs(transfer_share(from, linear) -
                   (double)expected / linear->features.count) < 1e-9);
}

static void test_transfer(void **state) {
  (void)state;
  static const struct {
    const char *cell;
    uint32_t size;
    const char *marks;
  } others[] = {{"cell", 5, "xo"},
                {"cell", 4, "xo"},
                {"cell", 3, "xz"},
                {"holds", 5, "xo"}};
  Table table;
  Knowledge knowledge;
  open_game(&table, "cell", 3, "xo");
  take_world(&table, 3, &knowledge);
  for (size_t i = 0; i < LENGTH(others); i++) {
    Table other;
    open_game(&other, others[i].cell, others[i].size, others[i].marks);
    check_world(&knowledge, table.linear, &other, others[i].size);
    close_game(&other);
  }
  knowledge_free(&knowledge);
  close_game(&table);
}

/* Other roles, and other shapes of facts, have nothing in common. */
static void test_no_transfer(void **state) {
  (void)state;
  Table table, other = {0};
  Knowledge knowledge;
  open_game(&table, "cell", 3, "xo");
  take_world(&table, 3, &knowledge);
  write_game(&other.text, "cell", 3, "xo");
  for (char *at = other.text.bytes; (at = strstr(at, "xplayer"));) *at = 'z';
  open_text(&other);
  assert_int_equal(transfer_give(&knowledge, 1, other.linear), 0);
  close_game(&other);
  other = (Table){0};
  text_add(&other.text,
           "(role xplayer) (role oplayer) (init (p a)) (init (q a)) (legal "
           "xplayer a) (legal xplayer b) (legal oplayer a) (<= (next (p ?m)) "
           "(does xplayer ?m)) (<= (next (q ?m)) (true (p ?m))) (<= terminal "
           "(true (q b))) (<= (goal xplayer 100) (true (p b))) (<= (goal "
           "xplayer 0) (not (true (p b)))) (<= (goal oplayer 0) (true (p b))) "
           "(<= (goal oplayer 100) (not (true (p b))))");
  open_text(&other);
  transfer_give(&knowledge, 1, other.linear);
  for (uint32_t f = 0; f < other.linear->features.count; f++) {
    Text name = {0};
    linear_name(other.linear, f, &name);
    if (other.linear->weights[f] != 0) /* the roles are the same */
      assert_int_equal(strncmp(text_string(&name), "mobility ", 9), 0);
    text_free(&name);
  }
  close_game(&other);
  knowledge_free(&knowledge);
  close_game(&table);
}

/* Weights that were learned pass, and fail if they are turned around. */
static void test_audition(void **state) {
  (void)state;
  TestGame game;
  Settings settings;
  Text error = {0};
  test_game_open(&game, "ticTacToe", true);
  assert_true(settings_parse(&settings, "minimax", &error));
  Learner *learner = learner_new(&game.rules, &settings, 1);
  learner_learn(learner, &(Budget){.simulations = 20000});
  Linear *linear = learner_linear(learner);
  Audition audition = audition_hear(&game.rules, &linear->evaluation, 3);
  assert_true(audition.games > 100 && audition.correlation > 0.2);
  assert_false(audition_failed(&audition));
  for (uint32_t i = 0; i < linear->rows * linear->features.count; i++)
    linear->weights[i] *= -1;
  linear_freeze(linear);
  audition = audition_hear(&game.rules, &linear->evaluation, 3);
  assert_true(audition_failed(&audition));
  transfer_clear(linear);
  audition = audition_hear(&game.rules, &linear->evaluation, 3);
  assert_true(fabs(audition.correlation) < 1e-6);
  learner_delete(learner);
  test_game_close(&game);
}

/* A learner of a game that nobody knows begins with a similar one. */
static void test_similar(void **state) {
  (void)state;
  Table table, other;
  Text text = {0}, error = {0};
  assert_true(shelf_open(folder, &error));
  open_game(&table, "cell", 3, "xo");
  set_weights(table.linear, 4);
  save(&table, 1000);
  open_game(&other, "cell", 4, "xo");
  other.book.limits.knowledge = folder;
  Learner *learner = make_learner(&other);
  Keeper *keeper = keeper_new(&other.book, learner);
  keeper_write(keeper, &text);
  assert_non_null(strstr(text_string(&text), "weights of game, a similar"));
  learner_learn(learner, &(Budget){.simulations = 3000});
  assert_true(keeper_save(keeper, learner));
  keeper_delete(keeper);
  keeper = keeper_new(&other.book, learner);
  text_clear(&text);
  keeper_write(keeper, &text);
  assert_non_null(strstr(text_string(&text), "weights of this game"));
  keeper_delete(keeper);
  learner_delete(learner);
  text_free(&text);
  close_game(&table);
  close_game(&other);
  clean();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hash),         cmocka_unit_test(test_hash_stays),
      cmocka_unit_test(test_words),        cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_other_rules),  cmocka_unit_test(test_renamed),
      cmocka_unit_test(test_damage),       cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_large),        cmocka_unit_test(test_more_work),
      cmocka_unit_test(test_damaged_file), cmocka_unit_test(test_writers),
      cmocka_unit_test(test_bounds),       cmocka_unit_test(test_no_directory),
      cmocka_unit_test(test_keeper),       cmocka_unit_test(test_transfer),
      cmocka_unit_test(test_no_transfer),  cmocka_unit_test(test_similar),
      cmocka_unit_test(test_audition)};
  if (!mkdtemp(folder)) return 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
