import CSluiceArchive
import CSluiceBzip2
import CSluiceCrypto
import CSluiceLzma
import CSluiceYajl
import CSluiceZlib
import CSluiceZstd
import SluiceRecords

/// The libraries that feeds are read with.
package func extractLibraries() -> [LibraryVersion] {
    let yajl = yajl_version()
    let archive = archive_version_number()
    return [
        LibraryVersion("yajl", "\(yajl / 10_000).\(yajl / 100 % 100).\(yajl % 100)"),
        LibraryVersion("libarchive", "\(archive / 1_000_000).\(archive / 1000 % 1000).\(archive % 1000)"),
        LibraryVersion("zlib", unsafe String(cString: zlibVersion())),
        // It adds a date, after a comma.
        LibraryVersion("bzip2", String(unsafe String(cString: BZ2_bzlibVersion()).prefix { $0 != "," })),
        LibraryVersion("liblzma", unsafe String(cString: lzma_version_string())),
        LibraryVersion("zstd", unsafe String(cString: ZSTD_versionString())),
        LibraryVersion("libcrypto", unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))),
    ]
}
