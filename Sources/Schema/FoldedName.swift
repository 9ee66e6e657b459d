/// A name as SQLite compares it: byte by byte, with the case of ASCII letters folded. Swift would take more names for
/// equal: those that Unicode calls equivalent.
package struct FoldedName: Hashable {
    private let bytes: [UInt8]

    package init(_ name: String) { bytes = name.utf8.map(FoldedName.fold) }

    static func fold(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte }

    func hasSuffix(_ end: String) -> Bool {
        let end = FoldedName(end).bytes
        return bytes.count >= end.count && bytes.suffix(end.count).elementsEqual(end)
    }
}

extension String {
    /// Whether two names are the same to SQLite.
    package func isSameName(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && utf8.elementsEqual(other.utf8) { FoldedName.fold($0) == FoldedName.fold($1) }
    }
}
