import SluiceRecords

/// The types of columns and parameters.
package enum ServerType: String, Sendable, CaseIterable {
    case text
    case bigint
    case double = "double precision"
    case boolean
    case numeric
    case date
    case timestamp = "timestamp with time zone"
    case json
    case bytea

    /// What stands for it in the server's protocol.
    package var oid: UInt32 {
        switch self {
        case .text: 25
        case .bigint: 20
        case .double: 701
        case .boolean: 16
        case .numeric: 1700
        case .date: 1082
        case .timestamp: 1184
        case .json: 114
        case .bytea: 17
        }
    }

    /// Of an array of it.
    package var arrayOID: UInt32 {
        switch self {
        case .text: 1009
        case .bigint: 1016
        case .double: 1022
        case .boolean: 1000
        case .numeric: 1231
        case .date: 1182
        case .timestamp: 1185
        case .json: 199
        case .bytea: 1001
        }
    }

    /// As SQL has it.
    package var name: String { rawValue }

    /// The type that has the values of a form.
    package init(_ form: StoredForm) {
        switch form.type {
        case .text: self = .text
        case .integer, .duration: self = .bigint
        case .real: self = .double
        case .decimal: self = form.isInteger ? .bigint : .numeric
        case .boolean: self = .boolean
        case .date: self = .date
        case .datetime: self = .timestamp
        case .json: self = .json
        case .bytes: self = .bytea
        }
    }
}
