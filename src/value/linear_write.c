#include "value/linear.h"

void linear_write(const Linear *linear, Text *text) {
  for (uint32_t i = 0; i < linear->features.count; i++) {
    if (linear->weights[i] == 0) continue;
    text_format(text, "%8.3f ", (double)linear->weights[i]);
    linear_name(linear, i, text);
    text_add(text, "\n");
  }
}
