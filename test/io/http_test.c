/* Requests that are no messages of game masters: methods, paths, parameters,
   answers and streams. Server and clients take turns in one process. */
#include "io/http.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "support/unit.h"

enum { LIMIT = 100 }; /* bytes of a body */

/* ---- the server ---- */

typedef struct Site {
  Guard guard;
  Http *http;
  HttpRequest *stream; /* the last one, while it is open */
  int gone;            /* streams whose client went away */
  int messages;
  Text seen; /* what the handler was given */
} Site;

static size_t is_other(void *context, const HttpRequest *request) {
  (void)context;
  return strncmp(http_path(request), "page", 4) == 0 ? LIMIT : 0;
}

static void refuse(void *context, HttpRequest *request, unsigned status,
                   const char *why) {
  (void)context;
  HttpAnswer answer = {.status = status,
                       .type = "text/refusal",
                       .bytes = why,
                       .length = strlen(why)};
  http_answer(request, &answer);
}

static void count_gone(void *context, HttpRequest *request) {
  Site *site = context;
  assert_ptr_equal(request, site->stream);
  site->stream = NULL;
  site->gone++;
}

static void answer(Site *site, HttpRequest *request) {
  static const char *const headers[] = {"ETag", "\"1\"", "X-More", "yes", NULL};
  static const char *const methods[] = {
      [HTTP_GET] = "GET", [HTTP_POST] = "POST", [HTTP_DELETE] = "DELETE"};
  const char *query = http_query(request, "q");
  const char *agent = http_header(request, "user-AGENT");
  text_clear(&site->seen);
  text_format(&site->seen, "%s|%s|%s|%s|%s|%s", methods[http_method(request)],
              http_path(request), query ? query : "-", http_target(request),
              agent ? agent : "-", http_peer(request));
  HttpAnswer given = {.status = 299,
                      .type = "text/own",
                      .bytes = text_string(&site->seen),
                      .length = site->seen.length,
                      .headers = headers};
  http_answer(request, &given);
  text_clear(&site->seen); /* the answer was copied */
  text_add(&site->seen, "something else, which is longer than the answer was");
}

static HttpTurn take(void *context, HttpRequest *request, Text *body) {
  Site *site = context;
  HttpAnswer lasting = {.status = 200,
                        .type = "text/lasting",
                        .bytes = "lasting",
                        .length = 7,
                        .lasting = true};
  HttpAnswer events = {.type = "text/event-stream"};
  if (is_other(NULL, request) == 0) {
    site->messages++;
    http_reply(request, 200, text_string(body));
  } else if (strcmp(http_path(request), "page/events") == 0) {
    http_stream(request, &events, count_gone, site);
    site->stream = request;
  } else if (strcmp(http_path(request), "page/lasting") == 0) {
    http_answer(request, &lasting);
  } else if (strcmp(http_path(request), "page/body") == 0) {
    http_reply(request, 200, text_string(body));
  } else {
    answer(site, request);
  }
  return HTTP_TAKEN;
}

static void open_site(Site *site) {
  Text error = {0};
  *site = (Site){0};
  assert_true(guard_init(&site->guard, "127.0.0.1", "", "", &error));
  HttpSettings settings = {.bind = "127.0.0.1",
                           .body = 10 * LIMIT,
                           .small = 10 * LIMIT,
                           .bodies = 1 << 20,
                           .seconds = 0.5,
                           .clients = 40,
                           .type = "text/acl",
                           .about = "about",
                           .guard = &site->guard,
                           .handler = take,
                           .other = is_other,
                           .refuse = refuse,
                           .context = site};
  site->http = http_new(&settings, &error);
  assert_non_null(site->http);
}

static void close_site(Site *site) {
  http_delete(site->http);
  guard_free(&site->guard);
  text_free(&site->seen);
}

static void turn(Site *site, double wait) {
  struct pollfd file = {.fd = http_file(site->http), .events = POLLIN};
  double due = http_due(site->http) - clock_now();
  if (due > wait) due = wait;
  poll(&file, 1, due > 0 ? (int)(1e3 * due) + 1 : 0);
  http_run(site->http);
  http_handle(site->http, clock_now() + 1);
}

static void run_for(Site *site, double seconds) {
  double end = clock_now() + seconds;
  while (clock_now() < end) turn(site, end - clock_now());
}

/* ---- clients ---- */

static int send_text(const Site *site, const char *text) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                .sin_port =
                                    htons((uint16_t)http_port(site->http))};
  int file = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(connect(file, (struct sockaddr *)&address, sizeof address),
                   0);
  assert_int_equal(send(file, text, strlen(text), MSG_NOSIGNAL), strlen(text));
  return file;
}

/* Returns false once the connection is closed. */
static bool receive(int file, Text *text) {
  char bytes[4096];
  for (;;) {
    ssize_t count = recv(file, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count > 0)
      text_add_bytes(text, bytes, (size_t)count);
    else
      return count < 0;
  }
}

static bool receive_until(Site *site, int file, Text *text, const char *part) {
  double end = clock_now() + 5;
  while (!strstr(text_string(text), part) && clock_now() < end) {
    turn(site, 0.01);
    if (!receive(file, text)) break;
  }
  return strstr(text_string(text), part);
}

/* Asks, and returns the whole reply. */
static const char *ask(Site *site, const char *request, Text *reply) {
  double end = clock_now() + 5;
  int file = send_text(site, request);
  text_clear(reply);
  text_add(reply, "");
  do turn(site, 0.01);
  while (receive(file, reply) && clock_now() < end);
  close(file);
  return text_string(reply);
}

static void expect(Site *site, const char *request, const char *status,
                   const char *body) {
  Text reply = {0};
  const char *text = ask(site, request, &reply);
  const char *found = strstr(text, "\r\n\r\n");
  assert_non_null(found);
  assert_memory_equal(text + strlen("HTTP/1.1 "), status, 3);
  assert_string_equal(found + 4, body);
  text_free(&reply);
}

/* ---- tests ---- */

static void requests_say_what_they_ask(void **state) {
  (void)state;
  Site site;
  open_site(&site);
  expect(&site, "GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n", "299",
         "GET|page|-|page|-|127.0.0.1");
  expect(&site,
         "GET /page/a%20b+c%2Fd?q=1%202+3&x HTTP/1.1\r\nHost: localhost\r\n"
         "User-Agent: me\r\n\r\n",
         "299", "GET|page/a b+c/d|1 2 3|page/a b c/d?q=1 2 3&x|me|127.0.0.1");
  expect(&site, "DELETE /page/x HTTP/1.1\r\nHost: localhost\r\n\r\n", "299",
         "DELETE|page/x|-|page/x|-|127.0.0.1");
  expect(&site,
         "POST /page?q= HTTP/1.1\r\nHost: localhost\r\n"
         "Content-Length: 2\r\n\r\nab",
         "299", "POST|page||page?q=|-|127.0.0.1");
  expect(&site, "GET /page%00x%2 HTTP/1.1\r\nHost: localhost\r\n\r\n", "299",
         "GET|page%00x%2|-|page|-|127.0.0.1");
  expect(&site,
         "POST /page/body HTTP/1.1\r\nHost: localhost\r\n"
         "Content-Length: 2\r\n\r\nab",
         "200", "ab");
  close_site(&site);
}

static void answers_have_their_own_headers(void **state) {
  (void)state;
  Site site;
  Text reply = {0};
  open_site(&site);
  const char *text =
      ask(&site, "GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n", &reply);
  assert_non_null(strstr(text, "\r\nContent-Type: text/own\r\n"));
  assert_non_null(strstr(text, "\r\nETag: \"1\"\r\n"));
  assert_non_null(strstr(text, "\r\nX-More: yes\r\n"));
  expect(&site, "GET /page/lasting HTTP/1.1\r\nHost: localhost\r\n\r\n", "200",
         "lasting");
  text = ask(&site, "HEAD /page/lasting HTTP/1.1\r\nHost: localhost\r\n\r\n",
             &reply);
  assert_non_null(strstr(text, "\r\nContent-Length: 7\r\n"));
  assert_string_equal(strstr(text, "\r\n\r\n"), "\r\n\r\n");
  text_free(&reply);
  close_site(&site);
}

static void others_are_refused_in_their_own_way(void **state) {
  (void)state;
  Site site;
  Text reply = {0};
  open_site(&site);
  expect(&site,
         "POST /page/body HTTP/1.1\r\nHost: localhost\r\n"
         "Content-Length: 101\r\n\r\n"
         "0123456789012345678901234567890123456789012345678901234567890123456"
         "7890123456789012345678901234567890",
         "413", "too large");
  const char *text =
      ask(&site, "PUT /page HTTP/1.1\r\nHost: localhost\r\n\r\n", &reply);
  assert_memory_equal(text, "HTTP/1.1 405", 12);
  assert_non_null(strstr(text, "text/refusal"));
  text = ask(&site, "GET /page HTTP/1.1\r\nHost: evil.example\r\n\r\n", &reply);
  assert_memory_equal(text, "HTTP/1.1 403", 12);
  assert_non_null(strstr(text, "text/refusal"));
  text_free(&reply);
  close_site(&site);
}

static void messages_stay_as_they_were(void **state) {
  (void)state;
  Site site;
  open_site(&site);
  expect(&site, "GET /(INFO)?a+b HTTP/1.1\r\nHost: localhost\r\n\r\n", "200",
         "(INFO)?a b");
  expect(&site, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "200", "about");
  expect(&site, "HEAD /x HTTP/1.1\r\nHost: localhost\r\n\r\n", "200", "");
  assert_int_equal(site.messages, 1);
  expect(&site, "DELETE /x HTTP/1.1\r\nHost: localhost\r\n\r\n", "405",
         "send messages by POST or GET");
  assert_int_equal(site.messages, 1);
  close_site(&site);
}

static int open_stream(Site *site, Text *text) {
  int file =
      send_text(site, "GET /page/events HTTP/1.0\r\nHost: localhost\r\n\r\n");
  double end = clock_now() + 5;
  while (!site->stream && clock_now() < end) turn(site, 0.01);
  assert_non_null(site->stream);
  http_stream_send(site->stream, "first\n", 6);
  assert_true(receive_until(site, file, text, "first\n"));
  return file;
}

static void streams_send_what_comes(void **state) {
  (void)state;
  Site site;
  Text text = {0};
  open_site(&site);
  int file = open_stream(&site, &text);
  assert_int_equal(http_streams(site.http), 1);
  assert_int_equal(http_stream_queued(site.stream), 0);
  for (int i = 0; i < 50000; i++) http_stream_send(site.stream, "again\n", 6);
  assert_int_equal(http_stream_queued(site.stream), 300000);
  http_stream_send(site.stream, "last\n", 5);
  assert_true(receive_until(&site, file, &text, "last\n"));
  http_stream_send(site.stream, "bye\n", 4);
  http_stream_end(site.stream);
  double end = clock_now() + 5;
  while (receive(file, &text) && clock_now() < end) turn(&site, 0.01);
  assert_non_null(strstr(text_string(&text), "last\nbye\n"));
  assert_int_equal(site.gone, 0);
  run_for(&site, 0.05);
  assert_int_equal(http_streams(site.http), 0);
  close(file);
  text_free(&text);
  close_site(&site);
}

static void streams_have_no_limit_of_time(void **state) {
  (void)state;
  Site site;
  Text text = {0};
  open_site(&site);
  int file = open_stream(&site, &text);
  for (int i = 0; i < 60; i++) { /* more than there is room for */
    int other = send_text(&site, "GET /page/sl");
    turn(&site, 0);
    close(other);
  }
  run_for(&site, 0.7);
  http_stream_send(site.stream, "still here\n", 11);
  assert_true(receive_until(&site, file, &text, "still here\n"));
  close(file);
  text_free(&text);
  close_site(&site);
}

static void streams_know_when_nobody_listens(void **state) {
  (void)state;
  Site site;
  Text text = {0};
  open_site(&site);
  close(open_stream(&site, &text));
  double end = clock_now() + 5;
  while (!site.gone && clock_now() < end) turn(&site, 5);
  assert_int_equal(site.gone, 1);
  assert_true(clock_now() < end - 4); /* at once, though nothing was sent */
  run_for(&site, 0.05);
  assert_int_equal(http_streams(site.http), 0);

  int file = open_stream(&site, &text);
  http_stream_send(site.stream, "more\n", 5);
  struct linger reset = {1, 0};
  setsockopt(file, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  close(file); /* with a reset */
  while (site.gone < 2 && clock_now() < end) turn(&site, 5);
  assert_int_equal(site.gone, 2);
  text_free(&text);
  close_site(&site);
  assert_int_equal(site.gone, 2);
}

static void streams_end_with_the_server(void **state) {
  (void)state;
  Site site;
  Text text = {0};
  open_site(&site);
  int files[3];
  for (int i = 0; i < 3; i++) {
    text_clear(&text);
    files[i] = open_stream(&site, &text);
    site.stream = NULL;
  }
  assert_int_equal(http_streams(site.http), 3);
  close_site(&site);
  for (int i = 0; i < 3; i++) {
    char byte;
    assert_int_equal(recv(files[i], &byte, 1, 0), 0);
    close(files[i]);
  }
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(requests_say_what_they_ask),
      cmocka_unit_test(answers_have_their_own_headers),
      cmocka_unit_test(others_are_refused_in_their_own_way),
      cmocka_unit_test(messages_stay_as_they_were),
      cmocka_unit_test(streams_send_what_comes),
      cmocka_unit_test(streams_have_no_limit_of_time),
      cmocka_unit_test(streams_know_when_nobody_listens),
      cmocka_unit_test(streams_end_with_the_server)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
