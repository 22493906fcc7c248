#include "gpu/warp_write.h"

#include <stdio.h>

#define LINES(...) text_format(text, __VA_ARGS__)

void warp_write_number(bool warps, Text *text) {
  LINES("\tmov.u32 s0, %%ntid.x;\n\tmov.u32 s1, %%ctaid.x;\n"
        "\tmov.u32 stride, %%nctaid.x;\n\tmov.u32 s2, tid;\n");
  if (warps) LINES("\tshr.u32 s0, s0, 5;\n\tshr.u32 s2, s2, 5;\n");
  LINES("\tmad.lo.u32 i, s1, s0, s2;\n\tmul.lo.u32 stride, stride, s0;\n");
}

void warp_write_item(const char *to, const char *array, const char *item,
                     uint32_t size, Text *text) {
  LINES("\tmul.wide.u32 %s, %s, %u;\n\tadd.u64 %s, %s, %s;\n", to, item, size,
        to, to, array);
}

void warp_write_words(const char *label, const char *role, uint32_t words,
                      Text *text) {
  LINES("\tmov.u32 at, lane;\n"
        "%s:\n\tsub.u32 s1, at, lane;\n\tsetp.ge.u32 p, s1, %u;\n"
        "\t@p bra %sed;\n\tmov.u32 s0, 0;\n\tsetp.lt.u32 p, at, %u;\n"
        "\tmad.lo.u32 s1, %s, %u, at;\n\tmul.wide.u32 d0, s1, 4;\n"
        "\tadd.u64 d0, d0, d_masks;\n\tmul.wide.u32 d1, at, 4;\n"
        "\tadd.u64 d1, d1, row;\n\t@p ld.global.u32 s0, [d1];\n"
        "\tmov.u32 s1, 0;\n\t@p ld.global.u32 s1, [d0];\n"
        "\tand.b32 s0, s0, s1;\n",
        label, 2 * words, label, 2 * words, role, 2 * words);
}

void warp_write_words_end(const char *label, Text *text) {
  LINES("\tadd.u32 at, at, 32;\n\tbra %s;\n%sed:\n"
        "\tbar.warp.sync 0xffffffff;\n",
        label, label);
}

void warp_write_role(uint32_t role, uint32_t words, Text *text) {
  char label[24], number[12];
  snprintf(label, sizeof label, "look%u", role);
  snprintf(number, sizeof number, "%u", role);
  LINES("\tmov.u32 count, 0;\n\tmov.u32 first%u, -1;\n\tmov.u32 s2, %u;\n",
        role, role);
  warp_write_words(label, "s2", words, text);
  LINES("\tpopc.b32 s1, s0;\n\tadd.u32 count, count, s1;\n"
        "\tbrev.b32 s1, s0;\n\tclz.b32 s1, s1;\n\tmad.lo.u32 s1, at, 32, s1;\n"
        "\tsetp.ne.u32 p, s0, 0;\n\t@p min.u32 first%u, first%u, s1;\n",
        role, role);
  warp_write_words_end(label, text);
  LINES("\tredux.sync.add.u32 count, count, 0xffffffff;\n"
        "\tredux.sync.min.u32 first%u, first%u, 0xffffffff;\n"
        "\tsetp.eq.u32 p, count, 0;\n\t@p mov.u32 over, 1;\n"
        "\t@p mov.u32 stuck, 1;\n\t@p mov.u32 first%u, 0;\n"
        "\tsetp.gt.u32 p, count, 1;\n\t@p add.u32 choosers, choosers, 1;\n"
        "\tsetp.gt.u32 p, count, n;\n\t@p mov.u32 n, count;\n"
        "\t@p mov.u32 mover, %s;\n",
        role, role, role, number);
}

void warp_write_rank(Text *text) {
  LINES("\tpopc.b32 count, s0;\n\tmov.u32 sum, count;\n");
  for (uint32_t by = 1; by < 32; by *= 2)
    LINES("\tshfl.sync.up.b32 s1, sum, %u, 0, 0xffffffff;\n"
          "\tsetp.ge.u32 p, lane, %u;\n\t@p add.u32 sum, sum, s1;\n",
          by, by);
  LINES("\tadd.u32 slots, base, sum;\n\tsub.u32 slots, slots, count;\n"
        "\tshfl.sync.idx.b32 s1, sum, 31, 31, 0xffffffff;\n"
        "\tadd.u32 base, base, s1;\n");
}
