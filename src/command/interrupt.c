#include "command/interrupt.h"

#include <signal.h>

#include "command/command.h"

static atomic_bool interrupted, late;

static void note(int number) {
  signal(number, SIG_DFL);
  if (number == SIGALRM) atomic_store(&late, true);
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

void interrupt_at_limit(void) {
  open_alarm(note);
}

atomic_bool *interrupt_flag(void) {
  return &interrupted;
}

bool interrupt_came(void) {
  return atomic_load(&interrupted);
}

bool interrupt_late(void) {
  return atomic_load(&late);
}
