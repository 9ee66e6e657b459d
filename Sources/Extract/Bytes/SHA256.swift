import CCrypto
import Records

/// The SHA-256 digest of bytes that arrive in pieces.
@safe
public final class SHA256 {
    private let context: OpaquePointer

    public init() throws(Failure) {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            throw Failure(.io, "libcrypto has no memory for a digest")
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    public func update(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw Failure(.defect, "libcrypto could not digest the feed")
        }
    }

    /// The digest in lowercase hexadecimal; nothing may be added afterwards.
    public func finish() throws(Failure) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else {
            throw Failure(.defect, "libcrypto could not digest the feed")
        }
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: hexadecimal, as: UTF8.self)
    }
}

extension SHA256 {
    /// The digest of a text's bytes.
    public static func digest(of text: String) throws(Failure) -> String {
        let digest = try SHA256()
        let outcome = unsafe Array(text.utf8).withUnsafeBytes { bytes in
            Result { () throws(Failure) in try unsafe digest.update(bytes) }
        }
        try outcome.get()
        return try digest.finish()
    }

    /// The digest of a source: of its only file; of several, the digest of the lines that their digests make. So it
    /// tells where one file ends and the next begins.
    public static func digest(ofFiles digests: [String]) throws(Failure) -> String {
        if digests.count == 1 { return digests[0] }
        return try digest(of: digests.map { $0 + "\n" }.joined())
    }

    /// The digest of the uncompressed bytes of a file; nil: it was told to stop.
    public static func digest(ofFeed path: String, unless isStopped: () -> Bool) throws(Failure) -> String? {
        let bytes = try openFeed(path)
        let digest = try SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while !isStopped() {
            let outcome = unsafe buffer.withUnsafeMutableBytes { buffer in
                Result { () throws(Failure) -> Int in
                    let count = try unsafe bytes.read(into: buffer)
                    try unsafe digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    return count
                }
            }
            if try outcome.get() == 0 { return try digest.finish() }
        }
        return nil
    }
}
