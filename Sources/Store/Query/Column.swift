import SluiceRecords

/// What has a value in each object: a column, or what is calculated from columns.
public protocol Operand<Object, Value>: Sendable {
    /// Whose.
    associatedtype Object: StoredObject
    /// The type of the value.
    associatedtype Value: StoreValue

    /// What is calculated.
    var expression: Expression<Object, Value> { get }
}

/// A column of an entity, with the type that its values have.
public struct Column<Object: StoredObject, Value: StoreValue>: Operand {
    /// Its name in the store.
    public let name: String
    /// How it has its values.
    public let form: StoredForm

    /// The column of that name.
    ///
    /// - Parameter form: nil: the usual one of the type.
    public init(_ name: String, _ form: StoredForm? = nil) {
        self.name = name
        self.form = form ?? Value.usualForm
    }

    /// The value that is calculated.
    public var expression: Expression<Object, Value> {
        let column = Fragment(column: name, of: Object.columnList.table)
        // A server compares no values of its type of JSON.
        return Expression(form.type == .json ? column + Fragment(file: "", server: "::text") : column, form)
    }
}

extension Column where Value == ObjectID<Object> {
    /// The objectID of the entity.
    public static var objectID: Column { Column("objectID") }
}

/// What is calculated from the columns of an object.
public struct Expression<Object: StoredObject, Value: StoreValue>: Operand {
    let fragment: Fragment
    let form: StoredForm

    init(_ fragment: Fragment, _ form: StoredForm) {
        self.fragment = fragment
        self.form = form
    }

    /// The value that is calculated.
    public var expression: Self { self }

    /// As something that compares as its values do: the texts of decimal numbers, as SQLite has them, need an order of
    /// their own.
    var ordered: Fragment {
        form.type == .decimal && !form.isInteger
            ? fragment + Fragment(file: " COLLATE \(DecimalOrder.name)", server: "") : fragment
    }

    /// A value as the expression has it.
    func fragment(of value: some StoreValue) -> Fragment {
        do throws(StoreError) {
            return Fragment(value: try value.stored(as: form), form)
        } catch {
            return Fragment(error: error)
        }
    }
}

extension Operand where Value == Int {
    /// Sum; a result beyond 64 bits is an error (`statement`), as that of each of these is.
    public static func + (left: Self, right: Int) -> Expression<Object, Int> { left.calculate(.add, right) }
    /// Difference.
    public static func - (left: Self, right: Int) -> Expression<Object, Int> { left.calculate(.subtract, right) }
    /// Product.
    public static func * (left: Self, right: Int) -> Expression<Object, Int> { left.calculate(.multiply, right) }
}

extension Operand where Value == Int? {
    /// Sum; null of null.
    public static func + (left: Self, right: Int) -> Expression<Object, Int?> { left.calculate(.add, right) }
    /// Difference.
    public static func - (left: Self, right: Int) -> Expression<Object, Int?> { left.calculate(.subtract, right) }
    /// Product.
    public static func * (left: Self, right: Int) -> Expression<Object, Int?> { left.calculate(.multiply, right) }
}

extension Operand where Value == Double {
    /// Sum; a result beyond what a `Double` has is an error (`statement`), as that of each of these is.
    public static func + (left: Self, right: Double) -> Expression<Object, Double> { left.calculate(.add, right) }
    /// Difference.
    public static func - (left: Self, right: Double) -> Expression<Object, Double> { left.calculate(.subtract, right) }
    /// Product.
    public static func * (left: Self, right: Double) -> Expression<Object, Double> { left.calculate(.multiply, right) }
    /// Quotient; null where it is divided by zero.
    public static func / (left: Self, right: Double) -> Expression<Object, Double> { left.divide(right) }
}

extension Operand where Value == Double? {
    /// Sum; null of null.
    public static func + (left: Self, right: Double) -> Expression<Object, Double?> { left.calculate(.add, right) }
    /// Difference.
    public static func - (left: Self, right: Double) -> Expression<Object, Double?> { left.calculate(.subtract, right) }
    /// Product.
    public static func * (left: Self, right: Double) -> Expression<Object, Double?> { left.calculate(.multiply, right) }
    /// Quotient; null where it is divided by zero.
    public static func / (left: Self, right: Double) -> Expression<Object, Double?> { left.divide(right) }
}

extension Operand {
    fileprivate func calculate(_ operation: Arithmetic.Operation, _ value: some StoreValue) -> Expression<Object, Value>
    {
        let own = expression
        return own.calculated(operation, own.fragment(of: value))
    }

    /// To a server, a division by zero is an error.
    fileprivate func divide(_ value: some StoreValue) -> Expression<Object, Value> {
        let own = expression
        let (start, end) = (Fragment(file: "", server: "nullif("), Fragment(file: "", server: ", 0)"))
        return own.calculated(.divide, start + own.fragment(of: value) + end)
    }
}

extension Expression {
    fileprivate func calculated(_ operation: Arithmetic.Operation, _ value: Fragment) -> Expression {
        let start = Fragment(file: operation.function + "(", server: "(")
        let between = Fragment(file: ", ", server: " \(operation.rawValue) ")
        return Expression(start + fragment + between + value + ")", form)
    }
}
