#include <sqlite3.h>

/// Has SQLite keep no account of its memory, for which it would take a lock at each allocation. To be called before anything else.
/// Swift itself cannot call a function whose arguments vary in number.
static inline int linden_sqlite3_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
