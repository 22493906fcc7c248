/* tafl info GAME: what is known about a game before it is played. Without a
   game: the machine. */
#include <stdio.h>
#include <string.h>

#include "about/profile.h"
#include "command/command.h"
#include "command/machine.h"
#include "command/wrap.h"

static void print_engine(const Book *book, const Game *game) {
  const Net *net = &book->net;
  const Text *why = &book->why[BOOK_NET];
  if (book->has_net)
    printf("  engine      %s, on a net of %u fluents, %u moves, %u gates, %llu "
           "edges, %u loops\n",
           game->operations->name, net->fluents.count, net->moves.count,
           net_count_ands(net), (unsigned long long)net_count_edges(net),
           net->loops.count);
  else
    printf("  engine      %s, because %s\n", game->operations->name,
           why->length ? why->bytes : "it was asked for");
}

static void print_text(Book *book, Game *game, const Profile *profile) {
  const Description *d = game->description;
  const Term *facts;
  printf("%s\n", d->source.name);
  printf("  rules       %u rules, %u facts; %u warnings\n", profile->rules,
         profile->facts, d->report.warnings);
  printf(
      "  predicates  %u static, %u of the state, %u of moves; %u recursive\n",
      profile->unchanging, profile->state, profile->moves, profile->recursive);
  printf("  structure   %s, %u role%s; %u facts in the initial state\n",
         profile_structure(profile, book), game->role_count,
         game->role_count == 1 ? "" : "s", game_facts(game, &facts));
  print_engine(book, game);
  printf("  sample      %u random games: %u ended after %.1f steps on average, "
         "%u cut off%s\n",
         profile->games, profile->ended, profile->length, profile->cut_off,
         profile->unfinished ? ", the last not finished in time" : "");
  for (uint32_t role = 0; role < game->role_count; role++) {
    Text name = {0};
    term_write(game_terms(game), game_role(game, role), &name);
    printf("  role        %-12s %6.1f legal moves, has a choice in %3.0f %% of "
           "states, goal %.1f, at most %d\n",
           name.bytes, profile->choices[role], 100 * profile->deciding[role],
           profile->goals[role], profile_highest(book, role));
    text_free(&name);
  }
}

static void print_json(Book *book, Game *game, const Profile *profile) {
  json_t *object = profile_json(profile, book, game);
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(object);
}

/* Prints findings, a line each. */
static void print_findings(const char *findings) {
  while (*findings) {
    size_t length = strcspn(findings, "\n");
    printf("  %.*s\n", (int)length, findings);
    findings += length + (findings[length] == '\n');
  }
}

static void show_findings(Book *book) {
  const Analysis *analysis = book_analysis(book);
  const Text *why = &book->why[BOOK_ANALYSIS];
  Text text = {0};
  if (analysis)
    analysis_write(analysis, &text);
  else if (why->length)
    text_add(&text, why->bytes);
  const Symmetries *symmetries = book_symmetries(book);
  if (symmetries) symmetries_write(symmetries, &text);
  print_findings(text_string(&text));
  text_free(&text);
}

static void print_times(const Book *book) {
  Text list = {0}, line = {0};
  tasks_write(&book->tasks, &list);
  text_add(&line, "  time        ");
  wrap_list(&line, text_string(&list), (uint32_t)line.length);
  puts(line.bytes);
  text_free(&list);
  text_free(&line);
}

static const double standard_seconds = 20; /* for all of it */

static int show(const Options *options, Book *book) {
  Game *game = book_game(book);
  Profile profile;
  profile_init(&profile, game, (uint64_t)options->seed,
               (uint32_t)options->steps);
  if (!game_failed(game)) game_reset(game);
  book->limits.prove_seconds = analysis_default.prove_seconds;
  if (options->json) {
    print_json(book, game, &profile);
  } else {
    print_text(book, game, &profile);
    show_findings(book);
    print_times(book);
  }
  profile_free(&profile);
  return open_end(options, book, game);
}

int command_info(const Options *options) {
  if (options->argument_count > 1) {
    log_error("info takes one game, or none for the machine");
    return EXIT_USAGE;
  }
  if (options->argument_count == 0) {
    machine_print(options->json);
    return EXIT_FINE;
  }
  Description description;
  open_begin(options, standard_seconds);
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  Book book;
  int code = EXIT_LIMIT;
  if (open_book(options, &description, &book)) {
    code = show(options, &book);
    book_free(&book);
  }
  description_free(&description);
  return code;
}
