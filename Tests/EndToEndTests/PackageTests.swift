import Foundation
import Testing

/// What is installed: as `make install`, the Debian package and the tarball have it. The packages themselves are tried by
/// `make try-deb`.
@Suite struct PackageTests {
    private let scratch = TemporaryFolder()

    private func staged(_ prefix: String) throws -> [String] {
        let words = [Sluice.path("Packaging/stage"), Sluice.executable.path, scratch.file("root"), prefix]
        #expect(try Shell.run(words) == 0)
        let root = scratch.file("root" + prefix)
        return try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: Sluice.path(name), encoding: .utf8)
    }

    @Test func everythingIsStaged() throws {
        let files = try staged("/opt/x")
        var expected = ["bin/sluice", "share/man/man1/sluice.1.gz"]
        expected += commandNames.map { "share/man/man1/sluice-\($0).1.gz" }
        expected += [
            "share/bash-completion/completions/sluice", "share/zsh/site-functions/_sluice",
            "share/fish/vendor_completions.d/sluice.fish", "lib/systemd/system/sluice@.service",
            "lib/systemd/system/sluice@.timer", "share/sluice/pipeline.schema.json",
            "share/sluice/report.schema.json", "share/sluice/finding.schema.json", "share/doc/sluice/definition.md",
            "share/doc/sluice/examples/Samples/berlin-transit.json", "bin/sluice-duckdb",
            "share/sluice/runners/sluice_spark.py", "share/sluice/runners/sluice_runner/program.py",
        ]
        for file in expected { #expect(files.contains(file), "\(file)") }
        let unit = try String(
            contentsOfFile: scratch.file("root/opt/x/lib/systemd/system/sluice@.service"), encoding: .utf8)
        #expect(unit.contains("ExecStart=/opt/x/bin/sluice run "))
    }

    /// The pipelines that come along run where they are installed.
    @Test func theInstalledDemoRuns() throws {
        _ = try staged("/usr")
        let definition = scratch.file("root/usr/share/doc/sluice/examples/Pipelines/berlin-transit.jsonc")
        #expect(try Sluice.run(["run", definition, "--store", scratch.file("s.sqlite")]).status == 0)
    }

    /// Through the link in `bin` it finds its modules, and leaves nothing beside them.
    @Test func theInstalledRunnerRuns() throws {
        let before = try staged("/usr")
        let runner = PlanRunner(
            PlanRunner.python + [scratch.file("root/usr/bin/sluice-duckdb")], in: scratch, state: "state")
        let examples = scratch.file("root/usr/share/doc/sluice/examples")
        let outcome = try runner.run(examples + "/Pipelines/berlin-transit.jsonc")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: scratch.file("root/usr")).sorted() == before)
    }

    @Test func theVersionIsOne() throws {
        let version = try Sluice.run(["--version"]).output.replacing("sluice ", with: "").replacing("\n", with: "")
        #expect(try text("Packaging/debian/changelog").hasPrefix("sluice (\(version)-"))
        let changes = try text("CHANGELOG.md")
        #expect(changes.contains("\n## \(version)"))
    }

    /// The licence of the package is the project's.
    @Test func theLicenceIsComplete() throws {
        func words(_ text: String) -> String {
            text.split(whereSeparator: \.isWhitespace).filter { $0 != "." }.joined(separator: " ")
        }
        let licence = try text("LICENSE").components(separatedBy: "\n\n").dropFirst(2).joined(separator: " ")
        #expect(words(licence).count > 500)
        #expect(words(try text("Packaging/debian/copyright")).contains(words(licence)))
    }

    @Test(arguments: ["container", "deb", "release", "reproduce", "stage", "tarball", "try-container", "try-deb"])
    func aScriptIsOne(name: String) throws {
        #expect(try Shell.run(["bash", "-n", Sluice.path("Packaging/\(name)")]) == 0)
    }

    @Test(arguments: ["postinst", "prerm", "postrm"]) func aScriptOfTheMaintainerIsOne(name: String) throws {
        #expect(try Shell.run(["sh", "-n", Sluice.path("Packaging/debian/\(name)")]) == 0)
    }
}
