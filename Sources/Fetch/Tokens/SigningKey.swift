import CSluiceCrypto
import Glibc
import SluiceExtract
import SluiceRecords

/// A private key that signs tokens (JWT, RFC 7519), in the form of PEM.
@safe
final class SigningKey: Sendable {
    /// How it signs (RFC 7518, section 3.1, and RFC 8037).
    private enum Algorithm: String {
        case rsa = "RS256"
        case p256 = "ES256"
        case p384 = "ES384"
        case ed25519 = "EdDSA"
    }

    /// Nothing changes it after it was read, and `Authorizer` has one thread at a time ask for a token.
    private nonisolated(unsafe) let key: OpaquePointer
    private let algorithm: Algorithm
    /// Which of several keys it is, for who verifies.
    private let id: String?

    /// Seconds for which a token is good: clocks differ.
    private static let lifetime = 300
    private static let longestSignature = 2048

    /// - Throws: `refused` where the text is no such key.
    init(_ text: String, id: String? = nil) throws(Failure) {
        self.id = id
        guard let key = unsafe SigningKey.read(Array(text.utf8)) else {
            throw Failure(.refused, "\"privateKey\" is no private key in the form of PEM without a passphrase")
        }
        unsafe self.key = key
        let bits = unsafe EVP_PKEY_get_bits(key)
        if unsafe EVP_PKEY_is_a(key, "RSA") == 1 {
            algorithm = .rsa
        } else if unsafe EVP_PKEY_is_a(key, "ED25519") == 1 {
            algorithm = .ed25519
        } else if unsafe EVP_PKEY_is_a(key, "EC") == 1, bits == 256 || bits == 384 {
            algorithm = bits == 256 ? .p256 : .p384
        } else {
            unsafe EVP_PKEY_free(key)
            throw Failure(.refused, "\"privateKey\" is of another kind than RSA, P-256, P-384 and Ed25519")
        }
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Nil where the text is none that can be read without asking for a passphrase.
    private static func read(_ text: [UInt8]) -> OpaquePointer? {
        unsafe text.withUnsafeBytes { text in
            // It keeps the pointer, and copies nothing: all that is read of it is read here.
            guard let memory = unsafe BIO_new_mem_buf(text.baseAddress, Int32(text.count)) else { return nil }
            defer { unsafe BIO_free_all(memory) }
            // Without a function that asks for it, the text behind it is the passphrase: none.
            var none: CChar = 0
            return unsafe PEM_read_bio_PrivateKey(memory, nil, nil, &none)
        }
    }

    /// A signed token with these claims, from now on, for some minutes.
    func token(_ claims: [(name: String, value: String)]) throws(Failure) -> String {
        let now = time(nil)
        var header = [("alg", JSONText.quoted(algorithm.rawValue)), ("typ", JSONText.quoted("JWT"))]
        if let id { header.append(("kid", JSONText.quoted(id))) }
        let moments = [
            ("iat", String(now)), ("exp", String(now + SigningKey.lifetime)),
            ("jti", JSONText.quoted(SigningKey.serial)),
        ]
        let texts = [header, claims.map { ($0.name, JSONText.quoted($0.value)) } + moments].map(JSONText.object)
        let signed = texts.map { base64URL(Array($0.utf8)) }.joined(separator: ".")
        return "\(signed).\(base64URL(try sign(Array(signed.utf8))))"
    }

    /// What no other token is called.
    private static var serial: String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(random.next() as UInt64, radix: 16) }.joined()
    }

    private func sign(_ message: [UInt8]) throws(Failure) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { throw failure }
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: SigningKey.longestSignature)
        var count = signature.count
        let digest =
            switch algorithm {
            case .rsa, .p256: unsafe EVP_sha256()
            case .p384: unsafe EVP_sha384()
            case .ed25519: unsafe OpaquePointer?.none
            }
        guard unsafe EVP_DigestSignInit(context, nil, digest, nil, key) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw failure }
        let bytes = Array(signature.prefix(count))
        switch algorithm {
        case .rsa, .ed25519: return bytes
        case .p256: return try numbers(of: bytes, size: 32)
        case .p384: return try numbers(of: bytes, size: 48)
        }
    }

    /// The two numbers of a signature by an elliptic curve, one behind the other (RFC 7518, section 3.4): libcrypto
    /// gives them as a sequence of DER.
    private func numbers(of bytes: [UInt8], size: Int) throws(Failure) -> [UInt8] {
        var rest = bytes[...]
        // The sequence is shorter than 128 bytes.
        guard rest.popFirst() == 0x30, rest.popFirst() == UInt8(bytes.count - 2) else { throw failure }
        var result: [UInt8] = []
        for _ in 0..<2 {
            guard rest.popFirst() == 0x02, let count = rest.popFirst(), rest.count >= count else { throw failure }
            let number = rest.prefix(Int(count)).drop { $0 == 0 }
            guard number.count <= size else { throw failure }
            result += [UInt8](repeating: 0, count: size - number.count) + number
            rest = rest.dropFirst(Int(count))
        }
        return result
    }

    private var failure: Failure { Failure(.defect, "libcrypto cannot sign with \"privateKey\"") }
}
