/// Values that get numbers, from 0, as they are first met.
struct Numbering<Key: Hashable, Value> {
    private(set) var all: [Value] = []
    private var numbers: [Key: Int] = [:]

    var count: Int { all.count }

    subscript(_ number: Int) -> Value { all[number] }

    func number(of key: Key) -> Int? { numbers[key] }

    /// Adds what is not there yet, and returns its number.
    mutating func add(_ value: Value, as key: Key) -> Int {
        numbers[key] = all.count
        all.append(value)
        return all.count - 1
    }
}
