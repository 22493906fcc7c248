/* Whether documents keep to docs/api.md: SCENE, STATE and MOVE. All of these
   fail the test if something is wrong. */
#ifndef TAFL_TEST_SUPPORT_SCENES_H
#define TAFL_TEST_SUPPORT_SCENES_H

#include "io/json.h"

/* Members that must be there and have this type. */
json_t *scenes_member(json_t *object, const char *name);
long scenes_number(json_t *object, const char *name);
const char *scenes_string(json_t *object, const char *name);

void scenes_check(json_t *scene, uint32_t roles);
void scenes_check_state(json_t *scene, json_t *state);
void scenes_check_move(json_t *scene, json_t *move);
/* Moves can be told apart by what is said and by the path. */
void scenes_check_apart(json_t *moves);

#endif
