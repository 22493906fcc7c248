<<<<<<<< HEAD:src/lab/table_cells.h
/* The cells of a table as they are read. */
#ifndef TAFL_LAB_TABLE_CELLS_H
#define TAFL_LAB_TABLE_CELLS_H
========
/* What the files that read tables share. */
#ifndef TAFL_LAB_TABLE_PARTS_H
#define TAFL_LAB_TABLE_PARTS_H
>>>>>>>> tables:src/lab/table_parts.h

#include "lab/table.h"

/* Reads the figures and series of a table that has its rows and columns, from
   the object of the whole file. Returns false and sets `error`, which begins
   with the path, if something is wrong; what was read so far stays. */
<<<<<<<< HEAD:src/lab/table_cells.h
bool table_cells_read(Table *table, json_t *root, const char *path,
========
bool table_read_cells(Table *table, json_t *root, const char *path,
>>>>>>>> tables:src/lab/table_parts.h
                      Text *error);

#endif
