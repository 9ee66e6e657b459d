// Libraries that are loaded when one of their functions is called, and not when the program starts: most runs need none
// of them, and half of what a program takes to start is the loading of theirs (libcurl's alone are twenty).
//
// A target defines the functions itself, each by `SLUICE_LATER`; the headers of the library declare them, so that the
// compiler compares both. Nobody but the program sees the definitions. No linker is told of the library: it would have it
// loaded when the program starts.
#include <stddef.h>

// A function of a library. Where there is none, which packages rule out, the program ends with a message, at once.
void *sluice_later(const char *library, const char *name);

// Within the definition of the function `name`: finds that of `library`, as `found`.
#define SLUICE_LATER_FIND(library, name)                                                                               \
    static __typeof__(&name) known;                                                                                    \
    __typeof__(&name) found = __atomic_load_n(&known, __ATOMIC_ACQUIRE);                                               \
    if (found == NULL) {                                                                                               \
        found = (__typeof__(&name))sluice_later(library, #name);                                                       \
        __atomic_store_n(&known, found, __ATOMIC_RELEASE);                                                             \
    }

// A definition of the function `name` of `library`: its result, its parameters, and what they are called.
#define SLUICE_LATER(library, result, name, parameters, ...)                                                           \
    __attribute__((visibility("hidden"))) result name parameters {                                                     \
        SLUICE_LATER_FIND(library, name)                                                                               \
        return found(__VA_ARGS__);                                                                                     \
    }
