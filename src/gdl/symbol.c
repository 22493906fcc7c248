/* Interned names: text in an arena, found through an open-addressing table that
   is at most half full. */
#include "gdl/symbol.h"

#include <strings.h>

#include "base/hash.h"

static void insert_slot(Symbols *symbols, Symbol symbol) {
  uint32_t mask = symbols->slot_count - 1;
  uint32_t at = (uint32_t)symbol_hash(symbols, symbol) & mask;
  while (symbols->slots[at]) at = (at + 1) & mask;
  symbols->slots[at] = symbol;
}

static void resize_slots(Symbols *symbols, uint32_t count) {
  symbols->slots =
      memory_resize(symbols->slots, count * sizeof *symbols->slots);
  memset(symbols->slots, 0, count * sizeof *symbols->slots);
  symbols->slot_count = count;
  for (Symbol s = 1; s < symbols->names.count; s++) insert_slot(symbols, s);
}

void symbols_init(Symbols *symbols) {
  *symbols = (Symbols){0};
  vector_push(&symbols->names, ((SymbolName){.text = ""}));
  resize_slots(symbols, 256);
#define KEYWORD(name, text) symbol_intern(symbols, text, sizeof(text) - 1);
  KEYWORDS(KEYWORD)
#undef KEYWORD
}

void symbols_free(Symbols *symbols) {
  arena_free(&symbols->arena);
  vector_free(&symbols->names);
  memory_delete(symbols->slots);
  symbols->slots = NULL;
}

Symbol symbol_intern(Symbols *symbols, const char *text, size_t length) {
  uint64_t hash = hash_bytes(text, length);
  uint32_t mask = symbols->slot_count - 1, at = (uint32_t)hash & mask;
  for (; symbols->slots[at]; at = (at + 1) & mask) {
    const SymbolName *name = &symbols->names.data[symbols->slots[at]];
    if (name->hash == hash && name->length == length &&
        memcmp(name->text, text, length) == 0)
      return symbols->slots[at];
  }
  Symbol symbol = symbols->names.count;
  SymbolName name = {arena_copy(&symbols->arena, text, length),
                     (uint32_t)length, hash};
  vector_push(&symbols->names, name);
  symbols->slots[at] = symbol;
  if (symbols->names.count * 2 > symbols->slot_count)
    resize_slots(symbols, symbols->slot_count * 2);
  return symbol;
}

SymbolsMark symbols_mark(const Symbols *symbols) {
  return (SymbolsMark){symbols->arena, symbols->names.count};
}

void symbols_restore(Symbols *symbols, const SymbolsMark *mark) {
  symbols->arena = mark->arena;
  symbols->names.count = mark->count;
  resize_slots(symbols, symbols->slot_count);
}

Symbol symbol_keyword(const Symbols *symbols, Symbol symbol) {
  if (symbol < SYMBOL_FIRST_FREE) return symbol;
  const char *text = symbol_text(symbols, symbol);
  for (Symbol keyword = 1; keyword < SYMBOL_FIRST_FREE; keyword++)
    if (strcasecmp(text, symbol_text(symbols, keyword)) == 0) return keyword;
  return SYMBOL_NONE;
}
