import Glibc
import SluiceDefinition

/// Whether it means anything that none of some new records has a field, compared with the last run.
enum LackChance {
    /// It does where fewer than one in twenty sets of that many records would lack the field by chance.
    private static let chance = 0.05

    /// - Parameters:
    ///   - had: how many records had the field in the last run, which may itself have read but a few.
    ///   - all: how many records that run read.
    static func tells(of records: Int, had: Int, of all: Int) -> Bool {
        if had == 0 { return max(records, all) >= Limits.someRecords }
        return pow(1 - min(1, Double(had) / Double(all + 1)), Double(records)) < chance
    }
}
