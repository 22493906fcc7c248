/* A journal is a sequence of records

     word number length hash "\n" text "\n"

   with the words start (text: the START message as a game master writes it, but
   without rules), play (moves), step (number, joint move) and sent (move).
   Reading stops at the first record that is incomplete or does not match its
   hash; the rest is truncated before the file is written to again. The rules
   are a record of another file, which may be written by another process,
   because megabytes may take the disk a while; if that record is not complete,
   there is nothing to restore. File names begin with the port, so that several
   servers can share a folder. */
#include "server/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"

enum { LARGEST = 256 << 20, LONGEST_HEAD = 80 };

static const double too_old = 7 * 24 * 3600.0; /* for files of other ports */
static const char match_end[] = ".match", rules_end[] = ".rules";

/* ---- folders ---- */

int journal_open_folder(const char *path, Text *error) {
  file_make_above(path, 0700);
  mkdir(path, 0700);
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 || faccessat(folder, ".", W_OK | X_OK, 0) != 0) {
    text_format(error, "%s: %s", path, strerror(errno));
    if (folder >= 0) close(folder);
    return -1;
  }
  return folder;
}

/* ---- writing ---- */

static bool give_up(Journal *journal, Text *error) {
  text_format(error, "%s: %s", journal->name, strerror(errno));
  if (ftruncate(journal->file, (off_t)journal->length) != 0)
    text_add(error, ", and it cannot be truncated");
  close(journal->file);
  journal->file = -1;
  return false;
}

static void write_head(char head[LONGEST_HEAD + 1], const char *word,
                       uint32_t number, const char *text, size_t length) {
  snprintf(head, LONGEST_HEAD + 1, "%s %" PRIu32 " %zu %016" PRIx64 "\n", word,
           number, length, hash_bytes(text, length));
}

static bool add(Journal *journal, const char *word, uint32_t number,
                const char *text, Text *error) {
  if (journal->file < 0) return true;
  char head[LONGEST_HEAD + 1];
  size_t length = strlen(text);
  Text record = {0};
  write_head(head, word, number, text, length);
  text_add(&record, head);
  text_add_bytes(&record, text, length);
  text_add_byte(&record, '\n');
  bool fine = file_write_all(journal->file, record.bytes, record.length);
  if (fine) journal->length += record.length;
  text_free(&record);
  return fine || give_up(journal, error);
}

/* The file of the rules has the same name but for its end. */
static void name_rules(const Journal *journal, char name[40]) {
  size_t stem = strlen(journal->name) - strlen(match_end);
  snprintf(name, 40, "%.*s%s", (int)stem, journal->name, rules_end);
}

static int create(int folder, const char *name, int flags, Text *error) {
  int file =
      openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0600);
  if (file < 0) text_format(error, "%s: %s", name, strerror(errno));
  return file;
}

bool journal_begin(Journal *journal, int folder, unsigned port,
                   const Message *start, Text *error) {
  uint64_t random = 0;
  char rules[40];
  *journal = (Journal){.folder = folder, .file = -1, .rules = -1};
  if (folder < 0) return true;
  if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
    random = (uint64_t)time(NULL);
  snprintf(journal->name, sizeof journal->name, "%u-%016" PRIx64 "%s", port,
           random, match_end);
  journal->file = create(folder, journal->name, O_APPEND, error);
  if (journal->file < 0) return false;
  flock(journal->file, LOCK_EX | LOCK_NB);
  name_rules(journal, rules);
  journal->rules = create(folder, rules, 0, error);
  if (journal->rules < 0) {
    journal_remove(journal);
    return false;
  }
  Text message = {0};
  message_write_start(&message, text_string(&start->id),
                      text_string(&start->role), "", start->start, start->play);
  bool fine = add(journal, "start", 0, text_string(&message), error);
  text_free(&message);
  return fine;
}

/* Uses no memory of its own: a thread of any process may call it. */
bool journal_write_rules(int file, const char *rules, size_t length) {
  char head[LONGEST_HEAD + 1];
  struct stat status;
  write_head(head, "rules", 0, rules, length);
  size_t size = strlen(head) + length + 1;
  if (fstat(file, &status) == 0 && (size_t)status.st_size == size) return true;
  return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0 &&
         file_write_all(file, head, strlen(head)) &&
         file_write_all(file, rules, length) && file_write_all(file, "\n", 1);
}

bool journal_play(Journal *journal, const char *moves, Text *error) {
  return add(journal, "play", 0, moves, error);
}

bool journal_step(Journal *journal, uint32_t number, const char *joint,
                  Text *error) {
  return add(journal, "step", number, joint, error);
}

bool journal_sent(Journal *journal, const char *move, Text *error) {
  return add(journal, "sent", 0, move, error);
}

void journal_close(Journal *journal) {
  if (journal->file >= 0) close(journal->file);
  if (journal->rules >= 0) close(journal->rules);
  journal->file = journal->rules = -1;
}

void journal_remove(Journal *journal) {
  char rules[40];
  if (*journal->name) {
    name_rules(journal, rules);
    unlinkat(journal->folder, journal->name, 0);
    unlinkat(journal->folder, rules, 0);
  }
  *journal->name = 0;
  journal_close(journal);
}

/* ---- reading ---- */

bool journal_set_step(TextVector *history, uint32_t number, const char *joint) {
  if (number > history->count) return false;
  while (history->count > number) {
    text_free(&vector_last(history));
    history->count--;
  }
  Text text = {0};
  text_add(&text, joint);
  vector_push(history, text);
  return true;
}

static void set_text(Text *text, const char *bytes, size_t length) {
  text_clear(text);
  text_add_bytes(text, bytes, length);
}

/* Takes one record; the first, and no other, must be a START or the rules. */
static bool take(JournalMatch *match, bool first, const char *word,
                 uint32_t number, const char *text, size_t length) {
  Text error = {0};
  bool fine = true, rules = strcmp(word, "rules") == 0;
  if (first != (rules || strcmp(word, "start") == 0)) {
    fine = false;
  } else if (rules) {
    set_text(&match->start.rules, text, length);
  } else if (first) {
    fine = message_parse(&match->start, text, length, &error);
  } else if (strcmp(word, "play") == 0) {
    set_text(&match->moves, text, length);
    match->asked = match->played = true;
  } else if (strcmp(word, "step") == 0) {
    Text joint = {0};
    text_add_bytes(&joint, text, length);
    fine = journal_set_step(&match->history, number, text_string(&joint));
    text_free(&joint);
    match->asked = false;
  } else if (strcmp(word, "sent") == 0) {
    set_text(&match->sent, text, length);
  }
  text_free(&error);
  return fine;
}

/* Returns the length of the complete records at the beginning. */
static size_t read_records(const Text *text, JournalMatch *match) {
  size_t from = 0;
  for (;;) {
    char word[8], head[LONGEST_HEAD + 1];
    uint32_t number;
    size_t length, left = text->length - from;
    uint64_t hash;
    snprintf(head, sizeof head, "%.*s", LONGEST_HEAD, text_string(text) + from);
    const char *end = strchr(head, '\n');
    if (!end || sscanf(head, "%7s %" SCNu32 " %zu %" SCNx64, word, &number,
                       &length, &hash) != 4)
      return from;
    size_t skip = (size_t)(end - head) + 1;
    const char *body = text->bytes + from + skip;
    if (left < skip + 1 || length > left - skip - 1 || body[length] != '\n' ||
        hash_bytes(body, length) != hash ||
        !take(match, from == 0, word, number, body, length))
      return from;
    from += skip + length + 1;
  }
}

static bool read_all(int file, Text *text) {
  char bytes[1 << 16];
  ssize_t got;
  while ((got = read(file, bytes, sizeof bytes)) > 0) {
    if (text->length > LARGEST) return false;
    text_add_bytes(text, bytes, (size_t)got);
  }
  return got == 0;
}

void journal_match_free(JournalMatch *match) {
  message_free(&match->start);
  text_vector_free(&match->history);
  text_free(&match->moves);
  text_free(&match->sent);
}

/* Opens and reads the rules. Rules are not empty in files of older versions,
   which have them in the START. */
static bool read_rules(Journal *journal, JournalMatch *match) {
  char name[40];
  Text text = {0};
  if (match->start.rules.length) return true;
  name_rules(journal, name);
  journal->rules = openat(journal->folder, name,
                          O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  bool fine = journal->rules >= 0 && read_all(journal->rules, &text) &&
              text.length && read_records(&text, match) == text.length;
  text_free(&text);
  return fine;
}

/* Returns false if there is no usable record; nothing to free then. The file is
   not touched unless its end is broken: its time says when the match was last
   heard of. */
static bool read_journal(Journal *journal, JournalMatch *match) {
  Text text = {0};
  *match = (JournalMatch){0};
  bool fine = read_all(journal->file, &text);
  journal->length = fine ? read_records(&text, match) : 0;
  bool broken = journal->length < text.length;
  text_free(&text);
  if (journal->length && match->start.id.length && read_rules(journal, match) &&
      (!broken || ftruncate(journal->file, (off_t)journal->length) == 0))
    return true;
  journal_match_free(match);
  return false;
}

static double age(int file) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  double seconds = difftime(time(NULL), status.st_mtime);
  return seconds > 0 ? seconds : 0;
}

static void restore_one(int folder, const char *name, bool ours,
                        JournalFound *found, void *context) {
  Journal journal = {.folder = folder, .rules = -1};
  JournalMatch match;
  snprintf(journal.name, sizeof journal.name, "%.39s", name);
  journal.file = openat(
      folder, name, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (journal.file < 0) return;
  double old = age(journal.file); /* before truncation changes it */
  if (flock(journal.file, LOCK_EX | LOCK_NB) != 0 || (!ours && old < too_old)) {
    journal_close(&journal);
  } else if (!ours || !read_journal(&journal, &match)) {
    journal_remove(&journal);
  } else {
    match.age = old;
    found(context, &journal, &match);
  }
}

/* Removes a file of rules whose journal is gone. */
static void remove_lone_rules(int folder, const char *name) {
  char other[40];
  size_t stem = strlen(name) - strlen(rules_end);
  snprintf(other, sizeof other, "%.*s%s", (int)stem, name, match_end);
  if (faccessat(folder, other, F_OK, 0) != 0 && errno == ENOENT)
    unlinkat(folder, name, 0);
}

/* Names made by journal_begin: port, '-', sixteen hex digits, `ending`. */
static bool is_name(const char *name, const char *ending, unsigned port,
                    bool *ours) {
  char *end;
  unsigned long number = strtoul(name, &end, 10);
  *ours = number == port;
  return end > name && *end == '-' &&
         strspn(end + 1, "0123456789abcdef") == 16 &&
         strcmp(end + 17, ending) == 0 && strlen(name) < 40;
}

void journal_restore(int folder, unsigned port, JournalFound *found,
                     void *context) {
  int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = copy < 0 ? NULL : fdopendir(copy);
  if (!list && copy >= 0) close(copy);
  for (struct dirent *each; list && (each = readdir(list));) {
    bool ours;
    if (is_name(each->d_name, match_end, port, &ours))
      restore_one(folder, each->d_name, ours, found, context);
    else if (is_name(each->d_name, rules_end, port, &ours))
      remove_lone_rules(folder, each->d_name);
  }
  if (list) closedir(list);
}
