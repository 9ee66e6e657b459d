import SluiceRecords

/// What is done to a single value that is neither null nor absent: `trim`, `nullIf`, `match`, `map`; and `split`.
extension Evaluator {
    mutating func apply(_ rule: CompiledRule, to raw: Cell) throws(Complaint) -> Cell {
        var value = raw
        if rule.changesText { value = try converter.unwrapped(value) }
        if rule.trims { value = try trimmed(value) }
        if try meansNull(value, rule) { return .null }
        if rule.match >= 0 { value = try matched(value, rule) }
        if rule.map >= 0 && !value.isNull { value = try mapped(value, rule) }
        return value
    }

    private mutating func meansNull(_ value: Cell, _ rule: CompiledRule) throws(Complaint) -> Bool {
        let (first, count) = (Int(rule.nullIf), Int(rule.nullIfCount))
        return try equalsAny(value, first, count) || rule.readsTexts && saysAny(value, first, count)
    }

    /// Without the Unicode white space at both ends. A number or a boolean has none.
    private mutating func trimmed(_ value: Cell) throws(Complaint) -> Cell {
        guard value.kind == .string else {
            try checkText(value)
            return value
        }
        let range = trimmedRange(converter.view(value))
        if range.count == value.count { return value }
        return converter.part(of: value, from: range.lowerBound, to: range.upperBound)
    }

    private mutating func matched(_ value: Cell, _ rule: CompiledRule) throws(Complaint) -> Cell {
        let text = try asText(value)
        switch try compiled.patterns[Int(rule.match)].search(converter.view(text)) {
        case .none: return .null
        case .found(let start, let end): return part(of: text, start..<end, value, rule)
        }
    }

    /// What a pattern takes of the text of a value.
    private mutating func part(of text: Cell, _ range: Range<Int>, _ value: Cell, _ rule: CompiledRule) -> Cell {
        var part = converter.part(of: text, from: range.lowerBound, to: range.upperBound)
        let isNumber = rule.keepsNumbers && value.kind == .number && NumberText(converter.view(part)) != nil
        if isNumber { part.kind = .number }
        return part
    }

    private mutating func mapped(_ value: Cell, _ rule: CompiledRule) throws(Complaint) -> Cell {
        let text = try asText(value)
        if let literal = compiled.maps[Int(rule.map)].literal(for: converter.view(text)) { return place(literal) }
        guard rule.otherwise >= 0 else { throw .unmapped(value) }
        return place(rule.otherwise)
    }

    /// A string; of numbers and booleans what the feed has written.
    mutating func asText(_ value: Cell) throws(Complaint) -> Cell {
        switch value.kind {
        case .string: return value
        case .number: return Cell(kind: .string, payload: value.payload, length: value.length)
        case .yes: return converter.append("true", kind: .string)
        case .no: return converter.append("false", kind: .string)
        case .json: return try asText(converter.unwrapped(value))
        default: throw .unexpected(.text, value)
        }
    }

    private func checkText(_ value: Cell) throws(Complaint) {
        switch value.kind {
        case .string, .number, .yes, .no: return
        default: throw .unexpected(.text, value)
        }
    }

    /// The list of what a pattern matches in a text, or in all texts of a list.
    mutating func everyMatch(_ value: Cell, _ rule: CompiledRule) throws(Complaint) -> Cell {
        var result = Cell(kind: .list)
        guard value.kind == .list else {
            try everyMatch(value, rule, into: &result)
            return result
        }
        var rest = value
        while rest.length > 0 {
            let element = converter.plain(pop(&rest))
            if !element.isNull { try everyMatch(element, rule, into: &result) }
        }
        return result
    }

    private mutating func everyMatch(
        _ value: Cell, _ rule: CompiledRule, into list: inout Cell
    ) throws(Complaint) {
        let (text, pattern) = (try asText(value), compiled.patterns[Int(rule.matches)])
        var start = 0
        while start <= text.count, let match = try pattern.next(converter.view(text), from: start) {
            if let range = match.part, !range.isEmpty { batch.append(part(of: text, range, value, rule), to: &list) }
            start = match.end
        }
    }

    /// The list of the parts of a text, or of those of all texts of a list.
    mutating func split(_ value: Cell, _ rule: CompiledRule) throws(Complaint) -> Cell {
        var result = Cell(kind: .list)
        guard value.kind == .list else {
            try split(value, at: Int(rule.split), into: &result)
            return result
        }
        var rest = value
        while rest.length > 0 {
            let element = converter.plain(pop(&rest))
            if !element.isNull { try split(element, at: Int(rule.split), into: &result) }
        }
        return result
    }

    private mutating func split(_ value: Cell, at separator: Int, into list: inout Cell) throws(Complaint) {
        guard value.kind == .string else {
            try checkText(value)
            return batch.append(value, to: &list)
        }
        var start = 0
        while start <= value.count {
            let text = converter.view(value)
            let end = find(literalView(separator), in: text, from: start) ?? text.count
            let part = trimmedRange(text, start..<end)
            if !part.isEmpty {
                batch.append(converter.part(of: value, from: part.lowerBound, to: part.upperBound), to: &list)
            }
            start = end + max(literalView(separator).count, 1)
        }
    }

    /// The index of the first occurrence of a text in another. An empty one occurs nowhere.
    private func find(_ needle: ByteView, in text: ByteView, from start: Int) -> Int? {
        guard needle.count > 0, text.count - needle.count >= start else { return nil }
        for index in start...(text.count - needle.count) {
            var length = 0
            while length < needle.count, text[index + length] == needle[length] { length += 1 }
            if length == needle.count { return index }
        }
        return nil
    }
}

/// The range of a text without the white space at its ends.
func trimmedRange(_ text: ByteView, _ whole: Range<Int>? = nil) -> Range<Int> {
    var start = whole?.lowerBound ?? 0
    var end = whole?.upperBound ?? text.count
    while start < end {
        let length = whiteSpace(text, at: start, before: end)
        guard length > 0 else { break }
        start += length
    }
    while end > start {
        var length = 1
        while length < 3, end - length > start, text[end - length] & 0xc0 == 0x80 { length += 1 }
        guard whiteSpace(text, at: end - length, before: end) == length else { break }
        end -= length
    }
    return start..<end
}

/// The bytes of a character that Unicode calls white space (White_Space in PropList.txt); 0: there is another.
private func whiteSpace(_ text: ByteView, at index: Int, before end: Int) -> Int {
    let first = text[index]
    if first < 0x80 { return isSpace(first) ? 1 : 0 }
    guard end - index >= 2 else { return 0 }
    let second = text[index + 1]
    if first == 0xc2 { return second == 0x85 || second == 0xa0 ? 2 : 0 }
    guard end - index >= 3 else { return 0 }
    switch (first, second, text[index + 2]) {
    case (0xe1, 0x9a, 0x80), (0xe2, 0x80, 0x80...0x8a), (0xe2, 0x80, 0xa8...0xa9), (0xe2, 0x80, 0xaf),
        (0xe2, 0x81, 0x9f), (0xe3, 0x80, 0x80):
        return 3
    default: return 0
    }
}
