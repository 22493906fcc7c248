/* The thread that answers. It keeps an engine of its own to know what is legal,
   reads the link some fifty times a second, and leaves thinking to the
   thinkers. A request is answered at once with any legal move, then with what
   the thinkers find; no move is published that the engine finds illegal.

   What it asks the engine takes a share of the time for the answer at most. If
   the state is not known by then, a move that is legal in every state is
   published, or a guess, and the engine is asked again. */
#include "player/flow.h"

#include <poll.h>

#include "base/clock.h"
#include "player/mend.h"
#include "player/team.h"
#include "rules/rules.h"

enum { TICK = 20 }; /* milliseconds */

/* The share of the time for an answer that finding the new state may take, and
   the least number of seconds it gets; and the share of the play clock for
   later attempts. */
static const double state_share = 0.2, state_least = 0.05, again_share = 0.3;
/* The least time limit for one state on the rules engine: a busy machine must
   not trip it, and the first state of some public games takes a second. */
static const double state_seconds = 5;
/* How long the last reports are waited for, after STOP; the server waits a
   second. */
static const double farewell = 0.5;

typedef struct Request {
  bool open; /* no final answer yet */
  uint32_t number;
  double deadline;
  Text published; /* the last move sent; empty: none yet */
  bool guessed;   /* it may not be legal, */
  bool guess;     /* nor the one that was chosen last */
} Request;

typedef struct Flow {
  const Start *start;
  int link;
  Description description;
  bool playable; /* there is an engine */
  Position position;
  Team team;
  Request request;
  uint32_t told;   /* steps that the server knows */
  bool ready_told; /* or it is too late for that */
  bool over;
  Text report;      /* that could not be sent yet; empty: none */
  uint32_t subject; /* the request that it is about */
  Text last;        /* move last published for any request */
  Text move;        /* buffer for choose */
} Flow;

/* ---- sending ---- */

static bool say(const Flow *flow, LinkKind kind, uint32_t number, Text *text) {
  if (text->length > LINK_LARGEST) {
    text->length = LINK_LARGEST;
    text->bytes[LINK_LARGEST] = 0;
  }
  return link_send(flow->link, kind, number, clock_now(), text_string(text));
}

/* Sends each line as a note, and frees the text. */
static void say_notes(const Flow *flow, Text *notes) {
  TextVector lines = {0};
  spelling_split(text_string(notes), &lines);
  for (uint32_t i = 0; i < lines.count; i++)
    say(flow, LINK_NOTE, 0, &lines.data[i]);
  text_vector_free(&lines);
  text_free(notes);
}

/* Returns true if the server now knows all steps. */
static bool tell_steps(Flow *flow) {
  while (flow->told < flow->position.history.count &&
         say(flow, LINK_STEP, flow->told,
             &flow->position.history.data[flow->told]))
    flow->told++;
  return flow->told == flow->position.history.count;
}

static void tell_ready(Flow *flow) {
  flow->ready_told = link_send(flow->link, LINK_READY, 0, clock_now(), "");
}

/* ---- start ---- */

static uint32_t find_role(Flow *flow) {
  uint32_t role;
  if (spelling_role(&flow->description, flow->start->role, &role)) return role;
  Text notes = {0};
  text_format(&notes, "no role '%s': playing the first one", flow->start->role);
  say_notes(flow, &notes);
  return 0;
}

/* Until when finding a state may take, with `left` seconds for all. */
static double state_end(double left) {
  double share = left * state_share;
  return clock_now() + (share > state_least ? share : state_least);
}

/* Publishes a move before anyone asks: the server falls back on it. */
static void say_early(const Flow *flow, Text *move) {
  if (move->length) say(flow, LINK_MOVE, 0, move);
  text_free(move);
}

/* A fact `legal` holds in every state, whatever else the rules are. */
static void say_fact(const Flow *flow, uint32_t role) {
  const Rules *rules = &flow->description.rules;
  Text move = {0};
  for (uint32_t i = 0; i < rules->list.count && !move.length; i++) {
    const Rule *rule = &rules->list.data[i];
    if (!rule->count &&
        term_symbol(&rules->terms, rule->head) == SYMBOL_LEGAL &&
        term_arity(&rules->terms, rule->head) == 2 &&
        term_argument(&rules->terms, rule->head, 0) == rules->roles.data[role])
      term_write(&rules->terms, term_argument(&rules->terms, rule->head, 1),
                 &move);
  }
  say_early(flow, &move);
}

/* Creates an engine on the rules, without those that have errors. */
static void open_position(Flow *flow) {
  const Start *start = flow->start;
  RulesLimits limits = start->limits.rules;
  double least = start->play > state_seconds ? start->play : state_seconds;
  if (limits.seconds <= 0 || limits.seconds > least) limits.seconds = least;
  limits.memory /= 8;
  Text notes = {0};
  mend_read(&flow->description, "rules", start->rules, start->rules_length,
            &notes);
  say_notes(flow, &notes);
  flow->playable = flow->description.rules.roles.count > 0;
  if (!flow->playable) return;
  uint32_t role = find_role(flow);
  say_fact(flow, role);
  Game *game = rules_engine_new(&flow->description, &limits);
  position_init(&flow->position, game, role, start->seed,
                state_end(start->play));
}

static void begin(Flow *flow) {
  Text notes = {0};
  double start = clock_now();
  open_position(flow);
  if (!flow->playable) {
    text_add(&notes, "the rules have no role: nothing can be played");
  } else {
    team_start(&flow->team, flow->start, &flow->description, &flow->position,
               flow->link);
    position_replay(&flow->position, flow->start->history,
                    state_end(flow->start->play), &notes);
    flow->told = flow->position.history.count;
    Text move = {0};
    if (position_any(&flow->position, false, &move))
      text_format(&notes, "a legal move after %.2f s\n", clock_now() - start);
    say_early(flow, &move);
  }
  say_notes(flow, &notes);
}

/* ---- answers ---- */

/* Sets the move to what was published before, else to any legal one; if none is
   known, to a likely one, or the last of any request: game masters ask even
   when the game is over. Returns false for such a guess. */
static bool choose_any(Flow *flow) {
  const Request *request = &flow->request;
  Text *move = &flow->move;
  bool first = flow->start->agent->kind == SPEC_LEGAL;
  text_clear(move);
  if (!request->guessed) text_add(move, text_string(&request->published));
  if (!move->length) text_add(move, text_string(&flow->position.answered));
  if (move->length || position_any(&flow->position, first, move)) return true;
  text_add(move, text_string(&flow->position.likely));
  if (!move->length) text_add(move, text_string(&flow->last));
  if (!move->length) text_add(move, "noop");
  return false;
}

/* Sets `flow->move`; returns true if there will be no better one. */
static bool choose(Flow *flow) {
  bool settled;
  bool found = team_best(&flow->team, &flow->move, &settled);
  flow->request.guess = !found && !choose_any(flow);
  if (flow->request.guess && position_lags(&flow->position)) return false;
  return settled || team_empty(&flow->team);
}

static void remember(Flow *flow) {
  Text *places[] = {&flow->request.published, &flow->last};
  for (int i = 0; i < 2; i++) {
    text_clear(places[i]);
    text_add(places[i], flow->move.bytes);
  }
  flow->request.guessed = flow->request.guess;
  if (!flow->request.guessed)
    position_answer(&flow->position, flow->move.bytes);
}

/* No better answer will be sent; its report is. */
static void close_request(Flow *flow) {
  Request *request = &flow->request;
  if (!request->open) return;
  request->open = false;
  team_ask_report(&flow->team, request->number,
                  text_string(&request->published));
}

static void publish(Flow *flow) {
  Request *request = &flow->request;
  const Position *position = &flow->position;
  bool final = choose(flow) ||
               (position->complete && position->legal.count == 1) ||
               clock_now() >= request->deadline;
  bool same = request->published.length &&
              strcmp(request->published.bytes, flow->move.bytes) == 0;
  if (same && !final) return;
  /* The step goes before the answer to it; if it cannot, both wait a tick. */
  if (!tell_steps(flow) ||
      !say(flow, final ? LINK_FINAL : LINK_MOVE, request->number, &flow->move))
    return;
  remember(flow);
  if (final) close_request(flow);
}

/* Sends the reports that are there; returns false if the link is full. */
static bool send_reports(Flow *flow) {
  Text *report = &flow->report;
  while (report->length ||
         team_take_report(&flow->team, &flow->subject, report)) {
    if (!say(flow, LINK_REPORT, flow->subject, report)) return false;
    text_clear(report);
  }
  return true;
}

/* Before the end, those that thinkers still owe are waited for, but not long.
 */
static void send_last_reports(Flow *flow) {
  double until = clock_now() + farewell;
  while ((!send_reports(flow) || team_owes(&flow->team)) && clock_now() < until)
    poll(NULL, 0, 1);
}

/* ---- receiving ---- */

static void move_on(Flow *flow, const LinkFrame *frame) {
  Text notes = {0};
  TextVector moves = {0};
  uint32_t before = flow->position.history.count;
  spelling_split(text_string(&frame->text), &moves);
  double end = state_end(frame->time - clock_now());
  uint32_t kept = position_play(&flow->position, &moves, end, &notes);
  text_vector_free(&moves);
  if (kept < flow->told) flow->told = kept;
  tell_steps(flow);
  team_follow(&flow->team, kept, before);
  say_notes(flow, &notes);
}

static void say_goals(Flow *flow) {
  Text notes = {0};
  Game *game = flow->position.game;
  if (game_failed(game)) return;
  text_add(&notes, game_terminal(game) ? "goals:" : "stopped before the end:");
  for (uint32_t role = 0; role < game->role_count; role++) {
    text_add_byte(&notes, ' ');
    term_write(game_terms(game), game_role(game, role), &notes);
    text_format(&notes, " %d", game_goal(game, role));
  }
  say_notes(flow, &notes);
}

static void open_request(Flow *flow, const LinkFrame *frame) {
  Request *request = &flow->request;
  request->open = true;
  request->number = frame->number;
  request->deadline = frame->time;
  text_clear(&request->published);
  request->guessed = false;
  flow->ready_told = true;
}

/* The server answers at the deadline whether we have finished or not: a request
   that is still open when the next message comes has been answered. */
static void hear(Flow *flow, const LinkFrame *frame) {
  if (frame->kind == LINK_STOP) flow->over = true;
  if (!flow->playable) return;
  if (frame->kind == LINK_THREADS) {
    team_share(&flow->team, frame->number);
    return;
  }
  if (frame->kind == LINK_WATCH) {
    team_watch(&flow->team, frame->number);
    return;
  }
  if (frame->kind != LINK_AGAIN) close_request(flow);
  if (frame->kind == LINK_PLAY || frame->kind == LINK_STOP)
    move_on(flow, frame);
  if (frame->kind == LINK_STOP) {
    say_goals(flow);
    send_last_reports(flow);
  }
  if (frame->kind == LINK_PLAY || frame->kind == LINK_AGAIN) {
    open_request(flow, frame);
    publish(flow);
  }
}

/* ---- the loop ---- */

static bool is_ready(Flow *flow) {
  return !flow->playable || clock_now() >= flow->start->start_deadline ||
         choose(flow);
}

/* Lets the engine find what it could not find at first; a request that is open
   is then answered from it. */
static void catch_up(Flow *flow) {
  Text notes = {0};
  double end = clock_now() + flow->start->play * again_share;
  double due = flow->request.deadline - 2 * TICK / 1e3;
  if (!position_lags(&flow->position)) return;
  if (flow->request.open && due < end) end = due;
  if (end < clock_now()) return;
  bool found = position_catch_up(&flow->position, end, &notes);
  say_notes(flow, &notes);
  if (found && flow->request.open) publish(flow);
}

static void tick(Flow *flow) {
  if (flow->playable) {
    Text notes = {0};
    team_update(&flow->team, &notes);
    say_notes(flow, &notes);
    tell_steps(flow);
    if (flow->request.open) publish(flow);
    send_reports(flow);
    catch_up(flow);
  }
  if (!flow->ready_told && is_ready(flow)) tell_ready(flow);
}

/* Waits for a frame, the next deadline or the next tick. A deadline that has
   passed could not be met because the link is full: it waits for a tick. */
static void wait(const Flow *flow) {
  struct pollfd link = {.fd = flow->link, .events = POLLIN};
  double now = clock_now(), next = now + TICK / 1e3;
  double due = flow->request.open ? flow->request.deadline
               : flow->ready_told ? next
                                  : flow->start->start_deadline;
  if (due > now && due < next) next = due;
  poll(&link, 1, (int)((next - now) * 1e3) + 1);
}

static void free_flow(Flow *flow) {
  if (flow->playable) position_free(&flow->position);
  team_free_reports(&flow->team);
  text_free(&flow->report);
  text_free(&flow->request.published);
  text_free(&flow->last);
  text_free(&flow->move);
}

int flow_run(const Start *start, int link) {
  Flow flow = {.start = start, .link = link};
  LinkFrame frame = {0};
  LinkEvent event = LINK_EMPTY;
  begin(&flow);
  while (!flow.over && event != LINK_CLOSED) {
    tick(&flow);
    wait(&flow);
    while (!flow.over && (event = link_receive(link, &frame)) == LINK_GOT)
      hear(&flow, &frame);
  }
  text_free(&frame.text);
  free_flow(&flow);
  return 0;
}
