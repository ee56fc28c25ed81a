// A sigsuspend that gives the kernel a copy of its mask. valgrind 3.19 writes to the mask of that system call and crashes if it is in
// read-only memory, as libdispatch's is. Loaded by LD_PRELOAD.

#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    // The kernel's sets have a bit for each of 64 signals.
    return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}
