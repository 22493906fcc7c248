/* tafl.h: general game playing as a library.

   Loads games written in the Game Description Language, plays them move by
   move, runs random playouts by the thousand, and asks agents for good moves.

       tafl_game *game;
       tafl_position *position;
       if (tafl_game_load_file("ticTacToe.kif", NULL, &game, NULL) ||
           tafl_position_new(game, &position))
         fprintf(stderr, "%s\n", tafl_message());

   Compile with `pkg-config --cflags --libs tafl`.

   STATUS. Functions that can fail return a tafl_status: TAFL_OK, which is 0, or
   the kind of failure. tafl_message() then says in words what went wrong. The
   library never exits, prints nothing and installs no signal handlers.

   OWNERSHIP. There are four kinds of objects: games, reports, positions and
   agents. Whoever makes one closes it; closing NULL does nothing. Positions and
   agents keep what they need of their game, so objects may be closed in any
   order. Outputs are set only if the call succeeds, except where stated.

   Strings and arrays that the library returns are borrowed: they belong to the
   object that was asked and stay valid until the next call on it. Names of
   roles, the engine and the reason stay valid as long as the game. Strings are
   UTF-8 and end with a NUL.

   THREADS. Each object may be used by one thread at a time. Different objects
   may be used by different threads at once, also positions and agents of one
   game. Only tafl_agent_stop may be called while another thread uses the agent.
   Agents with the setting threads=N start threads of their own and join them
   before the call returns.

   MEMORY. Each object has a memory limit (tafl_options). A call that would
   exceed it, or for which the system has no memory, returns TAFL_ERROR_MEMORY
   and releases everything that the object held; from then on every call on the
   object returns the same and it can only be closed. The process goes on, and
   so do all other objects, the game included.

   ROLES AND MOVES. Roles are numbers from 0 in the order of the rules. A legal
   move is its number in the list that tafl_position_legal returns: the same for
   every engine, but valid in that state only. A joint move has one move for
   each role, in the order of roles; roles that are not to move do have a legal
   move, usually `noop`. */
#ifndef TAFL_H
#define TAFL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAFL_VERSION "0.1.0"

#if defined(__GNUC__)
#define TAFL_API __attribute__((visibility("default")))
#else
#define TAFL_API
#endif

typedef struct tafl_game tafl_game;
typedef struct tafl_report tafl_report;
typedef struct tafl_position tafl_position;
typedef struct tafl_agent tafl_agent;

/* ---- status ---- */

typedef enum tafl_status {
  TAFL_OK = 0,
  TAFL_ERROR_ARGUMENT = 1, /* the call is wrong: a role that does not exist, a
                              NULL that is not allowed */
  TAFL_ERROR_FILE = 2,     /* the file cannot be read */
  TAFL_ERROR_RULES = 3,    /* the text is not a valid game */
  TAFL_ERROR_ENGINE = 4,   /* the engine asked for cannot play this game within
                              the limits */
  TAFL_ERROR_MOVE = 5,     /* the move is not legal here */
  TAFL_ERROR_STATE = 6,    /* the facts are not a state; there is no move to
                              undo; the game is over, or a role has no legal
                              move */
  TAFL_ERROR_AGENT = 7,    /* the text does not name an agent */
  TAFL_ERROR_LIMIT = 8,    /* a limit of the rules engine was reached; the
                              object can only be closed */
  TAFL_ERROR_MEMORY = 9    /* see MEMORY above */
} tafl_status;

/* The version of the library in use; TAFL_VERSION is that of this header. */
TAFL_API const char *tafl_version(void);
/* What went wrong in the last call of this thread that failed; "" if none did.
   Valid until the thread's next call. */
TAFL_API const char *tafl_message(void);
/* "TAFL_ERROR_MEMORY" and so on. */
TAFL_API const char *tafl_status_name(tafl_status status);

/* ---- games ---- */

typedef enum tafl_engine {
  TAFL_ENGINE_AUTO = 0, /* the circuit if it fits the limits, else the rules */
  TAFL_ENGINE_CIRCUIT = 1, /* the rules compiled into a circuit: fast */
  TAFL_ENGINE_RULES = 2    /* the rules as they stand: slow, small */
} tafl_engine;

/* How to load a game. Initialize it with tafl_options_init, then change what
   you like; NULL instead of options means the defaults. */
typedef struct tafl_options {
  size_t size;           /* of this structure, as its user was compiled */
  tafl_engine engine;    /* default TAFL_ENGINE_AUTO */
  uint64_t memory;       /* limit of each object in bytes; default 1 GiB. An
                            agent's game tree has this limit, too, or the
                            agent's setting `memory` if that is lower; it does
                            not count towards the agent's other tables */
  double ground_seconds; /* for compiling, before TAFL_ENGINE_AUTO falls back to
                            the rules; default 10 */
  double state_seconds;  /* for the rules engine in one state; default 60, 0 for
                            no limit */
} tafl_options;

TAFL_API void tafl_options_init(tafl_options *options, size_t size);
#define TAFL_OPTIONS_INIT(options) tafl_options_init(options, sizeof *(options))

/* Loads a game from `length` bytes of text, or from a file of at most 64 MiB.
   `report` may be NULL; otherwise it receives what was found in the text, valid
   or not, unless the file could not be read or memory ran out: then it is set
   to NULL. `name` stands for the file in messages; NULL for "game". */
TAFL_API tafl_status tafl_game_load(const char *text, size_t length,
                                    const char *name,
                                    const tafl_options *options,
                                    tafl_game **game, tafl_report **report);
TAFL_API tafl_status tafl_game_load_file(const char *path,
                                         const tafl_options *options,
                                         tafl_game **game,
                                         tafl_report **report);
TAFL_API void tafl_game_close(tafl_game *game);

/* The engine in use, and why it is not the circuit; "" if it is, or if the
   rules engine was asked for. */
TAFL_API tafl_engine tafl_game_engine(const tafl_game *game);
TAFL_API const char *tafl_game_reason(const tafl_game *game);

TAFL_API uint32_t tafl_game_role_count(const tafl_game *game);
/* The name of a role; NULL if there is no such role. */
TAFL_API const char *tafl_game_role(const tafl_game *game, uint32_t role);
/* The role of that name; -1 if there is none. */
TAFL_API int tafl_game_find_role(const tafl_game *game, const char *name);

/* ---- reports: errors and warnings about a text ---- */

typedef struct tafl_diagnostic {
  int is_error;          /* 0: a warning */
  uint32_t line, column; /* from 1; columns are characters */
  const char *id;        /* the check that found it, such as "arity" */
  const char *message;
} tafl_diagnostic;

/* At most the first 100 errors and 100 warnings, in the order of the text. */
TAFL_API uint32_t tafl_report_count(const tafl_report *report);
/* NULL if there is no such diagnostic. Valid as long as the report. */
TAFL_API const tafl_diagnostic *tafl_report_get(const tafl_report *report,
                                                uint32_t index);
/* All of them as a compiler prints them: file:line:column, the message, the
   line of the text and a caret. "" if there are none. */
TAFL_API const char *tafl_report_text(const tafl_report *report);
TAFL_API void tafl_report_close(tafl_report *report);

/* ---- positions: a state, and the moves that led to it ---- */

/* A new position in the initial state. */
TAFL_API tafl_status tafl_position_new(tafl_game *game,
                                       tafl_position **position);
/* Another position in the same state, with the same moves to undo. */
TAFL_API tafl_status tafl_position_copy(tafl_position *position,
                                        tafl_position **copy);
TAFL_API void tafl_position_close(tafl_position *position);

/* Goes to the initial state, or to the state in which exactly these facts are
   true, such as "(cell 1 1 b)". No move before that can be undone. Facts that
   are true in no state that the circuit knows are TAFL_ERROR_STATE; nothing is
   changed then. The rules engine takes any facts. The circuit is made for
   states that can be reached; in others it need not follow the rules. */
TAFL_API tafl_status tafl_position_reset(tafl_position *position);
TAFL_API tafl_status tafl_position_enter(tafl_position *position,
                                         const char *const *facts,
                                         uint32_t count);

/* The role's legal moves as texts, in order; the index is the move's number. In
   a terminal state the list is what the rules say, often nothing. */
TAFL_API tafl_status tafl_position_legal(tafl_position *position, uint32_t role,
                                         const char *const **moves,
                                         uint32_t *count);
/* Makes a joint move, given as numbers of legal moves or as texts; nothing is
   changed if it fails with TAFL_ERROR_MOVE, or with TAFL_ERROR_STATE because
   the game is over. */
TAFL_API tafl_status tafl_position_make(tafl_position *position,
                                        const uint32_t *joint);
TAFL_API tafl_status tafl_position_make_texts(tafl_position *position,
                                              const char *const *joint);
/* Takes the last joint move back; TAFL_ERROR_STATE if there is none. */
TAFL_API tafl_status tafl_position_undo(tafl_position *position);
/* How many joint moves can be undone. */
TAFL_API uint32_t tafl_position_steps(const tafl_position *position);

/* Sets `terminal` to 1 if the game is over here, else to 0. */
TAFL_API tafl_status tafl_position_terminal(tafl_position *position,
                                            int *terminal);
/* The goal of each role here, 0 to 100, into an array of one int for each role;
   -1 where the rules give none. Rules may give goals before the end. */
TAFL_API tafl_status tafl_position_goals(tafl_position *position, int *goals);
/* The facts that are true here, sorted. */
TAFL_API tafl_status tafl_position_facts(tafl_position *position,
                                         const char *const **facts,
                                         uint32_t *count);
/* A number for the set of true facts, the same in every engine and process. */
TAFL_API tafl_status tafl_position_hash(tafl_position *position,
                                        uint64_t *hash);

/* How a playout ended. */
enum {
  TAFL_PLAYOUT_ENDED = 0,   /* in a terminal state */
  TAFL_PLAYOUT_CUT_OFF = 1, /* after `step_limit` moves */
  TAFL_PLAYOUT_STUCK = 2    /* in a state where a role has no legal move */
};

/* Plays `count` random games from here to the end, each role choosing uniformly
   among its legal moves; the position does not change. The circuit plays
   hundreds at once. `step_limit` 0 means 1000. The same seed gives the same
   results on every machine.

   Results are in no particular order. Playout i, role r has goals[i * roles +
   r], -1 if it did not end or the rules give no goal; lengths[i] joint moves;
   ends[i] as above. Each array may be NULL. */
TAFL_API tafl_status tafl_position_playouts(tafl_position *position,
                                            uint32_t count, uint64_t seed,
                                            uint32_t step_limit, int8_t *goals,
                                            uint32_t *lengths, uint8_t *ends);

/* ---- agents ---- */

/* How much to think: until the first of these is reached, 0 meaning no such
   limit; all zero, until tafl_agent_stop. Thinking also ends when the result is
   proven. */
typedef struct tafl_budget {
  double seconds;
  uint64_t simulations;
  uint64_t states; /* visited, in the tree and in playouts */
} tafl_budget;

typedef struct tafl_choice {
  const char *move;
  uint32_t number; /* of the legal move */
  int is_proven;   /* the value is exact */
  uint64_t visits;
  double value; /* mean return for the agent's role; -1 without visits */
} tafl_choice;

/* What came of thinking. Agents that do not search (`random`, `legal`) fill in
   `move` and `number` only. */
typedef struct tafl_thought {
  const char *move; /* the best one, by the agent's rule */
  uint32_t number;  /* of the legal move */
  int is_searched;  /* 0: nothing below means anything */
  int is_proven;    /* the values are exact */
  int is_stopped;   /* by tafl_agent_stop */
  double value;     /* expected goal of the agent's role */
  double seconds, depth;
  uint64_t simulations, states, nodes;
  const tafl_choice *choices; /* own legal moves, the best one first */
  uint32_t choice_count;
  uint32_t line_length;    /* joint moves */
  const char *const *line; /* expected to follow: line_length times the move of
                              each role, in order */
  const char *explanation; /* all this as lines of text */
} tafl_thought;

/* A new agent for a role. The specification is written as everywhere in Tafl:
   "tafl", "cadia2010:c=30,threads=2", "random", "legal"; `tafl agents` lists
   names and settings. The same seed and a budget of simulations give the same
   choices, unless the agent uses several threads. */
TAFL_API tafl_status tafl_agent_new(tafl_game *game, const char *specification,
                                    uint32_t role, uint64_t seed,
                                    tafl_agent **agent);
TAFL_API void tafl_agent_close(tafl_agent *agent);

/* Thinks about the position, which must be of the agent's game and does not
   change. What was learned is kept as long as the positions of successive calls
   belong to one match: the same position with further moves made. `thought` may
   be NULL. A budget of NULL means one second. */
TAFL_API tafl_status tafl_agent_think(tafl_agent *agent,
                                      tafl_position *position,
                                      const tafl_budget *budget,
                                      tafl_thought *thought);
/* From any thread: ends the thinking under way soon. If none is under way, the
   next one ends at once. */
TAFL_API void tafl_agent_stop(tafl_agent *agent);

#ifdef __cplusplus
}
#endif

#endif
