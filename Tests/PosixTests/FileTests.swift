import Glibc
import Testing

@testable import SluicePosix

/// What tells one file from another.
@Suite struct FileTests {
    @Test(arguments: [
        ("a/b/c", "a/b", "c"), ("/a", "/", "a"), ("a", ".", "a"), ("/", "/", ""), ("a/\u{301}b", "a", "\u{301}b"),
    ])
    func pathsHaveAFolderAndAName(_ path: String, _ folder: String, _ name: String) {
        #expect(FilePath.folder(path) == folder)
        #expect(Array(FilePath.name(path).utf8) == Array(name.utf8))
    }

    @Test func linksLeadToTheirFile() throws {
        let (descriptor, path) = try TemporaryFile.create()
        let link = path + ".link"
        defer {
            close(descriptor)
            for name in [path, link] { _ = unsafe unlink(name) }
        }
        #expect(unsafe symlink(path, link) == 0)
        #expect(FilePath.real(link) == FilePath.real(path))
        #expect(FileNumber(following: link) == FileNumber(named: path))
        #expect(FileNumber(named: link) != FileNumber(named: path))
        #expect(FileNumber(named: path + ".none") == nil)
        #expect(FilePath.real(path + ".none") == nil)
        #expect(FilePath.syncFolder(FilePath.folder(path)))
        #expect(!FilePath.syncFolder(path))
    }

    @Test func aChangeShows() throws {
        let (descriptor, path) = try TemporaryFile.create()
        defer {
            close(descriptor)
            _ = unsafe unlink(path)
        }
        let before = try #require(FileState(following: path))
        #expect(!before.hasChanged(path))
        #expect(writeAll("more", to: descriptor))
        #expect(before.hasChanged(path))
        #expect(!before.hasChanged(path + ".none"))
        #expect(!before.hasChanged("/"))
    }

    @Test func variablesMayBeMissing() {
        #expect(environmentVariable("PATH") != nil)
        #expect(environmentVariable("SLUICE_NO_SUCH_VARIABLE") == nil)
    }
}
