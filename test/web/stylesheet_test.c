/* Stylesheets: which one is found, the states that they are given, and what
   hostile ones achieve. */
#include "web/stylesheet.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "support/unit.h"

#define SHEET(body) \
  "<xsl:stylesheet version='1.0' " \
  "xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>" body "</xsl:stylesheet>"

static char root[64];

static void put(const char *name, const char *text) {
  Text path = {0}, error = {0};
  text_format(&path, "%s/%s", root, name);
  assert_true(file_replace(path.bytes, text, strlen(text), &error));
  text_free(&path);
}

static int begin(void **state) {
  (void)state;
  strcpy(root, "/tmp/tafl-sheets-XXXXXX");
  if (!mkdtemp(root)) return 1;
  put("one.kif", "");
  put("one.xsl", "");
  put("two.kif", "");
  put("two.xslt", "");
  put("three.kif", "");
  put("four.xsl", "");
  put("secret", "<s>the secret</s>");
  return 0;
}

static int end(void **state) {
  (void)state;
  static const char *const names[] = {"one.kif",  "one.xsl",   "two.kif",
                                      "two.xslt", "three.kif", "four.xsl",
                                      "secret",   "sheet.xsl"};
  Text path = {0};
  for (size_t i = 0; i < LENGTH(names); i++) {
    text_clear(&path);
    text_format(&path, "%s/%s", root, names[i]);
    unlink(path.bytes);
  }
  text_free(&path);
  return rmdir(root);
}

static void test_find(void **state) {
  (void)state;
  TextVector games = {0};
  Text directory = {0}, path = {0}, given = {0};
  text_add(&directory, root);
  vector_push(&games, directory);
  assert_true(stylesheet_find("", &games, "one", &path));
  assert_non_null(strstr(path.bytes, "/one.xsl"));
  assert_true(stylesheet_find("", &games, "two", &path));
  assert_non_null(strstr(path.bytes, "/two.xslt"));
  static const char *const none[] = {"three", "four",   "",
                                     ".",     "../one", "one.kif"};
  for (size_t i = 0; i < LENGTH(none); i++)
    assert_false(stylesheet_find("", &games, none[i], &path));
  text_format(&given, "%s/four.xsl", root);
  assert_true(stylesheet_find(given.bytes, &games, "three", &path));
  assert_string_equal(path.bytes, given.bytes);
  assert_true(stylesheet_find(given.bytes, &games, "", &path));
  assert_true(stylesheet_find(root, &games, "one", &path));
  assert_false(stylesheet_find(root, &games, "../one", &path));
  text_clear(&given);
  text_format(&given, "%s/three", root);
  assert_int_equal(mkdir(given.bytes, 0700), 0);
  put("three/three.xsl", "");
  assert_true(stylesheet_find(root, &games, "three", &path));
  assert_non_null(strstr(path.bytes, "/three/three.xsl"));
  assert_int_equal(remove(path.bytes), 0);
  assert_int_equal(remove(given.bytes), 0);
  text_vector_free(&games);
  text_free(&path);
  text_free(&given);
}

/* ---- states ---- */

static json_t *match(void) {
  return json_pack("{s:s, s:{s:[{s:s, s:s}], s:i, s:i}, s:[{s:n, s:{s:[s, s]}},"
                   "{s:[{s:s}], s:{s:[s, s, s], s:[i]}}]}",
                   "id", "m<1>", "head", "roles", "name", "x", "label", "A & B",
                   "start", 1, "play", 2, "steps", "moves", "state", "facts",
                   "(cell 1 b)", "on", "moves", "move", "(mark 1)", "state",
                   "facts", "(cell 1 x)", "(at (f a <) ?)", "off", "goals",
                   100);
}

static void expect_state(const char *sheet, uint32_t step, const char *part,
                         bool there) {
  StylesheetFile file = {0};
  StylesheetKit kit = {0};
  Text xml = {0};
  json_t *value = match();
  text_add(&file.bytes, sheet);
  vector_push(&kit.sheets, file);
  stylesheet_write_state(&kit, value, step, &xml);
  if ((strstr(xml.bytes, part) != NULL) != there)
    fail_msg("%s: %s", part, xml.bytes);
  json_decref(value);
  stylesheet_free(&kit);
  text_free(&xml);
}

static void test_states(void **state) {
  (void)state;
  expect_state("//fact[relation='cell']", 0,
               "<fact><relation>cell</relation><argument>1</argument>"
               "<argument>b</argument></fact>",
               true);
  expect_state("", 0, "<fact><relation>on</relation></fact>", true);
  expect_state("", 0, "<match>", false);
  expect_state("", 1,
               "<fact><relation>at</relation><argument><relation>f</relation>"
               "<argument>a</argument><argument>&lt;</argument></argument>"
               "<argument>?</argument></fact>",
               true);
  expect_state("match/state", 1, "<match>", true);
  expect_state("match/state", 1, "<move>(mark 1)</move>", true);
  expect_state("match/state", 1, "<match-id>m&lt;1&gt;</match-id>", true);
  expect_state("match/state", 1, "<player>A &amp; B</player>", true);
  expect_state("match/state", 1, "<reward>100</reward>", true);
  expect_state("match/herstory/state", 0, "<herstory>\n<state>", true);
  expect_state("prop-f", 1,
               "<fact><prop-f>CELL</prop-f><arg>1</arg><arg>X</arg></fact>",
               true);
}

/* ---- rendering ---- */

/* Renders a state of some facts by the stylesheet of that name; returns whether
   that is possible. */
static bool render_file(const char *name, Text *html, Text *error) {
  StylesheetKit kit;
  Text path = {0}, xml = {0};
  json_t *value = match();
  text_format(&path, "%s/%s", root, name);
  bool fine = stylesheet_read(&kit, path.bytes, error);
  if (fine) {
    stylesheet_write_state(&kit, value, 0, &xml);
    fine = stylesheet_render(&kit, &xml, 480, html, error);
  }
  json_decref(value);
  stylesheet_free(&kit);
  text_free(&path);
  text_free(&xml);
  return fine;
}

static bool render(const char *sheet, Text *html, Text *error) {
  put("sheet.xsl", sheet);
  return render_file("sheet.xsl", html, error);
}

static void expect(const char *sheet, const char *part) {
  Text html = {0}, error = {0};
  if (!render(sheet, &html, &error)) fail_msg("%s", error.bytes);
  if (!strstr(html.bytes, part)) fail_msg("%s: %s", part, html.bytes);
  assert_null(strstr(html.bytes, "secret"));
  text_free(&html);
  text_free(&error);
}

static void test_ordinary(void **state) {
  (void)state;
  expect(SHEET("<xsl:param name='width' select='1'/>"
               "<xsl:template match='/'><div><xsl:for-each "
               "select='state/fact[relation=\"cell\"]'><td class='x'/>"
               "<b><xsl:value-of select='argument[2]'/></b></xsl:for-each>"
               "<i><xsl:value-of select='$width div 2'/></i></div>"
               "</xsl:template>"),
         "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<div><td class=\"x\"></td>"
         "<b>b</b><i>240</i></div>");
  expect(SHEET("<xsl:template match='/'><html><body><xsl:value-of "
               "select='match/state/fact[prop-f=\"ON\"]/prop-f'/></body></html>"
               "</xsl:template>"),
         "<html><body>ON</body></html>");
  /* Facts are text, whatever is in them. */
  expect(SHEET("<xsl:output method='xml'/><xsl:template match='/'><p>"
               "<xsl:value-of select='match/match-id'/></p></xsl:template>"),
         "<p>m&lt;1&gt;</p>");
}

/* Entities are left out, not expanded. */
static void test_own_entity(void **state) {
  (void)state;
  expect("<!DOCTYPE xsl:stylesheet [<!ENTITY nbsp '&#160;'>]>" SHEET(
             "<xsl:template match='/'><p>a&nbsp;b</p></xsl:template>"),
         "<p>ab</p>");
}

static void expect_failure(const char *sheet) {
  Text html = {0}, error = {0};
  if (render(sheet, &html, &error)) fail_msg("made %.300s", html.bytes);
  assert_true(error.length > 0);
  text_free(&html);
  text_free(&error);
}

static void test_wrong(void **state) {
  (void)state;
  expect_failure("");
  expect_failure("nonsense");
  expect_failure("<a>");
  expect_failure("<a/>");
  expect_failure(SHEET("<xsl:template match='/'><xsl:call-template "
                       "name='absent'/></xsl:template>"));
  expect_failure(SHEET("<xsl:template match='/'><xsl:message terminate='yes'>"
                       "no</xsl:message></xsl:template>"));
}

/* Nothing of this machine is read. */
static void test_reading(void **state) {
  (void)state;
  static const char *const ways[] = {
      SHEET("<xsl:template match='/'><p>[<xsl:value-of "
            "select=\"document('file://%s/secret')\"/>]</p></xsl:template>"),
      SHEET("<xsl:template match='/'><p>[<xsl:copy-of "
            "select=\"document('%s/secret')\"/>]</p></xsl:template>"),
      SHEET("<xsl:import href='file://%s/one.xsl'/>"
            "<xsl:template match='/'><p>x</p></xsl:template>"),
      SHEET("<xsl:include href='%s/one.xsl'/>"
            "<xsl:template match='/'><p>x</p></xsl:template>"),
      "<!DOCTYPE x [<!ENTITY e SYSTEM 'file://%s/secret'>]>" SHEET(
          "<xsl:template match='/'><p>[&e;]</p></xsl:template>"),
      "<!DOCTYPE x SYSTEM 'file://%s/secret'>" SHEET(
          "<xsl:template match='/'><p>x</p></xsl:template>"),
  };
  for (size_t i = 0; i < LENGTH(ways); i++) {
    Text sheet = {0}, html = {0}, error = {0};
    for (const char *at = ways[i]; *at; at++)
      if (at[0] == '%' && at[1] == 's')
        text_add(&sheet, root), at++;
      else
        text_add_byte(&sheet, *at);
    render(sheet.bytes, &html, &error);
    assert_null(strstr(text_string(&html), "the secret"));
    text_free(&sheet);
    text_free(&html);
    text_free(&error);
  }
}

static void test_writing(void **state) {
  (void)state;
  static const char *const ways[] = {
      "<exsl:document xmlns:exsl='http://exslt.org/common' "
      "extension-element-prefixes='exsl' href='%s/made'>x</exsl:document>",
      "<xsl:document href='%s/made'>x</xsl:document>",
      "<s:output xmlns:s='http://icl.com/saxon' extension-element-prefixes='s' "
      "file='%s/made'>x</s:output>",
      "<r:write xmlns:r='org.apache.xalan.xslt.extensions.Redirect' "
      "extension-element-prefixes='r' file='%s/made'>x</r:write>"};
  Text made = {0};
  text_format(&made, "%s/made", root);
  for (size_t i = 0; i < LENGTH(ways); i++) {
    Text sheet = {0}, html = {0}, error = {0};
    text_add(&sheet,
             "<xsl:stylesheet version='1.1' xmlns:xsl='http://www.w3.org"
             "/1999/XSL/Transform'><xsl:template match='/'><p>");
    const char *place = strstr(ways[i], "%s");
    text_add_bytes(&sheet, ways[i], (size_t)(place - ways[i]));
    text_add(&sheet, root);
    text_add(&sheet, place + 2);
    text_add(&sheet, "</p></xsl:template></xsl:stylesheet>");
    render(sheet.bytes, &html, &error);
    assert_int_not_equal(access(made.bytes, F_OK), 0);
    text_free(&sheet);
    text_free(&html);
    text_free(&error);
  }
  text_free(&made);
}

static void test_endless(void **state) {
  (void)state;
  expect_failure(SHEET("<xsl:template match='/' name='x'><p><xsl:call-template "
                       "name='x'/></p></xsl:template>"));
  expect_failure(SHEET("<xsl:template match='/'><p><xsl:apply-templates "
                       "select='/'/></p></xsl:template>"));
}

/* 131071 elements: more text than is allowed. */
static void test_large(void **state) {
  (void)state;
  expect_failure(
      SHEET("<xsl:template match='/'><p><xsl:call-template name='x'>"
            "<xsl:with-param name='n' select='18'/></xsl:call-template></p>"
            "</xsl:template><xsl:template name='x'><xsl:param name='n'/>"
            "<xsl:if test='$n &gt; 0'><b>some text that is long enough</b>"
            "<xsl:call-template name='x'><xsl:with-param name='n' "
            "select='$n - 1'/></xsl:call-template><xsl:call-template name='x'>"
            "<xsl:with-param name='n' select='$n - 1'/></xsl:call-template>"
            "</xsl:if></xsl:template>"));
}

/* ---- collections ---- */

static const char *const folders[] = {
    "games",     "games/g",          "games/generic",
    "resources", "resources/images", "resources/images/x"};
static const char *const parts[] = {
    "games/g/g.xsl", "games/generic/base.xsl", "above.xsl",
    "resources/images/x/White_Pawn.png", "resources/secret.png"};

static void make_collection(void) {
  Text path = {0};
  for (size_t i = 0; i < LENGTH(folders); i++) {
    text_clear(&path);
    text_format(&path, "%s/%s", root, folders[i]);
    assert_int_equal(mkdir(path.bytes, 0700), 0);
  }
  put(parts[3], "Man");
  put(parts[4], "the secret");
  put(parts[2], SHEET("<xsl:template name='above'>secret</xsl:template>"));
  put(parts[1], SHEET("<xsl:template name='man'><xsl:param name='colour'/>"
                      "<img src='&ROOT;/resources/images/x/{$colour}_Pawn.png'"
                      "/></xsl:template>"));
  text_free(&path);
}

static void remove_collection(void) {
  Text path = {0};
  for (size_t i = 0; i < LENGTH(parts) + LENGTH(folders); i++) {
    text_clear(&path);
    text_format(&path, "%s/%s", root,
                i < LENGTH(parts)
                    ? parts[i]
                    : folders[LENGTH(parts) + LENGTH(folders) - 1 - i]);
    assert_int_equal(remove(path.bytes), 0);
  }
  text_free(&path);
}

/* Renders the stylesheet of a game in such a collection. */
static bool render_game(const char *sheet, Text *html) {
  Text error = {0};
  text_clear(html);
  put(parts[0], sheet);
  bool fine = render_file(parts[0], html, &error);
  text_free(&error);
  return fine;
}

/* Imported stylesheets and pictures are found where public collections have
   them, and nowhere else. */
static void test_collection(void **state) {
  (void)state;
  Text html = {0};
  make_collection();
  assert_true(render_game(
      SHEET("<xsl:import href='../generic/base.xsl'/>"
            "<xsl:template match='/'><div><xsl:call-template name='man'>"
            "<xsl:with-param name='colour'>White</xsl:with-param>"
            "</xsl:call-template><xsl:call-template name='man'>"
            "<xsl:with-param name='colour'>Black</xsl:with-param>"
            "</xsl:call-template></div></xsl:template>"),
      &html));
  assert_non_null(strstr(html.bytes, "<img src=\"data:image/png;base64,TWFu\" "
                                     "alt=\"White Pawn\">"));
  assert_non_null(strstr(html.bytes, "<img alt=\"Black Pawn\">"));
  assert_true(render_game(
      SHEET("<xsl:template match='/'><img src='http://there/resources/"
            "images/x/../../secret.png' alt='no'/></xsl:template>"),
      &html));
  assert_non_null(strstr(html.bytes, "<img alt=\"no\">"));
  assert_false(render_game(
      SHEET("<xsl:import href='../../above.xsl'/><xsl:template match='/'>"
            "<p><xsl:call-template name='above'/></p></xsl:template>"),
      &html));
  remove_collection();
  text_free(&html);
}

/* Entities that double in each line do not. */
static void test_entities(void **state) {
  (void)state;
  Text sheet = {0}, html = {0}, error = {0};
  text_add(&sheet, "<!DOCTYPE x [<!ENTITY a0 'aaaaaaaaaaaaaaaaaaaa'>");
  for (int i = 1; i < 40; i++)
    text_format(&sheet, "<!ENTITY a%d '&a%d;&a%d;'>", i, i - 1, i - 1);
  text_add(&sheet,
           "]>" SHEET("<xsl:template match='/'><p>&a39;</p></xsl:template>"));
  render(sheet.bytes, &html, &error);
  assert_true(html.length < 1000);
  text_free(&sheet);
  text_free(&html);
  text_free(&error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_find),       cmocka_unit_test(test_states),
      cmocka_unit_test(test_ordinary),   cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_own_entity), cmocka_unit_test(test_reading),
      cmocka_unit_test(test_writing),    cmocka_unit_test(test_endless),
      cmocka_unit_test(test_large),      cmocka_unit_test(test_entities),
      cmocka_unit_test(test_collection),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
