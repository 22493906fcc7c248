"""Rules and moves as text for a game master: tokens, the first term of a reply,
rules on one line, and scrambled names for each player."""

import re

KEYWORDS = {"role", "init", "true", "does", "legal", "next", "goal", "terminal",
            "distinct", "not", "or", "base", "input", "<=", "nil"}
TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


def tokens(text):
    return [t for t in TOKEN.findall(text) if not t.startswith(";")]


def join(words):
    """Words on one line: single spaces, none next to a parenthesis inside."""
    return " ".join(words).replace("( ", "(").replace(" )", ")")


def spaced(term):
    """A term as the reference game master writes it: `( mark 1 1 )`."""
    return " ".join(tokens(term))


def first_term(text):
    """Returns the first term of a reply on one line, or None, and whether
    anything follows it."""
    words = tokens(text)
    depth = 0
    for place, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth < 0:
            break
        if depth == 0:
            return join(words[:place + 1]), place + 1 < len(words)
    return None, bool(words)


class Plain:
    """Names as they are in the rules."""

    def out(self, text):
        return join(tokens(text))

    def back(self, text):
        return text


class Scramble(Plain):
    """Names for one player: everything but keywords and numbers, even variables,
    is renamed to made-up words in mixed case; no two differ in case alone."""

    def __init__(self, random):
        self.random = random
        self.forth, self.reverse, self.taken = {}, {}, set(KEYWORDS)

    def word(self):
        while True:
            word = "".join(self.random.choice("bdfgklmnprstvz") +
                           self.random.choice("aeiou")
                           for _ in range(self.random.randint(2, 4)))
            if word not in self.taken:
                self.taken.add(word)
                return "".join(c.upper() if self.random.random() < 0.3 else c
                               for c in word)

    def rename(self, token):
        if token in "()" or token.lower() in KEYWORDS or token.isdigit():
            return token
        if token not in self.forth:
            new = ("?" if token.startswith("?") else "") + self.word()
            self.forth[token], self.reverse[new] = new, token
        return self.forth[token]

    def out(self, text):
        return join(self.rename(t) for t in tokens(text))

    def back(self, text):
        """Unknown names, also known ones in another case, get a question mark,
        so that they match no legal move."""
        return join(self.reverse.get(t, t) if t in self.reverse or t in "()"
                    or t.isdigit() else "?" + t for t in tokens(text))
