import SluiceRecords

/// Decompresses bytes that arrive in pieces, from a file or from the network.
///
/// All bytes have to be what they are said to be: each member is whole, its checksum is right, and after the last one
/// nothing follows. Zeros are no exception: padding cannot be told from a member that was overwritten.
package final class Decompressor {
    private let name: String
    private let compression: Compression
    private let codec: any Codec
    private let isOfMembers: Bool
    private var isBetween = true
    private var hasEnded = false
    private var total = 0

    package init(_ compression: Compression, named name: String) throws(Failure) {
        guard let codec = compression.codec() else { throw Failure(.io, "there is not enough memory for \(name)") }
        self.name = name
        self.compression = compression
        self.codec = codec
        isOfMembers = type(of: codec).isOfMembers
    }

    /// Decompresses from the front of `input` to the front of `output`, which is not empty, and says how much of each
    /// it has used. What is taken nothing of, and made nothing, wants more input.
    package func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (taken: Int, made: Int) {
        var (taken, made) = (0, 0)
        while made < output.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: input[taken...])
            if isBetween, try unsafe !startMember(rest) { break }
            let step = unsafe codec.decode(rest, into: UnsafeMutableRawBufferPointer(rebasing: output[made...]))
            taken += step.taken
            made += step.made
            total += step.taken
            switch step.state {
            case .damaged(let reason): throw damage(reason)
            case .atEnd: (isBetween, hasEnded) = (true, true)
            case .inside where step.taken == 0 && step.made == 0:
                if unsafe rest.isEmpty { return (taken, made) }
                throw damage("it does not go on after byte \(total)")
            case .inside: break
            }
        }
        return (taken, made)
    }

    /// Says that all input was taken: throws where it may not end there.
    package func finish() throws(Failure) {
        if !isBetween || !hasEnded { throw damage("its end is missing") }
    }

    /// Starts a member; false where there is no byte of one yet.
    private func startMember(_ rest: UnsafeRawBufferPointer) throws(Failure) -> Bool {
        guard let first = unsafe rest.first else { return false }
        if hasEnded, first == 0 {
            throw damage(
                "zeros follow after byte \(total), where its compressed data end; they may have been overwritten")
        }
        if hasEnded, !isOfMembers {
            throw damage("something follows after byte \(total), where its compressed data end")
        }
        guard codec.restart() else { throw Failure(.io, "there is not enough memory for \(name)") }
        isBetween = false
        return true
    }

    private func damage(_ reason: String) -> Failure {
        Failure(.data, "\(name) is damaged or cut short, \(compression) cannot decompress it: \(reason)")
    }
}
