/* A copy of the net in which only legality differs; fluents, moves, goals and
   successors are the same, so states and choices mean the same in both. */
#include "game/prefer.h"

#include "reduce/rebuild.h"

typedef struct Prefer {
  const Features *features;
  Net *net;
  NumberVector list;
  Signal *enemy; /* by role and place: a piece of another role stands there */
  bool *known;
  uint32_t places;
} Prefer;

static void copy_net(const Net *net, Net *to) {
  Rebuild rebuild;
  rebuild_begin(&rebuild, net, to);
  rebuild_copy_all(&rebuild);
  rebuild_end(&rebuild);
}

static Signal find_enemy(Prefer *prefer, uint32_t role, uint32_t place) {
  const Features *features = prefer->features;
  uint32_t at = role * prefer->places + place;
  if (prefer->known[at]) return prefer->enemy[at];
  vector_clear(&prefer->list);
  for (uint32_t i = features->first.data[place];
       i < features->first.data[place + 1]; i++) {
    const PlaceWord *part = &features->place_words.data[i];
    for (uint64_t bits = part->mask; bits; bits &= bits - 1) {
      uint32_t fluent = part->word * 64 + (uint32_t)__builtin_ctzll(bits);
      uint32_t feature = features->of_fluent[fluent];
      if (feature && features->list.data[feature - 1].owner != role)
        vector_push(&prefer->list,
                    gate_signal(prefer->net->fluents.data[fluent].gate));
    }
  }
  prefer->known[at] = true;
  return prefer->enemy[at] =
             net_or(prefer->net, prefer->list.data, prefer->list.count);
}

/* By move: it is legal and captures; SIGNAL_FALSE: it never does. */
static uint32_t find_captures(Prefer *prefer, Signal *captures) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < prefer->net->moves.count; i++) {
    const MoveFeature *move = &prefer->features->moves[i];
    captures[i] = SIGNAL_FALSE;
    if (!move->from || !move->to) continue;
    const NetMove *own = &prefer->net->moves.data[i];
    Signal both[2] = {own->legal, find_enemy(prefer, own->role, move->to - 1)};
    captures[i] = net_and(prefer->net, both, 2);
    found += captures[i] != SIGNAL_FALSE;
  }
  return found;
}

static void restrict_role(Prefer *prefer, uint32_t role,
                          const Signal *captures) {
  Net *net = prefer->net;
  uint32_t first = net->role_first.data[role];
  uint32_t last = net->role_first.data[role + 1];
  vector_clear(&prefer->list);
  for (uint32_t i = first; i < last; i++)
    if (captures[i] != SIGNAL_FALSE) vector_push(&prefer->list, captures[i]);
  Signal any = net_or(net, prefer->list.data, prefer->list.count);
  for (uint32_t i = first; i < last; i++) {
    Signal quiet[2] = {net->moves.data[i].legal, signal_not(any)};
    Signal either[2] = {captures[i], net_and(net, quiet, 2)};
    net->moves.data[i].legal = net_or(net, either, 2);
  }
}

bool prefer_captures(const Net *net, const Features *features,
                     Net *preferring) {
  if (features->kind != FAST_PIECES) return false;
  uint32_t places = features->first.count - 1;
  size_t pairs = (size_t)places * net->role_count;
  Prefer prefer = {.features = features,
                   .net = preferring,
                   .enemy = memory_new(pairs * sizeof(Signal)),
                   .known = memory_new(pairs * sizeof(bool)),
                   .places = places};
  Signal *captures = memory_new(net->moves.count * sizeof *captures);
  copy_net(net, preferring);
  bool found = find_captures(&prefer, captures);
  for (uint32_t role = 0; found && role < net->role_count; role++)
    restrict_role(&prefer, role, captures);
  if (!found) net_free(preferring);
  memory_delete(captures);
  memory_delete(prefer.enemy);
  memory_delete(prefer.known);
  vector_free(&prefer.list);
  return found;
}
