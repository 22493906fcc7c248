/* Games as files NAME.kif in directories: their names, and what can be said of
   one without loading its rules. */
#ifndef TAFL_ABOUT_CATALOGUE_H
#define TAFL_ABOUT_CATALOGUE_H

#include "base/text.h"

/* Names of the files in a directory that have the ending, without it, sorted.
   Hidden files and names with control characters are left out. */
void catalogue_names(const char *directory, const char *ending,
                     TextVector *names);
/* Sets `path` to the file of a game in the first directory that has it. The
   name is exactly one of catalogue_names. Returns false if there is none; no
   name leads out of the directories. */
bool catalogue_file(const TextVector *directories, const char *name,
                    Text *path);

/* Appends the first comment before the rules that has a letter, without its
   frame, the ending of a file, and the name if it begins with that. */
void catalogue_title(const char *rules, const char *name, Text *title);
/* Collects what stands in facts (role …) at the top of the text. */
void catalogue_roles(const Text *rules, TextVector *roles);

/* For people who look for a game: its name in words ("Connect Four"), and the
   paragraphs of its header, without a title that says no more, and without
   those that compare it with other files ("serves:" and "like:"). */
void catalogue_name(const char *rules, const char *name, Text *title);
void catalogue_words(const char *rules, const char *name,
                     TextVector *paragraphs);
/* Appends the beginning of the words: a sentence or two. */
void catalogue_summary(const TextVector *paragraphs, Text *summary);

#endif
