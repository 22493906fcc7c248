/* A record in, one XML document out:

     match = match-id sight-of role* player* timestamp startclock playclock?
             history scores? state
     history = (step-number move*)*  in steps     scores = reward*
     state = fact*         fact, arg = prop-f arg*, or arg = a word

   Words of the state are in upper case, as stylesheets expect. The text is
   UTF-8. States are taken from their text in the record. */
#include "match/record_xml.h"

#include <ctype.h>
#include <string.h>

static void add_escaped(Text *text, const char *bytes, size_t length,
                        bool upper) {
  for (size_t i = 0; i < length; i++) {
    char byte = bytes[i];
    switch (byte) {
    case '&': text_add(text, "&amp;"); break;
    case '<': text_add(text, "&lt;"); break;
    case '>': text_add(text, "&gt;"); break;
    default:
      text_add_byte(text, upper ? (char)toupper((unsigned char)byte) : byte);
    }
  }
}

static void add_element(Text *text, const char *name, const char *value,
                        bool upper) {
  text_format(text, "<%s>", name);
  add_escaped(text, value, strlen(value), upper);
  text_format(text, "</%s>\n", name);
}

static void add_elements(Text *text, const char *name, const json_t *list,
                         bool upper) {
  size_t i;
  const json_t *value;
  json_array_foreach(list, i, value) {
    if (json_is_string(value)) {
      add_element(text, name, json_string_value(value), upper);
    } else {
      text_format(text, "<%s>%lld</%s>\n", name,
                  (long long)json_integer_value(value), name);
    }
  }
}

static void add_integer(Text *text, const char *name, const json_t *value) {
  text_format(text, "<%s>%.0f</%s>\n", name, json_number_value(value), name);
}

static void add_history(Text *text, const json_t *moves) {
  size_t i;
  const json_t *joint;
  text_add(text, "<history>\n");
  json_array_foreach(moves, i, joint) {
    text_format(text, "<step>\n<step-number>%zu</step-number>\n", i + 1);
    add_elements(text, "move", joint, true);
    text_add(text, "</step>\n");
  }
  text_add(text, "</history>\n");
}

/* ---- states ---- */

typedef struct Walk { /* through "( ( cell 1 1 b ) dark )" */
  const char *at;
  uint32_t depth; /* brackets open; 1: the list of facts */
  bool first;     /* the next word is a functor */
} Walk;

static void open_bracket(Walk *walk, Text *text) {
  if (walk->depth++) text_add(text, walk->depth == 2 ? "<fact>" : "<arg>");
  walk->first = true;
}

static void close_bracket(Walk *walk, Text *text) {
  if (--walk->depth) text_add(text, walk->depth == 1 ? "</fact>\n" : "</arg>");
  walk->first = false;
}

static void add_word(Walk *walk, Text *text, size_t length) {
  bool bare = walk->depth == 1; /* a fact without arguments */
  bool functor = bare || walk->first;
  text_format(text, "%s<%s>", bare ? "<fact>" : "", functor ? "prop-f" : "arg");
  add_escaped(text, walk->at, length, true);
  text_format(text, "</%s>%s", functor ? "prop-f" : "arg",
              bare ? "</fact>\n" : "");
  walk->first = false;
}

static void add_state(Text *text, const char *state) {
  Walk walk = {.at = state};
  text_add(text, "<state>\n");
  while (*(walk.at += strspn(walk.at, " "))) {
    size_t length = strcspn(walk.at, " ()");
    if (*walk.at == '(')
      open_bracket(&walk, text);
    else if (*walk.at == ')' && walk.depth)
      close_bracket(&walk, text);
    else if (length)
      add_word(&walk, text, length);
    walk.at += length ? length : 1;
  }
  text_add(text, "</state>\n");
}

static const json_t *last(const json_t *list) {
  size_t count = json_array_size(list);
  return count ? json_array_get(list, count - 1) : NULL;
}

void record_write_xml(const Record *record, Text *text) {
  const json_t *root = record->root;
  const json_t *goals = json_object_get(root, "goalValues");
  const char *state = json_string_value(last(json_object_get(root, "states")));
  text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<!DOCTYPE match SYSTEM \"http://games.stanford.edu/"
                 "gamemaster/xml/viewmatch.dtd\">\n<match>\n");
  add_element(text, "match-id", record_id(record), false);
  add_element(text, "sight-of", "RANDOM", false);
  add_elements(text, "role", json_object_get(root, "x-roles"), true);
  add_elements(text, "player", json_object_get(root, "playerNamesFromHost"),
               true);
  add_integer(text, "timestamp", last(json_object_get(root, "stateTimes")));
  add_integer(text, "startclock", json_object_get(root, "startClock"));
  if (!goals)
    add_integer(text, "playclock", json_object_get(root, "playClock"));
  add_history(text, json_object_get(root, "moves"));
  if (goals) {
    text_add(text, "<scores>\n");
    add_elements(text, "reward", goals, false);
    text_add(text, "</scores>\n");
  }
  add_state(text, state ? state : "");
  text_add(text, "</match>\n");
}
