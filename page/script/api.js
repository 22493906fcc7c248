/* The server's interface (docs/api.md) as functions. Paths are given without "api/".

   The token: an address that ends in #token=… hands it over once; it is then kept for
   this window alone (sessionStorage) and taken out of the address. If a request is
   refused for want of one, a person is asked (onTokenNeeded) and the request repeated.

   The connection: a request that finds no server reports "gone", the next one that finds
   it reports "back"; while it is gone, we look for it ourselves. */

const KEY = "tafl-token";

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.name = "ApiError";
    this.status = status; /* 0: there was no answer */
  }
}

let token = kept();
let askForToken = null;
let asking = null;
let reportConnection = null;
let gone = false;
let known = null;

function kept() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(given) {
  token = given;
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    /* It lasts until the page is loaded again. */
  }
}

/* Takes the token out of the address, if there is one: then the address is that of Home. */
export function takeToken() {
  const given = /^#token=([A-Za-z0-9._~-]+)/.exec(location.hash);
  if (!given) return;
  keep(given[1]);
  history.replaceState(null, "", "#/");
}

/* ask(wrong) -> promise of a token or null; wrong: the one we had was refused. */
export function onTokenNeeded(ask) {
  askForToken = ask;
}

/* report(true) when the server is there again, report(false) when it is gone. */
export function onConnection(report) {
  reportConnection = report;
}

export const get = (path, params) => ask("GET", address(path, params));
export const post = (path, body) => ask("POST", address(path), body ?? {});
export const del = (path) => ask("DELETE", address(path));

/* GET api/server, asked once. */
export function server() {
  known ??= get("server").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

/* The address of a file under api/, such as a chart. */
export function address(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value !== null && value !== undefined && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return "api/" + path + (text ? "?" + text : "");
}

async function ask(method, url, body) {
  const answer = await send(method, url, body);
  if (answer.status === 401 && askForToken && (await obtainToken())) return read(await send(method, url, body));
  return read(answer);
}

async function send(method, url, body) {
  const headers = { Accept: "application/json" };
  if (token && method !== "GET") headers.Authorization = "Bearer " + token;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const answer = await fetch(url, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
    });
    connected(true);
    return answer;
  } catch {
    connected(false);
    throw new ApiError(0, "The server does not answer. Is it still running?");
  }
}

async function read(answer) {
  let value = null;
  try {
    value = await answer.json();
  } catch {
    if (answer.ok) throw new ApiError(answer.status, "The server's answer cannot be read.");
  }
  if (!answer.ok) throw new ApiError(answer.status, value?.error ?? `The server says ${answer.status}.`);
  return value;
}

/* Several requests may be refused at once: one question serves all. */
async function obtainToken() {
  asking ??= askForToken(token !== null).finally(() => (asking = null));
  const given = await asking;
  if (!given) return false;
  keep(given);
  return true;
}

function connected(now) {
  if (gone === !now) return;
  gone = !now;
  reportConnection?.(now);
  if (gone) setTimeout(look, 1500);
}

async function look() {
  if (!gone) return;
  try {
    await fetch(address("server"), { cache: "no-store", credentials: "omit" });
    known = null;
    connected(true);
  } catch {
    setTimeout(look, 1500);
  }
}

const REST = 60000; /* milliseconds */

/* Events of a stream: handlers[event](data). It connects again by itself until the event
   `end`, or until the server says that there is no such stream: then handlers.gone(), if
   there is one, is called. A browser has six connections to a server for all its windows:
   one that was hidden for a minute gives its own back until it is seen again. Returns a
   function that closes. */
export function listen(path, handlers) {
  let source = null; /* null: between two connections */
  let timer = 0;
  let state = "awake"; /* or "asleep", or "closed" for good */

  function shut(now) {
    state = now;
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function close() {
    shut("closed");
    document.removeEventListener("visibilitychange", seen);
  }

  function open() {
    const mine = new EventSource(address(path));
    source = mine;
    mine.onopen = () => connected(true);
    mine.onerror = () => mine === source && lost();
    for (const [event, handler] of Object.entries(handlers)) {
      if (event !== "gone") mine.addEventListener(event, (message) => hear(event, handler, message));
    }
    if (!handlers.end) mine.addEventListener("end", close);
  }

  function hear(event, handler, message) {
    if (state !== "awake" || typeof message.data !== "string") return;
    if (event === "end") close();
    handler(JSON.parse(message.data || "null"));
  }

  /* A browser connects again after a broken connection, not after a refusal: ask why. */
  async function lost() {
    source.close();
    source = null;
    try {
      const status = await statusOf(path);
      connected(true);
      if (status === 404 && state !== "closed") {
        close();
        handlers.gone?.();
      }
    } catch {
      connected(false);
    }
    if (state === "awake" && !source) later(open, 1500);
  }

  function seen() {
    clearTimeout(timer);
    if (document.hidden) {
      later(() => shut("asleep"), REST);
      return;
    }
    state = "awake";
    if (!source) open();
  }

  function later(act, milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  }

  document.addEventListener("visibilitychange", seen);
  open();
  return close;
}

async function statusOf(path) {
  const stop = new AbortController();
  const answer = await fetch(address(path), { signal: stop.signal, cache: "no-store", credentials: "omit" });
  stop.abort();
  return answer.status;
}
