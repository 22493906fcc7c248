/* Small games written for the probes, and functions that rename them. All names
   are in lower case, so that a player that changes the case of names fails only
   the probe for that. Rules are renamed word by word: a word that is not a
   keyword, a number or a variable is a name. */
#include <ctype.h>

#include "base/hash.h"
#include "probe/probe_parts.h"

/* Four in a line on sixteen cells: nobody can win within the first six turns,
   and it takes some thinking. */
const char *const probe_rules_line =
    "(role white) (role black) (other white black) (other black white)\n"
    "(index 1) (index 2) (index 3) (index 4)\n"
    "(<= (base (cell ?x ?y ?who)) (index ?x) (index ?y) (role ?who))\n"
    "(<= (base (control ?who)) (role ?who))\n"
    "(<= (input ?who (mark ?x ?y)) (role ?who) (index ?x) (index ?y))\n"
    "(<= (input ?who noop) (role ?who))\n"
    "(init (control white))\n"
    "(<= (taken ?x ?y) (true (cell ?x ?y ?who)))\n"
    "(<= (legal ?who (mark ?x ?y)) (true (control ?who))\n"
    "  (index ?x) (index ?y) (not (taken ?x ?y)))\n"
    "(<= (legal ?who noop) (role ?who) (not (true (control ?who))))\n"
    "(<= (next (cell ?x ?y ?who)) (does ?who (mark ?x ?y)))\n"
    "(<= (next (cell ?x ?y ?who)) (true (cell ?x ?y ?who)))\n"
    "(<= (next (control ?then)) (true (control ?who)) (other ?who ?then))\n"
    "(<= (line ?who) (index ?y) (true (cell 1 ?y ?who))\n"
    "  (true (cell 2 ?y ?who)) (true (cell 3 ?y ?who))\n"
    "  (true (cell 4 ?y ?who)))\n"
    "(<= (line ?who) (index ?x) (true (cell ?x 1 ?who))\n"
    "  (true (cell ?x 2 ?who)) (true (cell ?x 3 ?who))\n"
    "  (true (cell ?x 4 ?who)))\n"
    "(<= (line ?who) (true (cell 1 1 ?who)) (true (cell 2 2 ?who))\n"
    "  (true (cell 3 3 ?who)) (true (cell 4 4 ?who)))\n"
    "(<= (line ?who) (true (cell 1 4 ?who)) (true (cell 2 3 ?who))\n"
    "  (true (cell 3 2 ?who)) (true (cell 4 1 ?who)))\n"
    "(<= decided (line ?who))\n"
    "(<= open (index ?x) (index ?y) (not (taken ?x ?y)))\n"
    "(<= terminal decided)\n"
    "(<= terminal (not open))\n"
    "(<= (goal ?who 100) (line ?who))\n"
    "(<= (goal ?who 0) (other ?who ?rival) (line ?rival))\n"
    "(<= (goal ?who 50) (role ?who) (not decided))\n";

/* Two rounds of showing fingers; a role that shows what nobody else does, wins.
   No move is legal for two roles. */
const char *const probe_rules_fingers =
    "(role red) (role green) (role blue)\n"
    "(finger one) (finger two) (after 1 2) (after 2 3)\n"
    "(base (round 1)) (base (round 2)) (base (round 3))\n"
    "(<= (base (shown ?who ?f)) (role ?who) (finger ?f))\n"
    "(<= (input ?who (show ?who ?f)) (role ?who) (finger ?f))\n"
    "(init (round 1))\n"
    "(<= (legal ?who (show ?who ?f)) (role ?who) (finger ?f))\n"
    "(<= (next (round ?n)) (true (round ?m)) (after ?m ?n))\n"
    "(<= (next (shown ?who ?f)) (does ?who (show ?who ?f)))\n"
    "(<= (met ?who) (true (shown ?who ?f)) (true (shown ?rival ?f))\n"
    "  (distinct ?who ?rival))\n"
    "(<= terminal (true (round 3)))\n"
    "(<= (goal ?who 100) (role ?who) (not (met ?who)))\n"
    "(<= (goal ?who 0) (met ?who))\n";

/* Two lamps to light, one per turn. */
const char *const probe_rules_lamps =
    "(role keeper) (lamp left) (lamp right)\n"
    "(<= (base (dark ?l)) (lamp ?l))\n"
    "(<= (input keeper (light ?l)) (lamp ?l))\n"
    "(init (dark left)) (init (dark right))\n"
    "(<= (legal keeper (light ?l)) (true (dark ?l)))\n"
    "(<= (next (dark ?l)) (true (dark ?l)) (does keeper (light ?k))\n"
    "  (distinct ?k ?l))\n"
    "(<= night (true (dark ?l)))\n"
    "(<= terminal (not night))\n"
    "(<= (goal keeper 100) (not night))\n"
    "(<= (goal keeper 0) night)\n";

/* ---- renaming ---- */

static bool is_own_name(const char *word, size_t length) {
  static const char *const keywords[] = {
      "<=",   "role", "init",     "true",     "does", "legal", "next",
      "goal", "base", "terminal", "distinct", "not",  "or",    "input"};
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (strlen(keywords[i]) == length && !memcmp(keywords[i], word, length))
      return false;
  return isalpha((unsigned char)*word);
}

typedef void Rename(const char *word, size_t length, uint64_t key, Text *out);

static void rename_words(const char *rules, Rename *rename, uint64_t key,
                         Text *out) {
  while (*rules) {
    size_t length = strcspn(rules, " \n()");
    if (length && is_own_name(rules, length))
      rename(rules, length, key, out);
    else
      text_add_bytes(out, rules, length);
    rules += length;
    if (*rules) text_add_byte(out, *rules++);
  }
}

static void mix_case(const char *word, size_t length, uint64_t key, Text *out) {
  (void)key;
  for (size_t i = 0; i < length; i++)
    text_add_byte(out, (char)(i % 2 ? word[i] : toupper(word[i])));
}

/* Ten letters from a hash of word and key: the same for the same word. */
static void scramble(const char *word, size_t length, uint64_t key, Text *out) {
  uint64_t hash = hash_pair(hash_bytes(word, length), key);
  for (int i = 0; i < 10; i++, hash /= 26)
    text_add_byte(out, (char)('a' + hash % 26));
}

void probe_rename_mixed(const char *rules, Text *out) {
  rename_words(rules, mix_case, 0, out);
}

void probe_rename_random(const char *rules, Random *random, Text *out) {
  rename_words(rules, scramble, random_next(random), out);
}
