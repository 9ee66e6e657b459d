import Glibc

/// Writes moments as others read them: in a format, in local time.
package struct WrittenMoment {
    private let format: String
    private let zone: Zone

    /// - Parameters:
    ///   - format: of strftime (POSIX), without fields of zones.
    ///   - zone: its IANA name. Nil is returned where there is none of that name.
    package init?(_ format: String, zone: String) {
        guard let zone = try? Zone(named: zone) else { return nil }
        self.format = format
        self.zone = zone
    }

    /// A moment, in seconds since 1970, UTC. In an hour that a clock change repeats it is the time an hour before,
    /// which comes once: whoever reads the text may take it for either. Nil: the format gives nothing.
    package func text(of seconds: Int) -> String? {
        var local = zone.local(Int64(seconds))
        if zone.universal(local) == .repeated { local -= 3600 }
        var moment = time_t(local)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&moment, &parts) != nil else { return nil }
        var text = [CChar](repeating: 0, count: 64 + 16 * format.utf8.count)
        let count = unsafe strftime(&text, text.count, format, &parts)
        return count > 0 ? String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
