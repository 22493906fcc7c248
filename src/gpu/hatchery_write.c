#include "gpu/hatchery_write.h"

#include <stddef.h>

#include "gpu/hatchery.h"
#include "gpu/warp_write.h"

#define NODE(field) ((uint32_t)offsetof(HatchNode, field))
#define CHILD(field) ((uint32_t)offsetof(HatchChild, field))
#define COUNT(field) ((uint32_t)offsetof(HatcheryCounts, field))
#define LINES(...) text_format(text, __VA_ARGS__)

static void write_head(const char *name, Text *text) {
  const char *comma = "";
  LINES(".visible .entry %s(", name);
#define PARAMETER(type, name) \
  LINES("%s.param ." type " p_" #name, comma), comma = ", ";
#define POINTER(name) PARAMETER("u64", name)
#define NUMBER(name) PARAMETER("u32", name)
  HATCHERY_PARAMETERS(POINTER, NUMBER)
#undef POINTER
#undef NUMBER
#undef PARAMETER
  LINES(")\n.maxntid %u, 1, 1\n{\n", HATCHERY_THREADS);
#define POINTER(name) \
  LINES("\t.reg .u64 d_" #name ";\n\tld.param.u64 d_" #name ", [p_" #name \
        "];\n");
#define NUMBER(name) \
  LINES("\t.reg .u32 n_" #name ";\n\tld.param.u32 n_" #name ", [p_" #name \
        "];\n");
  HATCHERY_PARAMETERS(POINTER, NUMBER)
#undef POINTER
#undef NUMBER
  LINES("\t.reg .b32 tid, lane, i, stride, s0, s1, s2;\n"
        "\t.reg .b64 d0, d1;\n\t.reg .pred p, q;\n"
        "\tmov.u32 tid, %%tid.x;\n\tand.b32 lane, tid, 31;\n");
}

/* ---- list ---- */

/* Goes on at `skip` if the node is not listed; it has no children then. */
static void write_whether(Text *text) {
  warp_write_item("node", "d_nodes", "i", sizeof(HatchNode), text);
  LINES("\tmov.u32 s0, 0;\n\tsetp.eq.u32 q, lane, 0;\n"
        "\t@q st.global.u32 [node+%u], s0;\n"
        "\tsetp.eq.u64 p, d_over, 0;\n\t@p bra open;\n"
        "\tcvt.u64.u32 d0, i;\n\tadd.u64 d0, d0, d_over;\n"
        "\tld.global.u8 s0, [d0];\n\tsetp.ne.u32 p, s0, 0;\n\t@p bra skip;\n"
        "open:\n\tsetp.eq.u64 p, d_marks, 0;\n\t@p bra marked;\n",
        NODE(kind));
  warp_write_item("d0", "d_marks", "i", 4, text);
  LINES("\tld.global.u32 s0, [d0];\n\tsetp.eq.u32 p, s0, 0;\n\t@p bra skip;\n"
        "marked:\n");
}

/* Leaves of the thread's word, s0, the moves that attack, if those alone are
   wanted. */
static void write_filter(const char *label, Text *text) {
  LINES(
      "\tsetp.eq.u64 p, d_attacks, 0;\n\t@p bra %sall;\n"
      "\tmov.u32 s1, s0;\n\tmov.u32 s0, 0;\n"
      "%seach:\n\tsetp.eq.u32 p, s1, 0;\n\t@p bra %sall;\n"
      "\tsub.u32 s2, s1, 1;\n\tand.b32 s2, s1, s2;\n"
      "\txor.b32 one, s1, s2;\n\tmov.u32 s1, s2;\n"
      "\tbrev.b32 s2, one;\n\tclz.b32 s2, s2;\n\tmad.lo.u32 s2, at, 32, s2;\n",
      label, label, label);
  warp_write_item("d0", "d_attacks", "s2", 2 * HATCH_TARGETS, text);
  LINES("\tmov.u32 s2, 0;\n"
        "%starget:\n\tld.global.u16 target, [d0];\n"
        "\tsetp.eq.u32 p, target, %u;\n\t@p bra %seach;\n"
        "\tshr.u32 sum, target, 5;\n\tmul.wide.u32 d1, sum, 4;\n"
        "\tadd.u64 d1, d1, state;\n\tld.global.u32 sum, [d1];\n"
        "\tand.b32 target, target, 31;\n\tshr.u32 sum, sum, target;\n"
        "\tand.b32 sum, sum, 1;\n\tsetp.ne.u32 p, sum, 0;\n"
        "\t@p or.b32 s0, s0, one;\n\t@p bra %seach;\n"
        "\tadd.u64 d0, d0, 2;\n\tadd.u32 s2, s2, 1;\n"
        "\tsetp.lt.u32 p, s2, %u;\n\t@p bra %starget;\n\tbra %seach;\n"
        "%sall:\n\tbar.warp.sync 0xffffffff;\n",
        label, HATCH_NOTHING, label, label, HATCH_TARGETS, label, label, label);
}

/* n: how many of the mover's moves attack, if those alone are wanted. */
static void write_attacks(const HatcheryShape *shape, Text *text) {
  LINES("\tsetp.eq.u64 p, d_attacks, 0;\n\t@p bra counted;\n"
        "\tmov.u32 count, 0;\n");
  warp_write_words("attack", "mover", shape->legal_words, text);
  write_filter("first_", text);
  LINES("\tpopc.b32 s0, s0;\n\tadd.u32 count, count, s0;\n");
  warp_write_words_end("attack", text);
  LINES("\tredux.sync.add.u32 n, count, 0xffffffff;\n"
        "counted:\n\tbar.warp.sync 0xffffffff;\n");
}

/* base: the first child's number, if there is room for all. */
static void write_room(Text *text) {
  LINES("\tmov.u32 base, 0;\n\tsetp.ne.u32 q, lane, 0;\n\t@q bra taken;\n"
        "\tatom.global.add.u32 base, [d_counts+%u], n;\n"
        "\tadd.u32 s0, base, n;\n\tsetp.le.u32 p, s0, n_room;\n"
        "\t@p bra taken;\n\tred.global.min.u32 [d_counts+%u], base;\n"
        "taken:\n\tbar.warp.sync 0xffffffff;\n"
        "\tshfl.sync.idx.b32 base, base, 0, 31, 0xffffffff;\n"
        "\tadd.u32 s0, base, n;\n\tsetp.gt.u32 p, s0, n_room;\n"
        "\t@p bra skip;\n\tmov.u32 begin, base;\n",
        COUNT(asked), COUNT(beyond));
}

/* The mover's moves, in their order, each with those of the other roles. */
static void write_children(const HatcheryShape *shape, Text *text) {
  warp_write_words("list", "mover", shape->legal_words, text);
  write_filter("second_", text);
  warp_write_rank(text);
  LINES("bit:\n\tsetp.eq.u32 p, s0, 0;\n\t@p bra bits;\n"
        "\tbrev.b32 s1, s0;\n\tclz.b32 s1, s1;\n\tmad.lo.u32 s1, at, 32, s1;\n"
        "\tsub.u32 s2, s0, 1;\n\tand.b32 s0, s0, s2;\n");
  warp_write_item("d0", "d_moves", "slots", 4, text);
  LINES("\tst.global.u32 [d0], s1;\n");
  warp_write_item("d0", "d_owners", "slots", 4, text);
  LINES("\tst.global.u32 [d0], i;\n");
  warp_write_item("d0", "d_joints", "slots", 4 * shape->roles, text);
  for (uint32_t role = 0; role < shape->roles; role++)
    LINES("\tsetp.eq.u32 p, mover, %u;\n\tselp.b32 s2, s1, first%u, p;\n"
          "\tst.global.u32 [d0+%u], s2;\n",
          role, role, 4 * role);
  LINES("\tadd.u32 slots, slots, 1;\n\tbra bit;\n"
        "bits:\n\tbar.warp.sync 0xffffffff;\n");
  warp_write_words_end("list", text);
}

/* Each child has the node's state. */
static void write_states(const HatcheryShape *shape, Text *text) {
  uint32_t words = 2 * shape->row_words;
  warp_write_item("row", "d_rows", "i", 4 * words, text);
  warp_write_item("to", "d_states", "begin", 4 * words, text);
  LINES("\tmov.u32 at, lane;\n"
        "word:\n\tsetp.ge.u32 p, at, %u;\n\t@p bra copied;\n"
        "\tmul.wide.u32 d0, at, 4;\n\tadd.u64 d1, d0, row;\n"
        "\tadd.u64 d0, d0, to;\n\tld.global.u32 s0, [d1];\n\tmov.u32 s1, 0;\n"
        "copy:\n\tsetp.ge.u32 p, s1, n;\n\t@p bra all;\n"
        "\tst.global.u32 [d0], s0;\n\tadd.u64 d0, d0, %u;\n"
        "\tadd.u32 s1, s1, 1;\n\tbra copy;\n"
        "all:\n\tadd.u32 at, at, 32;\n\tbra word;\n"
        "copied:\n\tbar.warp.sync 0xffffffff;\n",
        words, 4 * words);
}

static void write_list(const HatcheryShape *shape, Text *text) {
  write_head("hatch_list", text);
  LINES("\t.reg .b32 at, count, choosers, n, mover, over, stuck, slots, base;\n"
        "\t.reg .b32 sum, begin, kind, one, target;\n"
        "\t.reg .b64 row, node, to, state;\n");
  for (uint32_t role = 0; role < shape->roles; role++)
    LINES("\t.reg .b32 first%u;\n", role);
  warp_write_number(true, text);
  LINES("next:\n\tsetp.ge.u32 p, i, n_count;\n\t@p bra finished;\n");
  write_whether(text);
  LINES("\tmov.u32 over, 0;\n\tmov.u32 stuck, 0;\n\tmov.u32 choosers, 0;\n"
        "\tmov.u32 n, 1;\n\tmov.u32 mover, 0;\n");
  warp_write_item("row", "d_legal", "i", 8 * shape->legal_words, text);
  for (uint32_t role = 0; role < shape->roles; role++)
    warp_write_role(role, shape->legal_words, text);
  LINES("\tsetp.ne.u32 p, over, 0;\n\t@p bra skip;\n"
        "\tsetp.gt.u32 p, choosers, 1;\n\t@p bra skip;\n");
  warp_write_item("state", "d_rows", "i", 8 * shape->row_words, text);
  write_attacks(shape, text);
  write_room(text);
  write_children(shape, text);
  write_states(shape, text);
  LINES("\tsetp.ne.u32 p, lane, 0;\n\t@p bra skip;\n"
        "\tadd.u32 begin, begin, n_first;\n\tsetp.eq.u32 p, choosers, 0;\n"
        "\tselp.b32 kind, %u, %u, p;\n\tsetp.ne.u64 p, d_attacks, 0;\n"
        "\t@p or.b32 kind, kind, %u;\n"
        "\tst.global.v2.u32 [node+%u], {begin, n};\n"
        "\tst.global.v2.u32 [node+%u], {mover, kind};\n"
        "skip:\n\tbar.warp.sync 0xffffffff;\n"
        "\tadd.u32 i, i, stride;\n\tbra next;\nfinished:\n\tret;\n}\n",
        HATCH_MADE | HATCH_FORCED, HATCH_MADE, HATCH_ATTACKS, NODE(first),
        NODE(mover));
}

/* ---- describe ---- */

static void write_describe(const HatcheryShape *shape, Text *text) {
  uint32_t row = 8 * shape->row_words;
  write_head("hatch_describe", text);
  LINES("\t.reg .b32 at, count, fluent, move, over;\n"
        "\t.reg .b64 from, to, child, place, x, y;\n");
  warp_write_number(false, text);
  LINES("\tsetp.ge.u32 p, i, n_count;\n\t@p bra finished;\n");
  warp_write_item("from", "d_states", "i", row, text);
  warp_write_item("to", "d_successors", "i", row, text);
  warp_write_item("child", "d_children", "i", sizeof(HatchChild), text);
  LINES(
      "\tmov.u32 at, 0;\n\tmov.u32 count, 0;\n\tmov.u64 place, child;\n"
      "word:\n\tld.global.u64 x, [from];\n\tld.global.u64 y, [to];\n"
      "\txor.b64 x, x, y;\n"
      "bit:\n\tsetp.eq.u64 p, x, 0;\n\t@p bra more;\n"
      "\tbrev.b64 y, x;\n\tclz.b64 fluent, y;\n\tadd.u32 fluent, fluent, at;\n"
      "\tsub.u64 y, x, 1;\n\tand.b64 x, x, y;\n"
      "\tsetp.lt.u32 p, count, %u;\n\t@p st.global.u16 [place+%u], fluent;\n"
      "\tadd.u64 place, place, 2;\n\tadd.u32 count, count, 1;\n\tbra bit;\n"
      "more:\n\tadd.u64 from, from, 8;\n\tadd.u64 to, to, 8;\n"
      "\tadd.u32 at, at, 64;\n\tsetp.lt.u32 p, at, %u;\n\t@p bra word;\n",
      HATCH_CHANGES, CHILD(changes), 64 * shape->row_words);
  warp_write_item("d0", "d_moves", "i", 4, text);
  LINES("\tld.global.u32 move, [d0];\n\tst.global.u16 [child+%u], move;\n"
        "\tmov.u32 over, 0;\n\tsetp.eq.u64 p, d_ends, 0;\n"
        "\tcvt.u64.u32 d0, i;\n\tadd.u64 d0, d0, d_ends;\n"
        "\t@!p ld.global.u8 over, [d0];\n\tst.global.u8 [child+%u], over;\n"
        "\tst.global.u8 [child+%u], count;\n"
        "\tsetp.le.u32 p, count, %u;\n\t@p bra finished;\n",
        CHILD(move), CHILD(over), CHILD(count), HATCH_CHANGES);
  warp_write_item("d0", "d_owners", "i", 4, text);
  LINES("\tld.global.u32 s0, [d0];\n");
  warp_write_item("d0", "d_nodes", "s0", sizeof(HatchNode), text);
  LINES("\tmov.u32 s0, 0;\n\tst.global.u32 [d0+%u], s0;\n"
        "finished:\n\tret;\n}\n",
        NODE(kind));
}

/* ---- sum ---- */

static void write_sum(const HatcheryShape *shape, Text *text) {
  write_head("hatch_sum", text);
  LINES("\t.reg .b32 at, fluent;\n\t.reg .b64 node, from, x, y, key;\n");
  warp_write_number(false, text);
  LINES("\tsetp.ge.u32 p, i, n_count;\n\t@p bra finished;\n");
  warp_write_item("node", "d_nodes", "i", sizeof(HatchNode), text);
  LINES("\tld.global.u32 s0, [node+%u];\n\tsetp.eq.u32 p, s0, 0;\n"
        "\t@p bra finished;\n",
        NODE(kind));
  warp_write_item("from", "d_rows", "i", 8 * shape->row_words, text);
  LINES(
      "\tmov.u32 at, 0;\n\tmov.u64 key, 0;\n"
      "word:\n\tld.global.u64 x, [from];\n"
      "bit:\n\tsetp.eq.u64 p, x, 0;\n\t@p bra more;\n"
      "\tbrev.b64 y, x;\n\tclz.b64 fluent, y;\n\tadd.u32 fluent, fluent, at;\n"
      "\tsub.u64 y, x, 1;\n\tand.b64 x, x, y;\n");
  warp_write_item("d0", "d_keys", "fluent", 8, text);
  LINES("\tld.global.u64 y, [d0];\n\tadd.u64 key, key, y;\n\tbra bit;\n"
        "more:\n\tadd.u64 from, from, 8;\n\tadd.u32 at, at, 64;\n"
        "\tsetp.lt.u32 p, at, %u;\n\t@p bra word;\n"
        "\tst.global.u64 [node+%u], key;\n"
        "finished:\n\tret;\n}\n",
        64 * shape->row_words, NODE(key));
}

/* ---- link ---- */

/* Nodes that are found by the child that leads to them need no key. */
static void write_link(Text *text) {
  write_head("hatch_link", text);
  LINES("\t.reg .b32 first, n, mover, kind;\n\t.reg .b64 node;\n");
  warp_write_number(false, text);
  LINES("\tsetp.ge.u32 p, i, n_count;\n\t@p bra finished;\n");
  warp_write_item("node", "d_nodes", "i", sizeof(HatchNode), text);
  warp_write_item("d0", "d_links", "i", sizeof(HatchLink), text);
  LINES("\tld.global.v2.u32 {first, n}, [node+%u];\n"
        "\tld.global.v2.u32 {mover, kind}, [node+%u];\n"
        "\tshl.b32 mover, mover, 16;\n\tshl.b32 s0, kind, 24;\n"
        "\tor.b32 n, n, mover;\n\tor.b32 n, n, s0;\n"
        "\tsetp.eq.u32 p, kind, 0;\n"
        "\t@p mov.u32 first, 0;\n\t@p mov.u32 n, 0;\n"
        "\tst.global.v2.u32 [d0], {first, n};\n"
        "finished:\n\tret;\n}\n",
        NODE(first), NODE(mover));
}

/* ---- marks ---- */

/* Adds the child of this thread to the picks, if these are wanted. */
static void write_tally(const char *child, Text *text) {
  LINES("\tsetp.eq.u64 p, d_picks, 0;\n\t@p bra tallied;\n"
        "\tatom.global.add.u32 s0, [d_tally], 1;\n");
  warp_write_item("d0", "d_picks", "s0", 4, text);
  LINES("\tst.global.u32 [d0], %s;\ntallied:\n", child);
}

/* ---- choose ---- */

/* Of the requests' children those by the move that is wanted. */
static void write_choose(Text *text) {
  write_head("hatch_choose", text);
  LINES("\t.reg .b32 wanted, move, mark;\n");
  warp_write_number(false, text);
  LINES("\tsetp.ge.u32 p, i, n_count;\n\t@p bra finished;\n");
  warp_write_item("d0", "d_owners", "i", 4, text);
  LINES("\tld.global.u32 s0, [d0];\n");
  warp_write_item("d0", "d_wanted", "s0", 4, text);
  LINES("\tld.global.u32 wanted, [d0];\n");
  warp_write_item("d0", "d_moves", "i", 4, text);
  LINES("\tld.global.u32 move, [d0];\n\tsetp.eq.u32 p, wanted, -1;\n"
        "\tsetp.eq.or.u32 p, wanted, move, p;\n\tselp.b32 mark, 1, 0, p;\n");
  warp_write_item("d0", "d_marks", "i", 4, text);
  LINES("\tst.global.u32 [d0], mark;\n"
        "\tsetp.eq.u32 p, mark, 0;\n\t@p bra finished;\n");
  write_tally("i", text);
  LINES("finished:\n\tret;\n}\n");
}

/* ---- pick ---- */

/* value: what the child's state is worth to the mover. */
static void write_value(const HatcheryShape *shape, Text *text) {
  warp_write_item("from", "d_successors", "child", 8 * shape->row_words, text);
  LINES("\tmov.u32 s0, 0;\n\tmov.f32 value, 0f00000000;\n"
        "word:\n\tld.global.u64 x, [from];\n"
        "bit:\n\tsetp.eq.u64 p, x, 0;\n\t@p bra more;\n"
        "\tbrev.b64 y, x;\n\tclz.b64 s1, y;\n\tadd.u32 s1, s1, s0;\n"
        "\tsub.u64 y, x, 1;\n\tand.b64 x, x, y;\n"
        "\tmad.lo.u32 s1, mover, %u, s1;\n",
        shape->fluents);
  warp_write_item("d0", "d_weights", "s1", 4, text);
  LINES("\tld.global.f32 f, [d0];\n\tadd.f32 value, value, f;\n\tbra bit;\n"
        "more:\n\tadd.u64 from, from, 8;\n\tadd.u32 s0, s0, 64;\n"
        "\tsetp.lt.u32 p, s0, %u;\n\t@p bra word;\n",
        64 * shape->row_words);
}

/* Each thread keeps its best child; the best of those are taken. */
static void write_pick(const HatcheryShape *shape, Text *text) {
  write_head("hatch_pick", text);
  LINES("\t.reg .b32 first, n, mover, child, at, best, key, winner, taken;\n"
        "\t.reg .b64 node, from, x, y;\n\t.reg .f32 f, value, most;\n");
  warp_write_number(true, text);
  LINES("next:\n\tsetp.ge.u32 p, i, n_count;\n\t@p bra finished;\n");
  warp_write_item("node", "d_nodes", "i", sizeof(HatchNode), text);
  LINES("\tld.global.v2.u32 {first, n}, [node+%u];\n"
        "\tld.global.v2.u32 {mover, s0}, [node+%u];\n"
        "\tsetp.eq.u32 p, s0, 0;\n\t@p mov.u32 n, 0;\n"
        "\tsub.u32 first, first, n_first;\n\tmov.f32 most, 0fFF7FFFFF;\n"
        "\tmov.u32 best, -1;\n\tmov.u32 at, lane;\n"
        "each:\n\tsetp.ge.u32 p, at, n;\n\t@p bra seen;\n"
        "\tadd.u32 child, first, at;\n",
        NODE(first), NODE(mover));
  warp_write_item("d0", "d_marks", "child", 4, text);
  LINES("\tmov.u32 s0, 0;\n\tst.global.u32 [d0], s0;\n");
  write_value(shape, text);
  LINES("\tsetp.gt.f32 p, value, most;\n\t@p mov.f32 most, value;\n"
        "\t@p mov.u32 best, child;\n\tadd.u32 at, at, 32;\n\tbra each;\n"
        "seen:\n\tbar.warp.sync 0xffffffff;\n\tmov.u32 taken, 0;\n"
        "\tmov.b32 key, most;\n\tshr.s32 s0, key, 31;\n"
        "\tor.b32 s0, s0, 0x80000000;\n\txor.b32 key, key, s0;\n"
        "\tsetp.eq.u32 p, best, -1;\n\t@p mov.u32 key, 0;\n"
        "take:\n\tsetp.ge.u32 p, taken, n_picked;\n\t@p bra done;\n"
        "\tredux.sync.max.u32 s0, key, 0xffffffff;\n"
        "\tsetp.eq.u32 p, s0, 0;\n\t@p bra done;\n"
        "\tsetp.eq.u32 p, key, s0;\n"
        "\tvote.sync.ballot.b32 s0, p, 0xffffffff;\n"
        "\tbrev.b32 s0, s0;\n\tclz.b32 winner, s0;\n"
        "\tsetp.ne.u32 p, lane, winner;\n\t@p bra others;\n"
        "\tmov.u32 key, 0;\n\tmov.u32 s0, 1;\n");
  warp_write_item("d0", "d_marks", "best", 4, text);
  LINES("\tst.global.u32 [d0], s0;\n");
  write_tally("best", text);
  LINES("others:\n\tbar.warp.sync 0xffffffff;\n"
        "\tadd.u32 taken, taken, 1;\n\tbra take;\n"
        "done:\n\tbar.warp.sync 0xffffffff;\n"
        "\tadd.u32 i, i, stride;\n\tbra next;\nfinished:\n\tret;\n}\n");
}

void hatchery_write(const HatcheryShape *shape, Text *text) {
  LINES(".version 7.8\n.target sm_80\n.address_size 64\n");
  write_list(shape, text);
  write_describe(shape, text);
  write_sum(shape, text);
  write_link(text);
  write_choose(text);
  write_pick(shape, text);
}
