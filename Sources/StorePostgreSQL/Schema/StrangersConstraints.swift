import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Constraints of others on the tables of a store, which restrict what a run can write: unique indexes, checks, and
/// columns that may not be null.
struct StrangersConstraints {
    private let connection: ServerConnection
    private let schema: String
    /// The names of unique indexes that are not sluice's. An error that names another index is about a key of sluice's
    /// own.
    let keys: Set<ExactText>

    /// - Parameters:
    ///   - renaming: the names that the store has not changed yet.
    ///   - name: of the schema in the database.
    init(
        _ connection: ServerConnection, _ catalog: ServerCatalog, _ schema: Schema, _ renaming: Renaming,
        in name: String
    ) throws(Failure) {
        self.connection = connection
        self.schema = name
        var keys: Set<ExactText> = []
        for entity in schema.model.entities {
            let identifier = Set(
                schema.identifier(of: entity).map { ExactText(renaming.nameBefore(column: $0, of: entity.table)) })
            for table in [entity.table] + schema.linkTables(of: entity).map(\.name) {
                let stored = try catalog.table(renaming.nameBefore(table: table))
                for index in stored?.indexes ?? [] where index.isUnique {
                    let columns = index.columns.map { ExactText($0) }
                    let isOwn = !index.isPartial && columns.first.map(StrangersConstraints.ownKeys.contains) == true
                    if !isOwn, index.isPartial || Set(columns) != identifier { keys.insert(ExactText(index.name)) }
                }
            }
        }
        self.keys = keys
    }

    /// The first columns of sluice's primary keys: an index that begins with one of them is taken for sluice's own.
    private static let ownKeys: Set<ExactText> = [ExactText("objectID"), ExactText("source")]

    /// Gives the temporary copy of a table the constraints of its original.
    ///
    /// - Parameter columns: those that sluice writes.
    func hold(copyOf table: String, columns: [String]) throws(Failure) {
        let found = try connection.query(
            StrangersConstraints.statements, .text(schema), .text(table), .texts(keys.map(\.string)), .texts(columns))
        for row in 0..<found.count { try connection.write(found.text(row, 0)) }
    }

    /// Rows that were there before are not checked, and deferrable indexes are left out.
    private static let statements = """
        WITH o AS (SELECT c.oid, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = $2)
        SELECT format('ALTER TABLE pg_temp.%I ADD %s%s', o.relname, pg_get_constraintdef(k.oid),
        CASE WHEN k.convalidated THEN ' NOT VALID' ELSE '' END)
        FROM o JOIN pg_constraint k ON k.conrelid = o.oid WHERE k.contype = 'c'
        UNION ALL
        SELECT replace(pg_get_indexdef(i.indexrelid), ' ON ' || i.indrelid::regclass::text || ' USING ',
        format(' ON pg_temp.%I USING ', o.relname))
        FROM o JOIN pg_index i ON i.indrelid = o.oid JOIN pg_class x ON x.oid = i.indexrelid
        WHERE x.relname = ANY($3) AND i.indimmediate AND i.indisvalid
        UNION ALL
        SELECT format('ALTER TABLE pg_temp.%I ALTER %I SET NOT NULL', o.relname, a.attname)
        FROM o JOIN pg_attribute a ON a.attrelid = o.oid
        WHERE a.attnotnull AND a.attname = ANY($4) AND NOT a.attisdropped
        """
}
