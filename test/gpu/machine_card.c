/* All state is in one static structure under one lock. `device` is held while
   memory is touched or a kernel runs, so that the lock is free meanwhile: calls
   that only ask, such as cuStreamQuery, never wait for a kernel. */
#include "machine_card.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/thread.h"
#include "machine.h"

enum {
  CARDS_MOST = 4,
  MULTIPROCESSORS = 2,
  SHARED_PLAIN = 48 << 10,
  SHARED_MOST = 227 << 10,
  SHARED_PROCESSOR = 228 << 10,
  SHARED_RESERVED = 1 << 10,
  REGISTERS = 65536,
  REGISTERS_THREAD = 255,
  THREADS_BLOCK = 1024,
  THREADS_PROCESSOR = 2048,
  BLOCKS_PROCESSOR = 32
};

enum {
  ERROR_INVALID_VALUE = 1,
  ERROR_OUT_OF_MEMORY = 2,
  ERROR_NOT_INITIALIZED = 3,
  ERROR_NO_DEVICE = 100,
  ERROR_INVALID_DEVICE = 101,
  ERROR_INVALID_CONTEXT = 201,
  ERROR_INVALID_PTX = 218,
  ERROR_INVALID_HANDLE = 400,
  ERROR_NOT_FOUND = 500,
  ERROR_NOT_READY = 600,
  ERROR_OUT_OF_RESOURCES = 701,
  ERROR_UNKNOWN = 999
};

struct CUctx_st {
  Machine *machine;
  uint32_t users; /* retained so often */
  int broken;     /* the result that all calls have */
};

struct CUmod_st {
  CUcontext context;
  Module *module;
  int most_registers;
  struct CUfunc_st *functions; /* one for each of the module */
  CUmodule next;
};

struct CUfunc_st {
  CUmodule owner;
  const Function *entry;
  int dynamic; /* bytes of shared memory that a launch may ask for */
};

typedef enum {
  TASK_LAUNCH,
  TASK_SET,
  TASK_UP,
  TASK_DOWN,
  TASK_EVENT,
  TASK_WAIT
} TaskKind;

typedef struct Task {
  struct Task *next;
  TaskKind kind;
  Launch launch;
  uint32_t number; /* of the launch */
  uint8_t *copy;   /* parameters; bytes from memory that is not pinned */
  CUdeviceptr address;
  void *host;
  size_t size;
  unsigned char byte;
  CUevent event;
  uint64_t record;
} Task;

struct CUstream_st {
  CUcontext context;
  Task *first, *last; /* `first` is being worked at */
  bool hangs, started, ending;
  pthread_t thread;
  pthread_cond_t wake;
  CUstream next;
};

struct CUevent_st {
  uint64_t recorded, done; /* records asked for and carried out */
  double time;
  CUevent next;
};

typedef struct Pinned {
  char *memory;
  size_t size;
} Pinned;

static struct {
  bool started; /* cuInit */
  int count;
  bool late, quiet, races;
  uint64_t memory, fail, refuse, hang, gone, stuck, steps;
  double compile; /* seconds more */
  uint64_t calls, launches;
  struct CUctx_st contexts[CARDS_MOST];
  struct CUstream_st *streams; /* default streams too */
  CUstream defaults[CARDS_MOST];
  CUmodule modules;
  CUevent events;
  VECTOR(Pinned) pinned;
  Text message;
  bool read; /* the environment */
} card;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t device = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static _Thread_local CUcontext current;

/* ---- the environment ---- */

static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void read_environment(void) {
  if (card.read) return;
  card.read = true;
  uint64_t count = setting("TAFL_CARD_COUNT", 1);
  card.count = count > CARDS_MOST ? CARDS_MOST : (int)count;
  card.late = setting("TAFL_CARD_LATE", 0);
  card.quiet = setting("TAFL_CARD_QUIET", 0);
  card.races = setting("TAFL_CARD_RACES", 1);
  card.memory = setting("TAFL_CARD_MEMORY", UINT64_C(1) << 30);
  card.fail = setting("TAFL_CARD_FAIL", 0);
  card.refuse = setting("TAFL_CARD_REFUSE", 0);
  card.hang = setting("TAFL_CARD_HANG", 0);
  card.gone = setting("TAFL_CARD_GONE", 0);
  card.stuck = setting("TAFL_CARD_STUCK", 0);
  card.compile = 1e-3 * (double)setting("TAFL_CARD_COMPILE", 0);
  card.steps = setting("TAFL_CARD_STEPS", 0);
}

static void say(const char *text) {
  text_clear(&card.message);
  text_add(&card.message, text);
  if (!card.quiet) fprintf(stderr, "software card: %s\n", text);
}

/* ---- begin and end of a call ---- */

typedef enum { NEEDS_NOTHING, NEEDS_INIT, NEEDS_CONTEXT } Needs;

/* Others go on: the lock is free meanwhile. */
static _Noreturn void wait_for_ever(void) {
  for (;;) pthread_cond_wait(&change, &lock);
}

static void take_time(double seconds) {
  double until = clock_now() + seconds;
  pthread_mutex_unlock(&lock);
  while (clock_now() < until) nanosleep(&(struct timespec){0, 1000000}, NULL);
  pthread_mutex_lock(&lock);
}

/* Locks, and returns what every call may return. The caller unlocks. */
static CUresult enter(Needs needs) {
  pthread_mutex_lock(&lock);
  read_environment();
  card.calls++;
  if (card.gone && card.calls >= card.gone) return ERROR_UNKNOWN;
  if (card.calls == card.stuck) wait_for_ever();
  if (needs == NEEDS_NOTHING) return 0;
  if (!card.started) return ERROR_NOT_INITIALIZED;
  if (needs == NEEDS_INIT) return 0;
  if (!current || !current->users) return ERROR_INVALID_CONTEXT;
  return current->broken;
}

static CUresult leave(CUresult result) {
  pthread_mutex_unlock(&lock);
  return result;
}

#define ENTER(needs) \
  do { \
    CUresult entered = enter(needs); \
    if (entered) return leave(entered); \
  } while (0)

/* ---- streams ---- */

static CUstream new_stream(CUcontext context) {
  CUstream stream = memory_new(sizeof *stream);
  stream->context = context;
  pthread_cond_init(&stream->wake, NULL);
  stream->next = card.streams;
  card.streams = stream;
  return stream;
}

/* Returns the stream of a handle; NULL if there is none. */
static CUstream find_stream(CUstream handle) {
  if (!handle) {
    size_t number = (size_t)(current - card.contexts);
    if (!card.defaults[number]) card.defaults[number] = new_stream(current);
    return card.defaults[number];
  }
  for (CUstream s = card.streams; s; s = s->next)
    if (s == handle) return s->context == current ? s : NULL;
  return NULL;
}

static void delete_task(Task *task) {
  memory_delete(task->copy);
  memory_delete(task);
}

static void fail_context(CUcontext context, int result, const Text *why) {
  context->broken = result;
  say(text_string(why));
}

static void do_launch(CUcontext context, Task *task) {
  Text why = {0};
  int result;
  if (task->number == card.fail) {
    result = MACHINE_FAILED;
    text_format(&why, "launch %u fails, as asked for", task->number);
  } else {
    task->launch.parameters = task->copy;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&device);
    result = machine_launch(context->machine, &task->launch, &why);
    pthread_mutex_unlock(&device);
    pthread_mutex_lock(&lock);
  }
  if (result) fail_context(context, result, &why);
  text_free(&why);
}

static void do_copy(CUcontext context, const Task *task) {
  Text why = {0};
  pthread_mutex_unlock(&lock); /* the device may be busy with a kernel */
  pthread_mutex_lock(&device);
  void *memory = machine_memory(context->machine, task->address, task->size);
  if (!memory) {
    text_format(&why, "%zu bytes at 0x%llx are not allocated", task->size,
                task->address);
  } else if (task->kind == TASK_SET) {
    memset(memory, task->byte, task->size);
  } else if (task->kind == TASK_UP) {
    memcpy(memory, task->copy ? task->copy : task->host, task->size);
  } else {
    memcpy(task->host, memory, task->size);
  }
  pthread_mutex_unlock(&device);
  pthread_mutex_lock(&lock);
  if (why.length) fail_context(context, MACHINE_ILLEGAL_ADDRESS, &why);
  text_free(&why);
}

/* Carries out a task; the lock is held, but not while a kernel runs. */
static void work(CUstream stream, Task *task) {
  CUcontext context = stream->context;
  if (task->kind == TASK_EVENT) {
    if (task->event->done < task->record) task->event->done = task->record;
    task->event->time = clock_now();
  } else if (task->kind == TASK_WAIT) {
    while (task->event->done < task->record) pthread_cond_wait(&change, &lock);
  } else if (!context->broken) {
    if (task->kind == TASK_LAUNCH)
      do_launch(context, task);
    else
      do_copy(context, task);
  }
}

static void *stream_thread(void *argument) {
  CUstream stream = argument;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!stream->first && !stream->ending)
      pthread_cond_wait(&stream->wake, &lock);
    if (!stream->first) break;
    Task *task = stream->first;
    if (task->kind == TASK_LAUNCH && task->number == card.hang) {
      stream->hangs = true;
      while (!stream->ending) pthread_cond_wait(&stream->wake, &lock);
      break;
    }
    work(stream, task);
    stream->first = task->next;
    if (!stream->first) stream->last = NULL;
    delete_task(task);
    pthread_cond_broadcast(&change);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* Gives a task to a stream; at once if it need not be late. */
static CUresult give(CUstream stream, Task *task) {
  if (!card.late && !stream->hangs) {
    if (task->kind == TASK_LAUNCH && task->number == card.hang)
      stream->hangs = true;
    else if (task->kind != TASK_WAIT || task->event->done >= task->record)
      work(stream, task);
    else
      stream->hangs = true; /* for what another stream will never do */
    delete_task(task);
    return 0;
  }
  if (!card.late) { /* behind what hangs */
    delete_task(task);
    return 0;
  }
  if (!stream->started) {
    if (!thread_start(&stream->thread, THREAD_STACK, stream_thread, stream)) {
      delete_task(task);
      return ERROR_OUT_OF_RESOURCES;
    }
    stream->started = true;
  }
  if (stream->last)
    stream->last->next = task;
  else
    stream->first = task;
  stream->last = task;
  pthread_cond_signal(&stream->wake);
  return 0;
}

static bool busy(const struct CUstream_st *stream) {
  return stream->hangs || stream->first;
}

/* Waits for a stream: for ever, if it hangs. */
static void wait_for(CUstream stream) {
  while (busy(stream)) pthread_cond_wait(&change, &lock);
}

static void wait_for_all(CUcontext context) {
  CUstream stream = card.streams;
  while (stream) /* the list may change meanwhile */
    if (stream->context == context && busy(stream)) {
      pthread_cond_wait(&change, &lock);
      stream = card.streams;
    } else {
      stream = stream->next;
    }
}

static void end_stream(CUstream stream) {
  stream->ending = true;
  pthread_cond_signal(&stream->wake);
  if (stream->started) {
    pthread_mutex_unlock(&lock);
    pthread_join(stream->thread, NULL);
    pthread_mutex_lock(&lock);
  }
  while (stream->first) {
    Task *next = stream->first->next;
    delete_task(stream->first);
    stream->first = next;
  }
  for (CUstream *at = &card.streams; *at; at = &(*at)->next)
    if (*at == stream) {
      *at = stream->next;
      break;
    }
  pthread_cond_destroy(&stream->wake);
  memory_delete(stream);
}

/* ---- the driver ---- */

CUresult cuInit(unsigned flags) {
  ENTER(NEEDS_NOTHING);
  if (flags) return leave(ERROR_INVALID_VALUE);
  if (!card.count) return leave(ERROR_NO_DEVICE);
  card.started = true;
  return leave(0);
}

CUresult cuDriverGetVersion(int *version) {
  ENTER(NEEDS_NOTHING);
  *version = 12050;
  return leave(0);
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  static const struct {
    CUresult error;
    const char *text;
  } texts[] = {
      {0, "no error"},
      {ERROR_INVALID_VALUE, "invalid argument"},
      {ERROR_OUT_OF_MEMORY, "out of memory"},
      {ERROR_NOT_INITIALIZED, "initialization error"},
      {ERROR_NO_DEVICE, "no CUDA-capable device is detected"},
      {ERROR_INVALID_DEVICE, "invalid device ordinal"},
      {ERROR_INVALID_CONTEXT, "invalid device context"},
      {ERROR_INVALID_PTX, "a PTX JIT compilation failed"},
      {ERROR_INVALID_HANDLE, "invalid resource handle"},
      {ERROR_NOT_FOUND, "named symbol not found"},
      {ERROR_NOT_READY, "device not ready"},
      {MACHINE_ILLEGAL_ADDRESS, "an illegal memory access was encountered"},
      {ERROR_OUT_OF_RESOURCES, "too many resources requested for launch"},
      {MACHINE_TIMEOUT, "the launch timed out and was terminated"},
      {MACHINE_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered"},
      {MACHINE_MISALIGNED, "misaligned address"},
      {MACHINE_FAILED, "unspecified launch failure"},
      {ERROR_UNKNOWN, "unknown error"}};
  *text = NULL;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i].error == error) *text = texts[i].text;
  return *text ? 0 : ERROR_INVALID_VALUE;
}

/* ---- devices ---- */

CUresult cuDeviceGetCount(int *count) {
  ENTER(NEEDS_INIT);
  *count = card.count;
  return leave(0);
}

CUresult cuDeviceGet(CUdevice *found, int number) {
  ENTER(NEEDS_INIT);
  if (number < 0 || number >= card.count) return leave(ERROR_INVALID_DEVICE);
  *found = number;
  return leave(0);
}

static bool is_device(CUdevice which) {
  return which >= 0 && which < card.count;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice which) {
  ENTER(NEEDS_INIT);
  if (!is_device(which)) return leave(ERROR_INVALID_DEVICE);
  if (size <= 0) return leave(ERROR_INVALID_VALUE);
  snprintf(name, (size_t)size, "Software card");
  return leave(0);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice which) {
  ENTER(NEEDS_INIT);
  if (!is_device(which)) return leave(ERROR_INVALID_DEVICE);
  *bytes = card.memory;
  return leave(0);
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice which) {
  static const struct {
    int attribute, value;
  } values[] = {{1, THREADS_BLOCK},
                {2, THREADS_BLOCK},
                {3, THREADS_BLOCK},
                {4, 64},
                {5, INT32_MAX},
                {6, 65535},
                {7, 65535},
                {8, SHARED_PLAIN},
                {9, MODULE_CONSTANTS},
                {10, 32},
                {12, REGISTERS},
                {13, 1000000},
                {16, MULTIPROCESSORS},
                {17, 0},
                {20, 0},
                {31, 1},
                {36, 1000000},
                {37, 256},
                {38, 4 << 20},
                {39, THREADS_PROCESSOR},
                {40, 2},
                {41, 1},
                {75, 9},
                {76, 0},
                {81, SHARED_PROCESSOR},
                {82, REGISTERS},
                {97, SHARED_MOST},
                {106, BLOCKS_PROCESSOR},
                {111, SHARED_RESERVED}};
  ENTER(NEEDS_INIT);
  if (!is_device(which)) return leave(ERROR_INVALID_DEVICE);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (values[i].attribute == attribute) {
      *value = values[i].value;
      return leave(0);
    }
  return leave(ERROR_INVALID_VALUE);
}

/* ---- contexts ---- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice which) {
  ENTER(NEEDS_INIT);
  if (!is_device(which)) return leave(ERROR_INVALID_DEVICE);
  CUcontext own = &card.contexts[which];
  if (!own->users++) {
    own->machine = machine_new(GLOBAL_START + ((uint64_t)which << 40));
    own->broken = 0;
  }
  *context = own;
  return leave(0);
}

static void delete_module(CUmodule module) {
  for (CUmodule *at = &card.modules; *at; at = &(*at)->next)
    if (*at == module) {
      *at = module->next;
      break;
    }
  machine_unload(module->context->machine, module->module);
  memory_delete(module->functions);
  memory_delete(module);
}

/* What belongs to the context goes with it. */
static void end_context(CUcontext context) {
  size_t number = (size_t)(context - card.contexts);
  for (CUstream s = card.streams, next; s; s = next) {
    next = s->next;
    if (s->context == context) end_stream(s);
  }
  card.defaults[number] = NULL;
  for (CUmodule m = card.modules, next; m; m = next) {
    next = m->next;
    if (m->context == context) delete_module(m);
  }
  machine_delete(context->machine);
  context->machine = NULL;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice which) {
  ENTER(NEEDS_INIT);
  if (!is_device(which)) return leave(ERROR_INVALID_DEVICE);
  CUcontext own = &card.contexts[which];
  if (!own->users) return leave(ERROR_INVALID_CONTEXT);
  if (--own->users == 0) end_context(own);
  return leave(0);
}

CUresult cuCtxSetCurrent(CUcontext context) {
  ENTER(NEEDS_INIT);
  if (context && !context->users) return leave(ERROR_INVALID_CONTEXT);
  current = context;
  return leave(0);
}

/* There is one context; another one is the same. */
CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice which) {
  (void)flags;
  CUresult result = cuDevicePrimaryCtxRetain(context, which);
  return result ? result : cuCtxSetCurrent(*context);
}

CUresult cuCtxDestroy(CUcontext context) {
  CUresult result =
      cuDevicePrimaryCtxRelease((CUdevice)(context - card.contexts));
  current = NULL;
  return result;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  ENTER(NEEDS_INIT);
  *context = current;
  return leave(0);
}

/* ---- modules ---- */

typedef struct Options {
  char *log;
  size_t log_size;
  uint32_t log_place; /* where its length is told; UINT32_MAX: nowhere */
  int registers;
} Options;

static bool read_options(unsigned count, const int *names, void **values,
                         Options *options) {
  *options = (Options){.log_place = UINT32_MAX};
  for (unsigned i = 0; i < count; i++) {
    size_t number = (size_t)values[i];
    switch (names[i]) {
    case DRIVER_JIT_MAX_REGISTERS: options->registers = (int)number; break;
    case DRIVER_JIT_ERROR_LOG: options->log = values[i]; break;
    case DRIVER_JIT_ERROR_LOG_SIZE:
      options->log_size = (unsigned)number;
      options->log_place = i;
      break;
    case DRIVER_JIT_OPTIMISATION:
      if ((unsigned)number > 4) return false;
      break;
    default:
      if (names[i] < 0 || names[i] > 30) return false;
      break;
    }
  }
  return true;
}

static void write_log(const Options *options, const Text *why, void **values) {
  if (!options->log || !options->log_size) return;
  int length = snprintf(options->log, options->log_size,
                        "ptxas application ptx input, %s", text_string(why));
  size_t written = (size_t)length < options->log_size ? (size_t)length
                                                      : options->log_size - 1;
  if (options->log_place != UINT32_MAX)
    values[options->log_place] = (void *)(written + 1);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned options, const int *names, void **values) {
  Options own;
  Text why = {0};
  ENTER(NEEDS_CONTEXT);
  if (!image || !read_options(options, names, values, &own))
    return leave(ERROR_INVALID_VALUE);
  take_time(card.compile);
  pthread_mutex_lock(&device);
  Module *code = machine_load(current->machine, image, &why);
  pthread_mutex_unlock(&device);
  if (!code) {
    say(text_string(&why));
    write_log(&own, &why, values);
    text_free(&why);
    return leave(ERROR_INVALID_PTX);
  }
  CUmodule made = memory_new(sizeof *made);
  *made = (struct CUmod_st){.context = current,
                            .module = code,
                            .most_registers = own.registers,
                            .next = card.modules};
  made->functions =
      memory_new((code->functions.count + 1) * sizeof *made->functions);
  for (uint32_t i = 0; i < code->functions.count; i++)
    made->functions[i] =
        (struct CUfunc_st){.owner = made,
                           .entry = &code->functions.data[i],
                           .dynamic = SHARED_PLAIN - (int)code->shared};
  card.modules = *module = made;
  return leave(0);
}

/* What is linked is one text, which stays as it is. */
struct CUlinkState_st {
  Text text;
};

CUresult cuLinkCreate(unsigned options, const int *names, void **values,
                      CUlinkState *state) {
  (void)options, (void)names, (void)values;
  ENTER(NEEDS_CONTEXT);
  *state = memory_new(sizeof **state);
  return leave(0);
}

CUresult cuLinkAddData(CUlinkState state, int kind, void *data, size_t size,
                       const char *name, unsigned options, const int *names,
                       void **values) {
  (void)kind, (void)name, (void)options, (void)names, (void)values;
  ENTER(NEEDS_CONTEXT);
  text_add_bytes(&state->text, data, size);
  return leave(0);
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size) {
  ENTER(NEEDS_CONTEXT);
  take_time(card.compile);
  *image = state->text.bytes;
  *size = state->text.length;
  return leave(0);
}

CUresult cuLinkDestroy(CUlinkState state) {
  text_free(&state->text);
  memory_delete(state);
  return 0;
}

static bool is_module(CUmodule module) {
  for (CUmodule m = card.modules; m; m = m->next)
    if (m == module) return m->context == current;
  return false;
}

CUresult cuModuleUnload(CUmodule module) {
  ENTER(NEEDS_CONTEXT);
  if (!is_module(module)) return leave(ERROR_INVALID_HANDLE);
  wait_for_all(current);
  delete_module(module);
  return leave(0);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  ENTER(NEEDS_CONTEXT);
  if (!is_module(module)) return leave(ERROR_INVALID_HANDLE);
  const Function *found = module_find(module->module, name);
  if (!found) return leave(ERROR_NOT_FOUND);
  *function = &module->functions[found - module->module->functions.data];
  return leave(0);
}

/* ---- functions ---- */

static bool is_function(CUfunction function) {
  for (CUmodule m = card.modules; m; m = m->next)
    if (function >= m->functions &&
        function < m->functions + m->module->functions.count)
      return m->context == current;
  return false;
}

static int registers_of(CUfunction function) {
  int most = REGISTERS_THREAD, used = (int)function->entry->registers + 8;
  uint32_t threads = function->entry->most_threads;
  if (threads && REGISTERS / (int)threads < most)
    most = REGISTERS / (int)threads / 8 * 8;
  if (function->owner->most_registers && function->owner->most_registers < most)
    most = function->owner->most_registers;
  return used < most ? used : most;
}

static int most_threads(CUfunction function) {
  return function->entry->most_threads ? (int)function->entry->most_threads
                                       : THREADS_BLOCK;
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  ENTER(NEEDS_CONTEXT);
  if (!is_function(function)) return leave(ERROR_INVALID_HANDLE);
  const Module *module = function->owner->module;
  switch (attribute) {
  case 0: *value = most_threads(function); break;
  case 1: *value = (int)module->shared; break;
  case 2: *value = 0; break;
  case DRIVER_FUNCTION_LOCAL: *value = (int)module->local; break;
  case DRIVER_FUNCTION_REGISTERS: *value = registers_of(function); break;
  case 5:
  case 6: *value = 90; break;
  case DRIVER_FUNCTION_SHARED: *value = function->dynamic; break;
  case DRIVER_FUNCTION_CARVEOUT: *value = -1; break;
  default: return leave(ERROR_INVALID_VALUE);
  }
  return leave(0);
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  ENTER(NEEDS_CONTEXT);
  if (!is_function(function)) return leave(ERROR_INVALID_HANDLE);
  if (attribute == DRIVER_FUNCTION_CARVEOUT)
    return leave(value < -1 || value > 100 ? ERROR_INVALID_VALUE : 0);
  if (attribute != DRIVER_FUNCTION_SHARED || value < 0 ||
      value + (int)function->owner->module->shared > SHARED_MOST)
    return leave(ERROR_INVALID_VALUE);
  function->dynamic = value;
  return leave(0);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                     CUfunction function,
                                                     int threads,
                                                     size_t shared) {
  ENTER(NEEDS_CONTEXT);
  if (!is_function(function)) return leave(ERROR_INVALID_HANDLE);
  if (threads <= 0 || threads > THREADS_BLOCK)
    return leave(ERROR_INVALID_VALUE);
  int whole = (threads + 31) / 32 * 32;
  size_t own = shared + function->owner->module->shared + SHARED_RESERVED;
  int by_threads = THREADS_PROCESSOR / whole;
  int by_registers = REGISTERS / (registers_of(function) * whole);
  int by_shared = own > SHARED_PROCESSOR ? 0 : (int)(SHARED_PROCESSOR / own);
  int most = by_threads < by_registers ? by_threads : by_registers;
  if (by_shared < most) most = by_shared;
  if (threads > most_threads(function)) most = 0;
  *blocks = most < BLOCKS_PROCESSOR ? most : BLOCKS_PROCESSOR;
  return leave(0);
}

static CUresult check_launch(CUfunction function, unsigned blocks,
                             unsigned threads, unsigned shared) {
  if (!blocks || blocks > INT32_MAX || !threads || threads > THREADS_BLOCK ||
      (int)threads > most_threads(function)) {
    say("a launch with a strange number of blocks or threads");
    return ERROR_INVALID_VALUE;
  }
  if (shared > INT32_MAX || (int)shared > function->dynamic) {
    say("a launch with more shared memory than the function may have");
    return ERROR_INVALID_VALUE;
  }
  if (registers_of(function) * (int)((threads + 31) / 32 * 32) > REGISTERS) {
    say("a launch with more registers than there are");
    return ERROR_OUT_OF_RESOURCES;
  }
  return 0;
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z,
                        unsigned threads_x, unsigned threads_y,
                        unsigned threads_z, unsigned shared, CUstream handle,
                        void **parameters, void **extra) {
  ENTER(NEEDS_CONTEXT);
  if (!is_function(function)) return leave(ERROR_INVALID_HANDLE);
  CUstream stream = find_stream(handle);
  if (!stream) return leave(ERROR_INVALID_HANDLE);
  const Function *entry = function->entry;
  if (extra || y != 1 || z != 1 || threads_y != 1 || threads_z != 1 ||
      (!parameters && entry->parameter_count)) {
    say("a launch of a kind that this card does not know");
    return leave(ERROR_INVALID_VALUE);
  }
  CUresult wrong = check_launch(function, x, threads_x, shared);
  if (wrong) return leave(wrong);
  if (++card.launches == card.refuse) return leave(ERROR_OUT_OF_RESOURCES);
  const Module *module = function->owner->module;
  Task *task = memory_new(sizeof *task);
  task->kind = TASK_LAUNCH;
  task->number = (uint32_t)card.launches;
  task->copy = memory_new(entry->parameter_bytes + 1);
  for (uint32_t i = 0; i < entry->parameter_count; i++) {
    const Parameter *parameter =
        &module->parameters.data[entry->parameter_first + i];
    memcpy(task->copy + parameter->offset, parameters[i], parameter->size);
  }
  task->launch = (Launch){.module = module,
                          .entry = entry,
                          .blocks = x,
                          .threads = threads_x,
                          .shared = shared,
                          .ignore_races = !card.races,
                          .most_steps = card.steps};
  return leave(give(stream, task));
}

/* ---- memory ---- */

CUresult cuMemAlloc(CUdeviceptr *memory, size_t size) {
  ENTER(NEEDS_CONTEXT);
  if (!size) return leave(ERROR_INVALID_VALUE);
  pthread_mutex_lock(&device);
  bool enough = size <= card.memory &&
                machine_used(current->machine) <= card.memory - size;
  if (enough) *memory = machine_allocate(current->machine, size);
  pthread_mutex_unlock(&device);
  return leave(enough ? 0 : ERROR_OUT_OF_MEMORY);
}

CUresult cuMemFree(CUdeviceptr memory) {
  ENTER(NEEDS_CONTEXT);
  if (!memory) return leave(0);
  wait_for_all(current);
  pthread_mutex_lock(&device);
  bool found = machine_release(current->machine, memory);
  pthread_mutex_unlock(&device);
  return leave(found ? 0 : ERROR_INVALID_VALUE);
}

CUresult cuMemGetInfo(size_t *left, size_t *total) {
  ENTER(NEEDS_CONTEXT);
  pthread_mutex_lock(&device);
  size_t used = machine_used(current->machine);
  pthread_mutex_unlock(&device);
  *total = card.memory;
  *left = card.memory - used;
  return leave(0);
}

CUresult cuMemHostAlloc(void **memory, size_t size, unsigned flags) {
  ENTER(NEEDS_CONTEXT);
  if (!size || flags > 7) return leave(ERROR_INVALID_VALUE);
  Pinned pinned = {memory_new_aligned(size), size};
  memset(pinned.memory, 0xcd, size);
  vector_push(&card.pinned, pinned);
  *memory = pinned.memory;
  return leave(0);
}

CUresult cuMemFreeHost(void *memory) {
  ENTER(NEEDS_CONTEXT);
  for (uint32_t i = 0; i < card.pinned.count; i++)
    if (card.pinned.data[i].memory == memory) {
      wait_for_all(current);
      memory_delete(memory);
      card.pinned.data[i] = vector_last(&card.pinned);
      card.pinned.count--;
      return leave(0);
    }
  return leave(ERROR_INVALID_VALUE);
}

static bool is_pinned(const void *memory) {
  const char *at = memory;
  for (uint32_t i = 0; i < card.pinned.count; i++) {
    const Pinned *pinned = &card.pinned.data[i];
    if (at >= pinned->memory && at < pinned->memory + pinned->size) return true;
  }
  return false;
}

/* Refuses at once what is not allocated, as the driver does. */
static bool is_allocated(CUdeviceptr address, size_t size) {
  pthread_mutex_lock(&device);
  bool found = machine_memory(current->machine, address, size);
  pthread_mutex_unlock(&device);
  return found;
}

static CUresult give_copy(TaskKind kind, CUdeviceptr address, const void *host,
                          unsigned char byte, size_t size, CUstream handle) {
  CUstream stream = find_stream(handle);
  if (!stream) return ERROR_INVALID_HANDLE;
  if (!size) return 0;
  if (!card.late && !is_allocated(address, size)) {
    say("a copy from or to memory that is not allocated");
    return ERROR_INVALID_VALUE;
  }
  Task *task = memory_new(sizeof *task);
  *task = (Task){.kind = kind,
                 .address = address,
                 .host = (void *)(uintptr_t)host,
                 .byte = byte,
                 .size = size};
  bool pinned = kind == TASK_SET || is_pinned(host);
  if (kind == TASK_UP && !pinned) {
    task->copy = memory_new(size);
    memcpy(task->copy, host, size);
  }
  CUresult result = give(stream, task);
  if (kind == TASK_DOWN && !pinned && !result) wait_for(stream);
  return result;
}

CUresult cuMemsetD8Async(CUdeviceptr memory, unsigned char byte, size_t size,
                         CUstream stream) {
  ENTER(NEEDS_CONTEXT);
  return leave(give_copy(TASK_SET, memory, NULL, byte, size, stream));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size,
                           CUstream stream) {
  ENTER(NEEDS_CONTEXT);
  return leave(give_copy(TASK_UP, to, from, 0, size, stream));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size,
                           CUstream stream) {
  ENTER(NEEDS_CONTEXT);
  return leave(give_copy(TASK_DOWN, from, to, 0, size, stream));
}

/* ---- streams ---- */

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  ENTER(NEEDS_CONTEXT);
  if (flags > 1) return leave(ERROR_INVALID_VALUE);
  *stream = new_stream(current);
  return leave(0);
}

/* The work that it has is finished first: a stream that hangs goes at once. */
CUresult cuStreamDestroy(CUstream handle) {
  ENTER(NEEDS_CONTEXT);
  CUstream stream = handle ? find_stream(handle) : NULL;
  if (!stream) return leave(ERROR_INVALID_HANDLE);
  while (stream->first && !stream->hangs) pthread_cond_wait(&change, &lock);
  end_stream(stream);
  return leave(0);
}

CUresult cuStreamQuery(CUstream handle) {
  ENTER(NEEDS_CONTEXT);
  CUstream stream = find_stream(handle);
  if (!stream) return leave(ERROR_INVALID_HANDLE);
  return leave(busy(stream) ? ERROR_NOT_READY : current->broken);
}

CUresult cuStreamSynchronize(CUstream handle) {
  ENTER(NEEDS_CONTEXT);
  CUstream stream = find_stream(handle);
  if (!stream) return leave(ERROR_INVALID_HANDLE);
  wait_for(stream);
  return leave(current->broken);
}

/* ---- events ---- */

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  ENTER(NEEDS_CONTEXT);
  if (flags > 7) return leave(ERROR_INVALID_VALUE);
  CUevent made = memory_new(sizeof *made);
  made->next = card.events;
  card.events = *event = made;
  return leave(0);
}

static bool is_event(CUevent event) {
  for (CUevent e = card.events; e; e = e->next)
    if (e == event) return true;
  return false;
}

CUresult cuEventDestroy(CUevent event) {
  ENTER(NEEDS_CONTEXT);
  for (CUevent *at = &card.events; *at; at = &(*at)->next)
    if (*at == event) {
      while (event->done < event->recorded) {
        bool hangs = false;
        for (CUstream s = card.streams; s; s = s->next) hangs |= s->hangs;
        if (hangs) return leave(0); /* what hangs may still name it */
        pthread_cond_wait(&change, &lock);
      }
      *at = event->next;
      memory_delete(event);
      return leave(0);
    }
  return leave(ERROR_INVALID_HANDLE);
}

CUresult cuEventRecord(CUevent event, CUstream handle) {
  ENTER(NEEDS_CONTEXT);
  CUstream stream = find_stream(handle);
  if (!stream || !is_event(event)) return leave(ERROR_INVALID_HANDLE);
  Task *task = memory_new(sizeof *task);
  *task =
      (Task){.kind = TASK_EVENT, .event = event, .record = ++event->recorded};
  return leave(give(stream, task));
}

CUresult cuEventQuery(CUevent event) {
  ENTER(NEEDS_CONTEXT);
  if (!is_event(event)) return leave(ERROR_INVALID_HANDLE);
  return leave(event->done < event->recorded ? ERROR_NOT_READY : 0);
}

CUresult cuEventSynchronize(CUevent event) {
  ENTER(NEEDS_CONTEXT);
  if (!is_event(event)) return leave(ERROR_INVALID_HANDLE);
  while (event->done < event->recorded) pthread_cond_wait(&change, &lock);
  return leave(current->broken);
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  ENTER(NEEDS_CONTEXT);
  if (!is_event(start) || !is_event(end) || !start->recorded || !end->recorded)
    return leave(ERROR_INVALID_HANDLE);
  if (start->done < start->recorded || end->done < end->recorded)
    return leave(ERROR_NOT_READY);
  *milliseconds = (float)(1e3 * (end->time - start->time));
  return leave(0);
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event, unsigned flags) {
  ENTER(NEEDS_CONTEXT);
  CUstream stream = find_stream(handle);
  if (!stream || !is_event(event)) return leave(ERROR_INVALID_HANDLE);
  if (flags) return leave(ERROR_INVALID_VALUE);
  Task *task = memory_new(sizeof *task);
  *task = (Task){.kind = TASK_WAIT, .event = event, .record = event->recorded};
  return leave(give(stream, task));
}

/* ---- for programs that are linked with it ---- */

void machine_card_driver(Driver *driver) {
  *driver = (Driver){0};
#define FUNCTION(name, symbol, parameters) driver->name = name;
  DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION
}

static void forget_all(void) {
  for (int i = 0; i < CARDS_MOST; i++)
    if (card.contexts[i].users) {
      card.contexts[i].users = 0;
      end_context(&card.contexts[i]);
    }
  for (uint32_t i = 0; i < card.pinned.count; i++)
    memory_delete(card.pinned.data[i].memory);
  vector_free(&card.pinned);
  while (card.events) {
    CUevent next = card.events->next;
    memory_delete(card.events);
    card.events = next;
  }
  text_free(&card.message);
  memset(&card, 0, sizeof card);
  current = NULL;
}

void machine_card_reset(void) {
  pthread_mutex_lock(&lock);
  forget_all();
  read_environment();
  pthread_mutex_unlock(&lock);
}

/* What a program leaves when it closes the library after a failure; unless
   threads may still be at work. */
__attribute__((destructor)) static void close_library(void) {
  if (pthread_mutex_trylock(&lock)) return; /* somebody calls */
  if (!pthread_mutex_trylock(&device)) {    /* no kernel runs */
    if (!card.late && !card.hang && !card.stuck && card.compile <= 0)
      forget_all();
    pthread_mutex_unlock(&device);
  }
  pthread_mutex_unlock(&lock);
}

const char *machine_card_message(void) {
  return text_string(&card.message);
}

uint64_t machine_card_instructions(void) {
  uint64_t sum = 0;
  for (int i = 0; i < CARDS_MOST; i++)
    if (card.contexts[i].machine)
      sum += machine_instructions(card.contexts[i].machine);
  return sum;
}
