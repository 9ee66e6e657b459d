import SluiceRecords

extension Connection {
    /// Whether there are triggers that are not sluice's own: sluice does not know what they write, and when.
    ///
    /// - Parameter table: the table whose triggers count; nil: all tables.
    func hasForeignTriggers(of table: String? = nil) throws(Failure) -> Bool {
        let triggers = """
            SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name NOT LIKE '\(ToolTables.names)' ESCAPE '\\'
            """
        guard let table else { return try integer("\(triggers) LIMIT 1") != nil }
        return try integer("\(triggers) AND tbl_name = ? COLLATE NOCASE LIMIT 1", table) != nil
    }
}
