import SluiceRecords

/// An attribute whose stored values take another form with the next run.
struct FormChange {
    /// The index of the entity in the model.
    var entity: Int
    var attribute: Int
    var conversion: FormConversion
    /// How many values become others; known once they were looked at.
    var count = 0

    /// Whether the table must be written anew for it.
    func isRewritten(_ dialect: Dialect) -> Bool {
        count > 0 || dialect.type(conversion.from) != dialect.type(conversion.to)
    }
}

/// A column whose values take another form.
struct FormColumn {
    /// As it is called now.
    var name: String
    var conversion: FormConversion
}

/// What a look at the values of columns has found.
struct FormScan {
    /// A value that has no equal in the other form.
    struct Misfit {
        /// The index of its column.
        var column: Int
        var objectID: Int64
        var value: StoredValue
    }

    /// For each column how many values become others.
    var counts: [Int]
    /// The first that cannot, by objectID.
    var misfit: Misfit?
}

extension StoredValue {
    /// As messages show it.
    var shown: String {
        switch self {
        case .integer(let value): String(value)
        case .real(let value): "\(value)"
        case .text(let text): JSONText.quoted(text.count > 80 ? text.prefix(80) + "…" : text)
        case .blob: "of bytes"
        }
    }
}
