/* One table of bits. A class has a row: first a bit for each atom, then a
   square with a bit for each pair, of which the lower atom gives the line.
   Classes beyond the number of rows that fit share them. If not even one square
   fits, pairs of all classes are hashed into what there is: then something new
   may be taken for old, never the other way round.

   Only pairs with a field that differs from `from` need to be looked at. Lines
   of the table that were written to are remembered in blocks, so that clearing
   takes as long as writing did. */
#include "solve/atoms.h"

#include "base/bits.h"
#include "base/hash.h"

enum { BLOCK = 1 << 15 }; /* bits that are cleared together */

struct Atoms {
  const Packing *packing;
  uint32_t *base;         /* by field: its first atom */
  uint32_t count;         /* of atoms */
  uint32_t width, widest; /* now, and that there is room for */
  uint64_t row;           /* bits of a class */
  uint64_t rows;          /* of classes; 0: pairs are hashed */
  uint64_t singles; /* classes that have bits for atoms, if they are hashed */
  uint64_t bits;    /* of the table */
  uint64_t *table;
  ScopePages *pages;
  uint64_t *dirty; /* blocks */
  uint32_t *atoms; /* scratch: of the state, by field */
  NumberVector changed;
};

static void count_atoms(Atoms *atoms) {
  const Packing *packing = atoms->packing;
  atoms->base = memory_new((packing->fields.count + 1) * sizeof *atoms->base);
  atoms->atoms = memory_new((packing->fields.count + 1) * sizeof *atoms->atoms);
  for (uint32_t f = 0; f < packing->fields.count; f++) {
    const PackingField *field = &packing->fields.data[f];
    atoms->base[f] = atoms->count;
    atoms->count += field->count + !field->exactly;
  }
}

/* A table of at most this many bits. */
static bool lay_out(Atoms *atoms, uint64_t most) {
  uint64_t count = atoms->count ? atoms->count : 1;
  atoms->row = atoms->width > 1 ? count + count * count : count;
  atoms->rows = most / atoms->row;
  if (atoms->rows > 1 << 16) atoms->rows = 1 << 16;
  atoms->bits = atoms->rows * atoms->row;
  if (atoms->rows) return true;
  atoms->singles = most / 4 / count;
  atoms->bits = most;
  return atoms->singles > 0;
}

Atoms *atoms_new(const Packing *packing, uint32_t width, size_t memory) {
  Atoms *atoms = memory_new(sizeof *atoms);
  *atoms = (Atoms){.packing = packing, .width = width, .widest = width};
  count_atoms(atoms);
  bool fits = lay_out(atoms, (uint64_t)memory * 8 / 65 * 64);
  if (fits) {
    atoms->pages = memory_pages_new(bits_words(atoms->bits) * sizeof(uint64_t));
    atoms->dirty =
        memory_new(bits_words(atoms->bits / BLOCK + 1) * sizeof(uint64_t));
  }
  if (!atoms->pages) {
    atoms_delete(atoms);
    return NULL;
  }
  atoms->table = atoms->pages->address;
  return atoms;
}

void atoms_delete(Atoms *atoms) {
  if (!atoms) return;
  if (atoms->pages) memory_pages_delete(atoms->pages);
  memory_delete(atoms->dirty);
  memory_delete(atoms->base);
  memory_delete(atoms->atoms);
  vector_free(&atoms->changed);
  memory_delete(atoms);
}

void atoms_clear(Atoms *atoms, uint32_t width) {
  atoms->width = width < atoms->widest ? width : atoms->widest;
  uint64_t blocks = atoms->bits / BLOCK + 1, words = bits_words(atoms->bits);
  for (uint64_t w = 0; w < bits_words(blocks); w++)
    while (atoms->dirty[w]) {
      uint64_t first = (w * 64 + bits_take(&atoms->dirty[w])) * (BLOCK / 64);
      uint64_t count = words - first < BLOCK / 64 ? words - first : BLOCK / 64;
      memset(atoms->table + first, 0, count * sizeof *atoms->table);
    }
}

bool atoms_exact(const Atoms *atoms, uint32_t classes) {
  return atoms->rows >= classes;
}

/* Sets a bit; returns true if it was not set. */
static bool set(Atoms *atoms, uint64_t bit) {
  if (bits_has(atoms->table, bit)) return false;
  bits_add(atoms->table, bit);
  bits_add(atoms->dirty, bit / BLOCK);
  return true;
}

static uint64_t pair_bit(const Atoms *atoms, uint64_t row, uint32_t class,
                         uint32_t low, uint32_t high) {
  uint64_t pair = (uint64_t)low * atoms->count + high;
  if (atoms->rows) return row + atoms->count + pair;
  uint64_t before = atoms->singles * atoms->count;
  return before + hash_pair(class, pair) % (atoms->bits - before);
}

/* Notes the pairs of the field with every other that comes later or has not
   changed. Returns true if one is new. */
static bool note_pairs(Atoms *atoms, uint64_t row, uint32_t class,
                       uint32_t place) {
  const uint32_t *list = atoms->atoms;
  uint32_t field = atoms->changed.data[place], skipped = 0;
  bool new = false;
  for (uint32_t f = 0; f < atoms->packing->fields.count; f++) {
    /* pairs of changed fields are noted by the first of them */
    if (skipped <= place && f == atoms->changed.data[skipped]) {
      skipped++;
      continue;
    }
    uint32_t low = f < field ? f : field, high = f < field ? field : f;
    new |= set(atoms, pair_bit(atoms, row, class, list[low], list[high]));
  }
  return new;
}

static void find_changed(Atoms *atoms, const uint64_t *key,
                         const uint64_t *from) {
  const Packing *packing = atoms->packing;
  vector_clear(&atoms->changed);
  for (uint32_t f = 0; f < packing->fields.count; f++) {
    const PackingField *field = &packing->fields.data[f];
    uint32_t value = packing_value(field, key);
    atoms->atoms[f] = atoms->base[f] + value;
    if (!from || value != packing_value(field, from))
      vector_push(&atoms->changed, f);
  }
}

uint32_t atoms_note(Atoms *atoms, uint32_t class, const uint64_t *key,
                    const uint64_t *from) {
  uint64_t classes = atoms->rows ? atoms->rows : atoms->singles;
  uint64_t row = class % classes * (atoms->rows ? atoms->row : atoms->count);
  bool single = false, pair = false;
  find_changed(atoms, key, from);
  for (uint32_t i = 0; i < atoms->changed.count; i++)
    single |= set(atoms, row + atoms->atoms[atoms->changed.data[i]]);
  for (uint32_t i = 0; atoms->width > 1 && i < atoms->changed.count; i++)
    pair |= note_pairs(atoms, row, class, i);
  return single ? 1 : pair ? 2 : ATOMS_OLD;
}
