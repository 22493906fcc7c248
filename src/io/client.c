/* Requests in, replies or reasons out, by libcurl's multi interface in the
   calling thread. Transfer encodings are not decoded, so a chunked body shows
   as the bytes received. During an exchange each request has one easy handle,
   which holds a pointer to it. */
#include "io/client.h"

#include <curl/curl.h>
#include <pthread.h>

#include "base/clock.h"
#include "base/memory.h"

enum { WAIT = 50 }; /* milliseconds between looks at the flag */

static void begin_once(void) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT)) fatal("libcurl does not start");
}

/* The lines, and one that keeps libcurl from sending Expect. */
static struct curl_slist *make_headers(const char *const *lines) {
  struct curl_slist *list = curl_slist_append(NULL, "Expect:");
  for (; list && *lines; lines++) {
    struct curl_slist *longer = curl_slist_append(list, *lines);
    if (!longer) fatal_limit("no memory for HTTP");
    list = longer;
  }
  if (!list) fatal_limit("no memory for HTTP");
  return list;
}

static size_t take_bytes(char *bytes, size_t size, size_t count,
                         void *context) {
  ClientRequest *request = context;
  size_t length = size * count;
  if (request->reply.length + length > CLIENT_LARGEST_REPLY) return 0;
  text_add_bytes(&request->reply, bytes, length);
  return length;
}

static long milliseconds(double seconds) {
  double value = seconds * 1000;
  return value < 1 ? 1 : value > 1e9 ? 1000000000 : (long)value;
}

/* Options that libcurl has had since 7.85 and 7.87. */
static void set_newer_options(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http");
#else
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)CURLPROTO_HTTP);
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
}

static CURL *request_begin(CURLM *multi, ClientRequest *request,
                           struct curl_slist *headers) {
  CURL *easy = curl_easy_init();
  if (!easy) fatal_limit("no memory for HTTP");
  curl_easy_setopt(easy, CURLOPT_URL, request->url);
  set_newer_options(easy);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_0);
  curl_easy_setopt(easy, CURLOPT_HTTP_TRANSFER_DECODING, 0L);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, milliseconds(request->seconds));
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, request);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, request);
  curl_multi_add_handle(multi, easy);
  return easy;
}

static void request_fail(ClientRequest *request, const char *why) {
  request->end = CLIENT_FAILED;
  text_add(&request->why, why);
}

static void request_end(CURL *easy, CURLcode code, double start) {
  ClientRequest *request;
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&request);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  request->took = clock_now() - start;
  request->end = CLIENT_ANSWERED;
  if (code == CURLE_OPERATION_TIMEDOUT) {
    request->end = CLIENT_LATE;
  } else if (code == CURLE_WRITE_ERROR) {
    request_fail(request, "the reply is too large");
  } else if (code) {
    request_fail(request, curl_easy_strerror(code));
  } else if (status < 200 || status > 299) {
    request->end = CLIENT_FAILED;
    text_format(&request->why, "HTTP status %ld", status);
  }
}

static void take_ended(CURLM *multi, double start) {
  int left;
  for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));)
    if (message->msg == CURLMSG_DONE)
      request_end(message->easy_handle, message->data.result, start);
}

void client_exchange(ClientRequest *requests, uint32_t count,
                     const char *const *headers, const atomic_bool *stop) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin_once);
  struct curl_slist *list = make_headers(headers);
  CURLM *multi = curl_multi_init();
  CURL **easy = memory_new((count + 1) * sizeof *easy);
  if (!multi) fatal_limit("no memory for HTTP");
  double start = clock_now();
  int running = 1;
  for (uint32_t i = 0; i < count; i++) {
    requests[i].end = CLIENT_STOPPED;
    easy[i] = request_begin(multi, &requests[i], list);
  }
  while (!(stop && atomic_load(stop))) {
    curl_multi_perform(multi, &running);
    take_ended(multi, start);
    if (!running) break;
    curl_multi_poll(multi, NULL, 0, WAIT, NULL);
  }
  for (uint32_t i = 0; i < count; i++) {
    curl_multi_remove_handle(multi, easy[i]);
    curl_easy_cleanup(easy[i]);
  }
  curl_multi_cleanup(multi);
  curl_slist_free_all(list);
  memory_delete(easy);
}

void client_request_free(ClientRequest *request) {
  text_free(&request->reply);
  text_free(&request->why);
}
