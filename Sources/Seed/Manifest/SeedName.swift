import SluiceRecords

/// Names of seeds and of their files.
package enum SeedName {
    /// Whether it names a file of one folder, wherever it comes from: no `/`, no `..`, nothing that hides, and nothing
    /// that a terminal or an address would take for something else.
    package static func isSound(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= 200, !name.hasPrefix("."), !name.hasPrefix("-") else { return false }
        if name.contains("..") { return false }
        return name.unicodeScalars.allSatisfy { $0 != "/" && $0 != "\\" && !$0.isHidden }
    }

    /// A pipeline's name as that of its seed.
    static func checked(_ name: String) throws(Failure) -> String {
        guard isSound(name), name.utf8.count <= 100 else {
            throw Failure(
                .definition,
                "\(CanonicalJSON.text(name)) cannot be the name of a seed, as files are named after it: give the "
                    + "pipeline a \"name\" of at most 100 bytes without `/`, `..` and a dot or a dash at its beginning")
        }
        return name
    }

    static func whole(_ name: String, _ version: Int) -> String { "\(name)-\(version).sqlite.zst" }

    static func delta(_ name: String, from: Int, to: Int) -> String { "\(name)-\(from)-\(to).delta.zst" }

    /// The version to which a file of a seed belongs; nil: it is no file of this seed.
    static func version(of file: String, _ name: String) -> Int? {
        guard file.hasPrefix(name + "-") else { return nil }
        let rest = file.dropFirst(name.count + 1)
        if rest.hasSuffix(".sqlite.zst") { return number(rest.dropLast(11)) }
        guard rest.hasSuffix(".delta.zst") else { return nil }
        let versions = rest.dropLast(10).split(separator: "-", omittingEmptySubsequences: false)
        guard versions.count == 2, number(versions[0]) != nil else { return nil }
        return number(versions[1])
    }

    private static func number(_ text: Substring) -> Int? {
        guard let number = Int(text), number > 0, String(number) == text else { return nil }
        return number
    }
}
