/// Calls of functions of SQL that may have more arguments than a store takes at once: SQLite takes 127.
enum NestedCall {
    private static let most = 100

    /// A call of a function whose arguments may be grouped: `coalesce`, or the greatest of some values.
    static func of(_ function: String, _ values: [String]) -> String {
        if values.count == 1 { return values[0] }
        if values.count <= most { return "\(function)(\(values.joined(separator: ", ")))" }
        let groups = stride(from: 0, to: values.count, by: most).map { first in
            of(function, Array(values[first..<min(first + most, values.count)]))
        }
        return of(function, groups)
    }
}
