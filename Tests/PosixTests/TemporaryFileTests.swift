import Glibc
import SluiceRecords
import Testing

@testable import SluicePosix

/// Files without a name.
@Suite struct TemporaryFileTests {
    @Test func keepsWhatIsAppended() throws {
        let file = try TemporaryFile()
        try append("abc", to: file)
        try append("def", to: file)
        #expect(file.size == 6)
        #expect(try read(file, 4, at: 1) == "bcde")
        #expect(try read(file, 10, at: 4) == "ef")
        #expect(try read(file, 10, at: 7) == "")
        try file.rewind()
        #expect(readAll(from: file.descriptor, most: 100) == Array("abcdef".utf8))
        try file.clear()
        #expect(file.size == 0)
    }

    /// What lies between is zero.
    @Test func isWrittenAtAnyPlace() throws {
        let file = try TemporaryFile()
        try unsafe Array("z".utf8).withUnsafeBytes { try unsafe file.write($0, at: 3) }
        #expect(try read(file, 10, at: 0) == "\0\0\0z")
    }

    @Test func beginsWithItsText() throws {
        let file = try TemporaryFile(holding: "eins zwei")
        #expect(file.beginning(4) == "eins")
        #expect(file.beginning(100) == "eins zwei")
        #expect(readAll(from: file.descriptor, most: 100) == Array("eins zwei".utf8))
    }

    /// Nothing of it is to be seen, nor does a program that this one starts have it.
    @Test func hasNoName() throws {
        let file = try TemporaryFile()
        var status = stat()
        #expect(unsafe fstat(file.descriptor, &status) == 0)
        #expect(status.st_nlink == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    /// As with one that has a name until it is open: not every file system knows files without.
    @Test func namedOnesAreTheirOwnersAlone() throws {
        let (descriptor, path) = try TemporaryFile.create()
        defer { close(descriptor) }
        #expect(FileNumber(named: path) == FileNumber(descriptor: descriptor))
        var status = stat()
        #expect(unsafe fstat(descriptor, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(unsafe unlink(path) == 0)
    }

    @Test func aMissingFolderIsNamed() {
        #expect(
            failure { () throws(Failure) in _ = try TemporaryFile("it", in: "/no/such/folder") }
                == Failure(
                    .uncreatable, "a temporary file in /no/such/folder cannot be created: No such file or directory"))
    }

    @Test func aFullDiskIsSaid() {
        let file = TemporaryFile("the copy", descriptor: unsafe open("/dev/full", O_RDWR | O_CLOEXEC))
        let full = Failure(.io, "the copy cannot be written: No space left on device")
        let bytes = Array("text".utf8)
        let outcomes = unsafe bytes.withUnsafeBytes { bytes in
            [
                failure { () throws(Failure) in try unsafe file.append(bytes) },
                failure { () throws(Failure) in try unsafe file.write(bytes, at: 10) },
            ]
        }
        #expect(outcomes == [full, full])
    }

    @Test func whatCannotBeReadIsSaid() {
        let file = TemporaryFile("the copy", descriptor: unsafe open("/", O_RDONLY | O_CLOEXEC))
        #expect(
            failure { () throws(Failure) in _ = try read(file, 4, at: 0) }
                == Failure(.io, "the copy cannot be read: Is a directory"))
        #expect(
            failure { () throws(Failure) in try file.clear() }
                == Failure(.io, "the copy cannot be emptied: Invalid argument"))
    }

    private func failure(_ body: () throws(Failure) -> Void) -> Failure? {
        do throws(Failure) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private func append(_ text: String, to file: TemporaryFile) throws {
        try unsafe Array(text.utf8).withUnsafeBytes { try unsafe file.append($0) }
    }

    private func read(_ file: TemporaryFile, _ count: Int, at offset: Int) throws(Failure) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let outcome = unsafe bytes.withUnsafeMutableBytes { bytes in
            Result { () throws(Failure) in try unsafe file.read(into: bytes, at: offset) }
        }
        return String(decoding: bytes.prefix(try outcome.get()), as: UTF8.self)
    }
}
