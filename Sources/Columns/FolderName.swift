/// Names as the names of folders.
package enum FolderName {
    /// What stands beside the folders of entities, in parts and in versions of a state.
    private static let ours = ["findings", "manifest", "rejects"]
    /// What files beside these folders end in.
    private static let endings = [".parquet", ".json", ".ndjson"]

    /// A name that is one folder, not hidden, and none that something else has beside it: in an entity's name a slash
    /// may stand, a point in front, and it may be `findings` or `report.json`.
    package static func escaped(_ name: String) -> String {
        let bytes = Array(name.utf8)
        // There are file systems that take capital letters for small ones.
        let folded = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        var others: Set<Int> = ours.contains { folded.elementsEqual($0.utf8) } ? [0] : []
        if let ending = endings.first(where: { folded.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
            others.insert(bytes.count - ending.utf8.count)
        }
        return escaped(bytes, others)
    }

    /// A name that is one file or folder, and not hidden.
    package static func one(_ name: String) -> String { escaped(Array(name.utf8), []) }

    /// - Parameter others: bytes that are escaped besides.
    private static func escaped(_ bytes: [UInt8], _ others: Set<Int>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var name: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isHidden = index == 0 && byte == UInt8(ascii: ".")
            if isHidden || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "/") || others.contains(index) {
                name += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                name.append(byte)
            }
        }
        return String(decoding: name, as: UTF8.self)
    }
}
