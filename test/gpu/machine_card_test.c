/* The card made of software: the driver's functions as they are documented, the
   misuse that a real one refuses, work that is done later, and every failure
   that the environment can ask for. The same through the library, as the
   program finds it. */
#include "machine_card.h"

#include <dlfcn.h>
#include <unistd.h>

#include "base/clock.h"
#include "support/unit.h"

static const char adding[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".extern .shared .align 16 .b8 words[];\n"
    ".visible .entry add(.param .u64 cells, .param .u32 much)\n"
    ".maxntid 128, 1, 1\n{\n"
    "\t.reg .b64 %d;\n\t.reg .b32 %r<8>;\n"
    "\tld.param.u64 %d, [cells];\n\tld.param.u32 %r0, [much];\n"
    "\tmov.u32 %r1, %ctaid.x;\n\tmov.u32 %r2, %ntid.x;\n"
    "\tmov.u32 %r3, %tid.x;\n\tmad.lo.u32 %r1, %r1, %r2, %r3;\n"
    "\tmad.wide.u32 %d, %r1, 4, %d;\n\tld.global.u32 %r4, [%d];\n"
    "\tadd.u32 %r4, %r4, %r0;\n\tst.global.u32 [%d], %r4;\n\tret;\n}\n";

static const char wrong[] = ".version 7.8\n.target sm_90\n.address_size 64\n"
                            ".visible .entry add()\n{\n\tadd.u7 %r, 1, 2;\n}\n";

enum { CELLS = 256 };

typedef struct Desk {
  Driver driver;
  CUcontext context;
  CUmodule module;
  CUfunction add;
  CUstream stream;
  CUdeviceptr cells;
} Desk;

/* Sets variables of the environment, "NAME=VALUE NAME=VALUE", and begins anew.
 */
static void begin(const char *settings) {
  static const char *const names[] = {
      "TAFL_CARD_COUNT", "TAFL_CARD_LATE",   "TAFL_CARD_MEMORY",
      "TAFL_CARD_FAIL",  "TAFL_CARD_REFUSE", "TAFL_CARD_HANG",
      "TAFL_CARD_GONE",  "TAFL_CARD_RACES",  "TAFL_CARD_STEPS"};
  for (uint32_t i = 0; i < LENGTH(names); i++) unsetenv(names[i]);
  setenv("TAFL_CARD_QUIET", "1", 1);
  for (const char *at = settings; at && *at; at += strspn(at, " ")) {
    char name[32], value[32];
    assert_int_equal(sscanf(at, "%31[^=]=%31[^ ]", name, value), 2);
    setenv(name, value, 1);
    at += strcspn(at, " ");
  }
  machine_card_reset();
}

static void open_desk(Desk *desk, const char *setting) {
  begin(setting);
  machine_card_driver(&desk->driver);
  const Driver *d = &desk->driver;
  assert_int_equal(d->cuInit(0), 0);
  assert_int_equal(d->cuDevicePrimaryCtxRetain(&desk->context, 0), 0);
  assert_int_equal(d->cuCtxSetCurrent(desk->context), 0);
  assert_int_equal(d->cuModuleLoadDataEx(&desk->module, adding, 0, NULL, NULL),
                   0);
  assert_int_equal(d->cuModuleGetFunction(&desk->add, desk->module, "add"), 0);
  assert_int_equal(d->cuStreamCreate(&desk->stream, 1), 0);
  assert_int_equal(d->cuMemAlloc(&desk->cells, 4 * CELLS), 0);
  assert_int_equal(d->cuMemsetD8Async(desk->cells, 0, 4 * CELLS, desk->stream),
                   0);
}

static CUresult add(const Desk *desk, uint32_t much) {
  CUdeviceptr cells = desk->cells;
  void *parameters[] = {&cells, &much};
  return desk->driver.cuLaunchKernel(desk->add, 2, 1, 1, CELLS / 2, 1, 1, 0,
                                     desk->stream, parameters, NULL);
}

static void check_cells(const Desk *desk, uint32_t wanted) {
  uint32_t cells[CELLS];
  assert_int_equal(desk->driver.cuMemcpyDtoHAsync(cells, desk->cells,
                                                  sizeof cells, desk->stream),
                   0);
  assert_int_equal(desk->driver.cuStreamSynchronize(desk->stream), 0);
  for (uint32_t i = 0; i < CELLS; i++) assert_int_equal(cells[i], wanted);
}

static void close_desk(Desk *desk) {
  const Driver *d = &desk->driver;
  assert_int_equal(d->cuMemFree(desk->cells), 0);
  assert_int_equal(d->cuStreamDestroy(desk->stream), 0);
  assert_int_equal(d->cuModuleUnload(desk->module), 0);
  assert_int_equal(d->cuDevicePrimaryCtxRelease(0), 0);
  machine_card_reset();
}

/* ---- the usual ---- */

static void use_card(const char *setting) {
  Desk desk;
  uint32_t cells[CELLS];
  open_desk(&desk, setting);
  assert_int_equal(add(&desk, 5), 0);
  assert_int_equal(add(&desk, 7), 0);
  check_cells(&desk, 12);
  for (uint32_t i = 0; i < CELLS; i++) cells[i] = 100;
  assert_int_equal(desk.driver.cuMemcpyHtoDAsync(desk.cells, cells,
                                                 sizeof cells, desk.stream),
                   0);
  memset(cells, 0, sizeof cells); /* it was not pinned: copied at once */
  assert_int_equal(add(&desk, 1), 0);
  check_cells(&desk, 101);
  assert_true(machine_card_instructions() > 3 * CELLS * 10);
  close_desk(&desk);
}

static void test_use(void **state) {
  (void)state;
  use_card(NULL);
  use_card("TAFL_CARD_LATE=1");
}

static void test_devices(void **state) {
  (void)state;
  Driver d;
  int value;
  size_t bytes;
  char name[8];
  CUdevice device;
  begin("TAFL_CARD_COUNT=2");
  machine_card_driver(&d);
  assert_int_equal(d.cuDeviceGetCount(&value), 3); /* before cuInit */
  assert_int_equal(d.cuInit(0), 0);
  assert_int_equal(d.cuDeviceGetCount(&value), 0);
  assert_int_equal(value, 2);
  assert_int_equal(d.cuDeviceGet(&device, 1), 0);
  assert_int_equal(d.cuDeviceGet(&device, 2), 101);
  assert_int_equal(d.cuDeviceGetName(name, sizeof name, 1), 0);
  assert_string_equal(name, "Softwar");
  assert_int_equal(d.cuDeviceTotalMem(&bytes, 0), 0);
  assert_int_equal(bytes, 1 << 30);
  assert_int_equal(d.cuDeviceGetAttribute(&value, DRIVER_MULTIPROCESSORS, 0),
                   0);
  assert_int_equal(value, 2);
  assert_int_equal(d.cuDeviceGetAttribute(&value, DRIVER_SHARED_PER_BLOCK, 0),
                   0);
  assert_int_equal(value, 227 << 10);
  assert_int_equal(d.cuDeviceGetAttribute(&value, 9999, 0), 1);
  assert_int_equal(d.cuDriverGetVersion(&value), 0);
  assert_true(value >= 12000);
  assert_string_equal(driver_error(&d, 2), "out of memory");
  assert_string_equal(driver_error(&d, 12345), "unknown error");
  begin("TAFL_CARD_COUNT=0");
  assert_int_equal(d.cuInit(0), 100);
}

static void test_two_cards(void **state) {
  (void)state;
  Driver d;
  CUcontext contexts[2], now;
  CUdeviceptr memory[2];
  uint8_t byte;
  begin("TAFL_CARD_COUNT=2");
  machine_card_driver(&d);
  assert_int_equal(d.cuInit(0), 0);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(d.cuDevicePrimaryCtxRetain(&contexts[i], i), 0);
    assert_int_equal(d.cuCtxSetCurrent(contexts[i]), 0);
    assert_int_equal(cuCtxGetCurrent(&now), 0);
    assert_ptr_equal(now, contexts[i]);
    assert_int_equal(d.cuMemAlloc(&memory[i], 1), 0);
  }
  assert_true(memory[0] != memory[1]);
  /* What belongs to the other card is not to be had here. */
  assert_int_equal(d.cuMemcpyDtoHAsync(&byte, memory[0], 1, NULL), 1);
  assert_int_equal(d.cuMemcpyDtoHAsync(&byte, memory[1], 1, NULL), 0);
  machine_card_reset();
}

/* ---- modules and functions ---- */

static void test_log(void **state) {
  (void)state;
  Desk desk;
  char log[200] = "";
  CUmodule module;
  int names[] = {DRIVER_JIT_ERROR_LOG, DRIVER_JIT_ERROR_LOG_SIZE};
  void *values[] = {log, (void *)sizeof log};
  open_desk(&desk, NULL);
  const Driver *d = &desk.driver;
  assert_int_equal(d->cuModuleLoadDataEx(&module, wrong, 2, names, values),
                   218);
  assert_non_null(strstr(log, "line 6: "));
  assert_non_null(strstr(log, "%r is not declared"));
  assert_int_equal((size_t)values[1], strlen(log) + 1);
  char small[8] = "";
  values[0] = small;
  values[1] = (void *)sizeof small;
  assert_int_equal(d->cuModuleLoadDataEx(&module, wrong, 2, names, values),
                   218);
  assert_string_equal(small, "ptxas a");
  int strange[] = {DRIVER_JIT_OPTIMISATION};
  void *five[] = {(void *)5};
  assert_int_equal(d->cuModuleLoadDataEx(&module, adding, 1, strange, five), 1);
  assert_int_equal(d->cuModuleGetFunction(&desk.add, desk.module, "sub"), 500);
  close_desk(&desk);
}

static CUresult launch(const Desk *desk, unsigned blocks, unsigned threads,
                       unsigned shared) {
  uint32_t much = 0;
  CUdeviceptr cells = desk->cells;
  void *parameters[] = {&cells, &much};
  return desk->driver.cuLaunchKernel(desk->add, blocks, 1, 1, threads, 1, 1,
                                     shared, desk->stream, parameters, NULL);
}

static void test_limits(void **state) {
  (void)state;
  Desk desk;
  int blocks;
  open_desk(&desk, NULL);
  const Driver *d = &desk.driver;
  assert_int_equal(launch(&desk, 2, 128, 0), 0);
  assert_int_equal(launch(&desk, 2, 129, 0), 1); /* .maxntid */
  assert_int_equal(launch(&desk, 0, 128, 0), 1);
  assert_int_equal(launch(&desk, 2, 0, 0), 1);
  assert_int_equal(launch(&desk, 2, 128, 48 << 10), 0);
  assert_int_equal(launch(&desk, 2, 128, (48 << 10) + 1), 1);
  assert_int_equal(
      d->cuFuncSetAttribute(desk.add, DRIVER_FUNCTION_SHARED, 228 << 10), 1);
  assert_int_equal(
      d->cuFuncSetAttribute(desk.add, DRIVER_FUNCTION_SHARED, 227 << 10), 0);
  assert_int_equal(launch(&desk, 2, 128, 227 << 10), 0);
  assert_int_equal(d->cuOccupancyMaxActiveBlocksPerMultiprocessor(
                       &blocks, desk.add, 128, 100 << 10),
                   0);
  assert_int_equal(blocks, 2);
  assert_int_equal(
      d->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, desk.add, 128, 0),
      0);
  assert_int_equal(blocks, 16);
  assert_int_equal(
      d->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, desk.add, 32, 0),
      0);
  assert_int_equal(blocks, 32);
  int registers = 0;
  assert_int_equal(
      d->cuFuncGetAttribute(&registers, DRIVER_FUNCTION_REGISTERS, desk.add),
      0);
  assert_in_range(registers, 10, 255);
  close_desk(&desk);
}

/* ---- misuse ---- */

static void test_misuse(void **state) {
  (void)state;
  Desk desk;
  CUdeviceptr memory;
  uint32_t word = 0;
  void *pinned;
  open_desk(&desk, NULL);
  const Driver *d = &desk.driver;
  assert_int_equal(d->cuMemAlloc(&memory, 0), 1);
  assert_int_equal(d->cuMemFree(desk.cells + 4), 1);
  assert_int_equal(d->cuMemcpyHtoDAsync(desk.cells + 4 * CELLS, &word, 4, NULL),
                   1);
  assert_int_equal(
      d->cuMemcpyDtoHAsync(&word, desk.cells + 4 * CELLS - 2, 4, NULL), 1);
  assert_int_equal(d->cuStreamSynchronize((CUstream)&word), 400);
  assert_int_equal(d->cuModuleUnload((CUmodule)&word), 400);
  assert_int_equal(d->cuMemHostAlloc(&pinned, 10, 0), 0);
  assert_int_equal(d->cuMemFreeHost((char *)pinned + 1), 1);
  assert_int_equal(d->cuMemFreeHost(pinned), 0);
  assert_int_equal(d->cuMemFreeHost(pinned), 1);
  assert_int_equal(d->cuCtxSetCurrent(NULL), 0);
  assert_int_equal(d->cuMemAlloc(&memory, 8), 201);
  assert_int_equal(add(&desk, 1), 201);
  assert_int_equal(d->cuCtxSetCurrent(desk.context), 0);
  assert_int_equal(add(&desk, 1), 0);
  close_desk(&desk);
  assert_int_equal(d->cuCtxSetCurrent(desk.context), 3);
}

/* ---- later ---- */

static void test_late(void **state) {
  (void)state;
  Desk desk;
  uint32_t *pinned;
  CUevent before, after;
  float took;
  open_desk(&desk, "TAFL_CARD_LATE=1");
  const Driver *d = &desk.driver;
  assert_int_equal(d->cuMemHostAlloc((void **)&pinned, 4 * CELLS, 0), 0);
  assert_int_equal(cuEventCreate(&before, 0), 0);
  assert_int_equal(cuEventCreate(&after, 0), 0);
  assert_int_equal(cuEventRecord(before, desk.stream), 0);
  for (uint32_t i = 0; i < 200; i++) assert_int_equal(add(&desk, 1), 0);
  assert_int_equal(
      d->cuMemcpyDtoHAsync(pinned, desk.cells, 4 * CELLS, desk.stream), 0);
  assert_int_equal(cuEventRecord(after, desk.stream), 0);
  /* 200 launches take longer than it takes to ask. */
  assert_int_equal(d->cuStreamQuery(desk.stream), 600);
  assert_int_equal(cuEventQuery(after), 600);
  assert_int_equal(cuEventElapsedTime(&took, before, after), 600);
  assert_int_equal(cuEventSynchronize(after), 0);
  assert_int_equal(pinned[CELLS - 1], 200);
  assert_int_equal(cuEventQuery(after), 0);
  assert_int_equal(cuEventElapsedTime(&took, before, after), 0);
  assert_true(took > 0);
  assert_int_equal(d->cuStreamSynchronize(desk.stream), 0);
  assert_int_equal(d->cuStreamQuery(desk.stream), 0);
  assert_int_equal(cuEventDestroy(before), 0);
  assert_int_equal(cuEventDestroy(after), 0);
  assert_int_equal(cuEventDestroy(after), 400);
  assert_int_equal(d->cuMemFreeHost(pinned), 0);
  close_desk(&desk);
}

/* A stream waits for what another one has recorded. */
static void test_wait(void **state) {
  (void)state;
  Desk desk;
  CUstream other;
  CUevent done;
  uint32_t *pinned;
  open_desk(&desk, "TAFL_CARD_LATE=1");
  const Driver *d = &desk.driver;
  assert_int_equal(d->cuMemHostAlloc((void **)&pinned, 4 * CELLS, 0), 0);
  assert_int_equal(d->cuStreamCreate(&other, 1), 0);
  assert_int_equal(cuEventCreate(&done, 2), 0);
  for (uint32_t i = 0; i < 100; i++) assert_int_equal(add(&desk, 1), 0);
  assert_int_equal(cuEventRecord(done, desk.stream), 0);
  assert_int_equal(cuStreamWaitEvent(other, done, 0), 0);
  assert_int_equal(d->cuMemcpyDtoHAsync(pinned, desk.cells, 4 * CELLS, other),
                   0);
  assert_int_equal(d->cuStreamSynchronize(other), 0);
  assert_int_equal(pinned[0], 100);
  assert_int_equal(d->cuStreamDestroy(other), 0);
  close_desk(&desk);
}

/* ---- failures that were asked for ---- */

static void test_failed_launch(void **state) {
  (void)state;
  Desk desk;
  CUdeviceptr memory;
  open_desk(&desk, "TAFL_CARD_FAIL=2");
  const Driver *d = &desk.driver;
  assert_int_equal(add(&desk, 1), 0);
  assert_int_equal(d->cuStreamSynchronize(desk.stream), 0);
  assert_int_equal(add(&desk, 1), 0);
  assert_int_equal(d->cuStreamSynchronize(desk.stream), 719);
  assert_non_null(strstr(machine_card_message(), "launch 2 fails"));
  /* The context is of no more use; a new one is. */
  assert_int_equal(d->cuMemAlloc(&memory, 8), 719);
  assert_int_equal(add(&desk, 1), 719);
  assert_int_equal(d->cuDevicePrimaryCtxRelease(0), 0);
  assert_int_equal(d->cuDevicePrimaryCtxRetain(&desk.context, 0), 0);
  assert_int_equal(d->cuMemAlloc(&memory, 8), 0);
  machine_card_reset();
}

/* An error of the kernel itself, in either way to work. */
static void test_bad_kernel(void **state) {
  (void)state;
  static const char *const settings[] = {NULL, "TAFL_CARD_LATE=1"};
  for (uint32_t i = 0; i < 2; i++) {
    Desk desk;
    open_desk(&desk, settings[i]);
    desk.cells += 4; /* one cell too many */
    assert_int_equal(add(&desk, 1), 0);
    assert_int_equal(desk.driver.cuStreamSynchronize(desk.stream), 700);
    assert_non_null(strstr(machine_card_message(), "add, block 1, thread 127"));
    machine_card_reset();
  }
}

static void test_refused_launch(void **state) {
  (void)state;
  Desk desk;
  open_desk(&desk, "TAFL_CARD_REFUSE=2");
  assert_int_equal(add(&desk, 1), 0);
  assert_int_equal(add(&desk, 1), 701);
  assert_int_equal(add(&desk, 1), 0);
  check_cells(&desk, 2);
  close_desk(&desk);
}

static void test_gone(void **state) {
  (void)state;
  for (int calls = 1; calls < 20; calls++) {
    char setting[32];
    Driver d;
    CUcontext context;
    CUdeviceptr memory;
    int failed = 0;
    snprintf(setting, sizeof setting, "TAFL_CARD_GONE=%d", calls);
    begin(setting);
    machine_card_driver(&d);
    failed += d.cuInit(0) != 0;
    failed += d.cuDevicePrimaryCtxRetain(&context, 0) != 0;
    if (!failed) failed += d.cuCtxSetCurrent(context) != 0;
    for (int i = 3; i < 20; i++)
      if (i + 1 < calls)
        assert_int_equal(d.cuMemAlloc(&memory, 8), 0);
      else
        assert_int_not_equal(d.cuMemAlloc(&memory, 8), 0);
    assert_int_equal(d.cuStreamSynchronize(NULL), 999);
    machine_card_reset();
  }
}

static void test_no_memory(void **state) {
  (void)state;
  Desk desk;
  CUdeviceptr memory, other;
  size_t left, total;
  open_desk(&desk, "TAFL_CARD_MEMORY=10000");
  const Driver *d = &desk.driver;
  assert_int_equal(cuMemGetInfo(&left, &total), 0);
  assert_int_equal(total, 10000);
  assert_int_equal(left, 10000 - 4 * CELLS);
  assert_int_equal(d->cuMemAlloc(&memory, left + 1), 2);
  assert_int_equal(d->cuMemAlloc(&memory, left), 0);
  assert_int_equal(d->cuMemAlloc(&other, 1), 2);
  assert_int_equal(d->cuMemFree(memory), 0);
  assert_int_equal(d->cuMemAlloc(&memory, left), 0);
  close_desk(&desk);
}

static void check_hanging(const char *settings) {
  Desk desk;
  uint32_t *pinned;
  CUevent event;
  open_desk(&desk, settings);
  const Driver *d = &desk.driver;
  assert_int_equal(d->cuMemHostAlloc((void **)&pinned, 4 * CELLS, 0), 0);
  assert_int_equal(cuEventCreate(&event, 0), 0);
  assert_int_equal(d->cuMemsetD8Async(desk.cells, 0, 4 * CELLS, desk.stream),
                   0);
  memset(pinned, 0, 4 * CELLS);
  assert_int_equal(add(&desk, 1), 0);
  assert_int_equal(d->cuStreamSynchronize(desk.stream), 0);
  assert_int_equal(add(&desk, 1), 0);
  assert_int_equal(
      d->cuMemcpyDtoHAsync(pinned, desk.cells, 4 * CELLS, desk.stream), 0);
  assert_int_equal(cuEventRecord(event, desk.stream), 0);
  for (double start = clock_now(); clock_now() < start + 0.05;) {
    assert_int_equal(d->cuStreamQuery(desk.stream), 600);
    assert_int_equal(cuEventQuery(event), 600);
  }
  assert_int_equal(pinned[0], 0); /* nothing behind it is done */
  machine_card_reset();
}

static void test_hanging(void **state) {
  (void)state;
  check_hanging("TAFL_CARD_HANG=2");
  check_hanging("TAFL_CARD_HANG=2 TAFL_CARD_LATE=1");
}

static void test_steps(void **state) {
  (void)state;
  Desk desk;
  open_desk(&desk, "TAFL_CARD_STEPS=10");
  assert_int_equal(add(&desk, 1), 0);
  assert_int_equal(desk.driver.cuStreamSynchronize(desk.stream), 702);
  machine_card_reset();
}

/* ---- the library ---- */

/* It lies beside the test programs: build/test/gpu/… and build/card/…. */
static void test_library(void **state) {
  (void)state;
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
  assert_true(length > 0);
  path[length] = 0;
  for (int i = 0; i < 3; i++) *strrchr(path, '/') = 0;
  strcat(path, "/card/libcuda.so.1");
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) fail_msg("%s", dlerror());
#define FUNCTION(name, symbol, parameters) \
  if (!dlsym(library, symbol)) fail_msg("there is no %s", symbol);
  DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION
  CUresult (*init)(unsigned) = NULL;
  void *found = dlsym(library, "cuInit");
  memcpy(&init, &found, sizeof init);
  begin(NULL);
  assert_int_equal(init(0), 0);
  assert_null(dlsym(library, "machine_new")); /* nothing else is there */
  dlclose(library);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_use),
                                     cmocka_unit_test(test_devices),
                                     cmocka_unit_test(test_two_cards),
                                     cmocka_unit_test(test_log),
                                     cmocka_unit_test(test_limits),
                                     cmocka_unit_test(test_misuse),
                                     cmocka_unit_test(test_late),
                                     cmocka_unit_test(test_wait),
                                     cmocka_unit_test(test_failed_launch),
                                     cmocka_unit_test(test_bad_kernel),
                                     cmocka_unit_test(test_refused_launch),
                                     cmocka_unit_test(test_gone),
                                     cmocka_unit_test(test_no_memory),
                                     cmocka_unit_test(test_hanging),
                                     cmocka_unit_test(test_steps),
                                     cmocka_unit_test(test_library)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
