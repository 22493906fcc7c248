/* --cluster and what belongs to it, for the verbs whose search ranks may help.
 */
#ifndef TAFL_COMMAND_CLUSTER_H
#define TAFL_COMMAND_CLUSTER_H

#include "agent/agent.h"
#include "cluster/crew.h"
#include "options.h"

/* Reads the options into a scheme, to be freed by cluster_close. Returns
   EXIT_FINE, or another code after printing why it cannot be. Without --cluster
   there is nothing to read: the scheme is empty. */
int cluster_open(const Options *options, Scheme *scheme);
void cluster_close(Scheme *scheme);

/* Starts a crew for an agent of this book. Returns NULL, after printing why, if
   that is not possible. Its notes are printed to stderr. */
Crew *cluster_crew(const Options *options, const Scheme *scheme, Book *book,
                   const Settings *settings, uint32_t role);
/* Gives the agent the crew as an ally. Returns false, after printing why, if it
   has no use for one. */
bool cluster_join(Crew *crew, Agent *agent, const Book *book);

#endif
