/* Everything that a program can do to its stderr; test_sink.py runs it through each channel. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char big[70000];

static int say(const char *text) { return (int)write(2, text, strlen(text)); }

/* One line in one write: a line is whole or the sink is wrong. */
static void *lines(void *name) {
  char line[300];
  for (int i = 0; i < 3000; i++) {
    int pad = (i * 7919) % 200;
    int n = snprintf(line, sizeof line, "%s %d %.*s\n", (char *)name, i, pad, big);
    if (write(2, line, (size_t)n) != n) exit(9);
  }
  return NULL;
}

static int threads(void) {
  pthread_t running[4];
  static char names[4][8];
  for (int i = 0; i < 4; i++) {
    snprintf(names[i], 8, "t%d", i);
    pthread_create(&running[i], NULL, lines, names[i]);
  }
  for (int i = 0; i < 4; i++) pthread_join(running[i], NULL);
  return 0;
}

/* Two children write beside their parent: one forked, one that runs a new program. */
static int family(char *self) {
  pid_t forked = fork();
  if (forked == 0) {
    lines("forked");
    _exit(0);
  }
  pid_t started = fork();
  if (started == 0) {
    execl(self, self, "lines", "started", NULL);
    _exit(9);
  }
  lines("parent");
  waitpid(forked, NULL, 0);
  waitpid(started, NULL, 0);
  return 0;
}

static int ways(void) {
  struct iovec parts[] = {{"writ", 4}, {"", 0}, {"ev\n", 3}};
  say("write\n");
  fprintf(stderr, "fprintf %d\n", 42);
  if (writev(2, parts, 3) != 7) return 9;
  fputs("fputs\n", stderr);
  fputc('c', stderr);
  errno = ENOENT;
  perror("perror");
  errno = EPIPE;
  say("errno is kept: ");
  fprintf(stderr, "%d\n", errno == EPIPE);
  if (write(2, "", 0) != 0) return 9;
  printf("to stdout\n");
  return 0;
}

/* fd 2 is another file for a while: what is written then is not ours. */
static int detour(const char *path) {
  int saved = dup(2), other = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
  say("before\n");
  dup2(other, 2);
  say("elsewhere\n");
  dup2(saved, 2);
  say("after\n");
  if (dup2(2, 2) != 2 || dup2(999, 999) != -1) return 9;
  say("end\n");
  return 0;
}

/* 40 MB in pieces of all sizes: over the border of windows and of pipes. */
static int flood(void) {
  size_t n = 1;
  for (size_t sum = 0; sum < 40u << 20; sum += n) {
    n = n * 5 % 69997 + 1;
    if (write(2, big, n) != (ssize_t)n) return 9;
  }
  return 0;
}

int main(int count, char **args) {
  for (size_t i = 0; i < sizeof big; i++) big[i] = (char)('a' + i % 23);
  const char *what = count > 1 ? args[1] : "";
  if (!strcmp(what, "lines")) return lines(args[2]) != NULL;
  if (!strcmp(what, "threads")) return threads();
  if (!strcmp(what, "family")) return family(args[0]);
  if (!strcmp(what, "ways")) return ways();
  if (!strcmp(what, "detour")) return detour(args[2]);
  if (!strcmp(what, "flood")) return flood();
  if (!strcmp(what, "abort")) {
    lines("last");
    fprintf(stderr, "about to die");
    abort();
  }
  if (!strcmp(what, "kill")) {
    lines("last");
    raise(SIGKILL);
  }
  if (!strcmp(what, "stay")) { /* with a child that stays too */
    if (fork() == 0) {
      for (;;) pause();
    }
    lines("staying");
    for (;;) pause();
  }
  if (!strcmp(what, "leave")) { /* the child is left behind, and holds fd 2 open */
    pid_t child = fork();
    if (child == 0) {
      for (;;) pause();
    }
    printf("%d\n", child);
    say("gone\n");
    return 0;
  }
  return 8;
}
