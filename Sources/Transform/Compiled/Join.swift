import SluiceRecords

extension Evaluator {
    /// `join`: all values as one text; null if any is null, absent if all are absent.
    ///
    /// Where values are lists, there is one text for each place in them: values side by side are joined, and a value
    /// that is no list belongs to every place.
    mutating func joined(_ rule: CompiledRule) throws(Complaint) -> Cell {
        let base = stackCount
        defer { stackCount = base }
        for index in Int(rule.source)..<Int(rule.source + rule.sourceCount) { push(try evaluate(index)) }
        let parts = base..<stackCount
        if let missing = missing(parts) { return missing }
        guard let count = try commonLength(parts) else { return try joinedText(parts, rule) }
        var result = Cell(kind: .list)
        for _ in 0..<count {
            pushElements(parts)
            let elements = parts.upperBound..<stackCount
            let text = missing(elements) == nil ? try joinedText(elements, rule) : .null
            batch.append(text, to: &result)
            stackCount = parts.upperBound
        }
        return result
    }

    /// What several values on the stack are together if one of them is null: absent if all are absent, else null.
    /// nil: none is.
    func missing(_ parts: Range<Int>) -> Cell? {
        var absent = 0
        var isNull = false
        for index in parts {
            if stack[index].kind == .absent { absent += 1 }
            if self.isNull(stack[index]) { isNull = true }
        }
        guard isNull else { return nil }
        return absent == parts.count ? .absent : .null
    }

    /// The length of the lists among values on the stack; nil: none is a list.
    func commonLength(_ parts: Range<Int>) throws(Complaint) -> Int? {
        var length: Int?
        for index in parts where stack[index].kind == .list {
            let count = stack[index].count
            if let length, length != count { throw .unequalLists(length, count) }
            length = count
        }
        return length
    }

    /// Takes the first element off each list among values on the stack, and puts these elements on top, side by side
    /// with the values that are no lists.
    mutating func pushElements(_ parts: Range<Int>) {
        for index in parts {
            guard stack[index].kind == .list else {
                push(stack[index])
                continue
            }
            let element = pop(&stack[index])
            push(converter.plain(element))
        }
    }

    private mutating func joinedText(_ parts: Range<Int>, _ rule: CompiledRule) throws(Complaint) -> Cell {
        let separator = literalView(Int(rule.separator))
        var length = separator.count * max(parts.count - 1, 0)
        for index in parts {
            stack[index] = try asText(stack[index])
            length += stack[index].count
        }
        guard length <= Int(UInt32.max) else { throw .tooLong }
        let target = converter.arena.reserve(length)
        var output = unsafe converter.arena.base + target
        for index in parts {
            if index > parts.lowerBound {
                unsafe output.update(from: separator.pointer, count: separator.count)
                unsafe output += separator.count
            }
            let part = converter.view(stack[index])
            unsafe output.update(from: part.pointer, count: part.count)
            unsafe output += part.count
        }
        return Cell(kind: .string, payload: UInt64(target), length: UInt32(length))
    }
}
