/* In games of two roles, features are a pair if their names are equal once the
   names of the roles are exchanged. Only kinds are taken: the board may or may
   not be reversed for the other role. In chess of 200 steps this halves what
   chance does to the values of pieces. */
#include "learn/mirror.h"

#include <ctype.h>
#include <math.h>

static bool is_word(char c) {
  return c && !isspace((unsigned char)c) && c != '(' && c != ')';
}

static bool word_is(const char *word, size_t length, const char *name) {
  return strlen(name) == length && !memcmp(word, name, length);
}

/* Appends the name with the words of `names` exchanged. */
static void exchange(const char *name, const char *const *names, Text *text) {
  while (*name) {
    size_t length = 0;
    while (is_word(name[length])) length++;
    if (!length)
      text_add_byte(text, *name++);
    else if (word_is(name, length, names[0]))
      text_add(text, names[1]);
    else if (word_is(name, length, names[1]))
      text_add(text, names[0]);
    else
      for (size_t i = 0; i < length; i++) text_add_byte(text, name[i]);
    name += length;
  }
}

static bool taken(const Linear *linear, uint32_t feature) {
  return linear->features.data[feature].class == FEATURE_KIND;
}

/* Lists pairs whose first feature comes before the second. */
static void find_pairs(Mirror *mirror, const Linear *linear,
                       const char *const *names) {
  uint32_t count = linear->features.count;
  Text *own = memory_new(count * sizeof *own);
  for (uint32_t f = 0; f < count; f++)
    if (taken(linear, f)) linear_name(linear, f, &own[f]);
  for (uint32_t f = 0; f < count; f++) {
    Text other = {0};
    if (!taken(linear, f)) continue;
    exchange(text_string(&own[f]), names, &other);
    for (uint32_t g = f + 1; g < count; g++)
      if (taken(linear, g) &&
          !strcmp(text_string(&own[g]), text_string(&other)))
        vector_push(&mirror->pairs, ((MirrorPair){f, g}));
    text_free(&other);
  }
  for (uint32_t f = 0; f < count; f++) text_free(&own[f]);
  memory_delete(own);
}

void mirror_init(Mirror *mirror, const Linear *linear) {
  const Description *description = linear->analysis->description;
  *mirror = (Mirror){0};
  if (linear->evaluation.role_count != 2) return;
  Text names[2] = {0};
  for (uint32_t role = 0; role < 2; role++)
    term_write(&description->rules.terms, description->rules.roles.data[role],
               &names[role]);
  const char *texts[2] = {text_string(&names[0]), text_string(&names[1])};
  find_pairs(mirror, linear, texts);
  text_free(&names[0]);
  text_free(&names[1]);
}

void mirror_free(Mirror *mirror) {
  vector_free(&mirror->pairs);
}

/* `sign` is −1 if what is good for one is bad for the other. */
static void even(float *first, float *second, float sign) {
  float difference = fabsf(*first - sign * *second);
  if (difference > 0.5f * (fabsf(*first) + fabsf(*second))) return;
  float mean = 0.5f * (*first + sign * *second);
  *first = mean;
  *second = sign * mean;
}

void mirror_even(const Mirror *mirror, Linear *linear) {
  for (uint32_t i = 0; i < mirror->pairs.count; i++) {
    MirrorPair pair = mirror->pairs.data[i];
    float *one = linear_row(linear, 0);
    float *other = linear->rows > 1 ? linear_row(linear, 1) : one;
    float sign = linear->rows > 1 ? 1 : -1;
    even(&one[pair.first], &other[pair.second], sign);
    if (linear->rows > 1) even(&one[pair.second], &other[pair.first], sign);
  }
}
