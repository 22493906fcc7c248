/* What the player did wrong is printed in the course of the game; the match
   goes on with legal moves at random. */
#include "command/opponent.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double start_clock = 10; /* unless given */

static void write_id(Text *id) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  text_format(id, "tafl.play.%lld.%ld",
              (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000,
              (long)getpid());
}

static void write_role(const Remotes *remotes, const Remote *remote,
                       Text *text) {
  term_write(game_terms(remotes->game), game_role(remotes->game, remote->role),
             text);
}

static void show_fault(const Remotes *remotes, const Remote *remote) {
  Text name = {0};
  if (!remote->error.length) return;
  write_role(remotes, remote, &name);
  printf("%s at %s: %s\n", name.bytes, remote->url, remote->error.bytes);
  text_free(&name);
}

Remotes *opponent_begin(const Options *options, Game *game, uint32_t person,
                        const char *url) {
  Remotes *remotes = memory_new(sizeof *remotes);
  RemoteClocks clocks = {.start =
                             options->start > 0 ? options->start : start_clock,
                         .play = options->play > 0 ? options->play : 1,
                         .grace = options->grace};
  Text id = {0};
  write_id(&id);
  remotes_init(remotes, game, id.bytes, &clocks, NULL, options->scramble,
               (uint64_t)options->seed);
  text_free(&id);
  for (uint32_t role = 0; role < game->role_count; role++)
    if (role != person) remotes_add(remotes, role, url);
  log_progress("START");
  remotes_start(remotes);
  log_progress_end();
  for (uint32_t i = 0; i < remotes->list.count; i++)
    show_fault(remotes, &remotes->list.data[i]);
  return remotes;
}

void opponent_ask(Remotes *remotes, const Text *moves, Random *random,
                  Move *joint, Text *why) {
  log_progress("waiting");
  remotes_play(remotes, moves);
  log_progress_end();
  text_clear(why);
  for (uint32_t i = 0; i < remotes->list.count; i++) {
    Remote *remote = &remotes->list.data[i];
    joint[remote->role] = remote_move(remotes, remote, random);
    show_fault(remotes, remote);
    if (remote->error.length) puts("A legal move at random takes its place.");
    write_role(remotes, remote, why);
    text_format(why, " answered after %.3f s%s%s\n", remote->seconds,
                remote->error.length ? ": " : "", text_string(&remote->error));
  }
}

void opponent_end(Remotes *remotes, const Text *moves) {
  if (!game_failed(remotes->game) && game_terminal(remotes->game))
    remotes_stop(remotes, moves);
  else
    remotes_abort(remotes);
  remotes_free(remotes);
  memory_delete(remotes);
}
