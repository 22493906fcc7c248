#include "search/card_child.h"

#include <stdlib.h>
#include <sys/wait.h>

#include "support/cards.h"

void card_child(CardWork *work, const void *context, const char *words) {
  fflush(NULL);
  pid_t pid = fork();
  if (!pid) {
    Text copy = {0};
    text_add(&copy, words);
    alarm(200);
    setenv("TAFL_CARD_QUIET", "1", 1);
    setenv("TAFL_CARD_RACES", "0", 1);
    setenv("TAFL_CARD_LATE", "1", 1);
    for (char *word = strtok(copy.bytes, " "); word; word = strtok(NULL, " ")) {
      char *equals = strchr(word, '=');
      *equals = '\0';
      setenv(word, equals + 1, 1);
    }
    text_free(&copy);
    cards_find();
    work(context);
    exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  if (!WIFEXITED(status) || WEXITSTATUS(status)) {
    fprintf(stderr, "in the case \"%s\": status %d\n", words, status);
    fail();
  }
}
