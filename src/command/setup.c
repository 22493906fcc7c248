/* Facts and moves are written in GDL; a fact may be inside (true …). Moves may
   also be written as people do, with commas, or with blanks if each is one
   word: only those of roles that have a choice, in the order of the roles; in
   games for one, all of them. */
#include "command/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "about/spell.h"
#include "command/menu.h"
#include "gdl/parse.h"

enum { FORCED_MOST = 10000 }; /* steps in a row without a choice */

/* A text read as ground terms, each with its place. */
typedef struct Reading {
  Source source;
  Report report;
  Arena arena;
  TermVector list;
  NumberVector offsets;
} Reading;

static void begin(Reading *reading, const char *name, const char *text,
                  size_t length) {
  *reading = (Reading){0};
  source_init(&reading->source, name, text, length);
  report_init(&reading->report, &reading->source);
}

static void read_terms(Reading *reading, Terms *terms, const char *name,
                       const char *text, size_t length) {
  begin(reading, name, text, length);
  const Form *form =
      parse_text(terms, &reading->arena, &reading->source, &reading->report);
  for (; form; form = form->next) {
    Term term = parse_term(terms, form, &reading->report);
    if (!term) continue;
    if (!term_is_ground(terms, term))
      report_error(&reading->report, form->offset, "syntax",
                   "there are no variables here");
    vector_push(&reading->list, term);
    vector_push(&reading->offsets, form->offset);
  }
}

static void print_errors(Reading *reading) {
  Text text = {0};
  report_write(&reading->report, true, &text);
  fputs(text_string(&text), stderr);
  text_free(&text);
}

/* Returns true if there were no errors. */
static bool forget(Reading *reading) {
  bool fine = reading->report.errors == 0;
  vector_free(&reading->list);
  vector_free(&reading->offsets);
  report_free(&reading->report);
  source_free(&reading->source);
  arena_free(&reading->arena);
  return fine;
}

/* The same after printing the errors. */
static bool finish(Reading *reading) {
  if (reading->report.errors) print_errors(reading);
  return forget(reading);
}

/* ---- moves ---- */

static void read_moves(Reading *reading, Description *description,
                       const char *moves) {
  uint32_t roles = description->rules.roles.count;
  read_terms(reading, &description->rules.terms, "--moves", moves,
             strlen(moves));
  if (!reading->report.errors && reading->list.count % roles)
    report_error(&reading->report, 0, "syntax", "%u moves for %u roles",
                 reading->list.count, roles);
}

bool setup_read_moves(Description *description, const char *moves,
                      TermVector *script) {
  Reading reading;
  read_moves(&reading, description, moves);
  for (uint32_t i = 0; i < reading.list.count; i++)
    vector_push(script, reading.list.data[i]);
  return finish(&reading);
}

static void report_illegal(Reading *reading, const Game *game, uint32_t at) {
  Text role = {0}, move = {0};
  moves_write_role(game, at % game->role_count, &role);
  term_write(game_terms(game), reading->list.data[at], &move);
  report_error(&reading->report, reading->offsets.data[at], "illegal",
               "%s is not a legal move of %s after %u step%s", move.bytes,
               role.bytes, at / game->role_count,
               at / game->role_count == 1 ? "" : "s");
  text_free(&role);
  text_free(&move);
}

/* Makes one joint move, the one that begins at this place of the list. Returns
   false if it cannot be made. */
static bool make(Reading *reading, Game *game, uint32_t at) {
  Move joint[RULE_ROLES];
  if (game_terminal(game)) {
    report_error(&reading->report, reading->offsets.data[at], "illegal",
                 "the game is over after %u step%s", at / game->role_count,
                 at / game->role_count == 1 ? "" : "s");
    return false;
  }
  for (uint32_t role = 0; role < game->role_count; role++)
    if (!moves_find_term(game, role, reading->list.data[at + role],
                         &joint[role]) &&
        !game_failed(game))
      report_illegal(reading, game, at + role);
  if (reading->report.errors || game_failed(game)) return false;
  game_make(game, joint);
  return !game_failed(game);
}

/* Makes the moves up to the first that is wrong; returns how many steps. */
static uint32_t make_all(Reading *reading, Game *game) {
  uint32_t at = 0;
  while (at < reading->list.count && !reading->report.errors &&
         make(reading, game, at))
    at += game->role_count;
  return at / game->role_count;
}

/* ---- moves as people write them ---- */

static const char blanks[] = " \t\r\n";

/* What is left of the text. */
typedef struct Said {
  Reading reading;
  const char *next; /* NULL: nothing */
  const char *ends; /* what a move ends with: a comma, or a blank */
  uint32_t steps;
} Said;

/* Cuts off the next move; returns where it begins. */
static uint32_t take_part(Said *said, Text *part) {
  const char *start = said->next + strspn(said->next, blanks);
  size_t length = strcspn(start, said->ends);
  text_clear(part);
  text_add_bytes(part, start, length);
  said->next = start[length] ? start + length + 1 : NULL;
  if (said->next && !said->next[strspn(said->next, blanks)]) said->next = NULL;
  return (uint32_t)(start - said->reading.source.text);
}

static void choose(Said *said, Game *game, uint32_t role, Move *move) {
  Text part = {0}, name = {0};
  Menu menu;
  SpellFound found;
  uint32_t offset = take_part(said, &part);
  menu_init(&menu, game, role);
  moves_write_role(game, role, &name);
  spell_find(text_string(&part), menu.texts, menu.count, &found);
  if (found.moves.count == 1)
    *move = menu.moves.data[found.moves.data[0]];
  else if (found.moves.count)
    report_error(&said->reading.report, offset, "illegal",
                 "'%s' may be one of %u moves of %s%s", part.bytes,
                 found.moves.count, name.bytes,
                 *said->ends == ','
                     ? ""
                     : "; moves of several words need a comma between them");
  else
    report_error(&said->reading.report, offset, "illegal",
                 "'%s' is not a legal move of %s after %u step%s",
                 text_string(&part), name.bytes, said->steps,
                 said->steps == 1 ? "" : "s");
  vector_free(&found.moves);
  menu_free(&menu);
  text_free(&part);
  text_free(&name);
}

/* Makes a joint move. Roles that have one legal move only do not say it, except
   in games for one. */
static void make_said(Said *said, Game *game) {
  Report *report = &said->reading.report;
  uint32_t offset = (uint32_t)(said->next - said->reading.source.text);
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < game->role_count && !report->errors; role++) {
    const Move *legal;
    uint32_t count = game_legal(game, role, &legal);
    bool silent = count == 1 && game->role_count > 1;
    if (silent)
      joint[role] = legal[0];
    else if (count && said->next)
      choose(said, game, role, &joint[role]);
    else if (!game_failed(game))
      report_error(report, offset, "illegal",
                   count ? "several roles move at once: a move is missing"
                         : "a role has no legal move");
  }
  if (report->errors || game_failed(game)) return;
  game_make(game, joint);
  said->steps++;
}

static bool enter_said(const char *moves, const char *ends, Game *game) {
  Said said = {.next = moves, .ends = ends};
  Report *report = &said.reading.report;
  uint32_t forced = 0;
  begin(&said.reading, "--moves", moves, strlen(moves));
  while (said.next && !report->errors && !game_failed(game)) {
    const char *before = said.next;
    if (game_terminal(game) || forced > FORCED_MOST)
      report_error(report, (uint32_t)(before - moves), "illegal",
                   game_terminal(game) ? "the game is over after %u step%s"
                                       : "nobody has a choice after %u step%s",
                   said.steps, said.steps == 1 ? "" : "s");
    else
      make_said(&said, game);
    forced = said.next == before ? forced + 1 : 0;
  }
  return finish(&said.reading);
}

static bool enter_moves(const char *moves, Game *game) {
  Reading reading;
  if (strchr(moves, ',')) return enter_said(moves, ",", game);
  read_moves(&reading, game->description, moves);
  uint32_t steps = reading.report.errors ? 0 : make_all(&reading, game);
  if (strchr(moves, '(')) return finish(&reading);
  if (forget(&reading) || game_failed(game)) return true;
  while (steps--) game_retract(game);
  return enter_said(moves, blanks, game);
}

/* ---- facts ---- */

static int compare_terms(const void *left, const void *right) {
  Term a = *(const Term *)left, b = *(const Term *)right;
  return (a > b) - (a < b);
}

static void remove_repetitions(TermVector *facts) {
  uint32_t kept = 0;
  if (!facts->count) return;
  qsort(facts->data, facts->count, sizeof *facts->data, compare_terms);
  for (uint32_t i = 0; i < facts->count; i++)
    if (!kept || facts->data[kept - 1] != facts->data[i])
      facts->data[kept++] = facts->data[i];
  facts->count = kept;
}

/* Reports the facts that are in no state of the game. */
static void report_unknown(Reading *reading, Game *game) {
  uint32_t count = reading->list.count;
  for (uint32_t i = 0; i < count && reading->report.errors < REPORT_LIMIT;
       i++) {
    Text fact = {0};
    if (game_enter_facts(game, &reading->list.data[i], 1)) continue;
    term_write(game_terms(game), reading->list.data[i], &fact);
    report_error(&reading->report, reading->offsets.data[i], "state",
                 "no state of the game has the fact %s", fact.bytes);
    text_free(&fact);
  }
  if (!reading->report.errors)
    report_error(&reading->report, 0, "state",
                 "these facts are no state of the game");
}

static void enter_facts(Reading *reading, Game *game) {
  Terms *terms = &game->description->rules.terms;
  TermVector facts = {0};
  for (uint32_t i = 0; i < reading->list.count; i++) {
    Term *term = &reading->list.data[i];
    if (term_symbol(terms, *term) == SYMBOL_TRUE &&
        term_arity(terms, *term) == 1)
      *term = term_argument(terms, *term, 0);
    vector_push(&facts, *term);
  }
  remove_repetitions(&facts);
  if (!game_enter_facts(game, facts.data, facts.count))
    report_unknown(reading, game);
  vector_free(&facts);
}

static void check_moves(Reading *reading, Game *game) {
  if (game_terminal(game)) return;
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    Text name = {0};
    if (game_legal(game, role, &moves) || game_failed(game)) continue;
    moves_write_role(game, role, &name);
    report_error(&reading->report, 0, "state",
                 "%s has no legal move in this state, which is not terminal; "
                 "is a fact missing?",
                 name.bytes);
    text_free(&name);
  }
}

static bool enter_state(const Options *options, Game *game) {
  const char *path = options->state;
  Text text = {0}, error = {0};
  Reading reading;
  bool fine =
      text_read_file(&text, path, (size_t)options->file_size << 20, &error);
  if (fine) {
    read_terms(&reading, &game->description->rules.terms,
               strcmp(path, "-") == 0 ? "standard input" : path,
               text_string(&text), text.length);
    if (!reading.report.errors) enter_facts(&reading, game);
    if (!reading.report.errors) check_moves(&reading, game);
    fine = finish(&reading);
  } else {
    log_error("%s: %s", path, error.bytes);
  }
  text_free(&text);
  text_free(&error);
  return fine;
}

bool setup_enter(const Options *options, Game *game) {
  if (*options->state && !enter_state(options, game)) return false;
  if (*options->moves && !enter_moves(options->moves, game)) return false;
  return !game_failed(game);
}
