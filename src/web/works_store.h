/* What works on the store share. */
#ifndef TAFL_WEB_WORKS_STORE_H
#define TAFL_WEB_WORKS_STORE_H

#include "io/json.h"
#include "store/archive.h"
#include "web/tasks.h"

/* Opens the store of the settings to be read. One that is not there is an empty
   one in memory. Returns NULL, and has set the reply, if it cannot be opened.
 */
Results *works_store_open(const TaskCall *call, TaskReply *reply);
/* Sets the reply: the store has failed. */
void works_store_fail(Results *results, TaskReply *reply);

/* Reads a number from 1. Returns false if the text is something else. */
bool works_store_number(const char *text, int64_t *number);
/* Appends a part of the path, without slashes: place 1 of "records/17" is 17.
   Appends nothing if there is none. */
void works_store_part(const TaskCall *call, uint32_t place, Text *part);
/* Appends the name of the chart that the path asks for: "pairs" of
   "tours/3/pairs.svg"; nothing if it asks for something else. */
void works_store_chart(const TaskCall *call, Text *name);
extern const char works_store_svg[]; /* type of charts */

/* New values: a number as a string, as identifiers are; a real number, whole
   ones without a point, NAN null. */
json_t *works_store_id(int64_t id);
json_t *works_store_real(double value);
json_t *works_store_text(const Text *text);
json_t *works_store_texts(const TextVector *list);

/* Appends what people call the game of these rules. */
void works_store_title(const char *rules, const char *name, Text *title);
/* Returns a new ROLE. */
json_t *works_store_role(const char *name, const char *player);

#endif
