#include "command/machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "command/command.h"
#include "command/version.h"
#include "gpu/card.h"
#include "program/isa.h"

typedef struct Machine {
  Text processor; /* as the system calls it; may be empty */
  uint32_t processors;
  size_t memory; /* bytes; 0: not known */
  Card *card;    /* or NULL, because: */
  Text why;
} Machine;

/* The first "model name" of the kernel's list; other architectures than x86
   may have none. */
static void read_processor(Text *name) {
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && !name->length && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", strlen("model name")) != 0 || !colon)
      continue;
    colon[strcspn(colon, "\n")] = 0;
    text_add(name, colon + 1 + strspn(colon + 1, " "));
  }
  if (file) fclose(file);
}

static void look_around(Machine *machine) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  *machine = (Machine){.processors = thread_processors()};
  if (pages > 0 && size > 0) machine->memory = (size_t)pages * (size_t)size;
  read_processor(&machine->processor);
  machine->card = card_open(&machine->why);
}

static void forget(Machine *machine) {
  if (machine->card) card_close(machine->card);
  text_free(&machine->processor);
  text_free(&machine->why);
}

/* ---- text ---- */

static double gibibytes(size_t bytes) {
  return (double)bytes / (1 << 30);
}

static void print_text(const Machine *machine) {
  const Card *card = machine->card;
  printf("tafl %s\n", version_text());
  printf("  processors  %u%s%s\n", machine->processors,
         machine->processor.length ? ", " : "",
         text_string(&machine->processor));
  printf("  lanes by   ");
  for (int isa = 0; isa < ISA_COUNT; isa++)
    if (isa_available((Isa)isa)) printf(" %s", isa_name((Isa)isa));
  printf("\n  memory      %.1f GiB\n", gibibytes(machine->memory));
  if (!card) {
    printf("  card        none: %s\n", text_string(&machine->why));
    return;
  }
  printf("  card        %s, %u multiprocessors at %.0f MHz, %.1f GiB\n"
         "  its peak    %.3g functions of three inputs and 32 lanes a second\n",
         card->name, card->processors, card->clock * 1e-6,
         gibibytes(card->memory), card_peak(card));
}

/* ---- JSON ---- */

static json_t *card_json(const Card *card) {
  return json_pack(
      "{s:o, s:i, s:f, s:I, s:i, s:f}", "name", open_json_text(card->name),
      "multiprocessors", (int)card->processors, "clock_hertz", card->clock,
      "memory_bytes", (json_int_t)card->memory, "shared_bytes",
      (int)card->shared, "peak_functions_per_second", card_peak(card));
}

static void print_json(const Machine *machine) {
  json_t *sets = json_array();
  for (int isa = 0; isa < ISA_COUNT; isa++)
    if (isa_available((Isa)isa))
      json_array_append_new(sets, json_string(isa_name((Isa)isa)));
  json_t *object = json_pack(
      "{s:s, s:o, s:i, s:o, s:I, s:o, s:o}", "version", version_text(),
      "processor", open_json_text(text_string(&machine->processor)),
      "processors", (int)machine->processors, "instruction_sets", sets,
      "memory_bytes", (json_int_t)machine->memory, "card",
      machine->card ? card_json(machine->card) : json_null(), "no_card",
      machine->card ? json_null() : open_json_text(text_string(&machine->why)));
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(object);
}

void machine_print(bool json) {
  Machine machine;
  look_around(&machine);
  (json ? print_json : print_text)(&machine);
  forget(&machine);
}
