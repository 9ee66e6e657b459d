#include <later.h>
// Its macros would stand before the definitions.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdarg.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define LIBRARY "libcurl.so.4"
#define LATER(...) SLUICE_LATER(LIBRARY, __VA_ARGS__)

LATER(void, curl_easy_cleanup, (CURL *curl), curl)
LATER(CURL *, curl_easy_init, (void))
LATER(CURLcode, curl_easy_pause, (CURL *handle, int bitmask), handle, bitmask)
LATER(const char *, curl_easy_strerror, (CURLcode code), code)
LATER(void, curl_free, (void *p), p)
LATER(time_t, curl_getdate, (const char *p, const time_t *unused), p, unused)
LATER(CURLcode, curl_global_init, (long flags), flags)
LATER(CURLMcode, curl_multi_add_handle, (CURLM *multi_handle, CURL *curl_handle), multi_handle, curl_handle)
LATER(CURLMcode, curl_multi_cleanup, (CURLM *multi_handle), multi_handle)
LATER(CURLMsg *, curl_multi_info_read, (CURLM *multi_handle, int *msgs_in_queue), multi_handle, msgs_in_queue)
LATER(CURLM *, curl_multi_init, (void))
LATER(CURLMcode, curl_multi_perform, (CURLM *multi_handle, int *running_handles), multi_handle, running_handles)
LATER(
    CURLMcode, curl_multi_poll,
    (CURLM *multi_handle, struct curl_waitfd extra_fds[], unsigned int extra_nfds, int timeout_ms, int *ret),
    multi_handle, extra_fds, extra_nfds, timeout_ms, ret)
LATER(CURLMcode, curl_multi_remove_handle, (CURLM *multi_handle, CURL *curl_handle), multi_handle, curl_handle)
LATER(CURLMcode, curl_multi_wakeup, (CURLM *multi_handle), multi_handle)
LATER(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *data), list, data)
LATER(void, curl_slist_free_all, (struct curl_slist *list), list)
LATER(CURLU *, curl_url, (void))
LATER(void, curl_url_cleanup, (CURLU *handle), handle)
LATER(
    CURLUcode, curl_url_get,
    (CURLU *handle, CURLUPart what, char **part, unsigned int flags),
    handle, what, part, flags)
LATER(
    CURLUcode, curl_url_set,
    (CURLU *handle, CURLUPart what, const char *part, unsigned int flags),
    handle, what, part, flags)
LATER(curl_version_info_data *, curl_version_info, (CURLversion version), version)

// These two take any argument: all that they are given is a pointer, or a number that is as wide as one.
_Static_assert(
    sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *), "numbers are not as wide as pointers");

#define LATER_WITH_ANY(name, kind)                                                                                     \
    __attribute__((visibility("hidden"))) CURLcode name(CURL *curl, kind what, ...) {                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, what);                                                                                     \
        void *value = va_arg(arguments, void *);                                                                       \
        va_end(arguments);                                                                                             \
        SLUICE_LATER_FIND(LIBRARY, name)                                                                               \
        return found(curl, what, value);                                                                               \
    }

LATER_WITH_ANY(curl_easy_setopt, CURLoption)
LATER_WITH_ANY(curl_easy_getinfo, CURLINFO)
