#include <maxminddb.h>

/// What an entry says under a key, or under a second one within the first if that is not null. The library's own function takes any number
/// of keys, which Swift cannot call.
static inline int MMDB_get_value_within(MMDB_entry_s *entry, MMDB_entry_data_s *value, const char *outer, const char *inner) {
    return MMDB_get_value(entry, value, outer, inner, NULL);
}
