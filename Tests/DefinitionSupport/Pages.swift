import Foundation

/// The bytes of a file of the documentation.
package func documentation(_ name: String) throws -> [UInt8] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: tests.appending(path: "../../Documentation").appending(path: name)))
}
