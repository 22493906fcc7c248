/* What the files that read tables share. */
#ifndef TAFL_LAB_TABLE_PARTS_H
#define TAFL_LAB_TABLE_PARTS_H

#include "lab/table.h"

/* Reads the figures and series of a table that has its rows and columns, from
   the object of the whole file. Returns false and sets `error`, which begins
   with the path, if something is wrong; what was read so far stays. */
bool table_read_cells(Table *table, json_t *root, const char *path,
                      Text *error);

#endif
