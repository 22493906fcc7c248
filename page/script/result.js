/* How a match ended, in words and numbers. `roles` are those of a record: {name, label,
   goal}; `end` is how it ended, "ended" if by the rules. */

const ENDS = {
  "cut off": "Cut off at the limit of steps",
  stuck: "Somebody had no move",
  illegal: "Somebody made an illegal move",
  failed: "Broken off by an error",
  stopped: "Broken off",
};

export function result({ roles, end }) {
  const goals = roles.map((role) => role.goal);
  if (end !== "ended") return ENDS[end] ?? "Not finished";
  if (goals.length === 0 || goals.includes(null)) return "Finished";
  if (roles.length === 1) return `${goals[0]} of 100 points`;
  return compare(roles, goals);
}

function compare(roles, goals) {
  const best = Math.max(...goals);
  const winners = roles.filter((role) => role.goal === best);
  if (winners.length === roles.length) return `Draw, ${best}\u00a0each`;
  const others = goals.filter((goal) => goal !== best).join(" and ");
  const names = winners.map((role) => role.name).join(" and ");
  return winners.length === 1 ? `${names} won, ${best}\u00a0to\u00a0${others}` : `${names} share the win, ${best} each, ${others} for the rest`;
}
