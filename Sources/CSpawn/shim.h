#include <spawn.h>

// The header declares them for _GNU_SOURCE only, without which Swift reads it.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// Likewise, in unistd.h.
extern int pipe2(int ends[2], int flags);
