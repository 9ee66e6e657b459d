import CCrypto
import Records

/// The SHA-256 digest of bytes that arrive in pieces.
@safe
final class SHA256 {
    private let context: OpaquePointer

    init() throws(Failure) {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            throw Failure(.defect, "libcrypto offers no SHA-256")
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw Failure(.defect, "libcrypto could not digest the feed")
        }
    }

    /// The digest in lowercase hexadecimal; nothing may be added afterwards.
    func finish() throws(Failure) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else {
            throw Failure(.defect, "libcrypto could not digest the feed")
        }
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: hexadecimal, as: UTF8.self)
    }
}
