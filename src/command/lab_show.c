#include "command/lab_show.h"

#include <math.h>
#include <stdio.h>

void lab_show_table(const Options *options, Results *results,
                    int64_t experiment, const Table *table) {
  (void)options;
  printf("%s\n", text_string(&table->title));
  for (uint32_t row = 0; row < table->rows.count; row++)
    for (uint32_t column = 0; column < table->columns.count; column++) {
      const TableCell *cell = table_cell(table, row, column);
      Figure figure;
      if (!cell->there) continue;
      figure_read_cell(&figure, results, experiment, table, cell);
      printf("%-20s %-24s %7.2f ± %5.2f of %4u   paper %7.2f ± %5.2f\n",
             text_string(&table->rows.data[row]),
             text_string(&table->columns.data[column].name), figure.value,
             figure.interval, figure.games, cell->figure, cell->interval);
    }
}
