/* The moves are made again in an engine of their own, since a record has the
   state after each step. */
#include "command/save.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/json.h"

/* Records have the names of players beside what resumes them. */
static void set_names(Record *record, const RecordStart *start,
                      const bool *human) {
  const char *user = getenv("USER");
  json_t *names = json_array();
  for (uint32_t role = 0; role < record_roles(record); role++)
    json_array_append_new(names, json_plain(human[role] && user && *user
                                                ? user
                                                : start->players[role]->text));
  json_object_set_new(record->root, "playerNamesFromHost", names);
}

static void add_steps(const Story *story, Game *game, Record *record) {
  uint32_t roles = game->role_count;
  RecordTurn *turns = memory_new(roles * sizeof *turns);
  record_add_state(record, game);
  record_add_start(record, turns);
  for (uint32_t step = 0; step < story->steps.count; step++) {
    const RecordTurn *known = story->steps.data[step].turns;
    const Move *joint = story_moves(story, step);
    for (uint32_t role = 0; role < roles; role++) {
      Text move = turns[role].move;
      if (known) turns[role] = known[role];
      turns[role].move = move;
      text_clear(&turns[role].move);
      moves_write(game, role, joint[role], &turns[role].move);
    }
    game_make(game, joint);
    record_add_step(record, turns, game);
  }
  for (uint32_t role = 0; role < roles; role++) text_free(&turns[role].move);
  memory_delete(turns);
}

static void end(Game *game, Record *record) {
  MatchResult result = {.end = MATCH_STOPPED, .role_count = game->role_count};
  result.sides = memory_new(result.role_count * sizeof *result.sides);
  if (game_terminal(game)) result.end = MATCH_ENDED;
  for (uint32_t role = 0; role < result.role_count; role++) {
    int goal = game_goal(game, role);
    result.sides[role].goal = goal < 0 ? 0 : goal;
  }
  record_end(record, &result);
  memory_delete(result.sides);
}

bool save_write(const Story *story, const RecordStart *start, const bool *human,
                const char *path, Text *error) {
  Game *game = book_game(story->book);
  Record record;
  record_init(&record, start);
  set_names(&record, start, human);
  add_steps(story, game, &record);
  end(game, &record);
  if (game_failed(game)) {
    text_add(error, game->error.bytes);
  } else {
    text_add(&record.path, path);
    record_write(&record);
    text_add(error, text_string(&record.error));
  }
  record_free(&record);
  game_delete(game);
  return !error->length;
}

void save_name(const char *game, Text *path) {
  const char *slash = strrchr(game, '/'), *name = slash ? slash + 1 : game;
  time_t now = time(NULL);
  struct tm parts;
  char date[32] = "";
  size_t begin = path->length;
  for (size_t i = 0; name[i] && name[i] != '.' && i < 40; i++)
    if (isalnum((unsigned char)name[i]) || name[i] == '_' || name[i] == '-')
      text_add_byte(path, name[i]);
  if (path->length == begin) text_add(path, "match");
  if (localtime_r(&now, &parts))
    strftime(date, sizeof date, "-%Y-%m-%d-%H%M", &parts);
  text_format(path, "%s.json", date);
}
