import SluiceColumns

/// A value of a query, made of columns of the rows that the query reads. Types are checked as it is made: a plan that
/// mixes them up is a defect.
package struct Expression {
    indirect enum Node {
        case column(Row, ColumnName)
        case null
        case truth(Bool)
        case integer(Int64)
        case real(Double)
        case text(String)
        case infix(String, Expression, Expression)
        /// All of some conditions, or any of them.
        case joined(String, [Expression])
        case not(Expression)
        case isNull(Expression, isNot: Bool)
        case isIn(Expression, [Expression])
        case cases([(condition: Expression, value: Expression)], otherwise: Expression?)
        case cast(Expression)
        case call(Function, [Expression], over: Window?)
        case row([NamedExpression])
        case field(Expression, ColumnName)
        case list([Expression])
        /// Whether there is a row.
        case exists(Relation)
        /// The only value of a relation of one column and one row.
        case only(Relation)
    }

    let node: Node
    let type: ColumnType

    init(_ node: Node, _ type: ColumnType) {
        self.node = node
        self.type = type
    }

    func named(_ name: ColumnName) -> NamedExpression { NamedExpression(value: self, name: name) }
}

/// A value, and what the column is called that has it.
struct NamedExpression {
    let value: Expression
    let name: ColumnName

    var column: Column { Column(name, value.type) }
}

/// What queries call.
enum Function: String {
    case count, sum, min, max
    /// Of what is not null.
    case countDistinct
    case rowNumber = "row_number"
    case firstValue = "first_value"
    /// The last one that is not null.
    case lastValue = "last_value"
    case coalesce, ceil, floor
    case concat, substring, length, lower, hex
    case find = "instr"
    case match = "regexp_extract"
    /// A text as JSON.
    case quoted
    /// The texts of a group with commas between them, in the order of the values behind the first.
    case listed
}

/// The rows that a function looks at beside one.
struct Window {
    var partition: [Expression] = []
    var order: [Expression] = []
    /// Those before it alone; else, in an order, it and those before it.
    var isBefore = false
}

// MARK: Values

extension Expression {
    static func null(_ type: ColumnType) -> Expression { Expression(.null, type) }
    static func truth(_ truth: Bool) -> Expression { Expression(.truth(truth), .boolean) }
    static func integer(_ number: Int) -> Expression { Expression(.integer(Int64(number)), .integer) }
    static func real(_ number: Double) -> Expression { Expression(.real(number), .real) }
    static func text(_ text: String) -> Expression { Expression(.text(text), .text) }
    static func row(_ fields: [NamedExpression]) -> Expression {
        Expression(.row(fields), .row(fields.map(\.column)))
    }
    static func list(_ values: [Expression]) -> Expression {
        guard case .value(let kind)? = values.first?.type else { preconditionFailure("a list of no plain values") }
        return Expression(.list(values), .list(kind))
    }

    /// A value of a row.
    subscript(name: ColumnName) -> Expression {
        guard case .row(let fields) = type, let field = fields.first(where: { name == $0.name }) else {
            preconditionFailure("\(type) has no \(name.text)")
        }
        return Expression(.field(self, name), field.type)
    }

    /// Without conditions, it is met.
    static func all(_ conditions: [Expression]) -> Expression { joined("AND", conditions, ifNone: true) }
    /// Without conditions, it is not met.
    static func any(_ conditions: [Expression]) -> Expression { joined("OR", conditions, ifNone: false) }

    private static func joined(_ word: String, _ conditions: [Expression], ifNone: Bool) -> Expression {
        for condition in conditions { condition.require(.boolean) }
        if conditions.isEmpty { return truth(ifNone) }
        return conditions.count == 1 ? conditions[0] : Expression(.joined(word, conditions), .boolean)
    }

    static func cases(_ cases: [(condition: Expression, value: Expression)], otherwise: Expression? = nil) -> Expression
    {
        guard let first = cases.first else {
            guard let otherwise else { preconditionFailure("no case") }
            return otherwise
        }
        for (condition, value) in cases {
            condition.require(.boolean)
            value.require(first.value.type)
        }
        otherwise?.require(first.value.type)
        return Expression(.cases(cases, otherwise: otherwise), first.value.type)
    }

    /// A value where a condition is met, else another one, or null.
    static func when(_ condition: Expression, _ value: Expression, else other: Expression? = nil) -> Expression {
        cases([(condition, value)], otherwise: other)
    }

    static func coalesce(_ values: [Expression]) -> Expression {
        for value in values { value.require(values[0].type) }
        return values.count == 1 ? values[0] : call(.coalesce, values, values[0].type)
    }

    static func call(_ function: Function, _ arguments: [Expression], _ type: ColumnType) -> Expression {
        Expression(.call(function, arguments, over: nil), type)
    }

    func cast(_ type: ColumnType) -> Expression { Expression(.cast(self), type) }

    fileprivate func require(_ type: ColumnType) {
        precondition(self.type == type, "\(node) is \(self.type) where \(type) is meant")
    }
}

// MARK: Conditions

extension Expression {
    var isNull: Expression { Expression(.isNull(self, isNot: false), .boolean) }
    var isNotNull: Expression { Expression(.isNull(self, isNot: true), .boolean) }

    /// Whether two values are not the same, null being one.
    func differs(from other: Expression) -> Expression { infix("IS DISTINCT FROM", self, other, .boolean) }
    func isIn(_ values: [Expression]) -> Expression { Expression(.isIn(self, values), .boolean) }
    /// Whether a text is like a pattern, in which `%` stands for anything.
    func isLike(_ pattern: String) -> Expression { infix("LIKE", self, .text(pattern), .boolean) }

    static func == (left: Expression, right: Expression) -> Expression { infix("=", left, right, .boolean) }
    static func != (left: Expression, right: Expression) -> Expression { infix("<>", left, right, .boolean) }
    static func < (left: Expression, right: Expression) -> Expression { infix("<", left, right, .boolean) }
    static func > (left: Expression, right: Expression) -> Expression { infix(">", left, right, .boolean) }
    static func >= (left: Expression, right: Expression) -> Expression { infix(">=", left, right, .boolean) }
    static func <= (left: Expression, right: Expression) -> Expression { infix("<=", left, right, .boolean) }
    static func && (left: Expression, right: Expression) -> Expression { all([left, right]) }
    static func || (left: Expression, right: Expression) -> Expression { any([left, right]) }
    static prefix func ! (condition: Expression) -> Expression {
        condition.require(.boolean)
        return Expression(.not(condition), .boolean)
    }
}

// MARK: Numbers

extension Expression {
    static func + (left: Expression, right: Expression) -> Expression { infix("+", left, right, left.type) }
    static func - (left: Expression, right: Expression) -> Expression { infix("-", left, right, left.type) }
    static func * (left: Expression, right: Expression) -> Expression { infix("*", left, right, left.type) }
    static func / (left: Expression, right: Expression) -> Expression { infix("/", left, right, left.type) }
    static func & (left: Expression, right: Expression) -> Expression { infix("&", left, right, left.type) }
    static prefix func - (number: Expression) -> Expression { .integer(0) - number }
    var roundedDown: Expression { .call(.floor, [self], type) }
    var roundedUp: Expression { .call(.ceil, [self], type) }

    /// How many rows there are, or meet a condition.
    static func count(where condition: Expression? = nil) -> Expression {
        call(.count, condition.map { [.when($0, .integer(1))] } ?? [], .integer)
    }
    var countDistinct: Expression { .call(.countDistinct, [self], .integer) }
    var sum: Expression { .call(.sum, [self], .integer) }
    var min: Expression { .call(.min, [self], type) }
    var max: Expression { .call(.max, [self], type) }

    private static func infix(
        _ word: String, _ left: Expression, _ right: Expression, _ type: ColumnType
    ) -> Expression {
        right.require(left.type)
        return Expression(.infix(word, left, right), type)
    }
    fileprivate func infix(
        _ word: String, _ left: Expression, _ right: Expression, _ type: ColumnType
    ) -> Expression { Expression.infix(word, left, right, type) }
}

// MARK: Windows

extension Expression {
    static func rowNumber(_ window: Window) -> Expression { Expression(.call(.rowNumber, [], over: window), .integer) }

    /// A function of a group, of the rows of a window.
    func over(_ window: Window) -> Expression {
        guard case .call(let function, let arguments, nil) = node else { preconditionFailure("\(node) is no call") }
        return Expression(.call(function, arguments, over: window), type)
    }
    /// Of the first row.
    func first(in window: Window) -> Expression { Expression(.call(.firstValue, [self], over: window), type) }
    /// The last one that is not null of the rows before one.
    func lastBefore(in window: Window) -> Expression {
        var window = window
        window.isBefore = true
        return Expression(.call(.lastValue, [self], over: window), type)
    }
}

// MARK: Texts

extension Expression {
    /// Texts one behind the other.
    static func concat(_ parts: [Expression]) -> Expression { call(.concat, parts, .text) }
    var length: Expression { .call(.length, [self], .integer) }
    /// The part of a text from a place on, from 1.
    func part(from first: Expression, count: Expression? = nil) -> Expression {
        .call(.substring, [self, first] + [count].compactMap(\.self), .text)
    }
    /// Where another text occurs in this one, from 1.
    func place(of text: String) -> Expression { .call(.find, [self, .text(text)], .integer) }
    /// The whole number behind a text.
    func number(behind text: String) -> Expression {
        let rest = part(from: place(of: text) + .integer(text.unicodeScalars.count), count: .integer(20))
        return Expression.call(.match, [rest, .text("^([0-9]+)"), .integer(1)], .text).cast(.integer)
    }
    /// The texts of a group with commas between them.
    func listed(by order: [Expression]) -> Expression { .call(.listed, [self] + order, .text) }
}
