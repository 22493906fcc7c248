#include "scale/costs.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Field {
  const char *name, *unit, *meaning;
  size_t offset;
} Field;

#define MACHINE_FIELD(name, unit, meaning) \
  {#name, unit, meaning, offsetof(MachineCosts, name)},
#define NETWORK_FIELD(name, unit, meaning) \
  {#name, unit, meaning, offsetof(NetworkCosts, name)},
#define GAME_FIELD(name, unit, meaning) \
  {#name, unit, meaning, offsetof(GameCosts, name)},

static const Field machine_fields[] = {MACHINE_COSTS(MACHINE_FIELD){0}};
static const Field network_fields[] = {NETWORK_COSTS(NETWORK_FIELD){0}};
static const Field game_fields[] = {GAME_COSTS(GAME_FIELD){0}};

/* What a unit is worth inside. */
static double unit_value(const char *unit) {
  if (strcmp(unit, "ns") == 0) return 1e-9;
  if (strcmp(unit, "us") == 0) return 1e-6;
  if (strcmp(unit, "GB/s") == 0) return 1e9;
  if (strcmp(unit, "%") == 0) return 0.01;
  return 1;
}

/* ---- reading ---- */

typedef struct Section {
  const Field *fields;
  char *costs; /* what they are offsets in */
  uint64_t seen;
  const char *what;
} Section;

typedef struct Reader {
  Costs *costs;
  Section section;
  uint32_t line;
  Text *error;
} Reader;

static bool complain(Reader *reader, const char *what, const char *name) {
  text_format(reader->error, "line %u: %s%s%s", reader->line, what,
              *name ? ": " : "", name);
  return false;
}

/* Returns false if the section that ends here misses a cost. */
static bool end_section(Reader *reader) {
  const Section *section = &reader->section;
  for (uint32_t i = 0; section->fields && section->fields[i].name; i++)
    if (!(section->seen & (uint64_t)1 << i)) {
      text_format(reader->error, "line %u: %s has no %s", reader->line,
                  section->what, section->fields[i].name);
      return false;
    }
  return true;
}

static bool begin_section(Reader *reader, const char *kind, const char *name) {
  Costs *costs = reader->costs;
  if (!end_section(reader)) return false;
  char **place;
  if (strcmp(kind, "machine") == 0) {
    reader->section =
        (Section){machine_fields, (char *)&costs->machine, 0, "the machine"};
    place = &costs->machine_name;
  } else if (strcmp(kind, "network") == 0) {
    reader->section =
        (Section){network_fields, (char *)&costs->network, 0, "the network"};
    place = &costs->network_name;
  } else {
    vector_push(&costs->games, (GameCosts){0});
    GameCosts *game = &vector_last(&costs->games);
    reader->section = (Section){game_fields, (char *)game, 0, "the game"};
    place = &game->name;
  }
  if (*place) return complain(reader, "a second section", kind);
  if (!*name) return complain(reader, "a section without a name", kind);
  *place = strdup(name);
  return true;
}

/* name number unit: command */
static bool read_cost(Reader *reader, const char *line) {
  char name[32], unit[16];
  double value;
  int end = 0;
  if (sscanf(line, "%31s %lf %15[^: \t]:%n", name, &value, unit, &end) != 3 ||
      !end)
    return complain(reader, "not \"name number unit: command\"", line);
  if (!line[end + (int)strspn(line + end, " ")])
    return complain(reader, "no command that measured it", name);
  Section *section = &reader->section;
  if (!section->fields) return complain(reader, "before any section", name);
  for (uint32_t i = 0; section->fields[i].name; i++) {
    const Field *field = &section->fields[i];
    if (strcmp(field->name, name) != 0) continue;
    if (strcmp(field->unit, unit) != 0)
      return complain(reader, "another unit is expected", field->unit);
    if (!(value >= 0 && value < 1e12))
      return complain(reader, "not a sensible number", name);
    value *= unit_value(unit);
    memcpy(section->costs + field->offset, &value, sizeof value);
    section->seen |= (uint64_t)1 << i;
    return true;
  }
  return complain(reader, "no such cost", name);
}

static bool read_line(Reader *reader, char *line) {
  line += strspn(line, " \t");
  if (!*line || *line == '#') return true;
  static const char *const kinds[] = {"machine", "network", "game"};
  for (uint32_t i = 0; i < 3; i++) {
    size_t length = strlen(kinds[i]);
    if (strncmp(line, kinds[i], length) == 0 &&
        (!line[length] || line[length] == ' '))
      return begin_section(reader, kinds[i],
                           line + length + strspn(line + length, " "));
  }
  return read_cost(reader, line);
}

bool costs_parse(Costs *costs, const char *text, Text *error) {
  *costs = (Costs){0};
  Reader reader = {.costs = costs, .error = error};
  char *copy = strdup(text), *rest = copy;
  bool fine = true;
  for (char *line; fine && (line = strsep(&rest, "\n"));) {
    reader.line++;
    fine = read_line(&reader, line);
  }
  free(copy);
  if (!fine || !end_section(&reader)) return false;
  if (costs->machine_name && costs->network_name && costs->games.count)
    return true;
  text_add(error, "there must be a machine, a network and a game");
  return false;
}

void costs_free(Costs *costs) {
  free(costs->machine_name);
  free(costs->network_name);
  for (uint32_t i = 0; i < costs->games.count; i++)
    free(costs->games.data[i].name);
  vector_free(&costs->games);
}

/* ---- writing ---- */

static void write_fields(const Field *fields, const void *costs,
                         const char *command, Text *text) {
  for (; fields->name; fields++) {
    double value;
    memcpy(&value, (const char *)costs + fields->offset, sizeof value);
    text_format(text, "  %s %.3g %s: %s\n", fields->name,
                value / unit_value(fields->unit), fields->unit, command);
  }
}

void costs_write_machine(const MachineCosts *costs, const char *name,
                         const char *command, Text *text) {
  text_format(text, "machine %s\n", name);
  write_fields(machine_fields, costs, command, text);
}

void costs_write_game(const GameCosts *costs, const char *command, Text *text) {
  text_format(text, "game %s\n", costs->name);
  write_fields(game_fields, costs, command, text);
}
