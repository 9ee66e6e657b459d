import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceExtract

/// Several files of one archive, read one after the other.
@Suite(.serialized) struct ArchivePassTests {
    private let folder = URL(fileURLWithPath: NSTemporaryDirectory() + "sluice-\(UUID().uuidString)")
    private static let names = ["a", "b", "c", "d"]

    /// Some bytes that no compression shortens.
    private static let usual = 300_000

    private static func content(_ name: String, count: Int = usual) -> [UInt8] {
        if count == usual, let known = contents[name] { return known }
        return made(name, count: count)
    }

    /// Of the usual length, made once.
    private static let contents = Dictionary(uniqueKeysWithValues: names.map { ($0, made($0, count: usual)) })

    private static func made(_ name: String, count: Int) -> [UInt8] {
        var state = UInt64(name.utf8.first ?? 0)
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// An archive that counts what is read of it.
    private final class Archive {
        let path: String
        var opened = 0
        var files: [FileBytes] = []
        var read: Int { files.reduce(0) { $0 + $1.consumed } }
        let size: Int

        init(_ path: String) throws {
            self.path = path
            size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }

        func pass(_ wanted: [String], mostKept: Int = ArchivePass.mostKept) -> ArchivePass {
            ArchivePass("archive", wanted: wanted, mostKept: mostKept) { [self] () throws(Failure) in
                opened += 1
                let file = try FileBytes(path)
                files.append(file)
                return file
            }
        }
    }

    /// Packs the files in the order of their names.
    private func pack(
        _ flag: String, count: Int = 300_000, change: (inout [UInt8]) -> Void = { _ in }
    ) throws -> Archive {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in Self.names { try Data(Self.content(name, count: count)).write(to: folder.appending(path: name)) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let file = folder.appending(path: "archive").path
        process.arguments =
            flag == "zip"
            ? ["-C", folder.path, "zip", "-q0", file + ".zip"] + Self.names
            : ["tar", "-C", folder.path, flag, "-cf", file] + Self.names
        try process.run()
        process.waitForEnd()
        if flag == "zip" { try FileManager.default.moveItem(atPath: file + ".zip", toPath: file) }
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        change(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return try Archive(file)
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    private func bytes(_ source: (any ByteSource)?) throws(Failure) -> [UInt8]? {
        guard let source else { return nil }
        var buffer = [UInt8](repeating: 0, count: 10_000)
        var all: [UInt8] = []
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { memory in
                Result { () throws(Failure) in try unsafe source.read(into: memory) }
            }
            let count = try outcome.get()
            if count == 0 { return all }
            all += buffer[..<count]
        }
    }

    /// In the order in which they lie there, and in others: what is passed by is kept.
    @Test(arguments: ["-z", "--zstd", "-J"], ["abcd", "dcba", "cadb", "bd", "abab"])
    func aCompressedTarIsReadOnce(_ flag: String, _ order: String) throws {
        defer { remove() }
        let archive = try pack(flag)
        let wanted = order.map { String($0) }
        let pass = archive.pass(wanted)
        for name in wanted { #expect(try bytes(pass.feed(name)) == Self.content(name), "\(name)") }
        // Only what is read twice lies behind.
        #expect(archive.opened == (order == "abab" ? 2 : 1))
        #expect(archive.read <= archive.opened * archive.size)
    }

    /// Where a seek leads past a file, nothing is kept of it.
    @Test(arguments: ["--format=ustar", "zip"]) func whatIsPassedByASeekIsNotKept(_ flag: String) throws {
        defer { remove() }
        let archive = try pack(flag)
        for (order, opened) in [("abcd", 1), ("dcba", 4), ("bdac", 2)] {
            (archive.opened, archive.files) = (0, [])
            let wanted = order.map { String($0) }
            let pass = archive.pass(wanted)
            for name in wanted { #expect(try bytes(pass.feed(name)) == Self.content(name), "\(name)") }
            #expect(archive.opened == opened, "\(order)")
        }
    }

    /// What has no room is come to again.
    @Test(arguments: [(0, 4), (299_999, 4), (300_000, 3), (600_000, 2), (900_000, 1)])
    func whatIsKeptHasALimit(_ most: Int, _ opened: Int) throws {
        defer { remove() }
        let archive = try pack("-z")
        let pass = archive.pass(Self.names, mostKept: most)
        for name in Self.names.reversed() { #expect(try bytes(pass.feed(name)) == Self.content(name), "\(name)") }
        #expect(archive.opened == opened)
    }

    @Test func whatIsNotThereIsNil() throws {
        defer { remove() }
        let archive = try pack("-z")
        let pass = archive.pass(["b", "none", "c"])
        #expect(try bytes(pass.feed("b")) != nil)
        #expect(try bytes(pass.feed("none")) == nil)
        #expect(try bytes(pass.feed("c")) == Self.content("c"))
        // Nobody has said that it would be wanted, and it lies behind.
        #expect(try bytes(pass.feed("a")) == Self.content("a"))
    }

    /// A file that is not read to its end does not mix with the next one.
    @Test func whatIsNotReadToItsEnd() throws {
        defer { remove() }
        let archive = try pack("-z")
        let pass = archive.pass(["a", "b"])
        let first = try #require(try pass.feed("a"))
        #expect(try bytes(pass.feed("b")) == Self.content("b"))
        #expect(try bytes(first) == Self.content("a"))
    }

    /// What is damaged is told where it is read, and not where it is passed by; what a tar has behind it is lost.
    @Test func damageIsToldWhereItIs() throws {
        defer { remove() }
        let place = 450_000
        let tar = try pack("-z") { $0.removeLast($0.count - place) }
        for order in [["a", "b"], ["b"]] {
            let pass = tar.pass(order)
            if order.count == 2 { #expect(try bytes(pass.feed("a")) == Self.content("a")) }
            let failure = #expect(throws: Failure.self) { try bytes(pass.feed("b")) }
            #expect(failure?.message.contains("archive is damaged or cut short") == true)
        }
    }

    /// A small file of a zip that cannot be kept, as it is damaged, is no matter of those behind it.
    @Test func whatCannotBeKeptIsPassedBy() throws {
        defer { remove() }
        // The files are stored: a byte of the first.
        let archive = try pack("zip", count: 3000) { $0[1000] ^= 1 }
        let pass = archive.pass(["c", "b", "a"])
        for name in ["c", "b"] { #expect(try bytes(pass.feed(name)) == Self.content(name, count: 3000)) }
        let failure = #expect(throws: Failure.self) { try bytes(pass.feed("a")) }
        #expect(failure?.kind == .data)
    }
}
