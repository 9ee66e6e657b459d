import CSluiceCurl
import SluiceExtract
import SluiceRecords

/// One request and its answer, whose body is read as it comes.
@safe
final class Exchange: ByteSource {
    /// Why an answer was not taken to its end.
    enum Stop {
        case cancelled, silent, tooSlow, tooManyHeaders, severalLengths
    }

    private(set) var head = ResponseHead()
    private(set) var stop: Stop?
    /// How it ended, as libcurl says it; nil: it goes on.
    private(set) var code: CURLcode?

    private let curl: CurlHandle
    private let stream: PageStream
    private let session: FetchSession
    private let timeout: Double
    private var headerBytes = 0
    private var inbox: Inbox
    /// Whether libcurl waits until there is room for the body.
    private var isPaused = false
    private var isOpen = false
    private var heard = now
    private var start = now
    /// Bytes of the content that were sent.
    private var sent = 0
    /// Seconds in which who reads was busy: for them the service is not to blame.
    private var busy = 0.0
    /// Since when who reads is busy.
    private var left = now

    init(_ curl: CurlHandle, _ stream: PageStream, _ session: FetchSession, timeout: Double) {
        self.curl = curl
        self.stream = stream
        self.session = session
        self.timeout = timeout
        inbox = Inbox()
    }

    deinit { close() }

    /// Asks for an address, and waits for the head of the answer, or the end.
    ///
    /// - Parameter content: is sent along, if there is any.
    func open(_ address: WebAddress, headers: [String], content: [UInt8]? = nil) {
        curl.set(CURLOPT_URL, address.text)
        curl.set(headers: headers)
        curl.set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32(bounded: timeout * 1000)))
        if let content { curl.set(content: content) } else { curl.set(CURLOPT_HTTPGET, 1) }
        connectReceivers()
        start = now
        heard = start
        isOpen = true
        code = unsafe curl.begin(Unmanaged.passUnretained(self).toOpaque())
        while !head.isWhole, goesOn { proceed() }
        left = now
    }

    /// The next bytes of the body, as they are sent; 0 at its end, or where it was stopped: see ``isComplete``.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        busy += now - left
        heard = now
        defer { left = now }
        while inbox.isEmpty {
            guard goesOn else { return 0 }
            proceed()
        }
        return unsafe inbox.read(into: buffer)
    }

    /// The beginning of the body, without what was done to it for the transfer.
    func beginning(_ most: Int) -> [UInt8] {
        guard let codings = try? head.contentCodings() else { return [] }
        let content = ContentDecoder(self, codings, limit: UInt64(most), named: "")
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 2 << 10)
        while bytes.count < most {
            // What is damaged is of no interest but for what can be read of it.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe (try? content.read(into: $0)) ?? 0 }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Reads what nobody wants to see; false: its end is not near.
    func passOver() -> Bool {
        _ = beginning(64 << 10)
        return isComplete
    }

    /// Ends the exchange, wherever it is. The connection is kept if the body was read to its end.
    func close() {
        guard isOpen else { return }
        isOpen = false
        curl.end()
    }

    /// Whether the answer came whole.
    var isComplete: Bool { code == CURLE_OK && stop == nil }

    /// What libcurl says of the end.
    var explanation: String { curl.explanation(of: code ?? CURLE_OK) }

    private func connectReceivers() {
        let handle = unsafe curl.handle
        _ = unsafe sluice_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            unsafe Exchange.from(context).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        _ = unsafe sluice_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            unsafe Exchange.from(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Exchange {
        guard let context = unsafe context else { preconditionFailure("libcurl lost the context of its callbacks") }
        return unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    }

    /// Goes on until something has come, but not for long.
    private func proceed() {
        if isPaused {
            isPaused = false
            curl.resume()
        } else {
            code = curl.step { inbox.isEmpty }
            observeSent()
        }
    }

    /// A service that takes what is sent is not silent.
    private func observeSent() {
        let count = curl.sent
        guard count != sent else { return }
        sent = count
        heard = now
    }

    /// Whether the answer is still waited for.
    private var goesOn: Bool {
        guard code == nil, stop == nil, isOpen else { return false }
        let moment = now
        if moment - heard > timeout { stop = .silent }
        if moment - start - busy > session.settings.longestDownload { stop = .tooSlow }
        if !stream.isWanted { stop = .cancelled }
        return stop == nil
    }

    // MARK: What libcurl calls; another number than that of the bytes ends the transfer.

    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        heard = now
        headerBytes += line.count
        if headerBytes > session.settings.mostHeaderBytes {
            stop = .tooManyHeaders
        } else {
            head.add(line: unsafe String(decoding: line, as: UTF8.self))
            if head.hasSeveralLengths { stop = .severalLengths }
        }
        return stop == nil ? line.count : -1
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        heard = now
        guard stop == nil else { return -1 }
        guard unsafe inbox.put(bytes) else {
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        session.meter.count(bytes: bytes.count)
        return bytes.count
    }
}
