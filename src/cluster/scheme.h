/* How a cluster is to be used: on which hosts, by which launcher, and what its
   ranks do. */
#ifndef TAFL_CLUSTER_SCHEME_H
#define TAFL_CLUSTER_SCHEME_H

#include "cluster/hosts.h"

typedef enum {
  SCHEME_LEAF, /* workers play out leaves of the master's tree */
  SCHEME_ROOT, /* every worker searches; sums at the root are for the answer */
  SCHEME_RUNS  /* the same, and they learn of each other's sums at intervals */
} SchemeKind;

typedef struct Scheme {
  Hosts hosts;
  const char *launcher; /* a command, borrowed */
  SchemeKind kind;
  bool merged;  /* playouts of workers choose moves by the master's scores, not
                   by their own */
  bool apart;   /* every rank is a worker; else those of a host are one */
  double again; /* seconds before a host that did not answer is asked again */
  const char *delay;   /* of messages, for tests: MIN-MAX in milliseconds, or
                          empty; borrowed */
  const char *version; /* of this program, borrowed */
  const char *program; /* that ranks run, borrowed; NULL: this one */
} Scheme;

/* Reads the words of the kinds: leaf, root or runs. */
bool scheme_read_kind(const char *word, SchemeKind *kind);
/* Reads a delay in seconds; "" is none. Returns false if it is not one. */
bool scheme_read_delay(const char *text, double *least, double *most);

#endif
