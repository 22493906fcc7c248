/* A file of the cache is CACHE/page/KEY.json, with a hyphen for the slash of
   the key. The key has a hash of the rules and of the program: its version,
   and the size and time of its file, so that another build makes all anew.
   Files are written whole. When there are many, all but the newest go. */
#include "web/works_preview.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "about/profile.h"
#include "base/file.h"
#include "base/hash.h"
#include "engine/playout.h"

enum {
  FILES = 4096, /* in the cache, before most are removed */
  FILE_LARGEST = 4 << 20,
  MOVES = 12,    /* of a preview, at most; */
  SHARE = 3,     /* and a third of a game */
  ATTEMPTS = 20, /* at a state that is not terminal */
  FACTS_STEPS = 500,
  BOARDS_SECONDS = 60, /* until the process is killed */
  FACTS_SECONDS = 90
};

/* Of that, for loading the rules; the rest is for a busy machine. */
static const double time_share = 0.3;

/* ---- keys ---- */

static uint64_t hash_program(const WebSettings *settings) {
  struct stat status = {0};
  const char *version = settings->version ? settings->version : "";
  uint64_t hash = hash_bytes(version, strlen(version));
  if (stat("/proc/self/exe", &status) != 0) return hash;
  hash = hash_pair(hash, (uint64_t)status.st_size);
  hash = hash_pair(hash, (uint64_t)status.st_mtim.tv_sec);
  return hash_pair(hash, (uint64_t)status.st_mtim.tv_nsec);
}

void works_preview_key(PreviewKind kind, const WebSettings *settings,
                       const Text *rules, Text *key) {
  uint64_t hash = hash_pair(hash_bytes(text_string(rules), rules->length),
                            hash_program(settings));
  text_format(key, "%s/%016llx", kind == PREVIEW_BOARDS ? "boards" : "facts",
              (unsigned long long)hash);
}

void works_preview_want(TaskReply *reply, const char *key, const char *name) {
  text_format(&reply->wanted, "%s\t%.*s/%s\n", key, (int)strcspn(key, "/"), key,
              name);
}

/* ---- the cache ---- */

static void write_path(const WebSettings *settings, const char *key,
                       Text *path) {
  size_t kind = strcspn(key, "/");
  text_format(path, "%s/page/%.*s-%s.json", settings->cache, (int)kind, key,
              key + kind + 1);
}

json_t *works_preview_known(const TaskCall *call, const char *key) {
  const WebSettings *settings = call->context;
  const TaskReply *kept = call->pool ? tasks_kept(call->pool, key) : NULL;
  Text path = {0}, text = {0}, error = {0};
  json_t *known = NULL;
  if (kept && kept->status == 200)
    known = json_loadb(text_string(&kept->body), kept->body.length, 0, NULL);
  else if (kept) /* it cannot be made; not again for a while */
    known = json_pack("{s:s}", "failed", "it took too long");
  if (!known && settings->cache && *settings->cache) {
    write_path(settings, key, &path);
    if (text_read_file(&text, path.bytes, FILE_LARGEST, &error))
      known = json_loadb(text_string(&text), text.length, 0, NULL);
  }
  text_free(&path);
  text_free(&text);
  text_free(&error);
  return known;
}

static void empty_cache(const char *path) {
  Text folder = {0}, file = {0};
  uint32_t count = 0;
  text_add_bytes(&folder, path, (size_t)(strrchr(path, '/') - path));
  DIR *open = opendir(folder.bytes);
  while (open && readdir(open)) count++;
  if (count > FILES) {
    rewinddir(open);
    for (struct dirent *entry; (entry = readdir(open));) {
      text_clear(&file);
      text_format(&file, "%s/%s", folder.bytes, entry->d_name);
      if (strstr(entry->d_name, ".json")) unlink(file.bytes);
    }
  }
  if (open) closedir(open);
  text_free(&folder);
  text_free(&file);
}

/* A cache that cannot be written is none. */
static void keep(const WebSettings *settings, const char *key,
                 const json_t *value) {
  Text path = {0}, text = {0}, error = {0};
  if (!settings->cache || !*settings->cache) return;
  write_path(settings, key, &path);
  file_make_above(path.bytes, 0700);
  empty_cache(path.bytes);
  json_add_text(value, JSON_COMPACT | JSON_PRESERVE_ORDER, &text);
  file_replace(path.bytes, text.bytes, text.length, &error);
  text_free(&path);
  text_free(&text);
  text_free(&error);
}

static json_t *not_valid(void) {
  return json_pack("{s:s}", "failed", "the rules are not valid");
}

/* ---- boards ---- */

/* Plays random moves from the start; false if the game ends before. */
static bool walk(Game *game, uint32_t moves, uint64_t seed) {
  Random random;
  uint32_t steps = 0, stuck;
  random_seed(&random, seed);
  game_reset(game);
  PlayoutResult result = playout_run(game, &random, moves, &steps, &stuck);
  return result == PLAYOUT_CUT_OFF && !game_terminal(game);
}

/* Goes to a state in which there is something to see; returns how many moves
   that takes. */
static uint32_t advance(Game *game, uint32_t length) {
  uint32_t moves = length / SHARE < MOVES ? length / SHARE : MOVES;
  for (uint64_t seed = 1; moves && seed <= ATTEMPTS; seed++) {
    if (walk(game, moves, seed)) return moves;
    if (game_failed(game)) return 0;
    if (seed % 4 == 0) moves--;
  }
  game_reset(game);
  return 0;
}

/* What is said beside a board is not for thumbnails. */
static json_t *small_state(Scene *scene, Game *game, bool has_boards) {
  json_t *state = scene_state(scene, game, NULL, 0);
  if (has_boards) json_object_set_new(state, "facts", json_array());
  json_object_set_new(state, "changed", json_array());
  return state;
}

static json_t *make_boards(WorksGame *loaded) {
  Game *game = loaded->game;
  uint32_t length;
  const char *kind = works_kind(game, &length);
  if (game_failed(game))
    return json_pack("{s:o}", "failed", json_plain(game->error.bytes));
  Scene *scene = scene_new(&loaded->book);
  json_t *start = scene_state(scene, game, NULL, 0), *first = scene_json(scene);
  bool has_boards = json_array_size(json_object_get(first, "boards")) > 0;
  uint32_t moves = advance(game, length);
  json_t *state = small_state(scene, game, has_boards);
  json_decref(first);
  json_t *made =
      json_pack("{s:s, s:o, s:o, s:o, s:o, s:i}", "kind", kind, "roles",
                works_roles(game), "scene", scene_json(scene), "start", start,
                "state", state, "moves", (int)moves);
  scene_delete(scene);
  return made;
}

static json_t *boards_of(const WebSettings *settings, const char *name,
                         const Text *rules, double seconds) {
  WorksGame loaded;
  works_load(&loaded, settings, name, rules, seconds);
  json_t *made = loaded.game ? make_boards(&loaded) : not_valid();
  works_unload(&loaded);
  return made;
}

json_t *works_preview_boards(const TaskCall *call, const char *name,
                             const Text *rules, double seconds) {
  const WebSettings *settings = call->context;
  Text key = {0};
  works_preview_key(PREVIEW_BOARDS, settings, rules, &key);
  json_t *made = works_preview_known(call, key.bytes);
  if (!made) {
    made = boards_of(settings, name, rules, seconds);
    keep(settings, key.bytes, made);
  }
  text_free(&key);
  return made;
}

/* ---- facts ---- */

static json_t *make_facts(WorksGame *loaded) {
  Game *game = loaded->game;
  Profile profile;
  profile_init(&profile, game, 1, FACTS_STEPS);
  if (!game_failed(game)) game_reset(game);
  loaded->book.limits.prove_seconds = analysis_default.prove_seconds;
  json_t *made =
      game_failed(game)
          ? json_pack("{s:o}", "failed", json_plain(game->error.bytes))
          : profile_json(&profile, &loaded->book, game);
  profile_free(&profile);
  return made;
}

static json_t *facts_of(const TaskCall *call, const WorksFile *file) {
  const WebSettings *settings = call->context;
  Text key = {0};
  WorksGame loaded;
  works_preview_key(PREVIEW_FACTS, settings, &file->rules, &key);
  json_t *made = works_preview_known(call, key.bytes);
  if (!made) {
    works_load(&loaded, settings, text_string(&file->name), &file->rules,
               time_share * FACTS_SECONDS);
    made = loaded.game ? make_facts(&loaded) : not_valid();
    works_unload(&loaded);
    keep(settings, key.bytes, made);
  }
  text_free(&key);
  return made;
}

/* ---- the tasks ---- */

static void work_boards(const TaskCall *call, TaskReply *reply) {
  WorksFile file;
  if (!works_read(call, reply, &file)) return;
  task_reply_json(reply, works_preview_boards(call, text_string(&file.name),
                                              &file.rules,
                                              time_share * BOARDS_SECONDS));
  works_file_free(&file);
}

static void work_facts(const TaskCall *call, TaskReply *reply) {
  WorksFile file;
  if (!works_read(call, reply, &file)) return;
  task_reply_json(reply, facts_of(call, &file));
  works_file_free(&file);
}

const TaskKind works_boards = {.work = work_boards,
                               .seconds = BOARDS_SECONDS,
                               .background = true,
                               .keep = 1e9};
const TaskKind works_facts = {.work = work_facts,
                              .seconds = FACTS_SECONDS,
                              .background = true,
                              .keep = 1e9};
