import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The parts of a definition that a server does not take, or that sluice does not do on servers yet: they are refused
/// before anything is read.
package struct ServerLimits {
    /// Bytes of a name: the server would cut longer ones.
    private static let longestName = 63
    /// Columns that each table has of its own.
    private static let ownNames: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

    /// Whether a column can be called so.
    package static func takes(column name: String) -> Bool {
        name.utf8.count <= longestName && !ownNames.contains(name)
    }

    private let model: Model
    private(set) var contradictions: [SchemaContradiction] = []

    init(_ model: Model) {
        self.model = model
        for (entity, keys) in zip(model.entities, model.keyAttributes) { check(entity, keys: keys) }
    }

    private mutating func check(_ entity: Entity, keys keyAttributes: [Int]) {
        let keys = ["entities", entity.name]
        if entity.isOfPrograms {
            refuse("the entity \(entity.name) belongs to programs, which cannot use a store on a server yet", keys)
        }
        if entity.edits.areKept {
            refuse(
                "the entity \(entity.name) keeps what programs change, which cannot use a store on a server yet",
                keys + ["edits"])
        }
        checkName(entity.table, "the table", keys + (entity.table.isIdentical(to: entity.name) ? [] : ["table"]))
        let keepsPast = entity.keepsPast ?? model.hasPastViews
        if model.hasViews { checkName(Entity.view(of: entity.table), "the view", keys) }
        if keepsPast { checkName(Entity.pastView(of: entity.table), "the view", keys) }
        if model.hasViews || keepsPast { checkViewColumns(entity, keys) }
        checkSearch(entity, keys)
        for (index, attribute) in entity.attributes.enumerated() {
            let keys = keys + ["attributes", attribute.name]
            checkName(attribute.name, "the column", keys)
            let isKey = keyAttributes.contains(index) || attribute.isIndexed
            if ServerType(attribute.conversion.stored) == .json, isKey {
                refuse("the column \(attribute.name) is JSON, which PostgreSQL can neither compare nor index", keys)
            }
        }
        for relationship in entity.relationships {
            let keys = keys + ["relationships", relationship.name]
            if relationship.isMany {
                checkName(entity.linkTable(of: relationship), "the table", keys)
                for value in relationship.values { checkName(value.name, "the column", keys + ["with", value.name]) }
            } else {
                checkName(relationship.name, "the column", keys)
                if relationship.isPolymorphic { checkName(relationship.entityColumn, "the column", keys) }
            }
        }
    }

    private mutating func checkSearch(_ entity: Entity, _ keys: [String]) {
        if let search = entity.search {
            checkName(Entity.searchTable(of: entity.table), "the index", keys + ["search"])
            if ServerTokenizer(search.tokenizer) == nil {
                refuse(
                    "the tokenizer \(quoted(search.tokenizer)) is SQLite's alone: on a server, there are"
                        + " \(ServerTokenizer.known)", keys + ["search", "tokenize"])
            }
        }
        if entity.place != nil { checkName(Entity.placeIndex(of: entity.table), "the index", keys + ["near"]) }
    }

    /// The columns in which a view shows references have names of their own.
    private mutating func checkViewColumns(_ entity: Entity, _ keys: [String]) {
        for relationship in entity.relationships where !relationship.isMany && !relationship.isPolymorphic {
            let target = model.entities[relationship.targets[0].entity]
            let identifier = target.identifier.map { target.attributes[$0].name }
            if identifier.count == 1 { continue }
            for name in Relationship.viewColumns(of: relationship.name, identifier) {
                checkName(name, "the column", keys + ["relationships", relationship.name])
            }
        }
    }

    private mutating func checkName(_ name: String, _ what: String, _ keys: [String]) {
        if name.utf8.count > ServerLimits.longestName {
            refuse(
                "\(what) \(name) has a name of \(name.utf8.count) bytes, and PostgreSQL takes \(ServerLimits.longestName)",
                keys)
        } else if what == "the column", ServerLimits.ownNames.contains(name) {
            refuse("\(what) \(name) has a name that PostgreSQL keeps for itself", keys)
        }
    }

    private mutating func refuse(_ message: String, _ keys: [String]) {
        contradictions.append(SchemaContradiction(message: message, keys: keys))
    }
}
