/// A library of the system that sluice works with, as it is on this machine: what a report of a defect should say.
public struct LibraryVersion: Sendable {
    /// What the library is called.
    public let name: String
    /// As the library itself says it.
    public let version: String

    /// A library, and its version.
    public init(_ name: String, _ version: String) {
        self.name = name
        self.version = version
    }
}
