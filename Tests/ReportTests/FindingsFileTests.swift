import Foundation
import Glibc
import SluiceRecords
import Testing

@testable import SluiceReport

/// The file of findings takes its name at once, and is written in place where it must be.
@Suite struct FindingsFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
    private func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }
    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? [] }

    private func write(_ lines: Int, to name: String, publishes: Bool = true) throws -> String {
        let file = try FindingsFile(path(name))
        let text = (0..<lines).map { "line \($0) \(String(repeating: "x", count: 50))" }
        text.forEach(file.write)
        try file.finish()
        if publishes { try file.publish() }
        return text.map { $0 + "\n" }.joined()
    }

    @Test(arguments: [0, 1, 10_000])
    func itHasAllLines(lines: Int) throws {
        let expected = try write(lines, to: "f")
        #expect(text("f") == expected)
        #expect(names == ["f"])
    }

    /// Until it is published, the old one is there, and nothing else.
    @Test func anOldOneStaysUntilThen() throws {
        try "old".write(toFile: path("f"), atomically: false, encoding: .utf8)
        _ = try write(10_000, to: "f", publishes: false)
        #expect(text("f") == "old" && names == ["f"])
        let expected = try write(3, to: "f")
        #expect(text("f") == expected && names == ["f"])
    }

    @Test func permissionsAndLinksStay() throws {
        try "old".write(toFile: path("f"), atomically: false, encoding: .utf8)
        #expect(unsafe chmod(path("f"), 0o640) == 0 && symlink(path("f"), path("link")) == 0)
        let expected = try write(3, to: "link")
        #expect(text("f") == expected && text("link") == expected && names == ["f", "link"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path("f"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        let ofLink = try FileManager.default.attributesOfItem(atPath: path("link"))
        #expect(ofLink[.type] as? FileAttributeType == .typeSymbolicLink)
    }

    @Test(arguments: ["missing/f", "", "."])
    func whatCannotBeCreatedIsSaid(name: String) throws {
        do {
            _ = try FindingsFile(path(name))
            Issue.record("\(name) was created")
        } catch {
            #expect(error.kind == .uncreatable)
            #expect(error.message.hasPrefix("the findings \(path(name)) cannot be written: "))
        }
    }

    @Test func aFullDeviceIsSaid() throws {
        let file = try FindingsFile("/dev/full")
        file.write(String(repeating: "x", count: 100_000))
        #expect(file.failure?.kind == .io)
        #expect(throws: Failure.self) { try file.check() }
        #expect(throws: Failure.self) { try file.publish() }
    }

    /// A pipe is written as findings come; that its reader goes away is no reason to fail.
    @Test func aPipe() throws {
        signal(SIGPIPE, SIG_IGN)
        #expect(unsafe mkfifo(path("pipe"), 0o600) == 0)
        let reader = unsafe open(path("pipe"), O_RDONLY | O_NONBLOCK)
        let file = try FindingsFile(path("pipe"))
        // As much as a pipe holds.
        file.write(String(repeating: "x", count: (64 << 10) - 1))
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        #expect(unsafe read(reader, &buffer, buffer.count) > 0)
        close(reader)
        file.write(String(repeating: "x", count: 64 << 10))
        try file.publish()
    }
}
