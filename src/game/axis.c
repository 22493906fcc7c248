#include "game/axis.h"

void axis_free(Axis *axis) {
  vector_free(&axis->values);
}

uint32_t axis_index(const Axis *axis, uint32_t value) {
  uint32_t i = 0;
  while (i < axis->values.count && axis->values.data[i] != value) i++;
  return i;
}

void axis_write(const Axis *axis, const Terms *terms, uint32_t index,
                Text *text) {
  uint32_t value = axis->values.data[index];
  if (axis->kind == AXIS_TERMS)
    text_add(text, symbol_text(&terms->symbols, term_symbol(terms, value)));
  else if (axis->kind == AXIS_LETTERS)
    text_add_byte(text, (char)value);
  else
    text_format(text, "%u", value);
}

bool axis_within(const Axis *axis, const Axis *other) {
  if (axis->kind != other->kind) return false;
  for (uint32_t i = 0; i < axis->values.count; i++)
    if (axis_index(other, axis->values.data[i]) == other->values.count)
      return false;
  return true;
}
