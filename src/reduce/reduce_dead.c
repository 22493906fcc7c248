/* Gates that no output depends on are left out. */
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

void reduce_dead(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  Rebuild rebuild;
  rebuild_begin(&rebuild, in, out);
  for (Gate gate = 0; gate < in->gates.count; gate++)
    if (rebuild_is_and(&rebuild, gate)) rebuild_copy(&rebuild, gate);
  rebuild_end(&rebuild);
}
