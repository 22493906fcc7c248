/* Journals: what is written can be read back, truncated and corrupt ends are
   skipped, errors are reported once and end the journal, not the match. */
#include "server/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/unit.h"

enum { PORT = 9147 };

static char path[64];
static int folder;

static int make_folder(void **state) {
  (void)state;
  Text error = {0};
  strcpy(path, "/tmp/tafl-journal-XXXXXX");
  if (!mkdtemp(path)) return 1;
  folder = journal_open_folder(path, &error);
  text_free(&error);
  return folder < 0;
}

/* Finds the name of the only journal or, with the ending .rules, the only file
   of rules; returns false if there is none. */
static bool find_file(char name[64], const char *ending) {
  DIR *list = opendir(path);
  int count = 0;
  for (struct dirent *each; (each = readdir(list));)
    if (strstr(each->d_name, ending)) {
      snprintf(name, 64, "%.63s", each->d_name);
      count++;
    }
  closedir(list);
  assert_true(count <= 1);
  return count == 1;
}

static bool only_file(char name[64]) {
  return find_file(name, ".match");
}

static int remove_folder(void **state) {
  (void)state;
  char name[64];
  if (only_file(name)) unlinkat(folder, name, 0);
  if (find_file(name, ".rules")) unlinkat(folder, name, 0);
  close(folder);
  return rmdir(path);
}

static const char start_text[] =
    "(START ../m.1 (white 1) ((role (white 1)) ; one\n (<= a b)) 30 2.5)";

/* Writes a match with one step and a PLAY that is not answered yet. */
static void write_match(Journal *journal) {
  Message start;
  Text error = {0};
  assert_true(message_parse(&start, start_text, strlen(start_text), &error));
  assert_true(journal_begin(journal, folder, PORT, &start, &error));
  assert_true(journal_write_rules(journal->rules, text_string(&start.rules),
                                  start.rules.length));
  assert_true(journal_play(journal, "", &error));
  assert_true(journal_sent(journal, "(mark 1 1)", &error));
  assert_true(journal_play(journal, "(mark 1 1)\nnoop", &error));
  assert_true(journal_step(journal, 0, "(mark 1 1)\nnoop", &error));
  assert_true(journal_sent(journal, "noop", &error));
  assert_true(journal_play(journal, "noop\n(mark 2 2)", &error));
  assert_int_equal(error.length, 0);
  message_free(&start);
}

typedef struct Found {
  int count;
  Journal journal;
  JournalMatch match;
} Found;

static void keep(void *context, Journal *journal, JournalMatch *match) {
  Found *found = context;
  if (found->count++) {
    journal_match_free(match);
    journal_close(journal);
    return;
  }
  found->journal = *journal;
  found->match = *match;
}

static void drop(Found *found) {
  journal_match_free(&found->match);
  journal_remove(&found->journal);
  *found = (Found){0};
}

static void written_matches_are_read_back(void **state) {
  (void)state;
  Journal journal;
  Found found = {0};
  write_match(&journal);
  journal_close(&journal);
  journal_restore(folder, PORT, keep, &found);
  assert_int_equal(found.count, 1);
  const JournalMatch *match = &found.match;
  assert_string_equal(match->start.id.bytes, "../m.1");
  assert_string_equal(match->start.role.bytes, "(white 1)");
  assert_string_equal(match->start.rules.bytes,
                      "(role (white 1)) ; one\n (<= a b)");
  assert_float_equal(match->start.start, 30, 0);
  assert_float_equal(match->start.play, 2.5, 0);
  assert_int_equal(match->history.count, 1);
  assert_string_equal(match->history.data[0].bytes, "(mark 1 1)\nnoop");
  assert_true(match->asked);
  assert_true(match->played);
  assert_string_equal(match->moves.bytes, "noop\n(mark 2 2)");
  assert_string_equal(match->sent.bytes, "noop");
  drop(&found);
  char name[64];
  assert_false(only_file(name));
  assert_false(find_file(name, ".rules"));
}

static void journals_are_continued(void **state) {
  (void)state;
  Journal journal;
  Found found = {0};
  Text error = {0};
  write_match(&journal);
  journal_close(&journal);
  journal_restore(folder, PORT, keep, &found);
  assert_true(journal_step(&found.journal, 1, "noop\n(mark 2 2)", &error));
  journal_match_free(&found.match);
  journal_close(&found.journal);
  found = (Found){0};
  journal_restore(folder, PORT, keep, &found);
  assert_int_equal(found.match.history.count, 2);
  assert_false(found.match.asked);
  drop(&found);
}

/* Truncated at every length, and with every single byte changed: the rest reads
   as a prefix of what was written, or the file is removed. */
static void corrupt_journals(void **state) {
  (void)state;
  Journal journal;
  char name[64];
  Text whole = {0}, error = {0}, full = {0};
  write_match(&journal);
  journal_close(&journal);
  assert_true(only_file(name));
  text_format(&full, "%s/%s", path, name);
  assert_true(text_read_file(&whole, full.bytes, 1 << 20, &error));
  for (size_t i = 0; i < 2 * whole.length; i++) {
    bool torn = i < whole.length;
    FILE *file = fopen(full.bytes, "w");
    size_t length = torn ? i : whole.length;
    if (!torn) whole.bytes[i - whole.length] ^= 1;
    assert_int_equal(fwrite(whole.bytes, 1, length, file), length);
    fclose(file);
    if (!torn) whole.bytes[i - whole.length] ^= 1;
    Found found = {0};
    journal_restore(folder, PORT, keep, &found);
    assert_true(found.count <= 1);
    if (!found.count) {
      assert_false(only_file(name));
      continue;
    }
    assert_true(found.match.history.count <= 1);
    assert_string_equal(found.match.start.id.bytes, "../m.1");
    assert_true(found.journal.length < whole.length || torn == false);
    assert_true(journal_play(&found.journal, "again", &error));
    journal_match_free(&found.match);
    journal_close(&found.journal);
    found = (Found){0};
    journal_restore(folder, PORT, keep, &found);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.match.moves.bytes, "again");
    drop(&found);
  }
  text_free(&whole);
  text_free(&full);
}

static void journals_of_others_are_ignored(void **state) {
  (void)state;
  Journal journal;
  Found found = {0};
  write_match(&journal);
  journal_restore(folder, PORT, keep, &found); /* in use: locked */
  assert_int_equal(found.count, 0);
  journal_close(&journal);
  journal_restore(folder, PORT + 1, keep, &found); /* another server's */
  assert_int_equal(found.count, 0);
  journal_restore(folder, PORT, keep, &found);
  assert_int_equal(found.count, 1);
  drop(&found);
}

static void set_age(const char *name, time_t seconds) {
  struct timespec times[2] = {{0}};
  times[0].tv_sec = times[1].tv_sec = time(NULL) - seconds;
  assert_int_equal(utimensat(folder, name, times, 0), 0);
}

/* Reading does not make a journal younger. */
static void journals_have_an_age(void **state) {
  (void)state;
  Journal journal;
  char name[64];
  write_match(&journal);
  journal_close(&journal);
  assert_true(only_file(name));
  set_age(name, 1000);
  for (int i = 0; i < 3; i++) {
    Found found = {0};
    journal_restore(folder, PORT, keep, &found);
    assert_int_equal(found.count, 1);
    assert_true(found.match.age >= 1000 && found.match.age < 1060);
    journal_match_free(&found.match);
    journal_close(&found.journal);
  }
  Found found = {0};
  set_age(name, -1000);
  journal_restore(folder, PORT, keep, &found);
  assert_float_equal(found.match.age, 0, 0);
  drop(&found);
}

static void old_journals_of_others_are_removed(void **state) {
  (void)state;
  Journal journal;
  Found found = {0};
  char name[64];
  write_match(&journal);
  journal_close(&journal);
  assert_true(only_file(name));
  set_age(name, 8 * 24 * 3600);
  journal_restore(folder, PORT + 1, keep, &found);
  assert_int_equal(found.count, 0);
  assert_false(only_file(name));
  assert_false(find_file(name, ".rules"));
}

/* Nothing is restored without all of the rules. */
static void rules_that_were_not_written(void **state) {
  (void)state;
  Journal journal;
  char name[64];
  for (off_t length = 0; length < 60; length++) {
    Found found = {0};
    write_match(&journal);
    assert_int_equal(ftruncate(journal.rules, length), 0);
    journal_close(&journal);
    journal_restore(folder, PORT, keep, &found);
    assert_int_equal(found.count, 0);
    assert_false(only_file(name));
    assert_false(find_file(name, ".rules"));
  }
}

/* A second process may write them again; what is there stays. */
static void rules_are_written_once(void **state) {
  (void)state;
  Journal journal;
  Found found = {0};
  write_match(&journal);
  assert_int_equal(ftruncate(journal.rules, 5), 0);
  for (int i = 0; i < 2; i++)
    assert_true(journal_write_rules(journal.rules, "(role x)", 8));
  journal_close(&journal);
  journal_restore(folder, PORT, keep, &found);
  assert_int_equal(found.count, 1);
  assert_string_equal(found.match.start.rules.bytes, "(role x)");
  drop(&found);
}

static void rules_without_a_journal_are_removed(void **state) {
  (void)state;
  Journal journal;
  Found found = {0};
  char name[64];
  write_match(&journal);
  assert_int_equal(unlinkat(folder, journal.name, 0), 0);
  journal_close(&journal);
  assert_true(find_file(name, ".rules"));
  journal_restore(folder, PORT, keep, &found);
  assert_int_equal(found.count, 0);
  assert_false(find_file(name, ".rules"));
}

static void a_full_disk(void **state) {
  (void)state;
  Journal journal;
  Found found = {0};
  Text error = {0};
  struct rlimit before, small;
  write_match(&journal);
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = journal.length + 20; /* part of a record fits */
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  assert_false(journal_step(&journal, 1, "noop\n(mark 2 2)", &error));
  assert_true(error.length > 0);
  text_clear(&error);
  assert_true(journal_step(&journal, 2, "noop\n(mark 2 2)", &error));
  assert_int_equal(error.length, 0);
  setrlimit(RLIMIT_FSIZE, &before);
  text_free(&error);
  journal_restore(folder, PORT, keep, &found);
  assert_int_equal(found.count, 1);
  assert_int_equal(found.match.history.count, 1);
  drop(&found);
}

static void folders(void **state) {
  (void)state;
  char deep[128];
  struct stat status;
  Text error = {0};
  snprintf(deep, sizeof deep, "%s/a/b", path);
  int made = journal_open_folder(deep, &error);
  assert_true(made >= 0);
  assert_int_equal(fstat(made, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0700);
  close(made);
  rmdir(deep);
  snprintf(deep, sizeof deep, "%s/a", path);
  rmdir(deep);
  assert_int_equal(journal_open_folder("/dev/null/tafl", &error), -1);
  assert_non_null(strstr(error.bytes, "/dev/null/tafl"));
  text_free(&error);
  Journal journal;
  Message start = {0};
  assert_true(journal_begin(&journal, -1, PORT, &start, &error));
  assert_true(journal_sent(&journal, "noop", &error));
  journal_remove(&journal);
}

static void steps_may_be_taken_back(void **state) {
  (void)state;
  TextVector history = {0};
  assert_true(journal_set_step(&history, 0, "a"));
  assert_true(journal_set_step(&history, 1, "b"));
  assert_false(journal_set_step(&history, 3, "d"));
  assert_true(journal_set_step(&history, 0, "c"));
  assert_int_equal(history.count, 1);
  assert_string_equal(history.data[0].bytes, "c");
  text_vector_free(&history);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_matches_are_read_back),
      cmocka_unit_test(journals_are_continued),
      cmocka_unit_test(corrupt_journals),
      cmocka_unit_test(journals_of_others_are_ignored),
      cmocka_unit_test(journals_have_an_age),
      cmocka_unit_test(old_journals_of_others_are_removed),
      cmocka_unit_test(rules_that_were_not_written),
      cmocka_unit_test(rules_are_written_once),
      cmocka_unit_test(rules_without_a_journal_are_removed),
      cmocka_unit_test(a_full_disk),
      cmocka_unit_test(folders),
      cmocka_unit_test(steps_may_be_taken_back)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
