// What feeds, files and folders hold, by their names.
extension Names {
    /// What a feed holds, by the name of its file: `legislators-current.json.zst` holds legislators.
    static func feed(_ location: String) -> String { kind(file(location)) }

    /// What each of several feeds holds, by the names of their files without the words that all of these begin with:
    /// `5e-SRD-Monsters.json` among others of `5e-SRD` holds monsters.
    static func feeds(_ locations: [String]) -> [String] {
        let names = locations.map(feed)
        let all = names.map(words)
        let shortest = all.map(\.count).min() ?? 0
        let common = (0..<max(0, shortest - 1)).prefix { at in
            all.allSatisfy { $0[at].lowercased().isIdentical(to: all[0][at].lowercased()) }
        }.count
        let rest = all.map { Array($0.dropFirst(common)) }
        guard locations.count > 2, common > 0, rest.allSatisfy({ $0[0].first?.isLetter == true }) else { return names }
        return rest.map { $0.joined(separator: "_") }
    }

    /// What a file, or a folder of files, holds, by its name.
    static func kind(_ name: String) -> String {
        var kept = words(name).filter { word in !word.allSatisfy(\.isNumber) }
        let noise: Set<String> = [
            "current", "all", "latest", "full", "export", "dump", "list", "feed", "sample", "new", "old", "utf", "v",
        ]
        while kept.count > 1, let last = kept.last, noise.contains(last.lowercased()) { kept.removeLast() }
        return kept.joined(separator: "_")
    }

    /// What files are called that say nothing of what is in them, without their endings.
    private static let plain: Set<String> = ["data", "default", "index", "info", "main", "metadata"]

    /// The name of the last folder of a pattern that is the same for all its files, where the files in its folders are
    /// called alike: `type` of `data/type/*/index.json`. Nil: there is none.
    static func folder(_ location: String) -> String? {
        let folders = location.split(separator: "/").dropLast()
        let first = folders.firstIndex { $0.contains("*") }
        guard let first, first > folders.startIndex else { return nil }
        let name = String(folders[first - 1])
        return name.contains(where: \.isLetter) ? name : nil
    }

    /// The name of a file without its endings, of which none is empty; of a pattern that names all files of a folder,
    /// that of the folder, and so where all files have one name that says nothing.
    static func file(_ location: String) -> String {
        let own = ownFile(location)
        return plain.contains(own.lowercased()) ? folder(location) ?? own : own
    }

    /// The name of a file without its endings, or else that of its folder, whatever it says.
    static func ownFile(_ location: String) -> String {
        let parts = location.split(separator: "/")
        let own = parts.last { part in
            !part.hasPrefix("*") || part.dropFirst().prefix { $0 != "." }.contains(where: \.isLetter)
        }
        var name = (own ?? parts.last).map { $0.filter { $0 != "*" } } ?? location
        if let query = name.firstIndex(where: { $0 == "?" || $0 == "#" }) { name = String(name[..<query]) }
        let formats = [".json", ".ndjson", ".jsonl", ".geojson", ".csv", ".tsv", ".tab"]
        for ending in [".gz", ".zst", ".xz", ".bz2", ".zip"] + formats + [".txt"]
        where name.lowercased().hasSuffix(ending) {
            name = String(name.dropLast(ending.count))
        }
        for ending in formats where name.lowercased().hasSuffix(ending) {
            name = String(name.dropLast(ending.count))
        }
        return name.isEmpty || name == "-" ? "feed" : name
    }
}
