import Foundation
import Testing

/// The Containerfile and its page, without an engine: what it copies is there, what it installs is what the binary needs,
/// and what the page starts is a command of this version.
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
        let executable = Sluice.executable.path
        let names = try lines("readelf", "-dW", executable).compactMap { line in
            line.contains("(NEEDED)") ? line.firstMatch(of: /\[(.*)\]/).map { String($0.1) } : nil
        }
        let found = try lines("ldd", executable).compactMap { $0.firstMatch(of: /^\s*(\S+) => (\S+)/) }
        let paths = Dictionary(found.map { (String($0.1), String($0.2)) }) { first, _ in first }
        // The tests' build has the Swift runtime beside it, the release build in it; the linker is part of libc6.
        let isOther = { (name: String) in ["libswift", "lib_", "ld-linux"].contains { name.hasPrefix($0) } }
        let packages = try names.filter { !isOther($0) }.compactMap { name in
            let path = try #require(paths[name], "\(name)")
            // By its name alone: packages know some under /lib, others under /usr/lib.
            let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().lastPathComponent
            return try lines("dpkg", "-S", "*-linux-gnu/\(real)").first?.split(separator: ":").first.map(String.init)
        }
        return Set(packages).subtracting(["libc6", "libgcc-s1", "libstdc++6"])
    }

    static let hasDebian = ["dpkg", "readelf", "ldd"].allSatisfy(ManualTests.has)

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
