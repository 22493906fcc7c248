/* Where a kernel has the state of a thread's 32 games: the words of fluents and
   moves are in registers, or in memory that is shared by a block or local to a
   thread. Programs of the net read and write them. */
#ifndef TAFL_GPU_FRAME_H
#define TAFL_GPU_FRAME_H

#include "gpu/pairing.h"
#include "gpu/ptx.h"
#include "program/program_order.h"

typedef enum { HOME_REGISTERS, HOME_SHARED, HOME_LOCAL } FrameHome;

typedef struct FramePlan {
  FrameHome home;
  uint32_t threads;  /* of a block */
  uint32_t window;   /* instructions that a loaded word stays in a register */
  uint32_t ahead;    /* gates from a load to its use, at most */
  uint32_t held;     /* HOME_LOCAL: words that a program has in registers at the
                        same time (gpu/hold.h): 8 or more, */
  uint32_t near;     /* and in shared memory; */
  uint32_t prefetch; /* loads that a word of local memory is asked for before
                        its own (gpu/prefetch.h); 0: it is not */
  bool rows;         /* moves, in memory, are gone through in loops */
} FramePlan;

/* Slots are the fluents, then those of moves (pairing.h), then lines, then
   more. */
typedef struct Frame {
  Ptx *ptx;
  const Net *net;
  const Pairing *pairing; /* of the leg */
  FramePlan plan;
  uint32_t slots;  /* used so far */
  uint32_t most;   /* that there may be */
  uint32_t *place; /* by slot: its place in memory, a fluent's for a fluent */
  uint32_t *fluent_at; /* by place: the fluent */
  Reg base;            /* address of the thread's words in shared memory */
  Reg *words;          /* by slot; for HOME_REGISTERS */
  Reg *cached;         /* by slot: a register that has the word, */
  uint32_t *since;     /* and when it was loaded */
  Reg *high, *low; /* by slot: lines whose common lanes are the word, or 0 */
  uint32_t *high_at, *low_at; /* the same, slots of lines in memory */
  uint32_t lines, line_count; /* the first such slot; how many there are, */
  uint32_t taken;             /* and are in use */
  uint32_t beat;   /* instructions of a program from one barrier of the block
                      to the next; 0: there are none */
  uint32_t beaten; /* when the last one was */
  uint32_t places; /* words of local memory for values (gpu/hold.h) */
  Reg *guarded; /* as `cached`, by move of the net: the word of a slot that */
  uint32_t *guarded_since; /* has lines, or is shared with another role */
} Frame;

/* `moves`, `lines`: slots of these that there are, in all legs. */
void frame_begin(Frame *frame, Ptx *ptx, const Net *net, uint32_t moves,
                 uint32_t lines, const FramePlan *plan);
void frame_free(Frame *frame);
/* The fluents, all of which the list has, get places in this order; before
   anything is loaded or stored. The compiler joins accesses to neighbours. */
void frame_arrange(Frame *frame, const uint32_t *fluents);

Reg frame_load(Frame *frame, uint32_t slot);
/* Loads it even if a register has it. */
Reg frame_fetch(Frame *frame, uint32_t slot);
/* A register has the word. */
void frame_note(Frame *frame, uint32_t slot, Reg word);
void frame_store(Frame *frame, uint32_t slot, Reg word);
/* From here on moves have these slots, and no lines. */
void frame_enter(Frame *frame, const Pairing *pairing);
/* The word of a slot of moves is what two registers have in common, from here
   on. */
void frame_set_lines(Frame *frame, uint32_t slot, Reg high, Reg low);
/* The same with lines that are in memory; a leg takes the slots that it needs.
 */
uint32_t frame_take_lines(Frame *frame, uint32_t count);
void frame_set_line_slots(Frame *frame, uint32_t slot, uint32_t high,
                          uint32_t low);
/* Returns whether a move's word is just what two lines in memory have in
   common, and leaves their slots. */
bool frame_find_lines(const Frame *frame, uint32_t move, uint32_t lines[2]);
/* Returns whether a move has a slot of its own, without lines. */
bool frame_stores(const Frame *frame, uint32_t move);
/* Returns the slot of a move that has one. */
uint32_t frame_move_slot(const Frame *frame, uint32_t move);
/* Returns the word of a fluent or move; zero for a move without a slot. */
Reg frame_read(Frame *frame, Value input);
/* Returns the lanes in which the role is the one that chooses. */
Reg frame_guard(Frame *frame, uint32_t role);
/* What was loaded is no longer known: code before comes from elsewhere. */
void frame_forget(Frame *frame);

/* From time to time lets the warps of a block wait for each other: they stay
   near each other in the code, which they share. */
void frame_keep_together(Frame *frame);

/* Says where values go: called after each gate, in order. */
typedef void FrameListener(void *context, uint32_t step, Value value, Reg word);

/* Emits a program's gates; values[value] gets the register of every gate. The
   listener may be NULL. */
void frame_run(Frame *frame, const Order *order, Reg *values,
               FrameListener *listener, void *context);

#endif
