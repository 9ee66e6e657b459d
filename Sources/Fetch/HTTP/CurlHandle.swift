import CSluiceCurl
import Glibc
import SluicePosix
import SluiceRecords

/// A handle of libcurl that is set up to be safe, and keeps its connections from one request to the next. One thread
/// at a time uses it, but for ``wake()``, which libcurl allows on any.
@safe
final class CurlHandle: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer
    /// Makes the requests, and keeps the connections.
    private let multi: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let message: UnsafeMutablePointer<CChar>

    /// libcurl is to be started once, before the first handle.
    private static let isStarted: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Throws `defect` where libcurl lacks what safety needs.
    ///
    /// - Parameter protocols: that it speaks, and no others.
    init(_ settings: FetchSettings, protocols: String = "http,https") throws(Failure) {
        guard CurlHandle.isStarted, let handle = unsafe curl_easy_init(), let multi = unsafe curl_multi_init() else {
            throw Failure(.defect, "libcurl cannot be started")
        }
        unsafe self.handle = handle
        unsafe self.multi = multi
        unsafe headers = nil
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try secure(protocols)
        trust(settings.authorities ?? environmentVariable("SSL_CERT_FILE"))
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_BUFFERSIZE, 128 << 10)
        // One request, one connection: lengths and ends mean what they say.
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_USERAGENT, settings.agent)
        unsafe _ = sluice_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_multi_cleanup(multi)
        unsafe curl_slist_free_all(headers)
        unsafe message.deallocate()
    }

    /// What keeps a service, and who pretends to be one, in bounds.
    private func secure(_ protocols: String) throws(Failure) {
        var isSafe = set(CURLOPT_PROTOCOLS_STR, protocols)
        isSafe = set(CURLOPT_SSL_VERIFYPEER, 1) && isSafe
        isSafe = set(CURLOPT_SSL_VERIFYHOST, 2) && isSafe
        isSafe = set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)) && isSafe
        // Redirects are followed by hand: libcurl would send a header with a key along to any host.
        isSafe = set(CURLOPT_FOLLOWLOCATION, 0) && isSafe
        isSafe = set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)) && isSafe
        // An address is asked for as it is written, see `WebAddress`.
        isSafe = set(CURLOPT_PATH_AS_IS, 1) && isSafe
        guard isSafe else { throw Failure(.defect, "this libcurl cannot be kept to safe connections") }
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    /// Trusts the authorities of a file. By itself libcurl knows only those of the system.
    private func trust(_ file: String?) {
        guard let file, !file.isEmpty else { return }
        set(CURLOPT_CAINFO, file)
        set(CURLOPT_CAPATH, nil)
    }

    @discardableResult
    func set(_ option: CURLoption, _ value: Int) -> Bool {
        unsafe sluice_curl_set_long(handle, option, value) == CURLE_OK
    }

    /// nil: the option's default. The text is copied.
    @discardableResult
    func set(_ option: CURLoption, _ value: String?) -> Bool {
        guard let value else { return unsafe sluice_curl_set_text(handle, option, nil) == CURLE_OK }
        return unsafe sluice_curl_set_text(handle, option, value) == CURLE_OK
    }

    /// The headers of the next request, instead of those of the last one.
    func set(headers lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>? = nil
        for line in lines { unsafe list = curl_slist_append(list, line) ?? list }
        _ = unsafe sluice_curl_set_headers(handle, list)
        unsafe curl_slist_free_all(headers)
        unsafe headers = list
    }

    /// Has the next request send some bytes, which are copied.
    func set(content: [UInt8]) {
        set(CURLOPT_POST, 1)
        set(CURLOPT_POSTFIELDSIZE, content.count)
        unsafe content.withUnsafeBytes { bytes in
            // What it copies it does not change.
            let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            _ = unsafe sluice_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start)
        }
    }

    /// Bytes of the content that the request has sent.
    var sent: Int {
        var count: curl_off_t = 0
        _ = unsafe sluice_curl_get_offset(handle, CURLINFO_SIZE_UPLOAD_T, &count)
        return Int(count)
    }

    /// What the next request asks with; nil: as it is usual.
    func set(method: String?) { set(CURLOPT_CUSTOMREQUEST, method) }

    /// Has the next request signed; nil: it is not.
    func set(signature: AWSSignature?) {
        set(CURLOPT_AWS_SIGV4, signature?.scope)
        // A key may hold a colon: those of OpenStack Swift are `account:user`.
        set(CURLOPT_USERNAME, signature?.id)
        set(CURLOPT_PASSWORD, signature?.secret)
        // Without it, libcurl would sign on.
        if signature == nil { set(CURLOPT_HTTPAUTH, Int(1 << 0)) }
    }

    /// Leads requests past all proxies.
    func avoidProxies() { set(CURLOPT_NOPROXY, "*") }

    /// Begins the request. The receivers get `context`, until ``end()``. Returns what has ended it already, if
    /// anything.
    func begin(_ context: UnsafeMutableRawPointer) -> CURLcode? {
        unsafe message.pointee = 0
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA] {
            _ = unsafe sluice_curl_set_pointer(handle, option, context)
        }
        return unsafe curl_multi_add_handle(multi, handle) == CURLM_OK ? nil : CURLE_FAILED_INIT
    }

    /// Goes on with the request, as far as that is possible without waiting; then, if nothing has come, waits for the
    /// network, or ``wake()``, for less than a second. Returns how the request ended, if it has.
    ///
    /// - Parameter waits: whether nothing has come.
    func step(waits: () -> Bool) -> CURLcode? {
        var running: Int32 = 0
        guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
        guard running == 0 else {
            if waits() { _ = unsafe curl_multi_poll(multi, nil, 0, 200, nil) }
            return nil
        }
        var rest: Int32 = 0
        while let done = unsafe curl_multi_info_read(multi, &rest) {
            if unsafe done.pointee.msg == CURLMSG_DONE { return unsafe done.pointee.data.result }
        }
        return CURLE_FAILED_INIT
    }

    /// Lets the receiver of the body have what it had no room for.
    func resume() { unsafe curl_easy_pause(handle, CURLPAUSE_CONT) }

    /// Ends the request, whether it is done or not.
    func end() { unsafe curl_multi_remove_handle(multi, handle) }

    /// Lets a request look at once whether it is to go on; from any thread.
    func wake() { unsafe curl_multi_wakeup(multi) }

    /// The length of what the request gets, and when it was changed, in seconds since 1970; negative: not known.
    var contentFacts: (size: Int, changed: Int) {
        var (size, changed): (curl_off_t, curl_off_t) = (-1, -1)
        _ = unsafe sluice_curl_get_offset(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &size)
        _ = unsafe sluice_curl_get_offset(handle, CURLINFO_FILETIME_T, &changed)
        return (Int(size), Int(changed))
    }

    /// What libcurl says about a code, in its own words.
    func explanation(of code: CURLcode) -> String {
        let detail = unsafe String(cString: message)
        return detail.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : detail
    }

    /// Where a redirect leads to, whole.
    var redirection: String? {
        var text: UnsafeMutablePointer<CChar>?
        _ = unsafe sluice_curl_get_text(handle, CURLINFO_REDIRECT_URL, &text)
        return unsafe text.map { unsafe String(cString: $0) }
    }
}
