import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// The links of to-many relationships.
extension ServerRun {
    private func links(_ entity: Int, _ relationship: Int) -> Schema.LinkTable {
        schema.linkTable(of: model.entities[entity], model.entities[entity].relationships[relationship])
    }

    package func links(
        of objectIDs: [Int64], entity: Int, relationship: Int, _ values: LinkValues?,
        each: (_ source: Int64, _ link: Link) -> Void
    ) throws(Failure) {
        if objectIDs.isEmpty { return }
        let (table, names) = (links(entity, relationship), tables[entity].layout.targetNames[relationship])
        let (isPolymorphic, connection) = (table.target == nil, connection)
        let found = try rows(of: .links(entity: entity, relationship: relationship, objectIDs: objectIDs))
        for row in 0..<found.count {
            let target = isPolymorphic ? try found.target(row, 3, among: names, connection) : 0
            let reference = Reference(try found.objectID(row, 1, connection), target: target)
            let number = try values?.number(in: found, row, from: isPolymorphic ? 4 : 3, connection) ?? 0
            each(
                found.integer(row, 0), Link(reference: reference, position: found.integer(row, 2), values: number))
        }
    }

    func sendLinkQuery(_ objectIDs: [Int64], _ entity: Int, _ relationship: Int) throws(Failure) -> ServerAnswer {
        let table = links(entity, relationship)
        let columns =
            (table.target == nil ? ", target_entity" : "") + table.values.map { ", \(quoted($0.name))" }.joined()
        return try connection.sendQuery(
            """
            SELECT source, target, position\(columns) FROM \(named(table.name))
            WHERE source = ANY($1) ORDER BY source, position
            """, .integers(objectIDs))
    }

    package func insertLinks(
        _ links: [SourceLink], entity: Int, relationship: Int, _ values: LinkValues
    ) throws(Failure) {
        if links.isEmpty { return }
        if links.count <= ServerRun.mostInserted { return try insertFew(links, entity, relationship, values) }
        let (table, names) = (self.links(entity, relationship), tables[entity].layout.targetNames[relationship])
        let isPolymorphic = table.target == nil
        let forms = table.values.map { CellForm($0.conversion.stored) }
        rows.begin(columns: (isPolymorphic ? 4 : 3) + forms.count)
        for linked in links {
            let link = linked.link
            rows.appendRow { buffer in
                buffer.appendField(linked.source)
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
        try write(links, entity, relationship, values) { list in table.insertion(named(table.name), list) }
    }

    package func changeLinks(
        _ changes: [LinkChange], entity: Int, relationship: Int, _ values: LinkValues
    ) throws(Failure) {
        let all = { (links: KeyPath<LinkChange, [Link]>) in
            changes.flatMap { change in change[keyPath: links].map { SourceLink(source: change.source, link: $0) } }
        }
        let table = links(entity, relationship)
        let name = named(table.name)
        try write(all(\.removed), entity, relationship, values) { list in
            "DELETE FROM \(name) l USING \(list) WHERE \(table.condition)"
        }
        try insertLinks(all(\.added), entity: entity, relationship: relationship, values)
        try write(all(\.changed), entity, relationship, values) { list in
            "UPDATE \(name) l SET \(table.assignments) FROM \(list) WHERE \(table.condition)"
        }
    }

    /// Runs a statement on a list of links.
    private func write(
        _ links: [SourceLink], _ entity: Int, _ relationship: Int, _ values: LinkValues,
        _ sql: (_ list: String) -> String
    ) throws(Failure) {
        if links.isEmpty { return }
        let table = self.links(entity, relationship)
        let names = tables[entity].layout.targetNames[relationship]
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

// Statements on the links `l`, with a list of others, `k`.
extension Schema.LinkTable {
    /// Which link of its source it is: that to a target, or in a list that at a position.
    fileprivate var condition: String {
        if !isSet { return "l.source = k.source AND l.position = k.position" }
        return "l.source = k.source AND l.target = k.target"
            + (target == nil ? " AND l.target_entity = k.target_entity" : "")
    }

    /// - Parameter table: its name as SQL has it.
    fileprivate func insertion(_ table: String, _ list: String) -> String {
        let place = "source, target, position" + (target == nil ? ", target_entity" : "")
        let names = values.map { ", \(quoted($0.name))" }.joined()
        let given = values.indices.map { ", k.v\($0)" }.joined()
        return "INSERT INTO \(table) (\(place)\(names)) SELECT \(place)\(given) FROM \(list)"
    }

    fileprivate var assignments: String {
        let place = target == nil ? "target = k.target, target_entity = k.target_entity" : "target = k.target"
        let given = values.enumerated().map { ", \(quoted($1.name)) = k.v\($0)" }.joined()
        return (isSet ? "position = k.position" : place) + given
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
