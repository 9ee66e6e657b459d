import SluiceRecords

/// An attribute whose stored values take another form with the next run.
package struct FormChange {
    /// The index of the entity in the model.
    package var entity: Int
    package var attribute: Int
    package var conversion: FormConversion
    /// How many values change; known once they have been scanned.
    package var count = 0

    /// Whether the table must be written anew for it.
    package func isRewritten(_ dialect: any Dialect) -> Bool {
        count > 0 || dialect.type(conversion.from) != dialect.type(conversion.to)
    }
}

extension FormChange {
    /// The failure where several values that must be unique, such as identifiers, become equal in another form.
    package static func refusal(ofTwins table: String, in store: String, _ reason: String) -> Failure {
        Failure(
            .definition,
            "values of the table \(table) in the store \(store) that differ would be one in their new form, and must not be, as"
                + " those of an identifier: \(reason)")
    }
}

/// A column whose values take another form.
package struct FormColumn {
    /// As it is called now.
    package var name: String
    package var conversion: FormConversion
}

/// The result of scanning the values of columns.
package struct FormScan {
    /// A value that has no equal in the other form.
    package struct Misfit {
        /// The index of its column.
        package var column: Int
        package var objectID: Int64
        package var value: StoredValue

        package init(
            column: Int, objectID: Int64, value: StoredValue
        ) {
            self.column = column
            self.objectID = objectID
            self.value = value
        }
    }

    /// For each column: how many values change.
    package var counts: [Int]
    /// The first value that has no equal, by objectID.
    package var misfit: Misfit?

    package init(
        counts: [Int], misfit: Misfit? = nil
    ) {
        self.counts = counts
        self.misfit = misfit
    }
}

extension StoredValue {
    /// As messages show it.
    package var shown: String {
        switch self {
        case .integer(let value): String(value)
        case .real(let value): "\(value)"
        case .text(let text): JSONText.quoted(text.count > 80 ? text.prefix(80) + "…" : text)
        case .blob: "of bytes"
        }
    }
}
