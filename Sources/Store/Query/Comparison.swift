import SluiceRecords

/// Whether two are equal; null equals null.
public func == <Left: Operand>(left: Left, right: Left.Value) -> Condition<Left.Object> {
    Condition(Fragment.equal(left.expression.fragment, right, left.expression.form))
}

/// Whether two are not equal; null equals null.
public func != <Left: Operand>(left: Left, right: Left.Value) -> Condition<Left.Object> {
    !(left == right)
}

/// Whether two columns are equal; null equals null. Columns that have their values in forms which cannot be compared
/// (a decimal in units of its last digit with another one, times with other fractions) make the query an error
/// (`statement`).
public func == <Left: Operand, Right: Operand>(left: Left, right: Right) -> Condition<Left.Object>
where Left.Object == Right.Object, Left.Value == Right.Value {
    Condition("(" + left.expression.compared(.isSame, right.expression) + ")")
}

/// Whether two columns are not equal, likewise.
public func != <Left: Operand, Right: Operand>(left: Left, right: Right) -> Condition<Left.Object>
where Left.Object == Right.Object, Left.Value == Right.Value {
    Condition("(" + left.expression.compared(.isOther, right.expression) + ")")
}

/// Whether it comes before: numbers and times as such, texts by their bytes.
public func < <Left: Operand>(left: Left, right: Left.Value) -> Condition<Left.Object> {
    left.expression.compare(.less, right)
}

/// Whether it comes before, or is equal.
public func <= <Left: Operand>(left: Left, right: Left.Value) -> Condition<Left.Object> {
    left.expression.compare(.lessOrEqual, right)
}

/// Whether it comes after.
public func > <Left: Operand>(left: Left, right: Left.Value) -> Condition<Left.Object> {
    left.expression.compare(.greater, right)
}

/// Whether it comes after, or is equal.
public func >= <Left: Operand>(left: Left, right: Left.Value) -> Condition<Left.Object> {
    left.expression.compare(.greaterOrEqual, right)
}

/// How two values stand to one another.
enum ComparisonOperator: String {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// With a value that is less than the one that was meant, and none between that a column can have.
    var aboveFloor: ComparisonOperator { self == .less || self == .lessOrEqual ? .lessOrEqual : .greater }
}

/// How something is to stand to a value.
private struct Comparand {
    var comparison: ComparisonOperator
    var value: SQLValue

    init(_ comparison: ComparisonOperator, _ value: SQLValue) {
        self.comparison = comparison
        self.value = value
    }

    func fragment(_ form: StoredForm) -> Fragment { " \(comparison.rawValue) " + Fragment(value: value, form) }
}

extension Fragment {
    /// Whether an expression has a value. What the form cannot have, nothing equals.
    static func equal(_ left: Fragment, _ value: any StoreValue, _ form: StoredForm) -> Fragment {
        guard let stored = try? value.stored(as: form) else { return .never }
        let isSame = "(" + left + .isSame + Fragment(value: stored, form) + ")"
        return stored.fitsServer(form) ? isSame : .onFiles(isSame)
    }
}

extension SQLValue {
    /// Whether a server can have it in a column of a form: no text of it has a NUL, and no time more than six digits.
    package func fitsServer(_ form: StoredForm) -> Bool {
        guard case .text(let text) = self else { return true }
        guard form.type == .datetime else { return !text.utf8.contains(0) }
        return text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst(1 + StoredForm.serverFraction)
            .allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "Z") }
    }
}

extension StoredForm {
    /// What keeps values of another form from being taken for values of this one.
    func refusal(of other: StoredForm) -> StoreError {
        StoreError(
            .statement, "\(name) and \(other.name) have their values in different forms, which nothing converts here")
    }

    /// The digits of a second that the times of a server have.
    package static let serverFraction = 6
}

extension Expression {
    /// With what another expression has, whose values must be in the same form: nothing converts them.
    fileprivate func compared(_ operation: Fragment, _ other: Expression<Object, Value>) -> Fragment {
        if form == other.form { return fragment + operation + other.fragment }
        let areDecimals = [form, other.form].allSatisfy { $0.type == .decimal && !$0.isInteger }
        return areDecimals ? ordered + operation + other.ordered : Fragment(error: form.refusal(of: other.form))
    }

    func compare(_ comparison: ComparisonOperator, _ value: Value) -> Condition<Object> {
        if let instant = (value as? Instant) ?? (value as? Instant?).flatMap({ $0 }) {
            return compare(comparison, instant)
        }
        if form.isInteger, let decimal = (value as? ExactDecimal) ?? (value as? ExactDecimal?).flatMap({ $0 }) {
            return compare(comparison, decimal.floor(scale: form.scale ?? 0), isPositive: decimal > 0)
        }
        if let duration = (value as? Duration) ?? (value as? Duration?).flatMap({ $0 }) {
            return compare(comparison, duration.floor(fraction: form.fraction ?? 0), isPositive: duration > .zero)
        }
        do throws(StoreError) {
            return condition(comparison, try value.stored(as: comparisonForm))
        } catch {
            // No number is before or after what is none.
            return value is Double || value is Double? ? infinite(comparison, value) : Condition(Fragment(error: error))
        }
    }

    /// A decimal compares with any other; its order needs no scale.
    private var comparisonForm: StoredForm {
        form.type == .decimal && !form.isInteger ? StoredForm(.decimal) : form
    }

    private func condition(_ comparison: ComparisonOperator, _ value: SQLValue) -> Condition<Object> {
        let file = Comparand(comparison, value)
        // No text of a server has a NUL: those before one that has are those up to what is before the NUL.
        guard case .text(let text) = value, let end = text.utf8.firstIndex(of: 0) else { return condition(file, file) }
        return condition(file, Comparand(comparison.aboveFloor, .text(String(text[..<end]))))
    }

    private func condition(_ file: Comparand, _ server: Comparand) -> Condition<Object> {
        let form = comparisonForm
        let compared = Fragment([.either(file: file.fragment(form).pieces, server: server.fragment(form).pieces)])
        return Condition("(" + ordered + compared + ")")
    }

    /// Times have as many digits as the column has: a moment between two of them is after the one, and before the
    /// other. Those of a server have six.
    private func compare(_ comparison: ComparisonOperator, _ instant: Instant) -> Condition<Object> {
        let digits = form.fraction ?? StoredForm.mostFraction
        func comparand(_ digits: Int) -> Comparand {
            let comparison = instant.isExact(digits: digits) ? comparison : comparison.aboveFloor
            return Comparand(comparison, .text(instant.text(digits: digits)))
        }
        return condition(comparand(digits), comparand(min(digits, StoredForm.serverFraction)))
    }

    /// Likewise numbers in units of a digit; those beyond 64 bits are before or after all that a column can have.
    private func compare(
        _ comparison: ComparisonOperator, _ floor: (Int64, isExact: Bool)?, isPositive: Bool
    ) -> Condition<Object> {
        guard let (floor, isExact) = floor else {
            let isBefore = comparison == .less || comparison == .lessOrEqual
            return isBefore == isPositive ? Condition("(" + fragment + " IS NOT NULL)") : .never
        }
        return condition(isExact ? comparison : comparison.aboveFloor, .integer(floor))
    }

    /// Each number is before the infinite one; no number is before or after NaN.
    private func infinite(_ comparison: ComparisonOperator, _ value: Value) -> Condition<Object> {
        guard let number = (value as? Double) ?? (value as? Double?).flatMap({ $0 }), !number.isNaN else {
            return .never
        }
        let isBefore = comparison == .less || comparison == .lessOrEqual
        return isBefore == (number > 0) ? Condition("(" + fragment + " IS NOT NULL)") : .never
    }
}

extension Operand {
    /// Whether it is null.
    public var isNull: Condition<Object> { Condition("(" + expression.fragment + " IS NULL)") }

    /// Whether it has one of the values, however many they are. Null is a value like any other.
    public func isIn(_ values: some Sequence<Value>) -> Condition<Object> {
        let own = expression
        var (list, hasNull) = ([SQLValue](), false)
        for value in values {
            // What the form cannot have, nothing equals.
            guard let stored = try? value.stored(as: own.form) else { continue }
            if stored == .null { hasNull = true } else { list.append(stored) }
        }
        let isNull = hasNull ? self.isNull : .never
        if list.isEmpty { return isNull }
        let isListed = Condition<Object>("(" + own.fragment + " IN " + Fragment(list: list, own.form) + ")")
        return hasNull ? isListed || isNull : isListed
    }
}

extension Operand {
    /// Whether it refers to one of the objects of a query.
    public func isIn<Target>(_ query: Query<Target>) -> Condition<Object> where Value == ObjectID<Target>? {
        Condition("(" + expression.fragment + " IN (" + query.objectIDs + "))")
    }

    /// Whether it refers to one of the objects of a query.
    public func isIn<Target>(_ query: Query<Target>) -> Condition<Object> where Value == ObjectID<Target> {
        Condition("(" + expression.fragment + " IN (" + query.objectIDs + "))")
    }
}

extension Operand where Value == String {
    /// Whether the text starts with another; capital letters are others than small ones.
    public func hasPrefix(_ prefix: String) -> Condition<Object> { TextMatch.hasPrefix(expression.fragment, prefix) }
    /// Whether another text occurs in it.
    public func contains(_ part: String) -> Condition<Object> { TextMatch.contains(expression.fragment, part) }
}

extension Operand where Value == String? {
    /// Whether the text starts with another; capital letters are others than small ones.
    public func hasPrefix(_ prefix: String) -> Condition<Object> { TextMatch.hasPrefix(expression.fragment, prefix) }
    /// Whether another text occurs in it.
    public func contains(_ part: String) -> Condition<Object> { TextMatch.contains(expression.fragment, part) }
}

/// Parts of texts, by their bytes.
enum TextMatch {
    /// A range, so that an index serves: up to the next text that does not start so.
    static func hasPrefix<Object>(_ fragment: Fragment, _ prefix: String) -> Condition<Object> {
        if prefix.isEmpty { return Condition("(" + fragment + " IS NOT NULL)") }
        let range = range(fragment, prefix)
        // No text of a server has a NUL.
        return Condition(prefix.utf8.contains(0) ? .onFiles(range) : range)
    }

    private static func range(_ fragment: Fragment, _ prefix: String) -> Fragment {
        let start = "(" + fragment + " >= " + Fragment(value: .text(prefix))
        // Nothing comes after the last of all scalars.
        guard let end = end(of: prefix) else { return start + ")" }
        return start + " AND " + fragment + " < " + Fragment(value: .text(end)) + ")"
    }

    /// As blobs: to `instr` of texts, a NUL is an end.
    static func contains<Object>(_ fragment: Fragment, _ part: String) -> Condition<Object> {
        if part.isEmpty { return Condition("(" + fragment + " IS NOT NULL)") }
        let file = "(instr(CAST(" + fragment + " AS BLOB), " + Fragment(value: .blob(Array(part.utf8))) + ") > 0)"
        if part.utf8.contains(0) { return Condition(.onFiles(file)) }
        let server = "(strpos(" + fragment + ", " + Fragment(value: .text(part)) + ") > 0)"
        return Condition(Fragment([.either(file: file.pieces, server: server.pieces)]))
    }

    /// The first text after all those with a prefix; by scalars, whose order is that of their bytes.
    private static func end(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            let next = last.value == 0xd7ff ? 0xe000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                var text = String.UnicodeScalarView()
                text.append(contentsOf: scalars)
                text.append(scalar)
                return String(text)
            }
        }
        return nil
    }
}
