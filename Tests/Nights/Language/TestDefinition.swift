import SluiceDefinition
import SluiceRecords
import TestSupport

/// A pipeline of the tests: what its definition says, in types of their own.
struct TestDefinition {
    struct Source {
        var name: String
        /// Several values a file, and not exactly one.
        var isLines: Bool
        var files: Int
        /// Rows, and what stands between their cells; nil: JSON.
        var delimiter: String?
        /// What answers instead of files.
        var service: Service?
    }

    /// A web service.
    struct Service {
        var server: FaultyService
        /// The entity for each of whose records it is asked, and the attribute in the address; nil: it has pages, and
        /// what is posted says which.
        var parent: (entity: Int, attribute: Int)?
    }

    struct Entity {
        var name: String
        /// Earlier names; likewise below.
        var was: [String] = []
        var table: String?
        var sources: [Int] = []
        var records: [TestPath] = []
        var takes: [TestCondition] = []
        var deletions: [TestCondition] = []
        var identifier: [Int] = []
        var attributes: [Attribute] = []
        var relationships: [Relationship] = []
        var mode = SluiceRecords.Entity.Mode.upsert
        var duplicates = SluiceRecords.Entity.Duplicates.last
        var absent = SluiceRecords.Entity.Absent.keep
        var within: Int?
        var orphans = SluiceRecords.Entity.Orphans.keep
        /// Whether all members of its records are attributes, but for some; nil: only those that it names.
        var open: Open?
        /// Attributes whose words are searched, and what makes words of them where that is not the usual.
        var searched: [Int] = []
        var tokenizer: String?
        /// Attributes that say where an object is.
        var place: (latitude: Int, longitude: Int)?
    }

    /// `"*": "*"`
    struct Open {
        var except: [Text]
        /// Whether each run looks for more.
        var adds: Bool
        /// Whether a run has looked for them.
        var isSettled = false
    }

    struct Attribute {
        var name: String
        var was: [String] = []
        var type: TestType
        var value: TestRule
        var isRequired = false
        var isIndexed = false
        var onAbsent = SluiceRecords.Attribute.OnAbsent.keep
        /// Whether it is a list; then its value is a path alone.
        var isMany = false
        /// The relationship of which it is a part, where that is in the identifier: the definition does not name it.
        var relationship: String?
        /// Whether it is one of those that `*` stands for.
        var isFound = false
    }

    struct LinkValue {
        var name: String
        var type: TestType
        var path: TestPath
    }

    struct Relationship {
        var name: String
        var was: [String] = []
        /// Entities, by index.
        var to: [Int]
        /// One value, or one for each part of a compound identifier; of ways, one for each.
        var key: [TestRule]
        /// By which attributes of the only entity its objects are found: `by`, where it is one; empty: by its
        /// identifier.
        var ways: [Int] = []
        var isBy = false
        var isMany = false
        var isSet = true
        /// What each link has of its own: paths from its element, which may lead out of it.
        var values: [LinkValue] = []
        /// What is said of stubs: attributes of the target, and likewise paths.
        var stub: [LinkValue] = []
        var selector: TestRule?
        var missing = SluiceRecords.Relationship.Missing.null
        var onDelete = SluiceRecords.Relationship.OnDelete.nullify
        var onAbsent = SluiceRecords.Relationship.OnAbsent.keep
    }

    var sources: [Source]
    var entities: [Entity]
    /// Whether feeds have keys twice around records.
    var repeatsGroups = false
}

indirect enum TestCondition {
    case value(TestPath, TestTest)
    case any([TestCondition])
    case not(TestCondition)

    init(path: TestPath, values: [TestLiteral]) { self = .value(path, .isOne(of: values)) }
}

/// What a condition asks of a value.
indirect enum TestTest {
    case isOne(of: [TestLiteral])
    case isLess(than: TestLiteral)
    case isAtLeast(TestLiteral)
    case isPresent(Bool)
    case hasType(String)
    case matches(TestPattern)
    case not(TestTest)
    /// Keys of one object.
    case all([TestTest])
}

enum TestLiteral: Hashable {
    case null
    case boolean(Bool)
    case number(String)
    case text(Text)
    /// An object or a list.
    case json(String)
}

/// A value, with its keys in the order in which they apply.
struct TestRule {
    indirect enum Origin {
        /// The member that is called like the attribute.
        case own(Text)
        /// A path alone, and not an object with `from`, if there is nothing else to say.
        case path(TestPath)
        case first([TestRule])
        /// `oneOrMany`, of the list at the end of a path of names.
        case oneOrMany(TestPath)
        case constant(TestLiteral)
        /// Without a separator it is the default one.
        case joined([TestRule], with: String?)
    }

    var origin: Origin
    var trims = false
    var nullIf: [TestLiteral] = []
    var match: TestPattern?
    var map: [(key: Text, value: TestLiteral)] = []
    var split: String?
    var matches: TestPattern?
    var fallback: TestLiteral?

    init(_ origin: Origin) { self.origin = origin }

    /// Whether there is nothing but a path.
    var plainPath: TestPath? {
        guard case .path(let path) = origin, !trims, nullIf.isEmpty, match == nil, map.isEmpty, split == nil,
            matches == nil, fallback == nil
        else { return nil }
        return path
    }
}

/// Patterns of which a loop knows what they match.
enum TestPattern: String, CaseIterable {
    case digits = "[0-9]+"
    case behindX = "^x(.*)$"
    case letter = "a|b|B"

    /// Each match of it, one behind the other.
    func everyMatch(_ text: Text) -> [Text] {
        let characters = text.description.unicodeScalars
        switch self {
        case .digits:
            return characters.split { !("0"..."9").contains($0) }.map { Text(String($0)) }
        case .behindX: return match(text).map { $0.utf8.isEmpty ? [] : [$0] } ?? []
        case .letter: return characters.filter { ["a", "b", "B"].contains($0) }.map { Text(String($0)) }
        }
    }

    func match(_ text: Text) -> Text? {
        let characters = text.description.unicodeScalars
        switch self {
        case .digits:
            let digits = characters.drop { !("0"..."9").contains($0) }.prefix { ("0"..."9").contains($0) }
            return digits.isEmpty ? nil : Text(String(digits))
        case .behindX:
            guard characters.first == "x", !characters.contains("\n") else { return nil }
            return Text(String(characters.dropFirst()))
        case .letter: return characters.first { ["a", "b", "B"].contains($0) }.map { Text(String($0)) }
        }
    }
}
