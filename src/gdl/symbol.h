/* Names as numbers. The keywords of GDL have fixed numbers; every other name is
   numbered as it comes and keeps its spelling. */
#ifndef TAFL_GDL_SYMBOL_H
#define TAFL_GDL_SYMBOL_H

#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vector.h"

typedef uint32_t Symbol; /* 0: none */

#define KEYWORDS(KEYWORD) \
  KEYWORD(IMPLIES, "<=") \
  KEYWORD(NOT, "not") \
  KEYWORD(OR, "or") \
  KEYWORD(AND, "and") \
  KEYWORD(DISTINCT, "distinct") \
  KEYWORD(ROLE, "role") \
  KEYWORD(INIT, "init") \
  KEYWORD(TRUE, "true") \
  KEYWORD(DOES, "does") \
  KEYWORD(LEGAL, "legal") \
  KEYWORD(NEXT, "next") \
  KEYWORD(TERMINAL, "terminal") \
  KEYWORD(GOAL, "goal") \
  KEYWORD(BASE, "base") \
  KEYWORD(INPUT, "input")

enum {
  SYMBOL_NONE,
#define KEYWORD(name, text) SYMBOL_##name,
  KEYWORDS(KEYWORD)
#undef KEYWORD
      SYMBOL_FIRST_FREE
};

typedef struct SymbolName {
  const char *text;
  uint32_t length;
  uint64_t hash;
} SymbolName;

typedef struct Symbols {
  Arena arena;
  VECTOR(SymbolName) names;
  Map map; /* names by hash */
} Symbols;

/* A snapshot; see TermsMark. */
typedef struct SymbolsMark {
  Arena arena;
  uint32_t count;
} SymbolsMark;

SymbolsMark symbols_mark(const Symbols *symbols);
void symbols_restore(Symbols *symbols, const SymbolsMark *mark);

void symbols_init(Symbols *symbols);
void symbols_free(Symbols *symbols);
Symbol symbol_intern(Symbols *symbols, const char *text, size_t length);
/* The keyword that `symbol` spells, in any case, or SYMBOL_NONE. */
Symbol symbol_keyword(const Symbols *symbols, Symbol symbol);

static inline const char *symbol_text(const Symbols *symbols, Symbol symbol) {
  return symbols->names.data[symbol].text;
}

static inline uint64_t symbol_hash(const Symbols *symbols, Symbol symbol) {
  return symbols->names.data[symbol].hash;
}

#endif
