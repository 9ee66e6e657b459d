import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

extension FormConversion {
    /// A column's values in the other form, of those that have an equal there.
    func sql(of column: String) -> String {
        switch to.type {
        case .text: text(column)
        case .integer: "(\(number(column)))::bigint"
        case .real: "(\(number(column)))::double precision"
        case .decimal where to.isInteger: shifted(number(column), to.scale ?? 0)
        case .decimal: to.scale.map { "round(\(number(column)), \($0))" } ?? "trim_scale(\(number(column)))"
        case .boolean: from.type == .text ? "\(column)::boolean" : "\(column) <> 0"
        case .date: "\(column)::date"
        case .datetime: "\(column)::timestamp with time zone"
        case .duration: shifted(number(column), to.fraction ?? 0)
        case .json, .bytes: column
        }
    }

    /// A value as an exact number. Of a double, it is the shortest that the double stands for.
    private func number(_ column: String) -> String {
        switch from.type {
        case .real: "\(column)::text::numeric"
        case .boolean: "\(column)::integer::numeric"
        case .decimal where from.isInteger: "\(column)::numeric * 1e-\(from.scale ?? 0)"
        case .duration: "\(column)::numeric * 1e-\(from.fraction ?? 0)"
        default: "\(column)::numeric"
        }
    }

    /// A number in units of a digit behind the point.
    private func shifted(_ number: String, _ digits: Int) -> String { "(\(number) * 1e\(digits))::bigint" }

    private func text(_ column: String) -> String {
        switch from.type {
        case .decimal where from.isInteger: "round(\(number(column)), \(from.scale ?? 0))::text"
        case .date: "to_char(\(column), 'YYYY-MM-DD')"
        case .datetime: ServerDialect.time(column, from.fraction ?? StoredForm.defaultFraction)
        default: "\(column)::text"
        }
    }
}
