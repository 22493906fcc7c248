/* tafl bench --accuracy: agents think about positions in which the value of
   every move is known (command/solved.h), and we count how often their move
   keeps the value. Each question, that is each position and each repetition of
   it, has a seed of its own, and each agent is made anew for it: answers do not
   depend on each other, nor on which other positions and agents are asked. */
#include "command/accuracy.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "command/find.h"
#include "command/interrupt.h"
#include "command/solved.h"
#include "engine/moves.h"

static const char standard_directory[] = "test/positions/accuracy";

typedef struct Accuracy {
  const Options *options;
  AgentSpecs agents;
  TextVector paths; /* of the files */
  VECTOR(AccuracyGame) games;
  AccuracyGame all;
  bool *right; /* by agent, of one question */
} Accuracy;

/* ---- who is asked ---- */

static bool read_agents(Accuracy *accuracy) {
  const char *text = accuracy->options->players;
  Text error = {0};
  bool fine = spec_parse_list(&accuracy->agents, *text ? text : "tafl", &error);
  if (!fine) log_error("--players: %s", text_string(&error));
  for (uint32_t i = 0; fine && i < accuracy->agents.count; i++) {
    fine = spec_is_local(&accuracy->agents.data[i]);
    if (!fine)
      log_error("--players: bench needs agents that run here, not %s",
                accuracy->agents.data[i].text);
  }
  text_free(&error);
  return fine;
}

/* ---- which files ---- */

static void add_path(Accuracy *accuracy, const char *directory,
                     const char *name) {
  Text path = {0};
  if (directory) text_format(&path, "%s/", directory);
  text_add(&path, name);
  vector_push(&accuracy->paths, path);
}

static bool is_positions(const char *name) {
  size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".txt") == 0;
}

/* Adds the files of a directory, sorted. Returns false if it is none. */
static bool add_directory(Accuracy *accuracy, const char *directory) {
  struct dirent **entries;
  int count = scandir(directory, &entries, NULL, alphasort);
  if (count < 0) return false;
  for (int i = 0; i < count; i++) {
    if (is_positions(entries[i]->d_name))
      add_path(accuracy, directory, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  return true;
}

/* The name of a game, or the file that it was replaced by, means the file of
   positions of that name. */
static void add_argument(Accuracy *accuracy, const char *argument) {
  if (add_directory(accuracy, argument)) return;
  const char *slash = strrchr(argument, '/'), *dot = strrchr(argument, '.');
  bool rules = dot && strcmp(dot, ".kif") == 0;
  if (!rules && (slash || dot)) {
    add_path(accuracy, NULL, argument);
    return;
  }
  Text name = {0};
  const char *start = slash ? slash + 1 : argument;
  text_add_bytes(&name, start, rules ? (size_t)(dot - start) : strlen(start));
  text_add(&name, ".txt");
  add_path(accuracy, standard_directory, name.bytes);
  text_free(&name);
}

static bool find_files(Accuracy *accuracy) {
  const Options *options = accuracy->options;
  for (int i = 0; i < options->argument_count; i++)
    add_argument(accuracy, options->arguments[i]);
  if (!options->argument_count) add_directory(accuracy, standard_directory);
  if (accuracy->paths.count) return true;
  log_error("there are no files of positions in %s; name files or a directory",
            options->argument_count ? options->arguments[0]
                                    : standard_directory);
  return false;
}

/* The rules: beside the file, or a game by its name. */
static void find_rules(const Options *options, const SolvedFile *file,
                       Text *path) {
  const char *slash = strrchr(file->path, '/');
  if (slash) text_add_bytes(path, file->path, (size_t)(slash + 1 - file->path));
  text_format(path, "%s.kif", file->game.bytes);
  FILE *beside = fopen(path->bytes, "r");
  if (beside) {
    fclose(beside);
    return;
  }
  text_clear(path);
  if (!find_game(options, file->game.bytes, path)) {
    text_clear(path);
    text_add(path, file->game.bytes);
  }
}

/* ---- asking ---- */

static void count_value(AccuracyCount *count, double value, uint32_t exact) {
  count->valued++;
  count->error += fabs(value - exact);
  count->bias += value - exact;
}

/* Asks an agent about the game's state. Returns false if it was interrupted or
   its engine failed. */
static bool ask(Accuracy *accuracy, const SolvedFile *file, uint32_t number,
                Book *book, Game *game, uint32_t role, uint32_t who,
                uint64_t seed, AccuracyCount *count) {
  const Term *facts;
  uint32_t fact_count = game_facts(game, &facts), at = 0;
  Agent *agent = spec_agent(&accuracy->agents.data[who], book, role, seed);
  Budget budget = open_budget(accuracy->options);
  Move move;
  budget.stop = interrupt_flag();
  bool fine = agent_enter(agent, facts, fact_count);
  if (fine) agent_think(agent, &budget);
  fine = fine && !game_failed(agent->game) && !interrupt_came() &&
         agent_best(agent, &move);
  if (fine) {
    MoveVector moves = {0};
    AgentReport report = {0};
    moves_sorted(game, role, &moves);
    while (at + 1 < moves.count && moves.data[at] != move) at++;
    vector_free(&moves);
    uint32_t best = solved_best(file, number);
    accuracy->right[who] = solved_values(file, number)[at] == best;
    count->asked++;
    count->right += accuracy->right[who];
    agent_report(agent, &report);
    if (report.searched) count_value(count, report.value, best);
  } else if (game_failed(agent->game)) {
    log_error("%s:%u: %s", file->path, file->positions.data[number].line,
              text_string(&agent->game->error));
  }
  agent_end(agent, AGENT_COMPLETED);
  return fine;
}

static void compare(const Accuracy *accuracy, AccuracyGame *result) {
  AccuracyPair *pair = result->pairs;
  for (uint32_t i = 0; i < accuracy->agents.count; i++)
    for (uint32_t k = i + 1; k < accuracy->agents.count; k++, pair++) {
      pair->first += accuracy->right[i] && !accuracy->right[k];
      pair->second += accuracy->right[k] && !accuracy->right[i];
    }
}

static void show_progress(const Accuracy *accuracy, const AccuracyGame *result,
                          uint32_t number, uint32_t count) {
  Text text = {0};
  if (!log_progress_wanted()) return;
  text_format(&text, "%s: position %u of %u", result->name, number + 1, count);
  for (uint32_t i = 0; i < accuracy->agents.count; i++)
    text_format(&text, "; %.30s %llu of %llu", accuracy->agents.data[i].text,
                (unsigned long long)result->counts[i].right,
                (unsigned long long)result->counts[i].asked);
  log_progress("%.78s", text.bytes);
  text_free(&text);
}

static int ask_all(Accuracy *accuracy, const SolvedFile *file, Book *book,
                   Game *game, AccuracyGame *result) {
  const Options *options = accuracy->options;
  uint32_t count = file->positions.count, role;
  Text error = {0};
  if (options->positions && options->positions < count)
    count = (uint32_t)options->positions;
  for (uint32_t number = 0; number < count; number++) {
    if (!solved_enter(file, number, game, &role, &error)) {
      log_error("%s", text_string(&error));
      text_free(&error);
      return EXIT_INPUT;
    }
    uint64_t seed = hash_pair((uint64_t)options->seed, number + 1);
    for (int64_t i = 0; i < options->repeat; i++) {
      show_progress(accuracy, result, number, count);
      for (uint32_t who = 0; who < accuracy->agents.count; who++)
        if (!ask(accuracy, file, number, book, game, role, who,
                 i ? hash_pair(seed, (uint64_t)i) : seed, &result->counts[who]))
          return EXIT_LIMIT;
      compare(accuracy, result);
    }
    result->positions++;
  }
  return EXIT_FINE;
}

static int ask_file(Accuracy *accuracy, const SolvedFile *file,
                    AccuracyGame *result) {
  const Options *options = accuracy->options;
  Description description;
  Book book;
  Text path = {0};
  int code = EXIT_INPUT;
  find_rules(options, file, &path);
  open_begin(options, 0);
  interrupt_at_limit();
  log_progress("loading %s", path.bytes);
  if (open_description(options, path.bytes, &description)) {
    code = EXIT_LIMIT;
    if (open_book(options, &description, &book)) {
      Game *game = book_game(&book);
      code = ask_all(accuracy, file, &book, game, result);
      int end = open_end(options, &book, game);
      if (code == EXIT_FINE) code = end;
      book_free(&book);
    }
    description_free(&description);
  }
  log_progress_end();
  text_free(&path);
  return code;
}

/* ---- all games ---- */

static AccuracyGame new_result(const Accuracy *accuracy, const char *name) {
  uint32_t agents = accuracy->agents.count;
  return (AccuracyGame){.name = name,
                        .counts = memory_new(agents * sizeof(AccuracyCount)),
                        .pairs =
                            memory_new(agents * agents * sizeof(AccuracyPair))};
}

static void free_result(AccuracyGame *result) {
  memory_delete(result->counts);
  memory_delete(result->pairs);
}

static void add_result(Accuracy *accuracy, const AccuracyGame *one) {
  AccuracyGame *all = &accuracy->all;
  uint32_t agents = accuracy->agents.count;
  all->positions += one->positions;
  for (uint32_t i = 0; i < agents; i++) {
    all->counts[i].asked += one->counts[i].asked;
    all->counts[i].right += one->counts[i].right;
    all->counts[i].valued += one->counts[i].valued;
    all->counts[i].error += one->counts[i].error;
    all->counts[i].bias += one->counts[i].bias;
  }
  for (uint32_t i = 0; i < agents * (agents - 1) / 2; i++) {
    all->pairs[i].first += one->pairs[i].first;
    all->pairs[i].second += one->pairs[i].second;
  }
}

/* The file's name without its ending. */
static char *name_of(const char *path) {
  const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
  char *name = strdup(start), *dot = strrchr(name, '.');
  if (dot && dot != name) *dot = '\0';
  return name;
}

static int run_file(Accuracy *accuracy, const char *path) {
  SolvedFile file;
  Text error = {0};
  int code = EXIT_INPUT;
  if (solved_read(&file, path, &error)) {
    AccuracyGame result = new_result(accuracy, name_of(path));
    code = ask_file(accuracy, &file, &result);
    if (result.counts[0].asked) {
      accuracy_show_game(accuracy->options, &accuracy->agents, &result);
      add_result(accuracy, &result);
    }
    vector_push(&accuracy->games, result);
  } else {
    log_error("%s", text_string(&error));
  }
  text_free(&error);
  solved_free(&file);
  return code;
}

static int run_files(Accuracy *accuracy) {
  int worst = EXIT_FINE;
  accuracy->right = memory_new(accuracy->agents.count * sizeof(bool));
  accuracy->all = new_result(accuracy, "all");
  interrupt_catch();
  accuracy_show_head(accuracy->options, &accuracy->agents);
  for (uint32_t i = 0; i < accuracy->paths.count; i++) {
    int code = run_file(accuracy, accuracy->paths.data[i].bytes);
    if (code > worst) worst = code;
    if (interrupt_came()) break;
  }
  interrupt_release();
  if (accuracy->games.count > 1 && accuracy->all.positions) {
    accuracy_show_game(accuracy->options, &accuracy->agents, &accuracy->all);
    vector_push(&accuracy->games, accuracy->all);
  } else {
    free_result(&accuracy->all);
  }
  accuracy_show_pairs(accuracy->options, &accuracy->agents,
                      accuracy->games.data, accuracy->games.count);
  return worst;
}

int accuracy_run(const Options *options) {
  Accuracy accuracy = {.options = options};
  int code = EXIT_USAGE;
  if (read_agents(&accuracy))
    code = find_files(&accuracy) ? run_files(&accuracy) : EXIT_INPUT;
  for (uint32_t i = 0; i < accuracy.games.count; i++) {
    AccuracyGame *game = &accuracy.games.data[i];
    if (strcmp(game->name, "all")) free((char *)(uintptr_t)game->name);
    free_result(game);
  }
  vector_free(&accuracy.games);
  memory_delete(accuracy.right);
  text_vector_free(&accuracy.paths);
  spec_free_list(&accuracy.agents);
  return code;
}
