import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// The links of to-many relationships.
extension PostgreSQLStore {
    private func links(_ entity: Int, _ relationship: Int) -> Schema.LinkTable {
        schema.linkTable(of: model.entities[entity], model.entities[entity].relationships[relationship])
    }

    package func links(
        of objectIDs: [Int64], entity: Int, relationship: Int, _ values: LinkValues?,
        each: (_ source: Int64, _ link: Link) -> Void
    ) throws(Failure) {
        if objectIDs.isEmpty { return }
        let (table, names) = (links(entity, relationship), tables[entity].targetNames[relationship])
        let isPolymorphic = table.target == nil
        let found = try rows(of: .links(entity: entity, relationship: relationship, objectIDs: objectIDs))
        for row in 0..<found.count {
            let target = isPolymorphic ? try found.target(row, 3, among: names, connection) : 0
            let reference = Reference(try found.objectID(row, 1, connection), target: target)
            let number = try values?.number(in: found, row, from: isPolymorphic ? 4 : 3, connection) ?? 0
            each(
                found.integer(row, 0), Link(reference: reference, position: found.integer(row, 2), values: number))
        }
    }

    func askForLinks(_ objectIDs: [Int64], _ entity: Int, _ relationship: Int) throws(Failure) -> ServerAnswer {
        let table = links(entity, relationship)
        let columns =
            (table.target == nil ? ", target_entity" : "") + table.values.map { ", \(quoted($0.name))" }.joined()
        return try connection.ask(
            """
            SELECT source, target, position\(columns) FROM \(named(table.name))
            WHERE source = ANY($1) ORDER BY source, position
            """, .integers(objectIDs))
    }

    package func insertLinks(
        _ links: [SourceLink], entity: Int, relationship: Int, _ values: LinkValues
    ) throws(Failure) {
        if links.isEmpty { return }
        if links.count <= PostgreSQLStore.mostInserted { return try insertFew(links, entity, relationship, values) }
        let (table, names) = (self.links(entity, relationship), tables[entity].targetNames[relationship])
        let isPolymorphic = table.target == nil
        let forms = table.values.map { CellForm($0.conversion.stored) }
        rows.begin(columns: (isPolymorphic ? 4 : 3) + forms.count)
        for link in links {
            rows.appendRow { buffer in
                buffer.appendField(link.source)
                buffer.appendField(link.reference.objectID)
                buffer.appendField(link.position)
                if isPolymorphic { buffer.appendField(names[link.reference.target]) }
                for (column, form) in forms.enumerated() {
                    unsafe form.append(values.cell(link.values, column), values.arena.base, to: &buffer)
                }
            }
        }
        rows.end()
        let columns = (isPolymorphic ? ", target_entity" : "") + table.values.map { ", \(quoted($0.name))" }.joined()
        try connection.copy(
            "COPY \(named(table.name)) (source, target, position\(columns)) FROM STDIN (FORMAT binary)", rows,
            check: connection.writing(links.count, to: table.name))
    }

    private func insertFew(
        _ links: [SourceLink], _ entity: Int, _ relationship: Int, _ values: LinkValues
    ) throws(Failure) {
        let table = self.links(entity, relationship)
        let links = links.map { link in
            ChangedLink(
                source: link.source,
                link: Link(reference: link.reference, position: link.position, values: link.values))
        }
        try write(links, entity, relationship, values) { list in
            ChangedLink.insertion(table, named(table.name), list)
        }
    }

    package func changeLinks(
        _ changes: [LinkChange], entity: Int, relationship: Int, _ values: LinkValues
    ) throws(Failure) {
        let removed = changes.flatMap { change in change.removed.map { ChangedLink(source: change.source, link: $0) } }
        let changed = changes.flatMap { change in change.changed.map { ChangedLink(source: change.source, link: $0) } }
        let added = changes.flatMap { change in
            change.added.map { link in
                SourceLink(
                    source: change.source, reference: link.reference, position: link.position, values: link.values)
            }
        }
        let table = links(entity, relationship)
        let name = named(table.name)
        try write(removed, entity, relationship, values) { list in
            "DELETE FROM \(name) l USING \(list) WHERE \(ChangedLink.condition(table))"
        }
        try insertLinks(added, entity: entity, relationship: relationship, values)
        try write(changed, entity, relationship, values) { list in
            "UPDATE \(name) l SET \(ChangedLink.assignments(table)) FROM \(list) WHERE \(ChangedLink.condition(table))"
        }
    }

    /// A link with the object that has it, whatever is to be done with it.
    private struct ChangedLink {
        var source: Int64
        var link: Link

        /// Which link of its source it is: that to a target, or in a list that at a position.
        static func condition(_ table: Schema.LinkTable) -> String {
            if !table.isSet { return "l.source = k.source AND l.position = k.position" }
            return "l.source = k.source AND l.target = k.target"
                + (table.target == nil ? " AND l.target_entity = k.target_entity" : "")
        }

        static func insertion(_ table: Schema.LinkTable, _ name: String, _ list: String) -> String {
            let place = "source, target, position" + (table.target == nil ? ", target_entity" : "")
            let names = table.values.map { ", \(quoted($0.name))" }.joined()
            let values = table.values.indices.map { ", k.v\($0)" }.joined()
            return "INSERT INTO \(name) (\(place)\(names)) SELECT \(place)\(values) FROM \(list)"
        }

        static func assignments(_ table: Schema.LinkTable) -> String {
            let place = table.target == nil ? "target = k.target, target_entity = k.target_entity" : "target = k.target"
            let values = table.values.enumerated().map { ", \(quoted($1.name)) = k.v\($0)" }.joined()
            return (table.isSet ? "position = k.position" : place) + values
        }
    }

    /// Runs a statement on a list of links.
    private func write(
        _ links: [ChangedLink], _ entity: Int, _ relationship: Int, _ values: LinkValues,
        _ sql: (_ list: String) -> String
    ) throws(Failure) {
        if links.isEmpty { return }
        let table = self.links(entity, relationship)
        let names = tables[entity].targetNames[relationship]
        parameters.removeAll()
        parameters.addList(links.map(\.source))
        parameters.addList(links.map(\.link.reference.objectID))
        parameters.addList(links.map(\.link.position))
        parameters.addList(links.map { names[$0.link.reference.target] })
        for (column, value) in table.values.enumerated() {
            let form = CellForm(value.conversion.stored)
            parameters.addList(of: form.type, links.count) { buffer, index in
                unsafe form.append(
                    values.cell(links[index].link.values, column), values.arena.base, to: &buffer)
            }
        }
        let types = table.values.enumerated().map { ", $\(5 + $0)::\(ServerType($1.conversion.stored).name)[]" }
        let columns = table.values.indices.map { ", v\($0)" }
        try connection.write(
            sql(
                "unnest($1, $2, $3, $4\(types.joined())) k(source, target, position, target_entity\(columns.joined()))"),
            parameters, check: connection.writing(links.count, to: table.name))
    }
}

extension LinkValues {
    /// The number of the values in some columns of a row.
    func number(
        in rows: ServerRows, _ row: Int, from column: Int, _ connection: ServerConnection
    ) throws(Failure) -> Int32 {
        if columns.isEmpty { return 0 }
        var own = Arena(capacity: 256)
        defer { own.deallocate() }
        var cells: [Cell] = []
        for (index, value) in columns.enumerated() {
            if rows.isNull(row, column + index) {
                cells.append(.null)
                continue
            }
            let form = CellForm(value.conversion.stored)
            guard let cell = unsafe form.cell(rows.bytes(row, column + index), in: &own) else {
                throw connection.damage("\(value.name) of a link has a value that sluice has not written")
            }
            cells.append(cell)
        }
        return number(of: cells, own)
    }
}
