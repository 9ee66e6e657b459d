import SluiceExtract
import SluiceRecords

/// How the store calls what the definition names: `names`.
///
/// From here on, the model has the names of the store, and beside each that of the definition where that is another
/// one; the names of entities stay. What the store has under the other name is renamed, as by `was`.
package struct StoreNames: Sendable {
    package enum Naming: String, CaseIterable, Sendable {
        case asWritten = "as_written"
        case snakeCase = "snake_case"
    }

    /// Nil: the definition does not say.
    let naming: Naming?

    /// The name in the store.
    @Sendable func name(_ written: String) -> String { naming == .snakeCase ? StoreNames.snakeCase(written) : written }

    /// Gives all tables that the definition does not name, and all columns, their names in the store.
    func apply(to entities: inout [Entity], _ drafts: [UnlinkedEntity]) {
        guard naming != nil else { return }
        for index in entities.indices {
            if drafts[index].object?["table"] == nil { entities[index].table = name(entities[index].name) }
            apply(to: &entities[index])
        }
    }

    private func apply(to entity: inout Entity) {
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        let taken = Set(names.map { NameChecks.folded(name($0)) })
        for index in entity.attributes.indices { rename(&entity.attributes[index], besides: taken) }
        for index in entity.relationships.indices { rename(&entity.relationships[index], besides: taken) }
        if let search = entity.search { entity.search?.fields = search.fields.map(name) }
        if let place = entity.place {
            entity.place = PlaceIndex(latitude: name(place.latitude), longitude: name(place.longitude))
        }
    }

    private func rename(_ relationship: inout Relationship, besides taken: Set<[UInt8]>) {
        let written = relationship.name
        relationship.name = name(written)
        if !relationship.name.isIdentical(to: written) { relationship.written = written }
        relationship.was = earlier(written, relationship.was, besides: taken)
        let values = Set(relationship.values.map { NameChecks.folded(name($0.name)) })
        for index in relationship.values.indices { rename(&relationship.values[index], besides: values) }
        for index in relationship.stub.indices { rename(&relationship.stub[index], besides: taken) }
    }

    private func rename(_ attribute: inout Attribute, besides taken: Set<[UInt8]>) {
        let written = attribute.name
        attribute.name = name(written)
        if !attribute.name.isIdentical(to: written) { attribute.written = written }
        attribute.was = earlier(written, attribute.was, besides: taken)
    }

    /// What the store may still call it: each name in the one spelling or the other, but for what something is called
    /// now.
    private func earlier(_ written: String, _ was: [String], besides taken: Set<[UInt8]>) -> [String] {
        var seen = taken
        let all = [written, StoreNames.snakeCase(written)] + was + was.map(StoreNames.snakeCase)
        return all.filter { seen.insert(NameChecks.folded($0)).inserted }
    }

    // MARK: Spelling

    /// A name in small letters, with a low line where a word begins: `stop_time` for `StopTime`, `osm_id` for `OSMId`,
    /// `opening_hours` for `opening-hours`. A name of which nothing would be left stays.
    package static func snakeCase(_ name: String) -> String {
        let letters = Array(name)
        var text = ""
        var isCut = false
        for (index, letter) in letters.enumerated() {
            if letter.isASCII, !letter.isLetter, !letter.isNumber, letter != "_" {
                isCut = true
                continue
            }
            let begins = letter.isUppercase && isBeginning(index, letters)
            if (isCut || begins) && !text.isEmpty && letter != "_" && !text.hasSuffix("_") { text += "_" }
            isCut = false
            text += letter.lowercased()
        }
        return text.isEmpty ? name : text
    }

    /// Whether a capital letter begins a word: after a small one, or before one in a row of capital letters and digits.
    private static func isBeginning(_ index: Int, _ letters: [Character]) -> Bool {
        guard index > 0 else { return false }
        if letters[index - 1].isLowercase { return true }
        return index + 1 < letters.count && letters[index + 1].isLowercase
    }
}
