/* The inside of the reader of modules: its state, tokens and operands. For
   machine_read.c, which reads declarations, machine_scan.c, which reads tokens,
   and machine_decode.c, which reads instructions. */
#ifndef TAFL_TEST_GPU_MACHINE_READ_H
#define TAFL_TEST_GPU_MACHINE_READ_H

#include "base/map.h"
#include "machine_module.h"

typedef struct Word {
  const char *start;
  uint32_t length;
} Word;

typedef struct Label {
  Word name;
  uint32_t step;
} Label;

typedef struct TargetTable {
  Word name;
  VECTOR(Word) targets;
  uint32_t line;
} TargetTable;

typedef struct Pending { /* a jump whose label may come later */
  uint32_t step, line;
  Word name;
} Pending;

typedef struct Reader {
  Module *module;
  const char *at;
  uint32_t line;
  Text *error;
  bool failed;
  uint32_t function; /* UINT32_MAX outside */
  uint32_t bank_first;
  Map mnemonics, narrow_index, wide_index, label_index;
  VECTOR(Label) labels;
  VECTOR(Pending) pending;
  VECTOR(TargetTable) tables;
  uint64_t constant_bytes;
} Reader;

typedef enum {
  OPERAND_REGISTER,
  OPERAND_INTEGER,
  OPERAND_FLOAT,
  OPERAND_NAME,
  OPERAND_ADDRESS,
  OPERAND_LIST,
  OPERAND_NOWHERE /* _ */
} OperandKind;

enum { LIST_MOST = 4, OPERANDS_MOST = 6 };

typedef struct Operand {
  OperandKind kind;
  char type; /* of a register: machine_module.h, Bank */
  int32_t number;
  bool negated;     /* !%p */
  char paired_type; /* %r|%p: of the second */
  int32_t paired;   /* REG_NOWHERE: there is none */
  uint64_t value;   /* integer, or bits of a float; offset of an address */
  bool minus;       /* the integer was written with a minus */
  Word name;        /* also base of an address */
  bool has_base, base_is_name;
  uint32_t count; /* of a list */
  char types[LIST_MOST];
  int32_t numbers[LIST_MOST];
  bool clock; /* %clock, %clock64 */
} Operand;

/* ---- machine_scan.c ---- */
/* Reports the first error, with its line; returns false. */
bool scan_error(Reader *reader, const char *format, ...) PRINTF_LIKE(2, 3);
void scan_blanks(Reader *reader);
/* Skips a sign or a word if it is next. */
bool scan_accept(Reader *reader, const char *what);
bool scan_expect(Reader *reader, const char *what);
/* Names: letters, digits, _ and $; a % in front is part of them. */
bool scan_name(Reader *reader, Word *word);
/* Names with dots and colons inside: directives, mnemonics. */
bool scan_dotted(Reader *reader, Word *word);
bool scan_integer(Reader *reader, uint64_t *value, bool *minus);
bool scan_is_register(const Reader *reader, Word name, char *type,
                      int32_t *number);
bool scan_operand(Reader *reader, Operand *operand);
bool scan_word_is(Word word, const char *text);
uint64_t scan_hash(Word word);

/* ---- machine_decode.c ---- */
void decode_begin(Reader *reader);
/* Reads an instruction up to its semicolon and adds its step. */
bool decode_instruction(Reader *reader);
/* Jumps of the function that ends here get their targets. */
bool decode_targets(Reader *reader);

#endif
