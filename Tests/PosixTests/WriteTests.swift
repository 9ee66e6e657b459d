import Glibc
import SluiceRecords
import Testing

@testable import SluicePosix

/// Writing and reading all of it, whatever the system does in between.
@Suite struct WriteTests {
    /// A pipe that is full keeps a writer waiting; a signal then ends its call, with less than all written or nothing.
    @Test func signalsLoseNothing() throws {
        let pipe = Pipe()
        let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
        let writer = try Worker {
            defer { close(pipe.writer) }
            return writeAll(bytes, to: pipe.writer)
        }
        while pipe.filled < 1 << 16 { usleep(100) }
        writer.interrupt(20)
        var buffer = [UInt8](repeating: 0, count: 100_000)
        var received: [UInt8] = []
        while true {
            let count = read(&buffer, from: pipe.reader)
            if count == 0 { break }
            received += buffer[..<count]
            writer.interrupt(1)
        }
        close(pipe.reader)
        #expect(writer.result)
        #expect(received == bytes)
    }

    /// So does an empty one its reader.
    @Test func signalsEndNoReading() throws {
        let pipe = Pipe()
        let text = "one, two, three"
        let reader = try Worker { readAll(from: pipe.reader, most: 100).map { $0 == Array(text.utf8) } ?? false }
        reader.interrupt(20)
        #expect(writeAll("one, ", to: pipe.writer))
        reader.interrupt(20)
        #expect(writeAll("two, three", to: pipe.writer))
        close(pipe.writer)
        #expect(reader.result)
        close(pipe.reader)
    }

    @Test func aFullDiskIsSaid() throws {
        let full = unsafe open("/dev/full", O_RDWR | O_CLOEXEC)
        defer { close(full) }
        #expect(!writeAll("text", to: full))
        #expect(errno == ENOSPC)
        #expect(writeAll("", to: full))
    }

    @Test func whatCannotBeReadIsSaid() throws {
        let folder = unsafe open("/", O_RDONLY | O_CLOEXEC)
        defer { close(folder) }
        #expect(readAll(from: folder, most: 10) == nil)
        #expect(errno == EISDIR)
        #expect(readAll(from: folder, most: 0) == [])
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000]) func readsUpToALimit(_ most: Int) throws {
        let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 * 3) }
        let file = try TemporaryFile()
        #expect(writeAll(bytes, to: file.descriptor))
        try file.rewind()
        #expect(readAll(from: file.descriptor, most: most) == Array(bytes.prefix(most)))
    }

    private func read(_ buffer: inout [UInt8], from descriptor: CInt) -> Int {
        unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    }
}
