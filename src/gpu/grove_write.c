/* A warp has a node in split, a leaf in attach, an action of the root in seek;
   a thread has a leaf in gather and backup. All kernels have the same
   parameters, so that one launch is like another. */
#include "gpu/grove_write.h"

#include <stddef.h>
#include <stdio.h>

#include "base/bits.h"
#include "gpu/sums.h"
#include "gpu/warp_write.h"

enum { SHARES = 64 }; /* that the descents of a node are dealt in, about */

/* Bounds of 2^125 or more belong to actions that were never chosen, in a random
   order; this one to such an action that a descent of the wave has. */
#define UNSEEN "0x7e000000"
#define PENDING "0fFF000000"
/* As keys that have the order of the floats: what is less is pending, what is
   not less is unseen. */
#define KEY_PENDING "0x01698966"
#define KEY_UNSEEN "0xfe000000"

#define HEAD(field) ((uint32_t)offsetof(GroveHead, field))
#define ACTION(field) ((uint32_t)offsetof(GroveAction, field))
#define COUNT(field) ((uint32_t)offsetof(GroveCounts, field))
#define STATE(field) ((uint32_t)offsetof(GroveState, field))
#define LINES(...) text_format(text, __VA_ARGS__)

GroveShape grove_shape(uint32_t roles, uint32_t fluents, uint32_t moves,
                       uint32_t legs) {
  GroveShape shape = {.roles = roles,
                      .row_words = (uint32_t)bits_words(fluents),
                      .legal_words = (uint32_t)bits_words(moves),
                      .legs = legs};
  shape.result_bytes =
      (uint32_t)(sizeof(GpuSums) + roles * sizeof(GpuRoleSums));
  shape.joints_at = sizeof(GroveHead);
  shape.state_at = shape.joints_at + (4 * roles + 7) / 8 * 8;
  shape.actions_at = shape.state_at + 8 * shape.row_words;
  return shape;
}

/* ---- parts of all kernels ---- */

static void write_parameters(Text *text) {
  const char *comma = "";
#define PARAMETER(type, name) \
  LINES("%s.param ." type " p_" #name, comma), comma = ", ";
#define POINTER(name) PARAMETER("u64", name)
#define NUMBER(name) PARAMETER("u32", name)
#define FRACTION(name) PARAMETER("f32", name)
  GROVE_PARAMETERS(POINTER, NUMBER, FRACTION)
#undef POINTER
#undef NUMBER
#undef FRACTION
#undef PARAMETER
}

static void write_head(const char *name, Text *text) {
  LINES(".visible .entry %s(", name);
  write_parameters(text);
  LINES(")\n.maxntid %u, 1, 1\n{\n", GROVE_THREADS);
#define POINTER(name) \
  LINES("\t.reg .u64 d_" #name ";\n\tld.param.u64 d_" #name ", [p_" #name \
        "];\n");
#define NUMBER(name) \
  LINES("\t.reg .u32 n_" #name ";\n\tld.param.u32 n_" #name ", [p_" #name \
        "];\n");
#define FRACTION(name) \
  LINES("\t.reg .f32 f_" #name ";\n\tld.param.f32 f_" #name ", [p_" #name \
        "];\n");
  GROVE_PARAMETERS(POINTER, NUMBER, FRACTION)
#undef POINTER
#undef NUMBER
#undef FRACTION
  LINES("\t.reg .b32 tid, lane, warp, i, stride, s0, s1, s2;\n"
        "\t.reg .b64 d0, d1;\n\t.reg .pred p, q;\n"
        "\tmov.u32 tid, %%tid.x;\n\tand.b32 lane, tid, 31;\n");
}

static void write_node(const char *to, const char *node, Text *text) {
  warp_write_item(to, "d_arena", node, GROVE_UNIT, text);
}

/* ---- split ---- */

/* `most`, `where`: the highest bound of the thread's actions of the node, and
   its action. */
static void write_scan(Text *text) {
  LINES("\tadd.u32 s0, visits, given;\n\tcvt.rn.f32.u32 f, s0;\n"
        "\tmax.f32 f, f, 0f3F800000;\n\tlg2.approx.f32 f, f;\n"
        "\tmul.f32 f, f, 0f3F317218;\n\tsqrt.approx.f32 f, f;\n"
        "\tmul.f32 bonus, f, f_c;\n\tmov.f32 most, 0fFF7FFFFF;\n"
        "\tmov.u32 where, 0;\n\tmov.u32 at, lane;\n"
        "scan:\n\tsetp.ge.u32 p, at, n;\n\t@p bra scanned;\n"
        "\tmad.wide.u32 action, at, %u, actions;\n"
        "\tld.global.v2.u32 {v, w}, [action+%u];\n"
        "\tld.global.u64 d0, [action+%u];\n"
        "\tsetp.ne.u32 p, v, 0;\n\t@p bra explored;\n",
        (uint32_t)sizeof(GroveAction), ACTION(visits), ACTION(total));
  LINES("\tmad.lo.u32 s0, at, 0x9e3779b1, n_seed;\n\txor.b32 s0, s0, node;\n"
        "\tmul.lo.u32 s0, s0, 0x85ebca6b;\n\tshr.u32 s0, s0, 9;\n"
        "\tor.b32 s0, s0, " UNSEEN ";\n\tmov.b32 value, s0;\n"
        "\tsetp.ne.u32 q, w, 0;\n\t@q mov.f32 value, " PENDING ";\n"
        "\tbra weigh;\n");
  LINES("explored:\n\tcvt.rn.f32.u32 f, w;\n\tcvt.rn.f32.u32 g, v;\n"
        "\tfma.rn.f32 f, f, f_loss, g;\n\tcvt.rn.f32.u64 value, d0;\n"
        "\tmul.f32 value, value, 0f3B800000;\n\tmul.f32 g, g, f_shift;\n"
        "\tsub.f32 value, value, g;\n\tdiv.approx.f32 value, value, f;\n"
        "\tsqrt.approx.f32 f, f;\n\tdiv.approx.f32 f, bonus, f;\n"
        "\tadd.f32 value, value, f;\n"
        "weigh:\n\tsetp.gt.f32 p, value, most;\n\t@p mov.f32 most, value;\n"
        "\t@p mov.u32 where, at;\n\tadd.u32 at, at, 32;\n\tbra scan;\n"
        "scanned:\n\tbar.warp.sync 0xffffffff;\n");
}

/* The action with the highest bound gets one descent if it is new, else a share
   of them. */
static void write_give(Text *text) {
  LINES("\tmov.b32 key, most;\n\tshr.s32 s0, key, 31;\n"
        "\tor.b32 s0, s0, 0x80000000;\n\txor.b32 key, key, s0;\n"
        "\tredux.sync.max.u32 best, key, 0xffffffff;\n"
        "\tsetp.eq.u32 p, key, best;\n"
        "\tvote.sync.ballot.b32 s0, p, 0xffffffff;\n"
        "\tbrev.b32 s0, s0;\n\tclz.b32 winner, s0;\n"
        "\tshfl.sync.idx.b32 where, where, winner, 31, 0xffffffff;\n"
        "\tsetp.lt.u32 p, best, " KEY_PENDING ";\n\t@p bra deal;\n"
        "\tmin.u32 give, chunk, left;\n"
        "\tsetp.ge.u32 p, best, " KEY_UNSEEN ";\n\t@p mov.u32 give, 1;\n"
        "\tsetp.eq.u32 q, lane, winner;\n"
        "\tmad.wide.u32 action, where, %u, actions;\n"
        "\t@q ld.global.u32 w, [action+%u];\n\t@q add.u32 w, w, give;\n"
        "\t@q st.global.u32 [action+%u], w;\n"
        "\tsub.u32 left, left, give;\n\tadd.u32 given, given, give;\n"
        "\tbra round;\n",
        (uint32_t)sizeof(GroveAction), ACTION(pending), ACTION(pending));
}

/* Descents of an action go on to its child, or end here. */
static void write_deal(Text *text) {
  LINES("deal:\n\tmov.u32 at, lane;\n"
        "each:\n\tsetp.ge.u32 p, at, n;\n\t@p bra dealt;\n"
        "\tmad.wide.u32 action, at, %u, actions;\n"
        "\tld.global.u32 w, [action+%u];\n\tld.global.u32 child, [action+%u];\n"
        "\tsetp.eq.u32 p, w, 0;\n\t@p bra more;\n"
        "\tst.global.u32 [action+%u], 0;\n"
        "\tsetp.ne.u32 p, child, 0;\n\t@p bra known;\n"
        "\tatom.global.add.u32 s0, [d_counts+%u], 1;\n",
        (uint32_t)sizeof(GroveAction), ACTION(pending), ACTION(child),
        ACTION(pending), COUNT(fresh));
  warp_write_item("d0", "d_leaves", "s0", sizeof(GroveLeaf), text);
  LINES("\tst.global.v4.u32 [d0], {e, at, w, child};\n\tbra more;\nknown:\n");
  write_node("d0", "child", text);
  LINES("\tld.global.u32 s0, [d0+%u];\n\tsetp.eq.u32 p, s0, 0;\n"
        "\t@p bra inner;\n\tatom.global.add.u32 s0, [d_counts+%u], 1;\n",
        HEAD(over), COUNT(ends));
  warp_write_item("d0", "d_ends", "s0", sizeof(GroveLeaf), text);
  LINES("\tst.global.v4.u32 [d0], {e, at, w, child};\n\tbra more;\n"
        "inner:\n\tadd.u32 s1, n_level, 1;\n\tsetp.ge.u32 p, s1, %u;\n"
        "\t@p bra more;\n",
        GROVE_LEVELS);
  warp_write_item("d0", "d_counts", "s1", 4, text);
  LINES("\tatom.global.add.u32 s0, [d0], 1;\n"
        "\tmad.lo.u32 s0, s1, n_room, s0;\n");
  warp_write_item("d0", "d_entries", "s0", sizeof(GroveEntry), text);
  LINES("\tst.global.v4.u32 [d0], {child, w, e, at};\n"
        "more:\n\tadd.u32 at, at, 32;\n\tbra each;\n"
        "dealt:\n\tbar.warp.sync 0xffffffff;\n"
        "\tadd.u32 i, i, stride;\n\tbra next;\n");
}

static void write_split(const GroveShape *shape, Text *text) {
  write_head("split", text);
  LINES("\t.reg .b32 count, base, e, node, k, parent, way, n, mover, phase;\n"
        "\t.reg .b32 visits, left, given, chunk, at, v, w, where, key, best;\n"
        "\t.reg .b32 winner, give, child;\n\t.reg .b64 head, actions, action;\n"
        "\t.reg .f32 f, g, bonus, value, most;\n");
  warp_write_number(true, text);
  LINES("\tmul.lo.u32 base, n_level, n_room;\n");
  warp_write_item("d0", "d_counts", "n_level", 4, text);
  LINES("\tld.global.u32 count, [d0];\n"
        "next:\n\tsetp.ge.u32 p, i, count;\n\t@p bra finished;\n"
        "\tadd.u32 e, base, i;\n");
  warp_write_item("d0", "d_entries", "e", sizeof(GroveEntry), text);
  LINES("\tld.global.v4.u32 {node, k, parent, way}, [d0];\n");
  write_node("head", "node", text);
  LINES("\tld.global.v4.u32 {n, mover, phase, visits}, [head];\n"
        "\tadd.u64 actions, head, %u;\n\tmov.u32 left, k;\n"
        "\tmov.u32 given, 0;\n\tdiv.u32 chunk, k, %u;\n"
        "\tmax.u32 chunk, chunk, 1;\n\tsetp.ne.u32 p, n, 1;\n\t@p bra round;\n"
        "\tsetp.eq.u32 q, lane, 0;\n\t@q st.global.u32 [actions+%u], k;\n"
        "\tbra deal;\n"
        "round:\n\tsetp.eq.u32 p, left, 0;\n\t@p bra deal;\n",
        shape->actions_at, SHARES, ACTION(pending));
  write_scan(text);
  write_give(text);
  write_deal(text);
  LINES("finished:\n\tret;\n}\n");
}

/* ---- gather ---- */

/* The states of the leaves' parents, and the moves that lead to the leaves. */
static void write_gather(const GroveShape *shape, Text *text) {
  write_head("gather", text);
  LINES("\t.reg .b32 e, way, node, mover, move, at;\n"
        "\t.reg .b64 head, to, word;\n");
  warp_write_number(false, text);
  LINES("\tsetp.ge.u32 p, i, n_fresh;\n\t@p bra finished;\n");
  warp_write_item("d0", "d_leaves", "i", sizeof(GroveLeaf), text);
  LINES("\tld.global.v2.u32 {e, way}, [d0];\n");
  warp_write_item("d0", "d_entries", "e", sizeof(GroveEntry), text);
  LINES("\tld.global.u32 node, [d0];\n");
  write_node("head", "node", text);
  LINES("\tld.global.u32 mover, [head+%u];\n"
        "\tmad.wide.u32 d0, way, %u, head;\n\tld.global.u32 move, [d0+%u];\n",
        HEAD(mover), (uint32_t)sizeof(GroveAction),
        shape->actions_at + ACTION(move));
  warp_write_item("to", "d_joints", "i", 4 * shape->roles, text);
  for (uint32_t role = 0; role < shape->roles; role++)
    LINES("\tld.global.u32 s0, [head+%u];\n\tsetp.eq.u32 p, mover, %u;\n"
          "\t@p mov.u32 s0, move;\n\tst.global.u32 [to+%u], s0;\n",
          shape->joints_at + 4 * role, role, 4 * role);
  warp_write_item("to", "d_states", "i", 8 * shape->row_words, text);
  LINES("\tmov.u32 at, 0;\n\tadd.u64 head, head, %u;\n"
        "copy:\n\tld.global.u64 word, [head];\n\tst.global.u64 [to], word;\n"
        "\tadd.u64 head, head, 8;\n\tadd.u64 to, to, 8;\n"
        "\tadd.u32 at, at, 1;\n\tsetp.lt.u32 p, at, %u;\n\t@p bra copy;\n"
        "finished:\n\tret;\n}\n",
        shape->state_at, shape->row_words);
}

/* ---- attach ---- */

/* Takes room in the arena for the node, whose number is `node`; goes on at
   `crowded` if there is none. What was taken beyond the end is not given back:
   others may have taken more meanwhile. */
static void write_room(const GroveShape *shape, Text *text) {
  LINES("\tmov.u32 slots, n;\n\tsetp.ne.u32 p, over, 0;\n"
        "\t@p mov.u32 slots, %u;\n\tmad.lo.u32 size, slots, %u, %u;\n"
        "\tdiv.u32 size, size, %u;\n\tmov.u32 node, 0;\n"
        "\tsetp.ne.u32 q, lane, 0;\n\t@q bra taken;\n"
        "\tld.volatile.global.u32 node, [d_state+%u];\n"
        "\tadd.u32 s0, node, size;\n\tsetp.gt.u32 p, s0, n_capacity;\n"
        "\t@p bra taken;\n"
        "\tatom.global.add.u32 node, [d_state+%u], size;\n"
        "taken:\n\tbar.warp.sync 0xffffffff;\n"
        "\tshfl.sync.idx.b32 node, node, 0, 31, 0xffffffff;\n"
        "\tadd.u32 s0, node, size;\n\tsetp.gt.u32 p, s0, n_capacity;\n"
        "\t@p bra crowded;\n",
        shape->roles, (uint32_t)sizeof(GroveAction),
        shape->actions_at + GROVE_UNIT - 1, GROVE_UNIT, STATE(used),
        STATE(used));
  write_node("head", "node", text);
}

/* The values of an end, where actions would be. */
static void write_values(const GroveShape *shape, Text *text) {
  LINES("\tsetp.eq.u32 p, over, 0;\n\t@p bra open;\n"
        "\tsetp.ne.u32 p, lane, 0;\n\t@p bra filled;\n");
  warp_write_item("d0", "d_goals", "i", 4 * shape->roles, text);
  for (uint32_t role = 0; role < shape->roles; role++) {
    LINES("\tld.global.u32 s0, [d0+%u];\n\tmax.s32 s0, s0, 0;\n"
          "\tcvt.rn.f32.s32 f, s0;\n\tfma.rn.f32 value, f, f_own, "
          "f_constant;\n",
          4 * role);
    if (shape->roles == 2)
      LINES("\tld.global.u32 s0, [d0+%u];\n\tmax.s32 s0, s0, 0;\n"
            "\tcvt.rn.f32.s32 f, s0;\n\tfma.rn.f32 value, f, f_other, "
            "value;\n",
            4 * (1 - role));
    LINES("\tsetp.ne.u32 p, stuck, 0;\n\t@p mov.f32 value, f_cut;\n"
          "\tadd.f32 value, value, f_shift;\n"
          "\tmul.f32 value, value, 0f43800000;\n"
          "\tmax.f32 value, value, 0f00000000;\n"
          "\tcvt.rni.u32.f32 s0, value;\n\tcvt.u64.u32 d1, s0;\n"
          "\tst.global.u64 [head+%u], d1;\n",
          shape->actions_at + role * (uint32_t)sizeof(GroveAction) +
              ACTION(total));
  }
  LINES("\tbra filled;\n");
}

/* The mover's legal moves become actions, in their order. */
static void write_actions(const GroveShape *shape, Text *text) {
  LINES("open:\n\tmov.u32 base, 0;\n");
  warp_write_words("list", "mover", shape->legal_words, text);
  warp_write_rank(text);
  LINES("bit:\n\tsetp.eq.u32 p, s0, 0;\n\t@p bra bits;\n"
        "\tbrev.b32 s1, s0;\n\tclz.b32 s1, s1;\n\tmad.lo.u32 s1, at, 32, s1;\n"
        "\tsub.u32 s2, s0, 1;\n\tand.b32 s0, s0, s2;\n\tmov.u32 s2, 0;\n"
        "\tmad.wide.u32 d0, slots, %u, head;\n"
        "\tst.global.v2.u32 [d0+%u], {s1, s2};\n"
        "\tst.global.v2.u32 [d0+%u], {s2, s2};\n\tmov.u64 d1, 0;\n"
        "\tst.global.u64 [d0+%u], d1;\n"
        "\tadd.u32 slots, slots, 1;\n\tbra bit;\n"
        "bits:\n\tbar.warp.sync 0xffffffff;\n",
        (uint32_t)sizeof(GroveAction), shape->actions_at + ACTION(move),
        shape->actions_at + ACTION(visits), shape->actions_at + ACTION(total));
  warp_write_words_end("list", text);
}

/* The head, the moves of all roles and the state. */
static void write_fill(const GroveShape *shape, Text *text) {
  LINES("filled:\n\tbar.warp.sync 0xffffffff;\n"
        "\tsetp.ne.u32 p, over, 0;\n\t@p mov.u32 n, 0;\n"
        "\tsetp.ne.u32 q, lane, 0;\n\t@q bra headed;\n\tmov.u32 s2, 0;\n"
        "\tst.global.v4.u32 [head], {n, mover, phase, s2};\n"
        "\tst.global.v4.u32 [head+%u], {over, s2, s2, s2};\n",
        HEAD(over));
  for (uint32_t role = 0; role < shape->roles; role++)
    LINES("\tst.global.u32 [head+%u], first%u;\n", shape->joints_at + 4 * role,
          role);
  LINES("\tsetp.ne.u32 p, n_phase, -1;\n\t@p bra planted;\n"
        "\tst.global.u32 [action], node;\n\tbra headed;\n"
        "planted:\n\tst.global.u32 [d_state+%u], node;\n"
        "headed:\n\tbar.warp.sync 0xffffffff;\n",
        STATE(root));
  warp_write_item("d0", "d_successors", "i", 8 * shape->row_words, text);
  LINES("\tmov.u32 at, lane;\n"
        "keep:\n\tsetp.ge.u32 p, at, %u;\n\t@p bra kept;\n"
        "\tmul.wide.u32 row, at, 8;\n\tadd.u64 d1, d0, row;\n"
        "\tadd.u64 row, row, head;\n\tld.global.u64 word, [d1];\n"
        "\tst.global.u64 [row+%u], word;\n\tadd.u32 at, at, 32;\n\tbra keep;\n"
        "kept:\n\tbar.warp.sync 0xffffffff;\n",
        shape->row_words, shape->state_at);
}

/* Finds the leaf's leg, and `action`, where the parent has its children. */
static void write_parent(const GroveShape *shape, Text *text) {
  LINES("\tmov.u32 phase, n_phase;\n\tsetp.ne.u32 p, n_phase, -1;\n"
        "\t@p bra begun;\n");
  warp_write_item("d0", "d_leaves", "i", sizeof(GroveLeaf), text);
  LINES("\tld.global.v2.u32 {s0, s1}, [d0];\n");
  warp_write_item("d0", "d_entries", "s0", sizeof(GroveEntry), text);
  LINES("\tld.global.u32 s2, [d0];\n");
  write_node("head", "s2", text);
  LINES("\tmad.wide.u32 action, s1, %u, head;\n\tadd.u64 action, action, %u;\n"
        "\tld.global.u32 phase, [head+%u];\n\tadd.u32 phase, phase, 1;\n"
        "\trem.u32 phase, phase, %u;\n"
        "begun:\n",
        (uint32_t)sizeof(GroveAction), shape->actions_at + ACTION(child),
        HEAD(phase), shape->legs);
  warp_write_item("d0", "d_phases", "i", 4, text);
  LINES("\tsetp.eq.u32 p, lane, 0;\n\t@p st.global.u32 [d0], phase;\n");
}

static void write_attach(const GroveShape *shape, Text *text) {
  write_head("attach", text);
  LINES(
      "\t.reg .b32 at, phase, count, choosers, n, mover, over, stuck, slots;\n"
      "\t.reg .b32 size, node, base, sum;\n"
      "\t.reg .b64 row, head, action, word;\n\t.reg .f32 f, value;\n");
  for (uint32_t role = 0; role < shape->roles; role++)
    LINES("\t.reg .b32 first%u;\n", role);
  warp_write_number(true, text);
  LINES("next:\n\tsetp.ge.u32 p, i, n_fresh;\n\t@p bra finished;\n");
  write_parent(shape, text);
  LINES("\tcvt.u64.u32 d0, i;\n\tadd.u64 d0, d0, d_terminal;\n"
        "\tld.global.u8 over, [d0];\n\tmov.u32 stuck, 0;\n"
        "\tmov.u32 choosers, 0;\n\tmov.u32 n, 0;\n\tmov.u32 mover, 0;\n"
        "\tmov.u32 size, over;\n");
  warp_write_item("row", "d_legal", "i", 8 * shape->legal_words, text);
  for (uint32_t role = 0; role < shape->roles; role++)
    warp_write_role(role, shape->legal_words, text);
  LINES("\tsetp.ne.u32 p, size, 0;\n\t@p mov.u32 stuck, 0;\n"
        "\tsetp.eq.u32 p, over, 0;\n\tsetp.gt.and.u32 p, choosers, 1, p;\n"
        "\tmov.u32 s0, 1;\n\t@p st.global.u32 [d_state+%u], s0;\n",
        STATE(several));
  write_room(shape, text);
  write_values(shape, text);
  write_actions(shape, text);
  write_fill(shape, text);
  LINES("crowded:\n\tadd.u32 i, i, stride;\n\tbra next;\n"
        "finished:\n\tret;\n}\n");
}

/* ---- backup ---- */

/* value<role>: of the means of a leaf's playouts (search/offload.h). */
static void write_means(const GroveShape *shape, Text *text) {
  warp_write_item("d0", "d_results", "i", shape->result_bytes, text);
  LINES("\tld.global.u64 d1, [d0+%u];\n\tcvt.rn.f32.u64 f, d1;\n"
        "\tmul.f32 rest, f, f_constant;\n\tld.global.u64 d1, [d0+%u];\n"
        "\tcvt.rn.f32.u64 f, d1;\n\tfma.rn.f32 rest, f, f_cut, rest;\n",
        8 * SUMS_DISCOUNTS, 8 * SUMS_OTHER_DISCOUNTS);
  for (uint32_t role = 0; role < shape->roles; role++)
    LINES("\tld.global.u64 d1, [d0+%u];\n\tcvt.rn.f32.u64 goals%u, d1;\n",
          8 * (SUMS_FIELDS + role * SUMS_ROLE_FIELDS + SUMS_RETURNS), role);
  for (uint32_t role = 0; role < shape->roles; role++) {
    LINES("\tfma.rn.f32 f, goals%u, f_own, rest;\n", role);
    if (shape->roles == 2)
      LINES("\tfma.rn.f32 f, goals%u, f_other, f;\n", 1 - role);
    LINES("\tfma.rn.f32 f, f, f_each, f_shift;\n"
          "\tmul.f32 f, f, 0f43800000;\n\tmax.f32 f, f, 0f00000000;\n"
          "\tcvt.rni.u32.f32 value%u, f;\n",
          role);
  }
}

static void write_ends(const GroveShape *shape, Text *text) {
  LINES("\tsub.u32 s0, i, n_fresh;\n");
  warp_write_item("d0", "d_ends", "s0", sizeof(GroveLeaf), text);
  LINES("\tld.global.v4.u32 {e, way, weight, node}, [d0];\n");
  write_node("head", "node", text);
  for (uint32_t role = 0; role < shape->roles; role++)
    LINES("\tld.global.u64 d1, [head+%u];\n\tcvt.u32.u64 value%u, d1;\n",
          shape->actions_at + role * (uint32_t)sizeof(GroveAction) +
              ACTION(total),
          role);
}

/* From the action `way` of entry `e` up to the root. */
static void write_climb(const GroveShape *shape, Text *text) {
  LINES("climb:\n");
  warp_write_item("d0", "d_entries", "e", sizeof(GroveEntry), text);
  LINES("\tld.global.v4.u32 {node, s0, parent, above}, [d0];\n");
  write_node("head", "node", text);
  LINES("\tld.global.u32 mover, [head+%u];\n\tmov.u32 s1, value0;\n",
        HEAD(mover));
  for (uint32_t role = 1; role < shape->roles; role++)
    LINES("\tsetp.eq.u32 p, mover, %u;\n\t@p mov.u32 s1, value%u;\n", role,
          role);
  LINES("\tmul.wide.u32 word, s1, weight;\n"
        "\tred.global.add.u32 [head+%u], weight;\n"
        "\tmad.wide.u32 d1, way, %u, head;\n"
        "\tred.global.add.u32 [d1+%u], weight;\n"
        "\tred.global.add.u64 [d1+%u], word;\n"
        "\tmov.u32 way, above;\n\tmov.u32 e, parent;\n"
        "\tsetp.ne.u32 p, e, -1;\n\t@p bra climb;\n",
        HEAD(visits), (uint32_t)sizeof(GroveAction),
        shape->actions_at + ACTION(visits), shape->actions_at + ACTION(total));
}

static void write_backup(const GroveShape *shape, Text *text) {
  write_head("backup", text);
  LINES("\t.reg .b32 e, way, weight, node, parent, above, mover;\n"
        "\t.reg .b64 head, word;\n\t.reg .f32 f, rest;\n");
  for (uint32_t role = 0; role < shape->roles; role++)
    LINES("\t.reg .b32 value%u;\n\t.reg .f32 goals%u;\n", role, role);
  warp_write_number(false, text);
  LINES("\tadd.u32 s0, n_fresh, n_over;\n\tsetp.ge.u32 p, i, s0;\n"
        "\t@p bra finished;\n\tsetp.ge.u32 p, i, n_fresh;\n\t@p bra ends;\n");
  warp_write_item("d0", "d_leaves", "i", sizeof(GroveLeaf), text);
  LINES("\tld.global.v2.u32 {e, way}, [d0];\n\tmov.u32 weight, 1;\n");
  write_means(shape, text);
  LINES("\tbra climb;\nends:\n");
  write_ends(shape, text);
  write_climb(shape, text);
  LINES("finished:\n\tret;\n}\n");
}

/* ---- seek ---- */

/* Looks for the state in d_states among the root's children and theirs: the
   warp has a child, a thread each of its children, and the first the child
   itself. */
static void write_seek(const GroveShape *shape, Text *text) {
  write_head("seek", text);
  LINES("\t.reg .b32 n, child, count, at, node, k;\n"
        "\t.reg .b64 head, actions, row, here, there;\n");
  warp_write_number(true, text);
  write_node("head", "n_root", text);
  LINES("\tld.global.u32 n, [head+%u];\n\tadd.u64 actions, head, %u;\n"
        "next:\n\tsetp.ge.u32 p, i, n;\n\t@p bra finished;\n"
        "\tmad.wide.u32 d0, i, %u, actions;\n\tld.global.u32 child, [d0+%u];\n"
        "\tsetp.eq.u32 p, child, 0;\n\t@p bra skip;\n",
        HEAD(count), shape->actions_at, (uint32_t)sizeof(GroveAction),
        ACTION(child));
  write_node("head", "child", text);
  LINES("\tld.global.u32 count, [head+%u];\n\tmov.u32 at, lane;\n"
        "each:\n\tsetp.gt.u32 p, at, count;\n\t@p bra skip;\n"
        "\tmov.u32 node, child;\n\tsetp.eq.u32 p, at, 0;\n\t@p bra compare;\n"
        "\tsub.u32 s0, at, 1;\n\tmad.wide.u32 d0, s0, %u, head;\n"
        "\tld.global.u32 node, [d0+%u];\n\tsetp.eq.u32 p, node, 0;\n"
        "\t@p bra more;\ncompare:\n",
        HEAD(count), (uint32_t)sizeof(GroveAction),
        shape->actions_at + ACTION(child));
  write_node("row", "node", text);
  LINES("\tmov.u64 d0, d_states;\n\tmov.u32 k, 0;\n"
        "word:\n\tld.global.u64 here, [row+%u];\n\tld.global.u64 there, [d0];\n"
        "\tsetp.ne.u64 p, here, there;\n\t@p bra more;\n"
        "\tadd.u64 row, row, 8;\n\tadd.u64 d0, d0, 8;\n\tadd.u32 k, k, 1;\n"
        "\tsetp.lt.u32 p, k, %u;\n\t@p bra word;\n"
        "\tst.global.u32 [d_state+%u], node;\n"
        "more:\n\tadd.u32 at, at, 32;\n\tbra each;\n"
        "skip:\n\tbar.warp.sync 0xffffffff;\n"
        "\tadd.u32 i, i, stride;\n\tbra next;\nfinished:\n\tret;\n}\n",
        shape->state_at, shape->row_words, STATE(found));
}

void grove_write(const GroveShape *shape, Text *text) {
  LINES(".version 7.8\n.target sm_80\n.address_size 64\n");
  write_split(shape, text);
  write_gather(shape, text);
  write_attach(shape, text);
  write_backup(shape, text);
  write_seek(shape, text);
}
