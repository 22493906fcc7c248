/* How long before the end of a clock a reply leaves, learned from how things
   went. */
#ifndef TAFL_SERVER_MARGIN_H
#define TAFL_SERVER_MARGIN_H

typedef struct Margin {
  double trip; /* to the game master and back */
  double late; /* how much later than wanted our replies left */
  double slow; /* how much later than asked for the process answered */
} Margin;

void margin_init(Margin *margin);
void margin_saw_trip(Margin *margin, double seconds);
void margin_saw_reply(Margin *margin, double late);
void margin_saw_process(Margin *margin, double late);

/* Seconds before the end of `clock` that the reply is sent whatever there is.
 */
double margin_reply(const Margin *margin, double clock);
/* Seconds before that, that the process is told to have finished. */
double margin_process(const Margin *margin, double clock);

#endif
