/* Every option of the command line is one line of this table: parsing, ranges,
   help, the manual page and completion come from it. What else they say, such
   as the names of values and examples, is in command/describe.c.

   FLAG   (name, verbs, help)                       --name, --name=0
   NUMBER (name, verbs, default, least, most, help) --name N
   REAL   (name, verbs, default, least, most, help) --name X
   WORD   (name, verbs, default, choices, help)     --name W; "" any word
   LIST   (name, verbs, help)                       --name W, once or more: all
                                                    of them, with commas */
#ifndef TAFL_OPTIONS_H
#define TAFL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define VERBS(VERB) \
  VERB(PLAY, play, "GAME", "play against the program in the terminal") \
  VERB(THINK, think, "GAME", "show the best moves of a position") \
  VERB(SOLVE, solve, "GAME", "find the best moves of a game for one") \
  VERB(MATCH, match, "GAME", "let agents and other players play each other") \
  VERB(TOUR, tour, "GAME...", "let agents play a tournament at many games") \
  VERB(TRAIN, train, "GAME", "learn about a game ahead of time") \
  VERB(LAB, lab, "[TABLE...]", "re-run the tables of the papers") \
  VERB(REPLAY, replay, "RECORD [GAME]", "show a recorded match step by step") \
  VERB(GAMES, games, "[WORD]", "list the games that can be named") \
  VERB(CHECK, check, "GAME...", "validate game descriptions") \
  VERB(INFO, info, "[GAME]", "print what is known of a game, or the machine") \
  VERB(PERFT, perft, "GAME DEPTH", "count move sequences exactly") \
  VERB(TRACE, trace, "GAME", "play one random game, in a stable format") \
  VERB(DUMP, dump, "GAME STAGE", "print a stage of compilation") \
  VERB(SERVE, serve, "", "play for game masters that connect by HTTP") \
  VERB(WORKER, worker, "", "help a match, as a rank that serve has started") \
  VERB(PING, ping, "URL", "check whether a player follows the protocol") \
  VERB(BENCH, bench, "GAME...", "measure random playouts, or accuracy") \
  VERB(AGENTS, agents, "", "list the presets of the search and every setting") \
  VERB(HELP, help, "[VERB]", "show what a verb does, and its options")

enum {
#define VERB(NAME, name, arguments, help) VERB_NUMBER_##NAME,
  VERBS(VERB)
#undef VERB
      VERB_COUNT
};

enum {
#define VERB(NAME, name, arguments, help) ON_##NAME = 1 << VERB_NUMBER_##NAME,
  VERBS(VERB)
#undef VERB
      ON_ALL = (1 << VERB_COUNT) - 1,
  /* Those that load rules, and those that are given them as a GAME. */
  ON_LOADING = ON_ALL & ~(ON_PING | ON_AGENTS | ON_GAMES | ON_HELP | ON_WORKER),
  ON_CLUSTER = ON_SERVE | ON_THINK | ON_PLAY, /* those that ranks may help */
  ON_GIVEN = ON_LOADING & ~ON_SERVE
};

#define OPTIONS(FLAG, NUMBER, REAL, WORD, LIST) \
  NUMBER(seed, \
         ON_CHECK | ON_INFO | ON_TRACE | ON_BENCH | ON_PLAY | ON_MATCH | \
             ON_SERVE | ON_THINK | ON_SOLVE | ON_TRAIN | ON_LAB | ON_TOUR, \
         1, 0, INT64_MAX, "seed of the random numbers") \
  REAL(minutes, ON_TRAIN, 10, 0, 1e6, \
       "how long to learn; 0: until it is interrupted, or --states") \
  WORD(knowledge, \
       ON_PLAY | ON_THINK | ON_MATCH | ON_SERVE | ON_BENCH | ON_TRAIN, "", "", \
       "directory of what was learned of games, by agents with " \
       "evaluation=learned: they begin with it and add to it; user: tafl in " \
       "$XDG_DATA_HOME or in ~/.local/share (default: none, in train user)") \
  NUMBER(games, ON_BENCH | ON_MATCH | ON_LAB | ON_TOUR, 0, 0, 1000000000, \
         "games to play; 0: as many as the time allows (bench); with --sprt " \
         "until it has decided, 1 with --record, --xml or http players, else " \
         "100 (match); as many as the paper has (lab)") \
  NUMBER(playouts, ON_CHECK, 3, 0, 1000000, \
         "random games that test the rules") \
  NUMBER(steps, \
         ON_CHECK | ON_INFO | ON_TRACE | ON_BENCH | ON_MATCH | ON_TOUR | \
             ON_LAB, \
         1000, 1, 1000000000, "steps after which a game is abandoned") \
  REAL(seconds, ON_BENCH | ON_CHECK | ON_SOLVE | ON_LAB | ON_TOUR, 0, 0, 1e6, \
       "time to spend on each game, 0 for 2 seconds (bench, check) or 30 " \
       "(solve, unless there is another limit)") \
  WORD(engine, \
       ON_CHECK | ON_INFO | ON_PERFT | ON_TRACE | ON_BENCH | ON_PLAY | \
           ON_MATCH | ON_THINK | ON_REPLAY | ON_SOLVE, \
       "auto", "auto|rules|scalar|wide|gpu", \
       "engine to use: auto is scalar if the rules can be ground within the " \
       "limits, else rules; wide and gpu are for bench only") \
  NUMBER(lanes, ON_BENCH, 0, 0, 1024, \
         "games at once: 64, 128, 256, 512 or 1024, 0 for the fastest") \
  WORD(isa, ON_BENCH, "auto", "auto|plain|avx2|avx512", \
       "instruction set of the wide engine") \
  NUMBER(jit, ON_BENCH, 1, 0, 1, \
         "use machine code where it is faster, on a card a kernel made for " \
         "the game; 0 for never") \
  WORD(kernel, ON_BENCH, "auto", "auto|solo|squad", \
       "kernel made for the game on a card, if there can be one") \
  WORD(tune, ON_BENCH | ON_DUMP, "", "", \
       "how that kernel is made otherwise, to measure it: threads of a " \
       "block, window, ahead, held, near, prefetch, settle, optimisation") \
  WORD(policy, ON_BENCH, "uniform", "uniform|gibbs", \
       "how moves are chosen in wide playouts, or on the card") \
  FLAG(history, ON_BENCH, "record the moves of wide playouts") \
  FLAG(credit, ON_BENCH, \
       "sum up the results of each move of wide playouts, or on the card " \
       "(MAST)") \
  NUMBER(threads, ON_BENCH | ON_MATCH | ON_SOLVE | ON_LAB | ON_TOUR, 0, 0, \
         256, \
         "threads of wide playouts (0: one), or matches at once or threads " \
         "of methods (0: one per processor)") \
  WORD(players, ON_MATCH | ON_BENCH | ON_TOUR, "", "", \
       "agents, separated by commas (see tafl agents): presets, random, " \
       "legal, " \
       "human, http://HOST:PORT; in A:x=1,y=2,B the setting y=2 belongs to A") \
  WORD( \
      role, ON_PLAY | ON_THINK, "", "", \
      "role that you play (default: the first), or that thinks (default: the " \
      "first that has a choice)") \
  WORD(against, ON_PLAY | ON_LAB, "", "", \
       "agent that plays the other roles (default: tafl): a preset of the " \
       "search (see tafl agents), random, legal, http://HOST:PORT, or human " \
       "for people at one terminal") \
  LIST(vary, ON_LAB, \
       "sweep: setting of --agent and its values, c=10,20,40; given twice, " \
       "two settings vary") \
  REAL(start, ON_MATCH | ON_PLAY | ON_PING | ON_TOUR | ON_LAB, 0, 0, 1e9, \
       "thinking before the first move, in seconds or in units of --sims or " \
       "--states; 0: 10 seconds if there are http players, 2 in ping") \
  REAL(play, \
       ON_MATCH | ON_PLAY | ON_PING | ON_THINK | ON_BENCH | ON_LAB | ON_TOUR, \
       0, 0, 1e6, \
       "seconds per move; 0: no limit, or if there is no other limit 1 (5 in " \
       "think)") \
  NUMBER(sims, ON_MATCH | ON_PLAY | ON_THINK | ON_BENCH | ON_LAB | ON_TOUR, 0, \
         0, INT64_MAX, "simulations per move, 0 for no limit") \
  NUMBER(states, \
         ON_MATCH | ON_PLAY | ON_THINK | ON_BENCH | ON_SOLVE | ON_TRAIN | \
             ON_LAB | ON_TOUR, \
         0, 0, INT64_MAX, "states visited per move, 0 for no limit") \
  REAL(grace, ON_MATCH | ON_PLAY, 1, 0, 3600, \
       "seconds after the play clock before a reply over HTTP is late") \
  REAL(preview, ON_MATCH, 0, 0, 1e6, \
       "clock of the PREVIEW sent to http players before the match, 0 for " \
       "none") \
  FLAG(scramble, ON_MATCH | ON_PLAY, \
       "replace the names in the rules by random ones for http players") \
  NUMBER(ponder, ON_MATCH | ON_PLAY, 1, 0, 1, \
         "let agents think while http players and people do, 0 for not") \
  WORD(record, ON_MATCH, "", "", \
       "file for the record of the match, or directory for those of several " \
       "games") \
  WORD(xml, ON_MATCH, "", "", \
       "file, or directory, for the last step of the match as XML") \
  WORD(resume, ON_MATCH, "", "", \
       "record of an interrupted match to continue; takes no GAME") \
  FLAG(idle, ON_MATCH | ON_TOUR | ON_LAB, \
       "think even if there is only one legal move, as in the papers") \
  WORD(system, ON_TOUR, "round-robin", \
       "round-robin|gauntlet|swiss|elimination", \
       "who meets whom: every pair, the first agent against each other one, " \
       "those with about as many points, or who has not lost twice") \
  NUMBER(rounds, ON_TOUR, 0, 0, 10000, \
         "rounds of the Swiss system; 0: until one winner can be found") \
  NUMBER(opening, ON_TOUR | ON_LAB, 0, 0, 1000000000, \
         "steps at the beginning of a game whose moves are random, the same " \
         "ones when the agents have changed roles") \
  WORD(svg, ON_LAB | ON_TOUR, "", "", \
       "sweep: file for a chart of the results; tour: directory for charts: " \
       "ratings, win rates at each game and of pairs") \
  FLAG(sprt, ON_MATCH | ON_TOUR, \
       "stop when a sequential test has decided between elo0 and elo1") \
  REAL(elo0, ON_MATCH | ON_TOUR, 0, -1000, 1000, \
       "lead of the first player under the null hypothesis of --sprt") \
  REAL(elo1, ON_MATCH | ON_TOUR, 30, -1000, 1000, \
       "lead of the first player under the alternative hypothesis") \
  NUMBER(port, ON_SERVE, 9147, 0, 65535, \
         "port to listen on, 0 for any free one") \
  WORD(bind, ON_SERVE, "127.0.0.1", "", \
       "address to listen on; any other can be reached from other machines") \
  WORD(agent, ON_SERVE | ON_THINK | ON_SOLVE | ON_TRAIN | ON_LAB, "tafl", "", \
       "agent that plays, thinks or solves (see tafl agents)") \
  FLAG(shortest, ON_SOLVE, \
       "go on until the plan is proved to be as short as any of its score") \
  WORD(plan, ON_SOLVE, "", "", \
       "check the moves in this file, - for standard input, instead of " \
       "looking for some") \
  WORD(name, ON_SERVE, "tafl", "", "name of the player in replies to INFO") \
  NUMBER(matches, ON_SERVE, 4, 1, 64, \
         "matches at once, each with --memory of its own") \
  WORD(allow_host, ON_SERVE, "", "", \
       "names, separated by commas, by which requests may call this machine " \
       "(Host) besides its own; * for all") \
  WORD(allow_origin, ON_SERVE, "", "", \
       "sites, separated by commas, whose web pages may use the player, such " \
       "as http://ggp.example:8000; * for all") \
  WORD( \
      token, ON_SERVE, "", "", \
      "word that the web page needs to begin matches, of letters and digits, " \
      "if --bind lets other machines in (default: made at random and " \
      "printed)") \
  NUMBER(page_matches, ON_SERVE, 16, 1, 64, \
         "matches on the web page at once; more are refused") \
  WORD( \
      stylesheet, ON_SERVE, "", "", \
      "XSLT stylesheet, or directory of NAME.xsl files, that can draw states " \
      "on the web page") \
  FLAG(no_page, ON_SERVE, "serve game masters only, without the web page") \
  REAL(longest_start, ON_SERVE, 3600, 0.1, 1e6, \
       "longest start clock in seconds; longer ones are taken as this") \
  REAL(longest_play, ON_SERVE, 600, 0.1, 1e6, \
       "longest play clock in seconds; longer ones are taken as this") \
  REAL(patience, ON_SERVE, 600, 0.1, 1e6, \
       "seconds beyond its clock that a match may be silent before it is " \
       "given " \
       "up; after a tenth of it thinking ends and a new match may take the " \
       "place") \
  WORD(state, ON_SERVE | ON_THINK | ON_PERFT | ON_SOLVE, "", "", \
       "serve: directory for the journals of running matches (default: tafl " \
       "in $XDG_STATE_HOME or in ~/.local/state); think, solve and perft: " \
       "file with the facts of the position, - for standard input") \
  WORD(cluster, ON_CLUSTER, "", "", \
       "ranks that help the search, started by --launcher: a number of them " \
       "on this machine, or a file of hosts, one on each line as in \"nodea " \
       "slots=4\"") \
  WORD(launcher, ON_CLUSTER, "mpirun", "", \
       "command that starts the ranks of --cluster, mpirun or srun, perhaps " \
       "with arguments") \
  WORD(scheme, ON_CLUSTER, "leaf", "leaf|root|runs", \
       "what the ranks of --cluster do: play out leaves of the tree; search " \
       "the same position, and the moves' statistics are added for the " \
       "answer; or the same, and they tell each other at intervals") \
  WORD(scores, ON_CLUSTER, "own", "own|merged", \
       "scheme leaf: whose move scores (MAST) the playouts of ranks follow: " \
       "their own, or those of the search") \
  REAL(again, ON_CLUSTER, 60, 1, 1e6, \
       "seconds before a host of --cluster that did not answer is asked " \
       "again; the next time that the ranks are started, it takes part") \
  FLAG(apart, ON_CLUSTER | ON_WORKER, \
       "make every rank of --cluster a worker of its own, also those of one " \
       "machine, which are else the threads of one") \
  WORD(delay, ON_CLUSTER | ON_WORKER, "", "", \
       "hold back messages between ranks for random times, to try what that " \
       "does: MIN-MAX in milliseconds") \
  FLAG(probe, ON_WORKER, "only say that this machine can run a rank") \
  FLAG(guard, ON_WORKER, \
       "run the launcher for a verb with --cluster, and end it with that") \
  FLAG(verbose, ON_MATCH | ON_PING | ON_SERVE | ON_BENCH, \
       "print each game when it is finished (match), whole requests and " \
       "replies (ping), log reports of thinking (serve), a line for each " \
       "agent (bench --signature)") \
  WORD( \
      moves, ON_TRACE | ON_THINK | ON_PERFT | ON_SOLVE, "", "", \
      "moves to play first, one for each role in turn: \"(drop 4) noop\"; in " \
      "think and perft also as people write them, with commas: \"4, 3\"") \
  NUMBER(lines, ON_THINK, 5, 1, 1000000, "moves to show, the best first") \
  FLAG(divide, ON_PERFT, "count below each first joint move, for DEPTH only") \
  NUMBER(step, ON_REPLAY, -1, -1, 1000000000, \
         "show only the state after this many steps, -1 for all") \
  FLAG(json, \
       ON_CHECK | ON_INFO | ON_PERFT | ON_BENCH | ON_MATCH | ON_PING | \
           ON_AGENTS | ON_GAMES | ON_THINK | ON_SOLVE | ON_TRAIN | ON_LAB | \
           ON_TOUR, \
       "print JSON") \
  WORD(db, ON_LAB | ON_TOUR | ON_SERVE, "", "", \
       "database of results (default: tafl/results.db in $XDG_DATA_HOME or " \
       "in ~/.local/share)") \
  WORD(format, ON_LAB | ON_TOUR, "table", "table|json|csv|markdown", \
       "how results are printed") \
  FLAG(show, ON_LAB, "show what is in the database, and play nothing") \
  FLAG(fresh, ON_LAB | ON_TOUR, \
       "play everything anew, and forget the games in the database") \
  FLAG(retry, ON_LAB | ON_TOUR, \
       "play games once more that ended with an error") \
  WORD(out, ON_LAB, "", "", \
       "report: the page to write, or its directory (default: docs); its " \
       "charts lie in charts/ beside it") \
  FLAG(names, ON_GAMES, "print names only, one on each line") \
  FLAG(search, ON_BENCH, \
       "measure the search of --players instead of playouts") \
  FLAG(minimax, ON_BENCH, \
       "measure alpha-beta, after learning an evaluation for as long") \
  FLAG(breadth, ON_BENCH, "measure breadth-first search in games of one role") \
  FLAG(suite, ON_BENCH, \
       "measure the public games of known speed in the given directory") \
  FLAG( \
      accuracy, ON_BENCH, \
      "ask --players about positions whose moves all have a known value, and " \
      "count how often their move keeps it") \
  NUMBER(positions, ON_BENCH, 0, 0, 1000000000, \
         "positions of each file of --accuracy, 0 for all") \
  NUMBER(repeat, ON_BENCH, 1, 1, 1000000, \
         "times that each position of --accuracy is asked, with other seeds") \
  FLAG( \
      signature, ON_BENCH, \
      "print one number for how all agents behave, or those of --players, in " \
      "short matches with counted budgets; the same on every machine") \
  FLAG(quiet, ON_CHECK, "print errors only, no warnings") \
  FLAG(statistics, ON_PERFT | ON_TRACE | ON_BENCH, \
       "print counters of the engine's work to stderr") \
  WORD( \
      games_path, ON_GIVEN | ON_GAMES | ON_SERVE, "", "", \
      "directories to look for games by name in, separated by colons, before " \
      "the usual ones (default: $TAFL_GAMES)") \
  REAL(limit, \
       ON_CHECK | ON_INFO | ON_DUMP | ON_PERFT | ON_TRACE | ON_BENCH | \
           ON_MATCH | ON_THINK, \
       0, 0, 1e6, \
       "time limit for the whole of it; 0: 20 seconds (info), " \
       "5 and 5 times --seconds (bench, check), 60 (dump), else none") \
  NUMBER(memory, ON_LOADING, 1024, 16, 1048576, \
         "memory limit in MiB for grounding, net, analysis and programs, and " \
         "for the facts that the rules engine derives") \
  REAL(state_seconds, ON_LOADING, 60, 0, 1e6, \
       "time limit of the rules engine for one state, 0 for no limit") \
  REAL(ground_seconds, ON_LOADING, 10, 0.001, 1e6, \
       "time limit of grounding; after it the rules engine is used") \
  REAL(reduce_seconds, ON_LOADING, 4, 0, 1e6, \
       "time limit of reducing the net, measured in work so that the net is " \
       "the same on every machine, 0 for no limit") \
  NUMBER(file_size, ON_LOADING | ON_GAMES, 8, 1, 1024, \
         "largest game file in MiB")

typedef struct Options {
#define FLAG(name, verbs, help) bool name;
#define NUMBER(name, verbs, value, least, most, help) int64_t name;
#define REAL(name, verbs, value, least, most, help) double name;
#define WORD(name, verbs, value, choices, help) const char *name;
#define LIST(name, verbs, help) const char *name;
  OPTIONS(FLAG, NUMBER, REAL, WORD, LIST)
#undef FLAG
#undef NUMBER
#undef REAL
#undef WORD
#undef LIST
  const char **arguments; /* words that are not options, in order */
  int argument_count;
  TextVector joined; /* texts of lists */
} Options;

/* The tables as arrays. */
typedef enum {
  OPTIONS_FLAG,
  OPTIONS_NUMBER,
  OPTIONS_REAL,
  OPTIONS_WORD,
  OPTIONS_LIST
} OptionsKind;

typedef struct OptionsRow {
  const char *name;
  OptionsKind kind;
  int verbs;
  size_t offset; /* of its field in Options */
  int64_t number, least, most;
  double real, real_least, real_most;
  const char *word, *choices, *help;
} OptionsRow;

typedef struct OptionsVerb {
  const char *name, *arguments, *help;
} OptionsVerb;

extern const OptionsRow options_table[];
extern const int options_count;
extern const OptionsVerb options_verbs[VERB_COUNT];

/* Exit codes. */
enum {
  EXIT_FINE,
  EXIT_NO,     /* the check failed */
  EXIT_USAGE,  /* the command line is wrong */
  EXIT_INPUT,  /* bad input */
  EXIT_LIMIT,  /* a limit was reached; partial results were written */
  EXIT_PLAYER, /* a player or the network failed */
  EXIT_BUG = 70
};

/* Parses `argv` after the verb. Returns false and prints the reason to stderr
   if it is wrong. --help and -h set `help`. Free with options_free either way.
 */
bool options_parse(Options *options, int verb, int argc, char **argv,
                   bool *help);
void options_free(Options *options);

/* The name as it is written, with hyphens; valid until the next call. */
const char *options_name(const OptionsRow *row);
/* Its short form in a verb, or 0. */
char options_letter(const OptionsRow *row, int verb);
int options_find_verb(const char *name); /* or -1 */
/* What the verb's argument at a place from 0 is called, such as GAME; "" if
   there is none; valid until the next call. */
const char *options_argument(int verb, int place);
/* Returns a verb (verb -1), or an option of the verb, that resembles the name,
   or NULL. */
const char *options_similar(const char *name, int verb);

#endif
