#include "support/problem.h"

void problem_free(Problem *position) {
  vector_free(&position->moves);
  vector_free(&position->facts);
  vector_free(&position->right);
  vector_free(&position->agents);
}

/* ---- reading ---- */

static const char *position_word(const Terms *terms, const Form *form) {
  if (!form || form->kind != FORM_WORD) fail_msg("a word is missing");
  return symbol_text(&terms->symbols, form->symbol);
}

static uint64_t position_number(const Terms *terms, const Form *form) {
  return strtoull(position_word(terms, form), NULL, 10);
}

static void position_terms(Terms *terms, const Form *form, Report *report,
                           TermVector *list) {
  for (; form; form = form->next)
    vector_push(list, parse_term(terms, form, report));
}

/* One list of the file. */
static void position_entry(Problem *position, Terms *terms, const Form *form,
                           Report *report) {
  const char *name = position_word(terms, form);
  const Form *rest = form->next;
  if (strcmp(name, "game") == 0)
    position->game = position_word(terms, rest);
  else if (strcmp(name, "role") == 0)
    position->role = position_word(terms, rest);
  else if (strcmp(name, "moves") == 0)
    position_terms(terms, rest, report, &position->moves);
  else if (strcmp(name, "facts") == 0)
    position_terms(terms, rest, report, &position->facts);
  else if (strcmp(name, "right") == 0)
    position_terms(terms, rest, report, &position->right);
  else if (strcmp(name, "goal") == 0)
    position->goal = (int)position_number(terms, rest);
  else if (strcmp(name, "proof") == 0)
    position->proof = position_number(terms, rest);
  else if (strcmp(name, "agent") == 0)
    vector_push(&position->agents,
                ((ProblemAgent){position_word(terms, rest),
                                position_number(terms, rest->next)}));
  else
    fail_msg("%s is nothing that a position has", name);
}

void problem_read(Problem *position, const char *path, Terms *terms) {
  Text text = {0}, error = {0};
  if (!text_read_file(&text, path, 1 << 20, &error))
    fail_msg("%s: %s", path, text_string(&error));
  Source source;
  Report report;
  Arena arena = {0};
  source_init(&source, path, text.bytes, text.length);
  report_init(&report, &source);
  *position = (Problem){.goal = -1};
  for (Form *form = parse_text(terms, &arena, &source, &report); form;
       form = form->next) {
    if (form->kind != FORM_LIST) fail_msg("%s: lists only", path);
    position_entry(position, terms, form->first, &report);
  }
  report_write(&report, true, &error);
  if (error.length) fail_msg("%s", error.bytes);
  if (!position->game || !position->role || !position->right.count ||
      position->goal < 0)
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

void problem_enter(const Problem *position, Game *game) {
  const TermVector *list = &position->moves;
  game_reset(game);
  if (position->facts.count &&
      !game_enter_facts(game, position->facts.data, position->facts.count))
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
