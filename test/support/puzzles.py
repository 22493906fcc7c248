"""Small puzzles, each with what must be found out about it."""

COUNTER = "".join("(succ %d %d)" % (i, i + 1) for i in range(1, 12)) + """
(init (step 1))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
"""

# Two lamps that are switched together, one of them on: both on cannot be reached.
PARITY = COUNTER + """
(role robot) (init (on a))
(legal robot press) (legal robot wait)
(lamp a) (lamp b)
(<= (next (on ?x)) (lamp ?x) (does robot press) (not (true (on ?x))))
(<= (next (on ?x)) (does robot wait) (true (on ?x)))
(<= terminal (true (step 6)))
(<= (goal robot 100) (true (on a)) (true (on b)))
(<= (goal robot 70) (true (on b)) (not (true (on a))))
(<= (goal robot 30) (not (true (on b))))
"""

# It is over before it begins.
OVER = """
(role robot) (init done) (legal robot wait)
(<= (next done) (true done))
(<= terminal (true done)) (goal robot 42)
"""

# No move is legal, and it is not over.
STUCK = """
(role robot) (init a) (<= (legal robot go) (true b)) (<= (next b) (does robot go))
(<= terminal (true c)) (<= (next c) (true b)) (goal robot 100)
"""

# The lamp burns for two steps, once; it must burn at the end. Lit at once, the goal
# is 100 in between and falls again.
FALLING = COUNTER + """
(role robot)
(legal robot wait) (<= (legal robot light) (not (true used)))
(<= (next used) (does robot light)) (<= (next used) (true used))
(<= (next (burns 2)) (does robot light))
(<= (next (burns 1)) (true (burns 2)))
(<= lit (true (burns ?n)))
(<= terminal (true (step 7)))
(<= (goal robot 100) lit)
(<= (goal robot 10) (not lit))
"""

# The later it is stopped, the more it is worth; but not after the ninth step.
LATE = COUNTER + """
(role robot)
(legal robot wait) (legal robot stop)
(<= (next stopped) (does robot stop)) (<= (next stopped) (true stopped))
(<= (next (worth ?n)) (does robot stop) (true (step ?n)))
(<= terminal (true stopped)) (<= terminal (true (step 10)))
(value 1 0) (value 2 10) (value 3 20) (value 4 30) (value 5 40) (value 6 50)
(value 7 99) (value 8 20) (value 9 10)
(<= (goal robot ?v) (true (worth ?n)) (value ?n ?v))
(<= (goal robot 0) (not (true stopped)))
"""

# A ring of twelve rooms without a clock: five to the left is 100, the trap on the
# right is 20.
RING = "".join("(beside %d %d)" % (i, i % 12 + 1) for i in range(1, 13)) + """
(role robot) (init (at 1))
(legal robot left) (legal robot right) (legal robot stay)
(<= (next (at ?y)) (does robot right) (true (at ?x)) (beside ?x ?y))
(<= (next (at ?y)) (does robot left) (true (at ?x)) (beside ?y ?x))
(<= (next (at ?x)) (does robot stay) (true (at ?x)))
(<= terminal (true (at 8))) (<= terminal (true (at 5)))
(<= (goal robot 100) (true (at 8)))
(<= (goal robot 20) (not (true (at 8))))
"""

# Nothing ever ends it.
ENDLESS = """
(role robot) (init (at 1)) (legal robot go) (legal robot back)
(<= (next (at 2)) (does robot go)) (<= (next (at 1)) (does robot back))
(<= terminal (true (at 3))) (<= (next (at 3)) (true (at 4)))
(<= (goal robot 100) (true (at 3))) (<= (goal robot 0) (not (true (at 3))))
"""

# Its terms grow for ever, so that it cannot be ground.
GROWING = """
(role robot) (init (pile z))
(legal robot add) (legal robot keep)
(<= (next (pile (s ?x))) (does robot add) (true (pile ?x)))
(<= (next (pile ?x)) (does robot keep) (true (pile ?x)))
(<= terminal (true (pile (s (s (s z))))))
(<= (goal robot 100) (true (pile (s (s (s z))))))
(<= (goal robot 0) (not (true (pile (s (s (s z)))))))
"""

# Moves that look like numbers.
DIGITS = COUNTER + """
(role robot) (init (sum 1)) (digit 1) (digit 2)
(<= (legal robot ?d) (digit ?d))
(<= (next (sum ?n)) (does robot 1) (true (sum ?m)) (succ ?m ?n))
(<= (next (sum ?n)) (does robot 2) (true (sum ?m)) (succ ?m ?k) (succ ?k ?n))
(<= terminal (true (step 5)))
(<= (goal robot 100) (true (sum 6)))
(<= (goal robot 0) (not (true (sum 6))))
"""

def _xor(name, one, other):
    return "(<= %s %s (not %s)) (<= %s (not %s) %s)\n" % (name, one, other, name, one, other)


# A stream cipher: the thief chooses the 48 bits of the key, one in each step; then it
# runs on its own. Any plan is worth 40 or 60; for 100 the last 64 bits of output must
# be as wanted, which no key is likely to give, and nobody proves soon.
LOCK = "".join("(after %d %d)" % (i, i + 1) for i in range(180)) + "".join(
    "(shift %d %d)" % (i, i + 1) for i in range(63)) + """
(role thief) (init (step 0)) (init (a 3)) (init (a 17)) (init (a 41)) (init choosing)
(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
(<= (next choosing) (true choosing) (not (true (step 47))))
(legal thief wait) (<= (legal thief flip) (true choosing))
(<= p (true (a 62)) (true (a 40))) (<= q (true (a 20)) (not (true (a 5))))
(<= r (true (a 10)) (true (a 50))) (<= s (true (a 25)) (true (a 60)) (not (true (a 33))))
""" + _xor("x1", "(true (a 63))", "p") + _xor("x2", "x1", "q") + _xor(
    "x3", "x2", "(true (a 33))") + _xor("y1", "(true (a 1))", "r") + _xor(
        "y2", "y1", "s") + _xor("y3", "y2", "(true (a 45))") + """
(<= (next (a 0)) x3 (does thief wait)) (<= (next (a 0)) (not x3) (does thief flip))
(<= (next (z 0)) y3)
(<= (next (a ?n)) (shift ?m ?n) (true (a ?m)))
(<= (next (z ?n)) (shift ?m ?n) (true (z ?m)))
(<= terminal (true (step 180)))
(<= hit """ + "".join(("(true (z %d))" if i * 37 % 64 % 3 else "(not (true (z %d)))") % i
                      for i in range(64)) + """)
(<= (goal thief 100) hit)
(<= (goal thief 60) (not hit) (true (z 0)))
(<= (goal thief 40) (not hit) (not (true (z 0))))
"""

# Text; the best score; the length of the shortest plan with it.
SOLVED = {
    "parity": (PARITY, 70, 5), "falling": (FALLING, 100, 6), "late": (LATE, 99, 7),
    "ring": (RING, 100, 5), "digits": (DIGITS, 100, 4), "over": (OVER, 42, 0),
}


# ---- puzzles at random, and a slow twin that solves them ----


class RandomPuzzle:
    """A few bits, moves with conditions and effects, perhaps a clock of some period,
    perhaps an end after some steps; several ways to end, several goals. `best` is the
    highest score (None: it cannot be ended) and `length` the fewest moves to it, by
    exhaustive search over what `text` says in GDL."""

    def __init__(self, random):
        self.bits = random.randint(3, 7)
        self.period = random.choice([0, 0, 2, 3])
        self.steps = random.choice([0, 4, 7, 11])
        self.start = {b for b in range(self.bits) if random.random() < 0.3}
        # A condition is a list of literals: (bit or phase, truth).
        self.moves = [([], self.effects(random))]
        for _ in range(random.randint(1, 4)):
            self.moves.append((self.condition(random, 2), self.effects(random)))
        if random.random() < 0.5:
            self.moves.append(([], {}))  # waits
        self.ends = [self.condition(random, 3, 2) for _ in range(random.randint(1, 2))]
        self.goals = [(self.condition(random, 3), random.randrange(0, 101, 5))
                      for _ in range(random.randint(1, 3))]
        self.rest = random.choice([0, 0, 10])
        self.solve()
        self.text = self.write()

    def condition(self, random, most, least=0):
        names = [("b", b) for b in range(self.bits)]
        names += [("phase", p) for p in range(self.period)]
        return [(name, random.random() < 0.6)
                for name in random.sample(names, random.randint(least, most))]

    def effects(self, random):
        """By bit: its next value, as a literal; a bit that is not named keeps it."""
        found = {}
        for bit in range(self.bits):
            if random.random() < 0.35:
                kind = random.choice(["set", "clear", "flip", "copy"])
                source = bit if kind == "flip" else random.randrange(self.bits)
                found[bit] = {"set": True, "clear": False}.get(
                    kind, (("b", source), kind == "copy"))
        return found

    # The twin: a state is bits and the number of steps so far.

    def holds(self, condition, state, step):
        return all((number in state if kind == "b" else step % self.period == number) == truth
                   for (kind, number), truth in condition)

    def over(self, state, step):
        return bool(self.steps and step >= self.steps) or any(
            self.holds(end, state, step) for end in self.ends)

    def goal(self, state, step):
        for condition, value in self.goals:
            if self.holds(condition, state, step):
                return value
        return self.rest

    def made(self, effects, state):
        following = set()
        for bit in range(self.bits):
            effect = effects.get(bit, (("b", bit), True))
            if effect is True or (effect and (effect[0][1] in state) == effect[1]):
                following.add(bit)
        return frozenset(following)

    def solve(self):
        cycle = self.steps or self.period or 1  # what a step matters for
        layer, seen = {frozenset(self.start)}, set()
        self.best, self.length, step = None, None, 0
        while layer:
            following = set()
            for state in layer:
                if self.over(state, step):
                    score = self.goal(state, step)
                    if self.best is None or score > self.best:
                        self.best, self.length = score, step
                    continue
                for condition, effects in self.moves:
                    if self.holds(condition, state, step):
                        following.add(self.made(effects, state))
            step += 1
            place = step if self.steps else step % cycle
            layer = {state for state in following if (state, place) not in seen}
            seen |= {(state, place) for state in layer}

    # The same in GDL.

    @staticmethod
    def literals(condition):
        return "".join(" (true (%s %d))" % name if truth else " (not (true (%s %d)))" % name
                       for name, truth in condition)

    def write(self):
        lines = ["(role robot)"] + ["(init (b %d))" % bit for bit in self.start]
        if self.period:
            lines.append("(init (phase 0))")
            lines += ["(<= (next (phase %d)) (true (phase %d)))" % ((p + 1) % self.period, p)
                      for p in range(self.period)]
        if self.steps:
            lines.append("(init (step 0))")
            lines += ["(<= (next (step %d)) (true (step %d)))" % (s + 1, s)
                      for s in range(self.steps)]
            lines.append("(<= terminal (true (step %d)))" % self.steps)
        for number, (condition, effects) in enumerate(self.moves):
            does = "(does robot m%d)" % number
            lines.append("(<= (legal robot m%d)%s)" % (number, self.literals(condition)))
            for bit in range(self.bits):
                effect = effects.get(bit, (("b", bit), True))
                if effect:
                    lines.append("(<= (next (b %d)) %s%s)" % (
                        bit, does, "" if effect is True else self.literals([effect])))
        lines += ["(<= terminal%s)" % self.literals(end) for end in self.ends]
        for number, (condition, value) in enumerate(self.goals):
            lines.append("(<= g%d%s)" % (number, self.literals(condition)))
            others = "".join(" (not g%d)" % other for other in range(number))
            lines.append("(<= (goal robot %d) g%d%s)" % (value, number, others))
        lines.append("(<= (goal robot %d)%s)" % (self.rest, "".join(
            " (not g%d)" % number for number in range(len(self.goals)))))
        return "\n".join(line.replace("(<= terminal)", "terminal") for line in lines) + "\n"
