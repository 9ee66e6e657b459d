import Foundation
import Testing

/// What is installed: as `make install`, the Debian package and the tarball have it. The packages themselves are tried
/// by `make try-deb`.
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

    /// Pages lie elsewhere than in a clone: their links and pictures lead to what is installed, or are none.
    @Test func installedLinksLeadSomewhere() throws {
        let files = try staged("/opt/x")
        let pages = files.filter { $0.hasSuffix(".md") }
        #expect(
            Set(["README.md", "CHANGELOG.md", "SluiceStore/Reading.md"].map { "share/doc/sluice/" + $0 })
                .isSubset(of: pages))
        var count = 0
        for page in pages {
            let folder = URL(fileURLWithPath: scratch.file("root/opt/x/" + page)).deletingLastPathComponent()
            let text = try String(contentsOfFile: scratch.file("root/opt/x/" + page), encoding: .utf8)
                .replacing(/(?m)^ *```[^\n]*\n(?:(?! *```).*\n)*? *```$/, with: "")
            let links = text.matches(of: /\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/).map(\.1)
            let pictures = text.matches(of: /\bsrc(?:set)?="([^":]+)"/).map(\.1)
            #expect(!text.contains("<doc:"), "\(page)")
            for link in links + pictures {
                let path = folder.appendingPathComponent(String(link)).standardizedFileURL.path
                #expect(FileManager.default.fileExists(atPath: path), "\(page): \(link)")
                #expect(path.hasPrefix(scratch.file("root/opt/x/share/")), "\(page): \(link)")
                count += 1
            }
        }
        #expect(count > 700, "\(count)")
    }

    /// The pipelines that come along run where they are installed.
    @Test func theInstalledDemoRuns() throws {
        _ = try staged("/usr")
        let definition = scratch.file("root/usr/share/doc/sluice/examples/Pipelines/berlin-transit.jsonc")
        #expect(try Sluice.run(["run", definition, "--store", scratch.file("s.sqlite")]).status == 0)
    }

    /// A draft in a file names the schema where it is installed, so that editors find it; one on standard output does
    /// not.
    @Test func aDraftNamesTheInstalledSchema() throws {
        _ = try staged("/usr")
        let (sluice, draft) = (scratch.file("root/usr/bin/sluice"), scratch.file("d.jsonc"))
        let feed = Sluice.path("Samples/berlin-transit.json")
        #expect(try Shell.run([sluice, "init", feed, "-o", draft]) == 0)
        let schema = scratch.file("root/usr/share/sluice/pipeline.schema.json")
        let text = try String(contentsOfFile: draft, encoding: .utf8)
        #expect(text.contains("\n  \"$schema\": \"file://\(schema)\",\n  \"source\": "), "\(text.prefix(400))")
        #expect(try Shell.run([sluice, "check", draft]) == 0)
        #expect(!String(decoding: try Shell.output([sluice, "init", feed]), as: UTF8.self).contains("$schema"))
    }

    /// In a clone, editors find it by the settings of the folder.
    @Test func theFolderHasTheSchema() throws {
        let settings = try JSONSerialization.jsonObject(with: Data(try text(".vscode/settings.json").utf8))
        let schemas = (settings as? [String: Any])?["json.schemas"] as? [[String: Any]]
        let address = try #require(schemas?.first?["url"] as? String)
        #expect(FileManager.default.fileExists(atPath: Sluice.path(address)))
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
        #expect(try text("Packaging/debian/changelog").hasPrefix("sluice (1:\(version)-"))
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

    @Test func everyScriptIsOne() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Sluice.path("Packaging"))
        let scripts = try names.filter { name in
            guard !["debian", "systemd"].contains(name) else { return false }
            return try text("Packaging/\(name)").hasPrefix("#!/usr/bin/env bash")
        }
        #expect(scripts.count > 12)
        for name in scripts {
            #expect(try Shell.run(["bash", "-n", Sluice.path("Packaging/\(name)")]) == 0, "\(name)")
        }
    }

    /// What `make` offers is explained where developers look.
    @Test func everyTargetIsDocumented() throws {
        let phony = try #require(try text("Makefile").firstMatch(of: /\n\.PHONY: (.*)\n/)).1
        let pages = try ["Packaging/README.md", "Documentation/contributing.md", "Documentation/install.md"].map(text)
        let targets = phony.split(separator: " ").filter { !$0.hasPrefix("setup") && $0 != "clean" && $0 != "build" }
        #expect(targets.count > 15)
        for target in targets {
            #expect(pages.contains { $0.contains("`make \(target)`") || $0.contains("`make \(target) ") }, "\(target)")
        }
    }

    /// A key that is thrown away signs a file, and another byte is noticed.
    @Test func aFileIsSigned() throws {
        let (file, key, signers) = (scratch.file("sums"), scratch.file("key"), scratch.file("signers"))
        try "0  a\n".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try Shell.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key]) == 0)
        #expect(try Shell.run([Sluice.path("Packaging/sign"), file, "ssh:\(key)"]) == 0)
        let known = try String(contentsOfFile: key + ".pub", encoding: .utf8)
        try "me \(known)".write(toFile: signers, atomically: false, encoding: .utf8)
        let verify = "ssh-keygen -Y verify -n file -f \(signers) -I me -s \(file).sig < \(file)"
        #expect(try Shell.run(["sh", "-c", verify]) == 0)
        try "0  b\n".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try Shell.run(["sh", "-c", verify]) != 0)
        for how in ["ssh", "gpg:", "pgp:me"] {
            #expect(try Shell.run([Sluice.path("Packaging/sign"), file, how]) == 64, "\(how)")
        }
    }

    @Test(arguments: ["postinst", "prerm", "postrm"]) func aScriptOfTheMaintainerIsOne(name: String) throws {
        #expect(try Shell.run(["sh", "-n", Sluice.path("Packaging/debian/\(name)")]) == 0)
    }
}
