/* Depth-first from the wanted values, as program/order.c does it: of a gate's
   inputs the one that needs most registers first; a gate whose inputs are all
   there is computed at once if it is the last reader of one. */
#include "gpu/reorder.h"

#include "base/trial.h"
#include "gpu/joins.h"
#include "program/truth.h"

enum {
  NEAR = 64, /* readers of a recent value that are considered */
  /* Steps that a value stays recent. Local words of a look with 300, 800 and
     1,800: chess_200 6,110, 5,330 and 5,370; skirmish 2,150, 1,970 and 2,140;
     without computing again 7,230 and 2,490. */
  RECENT = 800,
  LOAD = 4, /* gates that a word from local memory is worth */
  DEPTH = 6 /* of what is computed again */
};

#define NO_VALUE UINT32_MAX

/* A join on its way. */
typedef struct Joining {
  uint32_t left; /* terms not joined yet */
  uint32_t next; /* all terms before this one have their inputs */
  Value sum;     /* of what has been joined, or NO_VALUE */
  Value spare;   /* a term that waits for another one, or NO_VALUE */
} Joining;

typedef struct Work {
  const Order *order;
  Order *made;
  uint32_t inputs;
  Joins joins;
  Joining *joining;
  uint32_t *lacks; /* by term: inputs that it was not told of */
  /* by value: */
  uint32_t *step;
  uint32_t *need;            /* registers, roughly */
  bool *there;               /* it has been computed */
  bool *told;                /* so have its terms heard */
  uint32_t *missing;         /* inputs of a gate not computed yet */
  uint32_t *left;            /* readers and terms not computed yet */
  uint32_t *first, *readers; /* readers[first[v] … first[v + 1]) */
  uint32_t *first_term, *terms;
  Value *now;     /* the value that has it, if it was computed again */
  uint32_t *used; /* steps made when it was used last, plus 1; 0: never */
  NumberVector stack, near, news;
} Work;

static const OrderStep *step_of(const Work *work, Value value) {
  return &work->order->steps.data[work->step[value]];
}

/* Lists the inputs that matter; they are different ones. */
static uint32_t list_inputs(const OrderStep *step, Value inputs[3]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < 3; i++)
    if (truth_depends((uint8_t)step->kind, i))
      inputs[count++] = step->inputs[i];
  return count;
}

static bool is_plain(const Work *work, Value value) {
  return work->joins.of[value] == JOINS_NONE && !work->joins.inner[value];
}

/* ---- what is computed again ---- */

static bool is_recent(const Work *work, Value value) {
  return work->used[value] &&
         work->made->steps.count + 1 - work->used[value] <= RECENT;
}

/* What it is worth that a value need not be stored and loaded. */
static uint32_t price_of_keeping(const Work *work, Value value) {
  return work->left[value] > 1 ? 3 * LOAD / 2 : 2 * LOAD;
}

static uint32_t price(const Work *work, Value value, uint32_t depth);

static uint32_t price_again(const Work *work, Value value, uint32_t depth) {
  Value inputs[3];
  uint32_t count = list_inputs(step_of(work, value), inputs), sum = 1;
  for (uint32_t i = 0; i < count; i++) sum += price(work, inputs[i], depth - 1);
  return sum;
}

static uint32_t price(const Work *work, Value value, uint32_t depth) {
  if (is_recent(work, value)) return 0;
  if (value < work->inputs) return LOAD;
  uint32_t kept = price_of_keeping(work, value);
  if (!depth || !is_plain(work, value)) return kept;
  uint32_t again = price_again(work, value, depth);
  return again < kept ? again : kept;
}

static Value new_value(Work *work) {
  return work->made->value_count++;
}

/* Returns the value to read; it may have to be computed again first. */
static Value use(Work *work, Value value, uint32_t depth) {
  if (value >= work->order->value_count) return value;
  if (value >= work->inputs && depth && is_plain(work, value) &&
      !is_recent(work, value) &&
      price_again(work, value, depth) < price_of_keeping(work, value)) {
    OrderStep step = *step_of(work, value);
    for (uint32_t i = 0; i < 3 && order_reads(&step); i++)
      step.inputs[i] = use(work, step.inputs[i], depth - 1);
    step.result = work->now[value] = new_value(work);
    vector_push(&work->made->steps, step);
  }
  work->used[value] = work->made->steps.count + 1;
  return work->now[value];
}

static void add_step(Work *work, uint8_t table, Value result, Value a, Value b,
                     Value c) {
  OrderStep step = {table, result, {a, b, c}};
  trial_check();
  for (uint32_t i = 0; i < 3 && order_reads(&step); i++)
    step.inputs[i] = use(work, step.inputs[i], DEPTH);
  vector_push(&work->made->steps, step);
  if (result < work->order->value_count)
    work->used[result] = work->made->steps.count;
}

/* ---- joins ---- */

/* Returns the value for what is joined next: at the end, the root. */
static Value result_of(Work *work, const Join *join, const Joining *joining) {
  return joining->left || joining->spare != NO_VALUE ? new_value(work)
                                                     : join->root;
}

static void join_value(Work *work, const Join *join, Joining *joining,
                       Value value) {
  if (joining->sum == NO_VALUE) {
    joining->sum = value;
  } else if (joining->spare == NO_VALUE) {
    joining->spare = value;
  } else {
    Value other = joining->spare;
    joining->spare = NO_VALUE;
    Value result = result_of(work, join, joining);
    add_step(work,
             join->any ? TRUTH_A | TRUTH_B | TRUTH_C
                       : TRUTH_A & TRUTH_B & TRUTH_C,
             result, other, value, joining->sum);
    joining->sum = result;
  }
}

static void join_function(Work *work, const Join *join, Joining *joining,
                          const JoinTerm *term) {
  Value sum = joining->sum, result = result_of(work, join, joining);
  uint8_t table = term->table;
  if (sum != NO_VALUE)
    table = (uint8_t)(join->any ? table | TRUTH_C : table & TRUTH_C);
  add_step(work, table, result, term->inputs[0], term->inputs[1],
           sum != NO_VALUE ? sum : term->inputs[1]);
  joining->sum = result;
}

/* All inputs of the term are there. */
static void join_term(Work *work, const JoinTerm *term) {
  const Join *join = &work->joins.list.data[term->join];
  Joining *joining = &work->joining[term->join];
  joining->left--;
  for (uint32_t i = 0; i < term->count; i++) work->left[term->inputs[i]]--;
  if (term->table == TRUTH_A)
    join_value(work, join, joining, term->inputs[0]);
  else
    join_function(work, join, joining, term);
  if (joining->left) return;
  if (joining->spare != NO_VALUE)
    add_step(work, join->any ? TRUTH_A | TRUTH_B : TRUTH_A & TRUTH_B,
             join->root, joining->sum, joining->spare, joining->spare);
  work->there[join->root] = true;
  vector_push(&work->news, join->root);
}

/* Tells terms and readers of the values that are new. */
static void spread(Work *work) {
  for (uint32_t k = 0; k < work->news.count; k++) {
    Value value = work->news.data[k];
    if (work->told[value]) continue;
    work->told[value] = true;
    for (uint32_t i = work->first_term[value]; i < work->first_term[value + 1];
         i++)
      if (!--work->lacks[work->terms[i]])
        join_term(work, &work->joins.terms.data[work->terms[i]]);
    if (value < work->inputs) continue;
    for (uint32_t i = work->first[value]; i < work->first[value + 1]; i++) {
      work->missing[work->readers[i]]--;
      if (i - work->first[value] < NEAR)
        vector_push(&work->near, work->readers[i]);
    }
  }
  vector_clear(&work->news);
}

/* ---- computing values ---- */

/* Fluents are new when a gate reads them first: then a register has them. */
static void make(Work *work, Value value) {
  const OrderStep *step = step_of(work, value);
  Value inputs[3];
  uint32_t count = list_inputs(step, inputs);
  add_step(work, (uint8_t)step->kind, value, step->inputs[0], step->inputs[1],
           step->inputs[2]);
  work->there[value] = true;
  for (uint32_t i = 0; i < count; i++) {
    work->left[inputs[i]]--;
    if (inputs[i] < work->inputs) vector_push(&work->news, inputs[i]);
  }
  vector_push(&work->news, value);
  spread(work);
}

/* Returns whether all inputs are there and one has no other reader left. */
static bool is_ripe(const Work *work, Value value) {
  Value inputs[3];
  if (work->there[value] || work->missing[value]) return false;
  uint32_t count = list_inputs(step_of(work, value), inputs);
  for (uint32_t i = 0; i < count; i++)
    if (work->left[inputs[i]] == 1) return true;
  return false;
}

/* Returns the only input that is missing of a value that nobody reads, if its
   own inputs are there; or NO_VALUE. */
static Value find_last(const Work *work, Value value) {
  Value inputs[3];
  if (work->there[value] || work->missing[value] != 1 || work->left[value])
    return NO_VALUE;
  uint32_t count = list_inputs(step_of(work, value), inputs);
  for (uint32_t i = 0; i < count; i++)
    if (inputs[i] >= work->inputs && !work->there[inputs[i]])
      return is_plain(work, inputs[i]) && !work->missing[inputs[i]] ? inputs[i]
                                                                    : NO_VALUE;
  return NO_VALUE;
}

static void make_ripe(Work *work) {
  for (bool made = true; made;) {
    made = false;
    for (uint32_t i = 0; i < work->near.count; i++) {
      Value value = work->near.data[i], last = find_last(work, value);
      if (last == NO_VALUE && !is_ripe(work, value)) continue;
      if (last != NO_VALUE) make(work, last);
      if (!work->there[value]) make(work, value);
      made = true;
    }
  }
  if (work->near.count <= NEAR) return;
  memmove(work->near.data, work->near.data + work->near.count - NEAR / 2,
          NEAR / 2 * sizeof *work->near.data);
  work->near.count = NEAR / 2;
}

/* Puts the inputs that are missing on the stack, so that those that need most
   registers come first. */
static bool push_inputs(Work *work, Value value) {
  Value inputs[3];
  uint32_t count = list_inputs(step_of(work, value), inputs);
  uint32_t before = work->stack.count;
  for (uint32_t i = 0; i < count; i++) {
    if (inputs[i] < work->inputs || work->there[inputs[i]]) continue;
    vector_push(&work->stack, inputs[i]);
    for (uint32_t at = work->stack.count - 1; at > before; at--) {
      Value *high = &work->stack.data[at], *low = high - 1, moved = *low;
      if (work->need[*low] <= work->need[*high]) break;
      *low = *high;
      *high = moved;
    }
  }
  return work->stack.count > before;
}

/* Returns an input that is missing of a join's terms, or NO_VALUE. */
static Value find_missing(Work *work, uint32_t number) {
  const Join *join = &work->joins.list.data[number];
  Joining *joining = &work->joining[number];
  for (; joining->next < join->count; joining->next++) {
    const JoinTerm *term = &work->joins.terms.data[join->first + joining->next];
    for (uint32_t i = 0; i < term->count; i++)
      if (term->inputs[i] >= work->inputs && !work->there[term->inputs[i]])
        return term->inputs[i];
  }
  return NO_VALUE;
}

/* The terms that are left have fluents which no gate has read. */
static void finish_join(Work *work, const Join *join) {
  for (uint32_t i = 0; i < join->count; i++) {
    const JoinTerm *term = &work->joins.terms.data[join->first + i];
    for (uint32_t k = 0; k < term->count; k++)
      if (term->inputs[k] < work->inputs)
        vector_push(&work->news, term->inputs[k]);
  }
  spread(work);
}

static void visit(Work *work, Value root) {
  vector_push(&work->stack, root);
  while (work->stack.count) {
    Value value = vector_last(&work->stack);
    if (value < work->inputs || work->there[value]) {
      work->stack.count--;
      continue;
    }
    uint32_t join = work->joins.of[value];
    Value missing = join == JOINS_NONE ? NO_VALUE : find_missing(work, join);
    if (missing != NO_VALUE) {
      vector_push(&work->stack, missing);
      continue;
    }
    if (join == JOINS_NONE && push_inputs(work, value)) continue;
    work->stack.count--;
    if (join == JOINS_NONE)
      make(work, value);
    else
      finish_join(work, &work->joins.list.data[join]);
    make_ripe(work);
  }
}

/* ---- before and after ---- */

/* Counts the readers of each value among the gates that are needed; a wanted
   one has one more. */
static uint32_t *count_readers(const Work *work, const Value *wanted,
                               uint32_t wanted_count) {
  uint32_t *readers =
      memory_new((work->order->value_count + 1) * sizeof *readers);
  for (uint32_t i = 0; i < wanted_count; i++) readers[wanted[i]] = 1;
  for (uint32_t i = work->order->steps.count; i--;) {
    const OrderStep *step = &work->order->steps.data[i];
    Value inputs[3];
    uint32_t count = list_inputs(step, inputs);
    for (uint32_t k = 0; readers[step->result] && k < count; k++)
      readers[inputs[k]]++;
  }
  return readers;
}

/* Turns counts into the places where lists end, which become those where they
   begin while the lists are filled from their ends. */
static void add_counts(uint32_t *first, uint32_t values) {
  for (uint32_t i = 0; i < values; i++) first[i + 1] += first[i];
}

/* Lists the gates, those of joins apart, that read each value. */
static void find_readers(Work *work, const uint32_t *readers) {
  const Order *order = work->order;
  uint32_t values = order->value_count;
  Value inputs[3];
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t i = order->steps.count; i--;) {
      const OrderStep *step = &order->steps.data[i];
      if (!readers[step->result] || !is_plain(work, step->result)) continue;
      uint32_t count = list_inputs(step, inputs);
      for (uint32_t k = 0; k < count; k++) {
        if (!pass) {
          work->first[inputs[k]]++;
          work->left[inputs[k]]++;
          work->missing[step->result] += inputs[k] >= work->inputs;
        } else {
          work->readers[--work->first[inputs[k]]] = step->result;
        }
      }
    }
    if (pass) return;
    add_counts(work->first, values);
    work->readers =
        memory_new((work->first[values] + 1) * sizeof *work->readers);
  }
}

static void find_terms(Work *work) {
  uint32_t values = work->order->value_count;
  uint32_t *first = work->first_term;
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t i = work->joins.terms.count; i--;) {
      const JoinTerm *term = &work->joins.terms.data[i];
      for (uint32_t k = 0; k < term->count; k++) {
        if (!pass) {
          first[term->inputs[k]]++;
          work->left[term->inputs[k]]++;
          work->lacks[i]++;
        } else {
          work->terms[--first[term->inputs[k]]] = i;
        }
      }
    }
    if (pass) return;
    add_counts(first, values);
    work->terms = memory_new((first[values] + 1) * sizeof *work->terms);
  }
}

static void find_needs(Work *work) {
  for (uint32_t i = 0; i < work->order->steps.count; i++) {
    const OrderStep *step = &work->order->steps.data[i];
    uint32_t needs[3] = {0}, *need = &work->need[step->result];
    Value inputs[3];
    uint32_t count = list_inputs(step, inputs);
    for (uint32_t k = 0; k < count; k++) {
      uint32_t at = k;
      for (; at && needs[at - 1] < work->need[inputs[k]]; at--)
        needs[at] = needs[at - 1];
      needs[at] = work->need[inputs[k]];
    }
    *need = 1;
    for (uint32_t k = 0; k < count; k++)
      if (needs[k] && needs[k] + k > *need) *need = needs[k] + k;
  }
}

static void work_init(Work *work, const Value *wanted, uint32_t wanted_count) {
  const Order *order = work->order;
  size_t values = order->value_count + 1;
  work->step = memory_new(values * sizeof *work->step);
  for (uint32_t i = 0; i < order->steps.count; i++)
    work->step[order->steps.data[i].result] = i;
  uint32_t *readers = count_readers(work, wanted, wanted_count);
  joins_find(order, work->inputs, work->step, readers, &work->joins);
  work->joining =
      memory_new((work->joins.list.count + 1) * sizeof *work->joining);
  for (uint32_t i = 0; i < work->joins.list.count; i++)
    work->joining[i] = (Joining){.left = work->joins.list.data[i].count,
                                 .sum = NO_VALUE,
                                 .spare = NO_VALUE};
  work->lacks = memory_new((work->joins.terms.count + 1) * sizeof(uint32_t));
  work->need = memory_new(values * sizeof *work->need);
  work->there = memory_new(values);
  work->told = memory_new(values);
  work->missing = memory_new(values * sizeof *work->missing);
  work->left = memory_new(values * sizeof *work->left);
  work->first = memory_new(values * sizeof *work->first);
  work->first_term = memory_new(values * sizeof *work->first_term);
  work->now = memory_new(values * sizeof *work->now);
  work->used = memory_new(values * sizeof *work->used);
  for (uint32_t i = 0; i < order->value_count; i++) work->now[i] = i;
  find_readers(work, readers);
  find_terms(work);
  find_needs(work);
  memory_delete(readers);
}

static void work_free(Work *work) {
  joins_free(&work->joins);
  memory_delete(work->joining);
  memory_delete(work->lacks);
  memory_delete(work->step);
  memory_delete(work->need);
  memory_delete(work->there);
  memory_delete(work->told);
  memory_delete(work->missing);
  memory_delete(work->left);
  memory_delete(work->first);
  memory_delete(work->readers);
  memory_delete(work->first_term);
  memory_delete(work->terms);
  memory_delete(work->now);
  memory_delete(work->used);
  vector_free(&work->stack);
  vector_free(&work->near);
  vector_free(&work->news);
}

/* What an order costs, about: its gates, and words that are read again after
   so many steps that registers and shared memory will not have them. */
static uint64_t estimate(const Order *order) {
  enum { FAR = 400 };
  uint32_t *used = memory_new((order->value_count + 1) * sizeof *used);
  uint64_t cost = order->steps.count;
  for (uint32_t i = 0; i < order->steps.count; i++) {
    const OrderStep *step = &order->steps.data[i];
    Value inputs[3];
    uint32_t count = list_inputs(step, inputs);
    for (uint32_t k = 0; k < count; k++) {
      if (used[inputs[k]] && i + 1 - used[inputs[k]] > FAR) cost += LOAD;
      used[inputs[k]] = i + 1;
    }
    used[step->result] = i + 1;
  }
  memory_delete(used);
  return cost;
}

bool reorder_make(const Order *order, uint32_t inputs, const Value *wanted,
                  uint32_t wanted_count, Order *made) {
  if (order_loops(order)) return false;
  Work work = {.order = order, .inputs = inputs, .made = made};
  *made = (Order){.value_count = order->value_count};
  work_init(&work, wanted, wanted_count);
  for (uint32_t i = 0; i < wanted_count; i++) visit(&work, wanted[i]);
  work_free(&work);
  vector_push(&made->segments, ((OrderSegment){0, made->steps.count, false}));
  if (estimate(made) < estimate(order)) return true;
  order_free(made);
  return false;
}
