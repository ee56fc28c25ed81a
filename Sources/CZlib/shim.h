#include <zlib.h>

/// Makes a stream that writes the gzip format: a macro of zlib's that Swift does not see.
static inline int deflate_gzip_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
