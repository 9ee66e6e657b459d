import Foundation
import TestSupport
import Testing

/// What the page about nightly runs shows, works as it stands there: but for the folders, which are the test's own.
@Suite struct NightlyPageTests {
    private let page: String
    private let scratch = TemporaryFolder()

    init() throws { page = try String(contentsOfFile: Sluice.path("Documentation/nightly.md"), encoding: .utf8) }

    /// The block that begins with a comment which names a file, perhaps in its second line.
    private func block(_ name: String) throws -> String {
        let blocks = page.components(separatedBy: "\n```").map { $0.drop { $0 != "\n" }.dropFirst() }
        let block = blocks.first { $0.split(separator: "\n").prefix(2).contains { $0.hasPrefix("# \(name)") } }
        return String(try #require(block, "\(name)")) + "\n"
    }

    /// With the folders of a real machine replaced by those of the test.
    private func moved(_ text: String) -> String {
        ["/etc/sluice", "/var/lib/sluice", "/var/log/sluice", "/usr/local/bin", "/srv"].reduce(text) { text, folder in
            text.replacing(folder, with: scratch.path + folder)
        }
    }

    /// The folders, the command, a definition with a feed, and the scripts of the page.
    private func prepare() throws {
        let files = FileManager.default
        for folder in ["etc/sluice", "var/lib/sluice", "var/log/sluice", "usr/local/bin", "srv"] {
            try files.createDirectory(atPath: scratch.file(folder), withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(
            atPath: scratch.file("usr/local/bin/sluice"), withDestinationPath: Sluice.executable.path)
        for script in ["sluice-nightly", "sluice-chat", "sluice-backup", "sluice-restore", "sluice-publish"] {
            let path = try scratch.write("usr/local/bin/\(script)", moved(try block("/usr/local/bin/\(script)")))
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        _ = try scratch.write("etc/sluice/feed.json", Scene.goodFeed)
        let store = scratch.file("var/lib/sluice/transit.sqlite")
        let definition = Scene.definition().replacing("\"store.sqlite\"", with: "\"\(store)\"")
        _ = try scratch.write("etc/sluice/transit.jsonc", definition)
    }

    /// What a command writes, and how it ends.
    private func shell(_ command: String) throws -> (output: String, status: Int32) {
        let handle = try scratch.handle("out")
        let path = "\(scratch.file("usr/local/bin")):/usr/bin:/bin"
        let status = try Shell.run(["env", "PATH=\(path)", "sh", "-c", "exec 2>&1; \(command)"], output: handle)
        return (try String(contentsOfFile: scratch.file("out"), encoding: .utf8), status)
    }

    private func mode(_ name: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.posixPermissions] as? Int ?? 0
    }

    /// The job of the crontab: silent if all is well, with the report otherwise.
    @Test func theJobOfCron() throws {
        try prepare()
        let table = try block("/etc/cron.d/sluice")
        let line = try #require(table.split(separator: "\n").last)
        let parts = line.split(separator: " ", omittingEmptySubsequences: true)
        #expect(parts[5] == "sluice")
        let job = parts[6...].joined(separator: " ")
        #expect(table.contains("PATH=/usr/local/bin:"))
        let good = try shell(job)
        #expect(good.status == 0 && good.output == "")
        #expect(try mode("var/lib/sluice/transit.sqlite") == 0o640)
        #expect(try mode("var/lib/sluice/transit.prom") == 0o640)
        _ = try scratch.write("etc/sluice/feed.json", "{")
        let bad = try shell(job)
        #expect(bad.status == 65)
        // Once, in the report: the mail has both streams.
        #expect(bad.output.components(separatedBy: "feed.json:1:").count == 2, "\(bad.output)")
        #expect(!bad.output.contains("sluice: "))
        #expect(bad.output.contains("transit: failed; nothing was changed"))
        let log = try String(contentsOfFile: scratch.file("var/log/sluice/nightly.log"), encoding: .utf8)
        #expect(log.contains("Z transit ended with 0\ntransit: succeeded"))
        #expect(log.contains("Z transit ended with 65\n" + bad.output))
    }

    /// A chat is told why a run failed, and what it says of that is told in the mail.
    @Test func theMessageInAChat() throws {
        try prepare()
        let chat = FaultyServer.shared.service(["{}", #"{"status": 404}"#])
        _ = try scratch.write("etc/sluice/transit.env", "CHAT_HOOK=\(chat.url)\nno_proxy='*'\n")
        let after = try #require(page.firstMatch(of: /"after": \{ "failed": \["sluice-chat"\] \}/)).0
        _ = try scratch.write("etc/sluice/transit.jsonc", Scene.definition(settings: "\(after),"))
        _ = try scratch.write("etc/sluice/feed.json", "{")
        #expect(!(try shell("sluice-nightly transit").output.contains("sluice-chat")))
        let request = try #require(chat.requests.last)
        #expect(request.method == "POST" && request.headers["content-type"] == "application/json")
        let message = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: String]
        let text = try #require(message?["text"])
        #expect(text.hasPrefix("transit: ") && text.hasSuffix(" (exit status 65)"), "\(text)")
        #expect(try shell("sluice-nightly transit").output.contains("the command sluice-chat, after a run that failed"))
    }

    @Test(.enabled(if: hasSQLite, "sqlite3 is missing")) func backups() throws {
        try prepare()
        #expect(try shell("sluice-nightly transit").status == 0)
        let store = scratch.file("var/lib/sluice/transit.sqlite")
        let expected = try Database(store).contents()
        let copy = scratch.file("srv/transit.sqlite")
        #expect(try shell("sluice-backup \(store) \(copy)") == ("", 0))
        #expect(try Database(copy).contents() == expected)
        #expect(try mode("srv/transit.sqlite") & 0o007 == 0)
        _ = try scratch.write("etc/sluice/feed.json", "{\"items\": [{\"id\": 77}]}")
        #expect(try shell("sluice-nightly transit").status == 0)
        #expect(try Database(store).contents() != expected)
        #expect(try shell("sluice-restore \(copy) \(store)") == ("", 0))
        #expect(try Database(store).contents() == expected)
        // A store that was put back is one as any other.
        #expect(try shell("sluice-nightly transit").status == 0)
        #expect(try Database(store).isSound())
        // So it is where a program that died has left a log that is not in the store yet.
        let script = """
            import os, sqlite3
            store = sqlite3.connect('\(store)')
            store.execute("UPDATE Item SET name = 'of a program that died'")
            store.commit()
            os.kill(os.getpid(), 9)
            """
        #expect(try Shell.run(["python3", "-c", script]) != 0)
        #expect(try shell("sluice-restore \(copy) \(store)") == ("", 0))
        #expect(try Database(store).contents() == expected)
        #expect(try Database(store).isSound())
    }

    /// Programs on other machines follow by two lines.
    @Test func seedsForOthers() throws {
        try prepare()
        try FileManager.default.createDirectory(atPath: scratch.file("srv/app"), withIntermediateDirectories: true)
        let line = try #require(try block("/etc/cron.d/sluice-follow").split(separator: "\n").last)
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        #expect(words[5] == "app")
        let follow = moved(words[6...].joined(separator: " "))
        for feed in [Scene.goodFeed, "{\"items\": [{\"id\": 77}]}"] {
            _ = try scratch.write("etc/sluice/feed.json", feed)
            #expect(try shell("sluice-nightly transit").status == 0)
            #expect(try shell("sluice-publish transit") == ("", 0))
            #expect(try shell(follow) == ("", 0))
            let store = try Database(scratch.file("var/lib/sluice/transit.sqlite")).contents()
            #expect(try Database(scratch.file("srv/app/transit.sqlite")).contents() == store)
        }
        #expect(try shell(follow) == ("", 0))
    }

    /// A copy that is made while runs go on is of one moment.
    @Test(.enabled(if: hasSQLite, "sqlite3 is missing")) func backupsDuringRuns() throws {
        try prepare()
        let feeds = try (1...2).map { version in
            let items = (0..<8000).map { "{\"id\":\($0),\"name\":\"v\(version)\"}" }.joined(separator: ",")
            return try scratch.write("v\(version).json", "{\"items\":[\(items)]}")
        }
        let (store, copy) = (scratch.file("var/lib/sluice/transit.sqlite"), scratch.file("srv/transit.sqlite"))
        let arguments = ["run", scratch.file("etc/sluice/transit.jsonc"), "--quiet", "--feed"]
        #expect(try Sluice.run(arguments + [feeds[0]]).status == 0)
        for round in 1...4 {
            let run = try RunningSluice(arguments + [feeds[round % 2]])
            repeat {
                #expect(try shell("sluice-backup \(store) \(copy)") == ("", 0))
                let counts = try Database(copy).rows("SELECT count(*), count(DISTINCT name) FROM Item")
                #expect(counts == [["8000", "1"]])
            } while run.isRunning
            #expect(run.ended().status == 0)
        }
    }

    static let hasSQLite = (try? Shell.run(["sqlite3", "--version"])) == 0
    static let hasSystemd = (try? Shell.run(["systemd-analyze", "--version"])) == 0

    @Test(.enabled(if: hasSystemd, "systemd is missing")) func theUnitsOfSystemd() throws {
        try prepare()
        let names = ["sluice@.service", "sluice@.timer", "sluice-failed@.service"]
        let paths = try names.map { name in
            try scratch.write(name, moved(try block(name.contains("failed") ? "/etc/systemd/system/\(name)" : name)))
        }
        // Instances, so that the names with %i are looked at.
        let instances = try paths.map { path in
            let instance = path.replacing("@.", with: "@transit.")
            try FileManager.default.createSymbolicLink(atPath: instance, withDestinationPath: path)
            return instance
        }
        let addition = try block("/etc/systemd/system/sluice@.service.d/local.conf")
        try FileManager.default.createDirectory(
            atPath: instances[0] + ".d", withIntermediateDirectories: true)
        _ = try scratch.write("sluice@transit.service.d/local.conf", addition)
        let outcome = try shell("systemd-analyze verify --man=no \(instances.joined(separator: " "))")
        #expect(outcome.status == 0 && outcome.output == "", "\(outcome.output)")
        let service = try String(contentsOfFile: paths[0], encoding: .utf8)
        let start = try #require(service.components(separatedBy: "ExecStart=").last?.components(separatedBy: "\n")[0])
        #expect(try shell(start.replacing("%i", with: "transit")).status == 0)
        #expect(try shell("systemd-analyze calendar '*-*-* 02:00:00'").status == 0)
    }

    /// The page shows the units that are installed.
    @Test(arguments: ["sluice@.service", "sluice@.timer"]) func theUnitsAreTheInstalledOnes(name: String) throws {
        let unit = try String(contentsOfFile: Sluice.path("Packaging/systemd/\(name)"), encoding: .utf8)
        #expect(try block(name) == "# \(name)\n" + unit.replacing("/usr/", with: "/usr/local/"))
    }

    /// Options and statuses of the page are those of the command.
    @Test func optionsAndStatuses() throws {
        let help = try ["run", "check"].map { try Sluice.run([$0, "--help"]).output }.joined()
        for line in page.split(separator: "\n") where line.contains("sluice run ") {
            let words = line.components(separatedBy: "sluice run ")[1].split(whereSeparator: { " `,;>".contains($0) })
            for option in words where option.hasPrefix("--") { #expect(help.contains(option), "\(option)") }
        }
        let command = try String(contentsOfFile: Sluice.path("Documentation/command.md"), encoding: .utf8)
        let statuses = command.components(separatedBy: "## Exit statuses")[1].matches(of: /\n\| (\d+) \|/)
        let table = page.components(separatedBy: "## The morning after")[1]
        #expect(statuses.count > 10)
        for status in statuses {
            #expect(table.contains(try Regex("\\| [^|]*\\b\(status.1)\\b[^|]* \\|")), "\(status.1)")
        }
    }
}
