/* A match as the page knows it: the MATCH of docs/api.md, kept up to date from the
   events of its stream. Every function here is pure; `applied` returns a new match
   that shares what did not change.

   Invariants: steps[i].number is i; a thought in `live` is about the last step;
   what was thought in state n lies in steps[n + 1].thoughts once the step is made; a list
   of legal moves is the same object as long as it says the same. Until the rules are
   read, a match has no head. */

const NO_HEAD = { game: null, title: "Match", roles: [], start: 0, play: 0, scene: null, stylesheet: false, sum: null };
const NO_TURN = { phase: "loading", step: 0, thinking: [], asked: [], chosen: [], legal: [], undo: false, left: null, message: "", goals: null };

export function matchOf(data) {
  return {
    ...data,
    head: data.head ?? NO_HEAD,
    steps: data.steps ?? [],
    turn: data.turn ?? NO_TURN,
    live: data.live ?? [],
    watchers: null,
    gone: false,
  };
}

/* The turn with lists of moves of the one before where they say the same. */
function steady(before, turn) {
  if (before.step !== turn.step) return turn;
  const legal = turn.legal.map((moves, r) => (sameMoves(before.legal[r], moves) ? before.legal[r] : moves));
  return { ...turn, legal };
}

function sameMoves(a, b) {
  return a?.length === b?.length && (a ?? []).every((move, i) => move.move === b[i].move);
}

const changes = {
  match: (match, data) => {
    const next = matchOf(data);
    return { ...next, turn: steady(match.turn, next.turn), watchers: match.watchers };
  },
  step: (match, step) => ({
    ...match,
    steps: [...match.steps.slice(0, step.number), step],
    live: [],
  }),
  back: (match, { step }) => ({
    ...match,
    steps: match.steps.slice(0, step + 1),
    live: [],
  }),
  turn: (match, turn) => ({ ...match, turn: steady(match.turn, turn) }),
  live: (match, thought) => {
    if (thought.step !== last(match)) return match;
    const live = [...match.live];
    live[thought.role] = thought;
    return { ...match, live };
  },
  watchers: (match, { count }) => ({ ...match, watchers: count }),
  end: (match) => ({ ...match, gone: true }),
};

export const EVENTS = Object.keys(changes);

export function applied(match, event, data) {
  return changes[event](match, data);
}

export function last(match) {
  return Math.max(0, match.steps.length - 1);
}

export function isOver(match) {
  return match.turn.phase === "over" || match.turn.phase === "failed";
}

/* Goals of all roles if the match is over, else null. */
export function goalsOf(match) {
  return match.turn.goals ?? match.steps[last(match)]?.state.goals ?? null;
}

/* Roles played by persons on this page. */
export function persons(match) {
  return match.head.roles.flatMap((role, r) => (role.player === "human" ? [r] : []));
}

/* Roles whose moves led to this state: those that had a choice or, if nobody had one,
   those whose move names a place. */
export function movers(step) {
  const moves = step.moves ?? [];
  const those = (fits) => moves.flatMap((move, r) => (move && fits(move, r) ? [r] : []));
  const free = those((_, r) => !step.idle[r]);
  return free.length ? free : those((move) => move.board !== null && move.path.length > 0);
}

/* True if two roles take turns, so that moves can be listed in pairs. */
export function takesTurns(match) {
  if (match.head.roles.length !== 2) return false;
  return match.steps.every((step) => movers(step).length < 2);
}

/* Persons who choose in this turn, whether they have chosen or not. */
export function choosers(turn) {
  return turn.legal.flatMap((moves, r) => (moves?.length ? [r] : []));
}

/* True if a person has chosen and nobody else is to choose: the step is being made. */
export function isSettled({ turn }, role) {
  return Boolean(turn.chosen[role]) && !turn.asked.length && turn.thinking.every((r) => r === role);
}

/* What was thought in state n: [thought], in the order of roles. */
export function thoughtsAt(match, n) {
  const thoughts = n < last(match) ? match.steps[n + 1].thoughts : match.live;
  return (thoughts ?? []).filter((thought) => thought?.moves);
}

/* The goals that are expected in state n, by role; null where nobody says. What a role
   thinks of itself counts more than what others think of it. */
function valuesAt(match, n) {
  const count = match.head.roles.length;
  const goals = match.steps[n]?.state.goals ?? (n === last(match) ? match.turn.goals : null);
  if (goals) return goals;
  const values = new Array(count).fill(null);
  for (const thought of thoughtsAt(match, n)) {
    if (!Number.isFinite(thought.value)) continue;
    thought.values?.forEach((value, r) => (values[r] ??= value));
    values[thought.role] = thought.value;
  }
  const { sum } = match.head;
  if (count === 2 && Number.isFinite(sum))
    for (const r of [0, 1]) if (values[r] === null && values[1 - r] !== null) values[r] = sum - values[1 - r];
  return values;
}

/* [{step, values by role}] of all states of which something is known. */
export function expectations(match) {
  return match.steps
    .map((step) => ({ step: step.number, values: valuesAt(match, step.number) }))
    .filter(({ values }) => values.some((value) => value !== null));
}

/* Rows of the step list: [{number, cells: [{step, role, move}]}]. In a game of two
   roles in turn a row has a move of each; otherwise a row is one joint move. Roles
   without a choice are left out; a step without any choice shows nothing but itself. */
export function rowsOf(match) {
  const pairs = takesTurns(match);
  const rows = [];
  for (const step of match.steps.slice(1)) {
    const cells = movers(step).map((role) => ({ step: step.number, role, move: step.moves[role] }));
    if (!cells.length) cells.push({ step: step.number, role: null, move: null });
    const row = rows.at(-1);
    const follows = pairs && row && row.cells.length === 1 && row.cells[0].role === 0 && cells[0].role === 1;
    if (follows) row.cells.push(...cells);
    else rows.push({ number: rows.length + 1, cells });
  }
  return rows;
}
