/* Tables that need a line only where the tables of options.h do not say enough:
   a verb without one has no examples, an option without one has the text of its
   own line. */
#include "command/describe.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- verbs ---- */

const char *const describe_groups[DESCRIBE_GROUPS] = {
    [DESCRIBE_OTHER] = "other",
    [DESCRIBE_PLAY] = "play",
    [DESCRIBE_GAMES] = "games",
    [DESCRIBE_MACHINES] = "machines",
};

const DescribeVerb describe_verbs[VERB_COUNT] = {
    [VERB_NUMBER_PLAY] =
        {DESCRIBE_PLAY,
         "You play one role, and an agent plays the others. Type a move, or "
         "help for what else can be typed.",
         {{"tafl play connectFour", "play the first role"},
          {"tafl play breakthrough -r black -a cadia2010 -p 2",
           "play black against CadiaPlayer at two seconds a move"}}},
    [VERB_NUMBER_THINK] =
        {DESCRIBE_PLAY,
         "The search looks at the position and shows its best moves with their "
         "values, visits and expected lines, in a terminal while it thinks.",
         {{"tafl think connectFour -p 2", "the first move, for two seconds"},
          {"tafl think connectFour --moves \"4, 4, 3\" --sims 9999",
           "after some moves; simulations instead of seconds"}}},
    [VERB_NUMBER_SOLVE] =
        {DESCRIBE_PLAY,
         "Looks for a plan, the moves of a game of one role that lead to the "
         "highest score, until it is proved that none is better. The agent is "
         "tafl (all methods that may help), methods joined by +, or a preset. "
         "Everything that is printed besides the moves is a comment, so that "
         "it "
         "can be given to --plan. The exit code is 0 if the score is proved to "
         "be the best, 4 if not, 1 if there is no plan at all, or the given "
         "one "
         "does not hold.",
         {{"tafl solve eightPuzzle", "the plan, and whether it is the best"},
          {"tafl solve lightsOut --shortest --seconds 60 --json",
           "a plan that is proved to be shortest, for programs"},
          {"tafl solve maze --plan - <moves.txt", "does that plan hold?"}}},
    [VERB_NUMBER_MATCH] =
        {DESCRIBE_PLAY,
         "Players are agents, http://HOST:PORT, or human. Roles rotate; the "
         "result has each player's win rate and its interval. Games that are "
         "limited by --sims or --states depend on --seed alone. Started by "
         "mpirun or srun, the ranks of the job share the games: the result is "
         "the same. Players over HTTP are asked by one rank alone, and people "
         "cannot play then.",
         {{"tafl match connectFour -a tafl,cadia2010 -p 0.2 -n 20",
           "twenty games at 0.2 seconds a move"},
          {"tafl match ticTacToe -a cadia2009:c=30,random --sims 100",
           "an agent with a setting; simulations instead of seconds"},
          {"tafl match connectFour -a tafl,http://127.0.0.1:9147 --start 5 -p "
           "1",
           "one game against a player over HTTP"},
          {"mpirun -n 8 tafl match hex -a tafl,cadia2010 --sims 1000 -n 400",
           "eight processes share four hundred games"}}},
    [VERB_NUMBER_TOUR] =
        {DESCRIBE_PLAY,
         "Every two agents that meet play the same number of games at each "
         "game, with all roles. The results are wins, win rates and goals with "
         "95 % intervals, and Elo ratings. In games of more than two roles the "
         "two agents have every second role each. Games are kept in the "
         "database when they end: what was interrupted goes on when the same "
         "command is started again. Instead of games, a file whose name ends "
         "in .json may be given, with agents, games, system and budget. "
         "Started "
         "by mpirun or srun, the ranks of the job share the games.",
         {{"tafl tour connectFour nim -a tafl,cadia2010,random --sims 99 -n 8",
           "every pair plays eight games at each game"},
          {"tafl tour ticTacToe -a tafl,legal,random -p 0.1 --system swiss",
           "who has about as many points meets"},
          {"tafl tour hex -a tafl,cadia2010 --sims 99 --sprt --svg charts",
           "until it is clear who is stronger; with charts"}}},
    [VERB_NUMBER_TRAIN] =
        {DESCRIBE_PLAY,
         "Plays the game against itself and learns what its positions are "
         "worth. What was learned is saved every few seconds, so that it can "
         "be interrupted at any time, and goes on where it ended when it is "
         "started again. Agents with evaluation=learned use it if they are "
         "given the same --knowledge.",
         {{"tafl train breakthrough --minutes 5", "learn for five minutes"},
          {"tafl play breakthrough -a minimax --knowledge user",
           "play against what was learned"}}},
    [VERB_NUMBER_LAB] =
        {DESCRIBE_PLAY,
         "A table of a paper is played again, as many games as the paper had "
         "with as much thinking as its players had, and printed beside the "
         "paper's figures. Games are kept in the database when they end: what "
         "was interrupted goes on when it is started again, and several "
         "processes may share the work. Instead of a table: all; list shows "
         "the tables and what is played of them; report [TABLE...] writes a "
         "page with all of them and their charts, docs/experiments.md, and the "
         "figures that the page of tafl serve shows where nothing was played, "
         "tables/figures; export [EXPERIMENT...] prints matches with all "
         "moves, import FILE... reads "
         "what export printed; sweep GAME... varies one or two settings of an "
         "agent and shows how its strength responds.",
         {{"tafl lab list", "the tables"},
          {"tafl lab 2010-1 --games 20", "the first 20 games of each cell"},
          {"tafl lab export 2010-1 >matches.jsonl", "for other programs"},
          {"tafl lab sweep nim -a cadia2007 --vary c=10,40 --sims 99",
           "which value of c is the best?"}}},
    [VERB_NUMBER_REPLAY] =
        {DESCRIBE_PLAY,
         "A record is written by match --record, by save in play, and by other "
         "programs of the field. Records without rules need the GAME. In a "
         "terminal, keys go through "
         "the steps; elsewhere all are printed.",
         {{"tafl match ticTacToe -a random,legal --record game.json",
           "write a record"},
          {"tafl replay game.json", "show it"}}},
    [VERB_NUMBER_GAMES] =
        {DESCRIBE_GAMES,
         "With a word: those that have it in their name or title. Each game "
         "can "
         "be named instead of a file: tafl play connectFour. "
         "Those for one player are puzzles: tafl solve lightsOut. "
         "Names are looked for in --games-path, ./games, the user's data "
         "directory and the installed share; the list goes in that order.",
         {{"tafl games", "all games"},
          {"tafl games tic", "games with tic in the name or title"}}},
    [VERB_NUMBER_CHECK] =
        {DESCRIBE_GAMES,
         "Every error and doubt is shown with its line and a caret; a few "
         "random games show what the rules alone do not. The exit code is 0 if "
         "all games are valid, 1 if one is not, 3 if one cannot be read.",
         {{"tafl check ticTacToe", "check a game of the library"},
          {"tafl check games/*.kif --quiet", "only errors of many files"}}},
    [VERB_NUMBER_INFO] =
        {DESCRIBE_GAMES,
         "Roles, sizes and structure of the game, what was proved about it, "
         "and which engine plays it and why. Without a game: the processors, "
         "the memory and the graphics card of this machine, or why there is no "
         "card.",
         {{"tafl info connectFour", "what is known about the game"},
          {"tafl info ticTacToe --json", "the same for programs"},
          {"tafl info", "the machine"}}},
    [VERB_NUMBER_PERFT] =
        {DESCRIBE_GAMES,
         "There is one line for each depth, with the number of sequences of "
         "joint moves and the time it took.",
         {{"tafl perft connectFour 6", "six moves deep"},
          {"tafl perft ticTacToe 3 --divide", "three deep, by first moves"}}},
    [VERB_NUMBER_TRACE] =
        {DESCRIBE_GAMES,
         "Every state and move is printed. The format stays the same from "
         "version to version.",
         {{"tafl trace ticTacToe -s 3", "the random game of seed 3"},
          {"tafl trace buttons --moves \"a b a c b a\"",
           "moves to play first"}}},
    [VERB_NUMBER_DUMP] = {DESCRIBE_GAMES,
                          "The stages are rules, prolog, ground, reduce, net, "
                          "dot (for Graphviz), program, and kernel, the "
                          "code for a graphics card in PTX.",
                          {{"tafl dump ticTacToe rules",
                            "the rules as they were understood"},
                           {"tafl dump ticTacToe dot | dot -Tsvg >net.svg",
                            "a picture of the circuit"}}},
    [VERB_NUMBER_SERVE] =
        {DESCRIBE_MACHINES,
         "Listens for INFO, START, PLAY, STOP, ABORT and PREVIEW on this "
         "machine, plays each match in a process of its own, and logs events "
         "on "
         "stderr. At the same address is a web page to play and watch. It runs "
         "until it is interrupted.",
         {{"tafl serve", "a player, and a page, at http://localhost:9147/"},
          {"tafl serve -a cadia2010 --port 9148 --name Cadia",
           "another player"}}},
    [VERB_NUMBER_WORKER] =
        {DESCRIBE_MACHINES,
         "A rank of the job that serve, think or play with --cluster start by "
         "mpirun or srun: it plays out positions, or searches, for them. There "
         "is nothing to type: a rank finds whom it works for in its "
         "environment, and ends with it. With --probe it says whether MPI can "
         "start ranks on a machine.",
         {{"tafl serve --cluster 4",
           "a player with four ranks on this machine"},
          {"tafl serve --cluster hosts.txt --scheme root",
           "ranks on the machines of a file, each of which searches"},
          {"mpirun -n 2 tafl worker --probe", "can ranks be started?"}}},
    [VERB_NUMBER_PING] =
        {DESCRIBE_MACHINES,
         "Asks the player at URL, http://HOST:PORT, everything that a game "
         "master may ask, also what is "
         "rarely asked, and says what it does wrong. The exit code is 0 if it "
         "does all that is required.",
         {{"tafl ping http://127.0.0.1:9147", "is that player ready?"}}},
    [VERB_NUMBER_BENCH] =
        {DESCRIBE_MACHINES,
         "Plays random games for some time and prints how many states and "
         "games per second that were. With --engine gpu they are played on the "
         "graphics card; the exit code is 4 if there is none, or if it cannot "
         "play one of the games. With --accuracy, agents think about "
         "solved positions instead: those of test/positions/accuracy, of games "
         "that are named, or of the files and directories that are given; the "
         "form of the files is described in src/command/solved.h. With "
         "--signature, all agents play short matches, and one number tells "
         "whether any of them behaves in another way than before.",
         {{"tafl bench connectFour", "one state at a time"},
          {"tafl bench connectFour --engine wide --seconds 1",
           "hundreds of games at once; gpu: on the graphics card"},
          {"tafl bench connectFour --accuracy -a tafl,cadia2010 --sims 9999",
           "how often two agents find a best move"},
          {"tafl bench --signature --verbose", "which agents have changed"}}},
    [VERB_NUMBER_AGENTS] =
        {DESCRIBE_MACHINES,
         "Agents are written as PRESET or PRESET:SETTING=VALUE,... wherever an "
         "agent is asked for.",
         {{"tafl agents", "who can play"}}},
    [VERB_NUMBER_HELP] = {DESCRIBE_OTHER,
                          "tafl help VERB is the same as tafl VERB --help.",
                          {{"tafl help play", "options of a verb"},
                           {"tafl --manual | man -l -", "the manual page"}}},
};

/* ---- options ---- */

/* What a verb calls the value of an option and says about it; NULL: the default
   name, the text of its line. The first row of a name that fits is used. */
typedef struct Wording {
  const char *name;
  int verbs;
  const char *value, *help;
} Wording;

static const Wording wordings[] = {
    {"games", ON_TOUR, "N",
     "games of each pair at each game, in whole rounds of roles; 0: 100, or "
     "with --sprt until it has decided"},
    {"seconds", ON_TOUR, "SECONDS",
     "begin no game later than this; 0: no limit. The same command goes on"},
    {"threads", ON_TOUR, "N",
     "games at once, in each rank of a job; 0: one per processor, or one if "
     "ranks share the machine"},
    {"start", ON_TOUR, "SECONDS",
     "thinking before the first move, in seconds or in units of --sims or "
     "--states"},
    {"play", ON_TOUR, "SECONDS",
     "seconds per move; 0: 1, unless there are --sims or --states"},
    {"players", ON_TOUR, "AGENTS",
     "agents, separated by commas (see tafl agents); in A:x=1,y=2,B the "
     "setting y=2 belongs to A"},
    {"elo0", ON_TOUR, "ELO",
     "lead of the first agent under the null hypothesis of --sprt"},
    {"elo1", ON_TOUR, "ELO",
     "lead of the first agent under the alternative hypothesis"},
    {"sprt", ON_TOUR, NULL,
     "two agents: stop when a sequential test has decided between elo0 and "
     "elo1"},
    {"start", ON_LAB, "SECONDS",
     "sweep: thinking before the first move, in seconds or in units of --sims "
     "or --states"},
    {"steps", ON_LAB, "N", "sweep: steps after which a game is abandoned"},
    {"idle", ON_LAB, NULL,
     "sweep: think even if there is only one legal move, as in the papers"},
    {"opening", ON_LAB, "N",
     "sweep: steps at the beginning of a game whose moves are random, the same "
     "ones when the agents have changed roles"},
    {"svg", ON_LAB, "FILE", "sweep: file for a chart of the results"},
    {"svg", ON_ALL, "DIR",
     "directory for charts: ratings, win rates at each game and of pairs"},
    {"games", ON_LAB, "N",
     "games of each cell, 0 for as many as the paper has"},
    {"seconds", ON_LAB, "SECONDS",
     "begin no game later than this; 0: no limit. The same command goes on"},
    {"play", ON_LAB, "SECONDS",
     "seconds per move instead of the paper's budget; 0: that of the paper"},
    {"sims", ON_LAB, "N",
     "simulations per move instead of the paper's budget; 0: that of the "
     "paper"},
    {"states", ON_LAB, "N",
     "states visited per move instead of the paper's budget; 0: that of the "
     "paper"},
    {"format", ON_LAB, NULL,
     "how results are printed; export: json (one object a line) or csv"},
    {"games", ON_BENCH, "N", "games to play, 0 for as many as the time allows"},
    {"games", ON_MATCH, "N",
     "games to play; 0: with --sprt until it has decided, 1 with --record, "
     "--xml or http players, else 100"},
    {"seconds", ON_SOLVE, "SECONDS",
     "time to spend; 0: no limit, or 30 if there is no other limit"},
    {"seconds", ON_ALL, "SECONDS",
     "time to spend on each game, 0 for 2 seconds"},
    {"engine", ON_BENCH, NULL,
     "wide is for many games at once, gpu for very many on a graphics card; "
     "auto is scalar if the rules can be ground within the limits, else "
     "rules"},
    {"engine", ON_ALL, "auto|rules|scalar",
     "auto is scalar if the rules can be ground within the limits, else "
     "rules"},
    {"limit", ON_BENCH | ON_CHECK, "SECONDS",
     "time limit for all that is done with a game; 0: 5 seconds and 5 times "
     "--seconds"},
    {"limit", ON_INFO, "SECONDS", "time limit, 0 for 20 seconds"},
    {"limit", ON_DUMP, "SECONDS", "time limit, 0 for 60 seconds"},
    {"limit", ON_ALL, "SECONDS", "time limit, 0 for none"},
    {"sims", ON_BENCH, "N",
     "simulations of --search, 0 for a million; for each position of "
     "--accuracy, 0 for no limit"},
    {"states", ON_BENCH, "N",
     "states visited for each position of --accuracy, 0 for no limit"},
    {"play", ON_BENCH, "SECONDS",
     "time for each position of --accuracy; 0: no limit, or if there is no "
     "other limit 1"},
    {"states", ON_SOLVE, "N", "states to expand, 0 for no limit"},
    {"states", ON_TRAIN, "N",
     "states to visit, instead of --minutes; 0 for no such limit"},
    {"threads", ON_LAB, "N",
     "games at once, in each rank of a job; 0: one per processor, or one if "
     "ranks share the machine"},
    {"db", ON_ALL, "FILE", NULL},
    {"out", ON_ALL, "FILE", NULL},
    {"minutes", ON_ALL, "MINUTES", NULL},
    {"knowledge", ON_TRAIN, "DIR",
     "directory for what is learned of games; user: tafl in $XDG_DATA_HOME or "
     "in ~/.local/share (default: user)"},
    {"knowledge", ON_ALL, "DIR",
     "directory of what was learned of games, by agents with "
     "evaluation=learned: they begin with it and add to it; user: that of "
     "tafl train (default: none)"},
    {"players", ON_BENCH, "AGENTS",
     "agents of --accuracy or --signature (default: all), separated by commas, "
     "or the one of --search (default: tafl) or --minimax (default: minimax); "
     "see tafl agents"},
    {"threads", ON_BENCH, "N", "threads of wide playouts, 0 for one"},
    {"suite", ON_BENCH, NULL,
     "measure the public games of known speed in the given directory; with "
     "--engine gpu, on the card beside the processor"},
    {"threads", ON_MATCH, "N",
     "matches at once, in each rank of a job; 0: one per processor, or one if "
     "ranks share the machine"},
    {"threads", ON_SOLVE, "N",
     "threads, 0 for one per processor, or for one with --states: its plan "
     "depends on --seed alone"},
    {"players", ON_ALL, "AGENTS", NULL},
    {"role", ON_PLAY, "ROLE", "role that you play (default: the first)"},
    {"role", ON_THINK, "ROLE",
     "role that thinks (default: the first that has a choice)"},
    {"against", ON_LAB, "AGENT",
     "sweep: agent that it plays against (default: itself, with nothing "
     "varied)"},
    {"against", ON_ALL, "AGENT", NULL},
    {"vary", ON_ALL, "SETTING=VALUES", NULL},
    {"agent", ON_SERVE, "AGENT", "agent that plays; see tafl agents"},
    {"agent", ON_LAB, "AGENT",
     "sweep: agent whose settings vary; see tafl agents"},
    {"agent", ON_THINK, "AGENT", "agent that thinks; see tafl agents"},
    {"agent", ON_TRAIN, "AGENT",
     "agent whose settings say how to learn; see tafl agents"},
    {"agent", ON_SOLVE, "SOLVER",
     "tafl, methods such as breadth+novelty, or a preset; see tafl agents"},
    {"plan", ON_ALL, "FILE", NULL},
    {"tune", ON_ALL, "NAME=N,...", NULL},
    {"start", ON_PING, "SECONDS",
     "start clock of the matches, 0 for 2 seconds"},
    {"start", ON_PLAY | ON_MATCH, "SECONDS",
     "thinking before the first move, in seconds or in units of --sims or "
     "--states; 0: none, or 10 seconds for http players"},
    {"start", ON_ALL, "SECONDS", NULL},
    {"play", ON_PING, "SECONDS", "play clock of the matches, 0 for 1 second"},
    {"play", ON_THINK, "SECONDS",
     "seconds to think; 0: no limit, or 5 if there is no other limit"},
    {"play", ON_ALL, "SECONDS",
     "seconds per move; 0: no limit, or 1 if there is no other limit"},
    {"grace", ON_ALL, "SECONDS", NULL},
    {"preview", ON_ALL, "SECONDS", NULL},
    {"record", ON_ALL, "FILE", NULL},
    {"xml", ON_ALL, "FILE", NULL},
    {"resume", ON_ALL, "FILE", NULL},
    {"elo0", ON_ALL, "ELO", NULL},
    {"elo1", ON_ALL, "ELO", NULL},
    {"port", ON_ALL, "PORT", NULL},
    {"bind", ON_ALL, "ADDRESS", NULL},
    {"cluster", ON_ALL, "N|FILE", NULL},
    {"launcher", ON_ALL, "COMMAND", NULL},
    {"delay", ON_ALL, "MIN-MAX", NULL},
    {"again", ON_ALL, "SECONDS", NULL},
    {"name", ON_ALL, "NAME", NULL},
    {"state", ON_SERVE, "DIR",
     "directory for the journals of running matches (default: tafl in "
     "$XDG_STATE_HOME or in ~/.local/state)"},
    {"state", ON_ALL, "FILE",
     "file with the facts of the position, - for standard input"},
    {"allow_host", ON_ALL, "NAMES", NULL},
    {"allow_origin", ON_ALL, "SITES", NULL},
    {"token", ON_ALL, "WORD", NULL},
    {"stylesheet", ON_ALL, "PATH", NULL},
    {"page_matches", ON_ALL, "N", NULL},
    {"longest_start", ON_ALL, "SECONDS", NULL},
    {"longest_play", ON_ALL, "SECONDS", NULL},
    {"patience", ON_ALL, "SECONDS", NULL},
    {"moves", ON_TRACE, "MOVES",
     "moves to play first, one for each role in turn: \"(drop 4) noop\""},
    {"moves", ON_ALL, "MOVES",
     "moves to play first: as people write them, with commas, \"4, 3\", or one "
     "for each role in turn, \"(drop 4) noop\""},
    {"verbose", ON_BENCH, "", "print a line for each agent of --signature"},
    {"verbose", ON_MATCH, "", "print each game when it is finished"},
    {"verbose", ON_PING, "", "print whole requests and replies"},
    {"verbose", ON_SERVE, "", "log reports of thinking"},
    {"games_path", ON_ALL, "DIRS",
     "directories of games, before the usual ones"},
    {"memory", ON_ALL, "MIB", "memory limit"},
    {"state_seconds", ON_ALL, "S", "limit of the rules engine per state"},
    {"ground_seconds", ON_ALL, "S", "limit of grounding"},
    {"reduce_seconds", ON_ALL, "S", "limit of reducing the net"},
    {"file_size", ON_ALL, "MIB", "largest game file"},
};

/* Help shows these after the others, with the short texts above; the manual
   page has them once. */
static const char *const commons[] = {
    "games_path",     "memory",         "state_seconds",
    "ground_seconds", "reduce_seconds", "file_size",
};

bool describe_is_common(const OptionsRow *row) {
  for (size_t i = 0; i < sizeof commons / sizeof *commons; i++)
    if (strcmp(commons[i], row->name) == 0) return true;
  return false;
}

const OptionsRow *describe_option(int verb, bool common, int number) {
  for (int letters = 1; letters >= 0; letters--)
    for (int i = 0; i < options_count; i++) {
      const OptionsRow *row = &options_table[i];
      if (row->verbs >> verb & 1 && describe_is_common(row) == common &&
          (options_letter(row, verb) != 0) == letters && number-- == 0)
        return row;
    }
  return NULL;
}

static const Wording *find_wording(const OptionsRow *row, int verb) {
  for (size_t i = 0; verb >= 0 && i < sizeof wordings / sizeof *wordings; i++)
    if (strcmp(wordings[i].name, row->name) == 0 &&
        wordings[i].verbs >> verb & 1)
      return &wordings[i];
  return NULL;
}

const char *describe_value(const OptionsRow *row, int verb) {
  const Wording *wording = find_wording(row, verb);
  if (wording && wording->value) return wording->value;
  if (*row->choices) return row->choices;
  switch (row->kind) {
  case OPTIONS_FLAG: return "";
  case OPTIONS_NUMBER: return "N";
  case OPTIONS_REAL: return "X";
  case OPTIONS_WORD:
  case OPTIONS_LIST: break;
  }
  return "WORD";
}

const char *describe_help(const OptionsRow *row, int verb) {
  const Wording *wording = find_wording(row, verb);
  return wording && wording->help ? wording->help : row->help;
}

void describe_number(double number, Text *text) {
  text_format(text, number == floor(number) ? "%.0f" : "%g", number);
}

void describe_default(const OptionsRow *row, bool range, Text *text) {
  switch (row->kind) {
  case OPTIONS_FLAG: return;
  case OPTIONS_NUMBER:
    text_format(text, " (default %" PRId64, row->number);
    if (range && row->most == INT64_MAX)
      text_format(text, ", from %" PRId64, row->least);
    else if (range)
      text_format(text, ", %" PRId64 " to %" PRId64, row->least, row->most);
    break;
  case OPTIONS_REAL:
    text_add(text, " (default ");
    describe_number(row->real, text);
    if (!range) break;
    text_add(text, ", ");
    describe_number(row->real_least, text);
    text_add(text, " to ");
    describe_number(row->real_most, text);
    break;
  case OPTIONS_WORD:
  case OPTIONS_LIST:
    if (!*row->word) return;
    text_format(text, " (default %s", row->word);
    break;
  }
  text_add_byte(text, ')');
}
