#include "command/interrupt.h"

#include <signal.h>

static atomic_bool interrupted;

static void note(int number) {
  signal(number, SIG_DFL);
  atomic_store(&interrupted, true);
}

void interrupt_catch(void) {
  signal(SIGINT, note);
  signal(SIGTERM, note);
}

void interrupt_release(void) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
}

const atomic_bool *interrupt_flag(void) {
  return &interrupted;
}

bool interrupt_came(void) {
  return atomic_load(&interrupted);
}
