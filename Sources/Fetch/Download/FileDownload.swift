import SluiceExtract
import SluiceRecords

/// A file of a web service that is downloaded as it lies there, byte by byte: what was begun once, perhaps by another
/// process, goes on where it broke off.
package final class FileDownload {
    /// How much of it is there already.
    package struct Beginning {
        package var bytes: UInt64
        /// As ``DownloadSink/begin(_:)`` was told.
        package var validator: String?

        package init(bytes: UInt64 = 0, validator: String? = nil) {
            self.bytes = bytes
            self.validator = validator
        }
    }

    private let client: Client
    private let page: PageRequest
    private var address: WebAddress { page.address }
    private var attempts: Attempts

    package convenience init(_ address: WebAddress, _ session: FetchSession) throws(Failure) {
        try self.init(WebRequest(url: address.text), session)
    }

    package convenience init(_ request: WebRequest, _ session: FetchSession) throws(Failure) {
        let access = try ServiceAccess(request, session)
        self.init(try Client(access), access.start)
    }

    /// - Parameter client: it may have made requests before.
    init(_ client: Client, _ address: WebAddress) {
        self.client = client
        page = PageRequest(address: address)
        attempts = Attempts(client, page.name)
    }

    /// A small file, as a whole.
    ///
    /// - Throws: `missing`, where there is none.
    package func bytes(most: Int) throws(Failure) -> [UInt8] {
        let memory = SmallFile()
        try perform(size: nil, most: UInt64(most), after: Beginning(), memory)
        return memory.bytes
    }

    /// Downloads a file of that size, or what it still lacks.
    package func perform(size: UInt64, after beginning: Beginning, _ sink: any DownloadSink) throws(Failure) {
        try perform(size: size, most: size, after: beginning, sink)
    }

    private func perform(
        size: UInt64?, most: UInt64, after beginning: Beginning, _ sink: any DownloadSink
    ) throws(Failure) {
        var course = Course(size: size, most: most, received: beginning.bytes, validator: beginning.validator)
        if course.received == 0 { try sink.begin(nil) }
        while true {
            guard let answer = try client.get(page, headers: course.headers, isPlain: true) else { throw cancelled }
            if answer.exchange.stop == nil, [200, 206, 416].contains(answer.exchange.head.status) {
                guard try start(answer, &course, sink) else { continue }
                try receive(answer, &course, sink)
            }
            if try isDone(answer, &course) { return }
        }
    }

    /// How far it is.
    private struct Course {
        let size: UInt64?
        let most: UInt64
        var received: UInt64
        var validator: String?
        /// What had come when the last request was made.
        var mark: UInt64 = 0

        var headers: [String] {
            guard received > 0 else { return [] }
            return ["Range: bytes=\(received)-"] + (validator.map { ["If-Range: \($0)"] } ?? [])
        }

        /// Whether an answer is the rest of what was begun.
        func fits(_ head: ResponseHead) -> Bool {
            guard head.status == 206, received > 0, let range = head.range else { return false }
            return range.start == received && (range.whole ?? most) == most
        }
    }

    /// Looks at the head of an answer; false: everything is asked for again.
    private func start(_ answer: Client.Answer, _ course: inout Course, _ sink: any DownloadSink) throws(Failure)
        -> Bool
    {
        let head = answer.exchange.head
        if head.status == 200 {
            course.received = 0
            course.validator = head.rangeGuard
            try sink.begin(head.rangeGuard)
        } else if !course.fits(head) {
            guard course.received > 0 else {
                throw Failure(.unavailable, "\(address.shown) answered with a part, though all was asked for")
            }
            // What is there now is another file, or the service has no parts of it.
            course.received = 0
            try sink.begin(nil)
            return false
        }
        course.mark = course.received
        if let length = head.contentLength, course.received + length > course.most { throw tooLong(course) }
        return true
    }

    private func receive(_ answer: Client.Answer, _ course: inout Course, _ sink: any DownloadSink) throws(Failure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = unsafe answer.exchange.read(into: buffer)
            if count == 0 { return }
            guard course.received + UInt64(count) <= course.most else { throw tooLong(course) }
            try unsafe sink.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            course.received += UInt64(count)
        }
    }

    /// Whether all is there; else waits before the next try.
    private func isDone(_ answer: Client.Answer, _ course: inout Course) throws(Failure) -> Bool {
        let hasProgress = course.received > course.mark
        switch attempts.verdict(answer) {
        case .complete:
            guard let size = course.size, course.received < size else { return true }
            // A service that says that this is all of it has another file there.
            throw Failure(
                .data, "\(address.shown) has \(course.received) bytes, and should have \(size)")
        case .again(let reason, let seconds): try attempts.fail(reason, after: seconds, hasProgress: hasProgress)
        case .cancelled: throw cancelled
        case .failed(let failure): throw failure
        }
        return false
    }

    private func tooLong(_ course: Course) -> Failure {
        Failure(.data, "\(address.shown) is longer than the \(course.most) bytes that are expected")
    }

    private var cancelled: Failure { Failure(.cancelled, "the download was ended") }
}

/// A file that fits into memory.
private final class SmallFile: DownloadSink {
    var bytes: [UInt8] = []

    func begin(_ validator: String?) { bytes = [] }

    func write(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes.append(contentsOf: bytes) }
}

extension WebAddress {
    /// The address of a file beside this one.
    package func sibling(_ name: String) throws(AddressError) -> WebAddress {
        try WebAddress("./" + percentEncoded(name), relativeTo: self)
    }

    /// Whether what goes over the wire can be read and changed on its way.
    package var isPlain: Bool { scheme == "http" }

    /// What the path ends with, decoded; as it stands there, where that is no text.
    package var fileName: String {
        let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return percentDecoded(last) ?? String(last)
    }
}
