/* Entrants meet the one that leads so far, in their order: a meeting is over
   when it is clear who is better, or after a number of games. What is expected
   of an entrant counts as FORESEEN games. */
#include "agent/choice.h"

#include <math.h>

#include "base/clock.h"

enum {
  ENTRANTS = 4,
  FORESEEN = 2, /* games that an expectation is worth */
  GAMES = 12,   /* of a meeting, at most */
  WANTED = 6,   /* of a meeting, for which the time should suffice */
};

/* A meeting is clear if the mean is this many standard deviations of a game
   with two results from a draw. */
static const double clear = 1.3;

/* The share of a move's budget that a move of a short game has: at most, and at
   least, below which short games say nothing. */
static const double pace_most = 0.2, pace_least = 0.01;

typedef struct Meeting {
  uint32_t leader, challenger;
  bool over;
} Meeting;

struct Choice {
  Bouts *bouts;
  uint32_t count;
  ChoiceEntrant entrants[ENTRANTS];
  Budget play;
  double length; /* steps that a game is expected to take */
  double pace;   /* 0: not set yet */
  uint32_t at;   /* meeting */
  Meeting meetings[ENTRANTS];
  bool impossible; /* short games cannot be played */
};

static double expected_length(Book *book) {
  const Analysis *analysis = book_analysis(book);
  if (!analysis || !analysis->ended) return 100;
  double mean = (double)analysis->states / (double)analysis->ended;
  return fmin(fmax(mean, 4), 200);
}

Choice *choice_new(Book *book, const ChoiceEntrant *entrants, uint32_t count,
                   const Budget *play, int64_t memory, uint64_t seed) {
  Choice *choice = memory_new(sizeof *choice);
  Entrant own[ENTRANTS];
  for (uint32_t i = 0; i < count; i++) {
    choice->entrants[i] = entrants[i];
    own[i] = entrants[i].entrant;
  }
  choice->bouts = bouts_new(book, own, count, memory, seed);
  choice->count = count;
  choice->play = *play;
  choice->play.stop = NULL;
  choice->length = expected_length(book);
  choice->meetings[0] = (Meeting){.challenger = 1, .over = count < 2};
  return choice;
}

void choice_delete(Choice *choice) {
  bouts_delete(choice->bouts);
  memory_delete(choice);
}

void choice_refresh(Choice *choice) {
  bouts_refresh(choice->bouts);
}

/* ---- meetings ---- */

typedef struct Standing {
  BoutsScore score; /* of the challenger */
  double mean, games;
} Standing;

static Standing stand(const Choice *choice, const Meeting *meeting) {
  Standing standing;
  BoutsScore score =
      bouts_score(choice->bouts, meeting->challenger, meeting->leader);
  double expected = 0.5 + choice->entrants[meeting->challenger].expected -
                    choice->entrants[meeting->leader].expected;
  standing.score = score;
  standing.games = FORESEEN + score.games;
  standing.mean = (expected * FORESEEN + score.points) / standing.games;
  return standing;
}

static bool is_decided(const Choice *choice, const Meeting *meeting) {
  Standing standing = stand(choice, meeting);
  double deviation = 0.5 / sqrt(standing.games);
  return standing.score.games >= GAMES ||
         (standing.score.games >= 2 && standing.score.games % 2 == 0 &&
          fabs(standing.mean - 0.5) > clear * deviation);
}

static uint32_t winner(const Choice *choice, const Meeting *meeting) {
  return stand(choice, meeting).mean > 0.5 ? meeting->challenger
                                           : meeting->leader;
}

uint32_t choice_best(const Choice *choice) {
  uint32_t leader = 0;
  for (uint32_t i = 0; i <= choice->at; i++)
    leader = winner(choice, &choice->meetings[i]);
  return choice->count > 1 ? leader : 0;
}

static void end_meeting(Choice *choice) {
  Meeting *meeting = &choice->meetings[choice->at];
  meeting->over = true;
  if (meeting->challenger + 1 >= choice->count) return;
  choice->meetings[++choice->at] = (Meeting){
      .leader = winner(choice, meeting), .challenger = meeting->challenger + 1};
}

bool choice_clear(const Choice *choice) {
  return choice->impossible || choice->meetings[choice->at].over;
}

/* ---- budgets ---- */

/* So that the wanted games of each meeting fit into the budget. */
static double find_pace(const Choice *choice, const Budget *budget) {
  double thinks = choice->length * WANTED * (choice->count - 1);
  double moves = 0; /* that the budget is worth */
  if (choice->play.seconds > 0)
    moves = budget->seconds / choice->play.seconds;
  else if (choice->play.simulations)
    moves = (double)budget->simulations / (double)choice->play.simulations;
  else if (choice->play.states)
    moves = (double)budget->states / (double)choice->play.states;
  return fmin(moves / thinks, pace_most);
}

static Budget pace_budget(const Choice *choice, const Budget *budget) {
  return (Budget){
      .seconds = choice->play.seconds * choice->pace,
      .simulations =
          (uint64_t)ceil((double)choice->play.simulations * choice->pace),
      .states = (uint64_t)ceil((double)choice->play.states * choice->pace),
      .threads = budget->threads,
      .stop = budget->stop};
}

/* Counted budgets give a number of moves. */
static bool is_spent(const Choice *choice, const Budget *budget,
                     const Budget *move, uint64_t before) {
  uint64_t moves = bouts_moves(choice->bouts) - before;
  return (move->simulations &&
          moves * move->simulations >= budget->simulations) ||
         (move->states && moves * move->states >= budget->states);
}

/* Time is shared equally by the meetings that are left. */
static double meeting_end(const Choice *choice, double end) {
  uint32_t left = choice->count - choice->meetings[choice->at].challenger;
  double now = clock_now();
  return end > 0 ? now + (end - now) / left : 0;
}

void choice_improve(Choice *choice, const Budget *budget) {
  double end = budget->seconds > 0 ? clock_now() + budget->seconds : 0;
  double until = meeting_end(choice, end);
  uint64_t before = bouts_moves(choice->bouts);
  if (choice->pace == 0) choice->pace = find_pace(choice, budget);
  if (choice->pace < pace_least) choice->impossible = true;
  Budget move = pace_budget(choice, budget);
  while (!choice_clear(choice) && !is_spent(choice, budget, &move, before)) {
    const Meeting *meeting = &choice->meetings[choice->at];
    bool played = bouts_play(choice->bouts, meeting->challenger,
                             meeting->leader, &move, until);
    if (played && !is_decided(choice, meeting)) continue;
    if (!played && (end == 0 || clock_now() < until || until >= end)) return;
    end_meeting(choice);
    until = meeting_end(choice, end);
  }
}

/* ---- text ---- */

void choice_explain(const Choice *choice, Text *text) {
  for (uint32_t i = 0; i <= choice->at; i++) {
    const Meeting *meeting = &choice->meetings[i];
    Standing standing = stand(choice, meeting);
    text_format(text, "short games: %s against %s: %.1f of %u",
                choice->entrants[meeting->challenger].entrant.name,
                choice->entrants[meeting->leader].entrant.name,
                standing.score.points, standing.score.games);
    if (choice->play.seconds > 0)
      text_format(text, ", at %.3f s a move",
                  choice->play.seconds * choice->pace);
    text_format(text, "; with what was expected %.0f %%\n",
                100 * standing.mean);
  }
}
