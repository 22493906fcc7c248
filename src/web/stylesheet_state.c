/* Public collections write a state in two vocabularies, and stylesheets say by
   their own words which one they read:

     Stanford   <fact><relation>cell</relation><argument>1</argument>…</fact>
                in <state>, which is all of the document, or lies in <match>, or
                in <match><herstory>
     Dresden    <fact><prop-f>CELL</prop-f><arg>1</arg>…</fact>, words in
                capitals, in <match><state>

   An argument that is a term has elements of the same kind in it. */
#include <ctype.h>
#include <string.h>

#include "web/stylesheet.h"

typedef struct Form {
  const char *functor, *argument;
  bool capitals;
  const char *open, *close; /* around <state>; <match> has more in it */
} Form;

static bool mentions(const StylesheetKit *kit, const char *word) {
  for (uint32_t i = 0; i < kit->sheets.count; i++)
    if (strstr(text_string(&kit->sheets.data[i].bytes), word)) return true;
  return false;
}

static Form find_form(const StylesheetKit *kit) {
  if (mentions(kit, "prop-f"))
    return (Form){"prop-f", "arg", true, "<match>", "</match>"};
  Form form = {"relation", "argument", false, "", ""};
  if (mentions(kit, "herstory") || mentions(kit, "match/") ||
      mentions(kit, "\"match\""))
    form.open = "<match>", form.close = "</match>";
  return form;
}

/* Control characters have no place in XML. */
static void add_word(const Form *form, const char *bytes, size_t length,
                     Text *xml) {
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)bytes[i];
    if (byte == '&')
      text_add(xml, "&amp;");
    else if (byte == '<')
      text_add(xml, "&lt;");
    else if (byte == '>')
      text_add(xml, "&gt;");
    else if (byte < ' ')
      text_add_byte(xml, ' ');
    else
      text_add_byte(xml, form->capitals ? (char)toupper(byte) : (char)byte);
  }
}

static void add_element(const Form *form, const char *name, const char *value,
                        Text *xml) {
  text_format(xml, "<%s>", name);
  add_word(form, value, strlen(value), xml);
  text_format(xml, "</%s>\n", name);
}

/* A fact is text such as "(cell 1 (f a) b)" or "dark". */
static void add_fact(const Form *form, const char *at, Text *xml) {
  uint32_t depth = 0;
  bool functor = true;
  text_add(xml, "<fact>");
  for (; *at; at++) {
    size_t length = strcspn(at, " ()");
    if (*at == '(' && depth++) text_format(xml, "<%s>", form->argument);
    if (*at == '(') functor = true;
    if (*at == ')' && depth && --depth)
      text_format(xml, "</%s>", form->argument);
    if (!length) continue;
    const char *name = functor ? form->functor : form->argument;
    text_format(xml, "<%s>", name);
    add_word(form, at, length, xml);
    text_format(xml, "</%s>", name);
    functor = false;
    at += length - 1;
  }
  while (depth && --depth) text_format(xml, "</%s>", form->argument);
  text_add(xml, "</fact>\n");
}

static void add_state(const Form *form, const json_t *state, Text *xml) {
  size_t i;
  const json_t *fact;
  text_add(xml, "<state>\n");
  json_array_foreach(json_object_get(state, "facts"), i,
                     fact) if (json_is_string(fact))
      add_fact(form, json_string_value(fact), xml);
  text_add(xml, "</state>\n");
}

/* ---- around the state ---- */

static void add_history(const Form *form, const json_t *steps, uint32_t step,
                        Text *xml) {
  text_add(xml, "<history>\n");
  for (uint32_t number = 1; number <= step; number++) {
    size_t role;
    const json_t *move,
        *moves = json_object_get(json_array_get(steps, number), "moves");
    text_format(xml, "<step>\n<step-number>%u</step-number>\n", number);
    json_array_foreach(moves, role, move) {
      const char *text = json_string_value(json_object_get(move, "move"));
      add_element(form, "move", text ? text : "", xml);
    }
    text_add(xml, "</step>\n");
  }
  text_add(xml, "</history>\n");
}

static void add_roles(const Form *form, const json_t *roles, const char *member,
                      const char *name, Text *xml) {
  size_t i;
  const json_t *role;
  json_array_foreach(roles, i, role) {
    const char *value = json_string_value(json_object_get(role, member));
    add_element(form, name, value ? value : "", xml);
  }
}

static void add_scores(const json_t *state, Text *xml) {
  size_t i;
  const json_t *goal, *goals = json_object_get(state, "goals");
  if (!json_is_array(goals)) return;
  text_add(xml, "<scores>\n");
  json_array_foreach(goals, i, goal)
      text_format(xml, "<reward>%.0f</reward>\n", json_number_value(goal));
  text_add(xml, "</scores>\n");
}

void stylesheet_write_state(const StylesheetKit *kit, const json_t *match,
                            uint32_t step, Text *xml) {
  const Form form = find_form(kit);
  const json_t *head = json_object_get(match, "head");
  const json_t *steps = json_object_get(match, "steps");
  const json_t *state = json_object_get(json_array_get(steps, step), "state");
  const json_t *roles = json_object_get(head, "roles");
  const char *id = json_string_value(json_object_get(match, "id"));
  bool past = mentions(kit, "herstory");
  text_format(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s\n",
              form.open);
  if (*form.open) {
    add_element(&form, "match-id", id ? id : "", xml);
    add_roles(&form, roles, "name", "role", xml);
    add_roles(&form, roles, "label", "player", xml);
    text_format(xml, "<startclock>%.0f</startclock>\n",
                json_number_value(json_object_get(head, "start")));
    text_format(xml, "<playclock>%.0f</playclock>\n",
                json_number_value(json_object_get(head, "play")));
    add_history(&form, steps, step, xml);
    add_scores(state, xml);
  }
  if (past) text_add(xml, "<herstory>\n");
  add_state(&form, state, xml);
  if (past) text_add(xml, "</herstory>\n");
  text_add(xml, form.close);
}
