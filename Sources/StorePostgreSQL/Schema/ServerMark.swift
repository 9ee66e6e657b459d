import SluicePostgreSQL
import SluiceRecords

/// The comments of what sluice has made on a server from a text of its own, which the server does not keep: by its hash
/// it is told whether it is in step.
enum ServerMark {
    static let prefix = "made by sluice "

    static func comment(_ sql: String, _ connection: ServerConnection) throws(Failure) -> String {
        var parameters = Parameters()
        defer { parameters.deallocate() }
        parameters.add(sql)
        return prefix
            + (try connection.query("SELECT encode(sha256(convert_to($1, 'UTF8')), 'hex')", parameters).text(0, 0))
    }
}
