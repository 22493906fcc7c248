/* What `tafl info` found out about a game, in words: a list of {term, text} from its
   document (GET /api/games/NAME, "facts"). What is not there is not said. */

/* How sure a finding is. */
const SURE = { proved: "proved", sampled: "true of all games that were tried" };

export function findings(facts) {
  const found = facts?.findings ?? {};
  return [
    players(facts, found),
    choice(facts, found),
    length(facts, found),
    chance(facts),
    goals(found),
    board(found),
    parts(found),
    symmetries(facts),
    text(facts),
    size(facts),
  ].filter(Boolean);
}

function players(facts, found) {
  const names = facts?.roles?.map((role) => role.name);
  if (!names?.length) return null;
  const kinds = { taken: "they move in turn", simultaneous: "they move at the same time", "one role": "" };
  const how = kinds[found.turns?.kind] ?? "";
  const sure = how ? proof(found.turns.evidence) : "";
  return { term: names.length === 1 ? "Player" : "Players", text: join([listing(names), how && how + sure], "; ") };
}

function choice(facts, found) {
  const roles = found.turns?.roles ?? [];
  const means = roles.filter((role) => role.choice_moves_mean > 0).map((role) => `${round(role.choice_moves_mean)} for ${role.role}`);
  if (means.length === 0) return null;
  const same = roles.length > 1 && new Set(roles.map((role) => round(role.choice_moves_mean))).size === 1;
  return { term: "Moves to choose from", text: "on average " + (same || roles.length === 1 ? round(roles[0].choice_moves_mean) : listing(means)) };
}

function length(facts, found) {
  const most = found.ends?.within_steps;
  const mean = facts?.length_mean > 0 && `a random game has about ${round(facts.length_mean)} moves`;
  return term("Length", join([mean, most && `it ends within ${most}${proof(found.ends.evidence)}`], "; "));
}

function chance(facts) {
  const roles = facts?.roles ?? [];
  if (!facts?.sample_games || roles.some((role) => typeof role.goal_mean !== "number")) return null;
  const means = roles.map((role) => (roles.length === 1 ? `${round(role.goal_mean)} points` : `${role.name} ${round(role.goal_mean)}`));
  return { term: "Random play gets", text: `${listing(means)} of 100, on average of ${facts.sample_games} games` };
}

function goals(found) {
  const roles = found.goals?.roles ?? [];
  if (roles.length === 0) return null;
  const least = Math.min(...roles.map((role) => role.least));
  const most = Math.max(...roles.map((role) => role.most));
  const sum = found.goals.constant_sum;
  const together = typeof sum === "number" && roles.length > 1 && `together always ${sum}${proof(found.goals.sum_evidence)}`;
  return { term: "Points", text: join([`from ${least} to ${most}`, together], "; ") };
}

function board(found) {
  const boards = found.boards ?? [];
  return term(boards.length > 1 ? "Boards" : "Board", listing(boards.map((one) => `${one.predicate} with ${count(one.places, "place")}`)));
}

function parts(found) {
  const number = found.subgames?.parts?.length ?? 0;
  return number > 1 ? { term: "Parts", text: `${number} that do not touch each other` } : null;
}

function symmetries(facts) {
  const number = facts?.symmetries;
  return number > 0 ? { term: "Symmetries", text: `${count(number, "way", "ways")} to turn, mirror or exchange parts of it and have the same game` } : null;
}

function text(facts) {
  if (!(facts?.rules >= 0)) return null;
  return { term: "Text", text: join([`${count(facts.rules, "rule")} and ${count(facts.facts, "fact")}`, facts.warnings > 0 && count(facts.warnings, "warning")], "; ") };
}

/* The circuit, or why there is none. */
function size(facts) {
  if (facts?.gates > 0) return { term: "As a circuit", text: `${count(facts.gates, "gate")} for ${count(facts.fluents, "fact")} that may hold or not` };
  return facts?.why ? { term: "As a circuit", text: `none: ${facts.why}` } : null;
}

const term = (name, words) => (words ? { term: name, text: words } : null);
const join = (list, by) => list.filter(Boolean).join(by);
const proof = (evidence) => (SURE[evidence] ? ` (${SURE[evidence]})` : "");
const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : (many ?? one + "s")}`;

function round(number) {
  return (number >= 10 ? Math.round(number) : Math.round(number * 10) / 10).toLocaleString("en");
}

/* "a", "a and b", "a, b and c" */
function listing(list) {
  if (list.length < 2) return list.join("");
  return `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
}
