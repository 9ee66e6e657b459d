import Foundation
import Testing

/// The Containerfile and its page, without an engine: what it copies is there, what it installs is what the binary
/// needs, and what the page starts is a command of this version.
@Suite struct ContainerTests {
    private let file: String
    private let page: String
    private let scratch = TemporaryFolder()

    init() throws {
        file = try String(contentsOfFile: Sluice.path("Packaging/Containerfile"), encoding: .utf8)
        page = try String(contentsOfFile: Sluice.path("Documentation/containers.md"), encoding: .utf8)
    }

    private func lines(_ words: String...) throws -> [String] {
        String(decoding: try Shell.output(words), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Of Debian's packages, those that hold the libraries that the binary names; what every Debian has is left out.
    private func neededPackages() throws -> Set<String> {
        let found = try lines(Sluice.path("Packaging/libraries"), Sluice.executable.path)
        let packages = found.compactMap { $0.split(separator: " ").last.map(String.init) }
        return Set(packages).subtracting(["libc6", "libgcc-s1", "libstdc++6"])
    }

    /// Half of what a start takes is the loading of these and of theirs; most runs need none.
    @Test(.enabled(if: hasDebian, "readelf is missing")) func itStartsWithoutWhatFewRunsNeed() throws {
        let atStart = try lines("readelf", "-dW", Sluice.executable.path).filter { $0.contains("(NEEDED)") }
        #expect(atStart.contains { $0.contains("libsqlite3") })
        for library in ["libarchive", "libcurl", "libpq"] {
            #expect(!atStart.contains { $0.contains(library) }, "\(library)")
        }
    }

    @Test func aLibraryThatCannotBeLoadedIsNamed() throws {
        let folder = TemporaryFolder()
        _ = try folder.write("libcurl.so.4", "no library")
        let search = ["LD_LIBRARY_PATH": folder.path]
        let outcome = try Sluice.run(["--version", "--verbose"], environment: search)
        #expect(outcome.status == 74)
        let message = "sluice: a library cannot be loaded: \(folder.file("libcurl.so.4"))"
        #expect(outcome.errors.hasPrefix(message), "\(outcome.errors)")
        #expect(try Sluice.run(["--version"], environment: search).status == 0)
    }

    static let hasDebian = ["dpkg", "readelf", "strings"].allSatisfy(ManualTests.has)

    @Test(.enabled(if: hasDebian, "dpkg or readelf is missing")) func theLibrariesAreThoseThatAreNeeded() throws {
        let installed = file.components(separatedBy: "--no-install-recommends")[1].components(separatedBy: "&&")[0]
        let packages = Set(installed.split(whereSeparator: { " \\\n".contains($0) }).map(String.init))
        #expect(packages.subtracting(["ca-certificates", "tzdata"]) == (try neededPackages()))
        let page = try String(contentsOfFile: Sluice.path("Documentation/install.md"), encoding: .utf8)
        for package in packages { #expect(page.contains(package), "\(package)") }
    }

    @Test func whatItCopiesIsThere() throws {
        #expect(try Shell.run([Sluice.path("Packaging/stage"), Sluice.executable.path, scratch.path, "/usr"]) == 0)
        let ignored = try String(contentsOfFile: Sluice.path(".dockerignore"), encoding: .utf8)
        let copies = file.matches(of: /\nCOPY (\S+) \S+/).map { String($0.1) }
        #expect(copies.count >= 3)
        for copy in copies {
            let staged = copy.replacing(".build/packages/container", with: scratch.file("usr"))
            let path = staged == copy ? Sluice.path(copy) : staged
            #expect(FileManager.default.fileExists(atPath: path), "\(copy)")
            let isLetThrough = ignored.matches(of: /\n!(\S+)/).contains { copy.hasPrefix($0.1) }
            #expect(isLetThrough, "\(copy)")
        }
    }

    /// The Debian whose libraries the binary was linked with.
    @Test(.enabled(if: hasDebian, "this is no Debian")) func itIsTheDebianOfTheBuild() throws {
        let release = try String(contentsOfFile: "/etc/os-release", encoding: .utf8)
        let name = try #require(release.firstMatch(of: /VERSION_CODENAME=(\w+)/)).1
        #expect(file.contains("\nFROM docker.io/library/debian:\(name)-slim\n"))
    }

    @Test func theDefinitionOfThePageIsSound() throws {
        let block = page.components(separatedBy: "transit.jsonc: |\n")[1].components(separatedBy: "\n---")[0]
        let definition = try scratch.write("transit.jsonc", block)
        let outcome = try Sluice.run(["check", "--store", scratch.file("s.sqlite"), definition])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func theOptionsOfThePageAreTheCommands() throws {
        let help = try Sluice.run(["run", "--help"]).output
        let starts = page.matches(of: /sluice run (\S+ --.*)\n/).map { String($0.1) }
        let arguments = try #require(page.firstMatch(of: /args: \["run", "[^"]*", (.*)\]/)).1
        #expect(starts.count == 2)
        for text in starts + [String(arguments)] {
            for option in text.matches(of: /--[a-z-]+/) { #expect(help.contains(option.0), "\(option.0)") }
        }
        let image = try #require(page.firstMatch(of: /image: \S+\/sluice:(\S+)/)).1
        #expect(try Sluice.run(["--version"]).output == "sluice \(image)\n")
    }
}
