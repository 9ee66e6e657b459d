import SluiceRecords

/// A `ValueRule` ready for evaluation. Trivial: literals, patterns and maps are meant by their index in the compiled
/// model.
struct CompiledRule: BitwiseCopyable {
    enum Origin: UInt8 {
        case slot, first, joined, element, elements, oneOrMany, oneOrMembers, oneOrWithin, constant, line, fileName
    }

    var origin: Origin
    /// The slot, or a literal, or the first of the rules that this one takes its value from; they follow one another.
    var source: Int32
    /// How many rules that are; of `oneOrMany` and its like: the other slot.
    var sourceCount: Int32 = 0
    /// Of `joined`: a literal.
    var separator: Int32 = -1
    /// Of `element` and `elements`: what these are.
    var elements: Int32 = -1
    var trims = false
    /// The literals that mean null.
    var nullIf: Int32 = 0
    var nullIfCount: Int32 = 0
    /// A pattern; negative: none. Likewise below.
    var match: Int32 = -1
    var map: Int32 = -1
    /// A literal.
    var otherwise: Int32 = -1
    /// A literal.
    var split: Int32 = -1
    /// A pattern.
    var matches: Int32 = -1
    /// A literal.
    var fallback: Int32 = -1
    /// Whether what patterns take of a number of JSON is one, too: a text has other marks.
    var keepsNumbers = false

    /// Whether values are the cells of tables, texts in which numbers and booleans are written.
    var readsTexts = false

    /// Whether anything is done to a value that is there.
    var hasSteps: Bool { changesText || nullIfCount > 0 }
    /// Whether it is changed, as a text.
    var changesText: Bool { trims || match >= 0 || map >= 0 }
}

/// An attribute.
struct CompiledColumn: BitwiseCopyable {
    enum Need: UInt8 { case optional, required, identifier }

    /// The slot, if the value is taken as it is; else negative.
    var slot: Int32
    /// The rule, elsewhere.
    var rule: Int32
    var conversion: CompiledConversion
    var need: Need
    /// Which values it may have; negative: any.
    var bounds: Int32 = -1
}

/// Which values an attribute may have: places among the bounds.
struct CompiledBounds: BitwiseCopyable {
    /// Negative: none. Likewise below.
    var min: Int32 = -1
    var max: Int32 = -1
    var oneOf: Int32 = -1
    var oneOfCount: Int32 = 0
    /// Whether texts are compared as numbers.
    var isDecimal: Bool
    /// What is expected, in words: the first of three texts of the catalog, in the order above.
    var texts: Int32
}

/// A value that others are compared with, converted: itself, or a literal that is its text.
struct CompiledBound: BitwiseCopyable {
    var cell: Cell
    var literal: Int32
}

/// A relationship.
struct CompiledRelationship: BitwiseCopyable {
    /// Its first cell in a row.
    var column: Int
    /// The first of the rules of its key; they follow one another.
    var key: Int
    var keyCount: Int
    /// How many rules there are: as many as the key has values, or as many for each way.
    var ruleCount: Int
    /// The ways to find the target, or the targets.
    var targetCount: Int
    /// The first of the conversions: of each way, or target.
    var conversions: Int
    /// The rule that names the target's entity; negative: none.
    var selector: Int
    /// The first of the literals that are the names of the targets.
    var names: Int
    var isMany: Bool
    /// What its key, its selector and its values are evaluated for; negative: for the record.
    var elements: Int
    /// What each link has of its own, and what is said of stubs: the first of the columns, and how many.
    var values: Int
    var valueCount: Int
    /// What it is to, in words: an index of the catalog.
    var reference: Int32
    /// What the cells become where there is no key: absent or null.
    var whenAbsent: Cell
    /// The slot whose value is the whole key of the only target, as it is; negative: there is more to it.
    var slot: Int

    /// The first key cell of a target.
    func keyColumn(target: Int) -> Int { column + (selector < 0 ? 0 : 1) + target * keyCount }
    var valueColumn: Int { keyColumn(target: targetCount) }
    var cellCount: Int { valueColumn - column + valueCount }
    /// Whether each way has values of its own.
    var hasWays: Bool { ruleCount > keyCount }
}

/// What `where` asks: a condition, or a test of the value of another one.
struct CompiledCondition: BitwiseCopyable {
    enum Kind: UInt8 { case equals, less, lessOrEqual, greater, greaterOrEqual, matches, type, present, all, any, not }

    var kind: Kind
    /// The slot whose value is tested; negative: that of the condition around it.
    var slot: Int
    /// The first of the literals of which one must be equal, or of the conditions in it; the pattern; the types, as
    /// bits.
    var first = 0
    /// How many literals or conditions. Of a comparison with a time, the second literal is that time in UTC.
    var count = 0
    /// Whether values are texts, which are compared with numbers and booleans as what is written in them.
    var readsTexts = false
}

/// Elements of a list: ranges of what the compiled model lists.
struct CompiledElements: BitwiseCopyable {
    /// The first of the members.
    var members: Int
    var memberCount: Int
    /// The first of the conditions.
    var conditions: Int
    var conditionCount: Int
    /// The first of the slots with values in place of the list.
    var singles: Int
    var singleCount: Int
}

/// See `Elements.Single`.
struct CompiledSingle: BitwiseCopyable {
    var slot: Int
    var takesArrays: Bool
}

struct CompiledElementMember: BitwiseCopyable {
    var slot: Int
    var places: Int
    /// In bytes of a place, see `Elements.Member`.
    var rest: Int
    var above: Int
    var makesElements: Bool
    var countsFollowing: Bool
}

/// An entity: ranges of what the compiled model lists.
struct CompiledEntity {
    var conditions: Range<Int>
    /// `deleteWhere`.
    var deletions: Range<Int>
    /// The identifying columns, from the entity's first.
    var identifier: [Int]
    var columns: Range<Int>
    var relationships: Range<Int>
    /// The names of attributes and relationships, in this order.
    var members: [String]
    /// Where the value of each attribute is looked for, if at one place.
    var paths: [String?]
}

/// A model ready for use.
final class CompiledModel {
    let entities: [CompiledEntity]
    let rules: Table<CompiledRule>
    let columns: Table<CompiledColumn>
    /// What links have of their own.
    let linkColumns: Table<CompiledColumn>
    let relationships: Table<CompiledRelationship>
    let conversions: Table<CompiledConversion>
    let conditions: Table<CompiledCondition>
    let bounds: Table<CompiledBounds>
    let boundValues: Table<CompiledBound>
    let elements: Table<CompiledElements>
    let elementMembers: Table<CompiledElementMember>
    let singles: Table<CompiledSingle>
    /// Raw cells, whose bytes are in `pool`.
    let literals: Table<Cell>
    let pool: Arena
    /// By their columns.
    let linkNames: [String]
    let patterns: [Pattern]
    let maps: [TextMap]
    let catalog: Catalog

    init(_ compiler: ModelCompiler) {
        var pool = Arena()
        entities = compiler.entities
        rules = CompiledModel.table(compiler.rules)
        columns = CompiledModel.table(compiler.columns)
        linkColumns = CompiledModel.table(compiler.linkColumns)
        relationships = CompiledModel.table(compiler.relationships)
        conversions = CompiledModel.table(compiler.conversions)
        conditions = CompiledModel.table(compiler.conditions)
        bounds = CompiledModel.table(compiler.bounds)
        boundValues = CompiledModel.table(compiler.boundValues)
        elements = CompiledModel.table(compiler.elements)
        elementMembers = CompiledModel.table(compiler.elementMembers)
        singles = CompiledModel.table(compiler.singles)
        literals = CompiledModel.table(compiler.literals.map { pool.append($0) })
        self.pool = pool
        linkNames = compiler.linkNames
        patterns = compiler.patterns
        maps = compiler.maps
        catalog = compiler.catalog
    }

    deinit {
        // Copies that share the memory: the originals cannot change.
        var (rules, columns, relationships) = (rules, columns, relationships)
        rules.deallocate()
        columns.deallocate()
        var linkColumns = linkColumns
        linkColumns.deallocate()
        relationships.deallocate()
        var (conversions, conditions, literals, pool) = (conversions, conditions, literals, pool)
        var (elements, elementMembers, singles) = (elements, elementMembers, singles)
        elements.deallocate()
        elementMembers.deallocate()
        singles.deallocate()
        conversions.deallocate()
        conditions.deallocate()
        literals.deallocate()
        pool.deallocate()
        var (bounds, boundValues) = (bounds, boundValues)
        bounds.deallocate()
        boundValues.deallocate()
    }

    private static func table<Element: BitwiseCopyable>(_ elements: [Element]) -> Table<Element> {
        let table = Table<Element>(capacity: elements.count)
        for (index, element) in elements.enumerated() { table[index] = element }
        return table
    }
}

extension Arena {
    /// Appends the value of a literal, and returns the raw cell that the reader would make of it.
    mutating func append(_ literal: Literal) -> Cell {
        switch literal {
        case .null: .null
        case .boolean(let value): Cell(kind: value ? .yes : .no)
        case .number(let text): appendText(text, kind: .number)
        case .text(let text): appendText(text, kind: .string)
        case .json(let text): appendText(text, kind: .json)
        }
    }
}
