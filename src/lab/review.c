/* The page: what it is and how to read it, the tables in a summary, then each
   table, then the notes that several tables have. */
#include "lab/review.h"

#include <math.h>
#include <unistd.h>

#include "lab/digest.h"
#include "lab/markdown.h"
#include "lab/review_table.h"
#include "lab/review_terms.h"

/* ---- gathering ---- */

static uint32_t find_text(const TextVector *list, const char *text) {
  for (uint32_t i = 0; i < list->count; i++)
    if (!strcmp(text_string(&list->data[i]), text)) return i + 1;
  return 0;
}

uint32_t review_note(const Review *review, const char *note) {
  return find_text(&review->notes, note);
}

static void gather_notes(Review *review) {
  for (uint32_t i = 0; i < review->count; i++)
    for (uint32_t j = 0; j < review->tables[i].notes.count; j++) {
      const char *note = text_string(&review->tables[i].notes.data[j]);
      Text copy = {0};
      bool shared = false;
      for (uint32_t other = 0; other < review->count; other++)
        shared |= other != i && find_text(&review->tables[other].notes, note);
      if (!shared || review_note(review, note)) continue;
      text_add(&copy, note);
      vector_push(&review->notes, copy);
    }
}

/* Adds the games of a table to those of all. */
static bool add_survey(Review *review, Results *results, const Survey *own) {
  bool fine = true;
  for (uint32_t i = 0; fine && i < own->series.count; i++)
    fine = survey_add(&review->survey, results, own->series.data[i]);
  return fine;
}

bool review_read(Review *review, Results *results, const Table *tables,
                 uint32_t count) {
  *review = (Review){.tables = tables};
  review->comparisons = memory_new((count + 1) * sizeof *review->comparisons);
  review->surveys = memory_new((count + 1) * sizeof *review->surveys);
  review->shipped = memory_new((count + 1) * sizeof *review->shipped);
  bool fine = true;
  while (fine && review->count < count) {
    uint32_t i = review->count++;
    fine = comparison_read(&review->comparisons[i], results, &tables[i],
                           &review->surveys[i]) &&
           add_survey(review, results, &review->surveys[i]);
  }
  gather_notes(review);
  return fine;
}

bool review_fill(Review *review, uint32_t table, const char *path,
                 Text *error) {
  Comparison comparison;
  Survey survey;
  if (review->surveys[table].games || access(path, F_OK) != 0) return true;
  if (!digest_read(&comparison, &survey, &review->tables[table], path, error))
    return false;
  comparison_free(&review->comparisons[table]);
  survey_free(&review->surveys[table]);
  review->comparisons[table] = comparison;
  review->surveys[table] = survey;
  review->shipped[table] = true;
  return true;
}

void review_free(Review *review) {
  for (uint32_t i = 0; i < review->count; i++)
    comparison_free(&review->comparisons[i]);
  for (uint32_t i = 0; i < review->count; i++) survey_free(&review->surveys[i]);
  memory_delete(review->comparisons);
  memory_delete(review->surveys);
  memory_delete(review->shipped);
  survey_free(&review->survey);
  text_vector_free(&review->notes);
}

/* ---- introduction ---- */

static void add_link(const Table *table, Text *text) {
  Text heading = {0};
  review_table_heading(table, &heading);
  text_format(text, "[%s](#", text_string(&table->id));
  markdown_anchor(text, text_string(&heading));
  text_add_byte(text, ')');
  text_free(&heading);
}

/* Length of the source without the number of the table. */
static size_t paper_length(const Table *table) {
  const char *source = text_string(&table->source), *last = NULL;
  for (const char *at = source; (at = strstr(at, ", Table")); at++) last = at;
  return last ? (size_t)(last - source) : strlen(source);
}

static bool same_paper(const Table *a, const Table *b) {
  size_t length = paper_length(a);
  return length == paper_length(b) &&
         !memcmp(text_string(&a->source), text_string(&b->source), length);
}

static void write_papers(const Review *review, Text *page) {
  for (uint32_t i = 0; i < review->count; i++) {
    const Table *table = &review->tables[i];
    bool seen = false;
    for (uint32_t before = 0; before < i; before++)
      seen |= same_paper(table, &review->tables[before]);
    if (seen) continue;
    Text line = {0};
    text_add_bytes(&line, text_string(&table->source), paper_length(table));
    text_add(&line, ": ");
    add_link(table, &line);
    for (uint32_t other = i + 1; other < review->count; other++)
      if (same_paper(table, &review->tables[other])) {
        text_add(&line, ", ");
        add_link(&review->tables[other], &line);
      }
    text_add_byte(&line, '.');
    markdown_paragraph(page, "- ", text_string(&line));
    text_free(&line);
  }
  text_add_byte(page, '\n');
}

void review_versions(const Survey *survey, Text *text) {
  uint32_t count = survey->versions.count;
  text_add(text, count == 1 ? "version " : "versions ");
  for (uint32_t i = 0; i < count; i++) {
    const SurveyVersion *version = &survey->versions.data[i];
    if (i) text_add(text, i + 1 < count ? ", " : " and ");
    text_add(text, text_string(&version->name));
    if (count == 1) continue;
    text_add(text, " (");
    markdown_count(text, (double)version->games);
    text_add(text, ")");
  }
}

/* What the games were played with. */
static void write_conditions(const Review *review, Text *page) {
  const Survey *survey = &review->survey;
  Text line = {0};
  if (!survey->games) {
    text_add(page, "No game has been played yet.\n\n");
    return;
  }
  markdown_count(&line, (double)survey->games);
  text_add(&line, " games were played in all, the last on ");
  text_add_bytes(&line, text_string(&survey->last),
                 strcspn(text_string(&survey->last), "T"));
  text_add(&line, " (UTC), by ");
  review_versions(survey, &line);
  text_add(&line, " of Tafl. A game that several tables ask for was played "
                  "once and counts in each of them.");
  markdown_paragraph(page, "", text_string(&line));
  text_add_byte(page, '\n');
  text_free(&line);
}

/* Appends the seeds of all cells, each once. */
static void add_seeds(const Review *review, Text *text) {
  VECTOR(uint64_t) seeds = {0};
  for (uint32_t i = 0; i < review->count; i++) {
    const Table *table = &review->tables[i];
    for (uint32_t j = 0; j < table->rows.count * table->columns.count; j++) {
      uint64_t seed = table->cells[j].series.seed;
      bool seen = !table->cells[j].there;
      for (uint32_t k = 0; k < seeds.count; k++) seen |= seeds.data[k] == seed;
      if (!seen) vector_push(&seeds, seed);
    }
  }
  text_add(text, seeds.count == 1 ? "the seed is " : "the seeds are ");
  for (uint32_t i = 0; i < seeds.count; i++)
    text_format(text, "%s%llu", i ? ", " : "",
                (unsigned long long)seeds.data[i]);
  vector_free(&seeds);
}

static void write_reading(const Review *review, Text *page) {
  Text line = {0};
  text_add(page, "## How to read this page\n\n");
  markdown_paragraph(
      page, "",
      "Each table is data: a file in `tables/` with the games, the players, "
      "their budgets, the number of games and the paper's figures. A **cell** "
      "is a contest: the same players play the same game under the same "
      "budget again and again, with roles that rotate from game to game. Its "
      "figure is the first player's win rate in per cent, where a draw counts "
      "as half a win, or its mean goal, from 0 to 100; the title says which.");
  text_add_byte(page, '\n');
  markdown_paragraph(
      page, "",
      "**Budgets** are counted in states that a player visits, not in "
      "seconds, and are derived from the papers' clocks as the notes of each "
      "table say. \"10,600\" stands for that many states for each move and as "
      "many before the first one, \"7,200,000 + 1,800,000\" for the states "
      "before the first move and those for each move. Nothing but the rules, "
      "the agents, the budget and the seed decides a game, so every machine "
      "plays the same games and finds the same figures; only speeds in states "
      "a second depend on the machine.");
  text_add_byte(page, '\n');
  text_add(&line, "**Seeds**: ");
  add_seeds(review, &line);
  text_add(&line,
           "; each game of a contest has its own random numbers, made from "
           "the seed and the number of the game, and the games in which "
           "players change their roles have the same.");
  markdown_paragraph(page, "", text_string(&line));
  text_add_byte(page, '\n');
  markdown_paragraph(
      page, "",
      "**Intervals** are 95 % confidence intervals. Those of the papers are "
      "their own; in brackets, (± 5.9), they are ours, where the paper has "
      "none: those of a rate over its number of games, or of a mean of the "
      "rows above. Those of our win rates are the interval of the games and "
      "four more, two of them won and two lost (Agresti and Coull 1998), "
      "widened to the symmetric one that contains it; those of mean goals are "
      "Student's. Both hold for few games and for rates near 0 and 100, too, "
      "where the usual 1.96 s / √n is too narrow or zero; "
      "[statistics.md](statistics.md) has how often they contain the truth.");
  text_add_byte(page, '\n');
  markdown_paragraph(
      page, "",
      "Two figures with intervals ± a and ± b **agree** (=) if they are no "
      "further apart than √(a² + b²): the 95 % interval of their difference "
      "contains zero. They are **near** (≈) if they do not agree but their "
      "intervals overlap, and **differ** (≠) if the intervals do not even "
      "overlap. Of cells in which both players are exactly as strong as the "
      "paper's, about one in twenty does not agree and one in two hundred "
      "differs, by chance. The summary also has the mean absolute difference "
      "that chance alone would make, √(2/π) times the standard deviation of "
      "the difference of two figures that mean the same. A figure of a paper "
      "that has no interval counts as exact. Where few games were played, "
      "intervals are wide, and that two figures agree says little.");
  text_add_byte(page, '\n');
  text_free(&line);
}

/* ---- summary ---- */

/* What the last columns say of a table, or of all. */
typedef struct Outcome {
  uint32_t verdicts[ESTIMATE_DIFFER + 1];
  double distance, chance; /* NAN: nothing to compare */
} Outcome;

static void add_outcome(const Outcome *outcome, Text *page) {
  text_format(page, " %u | %u | %u |", outcome->verdicts[ESTIMATE_AGREE],
              outcome->verdicts[ESTIMATE_NEAR],
              outcome->verdicts[ESTIMATE_DIFFER]);
  if (isnan(outcome->distance))
    text_add(page, " | |\n");
  else
    text_format(page, " %.1f | %.1f |\n", outcome->distance, outcome->chance);
}

/* Writes the line of a table and adds its outcome to that of all, weighted by
   its cells. Returns how many these are. */
static uint32_t write_line(const Comparison *comparison, Outcome *all,
                           Text *page) {
  const Table *table = comparison->table;
  Outcome own = {.distance = NAN, .chance = NAN};
  uint32_t judged = 0;
  for (int i = 0; i <= ESTIMATE_DIFFER; i++) {
    own.verdicts[i] = comparison->verdicts[i];
    all->verdicts[i] += own.verdicts[i];
    if (i != ESTIMATE_UNKNOWN) judged += own.verdicts[i];
  }
  if (judged) {
    own.distance = comparison->distance;
    own.chance = comparison->chance;
    all->distance += own.distance * judged;
    all->chance += own.chance * judged;
  }
  text_add(page, "| ");
  add_link(table, page);
  text_add(page, " | ");
  markdown_cell(page, text_string(&table->title));
  text_format(page, " | %u | %u | ", comparison->count, comparison->played);
  markdown_count(page, review_terms_paper_games(comparison));
  text_add(page, " | ");
  review_terms_games(comparison, page);
  text_add(page, " |");
  add_outcome(&own, page);
  return judged;
}

static void write_summary(const Review *review, Text *page) {
  Outcome all = {0};
  uint32_t cells = 0, played = 0, judged = 0;
  text_add(page, "## Summary\n\n| table | shows | cells | played | games a "
                 "cell, paper | ours | agree | near | differ | mean absolute "
                 "difference | by chance |\n"
                 "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (uint32_t i = 0; i < review->count; i++) {
    cells += review->comparisons[i].count;
    played += review->comparisons[i].played;
    judged += write_line(&review->comparisons[i], &all, page);
  }
  all.distance /= judged ? judged : (double)NAN;
  all.chance /= judged ? judged : (double)NAN;
  text_format(page, "| all | | %u | %u | | |", cells, played);
  add_outcome(&all, page);
  text_add_byte(page, '\n');
}

/* ---- the page ---- */

static void write_common_notes(const Review *review, Text *page) {
  if (!review->notes.count) return;
  text_add(page, "## Notes for several tables\n\n");
  for (uint32_t i = 0; i < review->notes.count; i++) {
    Text line = {0};
    text_format(&line, "<a id=\"note-%u\"></a>**%u.** %s", i + 1, i + 1,
                text_string(&review->notes.data[i]));
    markdown_paragraph(page, "- ", text_string(&line));
    text_free(&line);
  }
  text_add_byte(page, '\n');
}

void review_write(const Review *review, Text *page) {
  text_add(page, "# Experiments\n\n");
  markdown_paragraph(
      page, "",
      "*This page and its charts are written by `tafl lab report` from the "
      "tables in `tables/` and the database of results; changes belong "
      "there.*");
  text_add_byte(page, '\n');
  markdown_paragraph(
      page, "",
      "The tables of the papers that Tafl follows, played again: the paper's "
      "figure, ours, and whether they agree. `tafl lab list` names the "
      "tables, `tafl lab TABLE` plays what is missing of one and prints it. "
      "How strong Tafl's own agents are is in [strength.md](strength.md). The "
      "papers are:");
  text_add_byte(page, '\n');
  write_papers(review, page);
  write_conditions(review, page);
  write_summary(review, page);
  write_reading(review, page);
  for (uint32_t i = 0; i < review->count; i++)
    review_table_write(review, i, page);
  write_common_notes(review, page);
  while (page->length > 1 && page->bytes[page->length - 2] == '\n')
    page->bytes[--page->length] = 0;
}
