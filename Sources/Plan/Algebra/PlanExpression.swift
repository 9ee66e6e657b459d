import SluiceColumns

/// A value of a query, made of columns of the rows that the query reads. Types are checked as it is made: a plan that
/// mixes them up is a defect.
package struct PlanExpression {
    indirect enum Node {
        case column(Row, PlanColumnName)
        case null
        case truth(Bool)
        case integer(Int64)
        case real(Double)
        case text(String)
        case infix(String, PlanExpression, PlanExpression)
        /// All of some conditions, or any of them.
        case joined(String, [PlanExpression])
        case not(PlanExpression)
        case isNull(PlanExpression, isNot: Bool)
        case isIn(PlanExpression, [PlanExpression])
        case cases([(condition: PlanExpression, value: PlanExpression)], otherwise: PlanExpression?)
        case cast(PlanExpression)
        case call(Function, [PlanExpression], over: PlanWindow?)
        case row([NamedExpression])
        case field(PlanExpression, PlanColumnName)
        case list([PlanExpression])
        /// Whether there is a row.
        case exists(Relation)
        /// The only value of a relation of one column and one row.
        case only(Relation)
    }

    let node: Node
    let type: PlanType

    init(_ node: Node, _ type: PlanType) {
        self.node = node
        self.type = type
    }

    func named(_ name: PlanColumnName) -> NamedExpression { NamedExpression(value: self, name: name) }
}

/// A value, and what the column is called that has it.
struct NamedExpression {
    let value: PlanExpression
    let name: PlanColumnName

    var column: PlanColumn { PlanColumn(name, value.type) }
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
struct PlanWindow {
    var partition: [PlanExpression] = []
    var order: [PlanExpression] = []
    /// Those before it alone; else, in an order, it and those before it.
    var isBefore = false
}

// MARK: Values

extension PlanExpression {
    static func null(_ type: PlanType) -> PlanExpression { PlanExpression(.null, type) }
    static func truth(_ truth: Bool) -> PlanExpression { PlanExpression(.truth(truth), .boolean) }
    static func integer(_ number: Int) -> PlanExpression { PlanExpression(.integer(Int64(number)), .integer) }
    static func real(_ number: Double) -> PlanExpression { PlanExpression(.real(number), .real) }
    static func text(_ text: String) -> PlanExpression { PlanExpression(.text(text), .text) }
    static func row(_ fields: [NamedExpression]) -> PlanExpression {
        PlanExpression(.row(fields), .row(fields.map(\.column)))
    }
    static func list(_ values: [PlanExpression]) -> PlanExpression {
        guard case .value(let kind)? = values.first?.type else { preconditionFailure("a list of no plain values") }
        return PlanExpression(.list(values), .list(kind))
    }

    /// A value of a row.
    subscript(name: PlanColumnName) -> PlanExpression {
        guard case .row(let fields) = type, let field = fields.first(where: { name == $0.name }) else {
            preconditionFailure("\(type) has no \(name.text)")
        }
        return PlanExpression(.field(self, name), field.type)
    }

    /// Without conditions, it is met.
    static func all(_ conditions: [PlanExpression]) -> PlanExpression { joined("AND", conditions, ifNone: true) }
    /// Without conditions, it is not met.
    static func any(_ conditions: [PlanExpression]) -> PlanExpression { joined("OR", conditions, ifNone: false) }

    private static func joined(_ word: String, _ conditions: [PlanExpression], ifNone: Bool) -> PlanExpression {
        for condition in conditions { condition.require(.boolean) }
        if conditions.isEmpty { return truth(ifNone) }
        return conditions.count == 1 ? conditions[0] : PlanExpression(.joined(word, conditions), .boolean)
    }

    static func cases(_ cases: [(condition: PlanExpression, value: PlanExpression)], otherwise: PlanExpression? = nil)
        -> PlanExpression
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
        return PlanExpression(.cases(cases, otherwise: otherwise), first.value.type)
    }

    /// A value where a condition is met, else another one, or null.
    static func when(_ condition: PlanExpression, _ value: PlanExpression, else other: PlanExpression? = nil)
        -> PlanExpression
    {
        cases([(condition, value)], otherwise: other)
    }

    static func coalesce(_ values: [PlanExpression]) -> PlanExpression {
        for value in values { value.require(values[0].type) }
        return values.count == 1 ? values[0] : call(.coalesce, values, values[0].type)
    }

    static func call(_ function: Function, _ arguments: [PlanExpression], _ type: PlanType) -> PlanExpression {
        PlanExpression(.call(function, arguments, over: nil), type)
    }

    func cast(_ type: PlanType) -> PlanExpression { PlanExpression(.cast(self), type) }

    fileprivate func require(_ type: PlanType) {
        precondition(self.type == type, "\(node) is \(self.type) where \(type) is meant")
    }
}

// MARK: Conditions

extension PlanExpression {
    var isNull: PlanExpression { PlanExpression(.isNull(self, isNot: false), .boolean) }
    var isNotNull: PlanExpression { PlanExpression(.isNull(self, isNot: true), .boolean) }

    /// Whether two values are not the same, null being one.
    func differs(from other: PlanExpression) -> PlanExpression { infix("IS DISTINCT FROM", self, other, .boolean) }
    func isIn(_ values: [PlanExpression]) -> PlanExpression { PlanExpression(.isIn(self, values), .boolean) }
    /// Whether a text is like a pattern, in which `%` stands for anything.
    func isLike(_ pattern: String) -> PlanExpression { infix("LIKE", self, .text(pattern), .boolean) }

    static func == (left: PlanExpression, right: PlanExpression) -> PlanExpression { infix("=", left, right, .boolean) }
    static func != (left: PlanExpression, right: PlanExpression) -> PlanExpression {
        infix("<>", left, right, .boolean)
    }
    static func < (left: PlanExpression, right: PlanExpression) -> PlanExpression { infix("<", left, right, .boolean) }
    static func > (left: PlanExpression, right: PlanExpression) -> PlanExpression { infix(">", left, right, .boolean) }
    static func >= (left: PlanExpression, right: PlanExpression) -> PlanExpression {
        infix(">=", left, right, .boolean)
    }
    static func <= (left: PlanExpression, right: PlanExpression) -> PlanExpression {
        infix("<=", left, right, .boolean)
    }
    static func && (left: PlanExpression, right: PlanExpression) -> PlanExpression { all([left, right]) }
    static func || (left: PlanExpression, right: PlanExpression) -> PlanExpression { any([left, right]) }
    static prefix func ! (condition: PlanExpression) -> PlanExpression {
        condition.require(.boolean)
        return PlanExpression(.not(condition), .boolean)
    }
}

// MARK: Numbers

extension PlanExpression {
    static func + (left: PlanExpression, right: PlanExpression) -> PlanExpression { infix("+", left, right, left.type) }
    static func - (left: PlanExpression, right: PlanExpression) -> PlanExpression { infix("-", left, right, left.type) }
    static func * (left: PlanExpression, right: PlanExpression) -> PlanExpression { infix("*", left, right, left.type) }
    static func / (left: PlanExpression, right: PlanExpression) -> PlanExpression { infix("/", left, right, left.type) }
    static func & (left: PlanExpression, right: PlanExpression) -> PlanExpression { infix("&", left, right, left.type) }
    static prefix func - (number: PlanExpression) -> PlanExpression { .integer(0) - number }
    var roundedDown: PlanExpression { .call(.floor, [self], type) }
    var roundedUp: PlanExpression { .call(.ceil, [self], type) }

    /// How many rows there are, or meet a condition.
    static func count(where condition: PlanExpression? = nil) -> PlanExpression {
        call(.count, condition.map { [.when($0, .integer(1))] } ?? [], .integer)
    }
    var countDistinct: PlanExpression { .call(.countDistinct, [self], .integer) }
    var sum: PlanExpression { .call(.sum, [self], .integer) }
    var min: PlanExpression { .call(.min, [self], type) }
    var max: PlanExpression { .call(.max, [self], type) }

    private static func infix(
        _ word: String, _ left: PlanExpression, _ right: PlanExpression, _ type: PlanType
    ) -> PlanExpression {
        right.require(left.type)
        return PlanExpression(.infix(word, left, right), type)
    }
    fileprivate func infix(
        _ word: String, _ left: PlanExpression, _ right: PlanExpression, _ type: PlanType
    ) -> PlanExpression { PlanExpression.infix(word, left, right, type) }
}

// MARK: Windows

extension PlanExpression {
    static func rowNumber(_ window: PlanWindow) -> PlanExpression {
        PlanExpression(.call(.rowNumber, [], over: window), .integer)
    }

    /// A function of a group, of the rows of a window.
    func over(_ window: PlanWindow) -> PlanExpression {
        guard case .call(let function, let arguments, nil) = node else { preconditionFailure("\(node) is no call") }
        return PlanExpression(.call(function, arguments, over: window), type)
    }
    /// Of the first row.
    func first(in window: PlanWindow) -> PlanExpression {
        PlanExpression(.call(.firstValue, [self], over: window), type)
    }
    /// The last one that is not null of the rows before one.
    func lastBefore(in window: PlanWindow) -> PlanExpression {
        var window = window
        window.isBefore = true
        return PlanExpression(.call(.lastValue, [self], over: window), type)
    }
}

// MARK: Texts

extension PlanExpression {
    /// Texts one behind the other.
    static func concat(_ parts: [PlanExpression]) -> PlanExpression { call(.concat, parts, .text) }
    var length: PlanExpression { .call(.length, [self], .integer) }
    /// The part of a text from a place on, from 1.
    func part(from first: PlanExpression, count: PlanExpression? = nil) -> PlanExpression {
        .call(.substring, [self, first] + [count].compactMap(\.self), .text)
    }
    /// Where another text occurs in this one, from 1.
    func place(of text: String) -> PlanExpression { .call(.find, [self, .text(text)], .integer) }
    /// The whole number behind a text.
    func number(behind text: String) -> PlanExpression {
        let rest = part(from: place(of: text) + .integer(text.unicodeScalars.count), count: .integer(20))
        return PlanExpression.call(.match, [rest, .text("^([0-9]+)"), .integer(1)], .text).cast(.integer)
    }
    /// The texts of a group with commas between them.
    func listed(by order: [PlanExpression]) -> PlanExpression { .call(.listed, [self] + order, .text) }
}
