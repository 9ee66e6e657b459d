import SluiceRecords

/// Writes an object: at once, or in parts where it is large. No reader sees it before it is whole.
struct ObjectUpload {
    let bucket: ObjectBucket
    let requests: ObjectRequests
    let key: String
    let address: WebAddress
    /// `s3://bucket/key`
    let name: String
    /// What goes along with the object, such as its type.
    let headers: [String]
    let condition: ObjectCondition
    let partSize: Int
    /// Tells what this has written from what others write.
    let mark: String

    /// The most parts that services take of an object.
    private static let mostParts = 10_000

    /// Writes.
    ///
    /// - Parameters:
    ///   - size: bytes of the object.
    ///   - read: reads a part of them, at an offset.
    /// - Returns: false, where the condition does not hold.
    func perform(size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]) throws(Failure) -> Bool {
        guard size > UInt64(partSize) else { return try put(read(0, Int(size)), condition) }
        let identifier = try begin()
        do throws(Failure) {
            if try end(identifier, send(identifier, size, read), condition) { return true }
        } catch {
            abort(identifier)
            throw error
        }
        abort(identifier)
        return false
    }

    // MARK: At once

    private func put(_ content: [UInt8], _ condition: ObjectCondition) throws(Failure) -> Bool {
        let answer = try requests.perform(
            "PUT", address, of: name, headers: marked + condition.headers, content: content, accepts: accepted)
        switch answer.head.status {
        case 412: return try wasWritten(answer)
        case 501: return try put(content, .none)
        default: return true
        }
    }

    private var marked: [String] { headers + ["\(ObjectUpload.writerHeader): \(mark)"] }

    /// The header with the mark of the writer.
    static let writerHeader = "x-amz-meta-sluice-writer"

    /// The statuses that answer a condition: it does not hold, or the service knows none.
    private var accepted: Set<Int> { condition == .none ? [] : [412, 501] }

    /// Whether an earlier request has written the object, whose answer was lost.
    private func wasWritten(_ answer: ObjectRequests.Answer) throws(Failure) -> Bool {
        guard answer.wasRepeated else { return false }
        let answer = try requests.perform("GET", address, of: name, headers: ["Range: bytes=0-0"], accepts: [404, 416])
        return answer.head[ObjectUpload.writerHeader] == mark
    }

    // MARK: In parts

    private func begin() throws(Failure) -> String {
        let answer = try requests.perform(
            "POST", adding([("uploads", "")]), of: name, headers: marked, content: [])
        let text = String(decoding: answer.bytes, as: UTF8.self)
        guard let identifier = XMLElements.text("UploadId", of: text[...]), !identifier.isEmpty else {
            throw Failure(.unavailable, "\(name) cannot be written in parts: the service gave no UploadId")
        }
        // What a request has begun whose answer was lost, nobody would end.
        if answer.wasRepeated {
            try bucket.abortUploads(key, requests) { $0.isIdentical(to: key) && !$1.isIdentical(to: identifier) }
        }
        return identifier
    }

    /// Sends all parts, and returns their ETags.
    private func send(
        _ identifier: String, _ size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [String] {
        let most = UInt64(ObjectUpload.mostParts)
        let length = max(UInt64(partSize), (size + most - 1) / most)
        var etags: [String] = []
        var offset: UInt64 = 0
        while offset < size {
            let bytes = try read(offset, Int(min(length, size - offset)))
            let query = [("partNumber", String(etags.count + 1)), ("uploadId", identifier)]
            let answer = try requests.perform(
                "PUT", adding(query), of: name, headers: ["Content-Type: application/octet-stream"], content: bytes)
            guard let etag = answer.head["etag"] else {
                throw Failure(.unavailable, "\(name) cannot be written in parts: the service gave one no ETag")
            }
            etags.append(etag)
            offset += UInt64(bytes.count)
        }
        return etags
    }

    /// Makes an object of the parts; false: the condition does not hold.
    private func end(
        _ identifier: String, _ etags: [String], _ condition: ObjectCondition
    ) throws(Failure) -> Bool {
        let parts = etags.enumerated().map { index, etag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(etag)</ETag></Part>"
        }
        let text = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
        let answer = try requests.perform(
            "POST", adding([("uploadId", identifier)]), of: name,
            headers: ["Content-Type: application/xml"] + condition.headers, content: Array(text.utf8),
            accepts: accepted.union([404]))
        switch answer.head.status {
        case 404:
            // The upload is gone: by an earlier request, whose answer was lost, or by who tidies up.
            if try wasWritten(answer) { return true }
            throw Failure(.unavailable, "\(name) cannot be written: its upload was ended by another")
        case 412: return try wasWritten(answer)
        case 501: return try end(identifier, etags, .none)
        default:
            // A service may begin to answer before it knows whether it goes well.
            let said = String(decoding: answer.bytes, as: UTF8.self)
            guard let fault = XMLElements.elements("Error", of: said[...]).first else { return true }
            let code = XMLElements.text("Code", of: fault) ?? "an error"
            throw Failure(.unavailable, "\(name) cannot be written: the service answered with \(code)")
        }
    }

    /// Has the service forget the parts.
    private func abort(_ identifier: String) {
        guard let client = try? bucket.client(isBrief: true), let target = try? adding([("uploadId", identifier)])
        else { return }
        _ = try? ObjectRequests(client).perform("DELETE", target, of: name, accepts: [404])
    }

    private func adding(_ query: [(name: String, value: String)]) throws(Failure) -> WebAddress {
        do throws(AddressError) {
            return try address.adding(query)
        } catch {
            throw Failure(.defect, "the address of \(name) \(error.message)")
        }
    }
}
