import CSluicePCRE2
import SluiceRecords

/// The library that patterns are matched with.
package func transformLibraries() -> [LibraryVersion] {
    var text = [UInt8](repeating: 0, count: 64)
    let length = unsafe text.withUnsafeMutableBytes { bytes in
        unsafe pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), bytes.baseAddress)
    }
    // With a zero at its end; a date follows the version.
    let version = String(decoding: text.prefix(max(0, Int(length) - 1)), as: UTF8.self).prefix { $0 != " " }
    return [LibraryVersion("PCRE2", String(version))]
}
