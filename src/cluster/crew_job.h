/* The job of a crew, as the crew's thread sees it: one launcher and one foreman
   at a time, and hosts that are asked whether they are there. */
#ifndef TAFL_CLUSTER_CREW_JOB_H
#define TAFL_CLUSTER_CREW_JOB_H

#include "cluster/channel.h"
#include "cluster/crew_parts.h"
#include "cluster/launch.h"

typedef enum {
  JOB_PAUSED,   /* until the next start */
  JOB_ASKING,   /* hosts are asked whether they are there */
  JOB_STARTING, /* the launcher runs; no foreman yet */
  JOB_WORKING,  /* a foreman is there */
  JOB_STOPPING, /* the launcher was told to end */
  JOB_OVER      /* the crew is to end */
} JobPhase;

/* A host that is being asked. */
typedef struct Question {
  uint32_t host;
  Launch launch;
  double until;
} Question;

enum { JOB_GUESTS = 8 }; /* connections that have not said who they are */

typedef struct Guest {
  Channel channel; /* file -1: none */
  double until;
} Guest;

typedef struct CrewJob {
  Crew *crew;
  Hosts hosts;
  JobPhase phase;
  double begun; /* the phase, by clock_now */
  double until; /* the phase is over */
  double term;  /* stopping: when the launcher is told to end; 0: it was */
  double pause; /* before the next start */
  uint32_t starts;
  bool told; /* a note said that all are ready */

  int listener;
  Text address; /* value of LAUNCH_VARIABLE, without the secret */
  char secret[LAUNCH_SECRET + 1];
  Launch launch;
  Guest guests[JOB_GUESTS];
  VECTOR(Question) questions;

  Channel foreman;      /* file -1: none */
  double heard, beaten; /* when we heard of it, and told it that we live */
  bool net_told;
  Text out;     /* empty, to be exchanged for the crew's */
  Text message; /* buffer */
  Text why;     /* the job was lost; empty: not yet known */
} CrewJob;

/* ---- hosts ---- */

/* Begins to ask hosts: all, or those that were dead long enough. */
void crew_ask(CrewJob *job, bool all);
/* Takes answers; says in `notes` whose they are if the job is running. */
void crew_hear_answers(CrewJob *job, double now);
void crew_ask_no_more(CrewJob *job);

/* ---- the foreman ---- */

/* Opens a port for it. Returns false and sets `error` if there is none. */
bool crew_listen(CrewJob *job, Text *error);
/* Lets guests in; returns true if one of them is our foreman. */
bool crew_meet(CrewJob *job, double now);
/* Tells the foreman what is new, and hears what it has to say. Returns false,
   with the reason in `why`, if the job is lost. */
bool crew_talk(CrewJob *job, double now);
void crew_dismiss(CrewJob *job);
void crew_close_guests(CrewJob *job);

void crew_note(const CrewJob *job, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
