/* Instructions: a mnemonic of machine_operations.h with its operands, or one of
   the special forms below. Types of registers are checked as the driver's
   compiler does: bits fit everything of their size, integers do not fit floats.
 */
#include "machine_read.h"

typedef struct Mnemonic {
  const char *name, *operands;
  Op code;
} Mnemonic;

static const Mnemonic mnemonics[] = {
#define OPERATION(code, mnemonic, operands, form, value) \
  {mnemonic, operands, OP_##code},
#define SAME(code, mnemonic, operands) {mnemonic, operands, OP_##code},
#include "gpu/machine_operations.h"
};

enum { MNEMONICS = sizeof mnemonics / sizeof *mnemonics };

void decode_begin(Reader *reader) {
  for (uint32_t i = 0; i < MNEMONICS; i++) {
    Word name = {mnemonics[i].name, (uint32_t)strlen(mnemonics[i].name)};
    map_add(&reader->mnemonics, scan_hash(name), i + 1);
  }
}

static const Mnemonic *find_mnemonic(const Reader *reader, Word name) {
  MapCursor at;
  for (uint32_t e = map_first(&reader->mnemonics, scan_hash(name), &at); e;
       e = map_next(&reader->mnemonics, &at))
    if (scan_word_is(name, mnemonics[e - 1].name)) return &mnemonics[e - 1];
  return NULL;
}

/* ---- constants ---- */

static int32_t narrow_constant(Reader *reader, uint32_t value) {
  Module *module = reader->module;
  MapCursor at;
  uint64_t hash = value * UINT64_C(0x9e3779b97f4a7c15);
  hash ^= hash >> 32;
  if (!value) return REG_ZERO;
  for (uint32_t e = map_first(&reader->narrow_index, hash, &at); e;
       e = map_next(&reader->narrow_index, &at))
    if (module->narrow_constants.data[e - 1] == value)
      return REG_CONSTANTS - (int32_t)(e - 1);
  vector_push(&module->narrow_constants, value);
  map_add(&reader->narrow_index, hash, module->narrow_constants.count);
  return REG_CONSTANTS - (int32_t)(module->narrow_constants.count - 1);
}

static int32_t wide_constant(Reader *reader, uint64_t value) {
  Module *module = reader->module;
  MapCursor at;
  uint64_t hash = value * UINT64_C(0x9e3779b97f4a7c15);
  hash ^= hash >> 32;
  if (!value) return REG_ZERO;
  for (uint32_t e = map_first(&reader->wide_index, hash, &at); e;
       e = map_next(&reader->wide_index, &at))
    if (module->wide_constants.data[e - 1] == value)
      return REG_CONSTANTS - (int32_t)(e - 1);
  vector_push(&module->wide_constants, value);
  map_add(&reader->wide_index, hash, module->wide_constants.count);
  return REG_CONSTANTS - (int32_t)(module->wide_constants.count - 1);
}

/* ---- operands ---- */

static bool is_wide(char letter) {
  return letter == 'R' || letter == 'B' || letter == 'F';
}

static bool fits(char wanted, char type) {
  switch (wanted) {
  case 'r': return type == 'r' || type == 'b';
  case 'f': return type == 'f' || type == 'b';
  case 'b': return type == 'r' || type == 'b' || type == 'f';
  case 'R': return type == 'R' || type == 'B';
  case 'F': return type == 'F' || type == 'B';
  case 'B': return type == 'R' || type == 'B' || type == 'F';
  default: return type == wanted;
  }
}

static const Variable *find_variable(const Reader *reader, Word name) {
  const Module *module = reader->module;
  const Variable *found = NULL;
  for (uint32_t i = 0; i < module->variables.count; i++) {
    const Variable *variable = &module->variables.data[i];
    if (!scan_word_is(name, variable->name)) continue;
    if (variable->function == reader->function) return variable;
    if (variable->function == UINT32_MAX) found = variable;
  }
  return found;
}

static bool to_register(Reader *reader, const Operand *operand, char wanted,
                        int32_t *number) {
  if (operand->kind != OPERAND_REGISTER || operand->negated || operand->clock ||
      operand->number < 0)
    return scan_error(reader, "a register expected as the result");
  if (operand->paired != REG_NOWHERE)
    return scan_error(reader, "this has one result");
  if (!fits(wanted, operand->type))
    return scan_error(reader, "the result has the wrong type");
  *number = operand->number;
  return true;
}

static bool from_integer(Reader *reader, const Operand *operand, char wanted,
                         int32_t *number) {
  uint64_t value = operand->value;
  if (wanted == 'p' || wanted == 'f' || wanted == 'F')
    return scan_error(reader, "an integer where none can be");
  if (is_wide(wanted)) {
    *number = wide_constant(reader, value);
    return true;
  }
  uint32_t bits = wanted == 'h' ? 16 : 32;
  if (operand->minus ? value && value < UINT64_MAX << (bits - 1)
                     : value >> bits != 0)
    return scan_error(reader, "the number is too large");
  *number = narrow_constant(reader, (uint32_t)value &
                                        (wanted == 'h' ? 0xffff : UINT32_MAX));
  return true;
}

static bool from_name(Reader *reader, const Operand *operand, char wanted,
                      int32_t *number) {
  const Variable *variable = find_variable(reader, operand->name);
  if (!variable)
    return scan_error(reader, "%.*s is not declared", (int)operand->name.length,
                      operand->name.start);
  if (is_wide(wanted)) {
    *number = wide_constant(reader, variable->address);
    return true;
  }
  if (wanted != 'r' && wanted != 'b')
    return scan_error(reader, "an address where none can be");
  if (variable->address >> 32)
    return scan_error(reader, "this address has 64 bits");
  *number = narrow_constant(reader, (uint32_t)variable->address);
  return true;
}

/* A source: a register, a constant or the address of a variable. */
static bool from_operand(Reader *reader, const Operand *operand, char wanted,
                         int32_t *number) {
  if (operand->kind == OPERAND_INTEGER)
    return from_integer(reader, operand, wanted, number);
  if (operand->kind == OPERAND_NAME)
    return from_name(reader, operand, wanted, number);
  if (operand->kind == OPERAND_FLOAT) {
    if (wanted != 'f' && wanted != 'b')
      return scan_error(reader, "a float where none can be");
    *number = narrow_constant(reader, (uint32_t)operand->value);
    return true;
  }
  if (operand->kind != OPERAND_REGISTER || operand->clock || operand->negated ||
      operand->paired != REG_NOWHERE)
    return scan_error(reader, "a register or a constant expected");
  if (!fits(wanted, operand->type))
    return scan_error(reader, "an operand has the wrong type");
  *number = operand->number;
  return true;
}

static bool from_predicate(Reader *reader, const Operand *operand,
                           int32_t *number, uint32_t *flip) {
  if (operand->kind != OPERAND_REGISTER || operand->type != 'p' ||
      operand->paired != REG_NOWHERE)
    return scan_error(reader, "a predicate expected");
  *number = operand->number;
  *flip = operand->negated ? UINT32_MAX : 0;
  return true;
}

/* ---- parts of a mnemonic ---- */

enum { PARTS = 10 };

typedef struct Statement {
  Word whole, parts[PARTS];
  uint32_t part_count, at; /* the next part */
  Operand operands[OPERANDS_MOST];
  uint32_t count;
  Step step;
} Statement;

static void split(Statement *statement) {
  const char *start = statement->whole.start;
  const char *end = start + statement->whole.length;
  while (start < end && statement->part_count < PARTS) {
    const char *dot = memchr(start, '.', (size_t)(end - start));
    if (!dot) dot = end;
    statement->parts[statement->part_count++] =
        (Word){start, (uint32_t)(dot - start)};
    start = dot + 1;
  }
}

static bool part(Statement *statement, const char *text) {
  if (statement->at == statement->part_count ||
      !scan_word_is(statement->parts[statement->at], text))
    return false;
  statement->at++;
  return true;
}

/* Returns the place of the next part in a list that ends with NULL, or -1. */
static int one_of(Statement *statement, const char *const *list) {
  for (int i = 0; list[i]; i++)
    if (part(statement, list[i])) return i;
  return -1;
}

static bool unknown(Reader *reader, const Statement *statement) {
  return scan_error(reader, "unknown instruction %.*s",
                    (int)statement->whole.length, statement->whole.start);
}

static bool at_end(const Statement *statement) {
  return statement->at == statement->part_count;
}

static bool counted(Reader *reader, const Statement *statement, uint32_t least,
                    uint32_t most) {
  if (statement->count >= least && statement->count <= most) return true;
  return scan_error(reader, "%.*s has %u operands",
                    (int)statement->whole.length, statement->whole.start,
                    statement->count);
}

static const char *const type_names[] = {"b32", "u32", "s32", "f32", "b64",
                                         "u64", "s64", "b16", "u16", "s16",
                                         "b8",  "u8",  "s8",  NULL};
static const char type_letters[] = "brrfBRRhhhbrr";
static const uint8_t type_bytes[] = {4, 4, 4, 4, 8, 8, 8, 2, 2, 2, 1, 1, 1};
enum { TYPE_B32, TYPE_U32, TYPE_S32, TYPE_F32, TYPE_B64, TYPE_U64, TYPE_S64 };

/* ---- forms with their own operands ---- */

static bool decode_lop3(Reader *reader, Statement *s) {
  Step *step = &s->step;
  int32_t *sources[] = {&step->a, &step->b, &step->c};
  const Operand *o = s->operands;
  if (!part(s, "b32") || !at_end(s)) return unknown(reader, s);
  if (!counted(reader, s, 5, 5)) return false;
  if (!to_register(reader, &o[0], 'b', &step->to)) return false;
  for (uint32_t i = 0; i < 3; i++)
    if (!from_operand(reader, &o[1 + i], 'b', sources[i])) return false;
  for (uint32_t i = 1; i < 4; i++)
    for (uint32_t j = 1; j < i; j++)
      if (o[i].kind == OPERAND_REGISTER && o[j].kind == OPERAND_REGISTER &&
          o[i].number == o[j].number)
        return scan_error(reader, "lop3 with equal inputs: compilers of cards "
                                  "crash on some of these");
  if (o[4].kind != OPERAND_INTEGER || o[4].value > 255)
    return scan_error(reader, "a truth table has 8 bits");
  step->code = OP_LOP3;
  step->kind = (uint8_t)o[4].value;
  return true;
}

static bool decode_bfi(Reader *reader, Statement *s) {
  Step *step = &s->step;
  const Operand *o = s->operands;
  if (!part(s, "b32") || !at_end(s)) return unknown(reader, s);
  step->code = OP_BFI;
  return counted(reader, s, 5, 5) &&
         to_register(reader, &o[0], 'b', &step->to) &&
         from_operand(reader, &o[1], 'b', &step->a) &&
         from_operand(reader, &o[2], 'b', &step->b) &&
         from_operand(reader, &o[3], 'r', &step->c) &&
         from_operand(reader, &o[4], 'r', &step->extra);
}

/* setp.lt.and.u32 p|q, a, b, !c */
static bool decode_setp(Reader *reader, Statement *s) {
  static const char *const comparisons[] = {
      "eq",  "ne",  "lt",  "le", "gt", "ge", "equ", "neu", "ltu",
      "leu", "gtu", "geu", "lo", "ls", "hi", "hs",  NULL};
  static const uint8_t kinds[] = {
      CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_EQ, CMP_NE,
      CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_LT, CMP_LE, CMP_GT, CMP_GE};
  static const char *const joins[] = {"and", "or", "xor", NULL};
  Step *step = &s->step;
  int comparison = one_of(s, comparisons), join = one_of(s, joins);
  int type = one_of(s, type_names);
  if (comparison < 0 || type < 0 || !at_end(s)) return unknown(reader, s);
  char letter = type_letters[type];
  bool bits = letter == 'b' || letter == 'B', is_float = letter == 'f';
  if (type_bytes[type] < 2 || (bits && comparison > 1) ||
      (comparison > 5 && (comparison < 12) != is_float) ||
      (comparison > 11 && letter != 'r' && letter != 'R'))
    return unknown(reader, s);
  if (type_bytes[type] == 2 && type_names[type][0] == 's')
    return unknown(reader, s);
  if (!counted(reader, s, join < 0 ? 3 : 4, join < 0 ? 3 : 4)) return false;
  Operand *o = s->operands;
  if (o[0].kind == OPERAND_REGISTER) step->to2 = o[0].paired;
  if (step->to2 != REG_NOWHERE && o[0].paired_type != 'p')
    return scan_error(reader, "a predicate expected");
  o[0].paired = REG_NOWHERE;
  step->code = OP_SETP;
  step->kind = kinds[comparison];
  step->more = is_float           ? comparison > 5 ? AS_F32_UNORDERED : AS_F32
               : type == TYPE_S32 ? AS_S32
               : type == TYPE_S64 ? AS_S64
               : is_wide(letter)  ? AS_U64
                                  : AS_U32;
  step->bytes = (uint8_t)(join + 1);
  step->c = REG_TRUE;
  return to_register(reader, &o[0], 'p', &step->to) &&
         from_operand(reader, &o[1], letter, &step->a) &&
         from_operand(reader, &o[2], letter, &step->b) &&
         (join < 0 || from_predicate(reader, &o[3], &step->c, &step->flip_c));
}

static bool decode_selp(Reader *reader, Statement *s) {
  Step *step = &s->step;
  const Operand *o = s->operands;
  int type = one_of(s, type_names);
  if (type < 0 || !at_end(s) || type_bytes[type] < 2) return unknown(reader, s);
  char letter = type_letters[type];
  step->code = is_wide(letter) ? OP_SELP_64 : OP_SELP_32;
  return counted(reader, s, 4, 4) &&
         to_register(reader, &o[0], letter, &step->to) &&
         from_operand(reader, &o[1], letter, &step->a) &&
         from_operand(reader, &o[2], letter, &step->b) &&
         from_predicate(reader, &o[3], &step->c, &step->flip_c);
}

static bool decode_predicates(Reader *reader, Statement *s, Op code,
                              uint32_t sources) {
  Step *step = &s->step;
  const Operand *o = s->operands;
  uint32_t flip = 0;
  step->code = (uint16_t)code;
  if (!counted(reader, s, 1 + sources, 1 + sources) ||
      !to_register(reader, &o[0], 'p', &step->to) ||
      !from_predicate(reader, &o[1], &step->a, &flip))
    return false;
  if (sources == 2 && !from_predicate(reader, &o[2], &step->c, &flip))
    return false;
  if (o[1].negated || (sources == 2 && o[2].negated))
    return scan_error(reader, "these predicates are not negated");
  return true;
}

/* mov.b64 %d, {%low, %high} and back; %clock. */
static bool decode_mov(Reader *reader, Statement *s) {
  Step *step = &s->step;
  Operand *o = s->operands;
  if (!counted(reader, s, 2, 2)) return false;
  if (o[1].clock) {
    step->code = OP_CLOCK;
    step->wide = o[1].type == 'R';
    return to_register(reader, &o[0], o[1].type, &step->to);
  }
  if (!part(s, "b64")) return unknown(reader, s);
  Operand *list = o[0].kind == OPERAND_LIST ? &o[0] : &o[1];
  if (list->kind != OPERAND_LIST || list->count != 2 ||
      !fits('b', list->types[0]) || !fits('b', list->types[1]))
    return scan_error(reader, "two registers of 32 bits expected");
  if (list == &o[0]) {
    step->code = OP_UNPACK;
    step->to = list->numbers[0];
    step->to2 = list->numbers[1];
    return from_operand(reader, &o[1], 'B', &step->a);
  }
  step->code = OP_PACK;
  step->a = list->numbers[0];
  step->b = list->numbers[1];
  return to_register(reader, &o[0], 'B', &step->to);
}

/* ---- memory ---- */

static const char *const space_names[] = {"global", "shared", "local",
                                          "param",  "const",  NULL};
static const Space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL,
                               SPACE_PARAM, SPACE_CONST};

/* Skips what says how memory is cached and ordered: here all is in order. Those
   in front tell that other threads may access it at the same time. */
static void skip_hints(Statement *s) {
  enum { STRONG = 5 };
  static const char *const hints[] = {"volatile",
                                      "relaxed",
                                      "acquire",
                                      "release",
                                      "acq_rel",
                                      "weak",
                                      "cta",
                                      "gpu",
                                      "sys",
                                      "nc",
                                      "ca",
                                      "cg",
                                      "cs",
                                      "cv",
                                      "wb",
                                      "wt",
                                      "lu",
                                      "L1::evict_last",
                                      "L1::no_allocate",
                                      "L2::128B",
                                      "L1::evict_first",
                                      "L2::256B",
                                      "L2::64B",
                                      NULL};
  for (int hint; (hint = one_of(s, hints)) >= 0;)
    if (hint < STRONG) s->step.strong = true;
}

static bool find_parameter(Reader *reader, const Operand *o, Step *step) {
  const Module *module = reader->module;
  const Function *function = &module->functions.data[reader->function];
  for (uint32_t i = 0; i < function->parameter_count; i++) {
    const Parameter *parameter =
        &module->parameters.data[function->parameter_first + i];
    if (!scan_word_is(o->name, parameter->name)) continue;
    if (o->value + (uint64_t)step->bytes * step->count > parameter->size)
      return scan_error(reader, "more than the parameter %s has",
                        parameter->name);
    step->offset = (int64_t)(parameter->offset + o->value);
    step->fixed = true;
    return true;
  }
  return scan_error(reader, "there is no parameter %.*s", (int)o->name.length,
                    o->name.start);
}

static bool decode_address(Reader *reader, const Operand *o, Step *step) {
  if (o->kind != OPERAND_ADDRESS)
    return scan_error(reader, "an address in brackets expected");
  if (step->space == SPACE_PARAM) return find_parameter(reader, o, step);
  step->offset = (int64_t)o->value;
  if (o->has_base) {
    step->a = o->number;
    step->wide = is_wide(o->type);
    if (!fits(step->wide ? 'R' : 'r', o->type))
      return scan_error(reader, "an address has the wrong type");
    if (!step->wide && step->space != SPACE_SHARED &&
        step->space != SPACE_LOCAL)
      return scan_error(reader, "addresses of this memory have 64 bits");
    return true;
  }
  step->fixed = true;
  step->wide = true;
  if (o->base_is_name) {
    const Variable *variable = find_variable(reader, o->name);
    if (!variable)
      return scan_error(reader, "%.*s is not declared", (int)o->name.length,
                        o->name.start);
    if (variable->space != step->space)
      return scan_error(reader, "%s is in other memory", variable->name);
    step->offset += (int64_t)variable->address;
  }
  return true;
}

static bool data_fits(char wanted, uint8_t bytes, char type) {
  if (bytes == 8) return fits(wanted, type);
  if (bytes == 4) return fits(wanted, type);
  return type == 'h' || type == 'r' || type == 'b'; /* they may be wider */
}

/* The registers of ld or st: one, or as many as the vector has. */
static bool decode_data(Reader *reader, const Operand *o, int type, bool load,
                        Step *step) {
  Module *module = reader->module;
  char letter = type_letters[type];
  step->extra = (int32_t)module->lists.count;
  step->wide_data = is_wide(letter);
  if (step->count > 1) {
    if (o->kind != OPERAND_LIST || o->count != step->count)
      return scan_error(reader, "%u registers in braces expected", step->count);
    for (uint32_t i = 0; i < o->count; i++) {
      if (!data_fits(letter, step->bytes, o->types[i]))
        return scan_error(reader, "an operand has the wrong type");
      if (o->types[i] == 'h') step->more = 1;
      vector_push(&module->lists, o->numbers[i]);
    }
    return true;
  }
  int32_t number;
  if (o->kind == OPERAND_REGISTER && step->bytes < 4) {
    if (o->number < 0 || o->clock || o->negated ||
        !data_fits(letter, step->bytes, o->type))
      return scan_error(reader, "an operand has the wrong type");
    if (o->type == 'h') step->more = 1;
    number = o->number;
  } else if (load ? !to_register(reader, o, letter, &number)
                  : !from_operand(reader, o, step->bytes < 4 ? 'r' : letter,
                                  &number)) {
    return false;
  }
  vector_push(&module->lists, number);
  return true;
}

/* ld.volatile.global.nc.v4.u32 {…}, [%d+16] */
static bool decode_memory(Reader *reader, Statement *s, bool load) {
  Step *step = &s->step;
  skip_hints(s);
  int space = one_of(s, space_names);
  skip_hints(s);
  step->space = (uint8_t)(space < 0 ? SPACE_GENERIC : spaces[space]);
  step->count = part(s, "v2") ? 2 : part(s, "v4") ? 4 : 1;
  int type = one_of(s, type_names);
  if (type < 0 || !at_end(s)) return unknown(reader, s);
  step->code = load ? OP_LOAD : OP_STORE;
  step->bytes = type_bytes[type];
  step->is_signed = type_names[type][0] == 's';
  if ((uint32_t)step->bytes * step->count > 16)
    return scan_error(reader, "more than 16 bytes at once");
  if (!load && (step->space == SPACE_PARAM || step->space == SPACE_CONST))
    return scan_error(reader, "this memory cannot be written");
  if (!counted(reader, s, 2, 2)) return false;
  const Operand *o = s->operands;
  return decode_address(reader, load ? &o[1] : &o[0], step) &&
         decode_data(reader, load ? &o[0] : &o[1], type, load, step);
}

/* Which update a name means for a type; -1: none. */
static int find_update(int name, int type) {
  enum { ADD, AND, OR, XOR, MIN, MAX, EXCH, CAS, INC, DEC };
  bool bits = type == TYPE_B32 || type == TYPE_B64;
  bool is_signed = type == TYPE_S32 || type == TYPE_S64;
  if (type < 0 || type > TYPE_S64) return -1;
  if (type == TYPE_F32) return name == ADD ? DO_ADD_F32 : -1;
  switch (name) {
  case ADD: return bits ? -1 : DO_ADD;
  case AND: return bits ? DO_AND : -1;
  case OR: return bits ? DO_OR : -1;
  case XOR: return bits ? DO_XOR : -1;
  case MIN: return bits ? -1 : is_signed ? DO_MIN_S : DO_MIN;
  case MAX: return bits ? -1 : is_signed ? DO_MAX_S : DO_MAX;
  case EXCH: return bits ? DO_EXCH : -1;
  case CAS: return bits ? DO_CAS : -1;
  case INC: return type == TYPE_U32 ? DO_INC : -1;
  default: return type == TYPE_U32 ? DO_DEC : -1;
  }
}

/* atom.shared.add.u32 %r, [a], b; red has no result. */
static bool decode_atomic(Reader *reader, Statement *s, bool result) {
  static const char *const names[] = {"add",  "and", "or",  "xor", "min", "max",
                                      "exch", "cas", "inc", "dec", NULL};
  Step *step = &s->step;
  skip_hints(s);
  int space = one_of(s, space_names);
  skip_hints(s);
  int name = one_of(s, names), type = one_of(s, type_names);
  int update = name < 0 ? -1 : find_update(name, type);
  if (update < 0 || !at_end(s) || (!result && (name == 6 || name == 7)) ||
      (space > 1))
    return unknown(reader, s);
  uint32_t operands = (result ? 3u : 2u) + (update == DO_CAS);
  if (!counted(reader, s, operands, operands)) return false;
  char letter = type_letters[type];
  const Operand *o = s->operands;
  step->code = OP_ATOMIC;
  step->kind = (uint8_t)update;
  step->space = (uint8_t)(space < 0 ? SPACE_GENERIC : spaces[space]);
  step->bytes = type_bytes[type];
  step->count = 1;
  step->wide_data = is_wide(letter);
  step->to = REG_NOWHERE;
  if (result && o[0].kind != OPERAND_NOWHERE &&
      !to_register(reader, &o[0], letter, &step->to))
    return false;
  if (result) o++;
  return decode_address(reader, &o[0], step) &&
         from_operand(reader, &o[1], letter, &step->b) &&
         (update != DO_CAS || from_operand(reader, &o[2], letter, &step->c));
}

/* ---- warps ---- */

/* shfl.sync.bfly.b32 d|p, a, b, c, mask */
static bool decode_shuffle(Reader *reader, Statement *s) {
  static const char *const kinds[] = {"idx", "bfly", "up", "down", NULL};
  Step *step = &s->step;
  Operand *o = s->operands;
  int kind = part(s, "sync") ? one_of(s, kinds) : -1;
  if (kind < 0 || !part(s, "b32") || !at_end(s)) return unknown(reader, s);
  if (!counted(reader, s, 5, 5)) return false;
  step->code = OP_SHUFFLE;
  step->kind = (uint8_t)kind;
  step->to2 = o[0].paired;
  if (step->to2 != REG_NOWHERE && o[0].paired_type != 'p')
    return scan_error(reader, "a predicate expected");
  o[0].paired = REG_NOWHERE;
  return to_register(reader, &o[0], 'b', &step->to) &&
         from_operand(reader, &o[1], 'b', &step->a) &&
         from_operand(reader, &o[2], 'r', &step->b) &&
         from_operand(reader, &o[3], 'r', &step->c) &&
         from_operand(reader, &o[4], 'r', &step->extra);
}

/* vote.sync.any.pred p, q, mask; vote.sync.ballot.b32 d, q, mask */
static bool decode_vote(Reader *reader, Statement *s) {
  static const char *const kinds[] = {"any", "all", "uni", "ballot", NULL};
  Step *step = &s->step;
  const Operand *o = s->operands;
  int kind = part(s, "sync") ? one_of(s, kinds) : -1;
  if (kind < 0 || !part(s, kind == 3 ? "b32" : "pred") || !at_end(s))
    return unknown(reader, s);
  step->code = kind == 3 ? OP_BALLOT : OP_VOTE;
  step->kind = (uint8_t)kind;
  return counted(reader, s, 3, 3) &&
         to_register(reader, &o[0], kind == 3 ? 'b' : 'p', &step->to) &&
         from_predicate(reader, &o[1], &step->c, &step->flip_c) &&
         from_operand(reader, &o[2], 'r', &step->extra);
}

static bool decode_redux(Reader *reader, Statement *s) {
  static const char *const names[] = {"add", "and", "or", "xor",
                                      "min", "max", NULL};
  Step *step = &s->step;
  const Operand *o = s->operands;
  int name = part(s, "sync") ? one_of(s, names) : -1;
  int type = one_of(s, type_names);
  int update =
      name < 0 || type < 0 || type > TYPE_S32 ? -1 : find_update(name, type);
  if (update < 0 || !at_end(s)) return unknown(reader, s);
  step->code = OP_REDUX;
  step->kind = (uint8_t)update;
  return counted(reader, s, 3, 3) &&
         to_register(reader, &o[0], 'b', &step->to) &&
         from_operand(reader, &o[1], 'b', &step->a) &&
         from_operand(reader, &o[2], 'r', &step->extra);
}

static bool decode_match(Reader *reader, Statement *s) {
  Step *step = &s->step;
  const Operand *o = s->operands;
  if (!part(s, "any") || !part(s, "sync") || !part(s, "b32") || !at_end(s))
    return unknown(reader, s);
  step->code = OP_MATCH;
  return counted(reader, s, 3, 3) &&
         to_register(reader, &o[0], 'b', &step->to) &&
         from_operand(reader, &o[1], 'b', &step->a) &&
         from_operand(reader, &o[2], 'r', &step->extra);
}

static bool decode_activemask(Reader *reader, Statement *s) {
  if (!part(s, "b32") || !at_end(s)) return unknown(reader, s);
  s->step.code = OP_ACTIVE;
  return counted(reader, s, 1, 1) &&
         to_register(reader, &s->operands[0], 'b', &s->step.to);
}

/* bar.sync 0, 128; bar.red.or.pred p, 0, q; bar.warp.sync mask */
static bool decode_barrier(Reader *reader, Statement *s, bool aligned) {
  Step *step = &s->step;
  const Operand *o = s->operands;
  if (part(s, "warp")) {
    if (!part(s, "sync") || !at_end(s)) return unknown(reader, s);
    step->code = OP_WARP_SYNC;
    return counted(reader, s, 1, 1) &&
           from_operand(reader, &o[0], 'r', &step->extra);
  }
  part(s, "cta");
  step->code = OP_BARRIER;
  step->kind = BARRIER_SYNC;
  step->aligned = part(s, "aligned") || aligned;
  uint32_t results = 0, least = 1;
  if (part(s, "red")) {
    static const char *const names[] = {"or", "and", "popc", NULL};
    int kind = one_of(s, names);
    if (kind < 0 || !part(s, kind == 2 ? "u32" : "pred"))
      return unknown(reader, s);
    step->kind = (uint8_t)(BARRIER_OR + kind);
    results = 1;
    least = 3;
    if (part(s, "aligned")) step->aligned = true;
  } else if (!part(s, "sync")) {
    return unknown(reader, s);
  }
  if (part(s, "aligned")) step->aligned = true;
  if (!at_end(s)) return unknown(reader, s);
  if (!counted(reader, s, least, least + 1)) return false;
  if (results &&
      (!to_register(reader, &o[0], step->kind == BARRIER_POPC ? 'r' : 'p',
                    &step->to) ||
       !from_predicate(reader, &o[s->count - 1], &step->c, &step->flip_c)))
    return false;
  step->b = REG_ZERO;
  return from_operand(reader, &o[results], 'r', &step->a) &&
         (s->count == least ||
          from_operand(reader, &o[results + 1], 'r', &step->b));
}

/* ---- control ---- */

static bool decode_jump(Reader *reader, Statement *s, Op code) {
  Step *step = &s->step;
  uint32_t which = code == OP_INDEXED;
  if (code == OP_INDEXED && !part(s, "idx")) return unknown(reader, s);
  part(s, "uni");
  if (!at_end(s)) return unknown(reader, s);
  if (!counted(reader, s, 1 + which, 1 + which)) return false;
  step->code = (uint16_t)code;
  if (s->operands[which].kind != OPERAND_NAME)
    return scan_error(reader, "the name of a target expected");
  if (which && !from_operand(reader, &s->operands[0], 'r', &step->a))
    return false;
  Word name = s->operands[which].name;
  if (code == OP_CALL) {
    const Module *module = reader->module;
    for (uint32_t i = 0; i < reader->function; i++) {
      const Function *function = &module->functions.data[i];
      if (function->entry || !scan_word_is(name, function->name)) continue;
      step->extra = (int32_t)function->first;
      return true;
    }
    return scan_error(reader, "no function %.*s is defined before",
                      (int)name.length, name.start);
  }
  Pending pending = {reader->module->steps.count, reader->line, name};
  vector_push(&reader->pending, pending);
  return true;
}

static bool decode_end(Reader *reader, Statement *s) {
  part(s, "uni");
  if (!at_end(s)) return unknown(reader, s);
  Word first = s->parts[0];
  bool entry = reader->module->functions.data[reader->function].entry;
  s->step.code = scan_word_is(first, "trap")            ? OP_TRAP
                 : scan_word_is(first, "exit") || entry ? OP_EXIT
                                                        : OP_RETURN;
  return counted(reader, s, 0, 0);
}

static bool decode_nothing(Reader *reader, Statement *s) {
  static const char *const words[] = {
      "cta",   "gl",      "sys",     "gpu",
      "sc",    "acq_rel", "proxy",   "async",
      "alias", "global",  "local",   "L1",
      "L2",    "shared",  "cluster", "L2::evict_last",
      NULL};
  while (one_of(s, words) >= 0) {
  }
  if (!at_end(s)) return unknown(reader, s);
  s->step.code = OP_NOTHING;
  return counted(reader, s, 0, 1);
}

/* ---- statements ---- */

static bool decode_plain(Reader *reader, Statement *s, const Mnemonic *known) {
  Step *step = &s->step;
  int32_t *sources[] = {&step->a, &step->b, &step->c};
  uint32_t count = (uint32_t)strlen(known->operands);
  if (!counted(reader, s, count, count)) return false;
  step->code = (uint16_t)known->code;
  if (!to_register(reader, &s->operands[0], known->operands[0], &step->to))
    return false;
  for (uint32_t i = 1; i < count; i++)
    if (!from_operand(reader, &s->operands[i], known->operands[i],
                      sources[i - 1]))
      return false;
  return true;
}

static bool decode_special(Reader *reader, Statement *s) {
  split(s);
  Word first = s->parts[0];
  s->at = 1;
  if (scan_word_is(first, "lop3")) return decode_lop3(reader, s);
  if (scan_word_is(first, "ld")) return decode_memory(reader, s, true);
  if (scan_word_is(first, "st")) return decode_memory(reader, s, false);
  if (scan_word_is(first, "setp")) return decode_setp(reader, s);
  if (scan_word_is(first, "selp")) return decode_selp(reader, s);
  if (scan_word_is(first, "bra")) return decode_jump(reader, s, OP_BRANCH);
  if (scan_word_is(first, "brx")) return decode_jump(reader, s, OP_INDEXED);
  if (scan_word_is(first, "call")) return decode_jump(reader, s, OP_CALL);
  if (scan_word_is(first, "bar")) return decode_barrier(reader, s, true);
  if (scan_word_is(first, "barrier")) return decode_barrier(reader, s, false);
  if (scan_word_is(first, "shfl")) return decode_shuffle(reader, s);
  if (scan_word_is(first, "vote")) return decode_vote(reader, s);
  if (scan_word_is(first, "redux")) return decode_redux(reader, s);
  if (scan_word_is(first, "match")) return decode_match(reader, s);
  if (scan_word_is(first, "activemask")) return decode_activemask(reader, s);
  if (scan_word_is(first, "atom")) return decode_atomic(reader, s, true);
  if (scan_word_is(first, "red")) return decode_atomic(reader, s, false);
  if (scan_word_is(first, "bfi")) return decode_bfi(reader, s);
  if (scan_word_is(s->whole, "mov.pred"))
    return decode_predicates(reader, s, OP_PRED_MOV, 1);
  if (scan_word_is(s->whole, "not.pred"))
    return decode_predicates(reader, s, OP_PRED_NOT, 1);
  if (scan_word_is(s->whole, "and.pred"))
    return decode_predicates(reader, s, OP_PRED_AND, 2);
  if (scan_word_is(s->whole, "or.pred"))
    return decode_predicates(reader, s, OP_PRED_OR, 2);
  if (scan_word_is(s->whole, "xor.pred"))
    return decode_predicates(reader, s, OP_PRED_XOR, 2);
  if (scan_word_is(first, "mov")) return decode_mov(reader, s);
  if (scan_word_is(first, "ret") || scan_word_is(first, "exit") ||
      scan_word_is(first, "trap"))
    return decode_end(reader, s);
  if (scan_word_is(first, "membar") || scan_word_is(first, "fence") ||
      scan_word_is(first, "prefetch"))
    return decode_nothing(reader, s);
  return unknown(reader, s);
}

/* @%p, @!%p */
static bool read_guard(Reader *reader, Step *step) {
  Operand guard;
  step->guard = REG_TRUE;
  if (!scan_accept(reader, "@")) return true;
  return scan_operand(reader, &guard) &&
         from_predicate(reader, &guard, &step->guard, &step->flip);
}

bool decode_instruction(Reader *reader) {
  Statement s = {.step = {.to2 = REG_NOWHERE}};
  if (!read_guard(reader, &s.step)) return false;
  if (!scan_dotted(reader, &s.whole)) return false;
  s.step.line = reader->line;
  scan_blanks(reader);
  if (*reader->at != ';') {
    do {
      if (s.count == OPERANDS_MOST)
        return scan_error(reader, "too many operands");
      if (!scan_operand(reader, &s.operands[s.count++])) return false;
    } while (scan_accept(reader, ","));
  }
  /* Errors are those of this line. */
  const Mnemonic *known = find_mnemonic(reader, s.whole);
  bool special = !known || s.operands[0].kind == OPERAND_LIST ||
                 (s.count > 1 &&
                  (s.operands[1].kind == OPERAND_LIST || s.operands[1].clock));
  if (special ? !decode_special(reader, &s) : !decode_plain(reader, &s, known))
    return false;
  if (!scan_expect(reader, ";")) return false;
  vector_push(&reader->module->steps, s.step);
  return true;
}

/* ---- targets ---- */

static bool find_label(Reader *reader, Word name, uint32_t line,
                       uint32_t *step) {
  MapCursor at;
  for (uint32_t e = map_first(&reader->label_index, scan_hash(name), &at); e;
       e = map_next(&reader->label_index, &at)) {
    Word other = reader->labels.data[e - 1].name;
    if (other.length != name.length ||
        memcmp(other.start, name.start, name.length) != 0)
      continue;
    *step = reader->labels.data[e - 1].step;
    return true;
  }
  reader->line = line;
  return scan_error(reader, "there is no label %.*s", (int)name.length,
                    name.start);
}

static bool find_table(Reader *reader, const Pending *pending,
                       uint32_t first_table, int32_t *number) {
  for (uint32_t i = 0; i < reader->tables.count; i++) {
    Word name = reader->tables.data[i].name;
    if (name.length != pending->name.length ||
        memcmp(name.start, pending->name.start, name.length) != 0)
      continue;
    *number = (int32_t)(first_table + i);
    return true;
  }
  reader->line = pending->line;
  return scan_error(reader, "there is no list of targets %.*s",
                    (int)pending->name.length, pending->name.start);
}

bool decode_targets(Reader *reader) {
  Module *module = reader->module;
  uint32_t first = module->tables.count;
  for (uint32_t i = 0; i < reader->tables.count; i++) {
    const TargetTable *table = &reader->tables.data[i];
    NumberVector targets = {0};
    for (uint32_t k = 0; k < table->targets.count; k++) {
      uint32_t step = 0;
      find_label(reader, table->targets.data[k], table->line, &step);
      vector_push(&targets, step);
    }
    vector_push(&module->tables, targets);
  }
  for (uint32_t i = 0; i < reader->pending.count; i++) {
    const Pending *pending = &reader->pending.data[i];
    Step *step = &module->steps.data[pending->step];
    uint32_t target = 0;
    if (step->code == OP_INDEXED) {
      if (!find_table(reader, pending, first, &step->extra)) return false;
    } else {
      if (!find_label(reader, pending->name, pending->line, &target))
        return false;
      step->extra = (int32_t)target;
    }
  }
  return !reader->failed;
}
