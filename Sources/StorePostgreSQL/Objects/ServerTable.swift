import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The table of one entity: its columns, and the statements for its rows.
@safe
final class ServerTable {
    /// A to-one relationship, and where it is among the columns behind the attributes.
    struct ReferenceColumn {
        var relationship: Int
        var place: Int
        /// The names of the entities that it may refer to.
        var targetNames: [String]
    }

    let entity: Entity
    /// With its schema, as SQL has it.
    let name: String
    /// By attribute.
    let forms: [CellForm]
    let layout: ColumnLayout
    let references: [ReferenceColumn]
    /// The objects that are read in sequence.
    var sequence = ServerSequence()

    /// The tables of all entities of a store.
    static func all(_ store: PostgreSQLStore) -> [ServerTable] {
        zip(store.model.entities, ColumnLayout.all(store.schema)).map { ServerTable($0, $1, in: store.namespace) }
    }

    private init(_ entity: Entity, _ layout: ColumnLayout, in namespace: ServerNamespace) {
        self.entity = entity
        self.layout = layout
        name = namespace.named(entity.table)
        forms = entity.attributes.map { CellForm($0.conversion.stored) }
        references = layout.referencePlaces.enumerated().compactMap { relationship, place in
            place.map {
                ReferenceColumn(
                    relationship: relationship, place: $0, targetNames: layout.targetNames[relationship])
            }
        }
    }

    // MARK: Statements

    private var identifier: [String] { entity.identifier.map { quoted(entity.attributes[$0].name) } }

    /// objectID and all columns, as `RowComparison` reads them.
    private var selection: String {
        (["t.\"objectID\""] + layout.columns.map { "t." + quoted($0.name) }).joined(separator: ", ")
    }

    private func keys(_ attributes: [Int]) -> (lists: String, names: String, condition: String) {
        let types = attributes.map { forms[$0].type.name }
        let lists = types.enumerated().map { "$\($0 + 1)::\($1)[]" }.joined(separator: ", ")
        let names = attributes.indices.map { "k\($0)" }.joined(separator: ", ")
        let condition = attributes.enumerated().map { place, attribute in
            "t.\(quoted(entity.attributes[attribute].name)) = k.k\(place)"
        }.joined(separator: " AND ")
        return (lists, names, condition)
    }

    /// The place of the key, from 1, objectID and all columns of the objects with one of a list of identifiers.
    private(set) lazy var find: String = {
        let keys = keys(entity.identifier)
        return "SELECT k.o, \(selection) FROM unnest(\(keys.lists)) WITH ORDINALITY k(\(keys.names), o)"
            + " JOIN \(name) t ON \(keys.condition)"
    }()

    /// Likewise, of the objects behind one objectID and up to another, in their order, with 0 as the place.
    private(set) lazy var range: String =
        "SELECT 0::bigint, \(selection) FROM \(name) t WHERE t.\"objectID\" > $1 AND t.\"objectID\" <= $2"
        + " ORDER BY t.\"objectID\" LIMIT $3"

    /// The place of the key, from 1, and the objectID of the objects with some keys.
    func lookUp(_ attributes: [Int]) -> String {
        let keys = keys(attributes)
        return "SELECT k.o, t.\"objectID\" FROM unnest(\(keys.lists)) WITH ORDINALITY k(\(keys.names), o)"
            + " JOIN \(name) t ON \(keys.condition)"
    }

    /// The place, from 1, and the references of objects.
    private(set) lazy var findReferences: String = {
        let names = layout.columns[entity.attributes.count...].map { "t." + quoted($0.name) }
        return "SELECT \((["k.o"] + names).joined(separator: ", ")) FROM unnest($1::bigint[]) WITH ORDINALITY k(id, o)"
            + " JOIN \(name) t ON t.\"objectID\" = k.id"
    }()

    private(set) lazy var copy: String = {
        let names = (["objectID"] + layout.columns.map(\.name)).map(quoted).joined(separator: ", ")
        return "COPY \(name) (\(names)) FROM STDIN (FORMAT binary)"
    }()

    /// As `copy`, from lists: objectIDs, attributes, references. Nothing new is marked.
    private(set) lazy var insert: String = {
        let unmarked = layout.markPlace == nil ? layout.columns[...] : layout.columns.dropLast()
        let names = (["objectID"] + unmarked.map(\.name)).map(quoted).joined(separator: ", ")
        let types =
            ["bigint"] + forms.map(\.type.name)
            + references.flatMap { $0.targetNames.count > 1 ? ["bigint", "text"] : ["bigint"] }
        let lists = types.enumerated().map { "$\($0 + 1)::\($1)[]" }.joined(separator: ", ")
        return "INSERT INTO \(name) (\(names)) SELECT * FROM unnest(\(lists))"
    }()

    func type(of written: WrittenColumn) -> ServerType {
        switch written {
        case .attribute(let attribute): forms[attribute].type
        case .reference: .bigint
        case .targetName: .text
        case .mark: .timestamp
        }
    }
}

extension ServerRows {
    /// An objectID. What a store holds was perhaps not written by sluice.
    @inline(__always)
    func objectID(_ row: Int, _ column: Int, _ connection: ServerConnection) throws(Failure) -> Int64 {
        let objectID = integer(row, column)
        guard objectID > 0, objectID <= Reference.highestStored else {
            throw connection.damage(
                "\(objectID) stands where an objectID should, which go from 1 to \(Reference.highestStored)")
        }
        return objectID
    }

    /// The index of the entity that a column names, among those that a relationship leads to.
    func target(
        _ row: Int, _ column: Int, among names: [String], _ connection: ServerConnection
    ) throws(Failure) -> Int {
        let name = text(row, column)
        guard let target = names.firstIndex(where: { $0.isIdentical(to: name) }) else {
            throw connection.damage(
                "\"\(name)\" stands where one of these should: \(names.joined(separator: ", "))")
        }
        return target
    }

    /// A place in a feed, as the seven columns of the waiting list from `first` on have it.
    func feedPosition(_ row: Int, from first: Int) -> FeedPosition {
        FeedPosition(columns: { integer(row, first + $0) }, path: text(row, first + FeedPosition.columns.count))
    }
}

extension ServerConnection {
    /// What a store that was there before holds cannot be what sluice has written.
    func damage(_ what: String) -> Failure { Failure(.io, "the store \(name) is damaged: \(what)") }
}
