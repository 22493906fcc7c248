/* How long before the end of a clock a reply must be sent, learned from earlier
   requests. */
#ifndef TAFL_SERVER_MARGIN_H
#define TAFL_SERVER_MARGIN_H

typedef struct Margin {
  double trip; /* round trip to the game master, seconds */
  double late; /* how much too late our replies were sent */
  double slow; /* how much too late the process answered */
} Margin;

void margin_init(Margin *margin);
void margin_saw_trip(Margin *margin, double seconds);
void margin_saw_reply(Margin *margin, double late);
void margin_saw_process(Margin *margin, double late);

/* Seconds before the end of `clock` at which we reply in any case. */
double margin_reply(const Margin *margin, double clock);
/* Seconds before that at which the process must have finished. */
double margin_process(const Margin *margin, double clock);

#endif
