/* A move that its role does exactly when some signal of the state is true is no
   longer read: the signal is. Gates without moves are made first, such signals
   among them. */
#include "reduce/forced.h"
#include "reduce/reads.h"
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

static void make_all(Rebuild *rebuild, const bool *late, bool which) {
  for (Gate gate = 0; gate < rebuild->from->gates.count; gate++)
    if (rebuild_is_and(rebuild, gate) && late[gate] == which)
      rebuild_copy(rebuild, gate);
}

void reduce_forced(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  Rebuild rebuild;
  ForcedVector forced = {0};
  bool *late = memory_new(in->gates.count * sizeof *late);
  reads_mark_late(in, late);
  rebuild_begin(&rebuild, in, out);
  make_all(&rebuild, late, false);
  forced_find(in, late, &forced);
  for (uint32_t i = 0; i < forced.count; i++) {
    const NetMove *move = &in->moves.data[forced.data[i].move];
    rebuild.map[move->gate] = rebuild_signal(&rebuild, forced.data[i].signal);
  }
  make_all(&rebuild, late, true);
  memory_delete(late);
  vector_free(&forced);
  rebuild_end(&rebuild);
}
