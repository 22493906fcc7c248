/* Entries are loaded some time before they are run, since the list is too long
   for the nearest cache: a ring of them is in registers. The code is there once
   for each place of the ring, since moving a register would wait for its
   load. */
#include <stdio.h>

#include "gpu/team.h"
#include "gpu/team_parts.h"
#include "program/truth.h"

static uint32_t entry_bytes(const Team *team) {
  return 32 * team->shape.bunch / team->shape.words * 8;
}

static void write_load_entry(Team *team, uint32_t place) {
  LINES("\tld.global.nc.u8 op%u, [dk+%u];\n"
        "\tld.global.nc.v2.u32 {oa%u, ob%u}, [dp+%u];\n",
        place, place, place, place, place * entry_bytes(team));
}

/* The entry at a place of the ring has been run: loads the one that will be
   there next, and leaves the ring at the next place. */
static void write_next_entry(Team *team, uint32_t place) {
  LINES("\tld.global.nc.u8 op%u, [dk+%u];\n"
        "\tld.global.nc.v2.u32 {oa%u, ob%u}, [dp+%u];\n"
        "\tadd.u64 dk, dk, 1;\n\tadd.u64 dp, dp, %u;\n",
        place, TEAM_AHEAD, place, place, TEAM_AHEAD * entry_bytes(team),
        entry_bytes(team));
}

static void write_first_entries(Team *team) {
  for (uint32_t i = 0; i < TEAM_AHEAD; i++) write_load_entry(team, i);
}

/* Writes a load or store of the words that a thread has of a slot. */
static void write_words(Team *team, bool store, const Reg *words, Reg address) {
  uint32_t bunch = team->shape.bunch;
  const char *const sizes[] = {"", "", ".v2", "", ".v4"};
  LINES("\t%s.shared%s.u32 ", store ? "st" : "ld", sizes[bunch]);
  if (store) LINES("[%%r%u], ", address);
  for (uint32_t i = 0; i < bunch; i++)
    LINES("%s%%r%u%s",
          bunch > 1 && !i ? "{"
          : i             ? ", "
                          : "",
          words[i], bunch > 1 && i + 1 == bunch ? "}" : "");
  if (store)
    LINES(";\n");
  else
    LINES(", [%%r%u];\n", address);
}

enum { BUNCH_MOST = 4 };

static void new_words(Team *team, Reg *words) {
  for (uint32_t i = 0; i < team->shape.bunch; i++)
    words[i] = ptx_new(&team->ptx);
}

/* Returns the address of the thread's words at a place: the low or high half of
   a register. */
static Reg write_operand(Team *team, const char *from, bool high) {
  Reg address = ptx_new(&team->ptx);
  if (high)
    LINES("\tshr.u32 %%r%u, %s, 16;\n\txor.b32 %%r%u, %%r%u, eval;\n", address,
          from, address, address);
  else
    LINES("\tlop3.b32 %%r%u, %s, 0xffff, eval, 0x6a;\n", address, from);
  LINES("\tmad.lo.u32 %%r%u, %%r%u, 4, base;\n", address, address);
  return address;
}

/* The places of inputs are the low and high half of `a` and the low half of
   `b`; that of the result is its high half. */
static void write_gate(Team *team, uint32_t kind, const char *a,
                       const char *b) {
  uint8_t table = kind == ROSTER_UPDATE
                      ? TRUTH_A
                      : team->roster->tables.data[kind - ROSTER_GATES];
  Reg x[3][BUNCH_MOST] = {0}, results[BUNCH_MOST], old[BUNCH_MOST];
  for (uint32_t i = 0; i < 3; i++) {
    if (!truth_depends(table, i)) continue;
    Reg address = write_operand(team, i < 2 ? a : b, i == 1);
    new_words(team, x[i]);
    write_words(team, false, x[i], address);
  }
  Reg to = write_operand(team, b, true);
  new_words(team, results);
  if (kind == ROSTER_UPDATE) {
    new_words(team, old);
    write_words(team, false, old, to);
    for (uint32_t k = 0; k < team->shape.bunch; k++)
      LINES("\txor.b32 %%r%u, %%r%u, %%r%u;\n"
            "\tor.b32 changed, changed, %%r%u;\n",
            old[k], old[k], x[0][k], old[k]);
  }
  for (uint32_t k = 0; k < team->shape.bunch; k++)
    ptx_gate_to(&team->ptx, results[k], table, x[0][k], x[1][k], x[2][k]);
  write_words(team, true, results, to);
}

static void write_kind(Team *team, uint32_t kind, uint32_t place) {
  char a[8], b[8];
  snprintf(a, sizeof a, "oa%u", place);
  snprintf(b, sizeof b, "ob%u", place);
  LINES("kind%uat%u:\n", kind, place);
  write_gate(team, kind, a, b);
  write_next_entry(team, place);
  LINES("\tbra dispatch%u;\n", (place + 1) % TEAM_AHEAD);
}

/* What is no gate. A loop begins and ends at the first place of the ring. */
static void write_marks(Team *team, uint32_t place) {
  uint32_t next = (place + 1) % TEAM_AHEAD;
  LINES("kind%uat%u:\n\tbra finish;\n", ROSTER_END, place);
  LINES("kind%uat%u:\n\tbar.sync 0;\n", ROSTER_BARRIER, place);
  write_next_entry(team, place);
  LINES("\tbra dispatch%u;\n", next);
  LINES("kind%uat%u:\n\tmov.u64 dl, dk;\n\tmov.u64 d2, dp;\n", ROSTER_LOOP,
        place);
  write_next_entry(team, place);
  LINES("\tbra dispatch%u;\n", next);
  LINES("kind%uat%u:\n\tsetp.ne.u32 p, changed, 0;\n"
        "\tmov.u32 changed, 0;\n\tbar.red.or.pred q, 0, p;\n"
        "\t@!q bra ceased%u;\n\tmov.u64 dk, dl;\n\tmov.u64 dp, d2;\n"
        "\tbra refill;\nceased%u:\n",
        ROSTER_AGAIN, place, place, place);
  write_next_entry(team, place);
  LINES("\tbra dispatch%u;\n", next);
}

/* Runs the program `phase`, then goes on at after0, after1 or after2. */
void team_gates_evaluate(Team *team) {
  LINES("evaluate:\n\tmad.lo.u32 s0, phase, %u, warp;\n"
        "\tmul.wide.u32 d0, s0, 4;\n\tadd.u64 d0, d0, d_streams;\n"
        "\tld.global.nc.u32 s1, [d0];\n\tcvt.u64.u32 d1, s1;\n"
        "\tadd.u64 dk, d_kinds, d1;\n\tmul.wide.u32 d1, s1, %u;\n"
        "\tadd.u64 dp, d_operands, d1;\n\tadd.u64 dp, dp, dlane;\n"
        "refill:\n",
        team->shape.warps, entry_bytes(team));
  write_first_entries(team);
  for (uint32_t place = 0; place < TEAM_AHEAD; place++) {
    LINES("dispatch%u:\n\tbrx.idx op%u, targets%u;\n", place, place, place);
    write_marks(team, place);
    for (uint32_t kind = ROSTER_UPDATE; kind < roster_kinds(team->roster);
         kind++)
      write_kind(team, kind, place);
  }
  LINES("finish:\n\tsetp.eq.u32 p, phase, 0;\n\t@p bra after0;\n"
        "\tsetp.eq.u32 p, phase, 1;\n\t@p bra after1;\n\tbra after2;\n");
}

/* The lists come before their use. */
void team_gates_targets(Team *team) {
  for (uint32_t place = 0; place < TEAM_AHEAD; place++) {
    LINES("targets%u: .branchtargets ", place);
    for (uint32_t kind = 0; kind < roster_kinds(team->roster); kind++)
      LINES("%skind%uat%u", kind ? ", " : "", kind, place);
    LINES(";\n");
  }
}
