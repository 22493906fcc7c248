/* The process reads the rules as `tafl check` does and reports in one note; it
   is killed if that takes too long. */
#include "server/preview.h"

#include <math.h>

#include "base/clock.h"
#include "gdl/description.h"
#include "io/event.h"
#include "player/link.h"

static const double longest = 10; /* seconds */

void preview_init(Preview *preview) {
  *preview = (Preview){.process = {.link = -1}};
}

static int check_rules(const void *context, int link) {
  const Text *rules = context;
  Description description;
  Text note = {0};
  description_init(&description, "rules", text_string(rules), rules->length);
  const Report *report = &description.report;
  text_format(&note, "PREVIEW: %u roles, %u errors, %u warnings",
              description.rules.roles.count, report->errors, report->warnings);
  for (uint32_t i = 0; i < report->list.count; i++)
    if (report->list.data[i].severity == ERROR) {
      text_format(&note, "; line %u: %s",
                  source_line(&description.source, report->list.data[i].offset),
                  report->list.data[i].message);
      break;
    }
  link_send(link, LINK_NOTE, 0, 0, text_string(&note));
  return 0;
}

void preview_begin(Preview *preview, const Text *rules,
                   const ProcessLimits *limits) {
  if (preview->process.pid) {
    event_log(NULL, "PREVIEW: ignored, as another one is being read");
    return;
  }
  preview->end = clock_now() + longest;
  if (!process_begin(&preview->process, limits, -1, check_rules, rules))
    event_log(NULL, "PREVIEW: cannot start a process");
}

void preview_end(Preview *preview) {
  process_kill(&preview->process);
}

int preview_file(const Preview *preview) {
  return preview->process.pid ? preview->process.link : -1;
}

double preview_due(const Preview *preview) {
  return preview->process.pid ? preview->end : INFINITY;
}

void preview_tick(Preview *preview) {
  LinkFrame frame = {0};
  LinkEvent event = LINK_EMPTY;
  if (!preview->process.pid) return;
  while ((event = link_receive(preview->process.link, &frame)) == LINK_GOT)
    event_log(NULL, "%s", text_string(&frame.text));
  text_free(&frame.text);
  if (event == LINK_EMPTY && clock_now() >= preview->end)
    event_log(NULL, "PREVIEW: took too long");
  if (event == LINK_CLOSED || clock_now() >= preview->end) preview_end(preview);
}

void preview_reaped(Preview *preview, pid_t pid) {
  if (preview->process.pid == pid) preview->process.reaped = true;
}
