import SluiceRecords

extension Connection {
    /// Whether there are triggers that are not sluice's own: what they write, and when, nobody else knows.
    ///
    /// - Parameter table: whose; nil: any table's.
    func hasForeignTriggers(of table: String? = nil) throws(Failure) -> Bool {
        let triggers = """
            SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name NOT LIKE '\(ToolTables.names)' ESCAPE '\\'
            """
        guard let table else { return try integer("\(triggers) LIMIT 1") != nil }
        return try integer("\(triggers) AND tbl_name = ? COLLATE NOCASE LIMIT 1", table) != nil
    }
}
