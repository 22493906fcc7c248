/* The tables of the database, version by version. */
#ifndef TAFL_STORE_SCHEMA_H
#define TAFL_STORE_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/text.h"

/* In PRAGMA application_id: "Tafl". */
enum { SCHEMA_APPLICATION = 0x5461666c };

/* The newest version, in PRAGMA user_version. */
extern const int schema_version;

/* Makes the tables of an empty database, or brings those of an older version up
   to date, in one transaction. Returns false and sets `error` if the database
   is not ours, is newer, or cannot be written. */
bool schema_prepare(sqlite3 *database, Text *error);
/* The same for a database that is only read: it must be there and up to date.
 */
bool schema_check(sqlite3 *database, Text *error);

#endif
