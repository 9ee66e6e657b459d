import SluiceRecords

/// The changes that the next run makes to a store so that the objects of a definition fit into it.
package struct SchemaPreview: Sendable {
    package enum Kind: String, Sendable {
        /// Something that the store lacks.
        case added
        /// Something that has another name now.
        case renamed
        /// Values that take another form.
        case converted
        /// Something that the store has and the definition has no longer: it stays as it is.
        case unfilled
        /// A contradiction that makes a run impossible.
        case refused
    }

    package struct Step: Sendable {
        package var kind: Kind
        /// A sentence without a full stop.
        package var message: String
        /// The keys that lead to the place in the definition.
        package var keys: [String]
    }

    /// In the order of the definition; contradictions last.
    package internal(set) var steps: [Step] = []
    /// Whether the server is there, and the store is not.
    package var isNew = false

    package init() {}

    package var contradictions: [Step] { steps.filter { $0.kind == .refused } }
}

extension SchemaPreview {
    /// Only contradictions, which make a run impossible.
    package init(refused contradictions: [SchemaContradiction]) {
        for contradiction in contradictions { add(.refused, contradiction.message, contradiction.keys) }
    }

    package init(_ check: SchemaCheck, _ model: Model) {
        addRenamed(check.renaming)
        addNew(check, model)
        addConverted(check, model)
        addUnfilled(check, model)
        addSearches(check, model)
        addViews(check)
        for contradiction in check.contradictions { add(.refused, contradiction.message, contradiction.keys) }
    }

    private mutating func add(_ kind: Kind, _ message: String, _ keys: [String]) {
        steps.append(Step(kind: kind, message: message, keys: keys))
    }

    private mutating func addRenamed(_ renaming: Renaming) {
        for move in renaming.tables + renaming.linkTables {
            add(.renamed, "the table \(move.from) is renamed to \(move.to)", [])
        }
        for move in renaming.columns {
            add(.renamed, "the column \(move.table).\(move.from) is renamed to \(move.to)", [])
        }
    }

    private mutating func addNew(_ check: SchemaCheck, _ model: Model) {
        for index in check.missing.tables {
            let entity = model.entities[index]
            add(.added, "the table \(entity.table) is added, for the entity \(entity.name)", ["entities", entity.name])
        }
        for (index, column) in check.missing.columns {
            let entity = model.entities[index]
            add(
                .added, "the column \(entity.table).\(column.name) is added: null in objects that are there already",
                ["entities", entity.name, SchemaPreview.member(column.name, entity), column.name])
        }
        for table in check.missing.linkTables {
            add(.added, "the table \(table.name) is added, for links of \(table.source)", [])
        }
        for table in check.missing.linkIndexes { add(.added, "an index on \(table.name)(target) is added", []) }
        for (table, value) in check.missing.linkColumns {
            add(.added, "the column \(table.name).\(value.name) is added: null in links that are there already", [])
        }
        for (index, columns) in check.missing.indexes {
            let entity = model.entities[index]
            add(
                .added, "an index on \(entity.table)(\(columns.joined(separator: ", "))) is added",
                ["entities", entity.name])
        }
    }

    private static func member(_ name: String, _ entity: Entity) -> String {
        entity.attributes.contains { $0.name.isIdentical(to: name) } ? "attributes" : "relationships"
    }

    private mutating func addConverted(_ check: SchemaCheck, _ model: Model) {
        for change in check.formChanges {
            let entity = model.entities[change.entity]
            let attribute = entity.attributes[change.attribute]
            let (old, new) = (change.conversion.from.described, change.conversion.to.described)
            let values = change.count == 1 ? "1 value is" : "\(change.count) values are"
            let work =
                change.isRewritten(check.dialect)
                ? "the table is written anew, and \(values) changed" : "no value changes"
            add(
                .converted, "\(entity.name).\(attribute.name) was \(old) and becomes \(new): \(work)",
                ["entities", entity.name, "attributes", attribute.name])
        }
    }

    // MARK: What is no longer filled

    private mutating func addUnfilled(_ check: SchemaCheck, _ model: Model) {
        for earlier in check.modelRows.earlier where !earlier.isLost {
            guard let entity = model.entities.first(where: { $0.name.isIdentical(to: earlier.name) }) else {
                let new = check.missing.tables.map { model.entities[$0].name }
                add(
                    .unfilled, "\(earlier.name) is filled no longer\(SchemaPreview.question(earlier.name, new))",
                    ["entities"])
                continue
            }
            let now = EntityDescription(entity, in: model)
            let (kept, known) = (now.parts, earlier.parts)
            for attribute in earlier.attributes where !attribute.isLost && kept[FoldedName(attribute.name)] == nil {
                let new = now.attributes.filter { known[FoldedName($0.name)] == nil }
                let alike = new.filter { $0.type == attribute.type }
                let able = alike.isEmpty ? new.filter { SchemaPreview.canBecome($0, attribute) } : alike
                addUnfilled(attribute.name, entity, "attributes", able.map(\.name))
            }
            for relationship in earlier.relationships
            where !relationship.isLost && kept[FoldedName(relationship.name)] == nil {
                let new = now.relationships.filter {
                    known[FoldedName($0.name)] == nil && $0.isMany == relationship.isMany
                        && $0.targets == relationship.targets
                }
                addUnfilled(relationship.name, entity, "relationships", new.map(\.name))
            }
            if earlier.absent == Entity.Absent.mark.rawValue, !entity.marksAbsent { addUnmarked(entity) }
        }
    }

    private mutating func addUnfilled(_ name: String, _ entity: Entity, _ key: String, _ new: [String]) {
        add(
            .unfilled,
            "\(entity.name).\(name) is filled no longer, and stays as it is\(SchemaPreview.question(name, new))",
            ["entities", entity.name, key])
    }

    private mutating func addUnmarked(_ entity: Entity) {
        add(
            .unfilled,
            "\(entity.name).\(Entity.deletedAt) is filled no longer: an object that is marked as absent stays so, though the"
                + " feed has it again",
            ["entities", entity.name])
    }

    private static func canBecome(_ new: EntityDescription.Attribute, _ old: EntityDescription.Attribute) -> Bool {
        guard let from = old.form, let to = new.form else { return false }
        return FormConversion(from: from, to: to) != nil
    }

    /// Asks whether a part that the definition lacks now is one of the new ones under another name.
    private static func question(_ name: String, _ new: [String]) -> String {
        guard !new.isEmpty else { return "" }
        let names = new.prefix(5).joined(separator: ", ") + (new.count > 5 ? ", …" : "")
        let (verb, one) = new.count == 1 ? ("is", "it is the same") : ("are", "one of them is the same")
        return "; \(names) \(verb) new: if \(one), say \"was\": \(JSONText.quoted(name))"
    }

    // MARK: What is found otherwise

    private mutating func addSearches(_ check: SchemaCheck, _ model: Model) {
        for entity in model.entities {
            let earlier = check.modelRows.earlier.first { $0.name.isIdentical(to: entity.name) }
            addSearch(
                Entity.searchTable(of: entity.table), ["entities", entity.name, "search"], earlier?.search?.stored,
                entity.search?.stored)
            addSearch(
                Entity.placeIndex(of: entity.table), ["entities", entity.name, "near"], earlier?.place?.stored,
                entity.place?.stored)
        }
    }

    private mutating func addSearch(_ name: String, _ keys: [String], _ before: StoredJSON?, _ now: StoredJSON?) {
        if let now, now.canonicalText != before?.canonicalText {
            add(.added, "the index \(name) is made", keys)
        } else if now == nil, before != nil {
            add(.unfilled, "the index \(name) is removed, unless another pipeline has the key", Array(keys.dropLast()))
        }
    }

    private mutating func addViews(_ check: SchemaCheck) {
        for name in check.views.added { add(.added, "the view \(name) is added", ["views"]) }
        for name in check.views.removed { add(.unfilled, "the view \(name) is removed", []) }
    }
}

extension StoredForm {
    /// The type with what belongs to it, in a message.
    var described: String { EntityDescription.Attribute("", self).described }
}
