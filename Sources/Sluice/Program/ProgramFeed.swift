/// A feed that the program gives.
enum ProgramFeed: Sendable {
    /// Puts the bytes, a piece at a time.
    case bytes(@Sendable (Handoff<[UInt8]>) async throws -> Void)
    /// Puts the records, some at a time.
    case records(@Sendable (Handoff<[FeedRecord]>) async throws -> Void)

    /// What findings and reports call it in the place of a file.
    static let name = "program"

    /// Whether it is made of records.
    var hasRecords: Bool {
        if case .records = self { true } else { false }
    }

    /// How many elements are handed over together, where they come one by one.
    private static let piece = (bytes: 1 << 16, records: 64)

    /// Pieces of bytes, of any size.
    static func chunks<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) -> ProgramFeed
    where Chunks.Element: Sequence<UInt8> {
        .bytes { handoff in
            for try await chunk in chunks where !(await handoff.put(Array(chunk))) { return }
        }
    }

    /// Single bytes.
    static func bytes<Bytes: AsyncSequence & Sendable>(_ bytes: Bytes) -> ProgramFeed where Bytes.Element == UInt8 {
        .bytes { try await gather(bytes, by: piece.bytes, $0) }
    }

    /// Records.
    static func records<Records: AsyncSequence & Sendable>(_ records: Records) -> ProgramFeed
    where Records.Element == FeedRecord {
        .records { try await gather(records, by: piece.records, $0) }
    }

    private static func gather<Elements: AsyncSequence>(
        _ elements: Elements, by count: Int, _ handoff: Handoff<[Elements.Element]>
    ) async throws {
        var gathered: [Elements.Element] = []
        for try await element in elements {
            gathered.append(element)
            guard gathered.count == count else { continue }
            guard await handoff.put(gathered) else { return }
            gathered.removeAll(keepingCapacity: true)
        }
        if !gathered.isEmpty { _ = await handoff.put(gathered) }
    }
}
