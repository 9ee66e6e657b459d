import Extract
import Records

/// Reads the attributes of an entity.
struct AttributeReader {
    let context: DefinitionContext
    let paths: PathReader
    let slots: SlotTable

    private static let refused = [
        "split": ValueReader.needsMany,
        "many": "an attribute has one value: only a relationship takes \"many\"",
    ]

    /// The attributes of an entity, in their order. One that is wrong stands for itself, so that its name is known.
    func attributes(of entity: DefinitionObject) -> [Attribute] {
        guard let node = entity["attributes"], let members = context.members(of: node, "\"attributes\"") else {
            return []
        }
        return members.map { attribute($0) }
    }

    private func attribute(_ member: JSONMember) -> Attribute {
        var reader = ValueReader(context: context, paths: paths, slots: slots, ownName: member.key)
        if case .string = member.value.kind {
            let type: AttributeType = context.choice(member.value, member.key) ?? .text
            reader.json = type == .json
            return Attribute(name: member.key, value: reader.ownValue(member.key), conversion: Conversion(type))
        }
        guard
            let object = DefinitionObject(
                member.value, "the attribute \(quoted(member.key))", keys: DefinitionKeys.attribute,
                refused: AttributeReader.refused, in: context)
        else { return Attribute(name: member.key, value: reader.ownValue(member.key), conversion: Conversion(.text)) }
        return attribute(member.key, object, &reader)
    }

    private func attribute(_ name: String, _ object: DefinitionObject, _ reader: inout ValueReader) -> Attribute {
        let conversion = conversion(object)
        reader.json = conversion?.type == .json
        if reader.json { refuseForJSON(object) }
        let value = reader.rule(of: object)
        if let value, let conversion { reader.checkLiterals(of: value, in: object, as: conversion) }
        var attribute = Attribute(
            name: name, value: value ?? reader.ownValue(name), conversion: conversion ?? Conversion(.text))
        attribute.required = object.boolean("required") ?? false
        attribute.isIndexed = object.boolean("index") ?? false
        attribute.onAbsent = object.choice("onAbsent") ?? .keep
        attribute.was = object.texts("was").map(\.text)
        return attribute
    }

    private func refuseForJSON(_ object: DefinitionObject) {
        for key in DefinitionKeys.value {
            guard let position = object.position(of: key), let reason = ValueReader.refusedForJSON(key) else {
                continue
            }
            context.mistake(reason, at: position)
        }
    }

    /// The type, with what goes with it; nil: there is a mistake.
    private func conversion(_ object: DefinitionObject) -> Conversion? {
        guard let node = object.required("type"), let type: AttributeType = context.choice(node, "type") else {
            return nil
        }
        var conversion = Conversion(type)
        conversion.format = format(object, type)
        conversion.timeZone = timeZone(object, type)
        if let node = object["format"], conversion.format != nil, let reason = context.checks.format(conversion) {
            context.mistake("\(node.described) is no format of dates: \(reason)", at: node.position)
        }
        if let node = object["format"], object["timeZone"] == nil, type == .datetime, let format = conversion.format,
            !AttributeReader.tellsOffset(format)
        {
            context.mistake(
                "a date in this format has no offset from UTC (%z): it needs \"timeZone\"", at: node.position)
        }
        return conversion
    }

    /// Whether texts in a format say how far their time is from UTC, or count from a moment.
    private static func tellsOffset(_ format: String) -> Bool {
        if ["unix", "unix-ms"].contains(format) { return true }
        var letters = format.unicodeScalars.makeIterator()
        while let letter = letters.next() {
            guard letter == "%", let directive = letters.next() else { continue }
            if ["z", "Z", "s"].contains(directive) { return true }
        }
        return false
    }

    private func format(_ object: DefinitionObject, _ type: AttributeType) -> String? {
        guard let node = object["format"], let position = object.position(of: "format") else { return nil }
        guard type == .date || type == .datetime else {
            context.mistake("\"format\" is for the types date and datetime, not for \(type.rawValue)", at: position)
            return nil
        }
        guard let format = context.text(node, "format") else { return nil }
        if type == .date, ["unix", "unix-ms"].contains(format) {
            context.mistake("the format \(format) is for the type datetime, not for date", at: node.position)
        }
        return format
    }

    private func timeZone(_ object: DefinitionObject, _ type: AttributeType) -> String? {
        guard let node = object["timeZone"], let position = object.position(of: "timeZone") else { return nil }
        guard type == .datetime else {
            context.mistake("\"timeZone\" is for the type datetime, not for \(type.rawValue)", at: position)
            return nil
        }
        guard let zone = context.text(node, "timeZone") else { return nil }
        if let reason = context.checks.timeZone(zone) {
            context.mistake("\(quoted(zone)) is no time zone: \(reason)", at: node.position)
        }
        return zone
    }
}
