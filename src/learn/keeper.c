/* Files of other games are read only if there is none of this game, the last
   used first and only so many of them, since this takes of the start clock. */
#include "learn/keeper.h"

#include <math.h>

#include "learn/audition.h"
#include "learn/shelf.h"
#include "learn/transfer.h"

enum { SIMILAR_FILES = 50 };
static const double LEAST_SHARE = 0.5; /* of features that a start must have */
static const double FACTOR = 1;        /* of transferred weights */
static const double CONFIDENCE = 0.1;  /* in them: share of their targets */
static const double CONFIDENT = 20000; /* targets at most */

struct Keeper {
  const char *directory; /* borrowed */
  Canon canon;
  uint64_t saved; /* targets that the file rests on */
  Text origin;    /* what the learner began with */
  Text trouble;
};

/* ---- similar games ---- */

/* Reads the knowledge of the most similar game. Returns false if none is
   similar enough. */
static bool find_similar(Keeper *keeper, const Linear *linear,
                         Knowledge *best) {
  TextVector rules = {0};
  double most = 0;
  bool found = false;
  shelf_list(keeper->directory, &rules);
  for (uint32_t i = 0; i < rules.count && i < SIMILAR_FILES; i++) {
    Knowledge each;
    Text error = {0};
    ShelfEnd end = shelf_peek(keeper->directory, text_string(&rules.data[i]),
                              &each, &error);
    text_free(&error);
    if (end != SHELF_READ) continue;
    double share = transfer_share(&each, linear);
    bool better = share >= LEAST_SHARE && share > most;
    if (better) {
      if (found) knowledge_free(best);
      *best = each;
      most = share;
      found = true;
    } else {
      knowledge_free(&each);
    }
  }
  text_vector_free(&rules);
  return found;
}

/* Weights of another game are a guess: they are not taken if random games
   contradict them, and what is seen of this game soon overrules them. With the
   weights of breakthrough, breakthroughSuicide had explained 12 and 14 % of its
   goals after a second, and 18 and 22 % without. After learning from 18,000
   states, minimax with a transferred start won 36 of 60 games of
   breakthroughSmall against minimax without (47 to 71 %), and 8.5 of 18 of
   checkersSmall with weights of checkers; with knowledge of the very game it
   won 19 of 24 (60 to 91 %). */
static void begin_similar(Keeper *keeper, Book *book, Learner *learner) {
  Linear *linear = learner_linear(learner);
  Knowledge other;
  if (!find_similar(keeper, linear, &other)) return;
  const char *game = text_string(&other.game);
  uint32_t count = transfer_give(&other, FACTOR, linear);
  linear_freeze(linear);
  Audition audition = audition_hear(book, &linear->evaluation, 1);
  if (audition_failed(&audition)) {
    transfer_clear(linear);
    text_format(&keeper->origin,
                "learning did not begin with weights of %s, a similar game: "
                "they go against the results of %u random games",
                game, audition.games);
  } else {
    double targets = CONFIDENCE * (double)other.work.targets;
    learner_resume(learner, &(LearnerProgress){
                                .targets = (uint64_t)fmin(targets, CONFIDENT)});
    text_format(&keeper->origin,
                "learning began with %u weights of %s, a similar game (%llu "
                "games)",
                count, game, (unsigned long long)other.work.games);
  }
  knowledge_free(&other);
}

/* ---- this game ---- */

static bool begin_same(Keeper *keeper, Learner *learner) {
  Knowledge own;
  ShelfEnd end =
      shelf_load(keeper->directory, keeper->canon.hash, &own, &keeper->trouble);
  if (end != SHELF_READ) return false;
  uint32_t count =
      knowledge_give(&own, &keeper->canon, learner_linear(learner));
  if (count) {
    learner_resume(learner, &own.work);
    keeper->saved = own.work.targets;
    text_format(&keeper->origin,
                "learning began with %u weights of this game (%llu games)",
                count, (unsigned long long)own.work.games);
  }
  knowledge_free(&own);
  return count;
}

Keeper *keeper_new(Book *book, Learner *learner) {
  if (!book->limits.knowledge) return NULL;
  Keeper *keeper = memory_new(sizeof *keeper);
  keeper->directory = book->limits.knowledge;
  canon_init(&keeper->canon, book->description);
  if (shelf_open(keeper->directory, &keeper->trouble) &&
      !begin_same(keeper, learner))
    begin_similar(keeper, book, learner);
  return keeper;
}

void keeper_delete(Keeper *keeper) {
  if (!keeper) return;
  canon_free(&keeper->canon);
  text_free(&keeper->origin);
  text_free(&keeper->trouble);
  memory_delete(keeper);
}

bool keeper_save(Keeper *keeper, Learner *learner) {
  if (!keeper || !learner) return true;
  LearnerProgress progress = learner_progress(learner);
  if (progress.targets <= keeper->saved) return true;
  Knowledge own;
  text_clear(&keeper->trouble);
  knowledge_take(&own, &keeper->canon, learner_linear(learner), &progress);
  bool fine = shelf_save(keeper->directory, &own, &keeper->trouble);
  if (fine) keeper->saved = progress.targets;
  knowledge_free(&own);
  return fine;
}

const char *keeper_trouble(const Keeper *keeper) {
  return keeper ? text_string(&keeper->trouble) : "";
}

void keeper_write(const Keeper *keeper, Text *text) {
  if (!keeper) return;
  if (keeper->origin.length)
    text_format(text, "%s\n", text_string(&keeper->origin));
  if (keeper->trouble.length)
    text_format(text, "knowledge: %s\n", text_string(&keeper->trouble));
}
