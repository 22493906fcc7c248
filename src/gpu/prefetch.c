#include "gpu/prefetch.h"

#include "base/memory.h"
#include "base/trial.h"

static const char load_word[] = "\tld.local.b32 ";

/* A load's line and the address in it. */
typedef struct Load {
  size_t line, address, length;
} Load;

typedef VECTOR(Load) LoadVector;

static void list_loads(const char *code, size_t from, size_t end,
                       LoadVector *loads) {
  for (size_t line = from; line < end;) {
    const char *start = code + line;
    const char *stop = memchr(start, '\n', end - line);
    size_t length = (size_t)(stop - start) + 1;
    if (strncmp(start, load_word, sizeof load_word - 1) == 0) {
      const char *left = memchr(start, '[', length);
      const char *right = memchr(left, ']', length - (size_t)(left - start));
      vector_push(loads, ((Load){line, (size_t)(left - code),
                                 (size_t)(right - left) + 1}));
    }
    line += length;
  }
}

void prefetch_add(Ptx *ptx, size_t from, uint32_t loads) {
  Text code = ptx->body;
  LoadVector list = {0};
  uint32_t done = 0;
  size_t copied = 0;
  if (!loads) return;
  list_loads(code.bytes, from, code.length, &list);
  ptx->body = (Text){0};
  for (uint32_t i = 0; i < list.count; i++) {
    size_t line = list.data[i].line;
    trial_check();
    text_add_bytes(&ptx->body, code.bytes + copied, line - copied);
    copied = line;
    if (done <= i) done = i + 1;
    for (uint32_t k = 0; k < 2 && done < list.count && done <= i + loads; k++) {
      const Load *load = &list.data[done++];
      text_format(&ptx->body, "\tprefetch.local.L2 %.*s;\n", (int)load->length,
                  code.bytes + load->address);
    }
  }
  text_add_bytes(&ptx->body, code.bytes + copied, code.length - copied);
  text_free(&code);
  vector_free(&list);
}
