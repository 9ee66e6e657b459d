import SluiceRecords
import SluiceSchema

/// What a store should hold, kept naively: dictionaries, one record at a time, references by value.
package struct ModelStore {
    /// An object as its records left it: what a reference refers to may be there or not.
    package struct Object: Equatable {
        var attributes: [TestValue]
        /// By relationship: the keys of its references, each with its place; at most one where it is to-one.
        var references: [[Key]]
        /// Whether it is marked as deleted.
        var isMarked = false
    }

    /// The cells of one reference, as `RowLayout` has them.
    package struct Key: Hashable {
        var cells: [TestValue]
        var position: Int
        /// What the link has of its own.
        var values: [TestValue] = []
        /// What the record says of the target, if that is a stub.
        var said: [TestValue] = []
        /// What an earlier run found: a reference that was resolved stays what it is until a record restates it.
        var found: Target?
    }

    package struct Target: Hashable {
        var entity: Int
        var key: [TestValue]
    }

    /// An object as the store shows it.
    struct Shown: Equatable {
        var attributes: [TestValue]
        var links: [[ShownLink]]
        var isMarked: Bool
    }

    struct ShownLink: Hashable {
        var entity: Int
        var key: [TestValue]
        var position: Int
        var values: [TestValue] = []
    }

    package typealias Objects = [[[TestValue]: Object]]

    /// Its modes may change from run to run, and the types of attributes to others in which all values have equals.
    package var model: Model {
        didSet {
            convert(from: oldValue)
            extend()
        }
    }
    /// By entity and identifier.
    package private(set) var objects: Objects
    /// Of the last run.
    package private(set) var counts: [EntityCounts] = []
    /// The duplicates of the last run.
    package private(set) var copies: Set<Copy> = []

    package init(_ model: Model) {
        self.model = model
        objects = model.entities.map { _ in [:] }
    }

    /// Gives objects the attributes and relationships that entities have got.
    private mutating func extend() {
        for (index, entity) in model.entities.enumerated() {
            for (key, object) in objects[index] {
                let lacking = entity.attributes.count - object.attributes.count
                if lacking > 0 { objects[index][key]?.attributes += Array(repeating: .null, count: lacking) }
                let unknown = entity.relationships.count - object.references.count
                if unknown > 0 { objects[index][key]?.references += Array(repeating: [], count: unknown) }
            }
        }
    }

    /// Gives the values of attributes that have another type the form that they have in it.
    private mutating func convert(from old: Model) {
        for (index, entity) in old.entities.enumerated() {
            for (place, attribute) in entity.attributes.enumerated() {
                let forms = (attribute.conversion.stored, model.entities[index].attributes[place].conversion.stored)
                guard forms.0 != forms.1 else { continue }
                for (key, object) in objects[index] {
                    let value = object.attributes[place]
                    objects[index][key]?.attributes[place] = value.converted(from: forms.0, to: forms.1) ?? value
                }
            }
        }
    }

    package func attributeCount(of entity: Int) -> Int { model.entities[entity].attributes.count }

    /// Whether all values of an attribute have equals in another type.
    package func converts(_ entity: Int, _ attribute: Int, to form: StoredForm) -> Bool {
        let old = model.entities[entity].attributes[attribute].conversion.stored
        guard old == form || FormConversion(from: old, to: form) != nil else { return false }
        return objects[entity].values.allSatisfy { object in
            let value = object.attributes[attribute]
            return value == .null || value.converted(from: old, to: form) != nil
        }
    }

    /// Gives all objects of an entity whose attribute has a value another one, as a program does.
    package mutating func edit(_ entity: Int, _ attribute: Int, from old: TestValue, to new: TestValue) {
        for (key, object) in objects[entity] where object.attributes[attribute] == old {
            objects[entity][key]?.attributes[attribute] = new
        }
    }

    /// Objects of which only the identifier is known.
    private var stubs: Set<ObjectKey> = []

    private struct ObjectKey: Hashable {
        var entity: Int
        var key: [TestValue]
    }

    /// What a run has met so far.
    private struct Met {
        /// Objects with an accepted record.
        var objects: Set<ObjectKey> = []
        /// Those of which a record says what they are like.
        var described: Set<ObjectKey> = []
        /// Objects whose record, the last that counts, says that they are gone.
        var gone: Set<ObjectKey> = []
        /// Objects in the feed, rejected and skipped records included.
        var present: Set<ObjectKey> = []
        /// Entities with rejects that may be of any object.
        var hidesAbsent: Set<Int> = []
        /// The relationships that an object's records state.
        var stated: Set<StatedKey> = []
        /// Where the first accepted record of an object stands.
        var firsts: [ObjectKey: Int] = [:]
        /// Objects that the run deleted.
        var deleted: Set<ObjectKey> = []
        /// What the copies of an object say.
        var told: [ObjectKey: Told] = [:]
        /// What references say of stubs.
        var said: [Said] = []
    }

    /// What a reference says of its target, if that is a stub.
    private struct Said {
        /// That of the record, the entity, the relationship, and the place in it.
        var place: [Int]
        var relationship: Relationship
        var key: Key
    }

    /// The object that some copies of a feed would make of nothing.
    private struct Told: Equatable {
        var attributes: [TestValue]
        var references: [[Key]]
        var isGone = false

        init(_ entity: Entity) {
            attributes = entity.attributes.map { _ in .null }
            references = entity.relationships.map { _ in [] }
        }
    }

    /// A later copy of a record, and the first.
    package struct Copy: Hashable {
        package var at: Int
        package var first: Int

        package init(at: Int, first: Int) {
            self.at = at
            self.first = first
        }
    }

    private struct StatedKey: Hashable {
        var object: ObjectKey
        var relationship: Int
    }

    private var met = Met()

    /// Runs a feed.
    ///
    /// - Parameter hidden: the entities of which the feed may have records that nobody sees.
    package mutating func run(_ feed: [TestRecord], hidden: Set<Int> = []) {
        let records = feed.indices.map { number in
            var record = feed[number]
            record.number = number
            return record
        }
        copies = []
        let before = objects
        let stubsBefore = stubs
        counts = model.entities.map { EntityCounts(relationships: $0.relationships.count) }
        met = Met()
        met.hidesAbsent = hidden
        for record in records { note(record) }
        for record in records where !isCandidate(record) { take(record, before, stubsBefore) }
        delete(before, stubsBefore)
        for record in withTargets(records.filter(isCandidate)) { take(record, before, stubsBefore) }
        createStubs()
        for key in met.objects { count(key, before, stubsBefore) }
        countReferences(before)
        describeStubs()
        fixReferences()
        deleteOrphans(stubsBefore)
        countChangedStubs(before, stubsBefore)
    }

    /// Counts the stubs of earlier runs of which references say something else, or that are marked no longer.
    private mutating func countChangedStubs(_ before: Objects, _ stubsBefore: Set<ObjectKey>) {
        for stub in stubsBefore.intersection(stubs).subtracting(met.deleted) {
            guard let old = before[stub.entity][stub.key], let new = objects[stub.entity][stub.key],
                old.attributes != new.attributes || old.isMarked && !new.isMarked
            else { continue }
            counts[stub.entity].changedStubs += 1
        }
    }

    /// Stubs of earlier runs that nothing refers to any more; those to which something refers again have no mark.
    private mutating func deleteOrphans(_ stubsBefore: Set<ObjectKey>) {
        let referred = Set(
            objects.joined().flatMap { $0.value.references.joined() }.compactMap { key in
                key.found.map { ObjectKey(entity: $0.entity, key: $0.key) }
            })
        let old = stubsBefore.intersection(stubs)
        for stub in old.intersection(referred) { objects[stub.entity][stub.key]?.isMarked = false }
        for stub in old.subtracting(referred).subtracting(met.present)
        where model.entities[stub.entity].absence.orphans == .delete && !met.hidesAbsent.contains(stub.entity) {
            guard let object = objects[stub.entity][stub.key] else { continue }
            if model.entities[stub.entity].absence.choice == .mark {
                if !object.isMarked { counts[stub.entity].deleted += 1 }
                objects[stub.entity][stub.key]?.isMarked = true
            } else {
                counts[stub.entity].deleted += 1
                objects[stub.entity][stub.key] = nil
                stubs.remove(stub)
            }
        }
    }

    private mutating func note(_ record: TestRecord) {
        let key = model.entities[record.entity].identifier.map { record.values[$0] }
        counts[record.entity].records += 1
        met.present.insert(ObjectKey(entity: record.entity, key: key))
        if record.status == .rejected, key.contains(where: { $0 == .absent || $0 == .null }) {
            met.hidesAbsent.insert(record.entity)
        }
    }

    /// Whether a record is loaded only if it has its targets.
    private func isCandidate(_ record: TestRecord) -> Bool {
        record.status == .complete && model.entities[record.entity].relationships.contains { $0.missing == .reject }
    }

    /// The records that have what they need, be it from one another; the others are rejected.
    private mutating func withTargets(_ candidates: [TestRecord]) -> [TestRecord] {
        var left = candidates
        while true {
            var all = objects
            for record in left where model.entities[record.entity].mode != .update {
                let key = model.entities[record.entity].identifier.map { record.values[$0] }
                if all[record.entity][key] == nil { all[record.entity][key] = Object(attributes: [], references: []) }
            }
            let having = left.filter { !lacksTarget($0, all) }
            for record in left where lacksTarget(record, all) { counts[record.entity].rejected += 1 }
            if having.count == left.count { return left }
            left = having
        }
    }

    private func lacksTarget(_ record: TestRecord, _ all: Objects) -> Bool {
        let entity = model.entities[record.entity]
        return entity.relationships.enumerated().contains { index, relationship in
            relationship.missing == .reject
                && (keys(record, entity, relationship, index) ?? []).contains { target(relationship, $0, all) == nil }
        }
    }

    private mutating func take(_ record: TestRecord, _ before: Objects, _ stubsBefore: Set<ObjectKey>) {
        let entity = model.entities[record.entity]
        let key = entity.identifier.map { record.values[$0] }
        let objectKey = ObjectKey(entity: record.entity, key: key)
        let old = objects[record.entity][key]
        let wasThere = before[record.entity][key] != nil
        if record.status == .rejected {
            counts[record.entity].rejected += 1
            return
        }
        if entity.mode == .insert && wasThere && !stubsBefore.contains(objectKey)
            || entity.mode == .update && old == nil
        {
            counts[record.entity].skipped += 1
            return
        }
        let isFirst = met.objects.insert(objectKey).inserted
        if !isFirst, entity.duplicates == .reject {
            counts[record.entity].rejected += 1
            return
        }
        if let first = met.firsts[objectKey] {
            copies.insert(Copy(at: record.number, first: first))
        } else {
            met.firsts[objectKey] = record.number
        }
        tell(record, objectKey)
        if record.status == .gone {
            if isFirst || entity.duplicates == .last { met.gone.insert(objectKey) }
            return
        }
        let isApplied = isFirst || entity.duplicates == .last
        let new = apply(record, to: old)
        if isApplied {
            objects[record.entity][key] = new
            met.gone.remove(objectKey)
            for relationship in entity.relationships.indices
            where keys(record, entity, entity.relationships[relationship], relationship) != nil {
                met.stated.insert(StatedKey(object: objectKey, relationship: relationship))
            }
        }
        if isApplied {
            stubs.remove(objectKey)
            met.described.insert(objectKey)
            noteSaid(record)
        }
    }

    private mutating func noteSaid(_ record: TestRecord) {
        let entity = model.entities[record.entity]
        for (index, relationship) in entity.relationships.enumerated() where !relationship.stub.isEmpty {
            for key in keys(record, entity, relationship, index) ?? []
            where key.said.contains(where: { $0 != .null && $0 != .absent }) {
                met.said.append(
                    Said(
                        place: [record.place, record.entity, index, key.position], relationship: relationship, key: key)
                )
            }
        }
    }

    /// Gives stubs what the first reference says of them that says anything.
    private mutating func describeStubs() {
        var done: Set<ObjectKey> = []
        for said in met.said.sorted(by: { $0.place.lexicographicallyPrecedes($1.place) }) {
            guard let target = target(said.relationship, said.key, objects) else { continue }
            let stub = ObjectKey(entity: target.entity, key: target.key)
            guard stubs.contains(stub), done.insert(stub).inserted else { continue }
            for (attribute, value) in zip(said.relationship.stub, said.key.said)
            where value != .null && value != .absent {
                let index = model.entities[stub.entity].attributes.firstIndex { Text($0.name) == Text(attribute.name) }
                if let index { objects[stub.entity][stub.key]?.attributes[index] = value }
            }
        }
    }

    /// Notes what a record says of its object, and compares a later copy with what those before it said.
    private mutating func tell(_ record: TestRecord, _ key: ObjectKey) {
        let entity = model.entities[record.entity]
        let before = met.told[key]
        var told = before ?? Told(entity)
        told.isGone = record.status == .gone
        if !told.isGone {
            for (index, attribute) in entity.attributes.enumerated()
            where record.values[index] != .absent || attribute.onAbsent == .null {
                told.attributes[index] = record.values[index] == .absent ? .null : record.values[index]
            }
            for (index, relationship) in entity.relationships.enumerated() {
                guard let keys = keys(record, entity, relationship, index) else { continue }
                var met: Set<[TestValue]> = []
                told.references[index] = keys.filter { !relationship.isSet || met.insert($0.cells).inserted }
                // What is said of others is not what the object is.
                for place in told.references[index].indices { told.references[index][place].said = [] }
            }
        }
        if before == told {
            counts[record.entity].identical += 1
        } else if before != nil {
            counts[record.entity].conflicting += 1
        }
        if before == nil || entity.duplicates == .last { met.told[key] = told }
    }

    // MARK: Deleting

    private mutating func delete(_ before: Objects, _ stubsBefore: Set<ObjectKey>) {
        for key in met.described.subtracting(met.gone) { objects[key.entity][key.key]?.isMarked = false }
        var doomed = Array(met.gone)
        for (index, entity) in model.entities.enumerated() where entity.absence.choice != .keep {
            for (key, object) in before[index] {
                let objectKey = ObjectKey(entity: index, key: key)
                if met.present.contains(objectKey) || stubsBefore.contains(objectKey) { continue }
                // A mark of a time before says nothing where absent objects are deleted.
                if object.isMarked, entity.marksAbsent { continue }
                if let within = entity.absence.within {
                    guard let bound = object.references[within].first?.found,
                        met.present.contains(ObjectKey(entity: bound.entity, key: bound.key))
                    else { continue }
                }
                if met.hidesAbsent.contains(index) {
                    counts[index].keptAbsent += 1
                } else {
                    doomed.append(objectKey)
                }
            }
        }
        while let next = doomed.popLast() {
            guard let object = objects[next.entity][next.key] else { continue }
            if model.entities[next.entity].absence.choice == .mark {
                if !object.isMarked { counts[next.entity].deleted += 1 }
                objects[next.entity][next.key]?.isMarked = true
                stubs.remove(next)
                continue
            }
            // What this run has made as well was never there.
            if before[next.entity][next.key] != nil { counts[next.entity].deleted += 1 }
            objects[next.entity][next.key] = nil
            wait(for: next, object.attributes)
            stubs.remove(next)
            met.deleted.insert(next)
            met.described.remove(next)
            doomed += cascade(next)
        }
    }

    /// The objects that cannot be without a deleted one.
    private func cascade(_ deleted: ObjectKey) -> [ObjectKey] {
        var cascading: [ObjectKey] = []
        for entity in objects.indices {
            for (index, relationship) in model.entities[entity].relationships.enumerated()
            where relationship.onDelete == .cascade {
                for (key, object) in objects[entity] {
                    let objectKey = ObjectKey(entity: entity, key: key)
                    let refers = object.references[index].contains {
                        $0.found == Target(entity: deleted.entity, key: deleted.key)
                    }
                    if refers, !met.present.contains(objectKey) { cascading.append(objectKey) }
                }
            }
        }
        return cascading
    }

    private func isLost(_ key: Key) -> Bool {
        guard let found = key.found else { return false }
        return met.deleted.contains(ObjectKey(entity: found.entity, key: found.key))
    }

    /// Creates what is missing where a relationship says so.
    private mutating func createStubs() {
        var created: Set<ObjectKey> = []
        for key in met.described {
            guard let object = objects[key.entity][key.key] else { continue }
            for (index, relationship) in model.entities[key.entity].relationships.enumerated()
            where relationship.missing == .stub {
                for reference in object.references[index] where target(relationship, reference, objects) == nil {
                    let isStated = met.stated.contains(StatedKey(object: key, relationship: index))
                    // Of links that no record states, those that wait are looked at last, when all stubs are there.
                    if relationship.isMany, !isStated, !isLost(reference) { continue }
                    if let missing = missing(relationship, reference) { created.insert(missing) }
                }
            }
        }
        for stub in created {
            let entity = model.entities[stub.entity]
            var object = Object(
                attributes: Array(repeating: .null, count: entity.attributes.count),
                references: Array(repeating: [], count: entity.relationships.count))
            for (part, attribute) in entity.identifier.enumerated() { object.attributes[attribute] = stub.key[part] }
            objects[stub.entity][stub.key] = object
            stubs.insert(stub)
            counts[stub.entity].stubs += 1
        }
    }

    private func missing(_ relationship: Relationship, _ key: Key) -> ObjectKey? {
        var target = 0
        if relationship.selector != nil, case .integer(let selected) = key.cells[0] { target = Int(selected) }
        let ways = relationship.searches(in: model).enumerated().filter { index, way in
            way.isByIdentifier && (relationship.selector == nil || index == target)
        }
        for (index, way) in ways {
            let start = (relationship.selector == nil ? 0 : 1) + index * relationship.keyWidth
            let values = Array(key.cells[start...].prefix(relationship.keyWidth))
            if values.contains(where: { if case .impossible = $0 { true } else { false } }) { continue }
            return ObjectKey(entity: relationship.targets[way.target].entity, key: values)
        }
        return nil
    }

    private mutating func fixReferences() {
        for entity in objects.indices {
            for (key, object) in objects[entity] {
                for (index, relationship) in model.entities[entity].relationships.enumerated() {
                    for place in object.references[index].indices {
                        let target = target(relationship, object.references[index][place], objects)
                        objects[entity][key]?.references[index][place].found = target
                    }
                }
            }
        }
    }

    private func apply(_ record: TestRecord, to old: Object?) -> Object {
        let entity = model.entities[record.entity]
        let attributes = entity.attributes.indices.map { index in
            guard record.values[index] == .absent else { return record.values[index] }
            return entity.attributes[index].onAbsent == .null ? .null : old?.attributes[index] ?? .null
        }
        let references = entity.relationships.enumerated().map { index, relationship in
            keys(record, entity, relationship, index) ?? old?.references[index] ?? []
        }
        // What is marked stays so until it is known that no later record says that it is gone.
        let isMarked = !entity.deletions.isEmpty && old?.isMarked == true
        return Object(attributes: attributes, references: references, isMarked: isMarked)
    }

    /// The keys that a record gives; nil where it says nothing.
    private func keys(_ record: TestRecord, _ entity: Entity, _ relationship: Relationship, _ index: Int) -> [Key]? {
        let start = entity.layout.relationshipStart[index]
        let width = relationship.keyCellCount
        let cells = Array(record.values[start..<start + relationship.cellCount])
        if cells[0] == .absent { return nil }
        if cells[0] == .null { return [] }
        let own = width + relationship.values.count
        guard case .list(let first) = cells[width - 1] else {
            return [Key(cells: Array(cells[..<width]), position: 0, said: Array(cells[own...]))]
        }
        return first.indices.map { place in
            let block = cells.map { cell -> TestValue in
                if case .list(let values) = cell { return values[place] }
                return cell
            }
            return Key(
                cells: Array(block[..<width]), position: place, values: Array(block[width..<own]),
                said: Array(block[own...]))
        }
    }

    // MARK: Resolving

    /// The object that a key names, among some objects.
    private func target(_ relationship: Relationship, _ key: Key, _ objects: Objects) -> Target? {
        if let found = key.found, !isLost(key) { return found }
        let width = relationship.key.count
        if relationship.selector != nil, case .integer(let selected) = key.cells[0] {
            let entity = relationship.targets[Int(selected)].entity
            let values = Array(key.cells[(1 + Int(selected) * width)...].prefix(width))
            return objects[entity][values] == nil ? nil : Target(entity: entity, key: values)
        }
        for (index, way) in relationship.searches(in: model).enumerated() {
            let values = Array(key.cells[(index * relationship.keyWidth)...].prefix(relationship.keyWidth))
            let entity = relationship.targets[way.target].entity
            // Of several objects with the values, none is meant.
            let found =
                way.isByIdentifier
                ? (objects[entity][values] == nil ? [] : [values])
                : objects[entity].filter { _, object in way.attributes.map { object.attributes[$0] } == values }.map(
                    \.key)
            if found.count == 1 { return Target(entity: entity, key: found[0]) }
        }
        return nil
    }

    /// Lets the references to an object that goes wait for what it had in the ways that lead to it.
    private mutating func wait(for lost: ObjectKey, _ attributes: [TestValue]) {
        for entity in objects.indices {
            for (index, relationship) in model.entities[entity].relationships.enumerated() {
                guard let cells = sought(lost, attributes, relationship) else { continue }
                for (key, object) in objects[entity] {
                    for place in object.references[index].indices
                    where object.references[index][place].found == Target(entity: lost.entity, key: lost.key) {
                        objects[entity][key]?.references[index][place].cells = cells
                    }
                }
            }
        }
    }

    /// The cells of a reference to an object that goes; nil where they are what its record gave, whichever that was.
    private func sought(
        _ lost: ObjectKey, _ attributes: [TestValue], _ relationship: Relationship
    ) -> [TestValue]? {
        if relationship.ways.isEmpty {
            return relationship.isPolymorphic && relationship.selector == nil ? identifiers(lost, relationship) : nil
        }
        return relationship.ways.flatMap { way -> [TestValue] in
            let leads = relationship.targets[way.target].entity == lost.entity
            let values = leads ? way.attributes.map { attributes[$0] } : [.null]
            return values.contains(.null) ? way.attributes.map { _ in .impossible("") } : values
        }
    }

    /// What the identifier of an object is in each of the entities that a reference may lead to: the text of the feed
    /// is not kept.
    private func identifiers(_ lost: ObjectKey, _ relationship: Relationship) -> [TestValue]? {
        let forms = { (entity: Int) in
            self.model.entities[entity].identifier.map { self.model.entities[entity].attributes[$0].conversion.stored }
        }
        return relationship.targets.flatMap { target in
            let parts = zip(lost.key, zip(forms(lost.entity), forms(target.entity))).map { value, forms in
                value.converted(from: forms.0, to: forms.1)
            }
            return parts.contains(nil) ? lost.key.map { _ in .impossible("") } : parts.map { $0 ?? .null }
        }
    }

    /// What a key looks for: of several ways, those that can lead anywhere.
    private func sought(_ key: Key, _ relationship: Relationship) -> [TestValue] {
        if relationship.ways.isEmpty { return key.cells }
        let isImpossible = key.cells.map { if case .impossible = $0 { true } else { false } }
        if isImpossible.contains(false) { return zip(key.cells, isImpossible).map { $1 ? .impossible("") : $0 } }
        return [key.cells.first { $0 != .impossible("") } ?? .impossible("")]
    }

    /// The links of an object, each once at its first place, and the keys that lack their target, likewise.
    private func resolve(
        _ object: Object, _ entity: Int, _ relationship: Int, _ objects: Objects
    ) -> (links: [ShownLink], lacking: [[TestValue]]) {
        let definition = model.entities[entity].relationships[relationship]
        var links: [ShownLink] = []
        var lacking: [[TestValue]] = []
        for key in object.references[relationship] {
            if let target = target(definition, key, objects) {
                let isThere = links.contains { $0.entity == target.entity && $0.key == target.key }
                if !definition.isSet || !isThere {
                    links.append(
                        ShownLink(entity: target.entity, key: target.key, position: key.position, values: key.values))
                }
            } else if !definition.isSet || !lacking.contains(sought(key, definition)) {
                lacking.append(sought(key, definition))
            }
        }
        return (links, lacking)
    }

    private func shown(_ object: Object, _ entity: Int, _ objects: Objects) -> Shown {
        let relationships = model.entities[entity].relationships.indices
        return Shown(
            attributes: object.attributes, links: relationships.map { resolve(object, entity, $0, objects).links },
            isMarked: object.isMarked)
    }

    /// Whether an object referred to one that the run deleted.
    private func hasLost(_ object: Object) -> Bool { object.references.contains { $0.contains { isLost($0) } } }

    // MARK: Counting

    /// Counts an object's first record by what the object was and is.
    private mutating func count(_ key: ObjectKey, _ before: Objects, _ stubsBefore: Set<ObjectKey>) {
        let old = before[key.entity][key.key]
        // A stub in the place of what was deleted, or was never there, is another object.
        let isOther = met.deleted.contains(key) || old == nil && stubs.contains(key)
        let new = isOther ? nil : objects[key.entity][key.key]
        guard let old else {
            if new == nil { counts[key.entity].unchanged += 1 } else { counts[key.entity].created += 1 }
            return
        }
        let isCompleted = stubsBefore.contains(key) && !stubs.contains(key)
        // All references of the run's beginning were found in it: none of them was lost then.
        if let new, !isCompleted, !hasLost(old), shown(old, key.entity, before) == shown(new, key.entity, objects) {
            counts[key.entity].unchanged += 1
        } else {
            counts[key.entity].updated += 1
        }
    }

    private mutating func countReferences(_ before: Objects) {
        for entity in objects.indices {
            for (key, object) in objects[entity] {
                for relationship in model.entities[entity].relationships.indices {
                    let now = resolve(object, entity, relationship, objects)
                    guard met.described.contains(ObjectKey(entity: entity, key: key)) else {
                        let definition = model.entities[entity].relationships[relationship]
                        let waiting = object.references[relationship].filter { $0.found == nil || isLost($0) }
                        let waited =
                            definition.isSet ? Set(waiting.map { sought($0, definition) }).count : waiting.count
                        counts[entity].relationships[relationship].late += waited - now.lacking.count
                        continue
                    }
                    counts[entity].relationships[relationship].resolved += now.links.count
                    counts[entity].relationships[relationship].unresolved += now.lacking.count
                    if now.links.isEmpty, now.lacking.isEmpty {
                        counts[entity].relationships[relationship].null += 1
                    }
                }
            }
        }
    }

    // MARK: Rows

    /// The rows of an entity: attributes, then each relationship as `entity/identifier@position`, with the
    /// values of links behind it, sorted.
    package func rows(of entity: Int) -> [[Text]] {
        objects[entity].values.map { object in
            let shown = shown(object, entity, objects)
            let mark = model.entities[entity].absence.choice == .mark ? [shown.isMarked ? "1" : "0"] : []
            let links = shown.links.map { links in
                links.map { link in
                    let name = model.entities[link.entity].name
                    let values = link.values.isEmpty ? "" : "(\(link.values.map(\.description).joined(separator: ",")))"
                    return "\(name)/\(link.key.map(\.description).joined(separator: ","))@\(link.position)\(values)"
                }.joined(separator: " ")
            }
            return (mark + shown.attributes.map(\.description) + links).map { Text($0) }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }
    // MARK: Lists

    /// How many references wait, by entity, relationship and identifier, sorted.
    package func waiting() -> [[Text]] {
        objects.indices.flatMap { entity in
            objects[entity].flatMap { key, object in
                model.entities[entity].relationships.enumerated().compactMap { index, relationship -> [Text]? in
                    let count = resolve(object, entity, index, objects).lacking.count
                    return count == 0
                        ? nil
                        : [Text(model.entities[entity].name), Text(relationship.name), shown(key), Text("\(count)")]
                }
            }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Entity and identifier of the objects of which only that is known, sorted.
    package func stubRows() -> [[Text]] {
        stubs.map { [Text(model.entities[$0.entity].name), shown($0.key)] }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func shown(_ key: [TestValue]) -> Text { Text(key.map(\.description).joined(separator: ",")) }
}
