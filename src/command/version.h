/* The version of the program, with the revision that it was built from where
   that is known: "0.9.0 (1a2b3c4)". */
#ifndef TAFL_COMMAND_VERSION_H
#define TAFL_COMMAND_VERSION_H

const char *version_text(void);

#endif
