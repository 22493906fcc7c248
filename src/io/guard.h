/* Who may ask a server on this machine. Game masters are programs; but a web
   page that the user has open can also make the browser send requests here,
   from another site or, with a name that it lets point to this machine (DNS
   rebinding), as if it were this one. Browsers say where a request comes from
   in the headers Host, Origin and Sec-Fetch-*, which programs need not send. */
#ifndef TAFL_IO_GUARD_H
#define TAFL_IO_GUARD_H

#include "base/text.h"

typedef struct Guard {
  unsigned port;
  bool open;                 /* reachable from other machines */
  char machine[256];         /* its name */
  const char *bind;          /* the address as given */
  TextVector hosts;          /* allowed besides our own */
  TextVector origins;        /* the same */
  bool any_host, any_origin; /* all are allowed */
} Guard;

/* The headers of a request; NULL: not sent. */
typedef struct GuardHeaders {
  const char *host, *origin;
  const char *site, *mode; /* Sec-Fetch-Site, Sec-Fetch-Mode */
  const char *dest;        /* Sec-Fetch-Dest */
  const char *agent;       /* User-Agent */
  const char *sender;      /* Sender, as game masters write it */
  bool old;                /* HTTP/1.0 */
  bool page;               /* it asks for something that people look at */
} GuardHeaders;

typedef enum {
  GUARD_FREE,    /* it may do anything */
  GUARD_PASSIVE, /* it may ask, but change nothing */
  GUARD_REFUSED
} GuardVerdict;

/* `bind` is borrowed; `hosts` and `origins` are lists with commas, "*" allows
   all. Returns false and sets `error` if an origin is not written as
   http://HOST:PORT. */
bool guard_init(Guard *guard, const char *bind, const char *hosts,
                const char *origins, Text *error);
void guard_free(Guard *guard);
/* `address`: the numeric one that we listen at. */
void guard_listens(Guard *guard, const char *address, unsigned port);

/* Sets `why` to the reason if it is refused or passive. */
GuardVerdict guard_judge(const Guard *guard, const GuardHeaders *headers,
                         Text *why);
/* True if pages of this origin may read our replies. */
bool guard_allows_origin(const Guard *guard, const char *origin);

#endif
