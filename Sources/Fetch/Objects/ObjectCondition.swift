/// What must be so for an object to be written.
package enum ObjectCondition: Sendable, Hashable {
    case none
    /// There is no object of that key.
    case absent
    /// The object is still the one that has this ETag.
    case unchanged(String)

    var headers: [String] {
        switch self {
        case .none: []
        case .absent: ["If-None-Match: *"]
        case .unchanged(let etag): ["If-Match: \(etag)"]
        }
    }
}
