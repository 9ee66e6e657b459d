import SluiceExtract
import SluiceRecords

/// Reads the attributes of an entity.
struct AttributeReader {
    let context: DefinitionContext
    let paths: PathReader
    let slots: SlotTable
    /// Of a value that links have: what it is an element of.
    var link: (element: Path?, lists: ListPaths)?

    /// The attributes of an entity, in their order. One that is wrong stands for itself, so that its name is known.
    func attributes(of entity: DefinitionObject) -> [Attribute] {
        guard let node = entity["attributes"], let members = context.members(of: node, "\"attributes\"") else {
            return []
        }
        return members.map { attribute($0) }
    }

    func attribute(_ member: JSONMember) -> Attribute {
        var reader = ValueReader(context: context, paths: paths, slots: slots, ownName: member.key)
        if let link {
            (reader.element, reader.lists, reader.isMany) = (link.element, link.lists, link.element != nil)
        }
        if case .string = member.value.kind {
            if link != nil { return linkText(member, reader) }
            let type: AttributeType = context.choice(member.value, member.key) ?? .text
            reader.json = type == .json
            return Attribute(name: member.key, value: reader.ownValue(member.key), conversion: Conversion(type))
        }
        guard case .object = member.value.kind else {
            context.wrong(member.key, member.value, expected: "a type or an object")
            return Attribute(name: member.key, value: reader.ownValue(member.key), conversion: Conversion(.text))
        }
        guard
            let object = DefinitionObject(
                member.value, "the attribute \(quoted(member.key))",
                keys: link == nil ? DefinitionKeys.attribute : DefinitionKeys.linkValue, in: context)
        else { return Attribute(name: member.key, value: reader.ownValue(member.key), conversion: Conversion(.text)) }
        return attribute(member.key, object, &reader)
    }

    /// A text that links have, by its path alone. The name of a type may be meant as either.
    private func linkText(_ member: JSONMember, _ reader: ValueReader) -> Attribute {
        if let text = member.value.text, AttributeType(rawValue: text) != nil {
            context.mistake(
                "\(quoted(text)) is a type: say { \"type\": \(quoted(text)) }; a member of that name is"
                    + " { \"type\": …, \"from\": \(quoted(text)) }", at: member.value.position)
        }
        let value = reader.value(member.value, member.key) ?? reader.ownValue(member.key)
        return Attribute(name: member.key, value: value, conversion: Conversion(.text))
    }

    private func attribute(_ name: String, _ object: DefinitionObject, _ reader: inout ValueReader) -> Attribute {
        let conversion = conversion(object)
        reader.json = conversion?.type == .json
        if reader.json { refuseForJSON(object) }
        let lists = ListPaths()
        if conversion?.isMany == true {
            (reader.isMany, reader.canSplit, reader.lists, reader.oneOrMany) = (true, true, lists, true)
        }
        var value = reader.rule(of: object)
        if conversion?.isMany == true { value = value.map { ElementReader(slots: slots).gather(lists, in: $0) } }
        if let value, let conversion { reader.checkLiterals(of: value, in: object.node, as: conversion) }
        var attribute = Attribute(
            name: name, value: value ?? reader.ownValue(name), conversion: conversion ?? Conversion(.text))
        if let conversion {
            attribute.bounds = BoundsReader(context: context, conversion: conversion).bounds(of: object)
        }
        attribute.required = object.boolean("required") ?? false
        attribute.isIndexed = object.boolean("index") ?? false
        attribute.onAbsent = object.choice("onAbsent") ?? .keep
        attribute.was = object.texts("was").map(\.text)
        checkAbsence(attribute, object)
        return attribute
    }

    /// Checks that what is said about values that are not there can matter.
    private func checkAbsence(_ attribute: Attribute, _ object: DefinitionObject) {
        let hasDefault = object["default"] != nil
        if attribute.required, hasDefault, attribute.value.fallback != .null,
            let position = object.position(of: "required")
        {
            context.mistake("with a \"default\" nothing can be lacking: \"required\" has no effect", at: position)
        }
        guard let position = object.position(of: "onAbsent") else { return }
        if hasDefault {
            context.mistake("with a \"default\" nothing is absent: \"onAbsent\" has no effect", at: position)
        } else if attribute.required {
            context.mistake(
                "with \"required\" a record in which the value is absent is a reject: \"onAbsent\" has no effect",
                at: position)
        }
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
        let formats = formats(object, type)
        conversion.format = formats.first
        conversion.otherFormats = Array(formats.dropFirst())
        conversion.marks = MarksReader(context: context).marks(of: object, type)
        conversion.timeZone = timeZone(object, type)
        conversion.repeatedHour = repeatedHour(object)
        conversion.fraction = fraction(object, type) ?? conversion.fraction
        conversion.scale = scale(object, type)
        conversion.isInteger = isInteger(object, type)
        conversion.isMany = isMany(object, type)
        // A time zone that does not exist is known to be a mistake.
        let isSound = object["timeZone"] == nil || conversion.timeZone != nil
        if isSound, let node = object["format"], conversion.format != nil,
            let reason = context.checks.format(conversion)
        {
            context.mistake(reason, at: node.position)
        }
        return conversion
    }

    private func isMany(_ object: DefinitionObject, _ type: AttributeType) -> Bool {
        guard object.boolean("many") == true, let position = object.position(of: "many") else { return false }
        if type == .json || type == .bytes {
            let reason = type == .json ? "it takes lists as they are" : "JSON has no bytes"
            context.mistake("\"many\" is not for the type \(type.rawValue): \(reason)", at: position)
        } else if let position = object.position(of: "default") {
            context.mistake("a list takes no \"default\"", at: position)
        }
        return true
    }

    private func formats(_ object: DefinitionObject, _ type: AttributeType) -> [String] {
        guard let node = object["format"], let position = object.position(of: "format") else { return [] }
        guard type == .date || type == .datetime || type == .duration else {
            context.mistake(
                "\"format\" is for the types date, datetime and duration, not for \(type.rawValue)", at: position)
            return []
        }
        guard case .array(let elements) = node.kind else { return [context.text(node, "format")].compactMap { $0 } }
        let texts = elements.compactMap { context.text($0, "format") }
        if elements.isEmpty || type == .duration {
            context.wrong("format", node, expected: "a format, or of dates a list of formats")
            return []
        }
        return texts
    }

    private func timeZone(_ object: DefinitionObject, _ type: AttributeType) -> String? {
        guard let node = object["timeZone"], let position = object.position(of: "timeZone") else { return nil }
        guard type == .datetime else {
            context.mistake("\"timeZone\" is for the type datetime, not for \(type.rawValue)", at: position)
            return nil
        }
        guard let zone = context.text(node, "timeZone") else { return nil }
        if let reason = context.checks.timeZone(zone) {
            context.mistake(reason, at: node.position)
            return nil
        }
        return zone
    }

    private func repeatedHour(_ object: DefinitionObject) -> RepeatedHour {
        guard let node = object["repeatedHour"] else { return .reject }
        if object["timeZone"] == nil {
            context.mistake(
                "\"repeatedHour\" says what local times mean, and needs \"timeZone\" beside it", at: node.position)
        }
        return context.choice(node, "repeatedHour") ?? .reject
    }

    private func fraction(_ object: DefinitionObject, _ type: AttributeType) -> Int? {
        guard let position = object.position(of: "fraction") else { return nil }
        guard type == .datetime || type == .duration else {
            context.mistake(
                "\"fraction\" is for the types datetime and duration, not for \(type.rawValue)", at: position)
            return nil
        }
        return object.integer("fraction", atLeast: 0, atMost: StoredForm.mostFraction)
    }

    private func scale(_ object: DefinitionObject, _ type: AttributeType) -> Int? {
        guard let position = object.position(of: "scale") else { return nil }
        guard type == .decimal else {
            context.mistake("\"scale\" is for the type decimal, not for \(type.rawValue)", at: position)
            return nil
        }
        // As an integer, more digits would leave no room for any number but zero.
        return object.integer("scale", atLeast: 0, atMost: object["as"] == nil ? 100 : 18)
    }

    /// What `as` takes.
    enum DecimalColumn: String, CaseIterable { case integer }

    private func isInteger(_ object: DefinitionObject, _ type: AttributeType) -> Bool {
        guard let position = object.position(of: "as") else { return false }
        guard type == .decimal else {
            context.mistake("\"as\" is for the type decimal, not for \(type.rawValue)", at: position)
            return false
        }
        let column: DecimalColumn? = object.choice("as")
        if object["scale"] == nil {
            context.mistake("\"as\" needs \"scale\": it says which unit the integers count", at: position)
            return false
        }
        return column == .integer
    }
}
