import SluiceRecords
import SluiceSchema

/// What an object was, or is, from one run to another: see ``Store/versions(of:identifier:)``.
public struct ObjectVersion: Sendable {
    /// The run that made it so.
    public let fromRun: Int
    /// The run that ended it; nil: it is still true.
    public let toRun: Int?
    /// The names of its attributes and references, then of its to-many relationships.
    public let names: [String]
    /// Where the record stood in its file that made it so, from 1; nil: no record did, or it is not known.
    public let line: Int?
    private let values: [JSONValue]

    init(_ version: PastVersion, _ names: [String]) throws(StoreError) {
        fromRun = version.from
        toRun = version.to
        self.names = names
        line = version.at.map { Int($0.line) }
        var values: [JSONValue] = []
        for json in version.values { values.append(try JSONValue(json: json)) }
        self.values = values
    }

    /// A value by its name: of a reference, what identifies its target; of a to-many relationship, a list; of a
    /// reference to an object that is gone and whose past was forgotten, an object, `{ "unknown": true }`; nil: there
    /// is none of that name.
    public subscript(_ name: String) -> JSONValue? {
        names.firstIndex { $0.isIdentical(to: name) }.map { values[$0] }
    }
}
