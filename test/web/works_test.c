/* The works about games, called as in their process: lists, one game, checks.
   The cache is a directory of its own. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support/games.h"
#include "support/unit.h"
#include "web/works_preview.h"

static char root[64];
static Text library, cache;
static WebSettings settings;

static void put(const char *name, const char *text) {
  Text path = {0}, error = {0};
  text_format(&path, "%s/%s", library.bytes, name);
  assert_true(file_replace(path.bytes, text, strlen(text), &error));
  text_free(&path);
}

static void remove_all(const char *path) {
  DIR *open = opendir(path);
  for (struct dirent *entry; open && (entry = readdir(open));) {
    Text inner = {0};
    if (*entry->d_name == '.') continue;
    text_format(&inner, "%s/%s", path, entry->d_name);
    remove_all(inner.bytes);
    text_free(&inner);
  }
  if (open) closedir(open);
  remove(path);
}

static int begin(void **state) {
  (void)state;
  strcpy(root, "/tmp/tafl-works-XXXXXX");
  if (!mkdtemp(root)) return 1;
  text_format(&library, "%s/games", root);
  text_format(&cache, "%s/cache", root);
  mkdir(library.bytes, 0700);
  Text directory = {0};
  text_add(&directory, library.bytes);
  vector_push(&settings.games, directory);
  settings.stylesheet = "";
  settings.cache = cache.bytes;
  settings.version = "test";
  settings.rules = 1 << 20;
  settings.limits = games_limits();
  put("duel.kif",
      ";; Duel (at once)\n;;\n;; Both choose at once, and a beats "
      "everything else. Nobody waits. A third.\n;; serves: none\n\n" GAME_DUEL);
  put("puzzleBox.kif", GAME_PUZZLE);
  put("wrong.kif", "(role x) (init");
  put("gallery.txt", "puzzleBox\nabsent\n../secret\n");
  Text secret = {0}, error = {0};
  text_format(&secret, "%s/secret.kif", root);
  file_replace(secret.bytes, "secret", 6, &error);
  text_free(&secret);
  return 0;
}

static int end(void **state) {
  (void)state;
  remove_all(root);
  text_vector_free(&settings.games);
  text_free(&library);
  text_free(&cache);
  return 0;
}

/* Returns the reply as JSON; the wanted lines are in `wanted` if it is not
   NULL. */
static json_t *ask(const TaskKind *kind, const char *path, const char *body,
                   unsigned status, Text *wanted) {
  TaskReply reply = {.status = 200, .type = "application/json"};
  const TaskCall call = {.path = path,
                         .body = body,
                         .body_length = strlen(body),
                         .context = &settings};
  kind->work(&call, &reply);
  assert_int_equal(reply.status, status);
  json_t *made =
      json_loadb(text_string(&reply.body), reply.body.length, 0, NULL);
  assert_non_null(made);
  if (wanted) text_add(wanted, text_string(&reply.wanted));
  text_free(&reply.body);
  text_free(&reply.wanted);
  return made;
}

static const char *word(json_t *object, const char *name) {
  const char *value = json_string_value(json_object_get(object, name));
  return value ? value : "(none)";
}

static int number(json_t *object, const char *name) {
  return (int)json_integer_value(json_object_get(object, name));
}

/* ---- the library ---- */

static void test_list(void **state) {
  (void)state;
  Text wanted = {0};
  json_t *reply = ask(&works_games, "games", "", 200, &wanted);
  json_t *games = json_object_get(reply, "games");
  assert_int_equal(json_array_size(games), 3);
  assert_int_equal(number(reply, "making"), 3);
  json_t *first = json_array_get(games, 0), *duel = json_array_get(games, 1);
  assert_string_equal(word(first, "name"), "puzzleBox");
  assert_string_equal(word(first, "title"), "Puzzle Box");
  assert_string_equal(word(first, "kind"), "puzzle");
  assert_true(json_is_null(json_object_get(first, "scene")));
  assert_string_equal(word(duel, "title"), "Duel");
  assert_string_equal(word(duel, "about"),
                      "Both choose at once, and a beats everything else. "
                      "Nobody waits.");
  assert_int_equal(json_array_size(json_object_get(duel, "roles")), 2);
  assert_int_equal(strncmp(wanted.bytes, "boards/", 7), 0);
  assert_non_null(strstr(wanted.bytes, "\tboards/puzzleBox\nboards/"));
  json_decref(reply);
  text_free(&wanted);

  static const char *const names[] = {"boards/puzzleBox", "boards/duel",
                                      "boards/wrong"};
  for (size_t i = 0; i < LENGTH(names); i++)
    json_decref(ask(&works_boards, names[i], "", 200, NULL));
  reply = ask(&works_games, "games", "", 200, &wanted);
  assert_int_equal(wanted.length, 0); /* all are in the cache */
  assert_int_equal(number(reply, "making"), 0);
  games = json_object_get(reply, "games");
  for (size_t i = 0; i < 3; i++)
    assert_true(
        json_is_object(json_object_get(json_array_get(games, i), "scene")));
  assert_string_equal(word(json_array_get(games, 1), "kind"), "simultaneous");
  json_decref(reply);
  text_free(&wanted);
}

static void test_rules_that_change_are_new(void **state) {
  (void)state;
  Text wanted = {0};
  json_decref(ask(&works_boards, "boards/duel", "", 200, NULL));
  put("duel.kif", ";; Another title\n" GAME_DUEL);
  json_decref(ask(&works_games, "games", "", 200, &wanted));
  assert_non_null(strstr(text_string(&wanted), "\tboards/duel\n"));
  text_free(&wanted);
}

static void test_game(void **state) {
  (void)state;
  Text wanted = {0};
  json_t *reply = ask(&works_game, "games/puzzleBox", "", 200, &wanted);
  assert_string_equal(word(reply, "name"), "puzzleBox");
  assert_string_equal(word(reply, "rules"), GAME_PUZZLE);
  assert_true(json_is_object(json_object_get(reply, "state")));
  assert_true(json_is_false(json_object_get(reply, "stylesheet")));
  assert_true(json_is_null(json_object_get(reply, "facts")));
  assert_non_null(strstr(text_string(&wanted), "\tfacts/puzzleBox\n"));
  json_decref(reply);
  text_free(&wanted);
  json_decref(ask(&works_facts, "facts/puzzleBox", "", 200, NULL));
  reply = ask(&works_game, "games/puzzleBox", "", 200, &wanted);
  assert_string_equal(word(json_object_get(reply, "facts"), "structure"),
                      "puzzle");
  assert_int_equal(wanted.length, 0);
  text_free(&wanted);
  json_decref(reply);
  reply = ask(&works_game, "games/wrong", "", 200, NULL);
  assert_string_equal(word(reply, "error"), "the rules are not valid");
  json_decref(reply);
}

static void test_no_way_out(void **state) {
  (void)state;
  static const char *const paths[] = {
      "games/../secret", "games/..%2fsecret", "games/",       "games",
      "games/.",         "games/..",          "games/absent", "games//secret",
      "games/secret",    "games/duel.kif"};
  for (size_t i = 0; i < LENGTH(paths); i++) {
    json_decref(ask(&works_game, paths[i], "", 404, NULL));
    json_decref(ask(&works_rules, paths[i], "", 404, NULL));
  }
}

static void test_rules(void **state) {
  (void)state;
  TaskReply reply = {.status = 200};
  works_rules.work(
      &(TaskCall){.path = "games/wrong/rules", .context = &settings}, &reply);
  assert_int_equal(reply.status, 200);
  assert_string_equal(reply.type, "text/plain; charset=utf-8");
  assert_string_equal(reply.body.bytes, "(role x) (init");
  text_free(&reply.body);
}

/* ---- checks ---- */

static json_t *check(const char *rules) {
  Text body = {0};
  json_t *request = json_pack("{s:s}", "rules", rules);
  json_add_text(request, JSON_COMPACT, &body);
  json_t *reply = ask(&works_check, "check", body.bytes, 200, NULL);
  json_decref(request);
  text_free(&body);
  return reply;
}

static void test_check_valid(void **state) {
  (void)state;
  json_t *reply = check(";; Pick\n" GAME_PUZZLE);
  assert_true(json_is_true(json_object_get(reply, "valid")));
  assert_string_equal(word(reply, "title"), "Pick");
  assert_string_equal(word(reply, "kind"), "puzzle");
  assert_true(json_is_object(json_object_get(reply, "scene")));
  assert_true(json_is_object(json_object_get(reply, "state")));
  json_decref(reply);
}

/* 😀 is one character, four bytes and two units. */
static void test_check_places(void **state) {
  (void)state;
  json_t *reply = check("; 😀é\n(role x)\n; 😀\n  (<= (next ?y) (true a))\n");
  assert_true(json_is_false(json_object_get(reply, "valid")));
  assert_true(json_is_null(json_object_get(reply, "scene")));
  assert_true(number(reply, "errors") >= 1);
  json_t *list = json_object_get(reply, "diagnostics"), *each;
  size_t i;
  bool found = false;
  json_array_foreach(list, i, each) {
    if (number(each, "line") != 4) continue;
    found = true;
    assert_string_equal(word(each, "severity"), "error");
    /* "; 😀é\n" 6, "(role x)\n" 9, "; 😀\n" 5 */
    assert_int_equal(number(each, "offset"), 20 + number(each, "column") - 1);
    assert_true(number(each, "length") > 0);
    assert_true(number(each, "length") + number(each, "column") <= 28);
  }
  assert_true(found);
  json_decref(reply);
}

static void test_check_plays(void **state) {
  (void)state;
  json_t *reply = check(GAME_STUCK);
  assert_true(json_is_false(json_object_get(reply, "valid")));
  json_t *first = json_array_get(json_object_get(reply, "diagnostics"), 0);
  assert_string_equal(word(first, "id"), "no-legal-move");
  json_decref(reply);
}

static void test_check_requests(void **state) {
  (void)state;
  static const char *const bodies[] = {"",
                                       "{",
                                       "[]",
                                       "{}",
                                       "{\"rules\": 1}",
                                       "{\"rules\": null}",
                                       "\"rules\"",
                                       "{\"rules\": \"\\u0000\"}"};
  for (size_t i = 0; i < LENGTH(bodies); i++)
    json_decref(ask(&works_check, "check", bodies[i], 400, NULL));
  settings.rules = 3;
  json_decref(ask(&works_check, "check", "{\"rules\": \"(a b)\"}", 413, NULL));
  settings.rules = 1 << 20;
}

/* ---- stylesheets ---- */

/* In a process, as it gives up its files; returns its exit code. */
static int view(const char *path, unsigned status, const char *part) {
  static const char match[] =
      "{\"head\": {\"game\": \"duel\"}, \"steps\": [{\"state\": "
      "{\"facts\": [\"(cell 1 <x>)\"]}}]}";
  pid_t pid = fork();
  if (!pid) {
    TaskReply reply = {.status = 200};
    dup2(STDERR_FILENO, 3); /* the link */
    works_view.work(&(TaskCall){.path = path,
                                .body = match,
                                .body_length = strlen(match),
                                .context = &settings},
                    &reply);
    bool opens = open("/dev/null", O_RDONLY) >= 0;
    bool fine = reply.status == status &&
                strstr(text_string(&reply.body), part) &&
                (status != 200 || (!opens && strstr(reply.policy, "sandbox")));
    _exit(fine ? 0 : 1);
  }
  int end;
  assert_int_equal(waitpid(pid, &end, 0), pid);
  return end;
}

static void test_view(void **state) {
  (void)state;
  assert_int_equal(view("matches/m1/steps/0/view", 404, "no stylesheet"), 0);
  put("duel.xsl", "<x:stylesheet version='1.0' xmlns:x='http://www.w3.org/1999/"
                  "XSL/Transform'><x:template match='/'><p><x:value-of "
                  "select='//argument[2]'/></p></x:template></x:stylesheet>");
  assert_int_equal(view("matches/m1/steps/0/view", 200, "<p>&lt;x&gt;</p>"), 0);
  static const char *const wrong[] = {"1", "-1", "x", "", "99999999999", "0x"};
  for (size_t i = 0; i < LENGTH(wrong); i++) {
    Text path = {0};
    text_format(&path, "matches/m1/steps/%s/view", wrong[i]);
    assert_int_equal(view(path.bytes, 404, "no such step"), 0);
    text_free(&path);
  }
  put("duel.xsl", "<x");
  assert_int_equal(view("matches/m1/steps/0/view", 500, "stylesheet fails"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_list),
      cmocka_unit_test(test_rules_that_change_are_new),
      cmocka_unit_test(test_game),
      cmocka_unit_test(test_no_way_out),
      cmocka_unit_test(test_rules),
      cmocka_unit_test(test_check_valid),
      cmocka_unit_test(test_check_places),
      cmocka_unit_test(test_check_plays),
      cmocka_unit_test(test_check_requests),
      cmocka_unit_test(test_view),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
