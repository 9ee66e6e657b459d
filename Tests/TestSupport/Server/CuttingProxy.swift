/// Stands between clients and a server on this machine, and cuts the first connection that has brought some bytes, or
/// falls silent (cut.py).
package final class CuttingProxy: Sendable {
    private let server: ServerProcess
    package var port: Int { Int(server.url.split(separator: ":").last ?? "") ?? 0 }

    /// - Parameter change: a file, and what it becomes before that; nil: nothing.
    package init(to port: Int, after bytes: Int, change: (file: String, text: String)? = nil) throws {
        server = try ServerProcess("cut.py", ["\(port)", "\(bytes)"] + (change.map { [$0.file, $0.text] } ?? []))
    }

    /// One that does not cut, but brings nothing more.
    ///
    /// - Parameter isForGood: whether later connections bring nothing at all.
    package init(to port: Int, silentAfter bytes: Int, isForGood: Bool) throws {
        server = try ServerProcess("cut.py", ["\(port)", "\(bytes)", isForGood ? "deaf" : "silent"])
    }
}
