import CSluiceCrypto
import SluiceRecords

/// A key of Ed25519, in a PEM file as `openssl genpkey -algorithm ed25519` makes it.
@safe
final class SignatureKey {
    static let bytes = 64
    /// A file of signatures is no longer: while a manifest is replaced, that of the one before stands behind its own.
    static let mostBytes = 8 * bytes
    private let key: OpaquePointer
    private let path: String

    /// - Parameter isPrivate: whether it is to sign, and not to verify.
    init(_ path: String, isPrivate: Bool) throws(Failure) {
        self.path = path
        let text = try ReadFile(path).bytes(most: 64 << 10)
        let what = isPrivate ? "private" : "public"
        guard let key = unsafe SignatureKey.read(text, isPrivate) else {
            throw Failure(.refused, "\(path) holds no \(what) key in the form of PEM without a passphrase")
        }
        unsafe self.key = key
        guard unsafe EVP_PKEY_is_a(key, "ED25519") == 1 else {
            throw Failure(.refused, "\(path) holds another key than one of Ed25519")
        }
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Nil where the text is none that can be read without asking for a passphrase.
    private static func read(_ text: [UInt8], _ isPrivate: Bool) -> OpaquePointer? {
        unsafe text.withUnsafeBytes { text in
            // It keeps the pointer, and copies nothing: all that is read of it is read here.
            guard let memory = unsafe BIO_new_mem_buf(text.baseAddress, Int32(text.count)) else { return nil }
            defer { unsafe BIO_free_all(memory) }
            // Without a function that asks for it, the text behind it is the passphrase: none.
            var none: CChar = 0
            return isPrivate
                ? unsafe PEM_read_bio_PrivateKey(memory, nil, nil, &none)
                : unsafe PEM_read_bio_PUBKEY(memory, nil, nil, nil)
        }
    }

    func sign(_ message: [UInt8]) throws(Failure) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { throw failure }
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: SignatureKey.bytes)
        var count = signature.count
        guard unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
            count == SignatureKey.bytes
        else { throw failure }
        return signature
    }

    /// Those of some signatures, one behind the other, that are of a message.
    func verified(_ signatures: [UInt8], of message: [UInt8]) throws(Failure) -> [UInt8] {
        guard signatures.count % SignatureKey.bytes == 0 else { return [] }
        var found: [UInt8] = []
        for start in stride(from: 0, to: signatures.count, by: SignatureKey.bytes) {
            let signature = Array(signatures[start..<start + SignatureKey.bytes])
            if try verifies(signature, of: message) { found += signature }
        }
        return found
    }

    private func verifies(_ signature: [UInt8], of message: [UInt8]) throws(Failure) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { throw failure }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { throw failure }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    private var failure: Failure { Failure(.defect, "libcrypto cannot use the key \(path)") }
}
