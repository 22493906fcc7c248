/* Interned names: text in an arena, found by its hash. */
#include "gdl/symbol.h"

#include <strings.h>

#include "base/hash.h"

void symbols_init(Symbols *symbols) {
  *symbols = (Symbols){0};
  vector_push(&symbols->names, ((SymbolName){.text = ""}));
#define KEYWORD(name, text) symbol_intern(symbols, text, sizeof(text) - 1);
  KEYWORDS(KEYWORD)
#undef KEYWORD
}

void symbols_free(Symbols *symbols) {
  arena_free(&symbols->arena);
  vector_free(&symbols->names);
  map_free(&symbols->map);
}

Symbol symbol_intern(Symbols *symbols, const char *text, size_t length) {
  uint64_t hash = hash_bytes(text, length);
  MapCursor at;
  for (Symbol s = map_first(&symbols->map, hash, &at); s;
       s = map_next(&symbols->map, &at)) {
    const SymbolName *name = &symbols->names.data[s];
    if (name->length == length && memcmp(name->text, text, length) == 0)
      return s;
  }
  Symbol symbol = symbols->names.count;
  SymbolName name = {arena_copy(&symbols->arena, text, length),
                     (uint32_t)length, hash};
  vector_push(&symbols->names, name);
  map_insert(&symbols->map, &at, symbol);
  return symbol;
}

SymbolsMark symbols_mark(const Symbols *symbols) {
  return (SymbolsMark){symbols->arena, symbols->names.count};
}

void symbols_restore(Symbols *symbols, const SymbolsMark *mark) {
  symbols->arena = mark->arena;
  symbols->names.count = mark->count;
  map_reset(&symbols->map, mark->count);
  for (Symbol s = 1; s < mark->count; s++)
    map_add(&symbols->map, symbol_hash(symbols, s), s);
}

Symbol symbol_keyword(const Symbols *symbols, Symbol symbol) {
  if (symbol < SYMBOL_FIRST_FREE) return symbol;
  const char *text = symbol_text(symbols, symbol);
  for (Symbol keyword = 1; keyword < SYMBOL_FIRST_FREE; keyword++)
    if (strcasecmp(text, symbol_text(symbols, keyword)) == 0) return keyword;
  return SYMBOL_NONE;
}
