#include "match/match.h"

static const char *const end_names[] = {
    [MATCH_ENDED] = "ended",   [MATCH_CUT_OFF] = "cut off",
    [MATCH_STUCK] = "stuck",   [MATCH_ILLEGAL] = "illegal",
    [MATCH_FAILED] = "failed", [MATCH_STOPPED] = "stopped",
};

const char *match_end_name(MatchEnd end) {
  return end_names[end];
}

void match_result_free(MatchResult *result) {
  for (uint32_t role = 0; result->sides && role < result->role_count; role++)
    text_free(&result->sides[role].name);
  memory_delete(result->sides);
  text_free(&result->moves);
  text_free(&result->error);
  text_free(&result->fault);
}
