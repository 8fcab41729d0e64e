/* Collects what a process and its children write to stderr, without one system call per write.
 *
 * iree-compile prints IR through llvm::errs(), which is unbuffered: 82 MB of dump are 24 million
 * write(2) calls of 3.4 bytes. This library, preloaded, copies those bytes into a shared mapping of
 * the dump file instead. A mapping needs no flush: what was copied is in the file, also after
 * SIGKILL, and a reader may look at the file while it grows.
 *
 *   IREE_LAYERS_DUMP     the dump file
 *   IREE_LAYERS_CONTROL  a file of sizeof(struct control) bytes that all processes share
 *
 * A writer reserves [at, at + n) by one atomic addition, then copies: writes of several threads and
 * processes never mix. Space comes in windows, allocated on disk before they are mapped, so that a
 * full disk is an error here and not a SIGBUS. Whether a window could be had is decided once for
 * all writers; after a refusal everything goes to the real fd 2, and `end` says where the
 * contiguous part ends. Only for Linux with glibc; sink.py is the other half.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define WINDOW ((uint64_t)16 << 20)
#define WINDOWS 65536 /* 1 TiB */
enum { UNKNOWN, READY, REFUSED };

struct control {
  _Atomic uint64_t used;     /* bytes reserved */
  _Atomic uint64_t end;      /* start of the first reservation that was not copied */
  _Atomic uint64_t attached; /* processes that collect */
  uint64_t device, inode;    /* of the file that is fd 2: another fd 2 is not ours to collect */
  uint64_t limit;            /* windows that may be used; fewer only in tests */
  _Atomic uint8_t window[WINDOWS];
};

static struct control *control;
static int active; /* fd 2 is the file that we stand in for */
static int dump = -1;
static char *_Atomic mapped[WINDOWS];

static int is_ours(int fd) {
  struct stat found;
  return fstat(fd, &found) == 0 && found.st_dev == control->device &&
         found.st_ino == control->inode;
}

/* One answer per window for all processes, and never READY after REFUSED: no holes. */
static int ready(uint64_t k) {
  if (k >= WINDOWS) return 0;
  uint8_t state = atomic_load(&control->window[k]);
  if (state != UNKNOWN) return state == READY;
  int have = k < control->limit && (k == 0 || ready(k - 1)) &&
             syscall(SYS_fallocate, dump, 0, (off_t)(k * WINDOW), (off_t)WINDOW) == 0;
  uint8_t mine = have ? READY : REFUSED;
  return atomic_compare_exchange_strong(&control->window[k], &state, mine) ? have : state == READY;
}

static char *window(uint64_t k) {
  char *here = atomic_load_explicit(&mapped[k], memory_order_acquire);
  if (here) return here;
  char *fresh =
      mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, dump, (off_t)(k * WINDOW));
  if (fresh == MAP_FAILED) return NULL;
  if (atomic_compare_exchange_strong(&mapped[k], &here, fresh)) return fresh;
  munmap(fresh, WINDOW);
  return here;
}

/* The place of [at, at + n) if it lies in one window that is mapped here, and so is ready. */
static inline char *place(uint64_t at, size_t n) {
  uint64_t k = at / WINDOW, inside = at % WINDOW;
  if (k >= WINDOWS || n > WINDOW - inside) return NULL;
  char *here = atomic_load_explicit(&mapped[k], memory_order_acquire);
  return here ? here + inside : NULL;
}

static void copy(uint64_t at, const char *bytes, size_t n) {
  int before = errno;
  while (n > 0) {
    uint64_t inside = at % WINDOW;
    size_t part = n < WINDOW - inside ? n : (size_t)(WINDOW - inside);
    char *here = window(at / WINDOW);
    if (here) {
      memcpy(here + inside, bytes, part);
    } else { /* no address space: the window is allocated, so the file takes it directly */
      ssize_t done = pwrite(dump, bytes, part, (off_t)at);
      if (done <= 0) break;
      part = (size_t)done;
    }
    at += part, bytes += part, n -= part;
  }
  errno = before;
}

/* Whether [at, at + n) can be copied; if not, it goes to the real fd 2 and `end` remembers it. */
static int settle(uint64_t at, size_t n) {
  int before = errno;
  int taken = ready(at / WINDOW) && ready((at + n - 1) / WINDOW);
  uint64_t end = atomic_load(&control->end);
  while (!taken && at < end && !atomic_compare_exchange_weak(&control->end, &end, at)) continue;
  errno = before;
  return taken;
}

/* Reserve n > 0 bytes; 0 if they must go to the real fd 2. */
static inline int reserve(size_t n, uint64_t *at) {
  if (atomic_load_explicit(&control->end, memory_order_relaxed) != UINT64_MAX) return 0;
  *at = atomic_fetch_add_explicit(&control->used, n, memory_order_relaxed);
  return place(*at, n) || settle(*at, n);
}

/* Most writes are of a few bytes: two overlapping moves of a fixed size, and no call of memcpy. */
static inline void put(char *to, const char *from, size_t n) {
  if (n > 16) {
    memcpy(to, from, n);
  } else if (n >= 8) {
    uint64_t first, last;
    memcpy(&first, from, 8), memcpy(&last, from + n - 8, 8);
    memcpy(to, &first, 8), memcpy(to + n - 8, &last, 8);
  } else if (n >= 4) {
    uint32_t first, last;
    memcpy(&first, from, 4), memcpy(&last, from + n - 4, 4);
    memcpy(to, &first, 4), memcpy(to + n - 4, &last, 4);
  } else {
    to[0] = from[0];
    if (n > 1) to[1] = from[1], to[n - 1] = from[n - 1];
  }
}

ssize_t write(int fd, const void *bytes, size_t n) {
  uint64_t at;
  if (fd != STDERR_FILENO || !active) return syscall(SYS_write, fd, bytes, n);
  if (n == 0) return 0;
  if (!reserve(n, &at)) return syscall(SYS_write, fd, bytes, n);
  char *here = place(at, n);
  if (here) {
    put(here, bytes, n);
  } else {
    copy(at, bytes, n);
  }
  return (ssize_t)n;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  uint64_t at, n = 0;
  if (fd != STDERR_FILENO || !active) return syscall(SYS_writev, fd, parts, count);
  for (int i = 0; i < count; i++) n += parts[i].iov_len;
  if (n > 0 && !reserve(n, &at)) return syscall(SYS_writev, fd, parts, count);
  for (int i = 0; n > 0 && i < count; at += parts[i++].iov_len)
    copy(at, parts[i].iov_base, parts[i].iov_len);
  return (ssize_t)n;
}

/* A process that puts another file in the place of fd 2 gets what it asked for. */
static int replaced(int result, int to) {
  if (result >= 0 && to == STDERR_FILENO && control) active = is_ours(STDERR_FILENO);
  return result;
}

int dup2(int from, int to) {
  if (from == to) return fcntl(from, F_GETFD) < 0 ? -1 : to;
  return replaced((int)syscall(SYS_dup3, from, to, 0), to);
}

int dup3(int from, int to, int flags) {
  return replaced((int)syscall(SYS_dup3, from, to, flags), to);
}

int close(int fd) {
  if (fd == STDERR_FILENO) active = 0;
  return (int)syscall(SYS_close, fd);
}

static ssize_t write_stderr(void *cookie, const char *bytes, size_t n) {
  (void)cookie;
  return write(STDERR_FILENO, bytes, n);
}

__attribute__((constructor)) static void attach(void) {
  const char *dump_path = getenv("IREE_LAYERS_DUMP");
  const char *control_path = getenv("IREE_LAYERS_CONTROL");
  if (!dump_path || !control_path) return;
  int fd = open(control_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  dump = open(dump_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  struct stat size;
  if (fd >= 0 && dump >= 0 && fstat(fd, &size) == 0 && size.st_size == sizeof(struct control)) {
    void *shared = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared != MAP_FAILED) control = shared;
  }
  if (fd >= 0) close(fd);
  if (!control || !is_ours(STDERR_FILENO)) return;
  active = 1;
  atomic_fetch_add(&control->attached, 1);
  /* printf and friends write inside libc, where no preloaded library can step in between. */
  cookie_io_functions_t functions = {.write = write_stderr};
  FILE *stream = fopencookie(NULL, "w", functions);
  if (stream) {
    setvbuf(stream, NULL, _IONBF, 0);
    stderr = stream;
  }
}
