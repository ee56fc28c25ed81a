// Counts a program's fsync and fdatasync in the file named by FSYNC_COUNT, eight bytes, and makes each take FSYNC_DELAY_US microseconds
// longer. Loaded by LD_PRELOAD.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t *count;
static long delay;

__attribute__((constructor)) static void open_file(void) {
    int file = open(getenv("FSYNC_COUNT"), O_RDWR | O_CLOEXEC);
    void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) abort();
    count = mapped;
    close(file);
    const char *microseconds = getenv("FSYNC_DELAY_US");
    delay = microseconds ? atol(microseconds) : 0;
}

static int counted(long call, int file) {
    __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
    if (delay > 0) {
        struct timespec wait = {delay / 1000000, delay % 1000000 * 1000};
        nanosleep(&wait, NULL);
    }
    return (int)syscall(call, file);
}

int fsync(int file) { return counted(SYS_fsync, file); }
int fdatasync(int file) { return counted(SYS_fdatasync, file); }
