/* Turns command-line options into those of a referee, and makes a new record
   for each match. A match id is the game's name, the time and a random part;
   files in directories are named after it alone. */
#include "command/refereed.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command/command.h"

static const double start_clock = 10; /* of HTTP players, by default */

bool refereed_wanted(const Options *options, const AgentSpecs *players) {
  return *options->record || *options->xml || *options->resume ||
         party_has_remote(players) || party_has_person(players);
}

static bool is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), last = strlen(ending);
  return length >= last && strcmp(path + length - last, ending) == 0;
}

static bool make_directory(const char *path) {
  if (!*path || is_directory(path) || mkdir(path, 0777) == 0) return true;
  log_error("%s: %s", path, strerror(errno));
  return false;
}

/* A name that ends like a file's is hardly meant to be a directory. */
static bool check_path(const char *option, const char *path, const char *ending,
                       uint32_t games) {
  bool file = access(path, F_OK) == 0 && !is_directory(path);
  if (!*path || games == 1 || (!file && !ends_in(path, ending))) return true;
  Text count = {0};
  if (games)
    text_format(&count, "%u", games);
  else
    text_add(&count, "several");
  int stem =
      (int)strlen(path) - (ends_in(path, ending) ? (int)strlen(ending) : 0);
  log_error("--%s %s: %s games need a directory, with a file for each; type "
            "--%s %.*s%s, which is made if it does not exist",
            option, path, count.bytes, option, stem, path,
            ends_in(path, ending) ? "" : ".d");
  text_free(&count);
  return false;
}

bool refereed_check(const Options *options, uint32_t games) {
  return check_path("record", options->record, ".json", games) &&
         check_path("xml", options->xml, ".xml", games);
}

/* One game has a file, or a directory if that exists or ends in a slash. */
static bool in_directory(const Refereed *refereed, const char *path) {
  return refereed->several || ends_in(path, "/") || is_directory(path);
}

bool refereed_init(Refereed *refereed, const Options *options,
                   const AgentSpecs *players, const MatchOptions *match,
                   uint32_t games) {
  bool remote = party_has_remote(players);
  RefereeOptions referee = {
      .match = *match,
      .party = {.clocks = {.preview = options->preview,
                           .start = match->start.seconds,
                           .play = match->play.seconds,
                           .grace = options->grace},
                .scramble = options->scramble && remote,
                .ponder = options->ponder,
                .limits = open_limits(options),
                .ground = strcmp(options->engine, "rules") != 0}};
  *refereed = (Refereed){.options = options,
                         .several = games != 1,
                         .people = party_has_person(players)};
  if (remote) {
    RemoteClocks *clocks = &referee.party.clocks;
    clocks->start = options->start > 0 ? options->start : start_clock;
    clocks->play = options->play > 0 ? options->play : 1;
    referee.match.start = (Budget){.seconds = clocks->start};
  }
  refereed->referee = referee;
  return (!in_directory(refereed, options->record) ||
          make_directory(options->record)) &&
         (!in_directory(refereed, options->xml) ||
          make_directory(options->xml));
}

const char *refereed_file(const Refereed *refereed) {
  const Options *options = refereed->options;
  if (refereed->resumed) return text_string(&refereed->resumed->path);
  bool file =
      options && *options->record && !in_directory(refereed, options->record);
  return file ? options->record : NULL;
}

/* Writes an id of letters, digits and dots:
   "tafl.connectFour.1762000000000.k3xq". */
static void write_id(const ContestTable *table, Text *id) {
  const char *path = table->contest->description->source.name;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  struct timespec now;
  unsigned char bytes[4] = {0};
  text_add(id, "tafl.");
  for (size_t i = 0; name[i] && name[i] != '.' && i < 32; i++)
    if (isalnum((unsigned char)name[i]) && (unsigned char)name[i] < 128)
      text_add_byte(id, name[i]);
  clock_gettime(CLOCK_REALTIME, &now);
  text_format(id, ".%lld.",
              (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
  if (getrandom(bytes, sizeof bytes, 0) < 0) bytes[0] = 0;
  for (size_t i = 0; i < sizeof bytes; i++)
    text_add_byte(id, "abcdefghijklmnopqrstuvwxyz012345"[bytes[i] % 32]);
}

static void write_path(const Refereed *refereed, const char *path,
                       const char *id, const char *ending, Text *text) {
  if (!*path) return;
  text_add(text, path);
  if (in_directory(refereed, path))
    text_format(text, "%s%s%s", ends_in(path, "/") ? "" : "/", id, ending);
}

void refereed_open(const Refereed *refereed, const ContestTable *table,
                   Record *record) {
  const RefereeOptions *referee = &refereed->referee;
  Text id = {0};
  write_id(table, &id);
  RecordStart start = {.id = id.bytes,
                       .game = table->contest->description->source.name,
                       .description = table->contest->description,
                       .players = table->players,
                       .clocks = referee->party.clocks,
                       .match = referee->match,
                       .scramble = referee->party.scramble,
                       .seed = table->seed};
  record_init(record, &start);
  write_path(refereed, refereed->options->record, id.bytes, ".json",
             &record->path);
  write_path(refereed, refereed->options->xml, id.bytes, ".xml", &record->xml);
  text_free(&id);
}

void refereed_close(Refereed *refereed, Record *record) {
  if (record->error.length) atomic_store(&refereed->lost, true);
  record_free(record);
}

/* ---- matches ---- */

/* Prints a step:
   "game 1, step 3: x (mark 1 1) 0.93 s, o noop 0.01 s TO". */
static void print_step(const ContestTable *table, uint32_t step,
                       const RecordTurn *turns) {
  const Rules *rules = &table->contest->description->rules;
  Text text = {0};
  text_format(&text, "game %u, step %u:", table->number + 1, step);
  for (uint32_t role = 0; role < rules->roles.count; role++) {
    text_add(&text, role ? ", " : " ");
    term_write(&rules->terms, rules->roles.data[role], &text);
    text_format(&text, " %s %.2f s", text_string(&turns[role].move),
                turns[role].seconds);
    if (turns[role].error.length)
      text_format(&text, " %s", turns[role].error.bytes);
  }
  log_progress_end();
  puts(text.bytes);
  fflush(stdout);
  text_free(&text);
}

void refereed_step(const Refereed *refereed, const ContestTable *table,
                   uint32_t step, const RecordTurn *turns) {
  const Options *options = refereed->options;
  if (options->verbose && !options->json)
    print_step(table, step, turns);
  else
    log_progress("game %u, step %u", table->number + 1, step);
}

typedef struct Watched {
  const Refereed *refereed;
  const ContestTable *table;
} Watched;

static void show_step(void *context, uint32_t step, const RecordTurn *turns) {
  const Watched *watched = context;
  refereed_step(watched->refereed, watched->table, step, turns);
}

static void show_repeated(void *context, uint32_t step, uint32_t steps) {
  const ContestTable *table = ((const Watched *)context)->table;
  log_progress("game %u: telling the players again, step %u of %u",
               table->number + 1, step, steps);
}

static void seat_people(Refereed *refereed, const ContestTable *table,
                        PartyOptions *party) {
  Terminal *terminal = &refereed->terminal;
  terminal_open(terminal, table->book, refereed->stop, NULL);
  terminal->final = "Moves of a match cannot be taken back.";
  person_seat(terminal, party);
}

void refereed_play(Refereed *refereed, const ContestTable *table,
                   MatchResult *result) {
  Record own, *record = refereed->resumed;
  RefereeOptions referee = refereed->referee;
  Watched watched = {refereed, table};
  referee.context = &watched;
  referee.stepped = show_step;
  referee.repeated = show_repeated;
  if (!record) {
    refereed_open(refereed, table, &own);
    record = &own;
  }
  if (refereed->people) seat_people(refereed, table, &referee.party);
  RefereeMatch match = {
      .book = table->book, .players = table->players, .record = record};
  referee_play(&match, &referee, result);
  if (refereed->people) terminal_close(&refereed->terminal);
  if (record == &own)
    refereed_close(refereed, record);
  else if (record->error.length)
    atomic_store(&refereed->lost, true);
}
