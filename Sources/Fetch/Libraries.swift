import CSluiceCurl
import SluiceRecords

/// The library that web services are asked with, and what it does TLS with.
package func fetchLibraries() -> [LibraryVersion] {
    guard let information = unsafe curl_version_info(CURLVERSION_FIRST)?.pointee else { return [] }
    let tls = unsafe information.ssl_version.map { " (\(unsafe String(cString: $0)))" } ?? ""
    return [LibraryVersion("libcurl", unsafe String(cString: information.version) + tls)]
}
