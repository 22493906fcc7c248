/* The token that lets somebody act on a server which other machines can
   reach. */
#ifndef TAFL_WEB_TOKEN_H
#define TAFL_WEB_TOKEN_H

#include "base/text.h"

/* Appends a new one, of 128 random bits. */
void token_make(Text *token);
/* True if it can be part of a header and of an address. */
bool token_is_plain(const char *token);
/* True if the header Authorization, which may be NULL, has the token. The time
   that it takes does not depend on how much of it is right. */
bool token_matches(const char *token, const char *header);

#endif
