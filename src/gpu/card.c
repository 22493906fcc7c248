#include "gpu/card.h"

#include <string.h>

#include "base/memory.h"

enum { LOWEST_MAJOR = 8 }; /* compute capability that the kernels need */

static bool fails(Card *card, CUresult result, const char *what, Text *why) {
  if (!result) return false;
  text_format(why, "%s: %s", what, driver_error(&card->driver, result));
  return true;
}

static uint32_t attribute(const Card *card, int number) {
  int value = 0;
  card->driver.cuDeviceGetAttribute(&value, number, card->device);
  return (uint32_t)value;
}

static void read_attributes(Card *card) {
  card->processors = attribute(card, DRIVER_MULTIPROCESSORS);
  card->shared = attribute(card, DRIVER_SHARED_PER_BLOCK);
  card->clock = 1e3 * attribute(card, DRIVER_CLOCK_KHZ);
  card->driver.cuDeviceGetName(card->name, sizeof card->name, card->device);
  card->driver.cuDeviceTotalMem(&card->memory, card->device);
}

static bool find_device(Card *card, Text *why) {
  int count = 0;
  if (fails(card, card->driver.cuInit(0), "the driver does not start", why) ||
      fails(card, card->driver.cuDeviceGetCount(&count),
            "the driver finds no card", why))
    return false;
  if (!count) {
    text_add(why, "the driver finds no card");
    return false;
  }
  if (fails(card, card->driver.cuDeviceGet(&card->device, 0),
            "the card cannot be used", why))
    return false;
  read_attributes(card);
  if (attribute(card, DRIVER_MAJOR) >= LOWEST_MAJOR) return true;
  text_format(why, "%s is too old: compute capability %u.0 is needed",
              card->name, LOWEST_MAJOR);
  return false;
}

Card *card_open(Text *why) {
  Card *card = memory_new(sizeof *card);
  if (!driver_open(&card->driver, why)) {
    memory_delete(card);
    return NULL;
  }
  if (find_device(card, why) && !fails(card,
                                       card->driver.cuDevicePrimaryCtxRetain(
                                           &card->context, card->device),
                                       "the card cannot be used", why)) {
    card_enter(card);
    return card;
  }
  driver_close(&card->driver);
  memory_delete(card);
  return NULL;
}

void card_close(Card *card) {
  card->driver.cuDevicePrimaryCtxRelease(card->device);
  driver_close(&card->driver);
  memory_delete(card);
}

bool card_enter(const Card *card) {
  return !card->driver.cuCtxSetCurrent(card->context);
}

CUmodule card_compile(const Card *card, const char *ptx, int optimisation,
                      Text *why) {
  char log[2048] = "";
  CUmodule module = NULL;
  int names[] = {DRIVER_JIT_ERROR_LOG, DRIVER_JIT_ERROR_LOG_SIZE,
                 DRIVER_JIT_OPTIMISATION};
  void *values[] = {log, (void *)sizeof log, (void *)(intptr_t)optimisation};
  CUresult result =
      card->driver.cuModuleLoadDataEx(&module, ptx, 3, names, values);
  if (!result) return module;
  text_format(why, "the driver does not compile a kernel: %s %s",
              driver_error(&card->driver, result), log);
  return NULL;
}

/* With a context of its own, since the lock that compiling takes belongs to the
   context. (Reversi on an H200: the first kernel's first playouts were there
   after 3.9 s, with those 3.4 s that the second took to compile.) */
bool card_translate(const Card *card, const char *ptx, int optimisation,
                    Text *code, Text *why) {
  const Driver *driver = &card->driver;
  char log[2048] = "";
  CUcontext context;
  CUlinkState state;
  void *image = NULL;
  size_t size = 0;
  int names[] = {DRIVER_JIT_ERROR_LOG, DRIVER_JIT_ERROR_LOG_SIZE,
                 DRIVER_JIT_OPTIMISATION};
  void *values[] = {log, (void *)sizeof log, (void *)(intptr_t)optimisation};
  CUresult result = driver->cuCtxCreate(&context, 0, card->device);
  if (!result) {
    result = driver->cuLinkCreate(3, names, values, &state);
    if (!result) {
      result = driver->cuLinkAddData(state, DRIVER_INPUT_PTX, (void *)ptx,
                                     strlen(ptx) + 1, "kernel", 0, NULL, NULL);
      if (!result) result = driver->cuLinkComplete(state, &image, &size);
      if (!result) text_add_bytes(code, image, size);
      driver->cuLinkDestroy(state);
    }
    driver->cuCtxDestroy(context);
  }
  if (result)
    text_format(why, "the driver does not compile a kernel: %s %s",
                driver_error(driver, result), log);
  return !result;
}

double card_peak(const Card *card) {
  return 64 * card->clock * card->processors;
}
