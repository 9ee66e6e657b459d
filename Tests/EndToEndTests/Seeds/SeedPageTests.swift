import Foundation
import TestSupport
import Testing

/// What the page about seeds shows, works as it stands there: but for folders and addresses, which are the test's own.
@Suite struct SeedPageTests {
    private let page: String
    private let scene: SeedScene

    init() throws {
        page = try String(contentsOfFile: Sluice.path("Documentation/seeds.md"), encoding: .utf8)
        scene = try SeedScene(#""name": "transit","#)
        for folder in ["etc/sluice", "etc/app", "srv", "var/lib/app", "bin"] {
            try FileManager.default.createDirectory(
                atPath: scene.folder.file(folder), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: scene.folder.file("bin/sluice"), withDestinationPath: Sluice.executable.path)
        try FileManager.default.copyItem(
            atPath: scene.definition, toPath: scene.folder.file("etc/sluice/transit.jsonc"))
        _ = try scene.folder.write("etc/sluice/\(SeedScene.secret).json", SeedScene.items(50, 1))
    }

    /// The block that begins so.
    private func block(_ beginning: String) throws -> String {
        let blocks = page.components(separatedBy: "\n```").map { String($0.drop { $0 != "\n" }.dropFirst()) }
        return try #require(blocks.first { $0.hasPrefix(beginning) }, "\(beginning)")
    }

    /// With the folders of the test.
    private func moved(_ text: String) -> String {
        ["/etc/sluice", "/etc/app", "/srv", "/var/lib/app"].reduce(text) { text, folder in
            text.replacing(folder, with: scene.folder.path + folder)
        }
    }

    private func shell(_ script: String, _ environment: [String] = []) throws -> (output: String, status: Int32) {
        let handle = try scene.folder.handle("out")
        let path = "PATH=\(scene.folder.file("bin")):/usr/bin:/bin"
        let status = try Shell.run(
            ["env", path] + environment + ["sh", "-c", "exec 2>&1; set -e; cd \(scene.folder.path)\n\(script)"],
            output: handle)
        return (try String(contentsOfFile: scene.folder.file("out"), encoding: .utf8), status)
    }

    /// The command of a line of cron.
    private func job(_ name: String) throws -> String {
        let line = try #require(try block("# \(name)").split(separator: "\n").last)
        return line.split(separator: " ", omittingEmptySubsequences: true)[6...].joined(separator: " ")
    }

    /// Both sides, with the server in between, kept current by a line of cron each.
    @Test func bothSides() throws {
        let publish = try shell(moved(try block("# once: a key")))
        #expect(publish.status == 0 && publish.output.contains("transit 1: 53 objects"), "\(publish)")
        #expect(try shell(moved(try job("/etc/cron.d/sluice-seed"))) == ("", 0))
        let server = try FileServer(scene.folder.file("srv/seeds"))
        let secure = ["SSL_CERT_FILE=\(server.authority)"]
        try FileManager.default.copyItem(
            atPath: scene.folder.file("etc/sluice/seed-key.pub.pem"),
            toPath: scene.folder.file("etc/app/seed-key.pub.pem"))
        let store = scene.folder.file("var/lib/app/transit.sqlite")
        let install = moved(try job("/etc/cron.d/sluice-install"))
            .replacing("https://example.org", with: server.secureURL)
        for version in 1...2 {
            _ = try scene.folder.write("etc/sluice/\(SeedScene.secret).json", SeedScene.items(50, version))
            #expect(try shell(moved(try job("/etc/cron.d/sluice-seed"))) == ("", 0))
            #expect(try shell(install, secure) == ("", 0))
            #expect(try Database(store).integer("SELECT version FROM sluice_seed") == version)
        }
        // As openssl verifies it.
        let verify = try block("openssl pkeyutl -verify")
            .replacing("seed-key.pub.pem", with: "../../etc/app/seed-key.pub.pem")
        #expect(try shell("cd srv/seeds; \(verify)").status == 0)
        // The program.
        let program = moved(try block("# app.py")) + "\nprint(name, version, len(model))\n"
        #expect(try shell("python3 - <<'EOF'\n\(program)EOF") == ("transit 2 64\n", 0))
    }

    /// The lines for a folder.
    @Test func fromAFolder() throws {
        #expect(try shell(moved(try block("# once: a key"))).status == 0)
        let lines = moved(try block("# from a folder").components(separatedBy: "\n\n")[0])
            .replacing("seeds/transit", with: "srv/seeds/transit")
        #expect(try shell(lines) == ("Installed transit 1, whole.\n", 0))
    }

    @Test func theServersConfiguration() throws {
        let nginx = ["/usr/sbin/nginx", "/usr/bin/nginx"].first { FileManager.default.isExecutableFile(atPath: $0) }
        let file = try scene.folder.write(
            "nginx.conf",
            """
            pid nginx.pid; events {}
            http { access_log off; client_body_temp_path t; \(moved(try block("# nginx").replacing("listen 80", with: "listen 127.0.0.1:18080"))) }
            """)
        let words = "\(nginx ?? "nginx") -t -q -p \(scene.folder.path) -c \(file) -e \(scene.folder.file("e"))"
        let outcome = try shell(words)
        #expect(outcome.status == 0, "\(outcome)")
    }

    /// Each key of the manifest is explained.
    @Test func theManifest() throws {
        #expect(try shell(moved(try block("# once: a key"))).status == 0)
        let manifest = try scene.json(scene.folder.file("srv/seeds/transit.seed.json"))
        let example = try #require(
            JSONSerialization.jsonObject(with: Data(try block("{\n  \"format\"").utf8)) as? [String: Any])
        #expect(Set(manifest.keys) == Set(example.keys))
        for key in manifest.keys { #expect(page.contains("`\(key)`"), "\(key)") }
    }
}
