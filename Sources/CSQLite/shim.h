#include <sqlite3.h>
#include <stddef.h>

/// Has SQLite keep no account of its memory, for which it would take a lock at each allocation. To be called before anything else.
/// Swift itself cannot call a function whose arguments vary in number.
static inline int linden_sqlite3_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Finds bytes in others, in time proportional to both. The system's library has it, and its header only with the extensions of GNU.
extern void *memmem(const void *, size_t, const void *, size_t);
