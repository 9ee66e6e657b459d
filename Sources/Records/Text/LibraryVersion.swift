/// A library of the system that sluice works with, as it is on this machine: what a report of a defect should say.
public struct LibraryVersion: Sendable {
    public let name: String
    public let version: String

    public init(_ name: String, _ version: String) {
        self.name = name
        self.version = version
    }
}
