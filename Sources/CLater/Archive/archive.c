#include <later.h>
#include "../../CArchive/shim.h"

#define LIBRARY "libarchive.so.13"
#define LATER(...) SLUICE_LATER(LIBRARY, __VA_ARGS__)

LATER(__LA_MODE_T, archive_entry_filetype, (struct archive_entry *entry), entry)
LATER(void, archive_entry_free, (struct archive_entry *entry), entry)
LATER(struct archive_entry *, archive_entry_new, (void))
LATER(const char *, archive_entry_hardlink, (struct archive_entry *entry), entry)
LATER(const char *, archive_entry_pathname, (struct archive_entry *entry), entry)
LATER(const char *, archive_entry_pathname_utf8, (struct archive_entry *entry), entry)
LATER(void, archive_entry_set_filetype, (struct archive_entry *entry, unsigned int type), entry, type)
LATER(la_int64_t, archive_entry_size, (struct archive_entry *entry), entry)
LATER(int, archive_entry_size_is_set, (struct archive_entry *entry), entry)
LATER(const char *, archive_error_string, (struct archive *archive), archive)
LATER(la_int64_t, archive_filter_bytes, (struct archive *archive, int place), archive, place)
LATER(int, archive_format, (struct archive *archive), archive)
LATER(la_ssize_t, archive_read_data, (struct archive *archive, void *bytes, size_t count), archive, bytes, count)
LATER(int, archive_read_data_skip, (struct archive *archive), archive)
LATER(int, archive_read_free, (struct archive *archive), archive)
LATER(struct archive *, archive_read_new, (void))
LATER(int, archive_read_next_header, (struct archive *archive, struct archive_entry **entry), archive, entry)
LATER(
    int, archive_read_open,
    (struct archive *archive, void *context, archive_open_callback *open, archive_read_callback *read,
     archive_close_callback *close),
    archive, context, open, read, close)
LATER(int, archive_read_set_options, (struct archive *archive, const char *options), archive, options)
LATER(
    int, archive_read_set_seek_callback,
    (struct archive *archive, archive_seek_callback *callback),
    archive, callback)
LATER(int, archive_read_support_format_tar, (struct archive *archive), archive)
LATER(int, archive_read_support_format_zip, (struct archive *archive), archive)
LATER(int, archive_version_number, (void))
LATER(int, archive_write_add_filter_zstd, (struct archive *archive), archive)
LATER(int, archive_write_close, (struct archive *archive), archive)
LATER(la_ssize_t, archive_write_data, (struct archive *archive, const void *bytes, size_t count), archive, bytes, count)
LATER(int, archive_write_free, (struct archive *archive), archive)
LATER(int, archive_write_header, (struct archive *archive, struct archive_entry *entry), archive, entry)
LATER(struct archive *, archive_write_new, (void))
LATER(int, archive_write_open_fd, (struct archive *archive, int fd), archive, fd)
LATER(int, archive_write_set_format_raw, (struct archive *archive), archive)
