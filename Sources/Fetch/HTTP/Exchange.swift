import CCurl
import Records

/// One request and its answer.
@safe
final class Exchange {
    /// What becomes of the body of an answer.
    enum Use {
        /// It goes to the receiver.
        case hand
        /// Its beginning is kept, up to some bytes: it says what is wrong.
        case keep(Int)
    }

    /// Why an answer was not taken to its end.
    enum Stop {
        case cancelled
        case silent
        case tooSlow
        case tooManyHeaders
        /// What is kept is whole.
        case enough
        /// By who decides about the body, or takes it.
        case failure(Failure)
    }

    /// Decides, when the head has come, what becomes of the body.
    var decide: (ResponseHead) throws(Failure) -> Use = { _ in .keep(1 << 20) }
    /// Takes bytes of the body; false: nobody wants more.
    var receive: (UnsafeRawBufferPointer) throws(Failure) -> Bool = { _ in true }

    private(set) var head = ResponseHead()
    /// The beginning of a body that is not handed on.
    private(set) var kept: [UInt8] = []
    private(set) var stop: Stop?

    private let curl: CurlHandle
    private let stream: PageStream
    private let settings: FetchSettings
    private let timeout: Double
    private var headerBytes = 0
    private var use: Use?
    private var heard = now
    private var start = now
    /// Seconds in which the receiver was busy: for them the service is not to blame.
    private var busy = 0.0

    init(_ curl: CurlHandle, _ stream: PageStream, _ settings: FetchSettings, timeout: Double) {
        self.curl = curl
        self.stream = stream
        self.settings = settings
        self.timeout = timeout
    }

    /// Asks for an address.
    ///
    /// - Parameters:
    ///   - form: is posted, if there is one.
    ///   - isPlain: the content is wanted as it is, without any compression for the transfer.
    func perform(_ address: WebAddress, headers: [String], form: String? = nil, isPlain: Bool = false) -> CURLcode {
        curl.set(CURLOPT_URL, address.text)
        curl.set(headers: headers + (isPlain ? ["Accept-Encoding: identity"] : []))
        curl.set(CURLOPT_ACCEPT_ENCODING, isPlain ? nil : "")
        curl.set(CURLOPT_CONNECTTIMEOUT_MS, Int(timeout * 1000))
        if let form {
            curl.set(CURLOPT_POST, 1)
            curl.set(CURLOPT_POSTFIELDSIZE, form.utf8.count)
            curl.set(CURLOPT_COPYPOSTFIELDS, form)
        } else {
            curl.set(CURLOPT_HTTPGET, 1)
        }
        connectReceivers()
        start = now
        heard = start
        return unsafe curl.perform(Unmanaged.passUnretained(self).toOpaque()) { goesOn() }
    }

    /// Whether the answer came whole.
    func isComplete(_ code: CURLcode) -> Bool {
        if case .enough? = stop { return true }
        return code == CURLE_OK && stop == nil
    }

    private func connectReceivers() {
        let handle = unsafe curl.handle
        _ = unsafe sluice_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            unsafe Exchange.of(context).takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        _ = unsafe sluice_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            unsafe Exchange.of(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Exchange {
        guard let context = unsafe context else { preconditionFailure("libcurl lost the context of its callbacks") }
        return unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: What libcurl calls; another number than that of the bytes ends the transfer.

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        heard = now
        headerBytes += line.count
        guard headerBytes <= settings.mostHeaderBytes else { return end(.tooManyHeaders) }
        head.add(line: unsafe String(decoding: line, as: UTF8.self))
        if head.isWhole, use == nil, stop == nil { decideUse() }
        return stop == nil ? line.count : -1
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if stop != nil { return -1 }
        switch use {
        case .hand?:
            let begin = now
            do throws(Failure) {
                guard try unsafe receive(bytes) else { return end(.cancelled) }
            } catch {
                return end(.failure(error))
            }
            heard = now
            busy += heard - begin
        case .keep(let most)?:
            heard = now
            unsafe kept += bytes.prefix(most - kept.count)
            if kept.count >= most { return end(.enough) }
        case nil: return -1
        }
        return bytes.count
    }

    private func decideUse() {
        do throws(Failure) {
            use = try decide(head)
        } catch {
            stop = .failure(error)
        }
    }

    private func end(_ reason: Stop) -> Int {
        stop = reason
        return -1
    }

    /// Whether the answer is still waited for.
    private func goesOn() -> Bool {
        let moment = now
        if moment - heard > timeout { stop = .silent }
        if moment - start - busy > settings.longestDownload { stop = .tooSlow }
        if !stream.isWanted { stop = .cancelled }
        return stop == nil
    }
}
