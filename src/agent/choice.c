/* Entrants meet the one that leads so far, in their order. A meeting goes
   through rounds: it begins with the shortest games that say anything; when it
   is clear who is better at them, or after a number of games, and there is time
   for two games that are SLOWER, the next round is made of those. What a round
   came to is what is expected of the next one, and counts as FORESEEN games of
   it.

   In 13 games, of the deciding half of tools/gauntlet.txt and others, one round
   of games at 4 to 22 ms a move said in 12 who was better in matches at 0.15 s
   a move, on a machine with a load of 9 for each processor.

   Few slow games say more than many fast ones: with 2.4 s for games of matches
   at 0.25 s a move, minimax was chosen in skirmish 8 of 8 times with WANTED 4
   and 7 of 8 with 8, in chess_200 6 of 6 and 2 of 6, where it wins nearly every
   match; checkers 6 and 6 of 6, breakthrough 5 and 6 of 6, reversi never,
   connectFour 1 and 0 of 4, where it loses. */
#include "agent/choice.h"

#include <math.h>

#include "base/clock.h"

enum {
  ENTRANTS = 4,
  ROUNDS = 16,
  FORESEEN = 2, /* games that an expectation is worth */
  GAMES = 12,   /* of a round, at most */
  WANTED = 4,   /* of a first round, for which the time should suffice */
  SLOWER = 3,
};

/* A round is clear if the mean is this many standard deviations of a game with
   two results from a draw. */
static const double clear = 1.3;

/* A challenger needs this mean, since slower games rather favour the search:
   with 4 matches each at 0.2 s a move, the three games in which minimax had 48
   to 59 % of the short games came to 38, 25 and 0 %. */
static const double ahead = 0.55;

/* The share of a move's budget that a move of a short game has: in the first
   round at most, and at least, below which short games say nothing; and in any
   round at most. */
static const double first_most = 0.1, first_least = 0.005, pace_most = 0.4;

typedef struct Round {
  uint32_t leader, challenger;
  double pace;              /* share of a move's budget */
  double expected;          /* points of the challenger in a game */
  BoutsScore before, after; /* of the challenger; after: once it is over */
  bool over;
} Round;

struct Choice {
  Bouts *bouts;
  uint32_t count;
  ChoiceEntrant entrants[ENTRANTS];
  Budget play;
  double length; /* steps that a game is expected to take */
  double pace;   /* of first rounds; 0: not set yet */
  uint32_t at;
  Round rounds[ROUNDS];
  bool over; /* nothing is left to find out */
};

static double expected_length(Book *book) {
  const Analysis *analysis = book_analysis(book);
  if (!analysis || !analysis->ended) return 100;
  double mean = (double)analysis->states / (double)analysis->ended;
  return fmin(fmax(mean, 4), 200);
}

static Round first_round(const Choice *choice, uint32_t leader,
                         uint32_t challenger) {
  return (Round){.leader = leader,
                 .challenger = challenger,
                 .pace = choice->pace,
                 .expected = 0.5 + choice->entrants[challenger].expected -
                             choice->entrants[leader].expected,
                 .before = bouts_score(choice->bouts, challenger, leader)};
}

Choice *choice_new(Book *book, const ChoiceEntrant *entrants, uint32_t count,
                   const Budget *play, int64_t memory, double making,
                   uint64_t seed) {
  Choice *choice = memory_new(sizeof *choice);
  Entrant own[ENTRANTS];
  for (uint32_t i = 0; i < count; i++) {
    choice->entrants[i] = entrants[i];
    own[i] = entrants[i].entrant;
  }
  choice->bouts = bouts_new(book, own, count, memory, making, seed);
  choice->count = count;
  choice->play = *play;
  choice->play.stop = NULL;
  choice->length = expected_length(book);
  choice->over = count < 2;
  if (!choice->over) choice->rounds[0] = first_round(choice, 0, 1);
  return choice;
}

void choice_delete(Choice *choice) {
  bouts_delete(choice->bouts);
  memory_delete(choice);
}

/* ---- rounds ---- */

typedef struct Standing {
  double points; /* of the challenger, in so many games */
  uint32_t games;
  double mean; /* with what was expected */
} Standing;

static Standing stand(const Choice *choice, const Round *round) {
  BoutsScore score = round->over ? round->after
                                 : bouts_score(choice->bouts, round->challenger,
                                               round->leader);
  Standing standing = {score.points - round->before.points,
                       score.games - round->before.games, 0};
  standing.mean = (round->expected * FORESEEN + standing.points) /
                  (FORESEEN + standing.games);
  return standing;
}

/* Both games of each pair have been played. */
static bool is_decided(const Choice *choice, const Round *round) {
  Standing standing = stand(choice, round);
  double deviation = 0.5 / sqrt(FORESEEN + standing.games);
  return standing.games >= GAMES ||
         (standing.games >= 2 && standing.games % 2 == 0 &&
          fabs(standing.mean - 0.5) > clear * deviation);
}

static uint32_t winner(const Choice *choice, const Round *round) {
  return stand(choice, round).mean > ahead ? round->challenger : round->leader;
}

uint32_t choice_best(const Choice *choice) {
  return choice->count > 1 ? winner(choice, &choice->rounds[choice->at]) : 0;
}

static void end_round(const Choice *choice, Round *round) {
  round->after = bouts_score(choice->bouts, round->challenger, round->leader);
  round->over = true;
}

static void next_challenger(Choice *choice) {
  Round *round = &choice->rounds[choice->at];
  uint32_t next = round->challenger + 1, leader = winner(choice, round);
  choice->over = next >= choice->count || choice->at + 1 >= ROUNDS;
  if (choice->over) return;
  end_round(choice, round);
  choice->rounds[++choice->at] = first_round(choice, leader, next);
}

/* `left` is in budgets of moves. */
static void next_round(Choice *choice, double left) {
  Round next = choice->rounds[choice->at];
  next.pace *= SLOWER;
  next.expected = stand(choice, &next).mean;
  next.before = bouts_score(choice->bouts, next.challenger, next.leader);
  if (next.pace > pace_most || choice->at + 2 >= ROUNDS ||
      2 * next.pace * choice->length > left)
    next_challenger(choice);
  else {
    end_round(choice, &choice->rounds[choice->at]);
    choice->rounds[++choice->at] = next;
  }
}

bool choice_clear(const Choice *choice) {
  return choice->over;
}

/* ---- budgets ---- */

/* How many moves of the match a budget is worth. */
static double worth(const Choice *choice, const Budget *budget) {
  const Budget *play = &choice->play;
  if (play->seconds > 0) return budget->seconds / play->seconds;
  if (play->simulations)
    return (double)budget->simulations / (double)play->simulations;
  if (play->states) return (double)budget->states / (double)play->states;
  return 0;
}

/* So that the wanted games of each meeting fit into the budget, or at least two
   at the fastest pace. */
static void set_pace(Choice *choice, double moves) {
  double thinks = choice->length * (choice->count - 1);
  choice->pace = fmin(moves / (thinks * WANTED), first_most);
  if (choice->pace < first_least && moves / (thinks * 2) >= first_least)
    choice->pace = first_least;
  choice->rounds[0].pace = choice->pace;
  choice->over |= choice->pace < first_least;
}

static Budget pace_budget(const Choice *choice, const Budget *budget) {
  double pace = choice->rounds[choice->at].pace;
  const Budget *play = &choice->play;
  return (Budget){.seconds = play->seconds * pace,
                  .simulations =
                      (uint64_t)ceil((double)play->simulations * pace),
                  .states = (uint64_t)ceil((double)play->states * pace),
                  .threads = budget->threads,
                  .stop = budget->stop};
}

/* What is left of a budget, as a number of moves of the match: of time, or else
   by what everybody has had for thinking. */
typedef struct Purse {
  const Choice *choice;
  double worth, start;
  bool timed;
  uint64_t before; /* moves, and at which pace */
  double spent;
} Purse;

static double left_in(const Purse *purse) {
  double spent = purse->spent;
  if (purse->timed)
    spent = (clock_now() - purse->start) / purse->choice->play.seconds;
  return purse->worth - spent;
}

/* Plays one game of the round. Returns false if it was broken off. */
static bool play(Choice *choice, const Budget *budget, Purse *purse,
                 double part) {
  const Round *round = &choice->rounds[choice->at];
  Budget move = pace_budget(choice, budget);
  double until = purse->timed ? clock_now() + part * choice->play.seconds : 0;
  bool played =
      bouts_play(choice->bouts, round->challenger, round->leader, &move, until);
  uint64_t moves = bouts_moves(choice->bouts);
  purse->spent += (double)(moves - purse->before) * round->pace;
  purse->before = moves;
  return played;
}

/* Meetings share what is left equally. A game that does not fit into its share
   ends the meeting, if there is another one. */
void choice_improve(Choice *choice, const Budget *budget) {
  Purse purse = {.choice = choice,
                 .worth = worth(choice, budget),
                 .start = clock_now(),
                 .timed = choice->play.seconds > 0,
                 .before = bouts_moves(choice->bouts)};
  if (choice->pace == 0 && !choice->over) set_pace(choice, purse.worth);
  double reserve = -1; /* for later meetings */
  uint32_t challenger = 0;
  while (!choice->over && left_in(&purse) > 0) {
    const Round *round = &choice->rounds[choice->at];
    if (round->challenger != challenger) {
      double meetings = choice->count - round->challenger;
      challenger = round->challenger;
      reserve = left_in(&purse) * (1 - 1 / meetings);
    }
    double part = left_in(&purse) - reserve;
    bool played = part > 0 && play(choice, budget, &purse, part);
    if (played && is_decided(choice, round))
      next_round(choice, left_in(&purse) - reserve);
    if (played) continue;
    if (reserve <= 0 || (budget->stop && atomic_load(budget->stop)) ||
        left_in(&purse) > reserve)
      return;
    next_challenger(choice);
  }
}

/* ---- text ---- */

void choice_explain(const Choice *choice, Text *text) {
  for (uint32_t i = 0; choice->count > 1 && i <= choice->at; i++) {
    const Round *round = &choice->rounds[i];
    Standing standing = stand(choice, round);
    text_format(text, "short games: %s against %s: %.1f of %u",
                choice->entrants[round->challenger].entrant.name,
                choice->entrants[round->leader].entrant.name, standing.points,
                standing.games);
    if (choice->play.seconds > 0)
      text_format(text, ", at %.3f s a move",
                  choice->play.seconds * round->pace);
    text_format(text, "; with what was expected %.0f %%\n",
                100 * standing.mean);
  }
}
