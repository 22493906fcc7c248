/* HTTP replies, right and wrong, over a socket pair; and URLs. */
#include "io/socket.h"

#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "support/unit.h"

/* Receives the bytes as a reply; the other side then closes, or stays open. */
static SocketEnd receive(const char *bytes, bool close_after,
                         SocketReply *reply) {
  int ends[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  assert_true(socket_send(ends[0], bytes, strlen(bytes), clock_now() + 1));
  if (close_after) close(ends[0]);
  SocketEnd end = socket_receive(ends[1], reply, clock_now() + 0.05);
  if (!close_after) close(ends[0]);
  close(ends[1]);
  return end;
}

static void replies_whole_as_far_as_one_can_tell(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    bool closed;
    int status;
    int64_t announced;
    const char *body;
  } cases[] = {
      {"HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nnoop", false, 200, 4,
       "noop"},
      {"HTTP/1.0 200 OK\r\ncontent-length:4\r\n\r\nnoop", true, 200, 4, "noop"},
      {"HTTP/1.1 404 Not Found\nContent-Length: 0\n\n", false, 404, 0, ""},
      {"HTTP/1.0 200 OK\r\n\r\n(mark 1 1)", true, 200, -1, "(mark 1 1)"},
      {"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nnoop", true, 200, 9,
       "noop"},
      {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nnoop", false, 200, 2, "no"},
      {"HTTP/1.0 200 OK\r\nContent-Length: -3\r\n\r\nnoop", true, 200, -3,
       "noop"},
      {"HTTP/1.0 OK\r\nContent-Length: 1\r\n\r\na", false, 999, 1, "a"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
       "3\r\n(ma\r\n7;x=y\r\nrk 1 1)\r\n0\r\n\r\n",
       false, 200, -1, "(mark 1 1)"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
       "ffffffffffffffffffff\r\nno",
       true, 200, -1, "no"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk", true,
       200, -1, ""}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    SocketReply reply = {0};
    assert_int_equal(receive(cases[i].bytes, cases[i].closed, &reply),
                     SOCKET_WHOLE);
    assert_int_equal(reply.status, cases[i].status);
    assert_int_equal(reply.announced, cases[i].announced);
    assert_string_equal(text_string(&reply.body), cases[i].body);
    socket_reply_free(&reply);
  }
}

static void replies_that_never_are(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    bool closed;
    SocketEnd end;
  } cases[] = {
      {"", true, SOCKET_CLOSED},
      {"", false, SOCKET_LATE},
      {"HTTP/1.0 200 OK\r\n", true, SOCKET_CLOSED},
      {"HTTP/1.0 200 OK\r\n\r\nnoop", false, SOCKET_LATE},
      {"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nnoop", false, SOCKET_LATE},
      {"noop\r\n\r\n", true, SOCKET_CLOSED}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    SocketReply reply = {0};
    assert_int_equal(receive(cases[i].bytes, cases[i].closed, &reply),
                     cases[i].end);
    assert_int_equal(reply.body.length, 0);
    socket_reply_free(&reply);
  }
}

static void headers_by_name(void **state) {
  (void)state;
  SocketReply reply = {0};
  Text value = {0};
  receive("HTTP/1.0 200 OK\r\nX-One: a b \t\r\nx-two:\r\nContent-Length: 7\r\n"
          "\r\nX-No: x",
          true, &reply);
  assert_true(socket_header(&reply, "x-one", &value));
  assert_string_equal(value.bytes, "a b");
  text_clear(&value);
  assert_true(socket_header(&reply, "X-Two", &value));
  assert_string_equal(value.bytes, "");
  assert_false(socket_header(&reply, "X", &value));
  assert_false(socket_header(&reply, "X-No", &value));
  text_free(&value);
  socket_reply_free(&reply);
}

static void bytes_after_the_reply_are_counted(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  assert_false(socket_has_input(ends[1]));
  assert_true(socket_send(ends[0], "abc", 3, clock_now() + 1));
  assert_true(socket_has_input(ends[1]));
  close(ends[0]);
  assert_int_equal(socket_count_surplus(ends[1], clock_now() + 1), 3);
  assert_int_equal(socket_count_surplus(ends[1], clock_now() + 1), 0);
  close(ends[1]);
}

static void urls(void **state) {
  (void)state;
  static const char *const cases[][4] = {
      {"http://127.0.0.1", "127.0.0.1", "9147", "/"},
      {"http://127.0.0.1:80", "127.0.0.1", "80", "/"},
      {"HTTP://127.0.0.1:80/a/b", "127.0.0.1", "80", "/a/b"},
      {"http://[::1]:81/", "::1", "81", "/"},
      {"http://[::1]", "::1", "9147", "/"}};
  static const char *const wrong[] = {
      "",           "127.0.0.1",         "https://a",        "http://",
      "http://:80", "http://127.0.0.1:", "http://1.1.1.1:x", "http://[::1",
      "http://a b", "http://a@b",        "http://[::1]80",   "http://a?b"};
  Text error = {0};
  SocketPlace place;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    assert_true(socket_place_read(&place, cases[i][0], "9147", &error));
    assert_string_equal(place.host.bytes, cases[i][1]);
    assert_string_equal(place.port.bytes, cases[i][2]);
    assert_string_equal(place.path.bytes, cases[i][3]);
    socket_place_free(&place);
  }
  assert_int_equal(error.length, 0);
  for (size_t i = 0; i < LENGTH(wrong); i++) {
    text_clear(&error);
    assert_false(socket_place_read(&place, wrong[i], "9147", &error));
    assert_true(error.length > 0);
  }
  text_free(&error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(replies_whole_as_far_as_one_can_tell),
      cmocka_unit_test(replies_that_never_are),
      cmocka_unit_test(headers_by_name),
      cmocka_unit_test(bytes_after_the_reply_are_counted),
      cmocka_unit_test(urls)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
