import SluiceRecords

/// Why a value cannot be had: thrown on the way from a raw to a typed cell, and put into words only for a fault.
///
/// It refers to the value by its cell, so that a refused value costs no memory where its reason is not asked for.
enum Complaint: Error {
    /// The value is not of the type.
    case unexpected(AttributeType, Cell)
    /// The value has not the form, whatever its type is.
    case misshaped(StaticString, Cell)
    /// The value is no time since 1970, in the unit that the conversion says.
    case noUnixTime(CompiledConversion, Cell)
    /// The value is of the type, yet something about it is not: the type, the value, what is wrong with it.
    case unfit(AttributeType, Cell, StaticString)
    /// The number has a fraction, and an integer has none.
    case fractional(Cell)
    /// The value has more digits than the column: the type, the value, and how many the column has.
    case tooPrecise(AttributeType, Cell, Int32)
    /// The value is not written in a format of the conversion.
    case notInFormat(CompiledConversion, Cell)
    /// The value is none of those that the attribute may have: what is expected, by its index in the catalog.
    case outside(Int32, Cell)
    /// What needs the value (`required`, `identifier`), and whether it is null or absent.
    case lacking(StaticString, Cell)
    /// The value is of no type that an identifier can have: what the reference is to, by its index in the catalog.
    case noReference(Int32, Cell)
    /// The map has no such key.
    case unmapped(Cell)
    /// The regular expression was too much work, and why.
    case gaveUp(StaticString)
    /// What stands where a list was looked for, and whether it could be taken as a list of one.
    case unlisted(Cell, canBeOne: Bool)
    /// Lists that belong side by side are of unequal length.
    case unequalLists(Int, Int)
    /// The selector of a relationship names none of its targets.
    case unknownTarget(Cell)
    /// The selector of a relationship is null or absent although its key is not.
    case unnamedTarget(Cell)
    /// A text would be longer than a cell can say.
    case tooLong
}

extension Complaint {
    /// The reason of a fault: one plain sentence without a full stop.
    func reason(in arena: borrowing Arena, _ catalog: Catalog) -> String {
        switch self {
        case .unexpected(let type, let cell): "\(type.rawValue) expected, found \(described(cell, in: arena))"
        case .misshaped(let form, let cell): "\(form) expected, found \(described(cell, in: arena))"
        case .noUnixTime(_, let cell): "datetime as a number expected, found \(described(cell, in: arena))"
        case .fractional(let cell): "integer expected, but \(described(cell, in: arena)) is not integral"
        case .unfit(let type, let cell, let why): "\(type.rawValue) expected, but \(described(cell, in: arena)) \(why)"
        case .tooPrecise(let type, let cell, let digits):
            "\(type.rawValue) expected, but \(described(cell, in: arena)) has more than \(digits) digits"
                + (type == .decimal ? " behind the point: see \"scale\"" : " of a second: see \"fraction\"")
        case .notInFormat(let conversion, let cell):
            "\(conversion.kind == .formattedDate ? "date" : "datetime") in \(catalog.formatWords(of: conversion))"
                + " expected, found \(described(cell, in: arena))"
        case .outside(let bound, let cell):
            "\(catalog.bounds[Int(bound)]) expected, found \(described(cell, in: arena))"
        case .noReference(let targets, let cell):
            "a reference to \(catalog.targets[Int(targets)]) expected, found \(described(cell, in: arena))"
                + (isArray(cell, in: arena) ? ": with \"many\": true, a path that ends in [*] takes its elements" : "")
        case .lacking(let need, let cell): "\(need), but \(described(cell, in: arena))"
        case .unmapped(let cell): "the value \(quoted(cell, in: arena)) is not in the map"
        case .gaveUp(let why): "the pattern gave up on this value: \(why)"
        case .unlisted(let cell, let canBeOne):
            "a list expected, found \(described(cell, in: arena))"
                + (canBeOne ? ": with \"oneOrMany\": true, one value is taken, too" : "")
        case .unequalLists(let one, let other): "lists that belong side by side have \(one) and \(other) values"
        case .unknownTarget(let cell): "the value \(quoted(cell, in: arena)) names none of the target entities"
        case .unnamedTarget(let cell): "the value that names the target entity is \(described(cell, in: arena))"
        case .tooLong: "a text of more than 4 GiB"
        }
    }
}

/// A raw value in words, such as `the string "n/a"`.
private func described(_ cell: Cell, in arena: borrowing Arena) -> String {
    switch cell.kind {
    case .absent: "absent"
    case .null: "null"
    case .yes: "true"
    case .no: "false"
    case .number: "the number \(shortened(cell, in: arena, quotes: false))"
    case .string, .text: "the string \(quoted(cell, in: arena))"
    case .object: "an object"
    case .array: "an array"
    case .list: "a list of values"
    case .brokenString: "a string with half a surrogate pair"
    case .json, .unlisted: describedJSON(cell, in: arena)
    case .integer: "the number \(cell.integer)"
    case .real, .blob, .impossible: "a value"
    }
}

private func isArray(_ cell: Cell, in arena: borrowing Arena) -> Bool {
    guard cell.kind == .json else { return cell.kind == .array }
    return ByteView(cell, in: arena)[0] == UInt8(ascii: "[")
}

private func describedJSON(_ cell: Cell, in arena: borrowing Arena) -> String {
    switch ByteView(cell, in: arena)[0] {
    case UInt8(ascii: "{"): "an object"
    case UInt8(ascii: "["): "an array"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): shortened(cell, in: arena, quotes: false)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        "the number \(shortened(cell, in: arena, quotes: false))"
    case UInt8(ascii: "\""): "the string \(closed(shortened(cell, in: arena, quotes: false)))"
    default: "the value \(shortened(cell, in: arena, quotes: false))"
    }
}

/// A text of JSON, which ends with its quotation mark although it was cut: what is in the text is none of the message.
private func closed(_ text: String) -> String { text.hasSuffix("…") ? text + "\"" : text }

private func quoted(_ cell: Cell, in arena: borrowing Arena) -> String {
    switch cell.kind {
    case .yes: "true"
    case .no: "false"
    default: "\"\(shortened(cell, in: arena, quotes: true))\""
    }
}

/// A value's text, cut to what a message can hold, and with nothing hidden in it.
private func shortened(_ cell: Cell, in arena: borrowing Arena, quotes: Bool) -> String {
    let limit = 80
    // A scalar has four bytes at the most: no more of a long value is decoded than is shown.
    var head = cell
    head.length = min(cell.length, UInt32(limit + 1) * 4)
    let scalars = arena.text(of: head).unicodeScalars
    var shown = ""
    for scalar in scalars.prefix(limit) {
        if quotes, scalar == "\"" || scalar == "\\" { shown += "\\" }
        shown.unicodeScalars.append(scalar)
    }
    return shown.printable + (scalars.count > limit ? "…" : "")
}
