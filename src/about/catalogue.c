/* Everything is read from the text: titles and words from its comments, roles
   from its tokens. A title such as "hanoi - the Towers of Hanoi" has the name
   before the hyphen, which is then left out, or, for people, is written as
   words. */
#include "about/catalogue.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

#include "about/header.h"
#include "gdl/lex.h"

/* ---- files ---- */

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool has_ending(const char *name, const char *ending) {
  size_t length = strlen(name), own = strlen(ending);
  return length > own && strcmp(name + length - own, ending) == 0;
}

static int compare_names(const void *a, const void *b) {
  const Text *one = a, *other = b;
  int order = strcasecmp(one->bytes, other->bytes);
  return order ? order : strcmp(one->bytes, other->bytes);
}

static bool printable(const char *name) {
  for (; *name; name++)
    if ((unsigned char)*name < ' ' || *name == 127) return false;
  return true;
}

void catalogue_names(const char *directory, const char *ending,
                     TextVector *names) {
  DIR *open = opendir(directory);
  if (!open) return;
  for (struct dirent *entry; (entry = readdir(open));) {
    const char *file = entry->d_name;
    if (*file == '.' || !has_ending(file, ending) || !printable(file)) continue;
    Text path = {0}, name = {0};
    text_format(&path, "%s/%s", directory, file);
    if (is_file(path.bytes)) {
      text_add_bytes(&name, file, strlen(file) - strlen(ending));
      vector_push(names, name);
    }
    text_free(&path);
  }
  closedir(open);
  if (names->count)
    qsort(names->data, names->count, sizeof *names->data, compare_names);
}

bool catalogue_file(const TextVector *directories, const char *name,
                    Text *path) {
  if (!*name || *name == '.' || strchr(name, '/') || !printable(name))
    return false;
  for (uint32_t i = 0; i < directories->count; i++) {
    text_clear(path);
    text_format(path, "%s/%s.kif", directories->data[i].bytes, name);
    if (is_file(path->bytes)) return true;
  }
  return false;
}

/* ---- what a file says ---- */

/* Characters that frame a comment, such as "; ***". */
static bool frames(char c) {
  return (unsigned char)c <= ' ' || strchr(";*#=-", c);
}

static bool has_letter(const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (isalpha((unsigned char)bytes[i])) return true;
  return false;
}

/* Appends the first comment before the rules that has a letter, without its
   frame, the ending of a file, and the name if it begins with that. */
void catalogue_title(const char *rules, const char *name, Text *title) {
  const char *line = rules;
  if (strncmp(line, "\xef\xbb\xbf", 3) == 0) line += 3;
  for (; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const char *first = line + strspn(line, " \t\r");
    size_t length = strcspn(first, "\n");
    if (*first && *first != '\n' && *first != ';') return;
    while (length && frames(*first)) first++, length--;
    while (length && frames(first[length - 1])) length--;
    if (!has_letter(first, length)) continue;
    size_t own = strlen(name);
    if (length > own + 3 && strncmp(first, name, own) == 0 &&
        strncmp(first + own, " - ", 3) == 0)
      first += own + 3, length -= own + 3;
    if (length > 4 && strncmp(first + length - 4, ".kif", 4) == 0) length -= 4;
    for (size_t i = 0; i < length; i++)
      text_add_byte(title, (unsigned char)first[i] < ' ' || first[i] == 127
                               ? ' '
                               : first[i]);
    return;
  }
}

static bool is_role(const Source *source, Token token) {
  return token.kind == TOKEN_WORD && token.length == 4 &&
         strncasecmp(source->text + token.offset, "role", 4) == 0;
}

static void add_token(Text *role, const Source *source, Token token) {
  if (role->length && token.kind != TOKEN_CLOSE &&
      role->bytes[role->length - 1] != '(')
    text_add_byte(role, ' ');
  text_add_bytes(role, source->text + token.offset, token.length);
}

/* Collects what stands in facts (role …) at the top of the text. */
void catalogue_roles(const Text *text, TextVector *roles) {
  Source source;
  Report report;
  source_init(&source, "", text_string(text), text->length);
  report_init(&report, &source);
  Lexer lexer = {.source = &source, .report = &report};
  uint32_t depth = 0;
  bool head = false, in_role = false;
  Text role = {0};
  for (Token token; (token = lex_next(&lexer)).kind != TOKEN_END;) {
    if (token.kind == TOKEN_CLOSE && depth && --depth == 0) {
      if (role.length) vector_push(roles, role);
      role = (Text){0};
      in_role = false;
    }
    if (in_role) add_token(&role, &source, token);
    if (head) in_role = is_role(&source, token);
    head = token.kind == TOKEN_OPEN && depth++ == 0;
  }
  text_free(&role);
  report_free(&report);
  source_free(&source);
}

/* ---- for people ---- */

enum { TITLE_LONGEST = 40 };

/* Appends blocksWorld as "Blocks World", knights_tour as "Knights tour". */
static void add_spelled(const char *name, Text *title) {
  for (size_t i = 0; name[i]; i++) {
    unsigned char c = (unsigned char)name[i];
    if (i && isupper(c) && islower((unsigned char)name[i - 1]))
      text_add_byte(title, ' ');
    text_add_byte(title, i == 0            ? (char)toupper(c)
                         : strchr("-_", c) ? ' '
                                           : (char)c);
  }
}

/* Up to what explains the title: "Checkers (English draughts)". */
static size_t short_length(const char *title) {
  static const char *const breaks[] = {" (", " - ", ": "};
  size_t length = strlen(title);
  for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
    const char *at = strstr(title, breaks[i]);
    if (at && at > title && (size_t)(at - title) < length)
      length = (size_t)(at - title);
  }
  return length;
}

/* A title that begins with a capital, and not with the name of the file, is one
   that somebody has written for people. */
void catalogue_name(const char *rules, const char *name, Text *title) {
  Text line = {0};
  header_title(rules, &line);
  const char *first = text_string(&line);
  size_t own = strlen(name), length = short_length(first);
  bool named = strncasecmp(first, name, own) == 0 &&
               (length == own || first[own] == '.');
  if (isupper((unsigned char)*first) && length <= TITLE_LONGEST && !named)
    text_add_bytes(title, first, length);
  else if (isupper((unsigned char)*first) && named)
    text_add_bytes(title, first, own);
  else
    add_spelled(name, title);
  text_free(&line);
}

static bool is_note(const char *line) {
  return strncmp(line, "serves:", 7) == 0 || strncmp(line, "like:", 5) == 0;
}

/* Of the first line, which is a title, what says more than that. */
static const char *explanation(const char *line, const char *name) {
  size_t own = strlen(name), length = short_length(line);
  if (own && strncasecmp(line, name, own) == 0 &&
      strncmp(line + own, " - ", 3) == 0)
    return line + own + 3;
  return line[length] || length > TITLE_LONGEST ? line : "";
}

static void add_paragraph(const char *line, TextVector *paragraphs) {
  Text paragraph = {0};
  if (!*line) return;
  text_add(&paragraph, line);
  *paragraph.bytes = (char)toupper((unsigned char)*paragraph.bytes);
  vector_push(paragraphs, paragraph);
}

void catalogue_words(const char *rules, const char *name,
                     TextVector *paragraphs) {
  enum { WIDTH = 1 << 20 }; /* a paragraph is one line */
  Text header = {0};
  char *rest = NULL;
  bool first = true;
  header_write(rules, WIDTH, &header);
  if (header.length)
    for (char *line = strtok_r(header.bytes, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
      if (!is_note(line))
        add_paragraph(first ? explanation(line, name) : line, paragraphs);
      first = false;
    }
  text_free(&header);
}

/* The end of the second sentence, or of the paragraph. */
static size_t two_sentences(const char *words) {
  size_t at = 0;
  for (int sentences = 0; words[at]; at++)
    if (strchr(".!?", words[at]) && (words[at + 1] == ' ' || !words[at + 1]) &&
        ++sentences == 2)
      return at + 1;
  return at;
}

/* Cuts behind a word. */
static void add_short(const char *words, size_t most, Text *summary) {
  size_t length = two_sentences(words);
  if (length <= most) {
    text_add_bytes(summary, words, length);
    return;
  }
  for (length = most; length && words[length] != ' '; length--) continue;
  while (length && strchr(" ,;:", words[length - 1])) length--;
  text_add_bytes(summary, words, length);
  text_add(summary, "…");
}

void catalogue_summary(const TextVector *paragraphs, Text *summary) {
  enum { LEAST = 60, MOST = 180 };
  static const char label[] = "Rules: ";
  uint32_t best = 0;
  while (best < paragraphs->count && paragraphs->data[best].length < LEAST)
    best++;
  if (best == paragraphs->count) best = 0;
  if (!paragraphs->count) return;
  const char *words = paragraphs->data[best].bytes;
  bool labelled = strncmp(words, label, strlen(label)) == 0;
  size_t before = summary->length;
  add_short(words + (labelled ? strlen(label) : 0), MOST, summary);
  summary->bytes[before] = (char)toupper((unsigned char)summary->bytes[before]);
}
