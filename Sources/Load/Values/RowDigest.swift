import SluiceRecords

/// A digest of a record or an object, by which the two are compared without reading either again.
package struct RowDigest: BitwiseCopyable {
    /// Relationships that it has room for.
    static let mostRelationships = 15
    @inlinable static var numberBits: UInt64 { 48 }

    /// The hash of the identifier.
    @usableFromInline let identifier: UInt64
    /// The hash of all that is compared.
    @usableFromInline let content: UInt64
    /// The number, which of the references are to an object, and in the uppermost bit whether the content counts for
    /// nothing.
    @usableFromInline let rest: UInt64

    /// - Parameters:
    ///   - content: nil where it cannot be said what the object would hold.
    ///   - known: by relationship: whether the reference is to an object, as bits.
    @inlinable package init(identifier: UInt64, content: UInt64?, known: UInt64 = 0, number: Int64) {
        self.identifier = identifier
        self.content = content ?? 0
        rest = (content == nil ? 1 << 63 : 0) | known << RowDigest.numberBits | UInt64(bitPattern: number)
    }

    /// The objectID of an object; the place of a record among those that wait.
    @inline(__always)
    package var number: Int64 { Int64(bitPattern: rest & (1 << RowDigest.numberBits - 1)) }

    @inline(__always)
    package func isKnown(_ relationship: Int) -> Bool { rest >> (RowDigest.numberBits + UInt64(relationship)) & 1 == 1 }

    @inline(__always)
    func hasSameContent(as other: RowDigest) -> Bool { content == other.content && (rest | other.rest) >> 63 == 0 }
}

/// Makes digests of the rows of one entity: equal for what `RowComparison` and the comparison of references find equal,
/// and, by chance of one in 2^64, for anything else.
package struct RowHash {
    package let values = ValueHash()
    package let identifier: [Int]
    /// The attributes that are not of the identifier.
    package let others: [Int]
    private let keepsAbsent: [Bool]
    private let relationshipCount: Int

    init(_ entity: Entity) {
        identifier = entity.identifier
        others = entity.attributes.indices.filter { !entity.identifier.contains($0) }
        keepsAbsent = entity.absentKeeping
        relationshipCount = entity.relationships.count
    }

    /// The digest of a row whose references are resolved; its number is its place among those that wait.
    @inline(__always)
    func digest(
        _ cells: UnsafePointer<Cell>, _ arena: UnsafePointer<UInt8>, _ references: UnsafePointer<Reference>,
        number: Int64
    ) -> RowDigest {
        var name: UInt64 = 0
        for attribute in identifier {
            name = unsafe values.joined(name, values.cell(cells[attribute], arena, attribute))
        }
        var (content, known): (UInt64, UInt64) = (0, 0)
        var isComparable = true
        for attribute in others {
            let cell = unsafe cells[attribute]
            if cell.kind == .absent, keepsAbsent[attribute] { isComparable = false }
            content = unsafe values.joined(content, values.cell(cell, arena, attribute))
        }
        for relationship in 0..<relationshipCount {
            let reference = unsafe references[relationship]
            if !reference.isDetermined { isComparable = false }
            if reference.isKnown { known |= 1 << UInt64(relationship) }
            content = values.joined(content, values.reference(reference, relationship))
        }
        return RowDigest(identifier: name, content: isComparable ? content : nil, known: known, number: number)
    }
}
