import SluicePosix
import SluiceRecords

/// A folder of objects, to which files are written: `s3://bucket/nightly`.
///
///     let folder = try ObjectFolder("s3://feeds/nightly", FetchSession(.sluice))
///     try folder.write(bytes, to: "stops.json")
package final class ObjectFolder {
    /// As it was given, without a slash at its end.
    package let location: String
    /// What all its keys begin with.
    private let prefix: String
    private let bucket: ObjectBucket
    private var requests: ObjectRequests?

    /// - Throws: `usage` where the text names no folder.
    package init(_ text: String, _ session: FetchSession) throws(Failure) {
        var text = text
        while text.hasSuffix("/"), text.utf8.count > ObjectPattern.scheme.utf8.count { text.removeLast() }
        location = text
        let place: (bucket: String, key: String)
        do throws(AddressError) { place = try ObjectPattern.place(text + "/x") } catch {
            throw error.failure(of: text)
        }
        prefix = String(place.key.dropLast())
        bucket = try ObjectBucket(place.bucket, session)
    }

    /// The folder of an object, and its name there.
    package static func holding(
        _ object: String, _ session: FetchSession
    ) throws(Failure) -> (folder: ObjectFolder, name: String) {
        let parts = object.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        return (try ObjectFolder(folder, session), String(parts.last ?? ""))
    }

    /// Whether a text names objects.
    package static func names(_ text: String) -> Bool { text.hasPrefix(ObjectPattern.scheme) }

    /// Why a text names no folder of objects, a sentence without a subject; nil: it does.
    package static func fault(_ text: String) -> String? {
        do throws(AddressError) {
            _ = try ObjectPattern.place(text.hasSuffix("/") ? text + "x" : text + "/x")
            return nil
        } catch {
            return error.message
        }
    }

    /// Where an object is, for messages and reports.
    package func location(of name: String) -> String { "\(location)/\(name)" }

    /// How an object is asked for.
    package func request(for name: String) -> WebRequest { ObjectBucket.request(bucket.address(of: prefix + name)) }

    // MARK: Reading

    /// An object that is there.
    package struct Entry: Sendable {
        package var name: String
        package var etag: String
        package var size: UInt64
    }

    /// The objects in it whose names begin with a text, by their names; none in folders below.
    package func entries(_ beginning: String = "") throws(Failure) -> [Entry] {
        let start = prefix.utf8.count
        return try bucket.list(prefix + beginning, isFlat: true).compactMap { object in
            let name = String(decoding: object.key.utf8.dropFirst(start), as: UTF8.self)
            return name.isEmpty ? nil : Entry(name: name, etag: object.etag, size: object.size)
        }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// A small object, and its ETag; nil: there is none.
    package func bytes(_ name: String, most: Int) throws(Failure) -> (bytes: [UInt8], etag: String)? {
        let answer = try access().perform("GET", address(of: name), of: location(of: name), accepts: [404])
        if answer.head.status == 404 { return nil }
        guard answer.bytes.count <= most else {
            throw Failure(.data, "\(location(of: name)) is larger than \(most) bytes")
        }
        return (answer.bytes, answer.head["etag"] ?? "")
    }

    /// Whether there is an object.
    package func has(_ name: String) throws(Failure) -> Bool { try firstByte(of: name).head.status != 404 }

    /// Who has written an object, as ``write(_:to:type:if:mark:)`` was told; nil: there is none, or nobody says so.
    package func mark(of name: String) throws(Failure) -> String? {
        try firstByte(of: name).head[ObjectUpload.writerHeader]
    }

    /// What is answered where there is nothing of an object, or no object, is an answer, too.
    private func firstByte(of name: String) throws(Failure) -> ObjectRequests.Answer {
        try access().perform(
            "GET", address(of: name), of: location(of: name), headers: ["Range: bytes=0-0"], accepts: [404, 416])
    }

    // MARK: Writing

    /// Writes an object of some bytes.
    ///
    /// - Parameters:
    ///   - headers: what goes along with it, such as its type.
    ///   - mark: tells this writer from others; nil: one of its own.
    /// - Returns: false, where the condition does not hold.
    @discardableResult
    package func write(
        _ bytes: [UInt8], to name: String, headers: [String]? = nil, if condition: ObjectCondition = .none,
        mark: String? = nil
    ) throws(Failure) -> Bool {
        try upload(name, headers, condition, mark).perform(size: UInt64(bytes.count)) { offset, count in
            Array(bytes[Int(offset)..<Int(offset) + count])
        }
    }

    /// Writes an object of what an open file holds.
    @discardableResult
    package func write(
        file descriptor: CInt, size: UInt64, to name: String, headers: [String]? = nil,
        if condition: ObjectCondition = .none, mark: String? = nil
    ) throws(Failure) -> Bool {
        let shown = location(of: name)
        return try upload(name, headers, condition, mark).perform(size: size) { offset, count throws(Failure) in
            var bytes = [UInt8](repeating: 0, count: count)
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe readAll(into: $0, from: descriptor, at: Int(offset))
            }
            guard got == count else { throw Failure(.io, "what is to be written to \(shown) cannot be read") }
            return bytes
        }
    }

    /// Removes an object, if it is there.
    package func remove(_ name: String) throws(Failure) {
        _ = try access().perform("DELETE", address(of: name), of: location(of: name), accepts: [404])
    }

    /// Ends the uploads of objects that somebody has begun, and will not end: of those whose names are told.
    package func abortUploads(_ beginning: String, where isOwn: (String) -> Bool) throws(Failure) {
        let start = prefix.utf8.count
        try bucket.abortUploads(prefix + beginning, access()) { key, _ in
            isOwn(String(decoding: key.utf8.dropFirst(start), as: UTF8.self))
        }
    }

    private func upload(
        _ name: String, _ headers: [String]?, _ condition: ObjectCondition, _ mark: String?
    ) throws(Failure) -> ObjectUpload {
        ObjectUpload(
            bucket: bucket, requests: try access(), key: prefix + name, address: try address(of: name),
            name: location(of: name),
            headers: headers ?? ["Content-Type: \(ObjectFolder.type(of: name))"], condition: condition,
            partSize: bucket.session.settings.partSize, mark: mark ?? ObjectFolder.newMark())
    }

    /// What tells one writer from all others.
    package static func newMark() -> String { String(UInt64.random(in: 0 ... .max), radix: 16) }

    /// What browsers and programs take an object for.
    private static func type(of name: String) -> String {
        let types = [".json": "application/json", ".ndjson": "application/x-ndjson", ".zst": "application/zstd"]
        return types.first { name.hasSuffix($0.key) }?.value ?? "application/octet-stream"
    }

    // MARK: Requests

    private func address(of name: String) throws(Failure) -> WebAddress {
        try ObjectBucket.address(bucket.address(of: prefix + name))
    }

    private func access() throws(Failure) -> ObjectRequests {
        if let requests { return requests }
        let made = ObjectRequests(try bucket.client())
        requests = made
        return made
    }
}
