"""Tests of the Python module: python3 test_tafl.py prints TAP lines."""

import gc
import pathlib
import sys
import tempfile
import threading
import time
import unittest

import tafl

GAMES = pathlib.Path(__file__).resolve().parent.parent / "games"
TICTACTOE = GAMES / "ticTacToe.kif"
X_WINS = ["(cell 1 1 x)", "(cell 1 2 x)", "(cell 1 3 b)", "(cell 2 1 o)",
          "(cell 2 2 o)", "(cell 2 3 b)", "(cell 3 1 b)", "(cell 3 2 b)",
          "(cell 3 3 b)", "(control x)"]


class Games(unittest.TestCase):
    def test_load(self):
        with tafl.load(TICTACTOE) as game:
            self.assertEqual(game.roles, ["x", "o"])
            self.assertEqual(game.engine, "circuit")
            self.assertEqual(game.reason, "")
            self.assertEqual(game.diagnostics, [])
            self.assertEqual(game.role("o"), 1)
            self.assertEqual(game.role(0), 0)
        with self.assertRaises(tafl.ArgumentError):
            game.position()  # closed
        with tafl.loads(TICTACTOE.read_text(), engine="rules") as game:
            self.assertEqual(game.engine, "rules")
        with tafl.load(GAMES / "chess.kif", ground_seconds=1e-9) as game:
            self.assertEqual(game.engine, "rules")
            self.assertTrue(game.reason)
        self.assertRegex(tafl.version(), r"^\d+\.\d+\.\d+$")

    def test_errors(self):
        with self.assertRaises(tafl.RulesError) as caught:
            tafl.loads("(role x)\n(<= (legal x ?m) (p))\n", name="my.kif")
        error = caught.exception
        self.assertEqual(error.status, 3)
        self.assertTrue(any(d.is_error and d.line == 2 for d in error.diagnostics))
        self.assertIn("my.kif:2:", error.text)
        self.assertIn("^", error.text)
        for arguments, kind in (
                ({"path": GAMES / "nowhere.kif"}, tafl.FileError),
                ({"path": TICTACTOE, "engine": "steam"}, tafl.ArgumentError),
                ({"path": TICTACTOE, "memory": 1000}, tafl.MemoryLimitError),
                ({"path": GAMES / "chess.kif", "engine": "circuit",
                  "ground_seconds": 1e-9}, tafl.EngineError)):
            with self.subTest(kind=kind), self.assertRaises(kind):
                tafl.load(**arguments)
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(OSError):
                tafl.load(folder)

    def test_all_errors_have_their_status(self):
        self.assertEqual(sorted(tafl._errors), list(range(1, 10)))
        for status, kind in tafl._errors.items():
            name = tafl._call("status_name", status).decode()
            self.assertTrue(name.startswith("TAFL_ERROR_"), name)
            word = name[len("TAFL_ERROR_"):].capitalize()
            self.assertTrue(kind.__name__.startswith(word))


class Positions(unittest.TestCase):
    def setUp(self):
        self.game = tafl.load(TICTACTOE)

    def tearDown(self):
        self.game.close()

    def test_moves(self):
        position = self.game.position()
        self.assertEqual(len(position.legal("x")), 9)
        self.assertEqual(position.legal(1), ["noop"])
        first = position.hash
        position.make("(mark 2 2)", "noop")
        position.make(o="( mark 1  1 )")  # x has one move only
        position.make([0, 0])
        self.assertEqual(position.steps, 3)
        self.assertIn("(cell 2 2 x)", position.facts)
        copy = position.copy()
        self.assertEqual(copy.hash, position.hash)
        for _ in range(3):
            position.undo()
            copy.undo()
        self.assertEqual(position.hash, first)
        self.assertEqual(copy.hash, first)
        with self.assertRaises(tafl.StateError):
            position.undo()
        for wrong in (("(mark 4 4)", "noop"), (9, 0), (-1, 0)):
            with self.assertRaises(tafl.MoveError):
                position.make(*wrong)
        with self.assertRaises(tafl.MoveError):
            position.make(o="noop")  # x has a choice
        with self.assertRaises(tafl.ArgumentError):
            position.make("(mark 1 1)")
        with self.assertRaises(tafl.ArgumentError):
            position.legal("nobody")

    def test_enter(self):
        position = self.game.position(X_WINS)
        self.assertEqual(position.facts, sorted(X_WINS))
        self.assertFalse(position.terminal)
        position.make(x="(mark 1 3)")
        self.assertTrue(position.terminal)
        self.assertEqual(position.goals, [100, 0])
        with self.assertRaises(tafl.StateError):
            position.enter(["(cell 9 9 x)"])
        position.reset()
        self.assertEqual(position.hash, self.game.position().hash)

    def test_playouts(self):
        results = self.game.position().playouts(20000, seed=3)
        self.assertEqual(len(results), 20000)
        self.assertEqual(set(results.ends), {tafl.Playouts.ENDED})
        self.assertTrue(63.4 < results.mean_goals()[0] < 66.3)
        self.assertTrue(7.5 < results.mean_length() < 7.8)
        again = self.game.position().playouts(20000, seed=3)
        self.assertEqual(results.goals, again.goals)
        cut = self.game.position().playouts(10, step_limit=2)
        self.assertEqual(set(cut.ends), {tafl.Playouts.CUT_OFF})
        self.assertEqual(set(cut.goals), {-1})

    def test_lifetimes(self):
        position = self.game.position()
        agent = self.game.agent("legal")
        self.game.close()
        self.assertEqual(agent.think(position).move, "(mark 1 1)")
        position.close()
        position.close()
        with self.assertRaises(tafl.ArgumentError):
            position.hash
        del position, agent
        gc.collect()


class Agents(unittest.TestCase):
    def test_win_in_one(self):
        with tafl.load(TICTACTOE) as game:
            position = game.position(X_WINS)
            for name in ("tafl", "cadia2010:c=30"):
                with game.agent(name, "x") as agent:
                    thought = agent.think(position, simulations=500)
                self.assertEqual(thought.move, "(mark 1 3)")
                self.assertEqual(position.legal(0)[thought.number], thought.move)
                self.assertEqual(thought.choices[0].move, thought.move)
                self.assertEqual(len(thought.choices), 5)
                self.assertEqual(thought.line[0], ("(mark 1 3)", "noop"))
                self.assertIn("(mark 1 3)", thought.explanation)
            with self.assertRaises(tafl.AgentError):
                game.agent("nobody")
            with game.agent("random") as agent:
                thought = agent.think(position)
                self.assertFalse(thought.is_searched)
                self.assertEqual(thought.choices, [])

    def test_stop(self):
        with tafl.load(GAMES / "connectFour.kif") as game:
            agent, position = game.agent("tafl:memory=16"), game.position()
            timer = threading.Timer(0.05, agent.stop)
            timer.start()
            start = time.monotonic()
            thought = agent.think(position, seconds=float("inf"))
            timer.join()
            self.assertTrue(thought.is_stopped)
            self.assertLess(time.monotonic() - start, 30)

    def test_two_threads(self):
        found = []

        def think(game):
            agent, position = game.agent("tafl", seed=5), game.position()
            found.append([c.visits for c in
                          agent.think(position, simulations=2000).choices])

        with tafl.load(TICTACTOE) as one, tafl.load(TICTACTOE) as other:
            threads = [threading.Thread(target=think, args=(game,))
                       for game in (one, one, other)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(len(found), 3)
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])


class Tap(unittest.TestResult):
    """Prints each test as a TAP line."""

    def _line(self, test, word, detail=""):
        print(f"{word} {self.testsRun} - {test.id().split('.', 1)[1]}", flush=True)
        for line in detail.splitlines():
            print("  " + line, flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._line(test, "ok")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._line(test, "not ok", self._exc_info_to_string(err, test))

    def addError(self, test, err):
        super().addError(test, err)
        self._line(test, "not ok", self._exc_info_to_string(err, test))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._line(subtest, "not ok", self._exc_info_to_string(err, test))


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = Tap()
    suite.run(result)
    sys.exit(not result.wasSuccessful())
