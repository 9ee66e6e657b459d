import SluicePostgreSQL
import SluiceRecords

/// The comments on what sluice has made on a server from SQL that the server does not keep: the comment has the hash of
/// the SQL, which tells whether the thing is in step.
enum ServerMark {
    static let prefix = "made by sluice "

    static func comment(_ sql: String, _ connection: ServerConnection) throws(Failure) -> String {
        try comments([sql], connection)[0]
    }

    /// Of several, asked for at once.
    static func comments(_ texts: [String], _ connection: ServerConnection) throws(Failure) -> [String] {
        if texts.isEmpty { return [] }
        let found = try connection.query(
            """
            SELECT encode(sha256(convert_to(t.text, 'UTF8')), 'hex') FROM unnest($1) WITH ORDINALITY t (text, place)
            ORDER BY t.place
            """, .texts(texts))
        return (0..<found.count).map { prefix + found.text($0, 0) }
    }
}
