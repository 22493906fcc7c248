/* A new method is added here and nowhere else. Where turns are equal, the first
   ones come first: those that are made quickly. */
#include "solve/methods.h"

#include <string.h>

#include "solve/astar.h"
#include "solve/beam.h"
#include "solve/breadth.h"
#include "solve/deepen.h"
#include "solve/dive.h"
#include "solve/fill.h"
#include "solve/greedy.h"
#include "solve/meet.h"
#include "solve/nested.h"
#include "solve/novelty.h"
#include "solve/nrpa.h"
#include "solve/parts.h"
#include "solve/patterns.h"
#include "solve/satisfy.h"
#include "solve/uct.h"
#include "solve/walk.h"

// clang-format off
const MethodKind *const methods_list[] = {
    &walk_method,
    &parts_method,
    &fill_method,
    &meet_method,
    &patterns_method,
    &dive_method,
    &satisfy_method,
    &greedy_method,
    &breadth_method,
    &beam_method,
    &novelty_method,
    &nested_method,
    &nrpa_method,
    &uct_method,
    &astar_method,
    &deepen_method,
};
// clang-format on
const uint32_t methods_count = sizeof methods_list / sizeof *methods_list;

const MethodKind *methods_find(const char *name) {
  for (uint32_t i = 0; i < methods_count; i++)
    if (strcmp(methods_list[i]->name, name) == 0) return methods_list[i];
  return NULL;
}
