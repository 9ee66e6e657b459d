import Foundation

/// The bytes of a file of the documentation.
package func documentation(_ name: String) throws -> [UInt8] { try file("Documentation/\(name)") }

/// The bytes of a file of the sources.
func file(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(path))) }

/// Where a file of the sources is.
func url(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../\(path)")
}
