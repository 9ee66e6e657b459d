import SluicePosix
import SluiceRecords

/// Where objects are in a service that speaks S3: `s3://bucket/transit/*.ndjson.zst`.
package struct ObjectPattern: Sendable, Hashable {
    package let bucket: String
    /// The key of an object, or a pattern of keys, as of paths.
    package let key: String

    package static let scheme = "s3://"

    /// - Throws: what is wrong, a sentence without a subject.
    package init(_ text: String) throws(AddressError) {
        (bucket, key) = try ObjectPattern.parts(text, such: "s3://bucket/feeds/*.json")
    }

    /// The objects that somebody named on the command line.
    ///
    /// - Throws: `usage` where the text is no address of objects.
    package init(named text: String) throws(Failure) {
        do throws(AddressError) { try self.init(text) } catch { throw error.failure(of: text) }
    }

    /// The bucket and the key of an object that is to be written, which is no pattern.
    static func place(_ text: String) throws(AddressError) -> (bucket: String, key: String) {
        let parts = try parts(text, such: "s3://bucket/nightly")
        guard !PathPattern.isPattern(parts.key) else {
            throw AddressError("cannot hold *, ? or [, as it is written to")
        }
        return parts
    }

    private static func parts(_ text: String, such example: String) throws(AddressError) -> (
        bucket: String, key: String
    ) {
        let rest = text.dropFirst(scheme.count)
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.hasPrefix(scheme), parts.count == 2, !parts[1].isEmpty else {
            throw AddressError("must be a bucket and a key, such as \(example)")
        }
        let bucket = String(parts[0])
        let isName = bucket.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isName, bucket.utf8.count >= 3 else { throw AddressError("names no bucket: \(bucket.printable)") }
        return (bucket, String(parts[1]))
    }

    /// As the definition has it.
    package var text: String { name(of: key) }

    /// What an object of the bucket is called.
    func name(of key: String) -> String { "\(ObjectPattern.scheme)\(bucket)/\(key)" }

    /// Whether it may name several objects.
    var isPattern: Bool { PathPattern.isPattern(key) }

    /// What all keys begin with that it may name.
    var prefix: String { PathPattern.stem(key) }

    /// Whether all that it may name is in one folder.
    var isFlat: Bool { !key.utf8.dropFirst(prefix.utf8.count).contains(UInt8(ascii: "/")) }

    /// Whether `s3://bucket/key` is one of the objects.
    package func names(_ object: String) -> Bool {
        guard let other = try? ObjectPattern(object), other.bucket.isIdentical(to: bucket) else { return false }
        return matches(other.key)
    }

    /// Whether a key is, or matches, this one.
    func matches(_ other: String) -> Bool {
        if other.utf8.elementsEqual(key.utf8) { return true }
        guard isPattern, other.utf8.last != UInt8(ascii: "/") else { return false }
        return PathPattern.matches(other.utf8, key)
    }
}
