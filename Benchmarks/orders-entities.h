// The job of orders.jsonc in C's words, as transit-entities.h has that of transit.jsonc.
#pragma once

enum entity { entityCustomer, entityOrder, entityCount, noEntity = -1 };

#include "entities.h"

static const struct entityDefinition entityDefinitions[entityCount] = {
    [entityCustomer] = {"Customer", "customers", "\"customer_id\"", 3, 0, {
        {"customer_id", "customer_id", typeText, noEntity},
        {"name", "name", typeText, noEntity},
        {"city", "city", typeText, noEntity},
    }},
    [entityOrder] = {"Order", "orders", "\"order_id\"", 6, -1, {
        {"order_id", "order_id", typeText, noEntity},
        {"placed", "placed", typeText, noEntity},
        {"status", "status", typeText, noEntity},
        {"total", "total", typeReal, noEntity},
        {"items", "items", typeInteger, noEntity},
        {"customer", "customer_id", typeReference, entityCustomer},
    }},
};
