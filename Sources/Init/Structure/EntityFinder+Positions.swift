import SluiceDefinition
import SluiceRecords

// Lists whose positions have a meaning: points, and records that are lists.
extension EntityFinder {
    /// Whether a list has the coordinates of a point, as GeoJSON writes it: nothing else is beside it.
    func isPoint(_ list: Int32) -> Bool {
        let element = tree[list].element
        guard tree.name(list) == "coordinates", element >= 0,
            tree[element].counts.numbers >= 2 * tree[list].counts.arrays,
            tree[element].counts.numbers == tree[element].counts.values,
            let type = tree.members(of: tree[list].parent).first(where: { tree.name($0) == "type" }),
            let facts = tree.factsOf(type), facts.sketch.count == 1
        else { return false }
        let point = Array("Point".utf8)
        return unsafe point.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.map { unsafe facts.sketch.contains(ValueFingerprint.of($0, bytes.count)) } ?? false
        }
    }

    func addPoint(_ list: Int32, _ path: [String], _ entity: DraftEntity) {
        let element = tree[list].element
        let hasAltitude = tree[element].counts.numbers == 3 * tree[list].counts.arrays
        let names = ["longitude", "latitude"] + (hasAltitude ? ["altitude"] : [])
        for (index, name) in names.enumerated() {
            var place = tree[element]
            place.owners = tree[list].owners
            place.counts.nulls = tree[list].counts.nulls
            append(column(.item(path, name, index), .scalar, at: element, of: place, entity))
        }
    }

    /// The elements of a record that is a list.
    mutating func addPositions(of record: Int32, _ entity: DraftEntity) {
        let members = tree.members(of: record)
        entity.omissions.hasHeader = tree[record].positions.hasHeader
        let list = tree[record].parent
        let around = list >= 0 ? tree[list].parent : -1
        let titles: [String]?
        if entity.omissions.hasHeader {
            titles = self.titles?.header(of: record)
            entity.titles = ListTitles(tree.steps(to: list), first: titles)
        } else {
            let found = self.titles?.titles(members.count, tree, in: around)
            titles = found?.texts
            if let found, TitleLog.isOnce(found.node, tree) {
                entity.titles = ListTitles(tree.steps(to: found.node), found.texts)
            }
        }
        for member in members {
            guard let position = tree.position(of: member) else { continue }
            addPosition(member, position, titles.flatMap { position < $0.count ? $0[position] : nil }, entity)
        }
    }

    private mutating func addPosition(_ member: Int32, _ position: Int, _ title: String?, _ entity: DraftEntity) {
        let place = tree[member]
        let isScalar = place.counts.areScalars
        let steps = entity.place.steps + [.position(position)]
        if !isScalar, hasObjects(place.counts.arrays > 0 ? place.element : place.anyMember) {
            return visit(member, steps, entity)
        }
        let origin = DraftColumn.Origin.item([], title ?? "column\(position)", position)
        append(column(origin, isScalar ? .scalar : .json, at: member, entity))
    }
}
