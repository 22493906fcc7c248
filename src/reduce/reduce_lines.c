/* Legal moves along lines: a queen's move needs what the next shorter one in
   its direction needs, and one more empty cell. If the rules say so by the path
   from the other end, each move has a gate for its path and one for the piece;
   made from the shorter move it has one.

   The legality of a move is taken apart into the set of signals that it is the
   AND of. Sets are known by the sum of a hash of their members, so that all
   sets with one member less are found without being made. The new net is used
   if it has fewer gates. */
#include "base/hash.h"
#include "base/map.h"
#include "base/trial.h"
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

enum { MOST_MEMBERS = 32 };

typedef struct Line {
  Gate gate;
  uint64_t hash;
  uint32_t first, count; /* members */
  uint32_t shorter;      /* line + 1 with one member less; or 0 */
  Signal last;           /* that member */
} Line;

typedef struct Lines {
  const Net *net;
  VECTOR(Line) list; /* by gate of a legal move, each once */
  NumberVector members;
  NumberVector of_gate; /* line + 1 */
  NumberVector stack;
  Map index; /* of lines, by hash: line + 1 */
} Lines;

static uint64_t hash_member(Signal signal) {
  return hash_mix(signal + UINT64_C(0x9e3779b97f4a7c15));
}

/* Adds a member unless the line has it. */
static void add_member(Lines *lines, Line *line, Signal signal) {
  for (uint32_t i = 0; i < line->count; i++)
    if (lines->members.data[line->first + i] == signal) return;
  vector_push(&lines->members, signal);
  line->count++;
  line->hash += hash_member(signal);
}

/* ANDs of ANDs are taken apart; others, such as an empty cell, are members. */
static bool is_compound(const Net *net, Signal signal) {
  if (signal_negated(signal) || !net_is_and(net, signal)) return false;
  Gate gate = signal_gate(signal);
  for (uint32_t i = 0; i < net->gates.data[gate].count; i++) {
    Signal input = net_inputs(net, gate)[i];
    if (!signal_negated(input) && net_is_and(net, input)) return true;
  }
  return false;
}

static void add_line(Lines *lines, Gate gate) {
  const Net *net = lines->net;
  Line line = {.gate = gate, .first = lines->members.count};
  trial_check();
  vector_clear(&lines->stack);
  vector_push(&lines->stack, gate_signal(gate));
  while (lines->stack.count && line.count <= MOST_MEMBERS) {
    Signal signal = lines->stack.data[--lines->stack.count];
    if (!is_compound(net, signal)) {
      add_member(lines, &line, signal);
      continue;
    }
    for (uint32_t i = 0; i < net->gates.data[signal_gate(signal)].count; i++)
      vector_push(&lines->stack, net_inputs(net, signal_gate(signal))[i]);
  }
  if (line.count > MOST_MEMBERS) {
    lines->members.count = line.first;
    return;
  }
  vector_push(&lines->list, line);
  lines->of_gate.data[gate] = lines->list.count;
  map_add(&lines->index, line.hash, lines->list.count);
}

static bool has(const Lines *lines, const Line *line, Signal signal) {
  for (uint32_t i = 0; i < line->count; i++)
    if (lines->members.data[line->first + i] == signal) return true;
  return false;
}

/* Is `shorter` the line without its last member? Not every sum of hashes is of
   one set. */
static bool is_rest(const Lines *lines, const Line *line, const Line *shorter) {
  if (shorter->count + 1 != line->count || has(lines, shorter, line->last))
    return false;
  for (uint32_t i = 0; i < shorter->count; i++)
    if (!has(lines, line, lines->members.data[shorter->first + i]))
      return false;
  return true;
}

static void find_shorter(Lines *lines, Line *line) {
  for (uint32_t i = 0; i < line->count; i++) {
    MapCursor at;
    line->last = lines->members.data[line->first + i];
    uint64_t hash = line->hash - hash_member(line->last);
    for (uint32_t e = map_first(&lines->index, hash, &at); e;
         e = map_next(&lines->index, &at)) {
      if (!is_rest(lines, line, &lines->list.data[e - 1])) continue;
      line->shorter = e;
      return;
    }
  }
}

static void find_lines(Lines *lines) {
  const Net *net = lines->net;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    vector_push(&lines->of_gate, 0);
  for (uint32_t i = 0; i < net->moves.count; i++) {
    Signal legal = net->moves.data[i].legal;
    if (!signal_negated(legal) && net_is_and(net, legal) &&
        !lines->of_gate.data[signal_gate(legal)])
      add_line(lines, signal_gate(legal));
  }
  for (uint32_t i = 0; i < lines->list.count; i++)
    find_shorter(lines, &lines->list.data[i]);
}

/* All members come before the line. Recursion is no deeper than lines have
   members. */
static Signal make_line(const Lines *lines, Rebuild *rebuild,
                        const Line *line) {
  Signal list[MOST_MEMBERS];
  uint32_t count = 0;
  if (line->shorter) {
    const Line *shorter = &lines->list.data[line->shorter - 1];
    list[count++] = make_line(lines, rebuild, shorter);
    list[count++] = rebuild_signal(rebuild, line->last);
  }
  for (uint32_t i = 0; !line->shorter && i < line->count; i++)
    list[count++] =
        rebuild_signal(rebuild, lines->members.data[line->first + i]);
  return net_and(rebuild->to, list, count);
}

static void make(const Lines *lines, Net *out) {
  const Net *net = lines->net;
  Rebuild rebuild;
  rebuild_begin(&rebuild, net, out);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    uint32_t line = lines->of_gate.data[gate];
    if (!rebuild_is_and(&rebuild, gate)) continue;
    if (line && lines->list.data[line - 1].shorter)
      rebuild.map[gate] =
          make_line(lines, &rebuild, &lines->list.data[line - 1]);
    else
      rebuild_copy(&rebuild, gate);
  }
  rebuild_end(&rebuild);
}

void reduce_lines(const Net *in, Net *out, const ReduceOptions *options) {
  Lines lines = {.net = in};
  Net before, after;
  find_lines(&lines);
  make(&lines, &after);
  reduce_dead(&after, out, options);
  net_free(&after);
  reduce_dead(in, &before, options);
  if (net_count_ands(out) < net_count_ands(&before)) {
    net_free(&before);
  } else {
    net_free(out);
    *out = before;
  }
  vector_free(&lines.list);
  vector_free(&lines.members);
  vector_free(&lines.of_gate);
  vector_free(&lines.stack);
  map_free(&lines.index);
}
