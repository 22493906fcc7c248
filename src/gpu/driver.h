/* The driver of NVIDIA cards, opened at run time: nothing of it is needed to
   build the program, and a machine without a card has none. Names, types and
   numbers are those of its documented interface. */
#ifndef TAFL_GPU_DRIVER_H
#define TAFL_GPU_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef int CUresult; /* 0: fine */
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUlinkState_st *CUlinkState;

#define DRIVER_FUNCTIONS(FUNCTION) \
  FUNCTION(cuInit, "cuInit", (unsigned flags)) \
  FUNCTION(cuDriverGetVersion, "cuDriverGetVersion", (int *version)) \
  FUNCTION(cuGetErrorString, "cuGetErrorString", \
           (CUresult error, const char **text)) \
  FUNCTION(cuDeviceGetCount, "cuDeviceGetCount", (int *count)) \
  FUNCTION(cuDeviceGet, "cuDeviceGet", (CUdevice * device, int number)) \
  FUNCTION(cuDeviceGetName, "cuDeviceGetName", \
           (char *name, int size, CUdevice device)) \
  FUNCTION(cuDeviceTotalMem, "cuDeviceTotalMem_v2", \
           (size_t * bytes, CUdevice device)) \
  FUNCTION(cuDeviceGetAttribute, "cuDeviceGetAttribute", \
           (int *value, int attribute, CUdevice device)) \
  FUNCTION(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", \
           (CUcontext * context, CUdevice device)) \
  FUNCTION(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", \
           (CUdevice device)) \
  FUNCTION(cuCtxCreate, "cuCtxCreate_v2", \
           (CUcontext * context, unsigned flags, CUdevice device)) \
  FUNCTION(cuCtxDestroy, "cuCtxDestroy_v2", (CUcontext context)) \
  FUNCTION( \
      cuLinkCreate, "cuLinkCreate_v2", \
      (unsigned options, const int *names, void **values, CUlinkState *state)) \
  FUNCTION(cuLinkAddData, "cuLinkAddData_v2", \
           (CUlinkState state, int kind, void *data, size_t size, \
            const char *name, unsigned options, const int *names, \
            void **values)) \
  FUNCTION(cuLinkComplete, "cuLinkComplete", \
           (CUlinkState state, void **image, size_t *size)) \
  FUNCTION(cuLinkDestroy, "cuLinkDestroy", (CUlinkState state)) \
  FUNCTION(cuCtxSetCurrent, "cuCtxSetCurrent", (CUcontext context)) \
  FUNCTION(cuModuleLoadDataEx, "cuModuleLoadDataEx", \
           (CUmodule * module, const void *image, unsigned options, \
            const int *names, void **values)) \
  FUNCTION(cuModuleUnload, "cuModuleUnload", (CUmodule module)) \
  FUNCTION(cuModuleGetFunction, "cuModuleGetFunction", \
           (CUfunction * function, CUmodule module, const char *name)) \
  FUNCTION(cuFuncGetAttribute, "cuFuncGetAttribute", \
           (int *value, int attribute, CUfunction function)) \
  FUNCTION(cuFuncSetAttribute, "cuFuncSetAttribute", \
           (CUfunction function, int attribute, int value)) \
  FUNCTION(cuOccupancyMaxActiveBlocksPerMultiprocessor, \
           "cuOccupancyMaxActiveBlocksPerMultiprocessor", \
           (int *blocks, CUfunction function, int threads, size_t shared)) \
  FUNCTION(cuLaunchKernel, "cuLaunchKernel", \
           (CUfunction function, unsigned x, unsigned y, unsigned z, \
            unsigned threads_x, unsigned threads_y, unsigned threads_z, \
            unsigned shared, CUstream stream, void **parameters, \
            void **extra)) \
  FUNCTION(cuMemAlloc, "cuMemAlloc_v2", (CUdeviceptr * memory, size_t size)) \
  FUNCTION(cuMemFree, "cuMemFree_v2", (CUdeviceptr memory)) \
  FUNCTION(cuMemHostAlloc, "cuMemHostAlloc", \
           (void **memory, size_t size, unsigned flags)) \
  FUNCTION(cuMemFreeHost, "cuMemFreeHost", (void *memory)) \
  FUNCTION( \
      cuMemsetD8Async, "cuMemsetD8Async", \
      (CUdeviceptr memory, unsigned char byte, size_t size, CUstream stream)) \
  FUNCTION(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", \
           (CUdeviceptr to, const void *from, size_t size, CUstream stream)) \
  FUNCTION(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", \
           (void *to, CUdeviceptr from, size_t size, CUstream stream)) \
  FUNCTION(cuStreamCreate, "cuStreamCreate", \
           (CUstream * stream, unsigned flags)) \
  FUNCTION(cuStreamDestroy, "cuStreamDestroy_v2", (CUstream stream)) \
  FUNCTION(cuStreamQuery, "cuStreamQuery", (CUstream stream)) \
  FUNCTION(cuStreamSynchronize, "cuStreamSynchronize", (CUstream stream)) \
  FUNCTION(cuMemGetInfo, "cuMemGetInfo_v2", (size_t * free, size_t * total))

typedef struct Driver {
  void *library;
#define FUNCTION(name, symbol, parameters) CUresult(*name) parameters;
  DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION
} Driver;

enum {
  DRIVER_NOT_READY = 600, /* a result */
  DRIVER_JIT_MAX_REGISTERS = 0,
  DRIVER_JIT_ERROR_LOG = 5,
  DRIVER_JIT_ERROR_LOG_SIZE = 6,
  DRIVER_JIT_OPTIMISATION = 7,
  DRIVER_INPUT_PTX = 1,         /* a kind of data to link */
  DRIVER_SHARED_PER_BLOCK = 97, /* attributes of a device */
  DRIVER_MULTIPROCESSORS = 16,
  DRIVER_CLOCK_KHZ = 13,
  DRIVER_MAJOR = 75,
  DRIVER_MINOR = 76,
  DRIVER_FUNCTION_LOCAL = 3, /* attributes of a function */
  DRIVER_FUNCTION_REGISTERS = 4,
  DRIVER_FUNCTION_SHARED = 8,
  DRIVER_FUNCTION_CARVEOUT = 9
};

/* Opens the library. Returns false, with a sentence in `why`, if there is none
   or it lacks something. */
bool driver_open(Driver *driver, Text *why);
void driver_close(Driver *driver);
/* Returns what a result means. */
const char *driver_error(const Driver *driver, CUresult result);

#endif
