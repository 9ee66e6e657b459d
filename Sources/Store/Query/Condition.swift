import SluiceRecords

/// What is true or false of each object of an entity, and never null: a comparison with null is false, but for `==` and
/// `!=`, to which null is a value like any other.
public struct Condition<Object: StoredObject>: Sendable {
    let fragment: Fragment

    init(_ fragment: Fragment) { self.fragment = fragment }

    /// SQL of the program's own; the values in it are bound, never part of its text:
    /// `Condition(sql: "length(name) > \(12)")`. Null counts as false.
    public init(sql: SQLCondition) { fragment = "(" + sql.fragment + ")" }

    /// Both.
    public static func && (left: Self, right: Self) -> Self {
        Condition("(" + left.fragment + " AND " + right.fragment + ")")
    }

    /// One of the two, or both.
    public static func || (left: Self, right: Self) -> Self {
        Condition("(" + left.fragment + " OR " + right.fragment + ")")
    }

    /// Whatever does not meet the condition.
    public static prefix func ! (condition: Self) -> Self {
        // Not NOT: what compares with null is null to SQL, and false here.
        Condition("(" + condition.fragment + " IS NOT TRUE)")
    }

    /// A condition that each object meets.
    public static var always: Self { Condition(Fragment(file: "1", server: "true")) }
    /// A condition that none meets.
    public static var never: Self { Condition(Fragment.never) }
}

/// SQL that is written with its values between: `"weight > \(limit) AND name LIKE \(pattern)"`.
public struct SQLCondition: ExpressibleByStringInterpolation, Sendable {
    let fragment: Fragment

    /// SQL without values.
    public init(stringLiteral value: String) { fragment = Fragment(value) }

    /// SQL with values.
    public init(stringInterpolation: Interpolation) { fragment = stringInterpolation.fragment }

    /// What is between the quotes.
    public struct Interpolation: StringInterpolationProtocol {
        var fragment = Fragment([])

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// SQL.
        public mutating func appendLiteral(_ literal: String) { fragment.append(literal) }

        /// A value, which is bound.
        public mutating func appendInterpolation<Value: StoreValue>(_ value: Value) {
            do throws(StoreError) {
                fragment.append(Fragment(value: try value.stored(as: Value.usualForm), Value.usualForm))
            } catch {
                fragment.append(Fragment(error: error))
            }
        }

        /// The values of a list, in parentheses.
        public mutating func appendInterpolation<Value: StoreValue>(list values: [Value]) {
            do throws(StoreError) {
                var list: [SQLValue] = []
                for value in values { list.append(try value.stored(as: Value.usualForm)) }
                fragment.append(Fragment(list: list, Value.usualForm))
            } catch {
                fragment.append(Fragment(error: error))
            }
        }

        /// A column.
        public mutating func appendInterpolation<Object, Value>(_ column: Column<Object, Value>) {
            fragment.append(column.expression.fragment)
        }
    }
}
