/* A role waits in a step if it has one legal move and another role has several,
   or the move is a plain word such as noop and others do not wait: such moves
   are not worth mentioning. */
#include "command/story.h"

#include "about/spell.h"
#include "command/wrap.h"

void story_init(Story *story, Book *book) {
  *story = (Story){.book = book, .game = book_game(book)};
}

static void free_step(Story *story) {
  StoryStep *step = &vector_last(&story->steps);
  text_free(&step->why);
  memory_delete(step->turns);
  story->steps.count--;
}

void story_free(Story *story) {
  while (story->steps.count) free_step(story);
  game_delete(story->game);
  vector_free(&story->moves);
  vector_free(&story->idle);
  vector_free(&story->steps);
}

const Move *story_moves(const Story *story, uint32_t step) {
  return story->moves.data + step * story->game->role_count;
}

bool story_idle(const Story *story, uint32_t step, uint32_t role) {
  return story->idle.data[step * story->game->role_count + role];
}

/* ---- there and back ---- */

static bool is_word(const Game *game, uint32_t role, Move move) {
  return !term_arity(game_terms(game), game_move_term(game, role, move));
}

bool story_open(Game *game) {
  const Move *moves;
  bool open = false;
  for (uint32_t role = 0; role < game->role_count; role++)
    open |= game_legal(game, role, &moves) > 1;
  return open;
}

void story_add(Story *story, const Move *joint, const bool *human, Text *why) {
  Game *game = story->game;
  StoryStep step = {.why = *why};
  uint32_t first = story->idle.count, waiting = 0;
  bool open = story_open(game);
  const Move *moves;
  *why = (Text){0};
  for (uint32_t role = 0; role < game->role_count; role++) {
    bool forced = game_legal(game, role, &moves) < 2;
    bool idle = forced && (open || is_word(game, role, joint[role]));
    step.choice |= human[role] && !forced;
    waiting += idle;
    vector_push(&story->idle, idle);
    vector_push(&story->moves, joint[role]);
  }
  if (waiting == game->role_count)
    memset(story->idle.data + first, 0, waiting * sizeof(bool));
  vector_push(&story->steps, step);
  game_make(game, joint);
}

void story_back(Story *story) {
  free_step(story);
  story->moves.count -= story->game->role_count;
  story->idle.count -= story->game->role_count;
  game_retract(story->game);
}

uint32_t story_choices(const Story *story) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < story->steps.count; i++)
    count += story->steps.data[i].choice;
  return count;
}

const char *story_why(const Story *story) {
  for (uint32_t i = story->steps.count; i--;)
    if (story->steps.data[i].why.length) return story->steps.data[i].why.bytes;
  return "";
}

void story_facts_before(Story *story, TermVector *facts) {
  const Term *list;
  uint32_t back = 0, steps = story->steps.count;
  if (!steps) return;
  while (back < steps && !story->steps.data[steps - 1 - back].choice) back++;
  if (!back) back = 1;
  for (uint32_t i = 0; i < back; i++) game_retract(story->game);
  uint32_t count = game_facts(story->game, &list);
  for (uint32_t i = 0; i < count; i++) vector_push(facts, list[i]);
  for (uint32_t i = steps - back; i < steps; i++)
    game_make(story->game, story_moves(story, i));
}

/* ---- in words ---- */

void story_say(const Game *game, uint32_t role, Move move, Text *text) {
  Text spelled = {0};
  moves_write(game, role, move, &spelled);
  spell_say(spelled.bytes, text);
  text_free(&spelled);
}

/* Returns true if two roles move one at a time. */
static bool takes_turns(const Story *story) {
  bool turns = story->game->role_count == 2;
  for (uint32_t i = 0; turns && i < story->steps.count; i++)
    turns = story_idle(story, i, 0) != story_idle(story, i, 1);
  return turns;
}

static uint32_t widest_move(const Story *story) {
  Text move = {0};
  size_t width = 0;
  for (uint32_t i = 0; i < story->steps.count; i++) {
    text_clear(&move);
    story_say(story->game, 0, story_moves(story, i)[0], &move);
    if (!story_idle(story, i, 0) && move.length > width) width = move.length;
  }
  text_free(&move);
  return (uint32_t)width;
}

/* "  1. e2 e4       e7 e5" */
static void write_pairs(const Story *story, Text *text) {
  uint32_t steps = story->steps.count, number = 0;
  int width = (int)widest_move(story) + 3;
  bool open = false; /* the first of a pair is written */
  Text move = {0};
  for (uint32_t i = 0; i < steps; i++) {
    uint32_t role = story_idle(story, i, 0);
    bool paired = !role && i + 1 < steps && story_idle(story, i + 1, 0);
    text_clear(&move);
    story_say(story->game, role, story_moves(story, i)[role], &move);
    if (!open) text_format(text, "%4u. ", ++number);
    if (!open && role) text_format(text, "%-*s", width, "...");
    text_format(text, "%-*s%s", paired ? width : 0, move.bytes,
                paired ? "" : "\n");
    open = paired;
  }
  text_free(&move);
}

/* "  1. red 1 1, blue 2 2" */
static void write_steps(const Story *story, Text *text) {
  const Game *game = story->game;
  Text line = {0}, name = {0};
  for (uint32_t i = 0; i < story->steps.count; i++) {
    text_clear(&line);
    for (uint32_t role = 0; role < game->role_count; role++) {
      if (story_idle(story, i, role)) continue;
      if (line.length) text_add(&line, ", ");
      if (game->role_count > 1) {
        moves_write_role(game, role, &line);
        text_add(&line, ": ");
      }
      story_say(game, role, story_moves(story, i)[role], &line);
    }
    text_clear(&name);
    text_format(text, "%4u. ", i + 1);
    wrap_words(text, line.bytes, 6);
    text_add_byte(text, '\n');
  }
  text_free(&line);
  text_free(&name);
}

void story_write(const Story *story, Text *text) {
  if (takes_turns(story))
    write_pairs(story, text);
  else
    write_steps(story, text);
}
