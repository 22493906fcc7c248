/* Shows how many simulations agents need for the problems of test/positions:
   one row for each file and agent, with the number of seeds out of SEEDS that
   found a right move with 100, 300, 1000, … simulations.

     build/tools/try SEEDS MOST_SIMULATIONS AGENT[;AGENT…] FILE…
     build/tools/try 3 1000 'tafl;cadia2007' test/positions/quarto-1.txt */
#include "support/ask.h"

static uint32_t count_right(Asking *asking, const char *agent,
                            uint64_t simulations, uint32_t seeds) {
  uint32_t right = 0;
  for (uint32_t seed = 1; seed <= seeds; seed++)
    right +=
        term_vector_contains(&asking->position.right,
                             asking_answer(asking, agent, simulations, seed));
  return right;
}

int main(int count, char **arguments) {
  if (count < 5) {
    fputs("try SEEDS MOST_SIMULATIONS AGENT[;AGENT...] FILE...\n", stderr);
    return 2;
  }
  static Asking asking;
  uint32_t seeds = (uint32_t)atoi(arguments[1]);
  uint64_t most = strtoull(arguments[2], NULL, 10);
  for (int i = 4; i < count; i++) {
    asking_enter(&asking, arguments[i]);
    char *agents = strdup(arguments[3]), *rest;
    for (char *agent = strtok_r(agents, ";", &rest); agent;
         agent = strtok_r(NULL, ";", &rest)) {
      printf("%-40s %-10s", strrchr(arguments[i], '/') + 1, agent);
      for (uint64_t n = 100; n <= most; n *= 10) {
        printf(" %3u", count_right(&asking, agent, n, seeds));
        if (3 * n <= most)
          printf(" %3u", count_right(&asking, agent, 3 * n, seeds));
        fflush(stdout);
      }
      putchar('\n');
    }
    free(agents);
    problem_free(&asking.position);
  }
  asking_close(&asking);
  return 0;
}
