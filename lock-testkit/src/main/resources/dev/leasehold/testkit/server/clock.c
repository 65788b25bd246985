/* A wall clock that a test can turn.
 *
 * Preloaded into a process (LD_PRELOAD), this library answers in place of the C library's functions
 * that tell the wall-clock time: the true time plus an offset. The offset is a signed count of
 * nanoseconds, in the machine's byte order, in the first eight bytes of the file that the variable
 * LEASEHOLD_CLOCK names. The file is mapped, so that a write to it is seen at once by every process
 * that has it.
 *
 * The monotonic clocks are passed through as they are: no code under test may depend on the wall
 * clock for a duration, and this shows whether it does.
 *
 * Nothing here allocates memory, takes a lock or looks up a symbol, because all of it also runs while
 * the process's own allocator starts. The true time comes straight from the kernel.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static const volatile int64_t none = 0;
static const volatile int64_t *offset = &none;

__attribute__((constructor)) static void map_offset(void) {
  const char *path = getenv("LEASEHOLD_CLOCK");
  if (path == NULL) return;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) offset = mapped;
}

static int kernel_time(clockid_t clock, struct timespec *time) {
  return (int)syscall(SYS_clock_gettime, clock, time);
}

static void turn(struct timespec *time) {
  int64_t nanos = (int64_t)time->tv_sec * SECOND + time->tv_nsec + *offset;
  time->tv_sec = nanos / SECOND;
  time->tv_nsec = nanos % SECOND;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int failed = kernel_time(clock, time);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) turn(time);
  return failed;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  struct timespec now;
  (void)zone;
  if (kernel_time(CLOCK_REALTIME, &now)) return -1;
  turn(&now);
  if (result != NULL) {
    result->tv_sec = now.tv_sec;
    result->tv_usec = now.tv_nsec / 1000;
  }
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  if (kernel_time(CLOCK_REALTIME, &now)) return (time_t)-1;
  turn(&now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}
