import CSluiceCrypto
import SluiceRecords

/// The SHA-256 digest of bytes that arrive in pieces, which can be asked for on the way.
@safe
package final class SHA256 {
    /// 32 bytes.
    package typealias Value = SIMD4<UInt64>
    /// The first half of them: enough to tell apart what nobody has made to collide.
    package typealias Mark = SIMD2<UInt64>

    private let context: OpaquePointer
    private var isSound = true

    package init() throws(Failure) {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            throw SHA256.memory
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        if unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) != 1 { isSound = false }
    }

    package func update(_ text: String) {
        unsafe Array(text.utf8).withUnsafeBytes { unsafe update($0) }
    }

    /// The digest of the bytes so far, to be compared; more may follow.
    package func value() throws(Failure) -> Value {
        unsafe try bytes().withUnsafeBytes { unsafe $0.loadUnaligned(as: Value.self) }
    }

    /// The digest of the bytes so far, in lowercase hexadecimal; more may follow.
    package func hexadecimal() throws(Failure) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = try bytes().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: hexadecimal, as: UTF8.self)
    }

    private func bytes() throws(Failure) -> [UInt8] {
        guard let copy = unsafe EVP_MD_CTX_new() else { throw SHA256.memory }
        defer { unsafe EVP_MD_CTX_free(copy) }
        var bytes = [UInt8](repeating: 0, count: 32)
        guard isSound, unsafe EVP_MD_CTX_copy_ex(copy, context) == 1, unsafe EVP_DigestFinal_ex(copy, &bytes, nil) == 1
        else { throw Failure(.defect, "libcrypto could not digest the feed") }
        return bytes
    }

    private static var memory: Failure { Failure(.io, "libcrypto has no memory for a digest") }
}

extension SHA256 {
    /// The digest of a text's bytes.
    package static func digest(of text: String) throws(Failure) -> String {
        let digest = try SHA256()
        digest.update(text)
        return try digest.hexadecimal()
    }

    /// The digest of some bytes, in lowercase hexadecimal.
    package static func hexadecimal(of bytes: [UInt8]) throws(Failure) -> String {
        let digest = try SHA256()
        unsafe bytes.withUnsafeBytes { unsafe digest.update($0) }
        return try digest.hexadecimal()
    }

    /// The digest of a source: of its only file; of several, the digest of the lines that their digests make. So it
    /// tells where one file ends and the next begins.
    package static func digest(ofFiles digests: [String]) throws(Failure) -> String {
        if digests.count == 1 { return digests[0] }
        return try digest(of: digests.map { $0 + "\n" }.joined())
    }

    /// What a feed begins with, of which a digest of its own is kept: two feeds of one size that differ, differ there
    /// most of the time.
    package static let beginningBytes = 1 << 20

    /// The digest of the uncompressed bytes of a file; nil: it was told to stop, or the file begins otherwise.
    ///
    /// - Parameter beginning: the digest of the first `beginningBytes` that the file must have; nil: any.
    package static func digest(
        ofFeed path: String, beginning: String?, unless isStopped: () -> Bool
    ) throws(Failure) -> String? {
        let bytes = try openFeed(path)
        let digest = try SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var left = beginning == nil ? 0 : beginningBytes
        while !isStopped() {
            let room = left > 0 ? min(left, buffer.count) : buffer.count
            let outcome = unsafe buffer.withUnsafeMutableBytes { buffer in
                Result { () throws(Failure) -> Int in
                    let count = try unsafe bytes.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
                    unsafe digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    return count
                }
            }
            let count = try outcome.get()
            if count == 0 { return try digest.hexadecimal() }
            if left > 0 {
                left -= count
                if left == 0, try digest.hexadecimal() != beginning { return nil }
            }
        }
        return nil
    }
}
