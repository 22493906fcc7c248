/* Elements of pictures: escaping of any bytes, coordinates, measured, cut and
   broken text; and the checker of markup that the other tests rely on. */
#include "draw/svg.h"

#include <math.h>

#include "base/random.h"
#include "support/markup.h"
#include "support/unit.h"

static void assert_escaped(const char *raw, const char *expected) {
  Text text = {0};
  svg_escape(&text, raw);
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
}

static void test_escaping(void **state) {
  (void)state;
  assert_escaped("a & b < c > \"d\" 'e'",
                 "a &amp; b &lt; c &gt; &quot;d&quot; 'e'");
  assert_escaped("tab\tline\nend\r", "tab line end ");
  assert_escaped("\x01\x1f\x7f", "���");
  assert_escaped("τ λ ± 漢 🎲", "τ λ ± 漢 🎲");
  assert_escaped("\xff\xc3", "��");
  assert_escaped("\xc0\xaf", "��");      /* overlong */
  assert_escaped("\xed\xa0\x80", "���"); /* a surrogate */
  assert_escaped("\xef\xbf\xbf", "�");   /* not a character */
  assert_escaped("\xf4\x90\x80\x80", "����");
}

static void assert_coordinate(double value, const char *expected) {
  Text text = {0};
  svg_coordinate(&text, value);
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
}

static void test_coordinates(void **state) {
  (void)state;
  assert_coordinate(0, "0");
  assert_coordinate(-0.001, "0");
  assert_coordinate(100, "100");
  assert_coordinate(12.5, "12.5");
  assert_coordinate(1. / 3, "0.33");
  assert_coordinate(-7.126, "-7.13");
  assert_coordinate(NAN, "0");
  assert_coordinate(INFINITY, "0");
}

static void test_widths(void **state) {
  (void)state;
  assert_true(svg_text_width("", 12, false) == 0);
  assert_true(fabs(svg_text_width("iW", 100, false) - 127) < 1e-9);
  assert_true(svg_text_width("iW", 12, true) > svg_text_width("iW", 12, false));
  assert_true(svg_text_width("漢", 10, false) >= 10);
}

/* What is cut fits, and lacks no character that would have fitted. */
static void test_cutting(void **state) {
  (void)state;
  const char *whole = "abc & def <τ>";
  SvgFont font = {.size = 10};
  for (double room = 12; room < 100; room += 1) {
    Svg svg = {.width = 200, .height = 20};
    svg_text(&svg, &font, 5, 15, room, whole);
    Text out = {0};
    svg_write(&svg, "t", "d", &out);
    Markup markup = {0};
    assert_true(markup_read(&markup, text_string(&out)));
    assert_int_equal(markup.texts.count, 1);
    const MarkupText *text = &markup.texts.data[0];
    double width = svg_text_width(whole, 10, false);
    assert_true(text->right - text->left <= fmin(room, width) + 1e-9);
    if (width <= room)
      assert_string_equal(text->content, whole);
    else
      assert_true(text->right - text->left > room - 10);
    assert_true(!strstr(text_string(&out), "<title>abc") == (width <= room));
    markup_free(&markup);
    text_free(&out);
    svg_free(&svg);
  }
}

static void test_paragraphs(void **state) {
  (void)state;
  Svg svg = {.width = 120, .height = 100};
  SvgFont font = {.size = 10};
  double end = svg_paragraph(&svg, &font, 10, 20, 60,
                             "  one two  three averyverylongwordindeed four ");
  Text out = {0};
  svg_write(&svg, "t", "d", &out);
  markup_assert_picture(&out);
  markup_assert_says(&out, "one two");
  markup_assert_says(&out, "three");
  markup_assert_says(&out, "four");
  assert_true(fabs(end - (20 + 4 * 13)) < 1e-9);
  text_free(&out);
  svg_free(&svg);
}

static void test_document(void **state) {
  (void)state;
  Svg svg = {.width = 40, .height = 30};
  for (uint32_t i = 0; i < 2 * SVG_SHAPES; i++) svg_marker(&svg, i, 10, 10, 4);
  svg_path(&svg, 9, true, (double[]){1, 2, 3, 4}, 2);
  svg_whisker(&svg, 1, &(SvgWhisker){1, 2, 1, 20, true, false});
  svg_whisker(&svg, 1, &(SvgWhisker){1, 2, 1, 2, true, false});
  svg_patch(&svg, 0x1234, 0, 0, 5, 5);
  Text out = {0}, again = {0};
  svg_write(&svg, "a <b>", "c & d", &out);
  svg_write(&svg, "a <b>", "c & d", &again);
  markup_assert_picture(&out);
  assert_string_equal(text_string(&out), text_string(&again));
  const char *all = text_string(&out);
  assert_non_null(strstr(all, "<title id=\"title\">a &lt;b&gt;</title>"));
  assert_non_null(strstr(all, "<desc id=\"description\">c &amp; d</desc>"));
  assert_non_null(strstr(all, "viewBox=\"0 0 40 30\""));
  assert_non_null(strstr(all, "prefers-color-scheme:dark"));
  assert_non_null(strstr(all, "fill=\"#001234\""));
  assert_null(strstr(all, "<script"));
  assert_null(strstr(all, "href"));
  text_free(&out);
  text_free(&again);
  svg_free(&svg);
}

static void test_nothing_to_show(void **state) {
  (void)state;
  Text out = {0};
  svg_write_empty("A title & more", NULL, &out);
  markup_assert_picture(&out);
  markup_assert_says(&out, "There is no data to show.");
  text_clear(&out);
  svg_write_empty(NULL, "Why.", &out);
  markup_assert_picture(&out);
  text_free(&out);
}

/* Any bytes become a valid picture. */
static void test_any_bytes(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 7);
  for (int round = 0; round < 500; round++) {
    char bytes[40];
    uint32_t length = random_below(&random, sizeof bytes);
    for (uint32_t i = 0; i < length; i++)
      bytes[i] = (char)(1 + random_below(&random, 255));
    bytes[length] = '\0';
    Svg svg = {.width = 2000, .height = 40};
    SvgFont font = {.size = 12};
    svg_text(&svg, &font, 10, 20, random_below(&random, 100), bytes);
    Text out = {0};
    svg_write(&svg, bytes, bytes, &out);
    markup_assert_picture(&out);
    text_free(&out);
    svg_free(&svg);
  }
}

static void test_the_checker_finds_faults(void **state) {
  (void)state;
  static const char *const faulty[] = {
      "",
      "<a>",
      "<a></b>\n",
      "<a x=1/>\n",
      "<a x=\"1\" x=\"2\"/>\n",
      "<a x=\"nan\"/>\n",
      "<a x=\"<\"/>\n",
      "<a>&nbsp;</a>\n",
      "<a>\x01</a>\n",
      "<a>\xff</a>\n",
      "<a>\xed\xa0\x80</a>\n",
      "<a/><b/>\n",
      "<a><b></a></b>\n",
      "<a>",
  };
  for (size_t i = 0; i < LENGTH(faulty); i++) {
    Markup markup = {0};
    assert_false(markup_read(&markup, faulty[i]));
    assert_true(markup.fault[0]);
    markup_free(&markup);
  }
  Markup markup = {0};
  assert_true(markup_read(
      &markup, "<a viewBox=\"0 0 9 8\"><text x=\"5\" y=\"6\" font-size=\"10\" "
               "text-anchor=\"end\">i&lt;<title>no</title></text></a>\n"));
  assert_int_equal(markup.texts.count, 1);
  assert_string_equal(markup.texts.data[0].content, "i<");
  assert_true(fabs(markup.texts.data[0].right - 5) < 1e-9);
  assert_true(markup.width == 9 && markup.height == 8);
  markup_free(&markup);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_escaping),
      cmocka_unit_test(test_coordinates),
      cmocka_unit_test(test_widths),
      cmocka_unit_test(test_cutting),
      cmocka_unit_test(test_paragraphs),
      cmocka_unit_test(test_document),
      cmocka_unit_test(test_nothing_to_show),
      cmocka_unit_test(test_any_bytes),
      cmocka_unit_test(test_the_checker_finds_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
