#include <sys/types.h>

// The header declares it for _GNU_SOURCE only, without which Swift reads it.
extern ssize_t copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t count, unsigned flags);
