#include <png.h>

/// The most bytes that the image can take as a PNG file: a macro of libpng's that Swift does not see.
static inline size_t png_image_size_max(const png_image *image) { return PNG_IMAGE_PNG_SIZE_MAX(*image); }
