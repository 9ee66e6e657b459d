import CSluiceSQLite

/// Calculation as a server does it: what is beyond 64 bits is an error, where SQLite would go on with a rounded number,
/// or an infinite one.
enum Arithmetic {
    /// An operation on two numbers: how SQL of a file calls it, and how that of a server writes it.
    enum Operation: String {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"

        var function: String {
            switch self {
            case .add: "sluice_add"
            case .subtract: "sluice_subtract"
            case .multiply: "sluice_multiply"
            case .divide: "sluice_divide"
            }
        }
    }

    /// The sum of the halves of integers: of their upper 32 bits, and of their lower ones.
    static let wide = "sluice_wide"
    /// A floating-point number that is not infinite.
    static let finite = "sluice_finite"

    private typealias Body =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    /// Makes the functions known to a connection; the result is that of SQLite.
    static func register(_ connection: OpaquePointer) -> Int32 {
        let codes = unsafe [
            make(connection, Operation.add.function, 2) { context, _, arguments in
                unsafe Arithmetic.result(
                    context, arguments, { $0.addingReportingOverflow($1) }, { Arithmetic.sum($0, $1) })
            },
            make(connection, Operation.subtract.function, 2) { context, _, arguments in
                unsafe Arithmetic.result(
                    context, arguments, { $0.subtractingReportingOverflow($1) }, { Arithmetic.sum($0, -$1) })
            },
            make(connection, Operation.multiply.function, 2) { context, _, arguments in
                unsafe Arithmetic.result(
                    context, arguments, { $0.multipliedReportingOverflow(by: $1) }, { Arithmetic.product($0, $1) })
            },
            make(connection, Operation.divide.function, 2) { context, _, arguments in
                unsafe Arithmetic.result(context, arguments, nil, { Arithmetic.quotient($0, $1) })
            },
            make(connection, wide, 2) { context, _, arguments in unsafe Arithmetic.joined(context, arguments) },
            make(connection, finite, 1) { context, _, arguments in unsafe Arithmetic.checked(context, arguments) },
        ]
        return codes.first { $0 != SQLITE_OK } ?? SQLITE_OK
    }

    private static func make(_ connection: OpaquePointer, _ name: String, _ count: Int32, _ body: Body) -> Int32 {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        return unsafe sqlite3_create_function_v2(connection, name, count, flags, nil, body, nil, nil, nil)
    }

    // MARK: What SQLite calls

    private static func result(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ integers: ((Int64, Int64) -> (partialValue: Int64, overflow: Bool))?, _ reals: (Double, Double) -> Number
    ) {
        guard let left = unsafe arguments?[0], let right = unsafe arguments?[1] else { return }
        // No array of them: this is called for each row.
        let (one, other) = unsafe (sqlite3_value_type(left), sqlite3_value_type(right))
        if one == SQLITE_NULL || other == SQLITE_NULL { return unsafe sqlite3_result_null(context) }
        if let integers, one == SQLITE_INTEGER, other == SQLITE_INTEGER {
            let (value, overflows) = unsafe integers(sqlite3_value_int64(left), sqlite3_value_int64(right))
            return overflows ? unsafe refuse(context) : unsafe sqlite3_result_int64(context, value)
        }
        switch unsafe reals(sqlite3_value_double(left), sqlite3_value_double(right)) {
        case .value(let value): unsafe sqlite3_result_double(context, value)
        case .null: unsafe sqlite3_result_null(context)
        case .outside: unsafe refuse(context)
        }
    }

    private static func joined(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let upper = unsafe arguments?[0], let lower = unsafe arguments?[1] else { return }
        if unsafe sqlite3_value_type(upper) == SQLITE_NULL { return unsafe sqlite3_result_null(context) }
        let sum = unsafe Int128(sqlite3_value_int64(upper)) << 32 + Int128(sqlite3_value_int64(lower))
        guard let value = Int64(exactly: sum) else { return unsafe refuse(context) }
        unsafe sqlite3_result_int64(context, value)
    }

    private static func checked(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let value = unsafe arguments?[0] else { return }
        if unsafe sqlite3_value_type(value) == SQLITE_FLOAT, unsafe sqlite3_value_double(value).isInfinite {
            return unsafe refuse(context)
        }
        unsafe sqlite3_result_value(context, value)
    }

    private static func refuse(_ context: OpaquePointer?) {
        unsafe sqlite3_result_error(context, "a result is beyond 64 bits", -1)
    }

    // MARK: Floating point

    private enum Number {
        case value(Double)
        case null
        case outside
    }

    private static func sum(_ left: Double, _ right: Double) -> Number {
        let sum = left + right
        return sum.isInfinite && left.isFinite && right.isFinite ? .outside : .value(sum)
    }

    private static func product(_ left: Double, _ right: Double) -> Number {
        let product = left * right
        if product.isInfinite, left.isFinite, right.isFinite { return .outside }
        return product == 0 && left != 0 && right != 0 ? .outside : .value(product)
    }

    private static func quotient(_ left: Double, _ right: Double) -> Number {
        if right == 0 { return .null }
        let quotient = left / right
        if quotient.isInfinite, left.isFinite { return .outside }
        return quotient == 0 && left != 0 && right.isFinite ? .outside : .value(quotient)
    }
}
