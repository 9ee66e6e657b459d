// generate-orders SCALE [shuffled] [changed] [others] > feed.json
//
// Writes orders and the customers that they are of, the same bytes on every machine: one document, orders first, so that
// every reference stands before its target. All identifiers are UUIDs, in no order. At scale 1: 3 million orders,
// 1 million customers. With `shuffled` the same records come in another order; with `changed` one in a hundred orders has
// another status; with `others` all identifiers are others.

#include "output.h"

enum { ordersAtScale1 = 3000000, customersAtScale1 = 1000000 };
enum stream { streamOrder, streamCustomer, streamReference, streamValues };

static int isChanged;
// Added to the index of all that is drawn: the records of two feeds have none in common.
static uint64_t firstIndex;

static uint64_t draw(enum stream stream, uint64_t index) {
    uint64_t z = (firstIndex + index + 1) * 0x9E3779B97F4A7C15u + ((uint64_t)stream + 1) * 0xD1B54A32D192ED03u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void putHex(uint64_t value, int digits) {
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) putByte("0123456789abcdef"[value >> shift & 15]);
}

// Version 4. The first half of one index is that of no other: `draw` is a bijection.
static void putUUID(enum stream stream, uint64_t index) {
    uint64_t first = draw(stream, index), second = draw(stream, ~index);
    putByte('"');
    putHex(first >> 32, 8);
    putByte('-');
    putHex(first >> 16, 4);
    put("-4");
    putHex(first >> 4, 3);
    putByte('-');
    putHex(8 | (first & 3), 1);
    putHex(second >> 48, 3);
    putByte('-');
    putHex((first >> 2 & 3) << 44 | (second & 0xFFFFFFFFFFFu), 12);
    putByte('"');
}

static uint64_t greatestCommonDivisor(uint64_t a, uint64_t b) { return b == 0 ? a : greatestCommonDivisor(b, a % b); }

// Steps that meet each number below `count` once, far from the one before.
static uint64_t strideFor(uint64_t count) {
    uint64_t stride = (uint64_t)((double)count * 0.6180339887) | 1;
    while (greatestCommonDivisor(stride, count) != 1) stride++;
    return stride;
}

static void putOrder(uint64_t index, uint64_t customers) {
    static const char *const states[] = {"open", "paid", "sent", "done"};
    uint64_t random = draw(streamValues, index);
    int isOther = isChanged && index % 100 == 17;
    put("{\"order_id\":");
    putUUID(streamOrder, index);
    put(",\"customer_id\":");
    putUUID(streamCustomer, draw(streamReference, index) % customers);
    put(",\"placed\":\"2026-");
    putTwoDigits(1 + random % 12);
    putByte('-');
    putTwoDigits(1 + (random >> 8) % 28);
    putByte('T');
    putTwoDigits((random >> 16) % 24);
    putByte(':');
    putTwoDigits((random >> 24) % 60);
    put(":00Z\",\"status\":\"");
    put(states[((random >> 32) + isOther) % 4]);
    put("\",\"total\":");
    putUnsigned((random >> 36) % 1000);
    putByte('.');
    putTwoDigits((random >> 48) % 100);
    put(",\"items\":");
    putUnsigned(1 + (random >> 56) % 9);
    putByte('}');
}

static void putCustomer(uint64_t index) {
    uint64_t random = draw(streamValues, ~index);
    put("{\"customer_id\":");
    putUUID(streamCustomer, index);
    put(",\"name\":\"Customer ");
    putUnsigned(index);
    put("\",\"city\":\"City ");
    putUnsigned(random % 500);
    put("\"}");
}

int main(int argc, char **argv) {
    double scale = argc > 1 ? atof(argv[1]) : 0;
    int isShuffled = 0, isWrong = scale <= 0;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "shuffled") == 0) isShuffled = 1;
        else if (strcmp(argv[i], "changed") == 0) isChanged = 1;
        else if (strcmp(argv[i], "others") == 0) firstIndex = (uint64_t)1 << 40;
        else isWrong = 1;
    }
    if (isWrong) {
        fprintf(stderr, "usage: generate-orders SCALE [shuffled] [changed] [others]\n");
        return 64;
    }
    uint64_t orders = (uint64_t)(ordersAtScale1 * scale) + 1, customers = (uint64_t)(customersAtScale1 * scale) + 1;
    uint64_t strides[] = {isShuffled ? strideFor(orders) : 1, isShuffled ? strideFor(customers) : 1};
    put("{\"orders\":[\n");
    for (uint64_t i = 0; i < orders; i++) {
        if (i > 0) put(",\n");
        putOrder(i * strides[0] % orders, customers);
    }
    put("\n],\"customers\":[\n");
    for (uint64_t i = 0; i < customers; i++) {
        if (i > 0) put(",\n");
        putCustomer(i * strides[1] % customers);
    }
    put("\n]}\n");
    flushOutput();
    return 0;
}
