#include "gpu/driver.h"

#include <dlfcn.h>

typedef struct Symbol {
  const char *name;
  size_t place; /* in Driver */
} Symbol;

static const Symbol symbols[] = {
#define FUNCTION(name, symbol, parameters) {symbol, offsetof(Driver, name)},
    DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

bool driver_open(Driver *driver, Text *why) {
  *driver = (Driver){.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)};
  if (!driver->library) {
    for (int i = 0; i < 2; i++)
      dlerror(); /* the second call frees its memory */
    text_add(why, "there is no NVIDIA driver (libcuda.so.1) on this machine");
    return false;
  }
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    void *found = dlsym(driver->library, symbols[i].name);
    if (!found) {
      text_format(why, "the NVIDIA driver is too old: it has no %s",
                  symbols[i].name);
      driver_close(driver);
      return false;
    }
    memcpy((char *)driver + symbols[i].place, &found, sizeof found);
  }
  return true;
}

void driver_close(Driver *driver) {
  if (driver->library) dlclose(driver->library);
  driver->library = NULL;
}

const char *driver_error(const Driver *driver, CUresult result) {
  const char *text = NULL;
  driver->cuGetErrorString(result, &text);
  return text ? text : "unknown error";
}
