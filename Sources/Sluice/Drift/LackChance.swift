import Glibc
import SluiceDefinition

/// Whether it means anything that none of some new records has a field, compared with the last run.
enum LackChance {
    /// It does where fewer than one in twenty sets of that many records would lack the field by chance.
    private static let chance = 0.05

    /// Fewer than half of the share that had a value before tell where so few would have one by chance in one of a
    /// thousand runs, at the most.
    private static let seldom = 0.001

    /// Whether it means anything that fewer records have a value, compared with the last run.
    ///
    /// The bound of the chance is that of Hoeffding (Probability inequalities for sums of bounded random variables,
    /// 1963, theorem 1).
    ///
    /// - Parameters:
    ///   - values: how many of some records have a value.
    ///   - had: how many of all records had one in the last run.
    static func tells(values: Int, of records: Int, before had: Int, of all: Int) -> Bool {
        guard had > 0, records > 0 else { return false }
        let share = Double(had) / Double(all + 1)
        let now = Double(values) / Double(records)
        guard now * 2 < share else { return false }
        let distance =
            (now > 0 ? now * log(now / share) : 0) + (1 - now) * log((1 - now) / (1 - share))
        return exp(-distance * Double(records)) < seldom
    }

    /// - Parameters:
    ///   - had: how many records had the field in the last run, which may itself have read but a few.
    ///   - all: how many records that run read.
    static func tells(of records: Int, had: Int, of all: Int) -> Bool {
        if had == 0 { return max(records, all) >= Limits.someRecords }
        return pow(1 - min(1, Double(had) / Double(all + 1)), Double(records)) < chance
    }
}
