/* The works of the page's tasks (web/tasks.h): what answers a request of the
   interface (docs/api.md) in a process of its own. `context` of their calls is
   the WebSettings. `path` is that of the request behind "api/", and is as the
   client wrote it: any part of it may be anything.

   Keys of requests that only look are their path and query; that of a check is
   its body, or a hash of it. How long answers are kept is said by the kind. */
#ifndef TAFL_WEB_WORKS_H
#define TAFL_WEB_WORKS_H

#include "web/tasks.h"
#include "web/web.h"

/* ---- games and rules ---- */

extern const TaskKind works_games; /* games */
extern const TaskKind works_game;  /* games/NAME */
extern const TaskKind works_rules; /* games/NAME/rules */
extern const TaskKind works_check; /* POST check */
extern const TaskKind works_ping;  /* POST ping */
/* matches/ID/steps/N/view, with the whole MATCH as body;
   records/ID/steps/N/view without a body */
extern const TaskKind works_view;

/* ---- the store ---- */

extern const TaskKind works_records;    /* records */
extern const TaskKind works_record;     /* records/ID */
extern const TaskKind works_tours;      /* tours */
extern const TaskKind works_tour;       /* tours/ID */
extern const TaskKind works_tour_chart; /* tours/ID/CHART.svg */
extern const TaskKind works_lab;        /* lab */
extern const TaskKind works_lab_table;  /* lab/TABLE */
extern const TaskKind works_lab_chart;  /* lab/TABLE/CHART.svg */
extern const TaskKind works_players;    /* players */

#endif
