/*
 * Many cheap readers of one stream server: an epoll loop that opens SSE or WebSocket connections,
 * parses their framing, and finds the times in the content. The age of a time when `recv` returns it
 * is the latency: the server writes the *scheduled* time of a change, and runs on the same machine,
 * hence with the same clock. Times are whole milliseconds, so a figure is up to 1 ms too large.
 *
 *     cc -O2 -o stream-load stream-load.c
 *     stream-load port=8080 connections=1000 paths=paths.txt [name=value]...
 *
 * All connections are opened first. When each is ready or was refused, the program prints a line
 * `{"ready":...}` and waits for `go` on standard input; the end of the input ends the program. Then
 * follow the warm-up, the counted window, the drain, in which rows due in the window may still
 * arrive, and the report, one line of JSON (`Load` in stream-load.ts).
 *
 * The framing of every connection is always checked: each chunk of HTTP, each frame of WebSocket.
 * `verify=1` also checks every block and line of SSE, and every JSON text; `ids=1` checks that the
 * ids of blocks (`evt_00001`...), or `seq` of frames, have no gaps. A faulty connection is closed and
 * counted, and the first fault is reported.
 */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  READ_BYTES = 256 * 1024,
  HEAD_BYTES = 16 * 1024,
  TAIL_BYTES = 127,
  /* "2026-11-21T12:00:00.123Z" */
  STAMP_BYTES = 24,
  /* The prefix of a frame in which `seq` is searched. */
  OPENING_BYTES = 256,
  EVENTS = 512,
  CONTROL_BYTES = 125,
  MOST_HEADERS = 16,
  JSON_DEPTH = 64,
  SLOW_STEPS_PER_SECOND = 20,
  SLOW_RECEIVE_BUFFER = 16 * 1024,
  /* Changes this long before the window belong to a snapshot. */
  SNAPSHOT_AGE_US = 60 * 1000 * 1000,
};

/* Latencies: tenths of a millisecond up to a second, whole ones up to a minute. */
enum { FINE = 10000, COARSE = 59000, BUCKETS = FINE + COARSE + 1 };

/* ---- options */

static int port;
static int connection_count = 1;
static int is_websocket;
static const char *paths_file;
static const char *header_lines[MOST_HEADERS];
static int header_count;
/* A text frame to send when a WebSocket is open. */
static const char *say = "";
/* The text that marks a connection as ready; empty: the head of the answer. */
static const char *ready_text = "";
/* The text before a time. */
static const char *stamp_text = "\"odds_changed_at\":\"";
/* A text to count over the whole run. */
static const char *count_text = "";
static int ramp = 200;
static int warmup_ms = 1000;
static int window_ms = 3000;
static int drain_ms = 500;
static int slow_count;
static int stopped_count;
static int slow_bytes = 1024;
static int verify;
static int check_ids;
/* File for the content of the first connection. */
static const char *save_file = "";

/* ---- connections */

enum phase { CONNECTING, HEAD, OPEN, CLOSED };
enum chunk_part { SIZE, SIZE_END, DATA, DATA_CR, DATA_LF, LAST_CR, LAST_LF, UNCHUNKED };
enum slowness { FAST, SLOW, STOPPED };
enum block_line { FIELD, SKIPPED, ID, DATA_LINE, EVENT_NAME, RETRY };
enum json_wants {
  VALUE, VALUE_OR_END, KEY, KEY_OR_END, COLON, COMMA_OR_END, STRING, ESCAPE, HEX, WORD, DONE
};

/* The state of a JSON parser; `levels` holds '{' and '['. */
struct json {
  enum json_wants wants;
  int depth;
  int is_key;
  int hex_left;
  int word_length;
  char word[32];
  char levels[JSON_DEPTH];
};

/* Only for connections whose content is verified. */
struct witness {
  struct json json;
  enum block_line line;
  int field_length;
  char field[24];
  int has_event, has_data;
  int64_t next_id;
  int opening_length;
  char opening[OPENING_BYTES];
};

struct connection {
  int fd;
  int path;
  enum phase phase;
  enum slowness slowness;
  int is_ready;
  /* Bytes received so far, to report the place of a fault. */
  uint64_t received;

  char *head;
  int head_length;
  char *out;
  int out_length, out_sent;

  enum chunk_part part;
  int size_digits;
  /* Remaining bytes of the chunk or the frame's payload. */
  uint64_t left;

  unsigned char frame[14];
  int frame_length;
  int opcode, is_final, in_message, is_control;
  unsigned char control[CONTROL_BYTES];
  int control_length;

  /* The end of the previous content: a searched text may span two reads. */
  char tail[TAIL_BYTES];
  int tail_length;

  /* Time of the newest delivery in the window (us); 0 for none. */
  int64_t delivered_at;
  double allowance;
  struct witness *witness;
};

static struct connection *connections;
static int epoll_fd;
static char **paths;
static int path_count;
static int opened, pending, settled, refused, closed_by_server, faults, slow_closed;
static char first_fault[400];
static char first_refusal[400];
static int first_close_code;
static FILE *saved;

/* ---- figures */

static int64_t window_from, window_to; /* us; both 0 outside of a run */
static uint64_t buckets[BUCKETS];
/* Rows due in the window, rows received in the window, and rows of slow readers. */
static uint64_t deliveries, arrived, slow_deliveries;
static uint64_t bytes, slow_read_bytes, pieces, pings, counted, total_bytes;
static double latency_sum;
static int64_t latency_max, longest_gap;

static char read_buffer[READ_BYTES];
/* When the buffer was received (us), and whether that is in the window. */
static int64_t read_at;
static int in_window;

static int64_t now_us(void) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  return (int64_t)at.tv_sec * 1000000 + at.tv_nsec / 1000;
}

static double cpu_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  int64_t us = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000LL + used.ru_utime.tv_usec +
               used.ru_stime.tv_usec;
  return (double)us / 1e6;
}

static void *needed(void *memory) {
  if (memory) return memory;
  fputs("no memory\n", stderr);
  exit(1);
}

/* Once the run has begun, slow readers are read at a rate. */
static int is_read_slowly(const struct connection *c) {
  return c->slowness != FAST && window_to != 0;
}

static void watch(struct connection *c, int has_more_to_send) {
  uint32_t events = (is_read_slowly(c) ? 0u : EPOLLIN) | (has_more_to_send ? EPOLLOUT : 0u);
  struct epoll_event event = {.events = events, .data.u32 = (uint32_t)(c - connections)};
  epoll_ctl(epoll_fd, EPOLL_CTL_MOD, c->fd, &event);
}

static void mark_ready(struct connection *c) {
  if (c->is_ready) return;
  c->is_ready = 1;
  settled++;
  pending--;
}

static void close_connection(struct connection *c) {
  if (c->phase == CLOSED) return;
  c->phase = CLOSED;
  close(c->fd);
  free(c->head);
  free(c->out);
  c->head = c->out = NULL;
  mark_ready(c);
}

/* The server has closed the connection. */
static void end_connection(struct connection *c) {
  if (c->slowness == FAST) closed_by_server++;
  else slow_closed++;
  close_connection(c);
}

static void fault(struct connection *c, const char *format, ...) {
  if (c->phase == CLOSED) return;
  faults++;
  if (first_fault[0] == 0) {
    int length = snprintf(first_fault, sizeof first_fault, "connection %d, before byte %llu: ",
                          (int)(c - connections), (unsigned long long)c->received);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(first_fault + length, sizeof first_fault - (size_t)length, format, arguments);
    va_end(arguments);
  }
  close_connection(c);
}

static void refuse(struct connection *c, const char *text, int length) {
  refused++;
  if (first_refusal[0] == 0) {
    snprintf(first_refusal, sizeof first_refusal, "%s: %.*s", paths[c->path], length, text);
  }
  close_connection(c);
}

/* ---- sending: requests, pongs, a first frame; all of it small */

static void flush(struct connection *c) {
  while (c->out_sent < c->out_length) {
    size_t unsent = (size_t)(c->out_length - c->out_sent);
    ssize_t sent = send(c->fd, c->out + c->out_sent, unsent, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) {
        watch(c, 1);
        return;
      }
      /* The next read finds the connection closed. */
      break;
    }
    c->out_sent += (int)sent;
  }
  free(c->out);
  c->out = NULL;
  c->out_length = c->out_sent = 0;
  watch(c, 0);
}

static void send_bytes(struct connection *c, const void *data, int length) {
  c->out = needed(realloc(c->out, (size_t)(c->out_length + length)));
  memcpy(c->out + c->out_length, data, (size_t)length);
  c->out_length += length;
  flush(c);
}

/* Frames of clients must be masked, with any mask. */
static void send_frame(struct connection *c, int opcode, const unsigned char *payload, int length) {
  static const unsigned char mask[4] = {0x37, 0xfa, 0x21, 0x3d};
  unsigned char *frame = needed(malloc((size_t)length + 14));
  int at = 0;
  frame[at++] = (unsigned char)(0x80 | opcode);
  if (length < 126) frame[at++] = (unsigned char)(0x80 | length);
  else if (length < 65536) {
    frame[at++] = 0x80 | 126;
    frame[at++] = (unsigned char)(length >> 8);
    frame[at++] = (unsigned char)length;
  } else {
    frame[at++] = 0x80 | 127;
    for (int shift = 56; shift >= 0; shift -= 8) {
      frame[at++] = (unsigned char)((uint64_t)length >> shift);
    }
  }
  memcpy(frame + at, mask, 4);
  at += 4;
  for (int i = 0; i < length; i++) frame[at++] = payload[i] ^ mask[i & 3];
  send_bytes(c, frame, at);
  free(frame);
}

/* RFC 6455 section 1.3 has this key and its answer. */
static const char websocket_key[] = "dGhlIHNhbXBsZSBub25jZQ==";
static const char websocket_accept[] = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/* Appends a line to a request. */
static void add_line(char *request, size_t *length, const char *format, const char *value) {
  size_t room = HEAD_BYTES - *length;
  int more = snprintf(request + *length, room, format, value);
  if (more < 0 || (size_t)more + 2 >= room) {
    fputs("a request is too long\n", stderr);
    exit(2);
  }
  memcpy(request + *length + more, "\r\n", 2);
  *length += (size_t)more + 2;
}

static void send_request(struct connection *c) {
  char request[HEAD_BYTES];
  size_t length = 0;
  add_line(request, &length, "GET %s HTTP/1.1", paths[c->path]);
  add_line(request, &length, "Host: %s", "localhost");
  for (int i = 0; i < header_count; i++) add_line(request, &length, "%s", header_lines[i]);
  if (is_websocket) {
    add_line(request, &length, "Connection: %s", "Upgrade");
    add_line(request, &length, "Upgrade: %s", "websocket");
    add_line(request, &length, "Sec-WebSocket-Version: %s", "13");
    add_line(request, &length, "Sec-WebSocket-Key: %s", websocket_key);
  } else add_line(request, &length, "Accept: %s", "text/event-stream");
  add_line(request, &length, "%s", "");
  c->phase = HEAD;
  c->head = needed(malloc(HEAD_BYTES));
  send_bytes(c, request, (int)length);
}

/* ---- JSON in pieces */

static void json_begins(struct json *json) {
  json->wants = VALUE;
  json->depth = 0;
}

static void json_value_ends(struct json *json) {
  json->wants = json->depth == 0 ? DONE : COMMA_OR_END;
}

static int is_word(const char *word, int length) {
  if (length == 4 && (memcmp(word, "true", 4) == 0 || memcmp(word, "null", 4) == 0)) return 1;
  if (length == 5 && memcmp(word, "false", 5) == 0) return 1;
  int at = word[0] == '-';
  int digits = at;
  while (at < length && word[at] >= '0' && word[at] <= '9') at++;
  if (at == digits || (word[digits] == '0' && at > digits + 1)) return 0;
  if (at < length && word[at] == '.') {
    digits = ++at;
    while (at < length && word[at] >= '0' && word[at] <= '9') at++;
    if (at == digits) return 0;
  }
  if (at < length && (word[at] == 'e' || word[at] == 'E')) {
    at++;
    if (at < length && (word[at] == '+' || word[at] == '-')) at++;
    digits = at;
    while (at < length && word[at] >= '0' && word[at] <= '9') at++;
    if (at == digits) return 0;
  }
  return at == length;
}

/* Returns whether the text can still be JSON. */
static int json_takes(struct json *json, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)text[i];
    switch (json->wants) {
      case STRING:
        if (byte == '"') {
          if (json->is_key) json->wants = COLON;
          else json_value_ends(json);
        } else if (byte == '\\') json->wants = ESCAPE;
        else if (byte < 0x20) return 0;
        continue;
      case ESCAPE:
        if (byte == 'u') {
          json->wants = HEX;
          json->hex_left = 4;
        } else if (byte != 0 && strchr("\"\\/bfnrt", byte)) json->wants = STRING;
        else return 0;
        continue;
      case HEX:
        if (byte == 0 || !strchr("0123456789abcdefABCDEF", byte)) return 0;
        if (--json->hex_left == 0) json->wants = STRING;
        continue;
      case WORD:
        if (byte != 0 && strchr("0123456789+-.eEtrufalsn", byte)) {
          if (json->word_length == (int)sizeof json->word) return 0;
          json->word[json->word_length++] = (char)byte;
          continue;
        }
        if (!is_word(json->word, json->word_length)) return 0;
        json_value_ends(json);
        break;
      default:
        break;
    }
    if (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n') continue;
    enum json_wants wants = json->wants;
    int ends = byte == '}' || byte == ']';
    if (ends) {
      char opening = byte == '}' ? '{' : '[';
      enum json_wants emptied = byte == '}' ? KEY_OR_END : VALUE_OR_END;
      if (json->depth == 0 || json->levels[json->depth - 1] != opening) return 0;
      if (wants != COMMA_OR_END && wants != emptied) return 0;
      json->depth--;
      json_value_ends(json);
    } else if (wants == COMMA_OR_END) {
      if (byte != ',') return 0;
      json->wants = json->levels[json->depth - 1] == '{' ? KEY : VALUE;
    } else if (wants == COLON) {
      if (byte != ':') return 0;
      json->wants = VALUE;
    } else if (wants == KEY || wants == KEY_OR_END) {
      if (byte != '"') return 0;
      json->is_key = 1;
      json->wants = STRING;
    } else if (wants == VALUE || wants == VALUE_OR_END) {
      if (byte == '"') {
        json->is_key = 0;
        json->wants = STRING;
      } else if (byte == '{' || byte == '[') {
        if (json->depth == JSON_DEPTH) return 0;
        json->levels[json->depth++] = (char)byte;
        json->wants = byte == '{' ? KEY_OR_END : VALUE_OR_END;
      } else {
        json->word[0] = (char)byte;
        json->word_length = 1;
        json->wants = WORD;
      }
    } else return 0;
  }
  return 1;
}

static int json_is_whole(const struct json *json) {
  return json->wants == DONE ||
         (json->wants == WORD && json->depth == 0 && is_word(json->word, json->word_length));
}

/* ---- SSE blocks in pieces */

static void check_id(struct connection *c, const char *id) {
  if (!check_ids) return;
  char expected[24];
  snprintf(expected, sizeof expected, "evt_%05lld", (long long)c->witness->next_id);
  if (strcmp(id, expected) != 0) fault(c, "id %s where %s was to come", id, expected);
  c->witness->next_id++;
}

static void line_ends(struct connection *c) {
  struct witness *w = c->witness;
  switch (w->line) {
    case FIELD:
      if (w->field_length > 0) {
        return fault(c, "a line without a colon: %.*s", w->field_length, w->field);
      }
      if (w->has_event && !w->has_data) return fault(c, "a block with an event and no data");
      w->has_event = w->has_data = 0;
      return;
    case ID:
      w->field[w->field_length] = 0;
      check_id(c, w->field);
      break;
    case DATA_LINE:
      if (!json_is_whole(&w->json)) return fault(c, "data is JSON that does not end");
      break;
    case EVENT_NAME:
      if (w->field_length == 0) return fault(c, "an event without a name");
      break;
    case RETRY:
      for (int i = 0; i < w->field_length; i++) {
        if (w->field[i] < '0' || w->field[i] > '9') return fault(c, "retry is no number");
      }
      break;
    case SKIPPED:
      break;
  }
  w->line = FIELD;
  w->field_length = 0;
}

/* The name of a line is complete; a blank precedes its value. */
static void field_begins(struct connection *c) {
  struct witness *w = c->witness;
  const char *name = w->field;
  int length = w->field_length;
  if (length == 0) w->line = SKIPPED;
  else if (length == 2 && memcmp(name, "id", 2) == 0) w->line = ID;
  else if (length == 5 && memcmp(name, "event", 5) == 0) {
    if (w->has_event) fault(c, "a block with two events");
    w->line = EVENT_NAME;
    w->has_event = 1;
  } else if (length == 4 && memcmp(name, "data", 4) == 0) {
    if (w->has_data) fault(c, "a block with two lines of data");
    w->line = DATA_LINE;
    w->has_data = 1;
    json_begins(&w->json);
  } else if (length == 5 && memcmp(name, "retry", 5) == 0) w->line = RETRY;
  else fault(c, "a line of an unknown field %.*s", length, name);
  w->field_length = 0;
}

static void check_blocks(struct connection *c, const char *text, size_t length) {
  struct witness *w = c->witness;
  const char *end = text + length;
  while (text < end && c->phase != CLOSED) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    const char *stop = newline ? newline : end;
    while (text < stop && w->line == FIELD && c->phase != CLOSED) {
      char byte = *text++;
      if (byte == ':') field_begins(c);
      else if (w->field_length == (int)sizeof w->field - 1) fault(c, "a line of no known field");
      else w->field[w->field_length++] = byte;
    }
    if (c->phase == CLOSED) return;
    if (w->line == DATA_LINE) {
      if (!json_takes(&w->json, text, (size_t)(stop - text))) {
        int shown = stop - text > 60 ? 60 : (int)(stop - text);
        return fault(c, "data is no JSON, in %.*s", shown, text);
      }
    } else if (w->line != SKIPPED) {
      for (const char *at = text; at < stop; at++) {
        if (*at == ' ' && w->field_length == 0) continue;
        if (w->field_length == (int)sizeof w->field - 1) return fault(c, "a value is too long");
        w->field[w->field_length++] = *at;
      }
    }
    text = stop;
    if (newline) {
      text++;
      line_ends(c);
    }
  }
}

/* ---- frames, as they come */

static void message_ends(struct connection *c) {
  struct witness *w = c->witness;
  if (!w || c->phase == CLOSED) return;
  if (!json_is_whole(&w->json)) return fault(c, "a frame is JSON that does not end");
  if (check_ids) {
    static const char name[] = "\"seq\":";
    w->opening[w->opening_length] = 0;
    const char *at = strstr(w->opening, name);
    int64_t seq = at ? strtoll(at + sizeof name - 1, NULL, 10) : -1;
    if (seq != w->next_id) {
      return fault(c, "seq %lld where %lld was to come", (long long)seq, (long long)w->next_id);
    }
    w->next_id++;
  }
}

static void check_frame(struct connection *c, const char *text, size_t length) {
  struct witness *w = c->witness;
  size_t room = OPENING_BYTES - 1 - (size_t)w->opening_length;
  size_t kept = length < room ? length : room;
  memcpy(w->opening + w->opening_length, text, kept);
  w->opening_length += (int)kept;
  if (!json_takes(&w->json, text, length)) {
    int shown = w->opening_length > 60 ? 60 : w->opening_length;
    fault(c, "a frame is no JSON: %.*s", shown, w->opening);
  }
}

/* ---- times */

static int number(const char *digits, int count) {
  int value = 0;
  for (int i = 0; i < count; i++) {
    if (digits[i] < '0' || digits[i] > '9') return -1;
    value = value * 10 + digits[i] - '0';
  }
  return value;
}

/* Epoch milliseconds of "2026-11-21T12:00:00.123Z"; -1 for anything else. */
static int64_t instant_of(const char *text) {
  static char day[10];
  static int64_t day_ms;
  if (text[10] != 'T' || text[23] != 'Z' || text[19] != '.') return -1;
  if (memcmp(day, text, 10) != 0) {
    struct tm date = {0};
    date.tm_year = number(text, 4) - 1900;
    date.tm_mon = number(text + 5, 2) - 1;
    date.tm_mday = number(text + 8, 2);
    if (date.tm_year < 0 || date.tm_mon < 0 || date.tm_mday < 1) return -1;
    day_ms = (int64_t)timegm(&date) * 1000;
    memcpy(day, text, 10);
  }
  int hours = number(text + 11, 2), minutes = number(text + 14, 2);
  int seconds = number(text + 17, 2), ms = number(text + 20, 3);
  if (hours < 0 || minutes < 0 || seconds < 0 || ms < 0) return -1;
  return day_ms + hours * 3600000LL + minutes * 60000LL + seconds * 1000LL + ms;
}

static int bucket_of(int64_t us) {
  if (us < 0) return 0;
  if (us < FINE * 100LL) return (int)(us / 100);
  int64_t coarse = (us - FINE * 100LL) / 1000;
  return coarse < COARSE ? FINE + (int)coarse : BUCKETS - 1;
}

/* The upper end of a bucket (ms). */
static double bucket_ms(int bucket) {
  return bucket < FINE ? (bucket + 1) / 10.0 : FINE / 10.0 + (bucket - FINE + 1);
}

static void deliver(struct connection *c, int64_t instant_ms) {
  if (window_to == 0) return;
  int64_t instant = instant_ms * 1000;
  if (in_window && c->slowness == FAST && instant >= window_from - SNAPSHOT_AGE_US) {
    arrived++;
    if (c->delivered_at != 0 && read_at - c->delivered_at > longest_gap) {
      longest_gap = read_at - c->delivered_at;
    }
    c->delivered_at = read_at;
  }
  if (instant < window_from || instant >= window_to) return;
  if (c->slowness != FAST) {
    slow_deliveries++;
    return;
  }
  deliveries++;
  int64_t latency = read_at > instant ? read_at - instant : 0;
  buckets[bucket_of(latency)]++;
  latency_sum += (double)latency;
  if (latency > latency_max) latency_max = latency;
}

static size_t stamp_length, ready_length, count_length;

static void find_instants(struct connection *c, const char *text, size_t length) {
  size_t whole = stamp_length + STAMP_BYTES;
  const char *end = text + length;
  while ((size_t)(end - text) >= whole) {
    const char *found = memmem(text, (size_t)(end - text) - STAMP_BYTES, stamp_text, stamp_length);
    if (!found) return;
    int64_t instant = instant_of(found + stamp_length);
    if (instant >= 0) deliver(c, instant);
    text = found + whole;
  }
}

static uint64_t occurrences(const char *text, size_t length, const char *of, size_t of_length) {
  uint64_t count = 0;
  const char *end = text + length;
  while ((text = memmem(text, (size_t)(end - text), of, of_length))) {
    count++;
    text += of_length;
  }
  return count;
}

/*
 * Joins the end of the previous content and the beginning of `text`, so that a text of `of_length` bytes found in it
 * spans both.
 */
static size_t seam(const struct connection *c, const char *text, size_t length, size_t of_length,
                   char *into) {
  size_t before = of_length - 1 < (size_t)c->tail_length ? of_length - 1 : (size_t)c->tail_length;
  size_t behind = of_length - 1 < length ? of_length - 1 : length;
  memcpy(into, c->tail + c->tail_length - before, before);
  memcpy(into + before, text, behind);
  return before + behind;
}

/* Takes the content of chunks or frames in pieces. */
static void take_content(struct connection *c, const char *text, size_t length) {
  char joined[2 * TAIL_BYTES + 2];
  size_t joined_length = seam(c, text, length, stamp_length + STAMP_BYTES, joined);
  find_instants(c, joined, joined_length);
  find_instants(c, text, length);
  if (!c->is_ready && ready_length > 0) {
    joined_length = seam(c, text, length, ready_length, joined);
    if (occurrences(joined, joined_length, ready_text, ready_length) > 0 ||
        memmem(text, length, ready_text, ready_length)) {
      mark_ready(c);
    }
  }
  if (count_length > 0) {
    joined_length = seam(c, text, length, count_length, joined);
    counted += occurrences(joined, joined_length, count_text, count_length);
    counted += occurrences(text, length, count_text, count_length);
  }
  if (length >= TAIL_BYTES) {
    memcpy(c->tail, text + length - TAIL_BYTES, TAIL_BYTES);
    c->tail_length = TAIL_BYTES;
  } else {
    size_t kept = (size_t)c->tail_length;
    if (kept + length > TAIL_BYTES) kept = TAIL_BYTES - length;
    memmove(c->tail, c->tail + c->tail_length - kept, kept);
    memcpy(c->tail + kept, text, length);
    c->tail_length = (int)(kept + length);
  }
  if (saved && c == connections) fwrite(text, 1, length, saved);
  if (c->witness) {
    if (is_websocket) check_frame(c, text, length);
    else check_blocks(c, text, length);
  }
}

/* ---- chunks */

static int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

static void take_chunks(struct connection *c, const char *text, size_t length) {
  const char *begin = text, *end = text + length;
  uint64_t received = c->received;
  while (text < end && c->phase != CLOSED) {
    c->received = received + (uint64_t)(text - begin);
    char byte = *text;
    switch (c->part) {
      case SIZE: {
        int digit = hex_digit(byte);
        if (digit >= 0 && c->size_digits < 8) {
          c->left = c->left * 16 + (uint64_t)digit;
          c->size_digits++;
        } else if (byte == '\r' && c->size_digits > 0) c->part = SIZE_END;
        else return fault(c, "a chunk whose size has the byte 0x%02x", (unsigned char)byte);
        text++;
        break;
      }
      case SIZE_END:
        if (byte != '\n') return fault(c, "a chunk whose size does not end");
        c->part = c->left == 0 ? LAST_CR : DATA;
        c->size_digits = 0;
        pieces += (uint64_t)in_window;
        text++;
        break;
      case DATA: {
        uint64_t there = (uint64_t)(end - text);
        size_t taken = (size_t)(there < c->left ? there : c->left);
        take_content(c, text, taken);
        text += taken;
        c->left -= taken;
        if (c->left == 0) c->part = DATA_CR;
        break;
      }
      case DATA_CR:
        if (byte != '\r') {
          return fault(c, "a chunk that goes on with 0x%02x behind its end", (unsigned char)byte);
        }
        c->part = DATA_LF;
        text++;
        break;
      case DATA_LF:
        if (byte != '\n') return fault(c, "a chunk without its line end");
        c->part = SIZE;
        text++;
        break;
      case LAST_CR:
        if (byte != '\r') return fault(c, "a last chunk with something behind it");
        c->part = LAST_LF;
        text++;
        break;
      case LAST_LF:
        if (byte != '\n') return fault(c, "a last chunk without its line end");
        if (text + 1 < end) return fault(c, "bytes behind the last chunk");
        return end_connection(c);
      case UNCHUNKED:
        take_content(c, text, (size_t)(end - text));
        text = end;
        break;
    }
  }
  c->received = received + length;
}

/* ---- frames */

static void frame_begins(struct connection *c) {
  const unsigned char *frame = c->frame;
  c->is_final = frame[0] >> 7;
  c->opcode = frame[0] & 15;
  c->is_control = c->opcode >= 8;
  int short_length = frame[1] & 127;
  c->left = (uint64_t)short_length;
  if (short_length >= 126) {
    c->left = 0;
    int extra = short_length == 126 ? 2 : 8;
    for (int i = 0; i < extra; i++) c->left = c->left << 8 | frame[2 + i];
    if (c->left < (extra == 2 ? 126u : 65536u)) {
      return fault(c, "a frame length not in its shortest form");
    }
  }
  pieces += (uint64_t)in_window;
  if (frame[0] & 0x70) return fault(c, "a frame with reserved bits, 0x%02x", frame[0]);
  if (frame[1] & 0x80) return fault(c, "a server's frame with a mask");
  if (c->is_control) {
    if (!c->is_final || c->left > CONTROL_BYTES) {
      return fault(c, "a control frame that is too long");
    }
    if (c->opcode > 10) return fault(c, "a frame of opcode %d", c->opcode);
    c->control_length = 0;
    return;
  }
  if (c->opcode > 1) return fault(c, "a frame of opcode %d where texts come", c->opcode);
  if ((c->opcode == 0) != c->in_message) {
    return fault(c, "a frame of opcode %d out of turn", c->opcode);
  }
  if (c->opcode == 1 && c->witness) {
    json_begins(&c->witness->json);
    c->witness->opening_length = 0;
  }
  c->in_message = 1;
}

static void frame_ends(struct connection *c) {
  c->frame_length = 0;
  if (!c->is_control) {
    if (!c->is_final) return;
    c->in_message = 0;
    message_ends(c);
    return;
  }
  if (c->opcode == 9) {
    pings++;
    send_frame(c, 10, c->control, c->control_length);
  } else if (c->opcode == 8) {
    send_frame(c, 8, c->control, c->control_length);
    if (first_close_code == 0 && c->control_length >= 2) {
      first_close_code = c->control[0] << 8 | c->control[1];
    }
    end_connection(c);
  }
}

/* Bytes of a frame's head: known once its second byte is there. */
static int frame_head_length(const struct connection *c) {
  if (c->frame_length < 2) return 2;
  int short_length = c->frame[1] & 127;
  return 2 + (short_length == 126 ? 2 : short_length == 127 ? 8 : 0) + (c->frame[1] & 0x80 ? 4 : 0);
}

static void take_frames(struct connection *c, const char *text, size_t length) {
  const char *begin = text, *end = text + length;
  uint64_t received = c->received;
  while (text < end && c->phase != CLOSED) {
    c->received = received + (uint64_t)(text - begin);
    if (c->frame_length < frame_head_length(c)) {
      c->frame[c->frame_length++] = (unsigned char)*text++;
      if (c->frame_length < frame_head_length(c)) continue;
      frame_begins(c);
      if (c->left == 0 && c->phase != CLOSED) frame_ends(c);
      continue;
    }
    uint64_t there = (uint64_t)(end - text);
    size_t taken = (size_t)(there < c->left ? there : c->left);
    if (c->is_control) {
      /* At most CONTROL_BYTES: `frame_begins` has looked. */
      memcpy(c->control + c->control_length, text, taken);
      c->control_length += (int)taken;
    } else take_content(c, text, taken);
    text += taken;
    c->left -= taken;
    if (c->left == 0 && c->phase != CLOSED) frame_ends(c);
  }
  c->received = received + length;
}

static void take_body(struct connection *c, const char *text, size_t length) {
  if (is_websocket) take_frames(c, text, length);
  else take_chunks(c, text, length);
}

/* ---- heads */

/* Whether a head has a line of this name (with its colon) whose value contains `value`. */
static int has_header(const char *head, const char *name, const char *value) {
  for (const char *line = head; (line = strstr(line, "\r\n")) && line[2] != '\r';) {
    line += 2;
    if (strncasecmp(line, name, strlen(name)) != 0) continue;
    const char *end = strstr(line, "\r\n");
    const char *found = strcasestr(line + strlen(name), value);
    if (found && end && found < end) return 1;
  }
  return 0;
}

static void take_head(struct connection *c, const char *text, size_t length) {
  int before = c->head_length;
  size_t room = (size_t)(HEAD_BYTES - 1 - before);
  size_t copied = length < room ? length : room;
  memcpy(c->head + before, text, copied);
  c->head_length += (int)copied;
  c->head[c->head_length] = 0;
  char *end = memmem(c->head, (size_t)c->head_length, "\r\n\r\n", 4);
  if (!end) {
    if (c->head_length == HEAD_BYTES - 1) fault(c, "an answer whose head does not end");
    return;
  }
  int head_bytes = (int)(end - c->head) + 4;
  const char *expected = is_websocket ? "HTTP/1.1 101" : "HTTP/1.1 200";
  if (strncmp(c->head, expected, strlen(expected)) != 0) {
    char answer[300];
    int line = (int)strcspn(c->head, "\r");
    snprintf(answer, sizeof answer, "%.*s %s", line, c->head, end + 4);
    return refuse(c, answer, (int)strlen(answer));
  }
  char after = c->head[head_bytes];
  c->head[head_bytes] = 0;
  int is_chunked = has_header(c->head, "transfer-encoding:", "chunked");
  int is_accepted = has_header(c->head, "sec-websocket-accept:", websocket_accept);
  int is_stream = has_header(c->head, "content-type:", "text/event-stream");
  c->head[head_bytes] = after;
  if (is_websocket && !is_accepted) {
    return fault(c, "a handshake with another Sec-WebSocket-Accept");
  }
  if (!is_websocket && !is_stream) return fault(c, "an answer that is no text/event-stream");
  free(c->head);
  c->head = NULL;
  c->phase = OPEN;
  c->part = is_chunked ? SIZE : UNCHUNKED;
  opened++;
  if (verify) {
    c->witness = needed(calloc(1, sizeof *c->witness));
    c->witness->next_id = 1;
  }
  if (ready_length == 0) mark_ready(c);
  if (is_websocket && say[0]) send_frame(c, 1, (const unsigned char *)say, (int)strlen(say));
  size_t of_this_read = (size_t)(head_bytes - before);
  c->received = (uint64_t)head_bytes;
  take_body(c, text + of_this_read, length - of_this_read);
}

/* ---- reading */

/* Reads once, at most `most` bytes; epoll reports the connection again if there are more. */
static ssize_t read_from(struct connection *c, size_t most) {
  ssize_t length = recv(c->fd, read_buffer, most < READ_BYTES ? most : READ_BYTES, 0);
  if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
  if (length <= 0) {
    if (c->phase == HEAD) refuse(c, "closed before an answer", 23);
    else end_connection(c);
    return length;
  }
  read_at = now_us();
  in_window = read_at >= window_from && read_at < window_to;
  total_bytes += (uint64_t)length;
  if (c->slowness != FAST) slow_read_bytes += (uint64_t)length;
  else if (in_window) bytes += (uint64_t)length;
  if (c->phase == HEAD) take_head(c, read_buffer, (size_t)length);
  else take_body(c, read_buffer, (size_t)length);
  return length;
}

static void open_next(void) {
  static int next;
  while (next < connection_count && pending < ramp) {
    struct connection *c = &connections[next];
    c->path = next % path_count;
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (c->fd < 0) {
      fprintf(stderr, "socket %d: %s\n", next, strerror(errno));
      exit(1);
    }
    next++;
    pending++;
    int on = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (c->slowness != FAST) {
      int size = SLOW_RECEIVE_BUFFER;
      setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    }
    struct epoll_event event = {.events = EPOLLOUT, .data.u32 = (uint32_t)(c - connections)};
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, c->fd, &event);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(c->fd, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS) {
      const char *reason = strerror(errno);
      refuse(c, reason, (int)strlen(reason));
    }
  }
}

static void serve(struct connection *c, uint32_t events) {
  if (c->phase == CLOSED) return;
  if (c->phase == CONNECTING) {
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error) refuse(c, strerror(error), (int)strlen(strerror(error)));
    else send_request(c);
    return;
  }
  if (events & EPOLLOUT) flush(c);
  if (is_read_slowly(c)) {
    /* Reported without a subscription: the server has closed it. */
    if (events & (EPOLLERR | EPOLLHUP)) end_connection(c);
    return;
  }
  if (c->phase != CLOSED && events & (EPOLLIN | EPOLLHUP | EPOLLERR)) read_from(c, READ_BYTES);
}

/* Reads as much as the rate allows for the time since the last call, at most for a second. */
static void read_slowly(double seconds) {
  for (int i = 0; i < connection_count; i++) {
    struct connection *c = &connections[i];
    if (c->slowness != SLOW || c->phase != OPEN) continue;
    c->allowance += seconds * slow_bytes;
    if (c->allowance > slow_bytes) c->allowance = slow_bytes;
    if (c->allowance < 1) continue;
    ssize_t length = read_from(c, (size_t)c->allowance);
    if (length > 0) c->allowance -= (double)length;
  }
}

static void begin_slowness(void) {
  for (int i = 0; i < connection_count; i++) {
    struct connection *c = &connections[i];
    if (c->slowness != FAST && c->phase != CLOSED) watch(c, c->out_length > 0);
  }
}

/* ---- the run */

static void print_text(const char *name, const char *text) {
  printf("\"%s\":\"", name);
  for (; *text; text++) {
    unsigned char byte = (unsigned char)*text;
    if (byte == '"' || byte == '\\') printf("\\%c", byte);
    else if (byte < 0x20 || byte >= 0x7f) printf("\\u%04x", byte);
    else putchar(byte);
  }
  printf("\",");
}

static void print_count(const char *name, uint64_t count) {
  printf("\"%s\":%llu,", name, (unsigned long long)count);
}

static void print_number(const char *name, double number) {
  printf("\"%s\":%.3f,", name, number);
}

static void print_state(void) {
  print_count("connections", (uint64_t)opened);
  print_count("refused", (uint64_t)refused);
  print_count("faults", (uint64_t)faults);
  print_text("firstFault", first_fault);
  print_text("firstRefusal", first_refusal);
  print_count("totalBytes", total_bytes);
}

static double percentile(double fraction) {
  uint64_t wanted = (uint64_t)(fraction * (double)deliveries), seen = 0;
  for (int i = 0; i < BUCKETS; i++) {
    seen += buckets[i];
    if (seen > wanted) return bucket_ms(i);
  }
  return (double)latency_max / 1000;
}

static void print_load(double busy) {
  /* Silence up to the end is a gap as well. */
  for (int i = 0; i < connection_count; i++) {
    struct connection *c = &connections[i];
    if (c->slowness != FAST || c->delivered_at == 0) continue;
    if (window_to - c->delivered_at > longest_gap) longest_gap = window_to - c->delivered_at;
  }
  putchar('{');
  print_state();
  print_count("closed", (uint64_t)closed_by_server);
  print_number("seconds", window_ms / 1000.0);
  print_count("deliveries", deliveries);
  print_count("arrived", arrived);
  print_count("bytes", bytes);
  print_count("pieces", pieces);
  print_count("pings", pings);
  print_count("counted", counted);
  print_number("p50", percentile(0.5));
  print_number("p90", percentile(0.9));
  print_number("p99", percentile(0.99));
  print_number("p999", percentile(0.999));
  print_number("max", (double)latency_max / 1000);
  print_number("mean", deliveries ? latency_sum / (double)deliveries / 1000 : 0);
  print_number("longestGap", (double)longest_gap / 1000);
  print_number("busy", busy);
  print_count("slowDeliveries", slow_deliveries);
  print_count("slowBytes", slow_read_bytes);
  print_count("slowClosed", (uint64_t)slow_closed);
  printf("\"closeCode\":%d}\n", first_close_code);
  fflush(stdout);
}

/* Prints the figures of opening the connections. */
static void print_ready(double ms) {
  putchar('{');
  print_state();
  printf("\"ms\":%.0f}\n", ms);
  fflush(stdout);
}

static int is_named(const char *name, const char *option, size_t length) {
  return strlen(name) == length && strncmp(name, option, length) == 0;
}

static void read_option(const char *option) {
  static const struct {
    const char *name;
    int *to;
  } numbers[] = {
    {"port", &port},
    {"connections", &connection_count},
    {"websocket", &is_websocket},
    {"ramp", &ramp},
    {"warmup_ms", &warmup_ms},
    {"window_ms", &window_ms},
    {"drain_ms", &drain_ms},
    {"slow", &slow_count},
    {"slow_bytes", &slow_bytes},
    {"stopped", &stopped_count},
    {"verify", &verify},
    {"ids", &check_ids},
  };
  static const struct {
    const char *name;
    const char **to;
  } texts[] = {
    {"paths", &paths_file},
    {"say", &say},
    {"ready", &ready_text},
    {"stamp", &stamp_text},
    {"count", &count_text},
    {"save", &save_file},
  };
  size_t length = strcspn(option, "=");
  const char *value = option[length] ? option + length + 1 : "";
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (!is_named(numbers[i].name, option, length)) continue;
    *numbers[i].to = atoi(value);
    return;
  }
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (!is_named(texts[i].name, option, length)) continue;
    *texts[i].to = value;
    return;
  }
  if (is_named("header", option, length) && header_count < MOST_HEADERS) {
    header_lines[header_count++] = value;
    return;
  }
  fprintf(stderr, "no option %s\n", option);
  exit(2);
}

static void read_options(int count, char **options) {
  for (int i = 1; i < count; i++) read_option(options[i]);
  stamp_length = strlen(stamp_text);
  ready_length = strlen(ready_text);
  count_length = strlen(count_text);
  int are_sane = port >= 1 && port <= 65535 && connection_count >= 1 && ramp >= 1;
  are_sane = are_sane && warmup_ms >= 0 && window_ms >= 1 && drain_ms >= 0;
  are_sane = are_sane && slow_count >= 0 && slow_count <= connection_count && slow_bytes >= 1;
  are_sane = are_sane && stopped_count >= 0 && stopped_count <= slow_count;
  are_sane = are_sane && stamp_length > 0 && stamp_length + STAMP_BYTES <= TAIL_BYTES;
  are_sane = are_sane && ready_length <= TAIL_BYTES && count_length <= TAIL_BYTES;
  if (are_sane) return;
  fputs("an option is out of its range\n", stderr);
  exit(2);
}

static void read_paths(void) {
  FILE *file = paths_file ? fopen(paths_file, "r") : NULL;
  char line[8192];
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = 0;
    if (line[0] == 0) continue;
    paths = needed(realloc(paths, sizeof *paths * (size_t)(path_count + 1)));
    paths[path_count++] = needed(strdup(line));
  }
  if (file) fclose(file);
  if (path_count > 0) return;
  fputs("paths= names a file with a path a line\n", stderr);
  exit(2);
}

/* Whether the i-th of `all` is one of `some` that are spread evenly. */
static int is_chosen(int i, int some, int all) {
  return (int64_t)(i + 1) * some / all != (int64_t)i * some / all;
}

static void choose_slow(void) {
  int chosen = 0;
  for (int i = 0; i < connection_count; i++) {
    if (!is_chosen(i, slow_count, connection_count)) continue;
    connections[i].slowness = is_chosen(chosen, stopped_count, slow_count) ? STOPPED : SLOW;
    chosen++;
  }
}

/* Connections need a descriptor each. */
static void raise_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur != RLIM_INFINITY && (rlim_t)connection_count + 16 > limit.rlim_cur) {
    fprintf(stderr, "only %llu descriptors\n", (unsigned long long)limit.rlim_cur);
    exit(1);
  }
}

/* Whether `go` has come on standard input; the end of the input ends the program. */
static int has_go(void) {
  char text[16];
  ssize_t length = read(STDIN_FILENO, text, sizeof text);
  if (length == 0) exit(0);
  return length > 0;
}

int main(int count, char **texts) {
  read_options(count, texts);
  read_paths();
  raise_limit();
  if (save_file[0]) saved = fopen(save_file, "w");
  connections = needed(calloc((size_t)connection_count, sizeof *connections));
  choose_slow();
  epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = UINT32_MAX};
  epoll_ctl(epoll_fd, EPOLL_CTL_ADD, STDIN_FILENO, &event);

  struct epoll_event events[EVENTS];
  int has_said_ready = 0;
  double cpu_before = 0, cpu_used = -1;
  int64_t slow_read_at = 0;
  const int64_t began = now_us();
  for (;;) {
    open_next();
    int64_t now = now_us();
    if (!has_said_ready && settled == connection_count) {
      has_said_ready = 1;
      print_ready((double)(now - began) / 1000);
    }
    if (window_to != 0) {
      if (cpu_before == 0 && now >= window_from) cpu_before = cpu_seconds();
      if (cpu_used < 0 && now >= window_to) cpu_used = cpu_seconds() - cpu_before;
      if (now >= window_to + drain_ms * 1000LL) break;
      if (slow_count > 0 && now - slow_read_at >= 1000000 / SLOW_STEPS_PER_SECOND) {
        read_slowly((double)(now - slow_read_at) / 1e6);
        slow_read_at = now;
      }
    }
    int ready = epoll_wait(epoll_fd, events, EVENTS, window_to != 0 ? 10 : 1000);
    if (ready < 0 && errno != EINTR) {
      perror("epoll_wait");
      return 1;
    }
    for (int i = 0; i < ready; i++) {
      if (events[i].data.u32 != UINT32_MAX) {
        serve(&connections[events[i].data.u32], events[i].events);
        continue;
      }
      if (has_go() && has_said_ready && window_to == 0) {
        slow_read_at = now_us();
        window_from = slow_read_at + warmup_ms * 1000LL;
        window_to = window_from + window_ms * 1000LL;
        begin_slowness();
      }
    }
  }
  print_load(cpu_used / (window_ms / 1000.0));
  if (saved) fclose(saved);
  return 0;
}
