// Asks the processor for a line of memory, and does not wait until it is there. Swift has nothing that says so.
static inline void sluice_prefetch(const void *address) {
    __builtin_prefetch(address);
}
