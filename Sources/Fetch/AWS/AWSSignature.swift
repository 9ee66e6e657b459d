import CSluiceCurl

/// How a request is signed (Signature Version 4), as libcurl takes it.
struct AWSSignature {
    /// `aws:amz:REGION:SERVICE`
    var scope: String
    /// The two keys.
    var id: String
    var secret: String
    /// What goes along.
    var headers: [(name: String, value: String)]
    /// Whether each part of the path is encoded once more for the signature, as all services but S3 want it.
    var encodesPath: Bool

    /// The release from which on libcurl does that: 8.14.0. The ones before sign what they are given.
    private static let encoding: UInt32 = 0x080e00

    /// What libcurl is given to sign, and to ask for; nil: the address as it is.
    func encoded(_ address: WebAddress) -> (address: WebAddress, target: String)? {
        let release = unsafe curl_version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0
        guard encodesPath, release < AWSSignature.encoding else { return nil }
        return address.withPathEncodedAgain
    }
}
