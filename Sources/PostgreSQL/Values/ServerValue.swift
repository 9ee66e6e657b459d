/// A value that a statement gets. Lists of cells are added to `Parameters` as they are: they need no list of their own.
package enum ServerValue {
    case integer(Int64)
    /// Nil: null.
    case text(String?)
    case integers([Int64])
    case optionalIntegers([Int64?])
    case texts([String?])
}

extension Parameters {
    /// - Parameter values: they come to the buffer, which is to be deallocated.
    init(_ values: [ServerValue]) {
        self.init()
        for value in values { add(value) }
    }

    private mutating func add(_ value: ServerValue) {
        switch value {
        case .integer(let number): add(number)
        case .text(let text): add(text)
        case .integers(let numbers): addList(numbers)
        case .optionalIntegers(let numbers):
            addList(of: .bigint, numbers.count) { buffer, place in
                if let number = numbers[place] { buffer.appendField(number) } else { buffer.appendNull() }
            }
        case .texts(let texts): addList(texts)
        }
    }
}
