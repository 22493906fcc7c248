#include "server/caller.h"

int caller_send(unsigned port, const char *text, size_t length) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct timeval patience = {.tv_sec = 60};
  int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (connect(file, (struct sockaddr *)&address, sizeof address) != 0)
    fail_msg("no connection to port %u", port);
  while (length) {
    ssize_t sent = send(file, text, length, MSG_NOSIGNAL);
    if (sent <= 0) break;
    text += sent;
    length -= (size_t)sent;
  }
  return file;
}

void caller_receive(int file, Text *reply) {
  char bytes[4096];
  ssize_t got;
  while ((got = recv(file, bytes, sizeof bytes, 0)) > 0)
    text_add_bytes(reply, bytes, (size_t)got);
  close(file);
}

int caller_post(unsigned port, const char *message) {
  Text request = {0};
  text_format(&request,
              "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\n"
              "Receiver: X\r\nContent-Type: text/acl\r\nContent-Length: "
              "%zu\r\n\r\n%s",
              strlen(message), message);
  int file = caller_send(port, request.bytes, request.length);
  text_free(&request);
  return file;
}

const char *caller_body(const Text *reply) {
  const char *text = text_string(reply);
  const char *head_end = strstr(text, "\r\n\r\n");
  const char *length = strstr(text, "Content-Length: ");
  if (!head_end || !length || length > head_end) return "(no reply)";
  assert_null(strstr(text, "Access-Control-Allow-Origin"));
  assert_non_null(strstr(text, "Content-Type: text/acl"));
  assert_null(strstr(text, "chunked"));
  assert_int_equal(strtoul(length + 16, NULL, 10), strlen(head_end + 4));
  return head_end + 4;
}

void caller_expect(int file, const char *status, const char *body) {
  Text reply = {0};
  caller_receive(file, &reply);
  char line[64];
  snprintf(line, sizeof line, "HTTP/1.1 %s", status);
  if (strncmp(text_string(&reply), line, strlen(line)) != 0)
    fail_msg("%s is not the status of: %s", status, text_string(&reply));
  assert_string_equal(caller_body(&reply), body);
  text_free(&reply);
}

void caller_ask(unsigned port, const char *message, const char *body) {
  caller_expect(caller_post(port, message), "200", body);
}
