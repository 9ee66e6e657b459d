import SluiceRecords

/// The SQL and the rules in which databases differ: all that a comparison of a definition with a store asks of the
/// database.
package protocol Dialect: Sendable {
    /// The name of the database, in messages.
    var server: String { get }
    /// Whether the database distinguishes names that differ only in the case of ASCII letters. In a definition they are
    /// one, so the names of such a store follow those of the definition.
    var tellsCaseApart: Bool { get }
    /// Whether a column may hold references that no foreign key declares.
    var mayLackForeignKeys: Bool { get }

    // MARK: Types, as SQL has them

    func type(_ form: StoredForm) -> String

    /// The type of objectIDs, and of references.
    var objectID: String { get }
    var text: String { get }
    /// The type of the mark of deleted objects.
    var mark: String { get }

    // MARK: Views

    /// A table, as SQL has it.
    func table(_ name: String) -> String

    /// The one reference of a row of `x`: the identifier of an object as one value, in a column that may show those of
    /// several entities.
    func identifier(_ parts: [KeyPart]) -> String

    /// Likewise, where the values of a column need not be of one type, and each is read by its own type.
    func typedIdentifier(_ parts: [KeyPart]) -> String

    /// An identifier as JSON, for an element of a list.
    func element(_ parts: [KeyPart]) -> String

    /// A JSON list of the column `value` of rows in the order of their `position`, after a parenthesis.
    func list(_ rows: String) -> String

    /// Likewise, of objects with their columns `entity` and `value`.
    func polymorphicList(_ rows: String) -> String

    // MARK: The past

    /// One of the tool's own tables, as SQL has it.
    func ownTable(_ table: String) -> String

    /// A query for the greatest value of a column of a table, which finds the rows that meet a condition by an index of
    /// the condition's own columns, whatever is known of the table.
    func greatest(_ column: String, of table: String, where condition: String) -> String

    /// The function that gives the greatest of its arguments.
    var greatest: String { get }

    /// The column of a row, compared with one of a table of the past by an index of that.
    ///
    /// - Parameter type: that of the column, as SQL has it; nil: a value says itself what it is.
    func compared(_ column: String, _ type: String?) -> String

    /// Null, in a column of a type, as SQL has it.
    func null(_ type: String) -> String

    /// A value of a type as a text, the same in all stores.
    ///
    /// - Parameter form: how the definition writes it, where that is known.
    func plainText(_ value: String, of type: String, _ form: StoredForm?) -> String

    /// Converts a value that was kept in a column of another type to a type, where that loses nothing.
    func converted(_ value: String, to type: String) -> String

    /// Converts a value that was kept in another form than its column has now, where that loses nothing; a number that
    /// does not fit becomes a text, in the units of now. Nil: the conversion to the type of the column does.
    ///
    /// - Parameter type: that in which it was kept, as SQL has it; nil: a value says itself what it is.
    func converted(_ value: String, of type: String?, _ forms: FormPair) -> String?

    /// SQL that gives a value as a literal that other databases take, too.
    ///
    /// - Parameter type: that of the column, as SQL has it; nil: a value says itself what it is.
    func literal(_ value: String, _ type: String?) -> String

    /// The parameter of a query with this number, from 1.
    func parameter(_ number: Int) -> String

    /// A time a number of days before today, at its beginning: RFC 3339, UTC.
    func dayBefore(_ days: Int) -> String

    /// The condition that a time is at least so many days before another.
    func precedes(_ time: String, _ other: String, days: Int) -> String
}

extension Dialect {
    /// Whether two names are the same to the database.
    func isSame(_ name: String, _ other: String) -> Bool {
        tellsCaseApart ? name.isIdentical(to: other) : name.isSameName(as: other)
    }

    /// Whether a name is among others.
    package func has(_ name: String, in names: [String]) -> Bool { names.contains { isSame($0, name) } }
}
