#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, and Swift cannot call variadic C functions.
static inline CURLcode sluice_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode sluice_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode sluice_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode sluice_curl_set_headers(CURL *handle, struct curl_slist *value) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, value);
}
static inline CURLcode sluice_curl_set_receiver(CURL *handle, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode sluice_curl_get_text(CURL *handle, CURLINFO info, char **value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode sluice_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
