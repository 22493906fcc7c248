/* A search in its match: positions, thinking, answers. The engine stands at the
   root's state except while the search thinks. */
#include "search/search.h"

#include "base/clock.h"
#include "search/grow.h"
#include "search/judge.h"
#include "search/others.h"
#include "search/parts.h"
#include "search/plan.h"
#include "search/scratch.h"
#include "search/select.h"
#include "search/sequential.h"
#include "search/settle.h"
#include "search/summary.h"
#include "search/twins.h"
#include "search/workers.h"

/* ---- positions ---- */

static void remember_state(Search *search) {
  const uint64_t *words;
  uint32_t count = game_state(search->game, &words);
  vector_resize(&search->root_state, count);
  for (uint32_t i = 0; i < count; i++) search->root_state.data[i] = words[i];
}

static void return_to_root(Search *search) {
  game_enter(search->game, search->root_state.data, search->root_state.count);
}

/* Returns false if the root is the node of another state, which the table of
   states took for the same: its moves may be others. */
static bool is_root_state(const Search *search) {
  const Node *root = tree_node(search->tree, search->root);
  return root->state_words == search->root_state.count &&
         (!root->state_words ||
          !memcmp(node_state(search->tree, root), search->root_state.data,
                  root->state_words * sizeof(uint64_t)));
}

/* Makes the engine's state the root. A cleared tree has room for one node,
   unless it is very small. */
static void stand_here(Search *search) {
  bool added;
  remember_state(search);
  if (search->settings.final == FINAL_EFFECTIVE)
    search->chance = random_next(&search->own.random);
  search->root = grow_node(search, search->game, search->depth, &added);
  if (!search->root || !is_root_state(search)) {
    tree_clear(search->tree);
    search->root = grow_node(search, search->game, search->depth, &added);
  }
  if (!search->root && !game_failed(search->game))
    text_add(&search->game->error,
             "a role has no legal move, or the tree has no room for one state "
             "(setting memory)");
  search->full = false;
  others_clear(search);
  if (search->root) summary_publish(search);
}

/* Symmetries are proved for the states of a match; those of other states may
   be none. Puzzles leave them to their own methods. */
static void choose_symmetries(Search *search) {
  bool wanted = search->settings.symmetry && search->role_count > 1 &&
                search->settings.transpose != TRANSPOSE_RESOLUTION;
  search->symmetries =
      wanted ? book_symmetries_from(search->book, search->game) : NULL;
}

void search_reset(Search *search) {
  tree_clear(search->tree);
  game_reset(search->game);
  choose_symmetries(search);
  plan_clear(search);
  search->depth = 0;
  search->way = 0;
  stand_here(search);
}

bool search_enter(Search *search, const Term *facts, uint32_t count) {
  if (!game_enter_facts(search->game, facts, count)) return false;
  tree_clear(search->tree);
  choose_symmetries(search);
  plan_clear(search);
  search->depth = 0;
  search->way = 0;
  stand_here(search);
  return true;
}

void search_advance(Search *search, const Move *joint) {
  for (uint32_t role = 0; role < search->role_count; role++) {
    uint32_t move = numbering_number(&search->moves, role, joint[role]);
    search->way = grow_way(search->way, &move, 1);
  }
  twins_follow(search, joint);
  game_make(search->game, joint);
  search->depth++;
  if (search->settings.tree != TREE_KEEP) tree_clear(search->tree);
  stand_here(search);
  return_to_root(search); /* forgets the way here */
  if (search->root) tree_keep(search->tree, search->root);
  if (search->root && search->settings.path != PATH_NONE) {
    plan_advance(search, joint);
    summary_publish(search); /* the plan says something else now */
  }
  if (search->settings.decay < 1) {
    mast_decay(&search->mast, search->settings.decay);
    ngrams_decay(&search->ngrams, search->settings.decay);
  }
}

void search_enter_state(Search *search, const uint64_t *state, uint32_t words,
                        uint32_t depth) {
  game_enter(search->game, state, words);
  plan_clear(search);
  search->depth = depth;
  if (search->settings.tree != TREE_KEEP) tree_clear(search->tree);
  stand_here(search);
  return_to_root(search);
  if (search->root) tree_keep(search->tree, search->root);
}

/* ---- the evaluation ---- */

void search_set_evaluation(Search *search, const Evaluation *evaluation) {
  assert(!evaluation ||
         (search->book->has_net && evaluation->words == search->book->words &&
          evaluation->role_count == search->role_count));
  search->evaluation = evaluation;
  judge_fit(&search->own.judge, evaluation);
  if (search->workers) workers_set_evaluation(search);
}

/* ---- allies ---- */

bool search_set_ally(Search *search, Ally *ally) {
  if (!search->workers) return false;
  workers_set_ally(search, ally);
  return true;
}

/* ---- thinking ---- */

static void begin_report(Search *search) {
  SearchReport *report = &search->report;
  report->simulations = report->states = report->descents = 0;
  report->cut_off = report->lane_moves = report->lane_room = 0;
  report->depth_most = 0;
  report->waited = 0;
  report->waits = report->allied = report->offloaded = 0;
  search->depth_sum = 0;
  for (int phase = 0; phase < PHASE_COUNT; phase++) report->phases[phase] = 0;
}

void search_think(Search *search, const Budget *budget) {
  Limit limit;
  limit_init(&limit, budget, search->settings.share);
  begin_report(search);
  if (!search->root) return;
  if (search->strategies) strategy_think(search->strategies);
  if (!settle_done(search)) {
    if (search->workers)
      workers_think(search, &limit);
    else
      sequential_think(search, &limit);
  }
  search->report.allied += search->allied;
  summary_publish(search);
  return_to_root(search);
  search->report.seconds = clock_now() - limit.start;
}

Move search_best(Search *search) {
  return atomic_load(&search->best);
}

const SearchReport *search_report(Search *search) {
  if (search->root) summary_fill(search);
  return &search->report;
}

Game *search_game(Search *search) {
  return search->game;
}

void search_write_learned(Search *search, Text *text) {
  if (!search->fast) return;
  for (uint32_t i = 0; i < fast_feature_count(search->fast); i++) {
    fast_write_feature(search->fast, i, text);
    text_format(text, " %.2f\n", fast_weight(search->fast, i));
  }
}

/* ---- creation ---- */

static void start_fast(Search *search) {
  const Settings *settings = &search->settings;
  const Features *features =
      settings->fast ? book_features(search->book) : NULL;
  if (!features || features->kind == FAST_NONE) return;
  FastOptions options = {.lambda = settings->lambda,
                         .alpha = settings->alpha,
                         .cell_factor = settings->cells,
                         .guard = settings->guard};
  search->fast = fast_new(features, search->role, &options);
}

/* What MiNI-Player needs. Batches choose moves in other ways. */
static void start_mini(Search *search) {
  const Settings *settings = &search->settings;
  const Book *book = search->book;
  if (settings->lanes == 1 || !book->has_net)
    search->strategies =
        strategy_new(search->book, settings, search->role_count);
  if (settings->transpose == TRANSPOSE_RESOLUTION)
    resolution_init(&search->resolution, game_terms(search->game),
                    book->has_net ? &book->net : NULL);
}

/* The first solver assumed that each role wants its own highest goal. Where
   returns are differences, that holds only if the goals of each state add up to
   100; as far as sampled games show. */
static bool may_prove(Search *search) {
  if (search->settings.solver != 1) return search->settings.solver;
  if (search->settings.returns == RETURNS_OWN || search->role_count != 2)
    return true;
  const Analysis *analysis = book_analysis(search->book);
  return analysis && analysis->constant_sum && analysis->sum == 100;
}

/* Two players who cannot talk may agree on a move if both gain by that. Where
   goals add up to a constant, neither does. */
static bool may_agree(Search *search) {
  if (search->settings.even <= 0 || search->role_count < 2) return false;
  const Analysis *analysis = book_analysis(search->book);
  return analysis && analysis->ended && !analysis->constant_sum;
}

/* The statistics that the settings need beside the actions. */
static uint32_t columns_needed(const Search *search) {
  const Settings *settings = &search->settings;
  uint32_t columns = 0;
  if (search->quick) columns |= 1u << COLUMN_bounds;
  if (settings->rave) columns |= 1u << COLUMN_rave;
  if (settings->final == FINAL_MAXIMUM || settings->path != PATH_NONE ||
      settings->estimate == ESTIMATE_MAXIMUM)
    columns |= 1u << COLUMN_maximum;
  if (search->surveys) columns |= 1u << COLUMN_judged;
  return columns;
}

/* Says whether evaluations are wanted for actions, and can be backed up. */
static void start_surveys(Search *search) {
  const Settings *settings = &search->settings;
  const Aim *aim = &search->aim;
  search->surveys = settings->lanes != 1 && search->book->has_net &&
                    !settings->rave &&
                    settings->unexplored != UNEXPLORED_URGENCY &&
                    (settings->prior > 0 || settings->implicit > 0);
  if (!search->surveys || settings->implicit <= 0 || search->role_count != 2)
    return;
  const Analysis *analysis = book_analysis(search->book);
  search->minimax = analysis && analysis->constant_sum;
  if (search->minimax)
    search->returns =
        (aim->own + aim->other) * analysis->sum + 2 * aim->constant;
}

Search *search_new(Book *book, uint32_t role, const Settings *wanted,
                   uint64_t seed) {
  Search *search = memory_new(sizeof *search);
  Settings *settings = &search->settings;
  search->book = book;
  search->role = role;
  search->game = book_game(book);
  search->role_count = search->game->role_count;
  *settings = *wanted;
  if (!settings->threads) settings->threads = 1;
  settings_adapt(settings, search->role_count);
  numbering_init(&search->moves, book->has_net ? &book->net : NULL);
  mast_init(&search->mast, settings->unseen, settings->tau);
  mast_grow(&search->mast, numbering_count(&search->moves));
  ngrams_init(&search->ngrams, (double)settings->grams);
  scratch_init(&search->own, search, seed, &search->mast);
  search->report.values =
      memory_new(search->role_count * sizeof *search->report.values);
  vector_resize(&search->joint, search->role_count);
  start_fast(search);
  start_mini(search);
  if (!may_prove(search)) search->settings.solver = 0;
  if (!may_agree(search)) search->settings.even = 0;
  aim_init(&search->aim, book, search->role_count, settings);
  start_surveys(search);
  if (settings->lanes != 1 && settings->tree != TREE_NONE && book->has_net)
    search->workers = workers_new(search);
  select_init(search);
  search->tree = tree_new(search->role_count, (size_t)settings->memory << 20);
  tree_use(search->tree, columns_needed(search));
  search_reset(search);
  return search;
}

void search_delete(Search *search) {
  if (search->workers) workers_delete(search->workers);
  if (search->fast) fast_delete(search->fast);
  strategy_delete(search->strategies);
  resolution_free(&search->resolution);
  vector_free(&search->plan.moves);
  game_delete(search->game);
  numbering_free(&search->moves);
  mast_free(&search->mast);
  ngrams_free(&search->ngrams);
  tree_delete(search->tree);
  vector_free(&search->root_state);
  vector_free(&search->others);
  path_free(&search->path);
  vector_free(&search->joint);
  scratch_free(&search->own);
  aim_free(&search->aim);
  memory_delete(search->logs);
  summary_free(&search->report);
  memory_delete(search);
}
