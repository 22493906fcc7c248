#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "machine_read.h"

bool scan_error(Reader *reader, const char *format, ...) {
  char text[256];
  va_list arguments;
  if (reader->failed) return false;
  reader->failed = true;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  text_format(reader->error, "line %u: %s", reader->line, text);
  return false;
}

static bool skip_comment(Reader *reader) {
  if (reader->at[1] == '/') {
    reader->at += strcspn(reader->at, "\n");
    return true;
  }
  if (reader->at[1] != '*') return false;
  const char *end = strstr(reader->at + 2, "*/");
  if (!end) {
    scan_error(reader, "a comment has no end");
    reader->at += strlen(reader->at);
    return true;
  }
  for (; reader->at < end + 2; reader->at++)
    if (*reader->at == '\n') reader->line++;
  return true;
}

void scan_blanks(Reader *reader) {
  for (;;) {
    if (*reader->at == '\n') {
      reader->line++;
      reader->at++;
    } else if (*reader->at == ' ' || *reader->at == '\t' ||
               *reader->at == '\r') {
      reader->at++;
    } else if (*reader->at != '/' || !skip_comment(reader)) {
      return;
    }
  }
}

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

bool scan_accept(Reader *reader, const char *what) {
  size_t length = strlen(what);
  scan_blanks(reader);
  if (strncmp(reader->at, what, length) != 0) return false;
  if (in_name(what[length - 1]) && in_name(reader->at[length])) return false;
  reader->at += length;
  return true;
}

bool scan_expect(Reader *reader, const char *what) {
  if (scan_accept(reader, what)) return true;
  return scan_error(reader, "'%s' expected before '%.12s'", what,
                    *reader->at ? reader->at : "the end");
}

bool scan_name(Reader *reader, Word *word) {
  scan_blanks(reader);
  const char *at = reader->at;
  if (*at == '%') at++;
  if (isdigit((unsigned char)*at) || !in_name(*at))
    return scan_error(reader, "a name expected before '%.12s'", reader->at);
  while (in_name(*at)) at++;
  *word = (Word){reader->at, (uint32_t)(at - reader->at)};
  reader->at = at;
  return true;
}

bool scan_dotted(Reader *reader, Word *word) {
  scan_blanks(reader);
  const char *at = reader->at;
  while (in_name(*at) || *at == '.' || (at[0] == ':' && at[1] == ':') ||
         (at > reader->at && at[0] == ':' && at[-1] == ':'))
    at++;
  if (at == reader->at)
    return scan_error(reader, "an instruction expected before '%.12s'", at);
  *word = (Word){reader->at, (uint32_t)(at - reader->at)};
  reader->at = at;
  return true;
}

bool scan_word_is(Word word, const char *text) {
  return strlen(text) == word.length &&
         memcmp(word.start, text, word.length) == 0;
}

uint64_t scan_hash(Word word) {
  return hash_bytes(word.start, word.length);
}

bool scan_integer(Reader *reader, uint64_t *value, bool *minus) {
  char *end;
  scan_blanks(reader);
  *minus = *reader->at == '-';
  if (*minus) reader->at++;
  if (!isdigit((unsigned char)*reader->at))
    return scan_error(reader, "a number expected before '%.12s'", reader->at);
  bool binary = reader->at[0] == '0' && reader->at[1] == 'b';
  *value = binary ? strtoull(reader->at + 2, &end, 2)
                  : strtoull(reader->at, &end, 0);
  if (*end == 'U') end++;
  if (in_name(*end) || *end == '.')
    return scan_error(reader, "a number expected before '%.12s'", reader->at);
  reader->at = end;
  if (*minus) *value = 0 - *value;
  return true;
}

/* ---- operands ---- */

typedef struct Special {
  const char *name;
  int32_t number;
} Special;

static const Special specials[] = {
    {"%tid.x", REG_TID},           {"%ntid.x", REG_NTID},
    {"%ctaid.x", REG_CTAID},       {"%nctaid.x", REG_NCTAID},
    {"%laneid", REG_LANE},         {"%warpid", REG_WARP},
    {"%lanemask_eq", REG_LANE_EQ}, {"%lanemask_lt", REG_LANE_LT},
    {"%lanemask_le", REG_LANE_LE}, {"%lanemask_gt", REG_LANE_GT},
    {"%lanemask_ge", REG_LANE_GE}, {"%nwarpid", REG_WARPS}};

static bool find_special(Word name, Operand *operand) {
  if (scan_word_is(name, "%clock") || scan_word_is(name, "%clock64")) {
    operand->clock = true;
    operand->type = name.length == 6 ? 'r' : 'R';
    return true;
  }
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
    if (scan_word_is(name, specials[i].name)) {
      operand->type = 'r';
      operand->number = specials[i].number;
      return true;
    }
  return false;
}

static bool in_bank(const Bank *bank, Word name, int32_t *number) {
  size_t length = strlen(bank->name);
  if (!bank->numbered) {
    *number = bank->first;
    return scan_word_is(name, bank->name);
  }
  if (name.length <= length || name.length > length + 9 ||
      memcmp(name.start, bank->name, length) != 0)
    return false;
  uint32_t index = 0;
  for (uint32_t i = (uint32_t)length; i < name.length; i++) {
    if (!isdigit((unsigned char)name.start[i])) return false;
    index = 10 * index + (uint32_t)(name.start[i] - '0');
  }
  if (name.start[length] == '0' && name.length > length + 1) return false;
  *number = bank->first + (int32_t)index;
  return index < bank->count;
}

bool scan_is_register(const Reader *reader, Word name, char *type,
                      int32_t *number) {
  const Module *module = reader->module;
  for (uint32_t i = reader->bank_first; i < module->banks.count; i++)
    if (in_bank(&module->banks.data[i], name, number)) {
      *type = module->banks.data[i].type;
      return true;
    }
  return false;
}

static bool scan_register(Reader *reader, char *type, int32_t *number,
                          Operand *special) {
  Word name;
  if (!scan_name(reader, &name)) return false;
  if (*reader->at == '.' && reader->at[1] >= 'x' && reader->at[1] <= 'z') {
    name.length += 2;
    reader->at += 2;
  }
  if (scan_is_register(reader, name, type, number)) return true;
  if (special && find_special(name, special)) return true;
  return scan_error(reader, "the register %.*s is not declared",
                    (int)name.length, name.start);
}

static bool scan_list(Reader *reader, Operand *operand) {
  operand->kind = OPERAND_LIST;
  do {
    if (operand->count == LIST_MOST)
      return scan_error(reader, "more than %d registers in a list", LIST_MOST);
    if (!scan_register(reader, &operand->types[operand->count],
                       &operand->numbers[operand->count], NULL))
      return false;
    operand->count++;
  } while (scan_accept(reader, ","));
  return scan_expect(reader, "}");
}

static bool scan_address(Reader *reader, Operand *operand) {
  operand->kind = OPERAND_ADDRESS;
  scan_blanks(reader);
  if (isdigit((unsigned char)*reader->at)) {
    if (!scan_integer(reader, &operand->value, &operand->minus)) return false;
  } else {
    if (!scan_name(reader, &operand->name)) return false;
    operand->has_base = scan_is_register(reader, operand->name, &operand->type,
                                         &operand->number);
    operand->base_is_name = !operand->has_base;
    if (operand->base_is_name && operand->name.start[0] == '%')
      return scan_error(reader, "the register %.*s is not declared",
                        (int)operand->name.length, operand->name.start);
  }
  if (scan_accept(reader, "+") &&
      !scan_integer(reader, &operand->value, &operand->minus))
    return false;
  scan_blanks(reader);
  if (*reader->at == '-' &&
      !scan_integer(reader, &operand->value, &operand->minus))
    return false;
  return scan_expect(reader, "]");
}

/* 0f3f800000, 0d…, or with a point. */
static bool scan_float(Reader *reader, Operand *operand) {
  const char *at = reader->at;
  char *end;
  bool minus = *at == '-';
  if (minus) at++;
  if (at[0] == '0' && (at[1] == 'f' || at[1] == 'F')) {
    operand->value = strtoull(at + 2, &end, 16);
    if (end != at + 10) return false;
  } else {
    size_t digits = strspn(at, "0123456789");
    if (at[digits] != '.') return false;
    float number = strtof(at, &end);
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    operand->value = bits;
  }
  if (minus) operand->value ^= 0x80000000u;
  operand->kind = OPERAND_FLOAT;
  reader->at = end;
  return true;
}

bool scan_operand(Reader *reader, Operand *operand) {
  *operand = (Operand){.paired = REG_NOWHERE};
  scan_blanks(reader);
  char first = *reader->at;
  if (scan_accept(reader, "{")) return scan_list(reader, operand);
  if (scan_accept(reader, "[")) return scan_address(reader, operand);
  if (isdigit((unsigned char)first) || first == '-') {
    if (scan_float(reader, operand)) return true;
    operand->kind = OPERAND_INTEGER;
    return scan_integer(reader, &operand->value, &operand->minus);
  }
  if (first == '_' && scan_accept(reader, "_")) {
    operand->kind = OPERAND_NOWHERE;
    operand->number = REG_NOWHERE;
  } else if (first == '%' || first == '!') {
    operand->negated = scan_accept(reader, "!");
    operand->kind = OPERAND_REGISTER;
    if (!scan_register(reader, &operand->type, &operand->number, operand))
      return false;
  } else {
    if (!scan_name(reader, &operand->name)) return false;
    operand->kind = scan_is_register(reader, operand->name, &operand->type,
                                     &operand->number)
                        ? OPERAND_REGISTER
                        : OPERAND_NAME;
  }
  return !scan_accept(reader, "|") ||
         scan_register(reader, &operand->paired_type, &operand->paired, NULL);
}
