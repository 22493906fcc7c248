/* The reader of PTX that tests run kernels with, and what it read, on any
   bytes: what is refused has a reason with its line, what is read runs to its
   end, into an error or into the limit. */
#include "fuzz/fuzz.h"
#include "gpu/machine.h"

static bool is_small(const Module *module) {
  return module->narrows + module->wides + module->predicates < 10000 &&
         module->local < 4096;
}

static void run(Machine *machine, const Module *module, const Function *entry) {
  static const uint8_t parameters[MODULE_PARAMETERS];
  Text error = {0};
  Launch launch = {.module = module,
                   .entry = entry,
                   .blocks = 2,
                   .threads = 70,
                   .shared = 256,
                   .parameters = parameters,
                   .most_steps = 2000};
  int result = machine_launch(machine, &launch, &error);
  promise(!result == !error.length, "an error has a reason");
  text_free(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text text = {0}, error = {0};
  Machine *machine = machine_new(GLOBAL_START);
  text_add_bytes(&text, (const char *)data, size);
  Module *module = machine_load(machine, text_string(&text), &error);
  if (module) {
    promise(!error.length, "no reason where nothing is wrong");
    for (uint32_t i = 0; is_small(module) && i < module->functions.count; i++)
      if (module->functions.data[i].entry)
        run(machine, module, &module->functions.data[i]);
    machine_unload(machine, module);
  } else {
    promise(strncmp(text_string(&error), "line ", 5) == 0,
            "a reason with its line where something is wrong");
  }
  machine_delete(machine);
  text_free(&text);
  text_free(&error);
  return 0;
}
