import Foundation
import Testing

@testable import SluiceInit

/// Files that were named one by one, or by a pattern for more, get one that names those of the next month, too.
struct FilePatternTests {
    private let folder = FeedFolder()

    @Test(
        arguments: [
            (["a_20261126.csv", "a_20261127.csv", "a_20261128.csv"], ["b.csv"], "a_*.csv"),
            (["a_1126.csv", "a_1127.csv"], [], "*.csv"),
            // What else there is would be of it.
            (["a_20261126.csv", "a_20261127.csv"], ["a_20251126.csv"], "a_2026112*.csv"),
            (["a1_x2.csv", "a1_y2.csv"], ["b_x2.csv"], "a1_*.csv"),
        ] as [([String], [String], String)])
    func digitsOfADayAreNotInIt(files: [String], others: [String], pattern: String) throws {
        for name in files + others { try folder.write(name, "x") }
        #expect(try FilePattern.naming(files.map(folder.file)) == folder.file(pattern))
    }

    /// Names are compared by their bytes: these are three files, and all that the folder has.
    @Test func namesThatLookTheSameAreTwo() throws {
        let files = ["caf\u{e9}.csv", "cafe\u{301}.csv", "tea.csv"]
        for name in files { try folder.write(name, "x") }
        #expect(try FilePattern.folded(files.map(folder.file)) == [folder.file("*.csv")])
    }
}
