/* A module of PTX, read and decoded: what test/gpu/machine.h runs. Operands are
   numbers of registers. There are three files of them: narrow ones (up to 32
   bits), wide ones (64 bits) and predicates. Constants and special registers
   are registers with negative numbers, so that no instruction has to tell them
   apart. */
#ifndef TAFL_TEST_GPU_MACHINE_MODULE_H
#define TAFL_TEST_GPU_MACHINE_MODULE_H

#include "base/text.h"

#define SHARED_WINDOW UINT64_C(0x100000000)
#define LOCAL_WINDOW UINT64_C(0x200000000)
#define GLOBAL_START UINT64_C(0x7f0000000000)
enum {
  SHARED_START = 1024,                        /* addresses below are nobody's */
  SHARED_DYNAMIC = SHARED_START + (48 << 10), /* what a launch asks for */
  LOCAL_START = 64,
  MODULE_PARAMETERS = 4096, /* bytes at most */
  MODULE_CONSTANTS = 65536,
  MODULE_LOCAL = 512 << 10,
  MODULE_SHARED = 48 << 10, /* declared with a size */
  MODULE_REGISTERS = 1 << 22
};

typedef enum {
#define OPERATION(code, mnemonic, operands, form, value) OP_##code,
#define SAME(code, mnemonic, operands)
#include "gpu/machine_operations.h"
  OP_LOP3,
  OP_BFI,
  OP_SETP,
  OP_SELP_32,
  OP_SELP_64,
  OP_PRED_MOV,
  OP_PRED_NOT,
  OP_PRED_AND,
  OP_PRED_OR,
  OP_PRED_XOR,
  OP_PACK,
  OP_UNPACK,
  OP_CLOCK,
  OP_LOAD,
  OP_STORE,
  OP_ATOMIC, /* also red, whose result is nowhere */
  OP_SHUFFLE,
  OP_VOTE,
  OP_BALLOT,
  OP_REDUX,
  OP_MATCH,
  OP_ACTIVE,
  OP_WARP_SYNC,
  OP_BARRIER,
  OP_BRANCH,
  OP_INDEXED,
  OP_CALL,
  OP_RETURN,
  OP_EXIT,
  OP_TRAP,
  OP_NOTHING /* fences and hints */
} Op;

typedef enum {
  SPACE_GENERIC,
  SPACE_GLOBAL,
  SPACE_SHARED,
  SPACE_LOCAL,
  SPACE_PARAM,
  SPACE_CONST
} Space;

/* What an instruction's `kind` is, by its code. */
enum { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_KINDS };
enum { AS_U32, AS_S32, AS_U64, AS_S64, AS_F32, AS_F32_UNORDERED };
enum { AND_NONE, AND_AND, AND_OR, AND_XOR };
enum { SHUFFLE_IDX, SHUFFLE_BFLY, SHUFFLE_UP, SHUFFLE_DOWN };
enum { VOTE_ANY, VOTE_ALL, VOTE_UNI };
enum { BARRIER_SYNC, BARRIER_OR, BARRIER_AND, BARRIER_POPC };
typedef enum {
  DO_ADD,
  DO_ADD_F32,
  DO_AND,
  DO_OR,
  DO_XOR,
  DO_MIN,
  DO_MAX,
  DO_MIN_S,
  DO_MAX_S,
  DO_EXCH,
  DO_CAS,
  DO_INC,
  DO_DEC
} Update;

enum {
  REG_TRUE = -1, /* a predicate */
  REG_ZERO = -1, /* a narrow register; also a wide one */
  REG_TID = -2,  /* the next ones are narrow */
  REG_NTID = -3,
  REG_CTAID = -4,
  REG_NCTAID = -5,
  REG_LANE = -6,
  REG_WARP = -7,
  REG_LANE_EQ = -8, /* masks of lanes */
  REG_LANE_LT = -9,
  REG_LANE_LE = -10,
  REG_LANE_GT = -11,
  REG_LANE_GE = -12,
  REG_WARPS = -13,
  REG_CONSTANTS = -14, /* constants from here downwards */
  REG_NOWHERE = INT32_MIN
};

typedef struct Step {
  uint16_t code;
  uint8_t kind, more; /* see above; LOP3: the table; SETP: comparison */
  uint32_t flip;      /* ~0: the guard is negated */
  int32_t guard;
  int32_t to, to2;
  int32_t a, b, c;
  uint32_t flip_c; /* ~0: predicate c is negated */
  int32_t extra;   /* LOAD, STORE: first of their registers in `lists`; jumps:
                      target; INDEXED: table */
  uint32_t line;
  /* of memory */
  uint8_t space, bytes, count; /* bytes of an element, elements of a vector */
  bool wide;                   /* the address is in a wide register */
  bool wide_data, is_signed;
  bool strong;  /* volatile or relaxed: others may access it, too */
  bool aligned; /* BARRIER: whole warps only */
  bool fixed;   /* `offset` is the whole address */
  int64_t offset;
} Step;

typedef struct Parameter {
  char *name;
  uint32_t offset, size;
} Parameter;

typedef struct Function {
  char *name;
  bool entry;
  uint32_t first; /* step */
  uint32_t parameter_bytes;
  uint32_t most_threads;  /* .maxntid; 0: any */
  uint32_t shared, local; /* bytes with those of what it calls */
  uint32_t registers;     /* declared, in words of 32 bits */
  bool extern_shared;
  uint32_t parameter_first, parameter_count;
} Function;

typedef struct Variable {
  char *name;
  Space space;
  uint64_t address;
  uint64_t size;
  uint32_t function; /* that it is declared in; UINT32_MAX: the module */
} Variable;

/* Names of registers, for messages. */
typedef struct Bank {
  char *name;
  char type; /* b r f h: narrow; B R F: wide; p */
  int32_t first;
  uint32_t count;
  bool numbered; /* %r<count> */
  uint32_t function;
} Bank;

typedef struct Module {
  VECTOR(Step) steps;
  VECTOR(int32_t) lists;
  VECTOR(NumberVector) tables; /* of targets */
  VECTOR(Function) functions;
  VECTOR(Parameter) parameters;
  VECTOR(Variable) variables;
  VECTOR(Bank) banks;
  VECTOR(uint32_t) narrow_constants; /* REG_CONSTANTS, REG_CONSTANTS - 1, … */
  VECTOR(uint64_t) wide_constants;
  char *text; /* a copy, for messages */
  uint32_t narrows, wides, predicates;
  uint32_t shared; /* bytes declared with a size */
  uint32_t local;
  uint64_t data_address; /* of variables in constant and global memory */
  VECTOR(uint8_t) data;  /* their initial values */
} Module;

/* Reads a module whose variables will be at `data_address`. Returns NULL, with
   the line and the reason in `error`, if it is not PTX that we know. */
Module *module_new(const char *text, uint64_t data_address, Text *error);
void module_delete(Module *module);
const Function *module_find(const Module *module, const char *name);
/* Adds the name of a register; file: n, w or p. */
void module_name_register(const Module *module, char file, int32_t number,
                          Text *text);

#endif
