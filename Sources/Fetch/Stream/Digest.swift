import CCrypto
import Records

/// The SHA-256 of bytes that arrive in pieces, which can be asked for on the way.
@safe
final class Digest {
    /// 32 bytes.
    typealias Value = SIMD4<UInt64>
    /// The first half of them: enough to tell apart what nobody has made to collide.
    typealias Mark = SIMD2<UInt64>

    private let context: OpaquePointer

    init() throws(Failure) {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            throw Failure(.io, "libcrypto has no memory for a digest")
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        _ = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// Of the bytes so far; more may follow.
    var value: Value {
        let copy = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(copy) }
        var bytes = [UInt8](repeating: 0, count: 32)
        _ = unsafe EVP_MD_CTX_copy_ex(copy, context)
        _ = unsafe EVP_DigestFinal_ex(copy, &bytes, nil)
        return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: Value.self) }
    }
}
