import StoreMirror

extension TemporaryFolder {
    /// What a query gives of the store on a server, or else of `s.sqlite` in this folder: each row as a text. `@`
    /// stands before the names of tables.
    func rows(_ sql: String, on server: TestServer?) throws -> [String] {
        if let server { return try server.rows(sql).filter { !$0.isEmpty } }
        return try Database(file("s.sqlite")).rows(sql.replacing("@", with: "")).map { $0.joined(separator: "\t") }
    }
}
