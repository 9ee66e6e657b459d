import CSluiceSQLite
import SluiceRecords
import SluiceSchema

/// Looks for two objects of a table whose values in a key would be the same in their new form. SQLite sorts the values,
/// on the disk where they are many.
struct SQLiteTwinSearch {
    let connection: Connection
    /// As it is called now.
    let table: String
    let key: ChangingKey

    func run() throws(Failure) -> FormTwins? {
        for (place, column) in key.changing.enumerated() {
            try connection.make(Self.function(place), column.conversion)
        }
        let query = key.query(of: quoted(table)) { "\(Self.function($0))(\($1))" }
        let found = try connection.rows(query) { row in [row.integer(0), row.integer(1)] }
        guard let objectIDs = found.first else { return nil }
        let names = key.changing.map { quoted($0.name) }.joined(separator: ", ")
        let ids = objectIDs.map(String.init).joined(separator: ", ")
        let values = try connection.rows(
            "SELECT \(names) FROM \(quoted(table)) WHERE \"objectID\" IN (\(ids)) ORDER BY \"objectID\""
        ) { row in key.changing.indices.map { row.storedValue($0) } }
        return FormTwins(objectIDs: objectIDs, values: values)
    }

    /// The function of SQL that converts the values of a column.
    private static func function(_ place: Int) -> String { "sluice_form_\(place)" }
}

extension Connection {
    /// Makes a function of SQL of a conversion, in place of the one of that name.
    fileprivate func make(_ name: String, _ conversion: FormConversion) throws(Failure) {
        let state = unsafe Unmanaged.passRetained(ConversionFunction(conversion)).toOpaque()
        let code = unsafe sqlite3_create_function_v2(
            handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, state,
            { context, _, arguments in unsafe ConversionFunction.call(context, arguments?[0]) }, nil, nil,
            { state in
                if let state = unsafe state { unsafe Unmanaged<ConversionFunction>.fromOpaque(state).release() }
            })
        if code != SQLITE_OK { throw failure(code, doing: "read") }
    }
}

/// What SQLite keeps of a function.
private final class ConversionFunction {
    private let conversion: FormConversion

    init(_ conversion: FormConversion) { self.conversion = conversion }

    static func call(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
        guard let state = unsafe sqlite3_user_data(context) else { return }
        let function = unsafe Unmanaged<ConversionFunction>.fromOpaque(state).takeUnretainedValue()
        guard let value = unsafe StoredValue(argument) else { return }
        switch function.conversion.convert(value) {
        case .integer(let value): unsafe sqlite3_result_int64(context, value)
        case .real(let value): unsafe sqlite3_result_double(context, value)
        case .text(let text): unsafe setTextResult(text, of: context)
        // Behind the scan there is no value without an equal.
        case .blob, nil: unsafe sqlite3_result_null(context)
        }
    }
}
