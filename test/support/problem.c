#include "support/problem.h"

void problem_free(Problem *problem) {
  vector_free(&problem->moves);
  vector_free(&problem->facts);
  vector_free(&problem->right);
  vector_free(&problem->agents);
}

/* ---- reading ---- */

static const char *read_word(const Terms *terms, const Form *form) {
  if (!form || form->kind != FORM_WORD) fail_msg("a word is missing");
  return symbol_text(&terms->symbols, form->symbol);
}

static uint64_t read_number(const Terms *terms, const Form *form) {
  return strtoull(read_word(terms, form), NULL, 10);
}

static void read_terms(Terms *terms, const Form *form, Report *report,
                       TermVector *list) {
  for (; form; form = form->next)
    vector_push(list, parse_term(terms, form, report));
}

/* Reads one list of the file. */
static void read_entry(Problem *problem, Terms *terms, const Form *form,
                       Report *report) {
  const char *name = read_word(terms, form);
  const Form *rest = form->next;
  if (strcmp(name, "game") == 0)
    problem->game = read_word(terms, rest);
  else if (strcmp(name, "role") == 0)
    problem->role = read_word(terms, rest);
  else if (strcmp(name, "moves") == 0)
    read_terms(terms, rest, report, &problem->moves);
  else if (strcmp(name, "facts") == 0)
    read_terms(terms, rest, report, &problem->facts);
  else if (strcmp(name, "right") == 0)
    read_terms(terms, rest, report, &problem->right);
  else if (strcmp(name, "goal") == 0)
    problem->goal = (int)read_number(terms, rest);
  else if (strcmp(name, "proof") == 0)
    problem->proof = read_number(terms, rest);
  else if (strcmp(name, "agent") == 0)
    vector_push(&problem->agents,
                ((ProblemAgent){read_word(terms, rest),
                                read_number(terms, rest->next)}));
  else
    fail_msg("%s is not an entry of problems", name);
}

void problem_read(Problem *problem, const char *path, Terms *terms) {
  Text text = {0}, error = {0};
  if (!text_read_file(&text, path, 1 << 20, &error))
    fail_msg("%s: %s", path, text_string(&error));
  Source source;
  Report report;
  Arena arena = {0};
  source_init(&source, path, text.bytes, text.length);
  report_init(&report, &source);
  *problem = (Problem){.goal = -1};
  for (Form *form = parse_text(terms, &arena, &source, &report); form;
       form = form->next) {
    if (form->kind != FORM_LIST) fail_msg("%s: lists only", path);
    read_entry(problem, terms, form->first, &report);
  }
  report_write(&report, true, &error);
  if (error.length) fail_msg("%s", error.bytes);
  if (!problem->game || !problem->role || !problem->right.count ||
      problem->goal < 0)
    fail_msg("%s: game, role, right or goal is missing", path);
  arena_free(&arena);
  report_free(&report);
  source_free(&source);
  text_free(&text);
  text_free(&error);
}

/* ---- entering ---- */

uint32_t problem_role(const Game *game, const char *name) {
  for (uint32_t role = 0; role < game->role_count; role++)
    if (strcmp(
            symbol_text(&game_terms(game)->symbols,
                        term_symbol(game_terms(game), game_role(game, role))),
            name) == 0)
      return role;
  fail_msg("%s is no role", name);
  return 0;
}

void problem_enter(const Problem *problem, Game *game) {
  const TermVector *list = &problem->moves;
  game_reset(game);
  if (problem->facts.count &&
      !game_enter_facts(game, problem->facts.data, problem->facts.count))
    fail_msg("no state of the game has these facts");
  for (uint32_t next = 0; next < list->count && !game_terminal(game);) {
    Move joint[RULE_ROLES];
    for (uint32_t role = 0; role < game->role_count; role++) {
      const Move *moves;
      uint32_t count = game_legal(game, role, &moves), i = 0;
      if (count > 1) {
        if (next == list->count) fail_msg("a move is missing");
        while (i < count &&
               game_move_term(game, role, moves[i]) != list->data[next])
          i++;
        if (i == count) fail_msg("move %u is not legal", next + 1);
        next++;
      }
      joint[role] = moves[i];
    }
    game_make(game, joint);
  }
  if (game_terminal(game)) fail_msg("the game is over there");
}
