#include "gpu/kernel.h"

void kernel_begin(Kernel *kernel, const Card *card, int optimisation) {
  if (kernel->ptx.length)
    kernel->compiling = compiling_new(card, &kernel->ptx, optimisation);
}

static bool fits(Kernel *kernel, const Card *card, uint32_t threads,
                 uint32_t shared) {
  const Driver *driver = &card->driver;
  int fitting = 0;
  if (driver->cuModuleGetFunction(&kernel->play, kernel->module, "play") ||
      (shared && driver->cuFuncSetAttribute(
                     kernel->play, DRIVER_FUNCTION_SHARED, (int)shared)) ||
      driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(
          &fitting, kernel->play, (int)threads, shared))
    fitting = 0;
  kernel->fitting = (uint32_t)fitting * card->processors;
  if (!fitting) text_add(&kernel->why, "the kernel does not fit into the card");
  return fitting;
}

bool kernel_take(Kernel *kernel, const Card *card, bool wait, uint32_t threads,
                 uint32_t shared) {
  if (!kernel->compiling || !compiling_over(kernel->compiling, wait))
    return false;
  kernel->module = compiling_take(kernel->compiling, &kernel->why);
  kernel->seconds = compiling_seconds(kernel->compiling);
  compiling_drop(kernel->compiling);
  kernel->compiling = NULL;
  return kernel->module && fits(kernel, card, threads, shared);
}

void kernel_unload(Kernel *kernel, const Card *card) {
  if (kernel->compiling) compiling_drop(kernel->compiling);
  if (kernel->module) card->driver.cuModuleUnload(kernel->module);
}

void kernel_free(Kernel *kernel) {
  text_free(&kernel->ptx);
  text_free(&kernel->why);
}
