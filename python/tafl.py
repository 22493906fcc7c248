"""General game playing: load games in GDL, play, simulate and search them.

    import tafl

    with tafl.load("ticTacToe.kif") as game:
        position = game.position()
        agent = game.agent("tafl", role="x")
        while not position.terminal:
            thought = agent.think(position, seconds=0.1)
            position.make(x=thought.move, o=position.legal("o")[0])
        print(position.goals)

This module calls the C library libtafl through ctypes; there is nothing to build.
The library is looked for, in this order: at the path in the environment variable
TAFL_LIBRARY, beside this file, in the folders `build` and `lib` around it, and by
the system's loader.

Roles are given by name or by number, moves by text or by their number in the list of
legal moves. Every failure raises a subclass of `Error`, whose `status` is the code of
the C library. Objects are closed by `with`, by `close()`, or when Python forgets
them. One thread at a time may use an object; different objects may be used by
different threads at once, and long calls release Python's lock. `tafl.h` has the
details.
"""

import array
import ctypes
import ctypes.util
import os
import pathlib
from collections import namedtuple

__all__ = [
    "Agent", "AgentError", "ArgumentError", "Choice", "Diagnostic", "EngineError",
    "Error", "FileError", "Game", "LimitError", "MemoryLimitError", "MoveError",
    "Playouts", "Position", "RulesError", "StateError", "Thought", "load", "loads",
    "version",
]

# ---- errors ----


class Error(Exception):
    """A call of the library failed; `status` says how, the text why."""

    status = 0

    def __init__(self, message, diagnostics=(), text=""):
        super().__init__(message)
        #: What is wrong with the text of a game, as a list of `Diagnostic`.
        self.diagnostics = list(diagnostics)
        #: The same as a compiler would print it, with lines and carets.
        self.text = text


class ArgumentError(Error, ValueError):
    """The call is wrong: a role that does not exist, an option out of range."""

    status = 1


class FileError(Error, OSError):
    """The file cannot be read."""

    status = 2


class RulesError(Error):
    """The text is not a valid game; see `diagnostics` and `text`."""

    status = 3


class EngineError(Error):
    """The engine asked for cannot play this game within the limits."""

    status = 4


class MoveError(Error):
    """The move is not legal here."""

    status = 5


class StateError(Error):
    """The facts are not a state, the game is over, or nothing can be undone."""

    status = 6


class AgentError(Error):
    """The text does not name an agent."""

    status = 7


class LimitError(Error):
    """A limit of the rules engine was reached; the object can only be closed."""

    status = 8


class MemoryLimitError(Error, MemoryError):
    """The memory limit of an object was reached; it can only be closed."""

    status = 9


_errors = {kind.status: kind for kind in Error.__subclasses__()}

# ---- the C library ----


class _Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("engine", ctypes.c_int),
        ("memory", ctypes.c_uint64),
        ("ground_seconds", ctypes.c_double),
        ("state_seconds", ctypes.c_double),
    ]


class _Diagnostic(ctypes.Structure):
    _fields_ = [
        ("is_error", ctypes.c_int),
        ("line", ctypes.c_uint32),
        ("column", ctypes.c_uint32),
        ("id", ctypes.c_char_p),
        ("message", ctypes.c_char_p),
    ]


class _Budget(ctypes.Structure):
    _fields_ = [
        ("seconds", ctypes.c_double),
        ("simulations", ctypes.c_uint64),
        ("states", ctypes.c_uint64),
    ]


class _Choice(ctypes.Structure):
    _fields_ = [
        ("move", ctypes.c_char_p),
        ("number", ctypes.c_uint32),
        ("is_proven", ctypes.c_int),
        ("visits", ctypes.c_uint64),
        ("value", ctypes.c_double),
    ]


class _Thought(ctypes.Structure):
    _fields_ = [
        ("move", ctypes.c_char_p),
        ("number", ctypes.c_uint32),
        ("is_searched", ctypes.c_int),
        ("is_proven", ctypes.c_int),
        ("is_stopped", ctypes.c_int),
        ("value", ctypes.c_double),
        ("seconds", ctypes.c_double),
        ("depth", ctypes.c_double),
        ("simulations", ctypes.c_uint64),
        ("states", ctypes.c_uint64),
        ("nodes", ctypes.c_uint64),
        ("choices", ctypes.POINTER(_Choice)),
        ("choice_count", ctypes.c_uint32),
        ("line_length", ctypes.c_uint32),
        ("line", ctypes.POINTER(ctypes.c_char_p)),
        ("explanation", ctypes.c_char_p),
    ]


_handle = ctypes.c_void_p
_handle_out = ctypes.POINTER(ctypes.c_void_p)
_strings = ctypes.POINTER(ctypes.c_char_p)
_number = ctypes.c_uint32
_number_out = ctypes.POINTER(ctypes.c_uint32)
_int_out = ctypes.POINTER(ctypes.c_int)

_functions = {
    # name: (result, arguments); a result of None is a status to be checked
    "version": (ctypes.c_char_p, []),
    "message": (ctypes.c_char_p, []),
    "status_name": (ctypes.c_char_p, [ctypes.c_int]),
    "options_init": (None, [ctypes.POINTER(_Options), ctypes.c_size_t]),
    "game_load": (ctypes.c_int, [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(_Options),
        _handle_out, _handle_out]),
    "game_load_file": (ctypes.c_int, [
        ctypes.c_char_p, ctypes.POINTER(_Options), _handle_out, _handle_out]),
    "game_close": (None, [_handle]),
    "game_engine": (ctypes.c_int, [_handle]),
    "game_reason": (ctypes.c_char_p, [_handle]),
    "game_role_count": (_number, [_handle]),
    "game_role": (ctypes.c_char_p, [_handle, _number]),
    "report_count": (_number, [_handle]),
    "report_get": (ctypes.POINTER(_Diagnostic), [_handle, _number]),
    "report_text": (ctypes.c_char_p, [_handle]),
    "report_close": (None, [_handle]),
    "position_new": (ctypes.c_int, [_handle, _handle_out]),
    "position_copy": (ctypes.c_int, [_handle, _handle_out]),
    "position_close": (None, [_handle]),
    "position_reset": (ctypes.c_int, [_handle]),
    "position_enter": (ctypes.c_int, [_handle, _strings, _number]),
    "position_legal": (ctypes.c_int, [
        _handle, _number, ctypes.POINTER(_strings), _number_out]),
    "position_make": (ctypes.c_int, [_handle, _number_out]),
    "position_undo": (ctypes.c_int, [_handle]),
    "position_steps": (_number, [_handle]),
    "position_terminal": (ctypes.c_int, [_handle, _int_out]),
    "position_goals": (ctypes.c_int, [_handle, _int_out]),
    "position_facts": (ctypes.c_int, [
        _handle, ctypes.POINTER(_strings), _number_out]),
    "position_hash": (ctypes.c_int, [_handle, ctypes.POINTER(ctypes.c_uint64)]),
    "position_playouts": (ctypes.c_int, [
        _handle, _number, ctypes.c_uint64, _number, ctypes.c_void_p, ctypes.c_void_p,
        ctypes.c_void_p]),
    "agent_new": (ctypes.c_int, [
        _handle, ctypes.c_char_p, _number, ctypes.c_uint64, _handle_out]),
    "agent_close": (None, [_handle]),
    "agent_think": (ctypes.c_int, [
        _handle, _handle, ctypes.POINTER(_Budget), ctypes.POINTER(_Thought)]),
    "agent_stop": (None, [_handle]),
}


def _candidates():
    if "TAFL_LIBRARY" in os.environ:
        yield os.environ["TAFL_LIBRARY"]
        return
    here = pathlib.Path(__file__).resolve().parent
    for folder in (here, here.parent / "build", here.parent.parent,
                   here.parent.parent / "lib"):
        path = folder / "libtafl.so.0"
        if path.exists():
            yield str(path)
    yield ctypes.util.find_library("tafl") or "libtafl.so.0"


def _load_library():
    problem = None
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            problem = error
            continue
        for name, (result, arguments) in _functions.items():
            function = getattr(library, "tafl_" + name)
            function.restype, function.argtypes = result, arguments
        return library
    raise ImportError(f"libtafl was not found (set TAFL_LIBRARY): {problem}")


_library = _load_library()


def _call(name, *arguments):
    return getattr(_library, "tafl_" + name)(*arguments)


def _check(name, *arguments):
    """Calls a function that returns a status; raises what it means."""
    status = _call(name, *arguments)
    if status:
        raise _errors[status](_call("message").decode())


def _text(strings, count):
    return [strings[i].decode() for i in range(count)]


def version():
    """The version of the C library, such as "0.1.0"."""
    return _call("version").decode()


# ---- what calls return ----

Diagnostic = namedtuple("Diagnostic", "is_error line column id message")
Diagnostic.__doc__ = "An error or warning about the text of a game, and its place."

Choice = namedtuple("Choice", "move number visits value is_proven")
Choice.__doc__ = "What a search thinks of one legal move."

Thought = namedtuple(
    "Thought",
    "move number is_searched is_proven is_stopped value seconds depth simulations "
    "states nodes choices line explanation")
Thought.__doc__ = """What came of thinking.

`move` is the best move, `number` its number among the legal ones. The rest means
something only if `is_searched`: `choices` lists the legal moves as `Choice`, best
first; `line` the joint moves expected to follow, each a tuple with a move for each
role."""


class Playouts:
    """Results of random playouts, as flat arrays that NumPy reads without copying.

    `goals` has an entry for each playout and role (`numpy.array(p.goals).reshape(-1,
    p.roles)`), -1 if the playout did not end; `lengths` counts joint moves; `ends`
    is `ENDED`, `CUT_OFF` or `STUCK`.
    """

    ENDED, CUT_OFF, STUCK = 0, 1, 2

    def __init__(self, roles, goals, lengths, ends):
        self.roles, self.goals, self.lengths, self.ends = roles, goals, lengths, ends

    def __len__(self):
        return len(self.lengths)

    def mean_goals(self):
        """The mean goal of each role over playouts that gave it one."""
        means = []
        for role in range(self.roles):
            known = [goal for goal in self.goals[role::self.roles] if goal >= 0]
            means.append(sum(known) / len(known) if known else float("nan"))
        return means

    def mean_length(self):
        """The mean number of joint moves."""
        return sum(self.lengths) / len(self.lengths) if self.lengths else 0.0


# ---- objects ----


class _Object:
    """Something that the library made and that has to be closed."""

    _close = None  # the function that does

    def __init__(self, handle):
        self._handle = handle

    @property
    def _h(self):
        if not self._handle:
            raise ArgumentError(f"this {type(self).__name__.lower()} is closed")
        return self._handle

    def close(self):
        """Releases the object; it cannot be used any more."""
        handle, self._handle = self._handle, None
        if handle:
            _call(self._close, handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None) and _library:
            self.close()


class Game(_Object):
    """A loaded game. Made by `load` and `loads`."""

    _close = "game_close"

    def __init__(self, handle, diagnostics, text):
        super().__init__(handle)
        #: Warnings about the text, as a list of `Diagnostic`.
        self.diagnostics = diagnostics
        #: The same as a compiler would print it.
        self.text = text
        count = _call("game_role_count", handle)
        #: The names of the roles, in order.
        self.roles = [_call("game_role", handle, i).decode() for i in range(count)]

    @property
    def engine(self):
        """"circuit", the fast engine, or "rules"."""
        return {1: "circuit", 2: "rules"}[_call("game_engine", self._h)]

    @property
    def reason(self):
        """Why the engine is not the circuit; "" if it is or was not asked for."""
        return _call("game_reason", self._h).decode()

    def role(self, role):
        """The number of a role that is given by name or by number."""
        if isinstance(role, str):
            if role in self.roles:
                return self.roles.index(role)
        elif 0 <= role < len(self.roles):
            return role
        raise ArgumentError(f"no role {role!r}; there are {', '.join(self.roles)}")

    def position(self, facts=None):
        """A new `Position`: the initial state, or that with these facts."""
        handle = ctypes.c_void_p()
        _check("position_new", self._h, ctypes.byref(handle))
        position = Position(self, handle.value)
        if facts is not None:
            position.enter(facts)
        return position

    def agent(self, specification="tafl", role=0, seed=1):
        """A new `Agent` for a role: "tafl", "cadia2010:c=30", "random", …"""
        handle = ctypes.c_void_p()
        _check("agent_new", self._h, specification.encode(), self.role(role), seed,
               ctypes.byref(handle))
        return Agent(self, handle.value)

    def __repr__(self):
        return f"<tafl.Game {' '.join(self.roles)}>"


class Position(_Object):
    """A state of a game, and the moves that led to it. Made by `Game.position`."""

    _close = "position_close"

    def __init__(self, game, handle):
        super().__init__(handle)
        #: The `Game` it is a position of.
        self.game = game

    def copy(self):
        """Another position in the same state, with the same moves to undo."""
        handle = ctypes.c_void_p()
        _check("position_copy", self._h, ctypes.byref(handle))
        return Position(self.game, handle.value)

    def reset(self):
        """Goes to the initial state."""
        _check("position_reset", self._h)

    def enter(self, facts):
        """Goes to the state in which exactly these facts are true."""
        texts = [fact.encode() for fact in facts]
        _check("position_enter", self._h, (ctypes.c_char_p * len(texts))(*texts),
               len(texts))

    def legal(self, role):
        """The legal moves of a role, as a list of texts."""
        moves, count = _strings(), ctypes.c_uint32()
        _check("position_legal", self._h, self.game.role(role), ctypes.byref(moves),
               ctypes.byref(count))
        return _text(moves, count.value)

    def make(self, *moves, **by_role):
        """Makes a joint move: one move for each role, in order or by name.

        Each is a text or a number in the list of legal moves. A role that is not
        named must have exactly one legal move, which it then makes.
        """
        if len(moves) == 1 and isinstance(moves[0], (list, tuple)):
            moves = tuple(moves[0])
        if moves and (by_role or len(moves) != len(self.game.roles)):
            raise ArgumentError(f"{len(self.game.roles)} moves are needed")
        chosen = dict(enumerate(moves))
        chosen.update((self.game.role(role), move) for role, move in by_role.items())
        joint = [self._find(role, chosen.get(role)) for role in
                 range(len(self.game.roles))]
        _check("position_make", self._h, (ctypes.c_uint32 * len(joint))(*joint))

    def _find(self, role, move):
        if isinstance(move, int):
            if move < 0:
                raise MoveError(f"{move} is not the number of a legal move")
            return move
        legal = self.legal(role)
        if move is None:
            if len(legal) == 1:
                return 0
            raise MoveError(f"{self.game.roles[role]} has a choice of "
                            f"{len(legal)} moves")
        if move in legal:
            return legal.index(move)
        plain = " ".join(move.replace("(", " ( ").replace(")", " ) ").split())
        plain = plain.replace("( ", "(").replace(" )", ")")
        if plain in legal:
            return legal.index(plain)
        raise MoveError(f"{move} is not a legal move of {self.game.roles[role]}")

    def undo(self):
        """Takes the last joint move back."""
        _check("position_undo", self._h)

    @property
    def steps(self):
        """How many joint moves can be undone."""
        return _call("position_steps", self._h)

    @property
    def terminal(self):
        """Whether the game is over here."""
        terminal = ctypes.c_int()
        _check("position_terminal", self._h, ctypes.byref(terminal))
        return bool(terminal.value)

    @property
    def goals(self):
        """The goal of each role here; None where the rules give none."""
        goals = (ctypes.c_int * len(self.game.roles))()
        _check("position_goals", self._h, goals)
        return [goal if goal >= 0 else None for goal in goals]

    @property
    def facts(self):
        """The facts that are true here, sorted."""
        facts, count = _strings(), ctypes.c_uint32()
        _check("position_facts", self._h, ctypes.byref(facts), ctypes.byref(count))
        return _text(facts, count.value)

    @property
    def hash(self):
        """A 64-bit number for the set of true facts, the same in every process."""
        number = ctypes.c_uint64()
        _check("position_hash", self._h, ctypes.byref(number))
        return number.value

    def playouts(self, count, seed=1, step_limit=1000):
        """Plays `count` random games from here; returns `Playouts`."""
        roles = len(self.game.roles)
        goals = array.array("b", bytes(count * roles))
        lengths = array.array("I", bytes(4 * count))
        ends = array.array("B", bytes(count))
        _check("position_playouts", self._h, count, seed, step_limit,
               goals.buffer_info()[0], lengths.buffer_info()[0],
               ends.buffer_info()[0])
        return Playouts(roles, goals, lengths, ends)

    def __repr__(self):
        return f"<tafl.Position after {self.steps} moves>"


class Agent(_Object):
    """Someone who chooses moves for a role. Made by `Game.agent`."""

    _close = "agent_close"

    def __init__(self, game, handle):
        super().__init__(handle)
        #: The `Game` it plays.
        self.game = game

    def think(self, position, seconds=0, simulations=0, states=0):
        """Thinks until the first limit is reached; returns a `Thought`.

        Without any limit it thinks for a second; `seconds=float("inf")` means until
        `stop` or a proof. What it learned is kept from one move of a match to the
        next.
        """
        if not seconds and not simulations and not states:
            seconds = 1
        budget = _Budget(seconds, simulations, states)
        found = _Thought()
        _check("agent_think", self._h, position._h, ctypes.byref(budget),
               ctypes.byref(found))
        choices = [
            Choice(c.move.decode(), c.number, c.visits, c.value, bool(c.is_proven))
            for c in found.choices[:found.choice_count]]
        roles = len(self.game.roles)
        moves = _text(found.line, found.line_length * roles)
        line = [tuple(moves[i:i + roles]) for i in range(0, len(moves), roles)]
        return Thought(
            found.move.decode(), found.number, bool(found.is_searched),
            bool(found.is_proven), bool(found.is_stopped), found.value, found.seconds,
            found.depth, found.simulations, found.states, found.nodes, choices, line,
            found.explanation.decode())

    def stop(self):
        """Ends the thinking under way; may be called by another thread."""
        _call("agent_stop", self._h)


# ---- loading ----


def _take_report(handle):
    if not handle:
        return [], ""
    diagnostics = []
    for i in range(_call("report_count", handle)):
        d = _call("report_get", handle, i).contents
        diagnostics.append(Diagnostic(bool(d.is_error), d.line, d.column,
                                      d.id.decode(), d.message.decode()))
    text = _call("report_text", handle).decode(errors="replace")
    _call("report_close", handle)
    return diagnostics, text


def _load(function, arguments, engine, memory, ground_seconds, state_seconds):
    options = _Options()
    _call("options_init", ctypes.byref(options), ctypes.sizeof(options))
    engines = {"auto": 0, "circuit": 1, "rules": 2}
    if engine not in engines:
        raise ArgumentError(f"no engine {engine!r}; there are {', '.join(engines)}")
    options.engine = engines[engine]
    for name, value in (("memory", memory), ("ground_seconds", ground_seconds),
                        ("state_seconds", state_seconds)):
        if value is not None:
            setattr(options, name, value)
    game, report = ctypes.c_void_p(), ctypes.c_void_p()
    status = _call(function, *arguments, ctypes.byref(options), ctypes.byref(game),
                   ctypes.byref(report))
    message = _call("message").decode(errors="replace") if status else ""
    diagnostics, text = _take_report(report.value)
    if status:
        raise _errors[status](message, diagnostics, text)
    return Game(game.value, diagnostics, text)


def loads(text, name="game", engine="auto", memory=None, ground_seconds=None,
          state_seconds=None):
    """Loads a game from its rules as text; returns a `Game`.

    `engine` is "auto", "circuit" or "rules". `memory` limits each object, in bytes;
    `ground_seconds` the time for compiling rules into a circuit; `state_seconds` that
    of the rules engine in one state. None means the default of the C library.
    """
    data = text.encode() if isinstance(text, str) else bytes(text)
    return _load("game_load", (data, len(data), name.encode()), engine, memory,
                 ground_seconds, state_seconds)


def load(path, engine="auto", memory=None, ground_seconds=None, state_seconds=None):
    """Loads a game from a file; returns a `Game`. See `loads`."""
    return _load("game_load_file", (os.fsencode(path),), engine, memory,
                 ground_seconds, state_seconds)
