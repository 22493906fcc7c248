/* What is going on in a match, in plain words. Pure functions of a match
   (match/model.js); `me` is the list of roles that persons on this page play, empty
   for those who only watch. */

import { choosers, goalsOf, isSettled, last, movers, persons } from "./model.js";

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/* "a", "a and b", "a, b and c" */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function number(value, digits = 0) {
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

export function short(value) {
  return value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
}

/* Who plays a role: "you", "Tafl", or with the role where that says too little. */
export function actor(match, role, me) {
  const { roles } = match.head;
  if (me.includes(role)) return me.length === 1 ? "you" : roles[role].name;
  const label = labelOf(roles[role]);
  const same = roles.filter((other, r) => r !== role && labelOf(other) === label);
  return same.length ? `${label} (${roles[role].name})` : label;
}

export function labelOf(role) {
  return role.player === "human" ? "A person" : (role.label ?? role.player);
}

/* "You play white against Tafl." */
export function lineUp(match, me) {
  const { roles } = match.head;
  if (!roles.length) return "";
  if (roles.length === 1) return me.length ? "You play alone." : `${labelOf(roles[0])} plays alone.`;
  if (me.length === roles.length) return `You play all sides: ${listed(roles.map((role) => role.name))}.`;
  const others = roles.filter((_, r) => !me.includes(r)).map((role) => `${labelOf(role)} (${role.name})`);
  return me.length ? `You play ${listed(me.map((r) => roles[r].name))} against ${listed(others)}.` : `${listed(others)} play.`;
}

function thinkingWords(match, me) {
  const names = match.turn.thinking.filter((r) => !me.includes(r)).map((r) => actor(match, r, me));
  if (!names.length) return "";
  return `${capital(listed(names))} ${names.length > 1 ? "are" : "is"} thinking…`;
}

function choosingWords(match, me) {
  const { turn, head } = match;
  const waiting = turn.asked.filter((r) => me.includes(r));
  const together = choosers(turn).length + turn.thinking.filter((r) => !me.includes(r)).length > 1;
  if (waiting.length === 1 && me.length === 1)
    return together ? "Your move. All choose at once." : "Your move.";
  if (waiting.length) {
    const names = listed(waiting.map((r) => head.roles[r].name));
    return together ? `Waiting for ${names}: all choose at once.` : `${capital(names)} to move.`;
  }
  const chosen = choosers(turn).filter((r) => me.includes(r) && turn.chosen[r]);
  if (!chosen.length) return "";
  if (me.length > 1) return "All choices are made.";
  const { say } = turn.chosen[chosen[0]];
  return isSettled(match, chosen[0]) ? `You play ${say}.` : `You chose ${say}; you can still change it.`;
}

function playing(match, me) {
  const { turn } = match;
  const choice = choosingWords(match, me);
  const others = turn.asked.filter((r) => !me.includes(r)).map((r) => match.head.roles[r].name);
  const parts = [choice, choice === "Your move." ? "" : thinkingWords(match, me)];
  if (!choice && others.length) parts.push(`Waiting for ${listed(others)}.`);
  return parts.filter(Boolean).join(" ") || "One moment…";
}

/* "You won, 100 to 0." */
function resultWords(match, me) {
  const goals = goalsOf(match);
  if (!goals) return stopWords(match, me);
  if (goals.length === 1) return alone(goals[0], me.length > 0);
  const best = Math.max(...goals);
  const first = goals.flatMap((goal, r) => (goal === best ? [r] : []));
  const figures = (r) => [goals[r], ...goals.filter((_, other) => other !== r)].join(" to ");
  if (first.length === goals.length) return `A draw, ${goals.join(" to ")}.`;
  if (me.length === 1) {
    const mine = first.includes(me[0]);
    if (mine) return first.length === 1 ? `You won, ${figures(me[0])}.` : `You share the first place, ${figures(me[0])}.`;
    return `You lost, ${figures(me[0])}.`;
  }
  const winners = first.map((r) => winner(match, r, me));
  return first.length === 1
    ? `${capital(winners[0])} won, ${figures(first[0])}.`
    : `${capital(listed(winners))} share the first place, ${figures(first[0])}.`;
}

/* The end of a match that did not reach an end of the game. */
function stopWords(match, me) {
  const { message } = match.turn;
  if (!message) return "The match is over.";
  return me.length === 1 && message === `${match.head.roles[me[0]].name} resigned.` ? "You resigned." : capital(message);
}

function winner(match, role, me) {
  const { roles } = match.head;
  return me.includes(role) ? roles[role].name : `${labelOf(roles[role])} (${roles[role].name})`;
}

function alone(goal, mine) {
  if (goal === 100) return "Solved, 100 of 100 points!";
  return `${mine ? "You reached" : "It ended with"} ${goal} of 100 points.`;
}

/* One sentence of what is going on now. */
export function status(match, me) {
  const { phase } = match.turn;
  if (phase === "loading") return "Reading the rules…";
  if (phase === "starting") return "Getting ready…";
  if (phase === "failed") return "The match cannot go on.";
  if (phase === "over") return resultWords(match, me);
  return playing(match, me);
}

/* "white: e2 to e4" of all who had a choice. */
export function stepWords(match, step) {
  const { roles } = match.head;
  const parts = movers(step).map((r) => {
    const move = step.moves[r];
    const said = roles.length === 1 ? move.say : `${roles[r].name}: ${move.say}`;
    return move.error ? `${said} (${move.error})` : said;
  });
  return parts.join("; ") || (step.number ? "Nobody had a choice" : "The beginning");
}

export function placeWords(match, n) {
  const end = last(match);
  return n === 0 ? "The beginning" : `After move ${n} of ${end}: ${stepWords(match, match.steps[n])}`;
}

/* The roles that are played at this page: all of persons, or the one that the address
   names (role=1), or none (watch). */
export function meOf(match, query) {
  if (query.watch !== undefined || match.kind !== "page") return [];
  const all = persons(match);
  return query.role === undefined ? all : all.filter((r) => r === Number(query.role));
}
