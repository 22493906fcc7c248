/* What help, the manual page and completion say about verbs and options beyond
   the tables of options.h. */
#ifndef TAFL_COMMAND_DESCRIBE_H
#define TAFL_COMMAND_DESCRIBE_H

#include "base/text.h"
#include "options.h"

typedef enum {
  DESCRIBE_OTHER,
  DESCRIBE_PLAY,
  DESCRIBE_GAMES,
  DESCRIBE_MACHINES,
  DESCRIBE_GROUPS
} DescribeGroup;

enum { DESCRIBE_EXAMPLES = 4 };

typedef struct DescribeExample {
  const char *command, *what;
} DescribeExample;

typedef struct DescribeVerb {
  DescribeGroup group;
  const char *text;                            /* whole sentences */
  DescribeExample examples[DESCRIBE_EXAMPLES]; /* then NULL */
} DescribeVerb;

extern const DescribeVerb describe_verbs[VERB_COUNT];
extern const char *const describe_groups[DESCRIBE_GROUPS]; /* their titles */

/* The options of a verb in the order of help, those with short forms first:
   the one with that number, or NULL. Common ones, which most verbs have, are
   counted by themselves. */
const OptionsRow *describe_option(int verb, bool common, int number);
/* Is it one of the options that most verbs have in common? */
bool describe_is_common(const OptionsRow *row);
/* The name of its value, such as SECONDS, or its choices; "" for a flag. */
const char *describe_value(const OptionsRow *row, int verb);
/* What it does in this verb (-1: in all). */
const char *describe_help(const OptionsRow *row, int verb);
/* Appends a number without an exponent if it is whole. */
void describe_number(double number, Text *text);
/* Appends its default, and its range if wanted, in brackets. */
void describe_default(const OptionsRow *row, bool range, Text *text);

#endif
