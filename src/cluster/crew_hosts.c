/* Is a host there? A job of one rank on it, which says so and ends, must end
   well within the time. All hosts are asked at once. */
#include <poll.h>
#include <signal.h>

#include "base/clock.h"
#include "cluster/crew_job.h"

static const double patience = 15; /* seconds for an answer */

/* What a rank has to say before it ends (src/cluster/worker.c). */
static const char answer[] = "tafl: here";

static void ask(CrewJob *job, uint32_t number, double now) {
  Host *host = &job->hosts.list.data[number];
  Question question = {.host = number, .until = now + patience};
  TextVector words = {0};
  Text error = {0}, value = {0};
  char secret[LAUNCH_SECRET + 1]; /* its own: a guard ends all that have it */
  host->asked = now;
  launch_command(job->crew->scheme, &job->hosts, host, 1, "--probe", &words);
  launch_secret(secret);
  text_format(&value, "%s/%s", text_string(&job->address), secret);
  if (launch_begin(&question.launch, job->crew->scheme, &words, value.bytes,
                   &error))
    vector_push(&job->questions, question);
  else
    host->dead = true;
  text_free(&error);
  text_free(&value);
  text_vector_free(&words);
}

static bool is_asked(const CrewJob *job, uint32_t number) {
  for (uint32_t i = 0; i < job->questions.count; i++)
    if (job->questions.data[i].host == number) return true;
  return false;
}

void crew_ask(CrewJob *job, bool all) {
  double now = clock_now();
  for (uint32_t i = 0; i < job->hosts.list.count; i++) {
    const Host *host = &job->hosts.list.data[i];
    bool due = host->dead && now >= host->asked + job->crew->scheme->again;
    if (!is_asked(job, i) && (due || (all && !host->dead))) ask(job, i, now);
  }
}

static void close_question(CrewJob *job, uint32_t number, bool answered) {
  Question *question = &job->questions.data[number];
  Host *host = &job->hosts.list.data[question->host];
  if (host->dead && answered)
    crew_note(job, "cluster: %s answers again", host->name.bytes);
  host->dead = !answered;
  launch_free(&question->launch);
  *question = vector_last(&job->questions);
  job->questions.count--;
}

void crew_hear_answers(CrewJob *job, double now) {
  for (uint32_t i = job->questions.count; i-- > 0;) {
    Question *question = &job->questions.data[i];
    Launch *launch = &question->launch;
    Text how = {0};
    launch_hear(launch);
    bool ended = launch_ended(launch, &how), late = now >= question->until;
    bool answered = strstr(text_string(&launch->said), answer);
    text_free(&how);
    if (!ended && late) {
      launch_signal(launch, SIGKILL);
      question->until = now + patience; /* it is reaped */
    }
    if (ended) close_question(job, i, answered);
  }
}

void crew_ask_no_more(CrewJob *job) {
  for (uint32_t i = 0; i < job->questions.count; i++) {
    Question *question = &job->questions.data[i];
    Text how = {0};
    launch_signal(&question->launch, SIGKILL);
    while (!launch_ended(&question->launch, &how)) poll(NULL, 0, 1);
    text_free(&how);
    launch_free(&question->launch);
  }
  vector_free(&job->questions);
}
