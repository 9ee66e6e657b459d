// What `Tests/run` asks of malloc (memory that was freed is overwritten) is for the tests' own process, and for some of the
// runs of the command: servers, interpreters and shells that tests start are somebody else's, and a third slower with it.

#include <stdlib.h>

__attribute__((constructor)) static void keepFromChildren(void) {
    if (!getenv("MALLOC_PERTURB_")) return;
    setenv("TEST_PERTURBED", "1", 1);
    unsetenv("MALLOC_PERTURB_");
    unsetenv("GLIBC_TUNABLES");
}
