/// The system's database of time zones, seen from outside.
package enum ZoneDatabase {
    /// What it says of a zone: another text where a version of the database has changed it; nil: there is no such zone.
    package static func content(ofZone name: String) -> String? {
        (try? ZoneFile.bytes(ofZone: name)).map { bytes in bytes.map { String($0, radix: 16) }.joined(separator: " ") }
    }
}
