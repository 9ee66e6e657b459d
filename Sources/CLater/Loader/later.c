#include "later.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

// The status of what the system does not give a run: EX_IOERR of sysexits.h.
enum { not_given = 74 };

void *sluice_later(const char *library, const char *name) {
    // A library that is there already is found again.
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    void *found = handle == NULL ? NULL : dlsym(handle, name);
    if (found == NULL) {
        const char *reason = dlerror();
        fprintf(stderr, "sluice: a library cannot be loaded: %s\n", reason == NULL ? name : reason);
        _exit(not_given);
    }
    return found;
}
