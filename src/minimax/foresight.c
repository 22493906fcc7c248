/* Level 0 are the states that were asked about, level 1 what some of their
   moves lead to, and so on. A level's states are looked at together, their
   moves listed, the states that these lead to made and evaluated together; of
   each state's moves some are picked, and these are the states of the next
   level. Results go back from the last level to the first.

   From level QUIET on a state has captures alone, and may leave it at what it
   is worth itself. */
#include "minimax/foresight.h"

#include "minimax/brood.h"
#include "wide/expand.h"

enum { LEVELS = 5, QUIET = 2 };

/* How many moves of a state are followed, by level, with captures and without.
   Alpha-beta with what these teach in 3 s of one thread (8 in chess_200, 4 in
   skirmish) against what alpha-beta teaches with about 100 states a step, 48
   games each: with 4, 2, 2, 1 breakthrough 81 %, checkers 82, skirmish 96,
   chess_200 62; with 8, 4, 4, 2 breakthrough 73, checkers 70, skirmish 98,
   chess_200 49. Without captures reversi 74 % with 8, 38 with 4; followed by 4
   and 2 more levels of all moves 73, by 2 and 2 (after 4) 57. */
static const uint32_t followed_quiet[LEVELS] = {4, 2, 2, 1, 0};
static const uint32_t followed_open[LEVELS] = {8, 0};

/* A move, and the state that it leads to. */
typedef struct Way {
  Move move;
  uint32_t node;
  uint32_t end; /* steps from level 0 to the end that it comes to; 0: none */
  Score worth;  /* to the role that chooses it */
  bool capture, followed;
  bool dropped; /* nobody chooses it */
} Way;

typedef struct Node {
  uint32_t way; /* of the level above, that leads here */
  uint32_t first, count, mover;
  bool forced, over, sound;
} Node;

typedef VECTOR(bool) Flags;

typedef struct Level {
  VECTOR(Node) nodes;
  VECTOR(uint64_t) rows, legal; /* of the nodes */
  VECTOR(int) goals;
  VECTOR(int32_t) sums;
  Flags ends;
  VECTOR(Way) ways;
  NumberVector owners, joints; /* of the ways */
  VECTOR(uint64_t) states;
  VECTOR(float) values; /* by way and role */
  Flags over;           /* by way, if ends are told */
} Level;

struct Foresight {
  const Minimax *mind;
  const Evaluation *evaluation;
  const Net *net;
  Expand expand;
  Scale *scales; /* by role */
  uint32_t roles, words, legal_words;
  Level levels[LEVELS];
  int32_t *sums;      /* scratch */
  NumberVector found; /* ways that are ends, */
  VECTOR(uint64_t) found_states;
  VECTOR(int) found_goals;
  uint64_t made;
};

static const uint32_t *most_followed(const Foresight *foresight) {
  return foresight->mind->quiet ? followed_quiet : followed_open;
}

static bool quiet_at(const Foresight *foresight, uint32_t number) {
  return foresight->mind->quiet && number >= QUIET;
}

static const uint64_t *row_of(const Foresight *foresight, const Level *level,
                              uint32_t node) {
  return level->rows.data + (size_t)node * foresight->words;
}

static uint64_t *state_of(const Foresight *foresight, const Level *level,
                          uint32_t way) {
  return level->states.data + (size_t)way * foresight->words;
}

static float *values_of(const Foresight *foresight, const Level *level,
                        uint32_t way) {
  return level->values.data + (size_t)way * foresight->roles;
}

static int32_t *sums_of(const Foresight *foresight, const Level *level,
                        uint32_t node) {
  return level->sums.data + (size_t)node * foresight->evaluation->sum_count;
}

/* What values are worth to a role. */
static Score worth_of(const Foresight *foresight, uint32_t role,
                      const float *values, uint32_t end) {
  const Scale *scale = &foresight->scales[role];
  return end ? scale_end(scale, values, end) : scale_values(scale, values);
}

static void set_worth(const Foresight *foresight, const Level *level,
                      uint32_t way) {
  Way *it = &level->ways.data[way];
  it->worth = worth_of(foresight, level->nodes.data[it->node].mover,
                       values_of(foresight, level, way), it->end);
}

static void set_end(const Foresight *foresight, const Level *level,
                    uint32_t number, uint32_t way, const int *goals) {
  float *values = values_of(foresight, level, way);
  for (uint32_t role = 0; role < foresight->roles; role++)
    values[role] = (float)(goals[role] < 0 ? foresight->scales[role].aim.cut
                                           : goals[role]);
  level->ways.data[way].end = number + 1;
  set_worth(foresight, level, way);
}

/* ---- what can be seen in the states of a level ---- */

static void look(Foresight *foresight, Level *level) {
  uint32_t count = level->nodes.count;
  vector_resize(&level->legal, count * foresight->legal_words);
  vector_resize(&level->goals, count * foresight->roles);
  vector_resize(&level->ends, count);
  const ExpandTask task = {.count = count,
                           .states = level->rows.data,
                           .legal = level->legal.data,
                           .terminal = level->ends.data,
                           .goals = level->goals.data};
  expand_run(&foresight->expand, &task);
}

/* The role's moves among those of a word. */
static uint64_t word_of(const uint64_t *legal, uint32_t w, uint32_t from,
                        uint32_t to) {
  uint64_t word = legal[w];
  if (word && w * 64 < from) word &= UINT64_MAX << (from & 63);
  if (word && w * 64 + 64 > to) word &= UINT64_MAX >> (63 - ((to - 1) & 63));
  return word;
}

/* Returns how many moves a role has, 2 if there are more, and the first. */
static uint32_t count_moves(const Foresight *foresight, const uint64_t *legal,
                            uint32_t role, Move *first) {
  uint32_t from = foresight->net->role_first.data[role];
  uint32_t to = foresight->net->role_first.data[role + 1], count = 0;
  for (uint32_t w = from / 64; w * 64 < to; w++) {
    uint64_t word = word_of(legal, w, from, to);
    if (!word) continue;
    if (!count++) *first = w * 64 + (uint32_t)__builtin_ctzll(word);
    if (count == 2 || (word & (word - 1))) return 2;
  }
  return count;
}

static void add_way(Foresight *foresight, Level *level, uint32_t node,
                    Move move, const Move *joint) {
  uint32_t mover = level->nodes.data[node].mover;
  vector_push(&level->ways, ((Way){.move = move, .node = node}));
  vector_push(&level->owners, node);
  for (uint32_t role = 0; role < foresight->roles; role++)
    vector_push(&level->joints, role == mover ? move : joint[role]);
}

/* Lists a node's moves, or of those only the ones that may capture. */
static void list(Foresight *foresight, Level *level, uint32_t number,
                 uint32_t at) {
  const Features *features = foresight->mind->features;
  const uint64_t *legal =
      level->legal.data + (size_t)at * foresight->legal_words;
  const uint64_t *row = row_of(foresight, level, at);
  Node *node = &level->nodes.data[at];
  uint32_t choosers = 0;
  Move joint[RULE_ROLES];
  node->first = level->ways.count;
  node->over = level->ends.data[at];
  node->sound = !node->over;
  node->forced = true;
  for (uint32_t role = 0; node->sound && role < foresight->roles; role++) {
    uint32_t count = count_moves(foresight, legal, role, &joint[role]);
    node->sound = count != 0;
    if (count < 2) continue;
    node->mover = role;
    node->forced = false;
    choosers++;
  }
  node->sound &= choosers < 2;
  if (!node->sound) return;
  uint32_t from = joint[node->mover];
  uint32_t to = foresight->net->role_first.data[node->mover + 1];
  bool attacks = quiet_at(foresight, number) && features && !node->forced;
  for (uint32_t w = from / 64; w * 64 < to; w++) {
    uint64_t word = word_of(legal, w, from, to);
    while (word) {
      Move move = w * 64 + bits_take(&word);
      if (!attacks || brood_attacks(features, node->mover, move, row))
        add_way(foresight, level, at, move, joint);
    }
  }
  node->count = level->ways.count - node->first;
}

static void list_all(Foresight *foresight, uint32_t number) {
  Level *level = &foresight->levels[number];
  vector_clear(&level->ways);
  vector_clear(&level->owners);
  vector_clear(&level->joints);
  for (uint32_t i = 0; i < level->nodes.count; i++) {
    list(foresight, level, number, i);
    if (number && level->nodes.data[i].over)
      set_end(foresight, level - 1, number - 1, level->nodes.data[i].way,
              level->goals.data + (size_t)i * foresight->roles);
  }
}

/* ---- what moves lead to ---- */

static void make(Foresight *foresight, Level *level) {
  uint32_t count = level->ways.count;
  if (count > UINT32_MAX / (foresight->words + foresight->roles))
    trial_fail("out of memory for what moves lead to");
  vector_resize(&level->states, count * foresight->words);
  vector_resize(&level->values, count * foresight->roles);
  if (foresight->expand.ends) vector_resize(&level->over, count);
  const ExpandTask task = {.count = count,
                           .states = level->rows.data,
                           .owners = level->owners.data,
                           .joints = level->joints.data,
                           .successors = level->states.data,
                           .terminal = foresight->expand.ends ? level->over.data
                                                              : NULL};
  expand_run(&foresight->expand, &task);
  foresight->made += count;
}

static void evaluate(Foresight *foresight, Level *level, uint32_t number,
                     uint32_t at) {
  const Evaluation *evaluation = foresight->evaluation;
  Way *way = &level->ways.data[at];
  const Node *node = &level->nodes.data[way->node];
  const uint64_t *from = row_of(foresight, level, way->node);
  const uint64_t *to = state_of(foresight, level, at);
  way->capture = foresight->mind->quiet && !node->forced &&
                 brood_captures(foresight->mind, node->mover, from, to);
  if (quiet_at(foresight, number) && !node->forced && !way->capture) {
    way->dropped = true;
    return;
  }
  if (evaluation->sum_count) {
    memcpy(foresight->sums, sums_of(foresight, level, way->node),
           evaluation->sum_count * sizeof *foresight->sums);
    evaluation_update(evaluation, from, to, foresight->sums);
  }
  evaluation_values(evaluation, to, foresight->sums, NULL,
                    values_of(foresight, level, at));
  set_worth(foresight, level, at);
}

/* Sets what the level's ways are worth that are ends, if these are told. */
static void judge_ends(Foresight *foresight, const Level *level,
                       uint32_t number) {
  uint32_t words = foresight->words;
  vector_clear(&foresight->found);
  for (uint32_t i = 0; foresight->expand.ends && i < level->ways.count; i++)
    if (level->over.data[i] && !level->ways.data[i].dropped)
      vector_push(&foresight->found, i);
  uint32_t count = foresight->found.count;
  if (!count) return;
  vector_resize(&foresight->found_states, count * words);
  vector_resize(&foresight->found_goals, count * foresight->roles);
  for (uint32_t i = 0; i < count; i++)
    memcpy(foresight->found_states.data + (size_t)i * words,
           state_of(foresight, level, foresight->found.data[i]),
           words * sizeof(uint64_t));
  const ExpandTask task = {.count = count,
                           .states = foresight->found_states.data,
                           .goals = foresight->found_goals.data};
  expand_run(&foresight->expand, &task);
  for (uint32_t i = 0; i < count; i++)
    set_end(foresight, level, number, foresight->found.data[i],
            foresight->found_goals.data + (size_t)i * foresight->roles);
}

static void evaluate_all(Foresight *foresight, uint32_t number) {
  Level *level = &foresight->levels[number];
  for (uint32_t i = 0; i < level->ways.count; i++)
    evaluate(foresight, level, number, i);
  judge_ends(foresight, level, number);
}

/* ---- what is followed ---- */

static void follow(Foresight *foresight, Level *level, uint32_t at) {
  const Evaluation *evaluation = foresight->evaluation;
  Level *next = level + 1;
  Way *way = &level->ways.data[at];
  uint32_t words = foresight->words, node = next->nodes.count;
  const uint64_t *state = state_of(foresight, level, at);
  way->followed = true;
  vector_push(&next->nodes, ((Node){.way = at}));
  vector_resize(&next->rows, (node + 1) * words);
  memcpy(next->rows.data + (size_t)node * words, state, words * sizeof *state);
  if (!evaluation->sum_count) return;
  vector_resize(&next->sums, (node + 1) * evaluation->sum_count);
  int32_t *sums = sums_of(foresight, next, node);
  memcpy(sums, sums_of(foresight, level, way->node),
         evaluation->sum_count * sizeof *sums);
  evaluation_update(evaluation, row_of(foresight, level, way->node), state,
                    sums);
}

/* Returns the way of a node that is worth most of those that may be followed
   still, or its end if there is none. */
static uint32_t best_left(const Level *level, const Node *node) {
  uint32_t end = node->first + node->count, best = end;
  for (uint32_t i = node->first; i < end; i++) {
    const Way *way = &level->ways.data[i];
    if (way->followed || way->dropped || way->end) continue;
    if (best == end || way->worth > level->ways.data[best].worth) best = i;
  }
  return best;
}

static void pick(Foresight *foresight, uint32_t number) {
  Level *level = &foresight->levels[number];
  const uint32_t *most = most_followed(foresight);
  for (uint32_t i = 0; i < level->nodes.count; i++) {
    const Node *node = &level->nodes.data[i];
    if (!number && node->forced) continue;
    for (uint32_t k = 0; k < most[number]; k++) {
      uint32_t best = best_left(level, node);
      if (best == node->first + node->count) break;
      follow(foresight, level, best);
    }
  }
}

/* ---- and back ---- */

/* Returns the way that the role in turn takes, or the node's end if it takes
   none. What was followed counts, and what nobody had to follow: of the moves
   in level 0, and of captures, which may be answered, the others do not. */
static uint32_t choose(const Foresight *foresight, uint32_t number,
                       const Node *node) {
  const Level *level = &foresight->levels[number];
  uint32_t end = node->first + node->count, best = end;
  bool followed = most_followed(foresight)[number];
  Score most = -SCORE_INFINITE;
  if (quiet_at(foresight, number) && !node->forced)
    most = worth_of(foresight, node->mover,
                    values_of(foresight, level - 1, node->way), 0);
  for (uint32_t i = node->first; i < end; i++) {
    const Way *way = &level->ways.data[i];
    if (way->dropped || way->worth <= most) continue;
    if (way->capture && !way->followed && !way->end && followed) continue;
    if (!number && !node->forced && !way->followed && !way->end) continue;
    most = way->worth;
    best = i;
  }
  return best;
}

static void go_back(const Foresight *foresight, uint32_t number) {
  const Level *level = &foresight->levels[number], *above = level - 1;
  for (uint32_t i = 0; i < level->nodes.count; i++) {
    const Node *node = &level->nodes.data[i];
    if (!node->sound) continue;
    uint32_t best = choose(foresight, number, node);
    if (best == node->first + node->count) continue;
    memcpy(values_of(foresight, above, node->way),
           values_of(foresight, level, best), foresight->roles * sizeof(float));
    above->ways.data[node->way].end = level->ways.data[best].end;
    set_worth(foresight, above, node->way);
  }
}

static void tell(const Foresight *foresight, Outlook *outlooks) {
  const Level *level = &foresight->levels[0];
  for (uint32_t i = 0; i < level->nodes.count; i++) {
    const Node *node = &level->nodes.data[i];
    Outlook *outlook = &outlooks[i];
    *outlook = (Outlook){.over = node->over,
                         .sound = node->sound,
                         .mover = node->mover,
                         .forced = node->forced,
                         .first = node->first,
                         .count = node->count};
    for (uint32_t role = 0; role < foresight->roles; role++)
      outlook->goals[role] =
          level->goals.data[(size_t)i * foresight->roles + role];
    if (!node->sound) continue;
    outlook->best = choose(foresight, 0, node);
    memcpy(outlook->values, values_of(foresight, level, outlook->best),
           foresight->roles * sizeof(float));
  }
}

/* ---- looks ---- */

static void begin(Foresight *foresight, const uint64_t *rows, uint32_t count) {
  const Evaluation *evaluation = foresight->evaluation;
  Level *level = &foresight->levels[0];
  vector_resize(&level->rows, count * foresight->words);
  vector_resize(&level->sums, count * evaluation->sum_count);
  memcpy(level->rows.data, rows,
         (size_t)count * foresight->words * sizeof *rows);
  for (uint32_t i = 0; i < count; i++) {
    vector_push(&level->nodes, (Node){0});
    if (evaluation->sum_count)
      evaluation_begin(evaluation, row_of(foresight, level, i),
                       sums_of(foresight, level, i));
  }
}

bool foresight_look(Foresight *foresight, const uint64_t *rows, uint32_t count,
                    Outlook *outlooks, ForesightLate *late, void *context) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < LEVELS; i++)
    vector_clear(&foresight->levels[i].nodes);
  begin(foresight, rows, count);
  while (foresight->levels[number].nodes.count) {
    if (late(context)) return false;
    look(foresight, &foresight->levels[number]);
    list_all(foresight, number);
    make(foresight, &foresight->levels[number]);
    evaluate_all(foresight, number);
    if (number + 1 == LEVELS) break;
    pick(foresight, number++);
  }
  while (number) go_back(foresight, number--);
  tell(foresight, outlooks);
  return true;
}

const uint64_t *foresight_state(const Foresight *foresight, uint32_t move) {
  return state_of(foresight, &foresight->levels[0], move);
}

uint64_t foresight_states(const Foresight *foresight) {
  return foresight->made;
}

/* ---- life ---- */

void foresight_take_evaluation(Foresight *foresight,
                               const Evaluation *evaluation) {
  foresight->evaluation = evaluation;
  memory_delete(foresight->sums);
  foresight->sums =
      memory_new((evaluation->sum_count + 1) * sizeof *foresight->sums);
}

bool foresight_prepare(const Minimax *mind, const Cones *cones) {
  return !mind->ends.program ||
         program_prepare(mind->ends.program, &cones->mode);
}

Foresight *foresight_new(const Minimax *mind, const Cones *cones) {
  Foresight *foresight = memory_new(sizeof *foresight);
  const Net *net = &mind->book->net;
  foresight->mind = mind;
  foresight->net = net;
  foresight->roles = net->role_count;
  foresight->words = mind->words;
  foresight->legal_words = (uint32_t)bits_words(net->moves.count);
  expand_init(&foresight->expand, cones);
  if (mind->ends.program)
    expand_know_ends(&foresight->expand, mind->ends.program);
  foresight->scales = memory_new(foresight->roles * sizeof *foresight->scales);
  for (uint32_t role = 0; role < foresight->roles; role++)
    scale_init(&foresight->scales[role], mind->book, role, &mind->settings);
  return foresight;
}

static void free_level(Level *level) {
  vector_free(&level->nodes);
  vector_free(&level->rows);
  vector_free(&level->legal);
  vector_free(&level->goals);
  vector_free(&level->sums);
  vector_free(&level->ends);
  vector_free(&level->over);
  vector_free(&level->ways);
  vector_free(&level->owners);
  vector_free(&level->joints);
  vector_free(&level->states);
  vector_free(&level->values);
}

void foresight_delete(Foresight *foresight) {
  for (uint32_t i = 0; i < LEVELS; i++) free_level(&foresight->levels[i]);
  for (uint32_t role = 0; role < foresight->roles; role++)
    scale_free(&foresight->scales[role]);
  memory_delete(foresight->scales);
  expand_free(&foresight->expand);
  vector_free(&foresight->found);
  vector_free(&foresight->found_states);
  vector_free(&foresight->found_goals);
  memory_delete(foresight->sums);
  memory_delete(foresight);
}
