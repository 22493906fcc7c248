/* Positions: a game on an engine of its own. Each function of the header is a
   struct of arguments and a body that runs in the position's scope. */
#include "library/position.h"

#include <string.h>

#include "library/facts.h"

/* ---- calls ---- */

typedef struct Call {
  tafl_position *position;
  tafl_status status; /* of the body */
  uint32_t role, count;
  const uint32_t *numbers;
  const char *const *texts;
  const tafl_position *from;
  int *goals;
  int terminal;
  uint64_t hash;
} Call;

/* The engine's failure ends the position. */
static tafl_status call(tafl_position *position, TrialWork *body, Call *own) {
  own->position = position;
  tafl_status status = object_call(&position->object, body, own);
  if (status) return status;
  if (game_failed(position->engine))
    return object_end(&position->object, TAFL_ERROR_LIMIT,
                      text_string(&position->engine->error));
  return own->status;
}

static void forget_legal(tafl_position *position) {
  memset(position->legal_known, 0, position->roles);
}

static const MoveVector *find_legal(tafl_position *position, uint32_t role) {
  MoveVector *legal = &position->legal[role];
  if (!position->legal_known[role]) {
    vector_clear(legal);
    moves_sorted(position->engine, role, legal);
    position->legal_known[role] = true;
  }
  return legal;
}

/* ---- going to a state ---- */

void root_copy(Root *copy, const Root *root) {
  copy->entered = root->entered;
  answer_clear(&copy->facts);
  if (!root->entered) return;
  text_add_bytes(&copy->facts.bytes, root->facts.bytes.bytes,
                 root->facts.bytes.length);
  for (uint32_t i = 0; i < root->facts.starts.count; i++)
    vector_push(&copy->facts.starts, root->facts.starts.data[i]);
  answer_finish(&copy->facts);
}

bool root_same(const Root *a, const Root *b) {
  if (a->entered != b->entered) return false;
  if (!a->entered) return true;
  const Text *x = &a->facts.bytes, *y = &b->facts.bytes;
  return x->length == y->length &&
         (!x->length || memcmp(x->bytes, y->bytes, x->length) == 0);
}

static void write_facts(tafl_position *position, Answer *answer) {
  const Term *facts;
  const Terms *terms = game_terms(position->engine);
  uint32_t count = game_facts(position->engine, &facts);
  TermVector sorted = {0};
  vector_resize(&sorted, count);
  if (count) memcpy(sorted.data, facts, count * sizeof *facts);
  if (count) term_sort(terms, sorted.data, count);
  answer_clear(answer);
  for (uint32_t i = 0; i < count; i++) {
    answer_begin(answer);
    term_write(terms, sorted.data[i], &answer->bytes);
    answer_end(answer);
  }
  answer_finish(answer);
  vector_free(&sorted);
}

/* Returns the index of the first text that is not a fact, `count` if all are,
   more if together they are not a state. */
static uint32_t enter_facts(tafl_position *position, const char *const *facts,
                            uint32_t count) {
  TermVector terms = {0};
  uint32_t good = facts_find(position->play.book, facts, count, &terms);
  if (good == count &&
      !game_enter_facts(position->engine, terms.data, terms.count))
    good++;
  vector_free(&terms);
  return good;
}

static void go_to_root(tafl_position *position) {
  if (position->root.entered)
    enter_facts(position, position->root.facts.list.data,
                position->root.facts.starts.count);
  else
    game_reset(position->engine);
  position->way = 0;
  forget_legal(position);
}

/* ---- new positions ---- */

static void begin(void *context) {
  tafl_position *position = ((Call *)context)->position;
  play_init(&position->play, position->game);
  position->engine = book_game(position->play.book);
  position->roles = position->engine->role_count;
  position->legal = memory_new(position->roles * sizeof *position->legal);
  position->legal_known = memory_new(position->roles);
}

/* The engine of a net enters the words of the state, another one its facts. */
static void begin_copy(void *context) {
  Call *own = context;
  tafl_position *position = own->position;
  const tafl_position *from = own->from;
  begin(context);
  root_copy(&position->root, &from->root);
  for (uint32_t i = 0; i < from->moves.count; i++)
    vector_push(&position->moves, from->moves.data[i]);
  if (position->play.book->has_net) {
    const uint64_t *words;
    uint32_t count = game_state(from->engine, &words);
    game_enter(position->engine, words, count);
  } else {
    enter_facts(position, own->texts, own->count);
  }
}

static tafl_status make_position(tafl_game *game, TrialWork *body, Call *own,
                                 tafl_position **made) {
  tafl_position *position = object_new(sizeof *position, game->options.memory);
  if (!position) return TAFL_ERROR_MEMORY;
  position->game = game;
  game_hold(game);
  tafl_status status = call(position, body, own);
  if (status)
    tafl_position_close(position);
  else
    *made = position;
  return status;
}

tafl_status tafl_position_new(tafl_game *game, tafl_position **position) {
  if (!game || !position)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a game and a place for the position are needed");
  return make_position(game, begin, &(Call){0}, position);
}

tafl_status tafl_position_copy(tafl_position *position, tafl_position **copy) {
  if (!position || !copy)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a position and a place for its copy are needed");
  Call own = {.from = position};
  tafl_status status = tafl_position_facts(position, &own.texts, &own.count);
  return status ? status
                : make_position(position->game, begin_copy, &own, copy);
}

void tafl_position_close(tafl_position *position) {
  if (!position) return;
  tafl_game *game = position->game;
  object_delete(&position->object);
  tafl_game_close(game);
}

static void reset(void *context) {
  tafl_position *position = ((Call *)context)->position;
  position->root.entered = false;
  vector_clear(&position->moves);
  go_to_root(position);
}

tafl_status tafl_position_reset(tafl_position *position) {
  if (!position)
    return object_fail(TAFL_ERROR_ARGUMENT, "a position is needed");
  return call(position, reset, &(Call){0});
}

static void enter(void *context) {
  Call *own = context;
  tafl_position *position = own->position;
  uint32_t good = enter_facts(position, own->texts, own->count);
  if (good != own->count) {
    own->status =
        good < own->count
            ? object_fail(TAFL_ERROR_STATE, "%.200s is not a fact of the game",
                          own->texts[good] ? own->texts[good] : "NULL")
            : object_fail(TAFL_ERROR_STATE, "the facts are not a state");
    return;
  }
  vector_clear(&position->moves);
  position->way = 0;
  forget_legal(position);
  position->root.entered = true;
  write_facts(position, &position->root.facts);
}

tafl_status tafl_position_enter(tafl_position *position,
                                const char *const *facts, uint32_t count) {
  if (!position || (count && !facts))
    return object_fail(TAFL_ERROR_ARGUMENT, "a position and facts are needed");
  return call(position, enter, &(Call){.texts = facts, .count = count});
}

/* ---- moves ---- */

static void list_legal(void *context) {
  Call *own = context;
  tafl_position *position = own->position;
  const MoveVector *legal = find_legal(position, own->role);
  Answer *answer = &position->answer;
  answer_clear(answer);
  for (uint32_t i = 0; i < legal->count; i++) {
    answer_begin(answer);
    moves_write(position->engine, own->role, legal->data[i], &answer->bytes);
    answer_end(answer);
  }
  answer_finish(answer);
}

tafl_status tafl_position_legal(tafl_position *position, uint32_t role,
                                const char *const **moves, uint32_t *count) {
  if (!position || !moves || !count || role >= position->game->roles.count)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a position, a role and places for the moves are "
                       "needed");
  tafl_status status = call(position, list_legal, &(Call){.role = role});
  if (status) return status;
  *moves = position->answer.list.data;
  *count = position->answer.starts.count;
  return TAFL_OK;
}

static void check_moves(void *context) {
  Call *own = context;
  tafl_position *position = own->position;
  if (game_terminal(position->engine)) {
    own->status = object_fail(TAFL_ERROR_STATE, "the game is over");
    return;
  }
  for (uint32_t role = 0; role < position->roles; role++)
    if (!find_legal(position, role)->count) {
      own->status = object_fail(TAFL_ERROR_STATE, "%s has no legal move",
                                tafl_game_role(position->game, role));
      return;
    }
}

tafl_status position_check_moves(tafl_position *position) {
  return call(position, check_moves, &(Call){0});
}

/* Enters the successor by moves that are legal here. */
static void advance(tafl_position *position, const uint32_t *numbers) {
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < position->roles; role++) {
    const MoveVector *legal = find_legal(position, role);
    if (numbers[role] >= legal->count) return; /* the engine has failed */
    joint[role] = legal->data[numbers[role]];
  }
  game_make(position->engine, joint);
  position->way++;
  forget_legal(position);
}

static void make_numbers(void *context) {
  Call *own = context;
  tafl_position *position = own->position;
  for (uint32_t role = 0; role < position->roles; role++)
    if (own->numbers[role] >= find_legal(position, role)->count) {
      own->status = object_fail(
          TAFL_ERROR_MOVE, "%s has %u legal moves, not a move number %u",
          tafl_game_role(position->game, role),
          find_legal(position, role)->count, own->numbers[role]);
      return;
    }
  for (uint32_t role = 0; role < position->roles; role++)
    vector_push(&position->moves, own->numbers[role]);
  advance(position, own->numbers);
}

static bool is_move(tafl_position *position, uint32_t role, uint32_t number,
                    const char *text, Text *scratch) {
  text_clear(scratch);
  moves_write(position->engine, role, find_legal(position, role)->data[number],
              scratch);
  return strcmp(text_string(scratch), text) == 0;
}

/* The number of the legal move that is spelled like this. */
static bool find_number(tafl_position *position, uint32_t role,
                        const char *text, uint32_t *number) {
  Text scratch = {0}, normal = {0};
  bool found = false;
  if (text && facts_normal(text, &normal))
    for (*number = 0; *number < find_legal(position, role)->count; ++*number) {
      found = is_move(position, role, *number, text_string(&normal), &scratch);
      if (found) break;
    }
  text_free(&scratch);
  text_free(&normal);
  return found;
}

static void make_texts(void *context) {
  Call *own = context;
  tafl_position *position = own->position;
  uint32_t numbers[RULE_ROLES];
  for (uint32_t role = 0; role < position->roles; role++)
    if (!find_number(position, role, own->texts[role], &numbers[role])) {
      own->status =
          object_fail(TAFL_ERROR_MOVE, "%.200s is not a legal move of %s",
                      own->texts[role] ? own->texts[role] : "NULL",
                      tafl_game_role(position->game, role));
      return;
    }
  own->numbers = numbers;
  make_numbers(own);
}

tafl_status tafl_position_make(tafl_position *position, const uint32_t *joint) {
  if (!position || !joint)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a position and a move for each role are needed");
  tafl_status status = position_check_moves(position);
  return status ? status
                : call(position, make_numbers, &(Call){.numbers = joint});
}

tafl_status tafl_position_make_texts(tafl_position *position,
                                     const char *const *joint) {
  if (!position || !joint)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a position and a move for each role are needed");
  tafl_status status = position_check_moves(position);
  return status ? status : call(position, make_texts, &(Call){.texts = joint});
}

/* A copy's engine does not know the way to its state; the moves are made again
   from the root then. */
static void undo(void *context) {
  tafl_position *position = ((Call *)context)->position;
  position->moves.count -= position->roles;
  if (position->way) {
    game_retract(position->engine);
    position->way--;
    forget_legal(position);
    return;
  }
  go_to_root(position);
  for (uint32_t i = 0; i < position->moves.count; i += position->roles)
    advance(position, position->moves.data + i);
}

tafl_status tafl_position_undo(tafl_position *position) {
  if (!position)
    return object_fail(TAFL_ERROR_ARGUMENT, "a position is needed");
  if (!position->object.status && !position->moves.count)
    return object_fail(TAFL_ERROR_STATE, "there is no move to undo");
  return call(position, undo, &(Call){0});
}

uint32_t tafl_position_steps(const tafl_position *position) {
  return position->object.status ? 0 : position->moves.count / position->roles;
}

/* ---- questions ---- */

static void ask_terminal(void *context) {
  Call *own = context;
  own->terminal = game_terminal(own->position->engine);
}

tafl_status tafl_position_terminal(tafl_position *position, int *terminal) {
  if (!position || !terminal)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a position and a place for the answer are needed");
  Call own = {0};
  tafl_status status = call(position, ask_terminal, &own);
  if (!status) *terminal = own.terminal;
  return status;
}

static void ask_goals(void *context) {
  Call *own = context;
  for (uint32_t role = 0; role < own->position->roles; role++)
    own->goals[role] = game_goal(own->position->engine, role);
}

tafl_status tafl_position_goals(tafl_position *position, int *goals) {
  if (!position || !goals)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a position and a place for the goals are needed");
  return call(position, ask_goals, &(Call){.goals = goals});
}

static void ask_facts(void *context) {
  tafl_position *position = ((Call *)context)->position;
  write_facts(position, &position->answer);
}

tafl_status tafl_position_facts(tafl_position *position,
                                const char *const **facts, uint32_t *count) {
  if (!position || !facts || !count)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a position and places for the facts are needed");
  tafl_status status = call(position, ask_facts, &(Call){0});
  if (status) return status;
  *facts = position->answer.list.data;
  *count = position->answer.starts.count;
  return TAFL_OK;
}

static void ask_hash(void *context) {
  Call *own = context;
  own->hash = game_state_hash(own->position->engine);
}

tafl_status tafl_position_hash(tafl_position *position, uint64_t *hash) {
  if (!position || !hash)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a position and a place for the hash are needed");
  Call own = {0};
  tafl_status status = call(position, ask_hash, &own);
  if (!status) *hash = own.hash;
  return status;
}
