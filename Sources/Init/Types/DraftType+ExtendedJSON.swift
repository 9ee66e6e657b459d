import SluiceDefinition
import SluiceRecords

// Exports of MongoDB say the type of each value beside it: MongoDB Extended JSON (v2), canonical.
extension DraftType {
    /// The type that `{ "$numberLong": "7" }`, or `{ "$date": { "$numberLong": "226117231000" } }`, says; nil: none.
    static func ofExtendedJSON(_ column: DraftColumn, _ forms: TextForms) -> DraftType? {
        guard let path = column.path, let name = path.last, forms.areNumbers, column.facts.empties == 0 else {
            return nil
        }
        switch name {
        case "$numberLong" where path.dropLast().last == "$date":
            return DraftType("datetime", [("format", "\"unix-ms\"")])
        case "$numberInt", "$numberLong": return DraftType("integer")
        case "$numberDouble": return DraftType("real")
        case "$numberDecimal": return DraftType("decimal")
        default: return nil
        }
    }
}
