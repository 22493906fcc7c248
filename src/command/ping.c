/* tafl ping: probes a player. Prints lines, or JSON with one value per probe
   and a summary. Control characters in replies are escaped. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "probe/probe.h"

enum { SHORT_LINE = 70 }; /* bytes of an exchange, unless --verbose */

static const char default_port[] = "9147"; /* of players */

typedef struct Show {
  const Options *options;
  uint32_t counts[PROBE_RESULTS]; /* by result */
} Show;

static void begun(void *context, uint32_t number, const char *name) {
  (void)context;
  log_progress("%u/%u %s", number + 1, probe_count(), name);
}

/* ---- text ---- */

/* Appends at most `most` bytes, control characters escaped as in C. */
static void add_shown(Text *line, const Text *text, size_t most) {
  const char *bytes = text_string(text);
  size_t count = text->length < most ? text->length : most;
  for (size_t i = 0; i < count; i++) {
    unsigned char byte = (unsigned char)bytes[i];
    if (byte == '\n')
      text_add(line, "\\n");
    else if (byte == '\r')
      text_add(line, "\\r");
    else if (byte < ' ' || byte == 127)
      text_format(line, "\\x%02x", byte);
    else
      text_add_byte(line, (char)byte);
  }
  if (count < text->length) text_add(line, " ...");
}

/* Prints each line of the text after a mark. */
static void print_whole(char mark, const Text *text) {
  const char *from = text_string(text), *end = from + text->length;
  while (from < end) {
    const char *stop = memchr(from, '\n', (size_t)(end - from));
    Text line = {0}, shown = {0};
    text_add_bytes(&line, from, (size_t)((stop ? stop : end) - from));
    if (line.length && line.bytes[line.length - 1] == '\r') line.length--;
    add_shown(&shown, &line, line.length);
    printf("      %c %s\n", mark, text_string(&shown));
    text_free(&line);
    text_free(&shown);
    from = stop ? stop + 1 : end;
  }
}

static void print_short(char mark, const Text *text, double seconds) {
  Text line = {0};
  add_shown(&line, text, SHORT_LINE);
  printf("      %c %s", mark, line.length ? line.bytes : "[empty]");
  if (seconds >= 0) printf("  (%.3f s)", seconds);
  putchar('\n');
  text_free(&line);
}

static void print_exchange(const ProbeExchange *exchange, bool whole) {
  if (!whole) {
    print_short('>', &exchange->sent, -1);
    print_short('<', &exchange->received, exchange->seconds);
    return;
  }
  print_whole('>', &exchange->request);
  print_whole('<', &exchange->response);
  printf("      %.3f s\n", exchange->seconds);
}

static void print_text(const ProbeFinding *finding, bool whole) {
  Text why = {0};
  add_shown(&why, &finding->why, finding->why.length);
  printf("%s  %-21s%6.2f s%s%s\n", probe_result_name(finding->result),
         finding->name, finding->seconds, why.length ? "  " : "",
         text_string(&why));
  text_free(&why);
  if (whole || finding->result == PROBE_FAILED)
    printf("      wanted: %s\n", finding->wants);
  for (uint32_t i = 0; i < finding->exchanges.count; i++)
    print_exchange(&finding->exchanges.data[i], whole);
  fflush(stdout);
}

/* ---- JSON ---- */

static void print_json_line(json_t *value) {
  json_dumpf(value, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  fflush(stdout);
  json_decref(value);
}

/* ---- all ---- */

static void found(void *context, const ProbeFinding *finding) {
  Show *show = context;
  log_progress_end();
  show->counts[finding->result]++;
  if (show->options->json)
    print_json_line(probe_json(finding, show->options->verbose));
  else
    print_text(finding, show->options->verbose);
}

static void print_summary(const Show *show) {
  const uint32_t *counts = show->counts;
  if (show->options->json)
    print_json_line(probe_json_summary(counts));
  else
    printf("%u passed, %u failed, %u skipped, %u noted\n", counts[PROBE_PASSED],
           counts[PROBE_FAILED], counts[PROBE_SKIPPED], counts[PROBE_NOTED]);
}

int command_ping(const Options *options) {
  Show show = {.options = options};
  const ProbeOptions probes = {.start = options->start > 0 ? options->start : 2,
                               .play = options->play > 0 ? options->play : 1,
                               .context = &show,
                               .begun = begun,
                               .found = found};
  Text error = {0};
  SocketPlace place;
  if (options->argument_count != 1) {
    log_error("ping takes one URL");
    return EXIT_USAGE;
  }
  int code = EXIT_USAGE;
  if (socket_place_read(&place, options->arguments[0], default_port, &error)) {
    code = EXIT_PLAYER;
    if (probe_player(&place, &probes, &error)) {
      print_summary(&show);
      code = show.counts[PROBE_FAILED] ? EXIT_NO : EXIT_FINE;
    }
    socket_place_free(&place);
  }
  if (error.length) log_error("%s: %s", options->arguments[0], error.bytes);
  text_free(&error);
  return code;
}
