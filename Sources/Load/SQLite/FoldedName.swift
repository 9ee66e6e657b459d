/// A name as SQLite compares it: byte by byte, with the case of ASCII letters folded. Swift would take more names for
/// equal: those that Unicode calls equivalent.
struct FoldedName: Hashable {
    private let bytes: [UInt8]

    init(_ name: String) { bytes = name.utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 + 0x20 : $0 } }

    func hasSuffix(_ end: String) -> Bool {
        let end = FoldedName(end).bytes
        return bytes.count >= end.count && bytes.suffix(end.count).elementsEqual(end)
    }
}

extension String {
    /// Whether SQLite takes two names for one.
    func isSameName(as other: String) -> Bool { FoldedName(self) == FoldedName(other) }

    /// Whether two texts have the same bytes.
    func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
