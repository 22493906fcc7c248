/* One finished match, as a MATCH. */
#include "web/works.h"
#include "web/works_replay.h"
#include "web/works_store.h"

static void show_record(const TaskCall *call, TaskReply *reply) {
  const WebSettings *settings = call->context;
  Text part = {0};
  int64_t id;
  works_store_part(call, 1, &part);
  bool number = works_store_number(text_string(&part), &id);
  text_free(&part);
  Results *results = works_store_open(call, reply);
  if (!results) return;
  Text error = {0};
  ReplayEnd end =
      number ? works_replay(results, id, settings, &reply->body, &error)
             : REPLAY_NONE;
  if (end == REPLAY_NONE)
    task_fail(reply, 404, "There is no such match.");
  else if (end == REPLAY_FAILED)
    task_fail(reply, 500, "%s", text_string(&error));
  text_free(&error);
  results_close(results);
}

const TaskKind works_record = {.work = show_record, .seconds = 30, .keep = 600};
