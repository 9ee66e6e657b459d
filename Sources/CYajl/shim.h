#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>

// yajl_config is variadic, and Swift cannot call variadic C functions.
static inline int sluice_yajl_enable(yajl_handle handle, yajl_option option) {
    return yajl_config(handle, option, 1);
}
