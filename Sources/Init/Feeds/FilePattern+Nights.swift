import SluiceDefinition
import SluicePosix

// Files of which further ones come, as a folder of nights has them.
extension FilePattern {
    /// Whether each file has the day or the month in its name or in that of its folder, `days/2026-11-20.ndjson`; or
    /// the files are lines or tables, and called alike but for a number.
    static func isOfNights(_ files: [String]) -> Bool {
        let names = files.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }
        if names.allSatisfy(hasDay) { return true }
        let areLines = files.allSatisfy { Source.Format(fileName: $0) != .json }
        let shapes = Set(names.map { $0.filter { !$0.isNumber } })
        return areLines && files.count > 1 && shapes.count == 1
    }

    /// Whether a name has a year and a month, perhaps with a day and a time, with or without what stands between them.
    private static func hasDay(_ name: String) -> Bool {
        let day = /(?:^|[^0-9])(?:19|20)[0-9]{2}[-_.]?(?:0[1-9]|1[0-2])(?:[-_.]?[0-3][0-9](?:[0-9]{4,6})?)?(?:[^0-9]|$)/
        return name.firstMatch(of: day) != nil
    }

    /// What is told of them.
    static let adviceForNights =
        "Where further files come, and those that were read stay, \"new\": true reads only those that no run has read"
        + " (sources.md, only new files)."
}
