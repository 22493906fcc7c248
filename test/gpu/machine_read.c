/* Reads the text of a module: directives, variables, functions with their
   registers. One pass; jumps get their targets where their function ends. What
   is not known is an error with its line: this is the PTX that we write, not
   all that there is. */
#include "machine_read.h"

#include <ctype.h>
#include <stdlib.h>

static const char *const versions[] = {"7.0", "7.1", "7.2", "7.3", "7.4",
                                       "7.5", "7.6", "7.7", "7.8", "8.0",
                                       "8.1", "8.2", "8.3", "8.4", "8.5"};

static char *copy_word(Word word) {
  char *copy = memory_new(word.length + 1);
  memcpy(copy, word.start, word.length);
  return copy;
}

/* ---- the head ---- */

/* .version 7.8 .target sm_90 .address_size 64 */
static bool read_head(Reader *reader) {
  Word word;
  bool known = false, minus;
  uint64_t number;
  if (!scan_expect(reader, ".version") || !scan_dotted(reader, &word))
    return false;
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
    known |= scan_word_is(word, versions[i]);
  if (!known)
    return scan_error(reader, "unknown version %.*s", (int)word.length,
                      word.start);
  if (!scan_expect(reader, ".target") || !scan_dotted(reader, &word))
    return false;
  if (word.length < 5 || memcmp(word.start, "sm_", 3) != 0)
    return scan_error(reader, "unknown target %.*s", (int)word.length,
                      word.start);
  unsigned long target = strtoul(word.start + 3, NULL, 10);
  if (target < 30 || target > 90)
    return scan_error(reader, "code for sm_%lu does not run on sm_90", target);
  if (scan_accept(reader, ".address_size")) {
    if (!scan_integer(reader, &number, &minus)) return false;
    if (number != 64) return scan_error(reader, "addresses have 64 bits");
  }
  return true;
}

/* ---- types ---- */

typedef struct Type {
  const char *name;
  char letter; /* machine_module.h, Bank */
  uint32_t bytes;
} Type;

static const Type types[] = {
    {".b8", 0, 1},    {".u8", 0, 1},    {".s8", 0, 1},    {".b16", 'h', 2},
    {".u16", 'h', 2}, {".s16", 'h', 2}, {".b32", 'b', 4}, {".u32", 'r', 4},
    {".s32", 'r', 4}, {".f32", 'f', 4}, {".b64", 'B', 8}, {".u64", 'R', 8},
    {".s64", 'R', 8}, {".pred", 'p', 0}};

static const Type *read_type(Reader *reader) {
  Word word;
  if (!scan_dotted(reader, &word)) return NULL;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (scan_word_is(word, types[i].name)) return &types[i];
  scan_error(reader, "unknown type %.*s", (int)word.length, word.start);
  return NULL;
}

/* .align 16; `natural` if it is not there. */
static bool read_alignment(Reader *reader, uint64_t *alignment) {
  bool minus;
  *alignment = 0;
  if (!scan_accept(reader, ".align")) return true;
  if (!scan_integer(reader, alignment, &minus)) return false;
  if (!*alignment || *alignment > 256 || (*alignment & (*alignment - 1)))
    return scan_error(reader, "an alignment is a power of two up to 256");
  return true;
}

/* ---- registers ---- */

static uint32_t *bank_file(Module *module, char type) {
  return type == 'p'           ? &module->predicates
         : strchr("BRF", type) ? &module->wides
                               : &module->narrows;
}

static bool add_bank(Reader *reader, Word name, const Type *type,
                     uint32_t count, bool numbered) {
  Module *module = reader->module;
  uint32_t *used = bank_file(module, type->letter);
  for (uint32_t i = reader->bank_first; i < module->banks.count; i++)
    if (scan_word_is(name, module->banks.data[i].name))
      return scan_error(reader, "%.*s is declared twice", (int)name.length,
                        name.start);
  if (count > MODULE_REGISTERS - *used)
    return scan_error(reader, "too many registers");
  Bank bank = {.name = copy_word(name),
               .type = type->letter,
               .first = (int32_t)*used,
               .count = count,
               .numbered = numbered,
               .function = reader->function};
  vector_push(&module->banks, bank);
  *used += count;
  module->functions.data[reader->function].registers += type->letter == 'p' ? 0
                                                        : type->bytes > 4
                                                            ? 2 * count
                                                            : count;
  return true;
}

/* .reg .b32 %r<9>, %x; */
static bool read_registers(Reader *reader) {
  const Type *type = read_type(reader);
  if (!type) return false;
  if (!type->letter) return scan_error(reader, "no register has 8 bits");
  do {
    Word name;
    uint64_t count = 1;
    bool minus, numbered;
    if (!scan_name(reader, &name)) return false;
    numbered = scan_accept(reader, "<");
    if (numbered &&
        (!scan_integer(reader, &count, &minus) || !scan_expect(reader, ">")))
      return false;
    if (!count || count > MODULE_REGISTERS)
      return scan_error(reader, "a strange number of registers");
    if (!add_bank(reader, name, type, (uint32_t)count, numbered)) return false;
  } while (scan_accept(reader, ","));
  return scan_expect(reader, ";");
}

/* ---- variables ---- */

static bool read_values(Reader *reader, uint64_t place, uint64_t size,
                        uint32_t bytes) {
  uint64_t value, end = place + size;
  bool minus, braced = scan_accept(reader, "{");
  do {
    if (place + bytes > end)
      return scan_error(reader, "more values than the array has");
    if (!scan_integer(reader, &value, &minus)) return false;
    memcpy(reader->module->data.data + place, &value, bytes);
    place += bytes;
  } while (braced && scan_accept(reader, ","));
  return !braced || scan_expect(reader, "}");
}

/* Finds a place for a variable, and sets its address. */
static bool place_variable(Reader *reader, Variable *variable,
                           uint64_t alignment) {
  Module *module = reader->module;
  uint64_t size = variable->size, mask = alignment - 1;
  if (variable->space == SPACE_SHARED) {
    uint64_t start = (module->shared + mask) & ~mask;
    if (start + size > MODULE_SHARED)
      return scan_error(reader, "more than %d bytes of shared memory",
                        MODULE_SHARED);
    variable->address = SHARED_START + start;
    module->shared = (uint32_t)(start + size);
  } else if (variable->space == SPACE_LOCAL) {
    uint64_t start = (module->local + mask) & ~mask;
    if (start + size > MODULE_LOCAL)
      return scan_error(reader, "more than %d bytes of local memory",
                        MODULE_LOCAL);
    variable->address = LOCAL_START + start;
    module->local = (uint32_t)(start + size);
  } else {
    uint64_t start = (module->data.count + mask) & ~mask;
    if (variable->space == SPACE_CONST) reader->constant_bytes += size;
    if (reader->constant_bytes > MODULE_CONSTANTS)
      return scan_error(reader, "more than %d bytes of constants",
                        MODULE_CONSTANTS);
    if (start + size > 1 << 28) return scan_error(reader, "too much data");
    uint32_t before = module->data.count;
    vector_resize(&module->data, (uint32_t)(start + size));
    memset(module->data.data + before, 0, module->data.count - before);
    variable->address = module->data_address + start;
  }
  return true;
}

/* .shared .align 4 .b8 name[100]; .const .u32 name[2] = {1, 2}; */
static bool read_variable(Reader *reader, Space space, bool external) {
  Module *module = reader->module;
  Variable variable = {.space = space, .function = reader->function};
  uint64_t alignment, count = 1;
  Word name;
  bool minus;
  if (!read_alignment(reader, &alignment)) return false;
  const Type *type = read_type(reader);
  if (!type) return false;
  if (!type->bytes) return scan_error(reader, "predicates are registers");
  if (!alignment) alignment = type->bytes;
  if (!scan_name(reader, &name)) return false;
  if (scan_accept(reader, "[")) {
    if (!external && !scan_integer(reader, &count, &minus)) return false;
    if (!scan_expect(reader, "]")) return false;
  } else if (external) {
    return scan_error(reader, "external arrays have no size");
  }
  if (!count || count > 1 << 28) return scan_error(reader, "a strange size");
  for (uint32_t i = 0; i < module->variables.count; i++)
    if ((module->variables.data[i].function == reader->function) &&
        scan_word_is(name, module->variables.data[i].name))
      return scan_error(reader, "%.*s is declared twice", (int)name.length,
                        name.start);
  variable.size = external ? 0 : count * type->bytes;
  variable.address = SHARED_DYNAMIC;
  if (!external && !place_variable(reader, &variable, alignment)) return false;
  if (scan_accept(reader, "=")) {
    if (space != SPACE_CONST && space != SPACE_GLOBAL)
      return scan_error(reader, "shared and local memory has no values");
    if (!read_values(reader, variable.address - module->data_address,
                     variable.size, type->bytes))
      return false;
  }
  variable.name = copy_word(name);
  vector_push(&module->variables, variable);
  return scan_expect(reader, ";");
}

/* ---- functions ---- */

/* (.param .u64 totals, .param .u32 steps) */
static bool read_parameters(Reader *reader, Function *function) {
  Module *module = reader->module;
  function->parameter_first = module->parameters.count;
  if (!scan_accept(reader, "(") || scan_accept(reader, ")")) return true;
  do {
    Word name;
    if (!scan_expect(reader, ".param")) return false;
    const Type *type = read_type(reader);
    if (!type || !scan_name(reader, &name)) return false;
    if (!type->bytes) return scan_error(reader, "a predicate as parameter");
    uint32_t start = (function->parameter_bytes + type->bytes - 1) /
                     type->bytes * type->bytes;
    if (start + type->bytes > MODULE_PARAMETERS)
      return scan_error(reader, "too many parameters");
    Parameter parameter = {copy_word(name), start, type->bytes};
    vector_push(&module->parameters, parameter);
    function->parameter_bytes = start + type->bytes;
    function->parameter_count++;
  } while (scan_accept(reader, ","));
  return scan_expect(reader, ")");
}

/* .maxntid 128, 1, 1  .minnctapersm 2 */
static bool read_limits(Reader *reader, Function *function) {
  bool minus;
  for (;;) {
    uint64_t x, other = 1;
    if (scan_accept(reader, ".maxntid") || scan_accept(reader, ".reqntid")) {
      if (!scan_integer(reader, &x, &minus)) return false;
      while (scan_accept(reader, ","))
        if (!scan_integer(reader, &other, &minus)) return false;
      if (!x || x > 1024 || other != 1)
        return scan_error(reader, "a block has 1 to 1024 threads in a row");
      function->most_threads = (uint32_t)x;
    } else if (scan_accept(reader, ".minnctapersm") ||
               scan_accept(reader, ".maxnreg")) {
      if (!scan_integer(reader, &x, &minus)) return false;
      if (!x || x > 255) return scan_error(reader, "a strange limit");
    } else {
      return true;
    }
  }
}

static bool add_label(Reader *reader, Word name) {
  MapCursor at;
  char type;
  int32_t number;
  if (scan_is_register(reader, name, &type, &number))
    return scan_error(reader, "the label %.*s is also a register",
                      (int)name.length, name.start);
  uint64_t hash = scan_hash(name);
  for (uint32_t e = map_first(&reader->label_index, hash, &at); e;
       e = map_next(&reader->label_index, &at)) {
    Word other = reader->labels.data[e - 1].name;
    if (other.length == name.length &&
        memcmp(other.start, name.start, name.length) == 0)
      return scan_error(reader, "the label %.*s is there twice",
                        (int)name.length, name.start);
  }
  Label label = {name, reader->module->steps.count};
  vector_push(&reader->labels, label);
  map_add(&reader->label_index, hash, reader->labels.count);
  return true;
}

/* name: .branchtargets one, two; */
static bool read_targets(Reader *reader, Word name) {
  TargetTable table = {.name = name, .line = reader->line};
  do {
    Word target;
    if (!scan_name(reader, &target)) {
      vector_free(&table.targets);
      return false;
    }
    vector_push(&table.targets, target);
  } while (scan_accept(reader, ","));
  vector_push(&reader->tables, table);
  return scan_expect(reader, ";");
}

/* Returns true, and skips it, if a label is next. */
static bool is_label(Reader *reader, Word *name) {
  const char *at = reader->at;
  while (isalnum((unsigned char)*at) || *at == '_' || *at == '$') at++;
  if (at == reader->at || isdigit((unsigned char)*reader->at)) return false;
  *name = (Word){reader->at, (uint32_t)(at - reader->at)};
  while (*at == ' ' || *at == '\t') at++;
  if (*at != ':' || at[1] == ':') return false;
  reader->at = at + 1;
  return true;
}

static bool read_statement(Reader *reader) {
  Word name;
  if (scan_accept(reader, ".reg")) return read_registers(reader);
  if (scan_accept(reader, ".local"))
    return read_variable(reader, SPACE_LOCAL, false);
  if (scan_accept(reader, ".shared"))
    return read_variable(reader, SPACE_SHARED, false);
  if (scan_accept(reader, ".pragma")) {
    reader->at += strcspn(reader->at, ";\n");
    return scan_expect(reader, ";");
  }
  if (is_label(reader, &name))
    return scan_accept(reader, ".branchtargets") ? read_targets(reader, name)
                                                 : add_label(reader, name);
  return decode_instruction(reader);
}

static void forget_function(Reader *reader) {
  for (uint32_t i = 0; i < reader->tables.count; i++)
    vector_free(&reader->tables.data[i].targets);
  vector_clear(&reader->tables);
  vector_clear(&reader->labels);
  vector_clear(&reader->pending);
  map_clear(&reader->label_index);
  reader->function = UINT32_MAX;
}

static bool read_body(Reader *reader) {
  Module *module = reader->module;
  reader->bank_first = module->banks.count;
  if (!scan_expect(reader, "{")) return false;
  while (!scan_accept(reader, "}")) {
    if (reader->failed) return false;
    if (!*reader->at) return scan_error(reader, "a function has no end");
    if (!read_statement(reader)) return false;
  }
  /* A function that runs to its end returns; labels at the end are there. */
  const Function *function = &module->functions.data[reader->function];
  Step last = {.code = OP_RETURN, .guard = REG_TRUE, .line = reader->line};
  if (function->entry) last.code = OP_EXIT;
  vector_push(&module->steps, last);
  return decode_targets(reader);
}

static bool read_function(Reader *reader, bool entry) {
  Module *module = reader->module;
  Word name;
  Function function = {.entry = entry, .first = module->steps.count};
  if (!scan_name(reader, &name)) return false;
  for (uint32_t i = 0; i < module->functions.count; i++)
    if (scan_word_is(name, module->functions.data[i].name))
      return scan_error(reader, "%.*s is defined twice", (int)name.length,
                        name.start);
  for (uint32_t i = 0; i < module->banks.count; i++)
    if (scan_word_is(name, module->banks.data[i].name))
      return scan_error(reader,
                        "%.*s is also a register: compilers of cards crash on "
                        "some of these",
                        (int)name.length, name.start);
  function.name = copy_word(name);
  bool good = read_parameters(reader, &function) &&
              (!entry || read_limits(reader, &function));
  vector_push(&module->functions, function);
  if (!good) return false;
  if (!entry && function.parameter_count)
    return scan_error(reader, "functions have no parameters here");
  reader->function = module->functions.count - 1;
  good = read_body(reader);
  forget_function(reader);
  return good;
}

static bool read_declaration(Reader *reader) {
  bool external = scan_accept(reader, ".extern");
  if (external) {
    if (!scan_expect(reader, ".shared")) return false;
    return read_variable(reader, SPACE_SHARED, true);
  }
  bool visible = scan_accept(reader, ".visible");
  if (scan_accept(reader, ".entry")) return read_function(reader, true);
  if (scan_accept(reader, ".func")) return read_function(reader, false);
  if (scan_accept(reader, ".const"))
    return read_variable(reader, SPACE_CONST, false);
  if (scan_accept(reader, ".global"))
    return read_variable(reader, SPACE_GLOBAL, false);
  if (!visible && scan_accept(reader, ".shared"))
    return read_variable(reader, SPACE_SHARED, false);
  return scan_error(reader, "a declaration expected before '%.12s'",
                    *reader->at ? reader->at : "the end");
}

/* ---- modules ---- */

static void free_reader(Reader *reader) {
  forget_function(reader);
  vector_free(&reader->tables);
  vector_free(&reader->labels);
  vector_free(&reader->pending);
  map_free(&reader->mnemonics);
  map_free(&reader->narrow_index);
  map_free(&reader->wide_index);
  map_free(&reader->label_index);
}

Module *module_new(const char *text, uint64_t data_address, Text *error) {
  Module *module = memory_new(sizeof *module);
  Reader reader = {.module = module,
                   .at = text,
                   .line = 1,
                   .error = error,
                   .function = UINT32_MAX};
  module->data_address = data_address;
  module->text = copy_word((Word){text, (uint32_t)strlen(text)});
  decode_begin(&reader);
  bool good = read_head(&reader);
  while (good) {
    scan_blanks(&reader);
    if (!*reader.at || reader.failed) break;
    good = read_declaration(&reader);
  }
  good = good && !reader.failed;
  free_reader(&reader);
  if (good) return module;
  module_delete(module);
  return NULL;
}

void module_delete(Module *module) {
  for (uint32_t i = 0; i < module->functions.count; i++)
    memory_delete(module->functions.data[i].name);
  for (uint32_t i = 0; i < module->parameters.count; i++)
    memory_delete(module->parameters.data[i].name);
  for (uint32_t i = 0; i < module->variables.count; i++)
    memory_delete(module->variables.data[i].name);
  for (uint32_t i = 0; i < module->banks.count; i++)
    memory_delete(module->banks.data[i].name);
  for (uint32_t i = 0; i < module->tables.count; i++)
    vector_free(&module->tables.data[i]);
  vector_free(&module->steps);
  vector_free(&module->lists);
  vector_free(&module->tables);
  vector_free(&module->functions);
  vector_free(&module->parameters);
  vector_free(&module->variables);
  vector_free(&module->banks);
  vector_free(&module->narrow_constants);
  vector_free(&module->wide_constants);
  vector_free(&module->data);
  memory_delete(module->text);
  memory_delete(module);
}

const Function *module_find(const Module *module, const char *name) {
  for (uint32_t i = 0; i < module->functions.count; i++) {
    const Function *function = &module->functions.data[i];
    if (function->entry && strcmp(function->name, name) == 0) return function;
  }
  return NULL;
}

static char file_of(char type) {
  return type == 'p' ? 'p' : strchr("BRF", type) ? 'w' : 'n';
}

void module_name_register(const Module *module, char file, int32_t number,
                          Text *text) {
  for (uint32_t i = 0; i < module->banks.count; i++) {
    const Bank *bank = &module->banks.data[i];
    if (file_of(bank->type) != file || number < bank->first ||
        (uint32_t)(number - bank->first) >= bank->count)
      continue;
    text_add(text, bank->name);
    if (bank->numbered) text_format(text, "%d", number - bank->first);
    return;
  }
  text_add(text, "a constant");
}
