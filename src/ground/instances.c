/* The sources of a rule's join are its literals that bind or test while atoms
   are found: positive ones, static negations and inequalities, in order. Other
   negations always pass and are left out. */
#include "ground/instances.h"

static uint32_t make_sources(const Ground *ground, const GroundRule *rule,
                             JoinSource *sources, uint32_t *literal_of) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < rule->count; i++) {
    const GroundLiteral *literal = &rule->body[i];
    JoinSource source = {SOURCE_UNEQUAL, NULL, literal->columns};
    if (literal->sign != UNEQUAL) {
      GroundRelation *relation = ground_relation(ground, literal->relation);
      source.relation = &relation->rows;
      source.kind = literal->sign == POSITIVE ? SOURCE_ROWS : SOURCE_ABSENT;
      if (literal->sign == NEGATIVE && relation->kind != HOLDS_ALWAYS) continue;
    }
    literal_of[count] = i;
    sources[count++] = source;
  }
  return count;
}

Join *instances_join(const Ground *ground, const GroundRule *rule,
                     uint32_t first) {
  JoinSource *sources = memory_new((rule->count + 1) * sizeof *sources);
  uint32_t *literal_of = memory_new((rule->count + 1) * sizeof *literal_of);
  uint32_t count = make_sources(ground, rule, sources, literal_of);
  uint32_t first_source = JOIN_NO_FIRST;
  for (uint32_t i = 0; i < count; i++)
    if (literal_of[i] == first) first_source = i;
  Join *join =
      join_new(ground->terms, &rule->variables, sources, count, first_source);
  memory_delete(sources);
  memory_delete(literal_of);
  return join;
}

void instances_ranges(const Ground *ground, const GroundRule *rule,
                      uint32_t first, JoinRange *ranges) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < rule->count; i++) {
    const GroundLiteral *literal = &rule->body[i];
    JoinRange range = {0, 0};
    if (literal->sign != UNEQUAL) {
      const GroundRelation *relation =
          ground_relation(ground, literal->relation);
      if (literal->sign == NEGATIVE && relation->kind != HOLDS_ALWAYS) continue;
      range.high = relation->end;
      if (i == first) range.low = relation->done;
      if (i < first && first != JOIN_NO_FIRST) range.high = relation->done;
    }
    ranges[count++] = range;
  }
}
