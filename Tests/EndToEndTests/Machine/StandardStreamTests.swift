import Foundation
import Glibc
import Testing

/// What a run writes to those who may not be there, or do not listen.
@Suite struct StandardStreamTests {
    /// The command as it is started with a standard stream closed.
    private static func closing(_ stream: String) -> [String] { ["/bin/sh", "-c", "exec \"$@\" \(stream)", "sh"] }

    private static let rejecting = #""limits": { "rejects": null },"#

    /// A mail of cron has the reason of a failure once: both streams lead to it. Who takes them apart has it in each.
    @Test func aReasonIsToldOnceWhereItIsRead() throws {
        let scene = try Scene(.existing)
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": "x"}]}"#)
        let reason = "he limit of 0 rejects is exceeded"
        let mail = try scene.run(["--show", "news"], through: StandardStreamTests.closing("2>&1"))
        #expect(mail.status == 65 && mail.errors == "")
        #expect(mail.output.components(separatedBy: reason).count == 2, "\(mail.output)")
        let apart = try scene.run()
        #expect(apart.output.contains(reason) && apart.errors.contains(reason))
    }

    @Test(arguments: ["--findings", "--report"])
    func closedOutputTakesNothing(option: String) throws {
        let scene = try Scene(.existing, settings: StandardStreamTests.rejecting)
        let before = try Database(scene.store).snapshot()
        let outcome = try scene.run([option, "-"], through: StandardStreamTests.closing(">&-"))
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("standard output is closed"), "\(outcome.errors)")
        #expect(try Database(scene.store).snapshot() == before)
    }

    /// Whatever is closed, no file of the run gets its number.
    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    func noFileTakesTheNumberOfAStream(stream: String) throws {
        let scene = try Scene(.new, settings: StandardStreamTests.rejecting)
        let findings = scene.folder.file("findings.ndjson")
        let outcome = try scene.run(
            ["--quiet", "--findings", findings, "--log", "json", "--progress", "always"],
            through: StandardStreamTests.closing(stream))
        #expect(outcome.status == 0)
        #expect(try Database(scene.store).isSound())
        #expect(try String(contentsOfFile: findings, encoding: .utf8).contains("sluice") == false)
    }

    @Test func closedInputIsNoFeed() throws {
        let scene = try Scene(.new)
        let outcome = try scene.run(["--feed", "-"], through: StandardStreamTests.closing("<&-"))
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("standard input"), "\(outcome.errors)")
    }

    /// Nobody would ever read it, while the store is locked.
    @Test func aNamedPipeWithoutAReaderIsRefused() throws {
        let scene = try Scene(.new)
        let pipe = scene.folder.file("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        try scene.fails(73, ["nobody reads this pipe"], ["--findings", pipe])
    }

    /// A reader that takes nothing does not keep a signal from ending the run.
    @Test func aSignalEndsARunWhoseFindingsNobodyTakes() throws {
        let scene = try Scene(.new, settings: StandardStreamTests.rejecting)
        let items = (0..<2_000).map { "{\"id\": \"x\($0)\", \"name\": \"\(String(repeating: "x", count: 500))\"}" }
        _ = try scene.folder.write("feed.json", "{\"items\": [\(items.joined(separator: ",\n"))]}")
        let pipe = scene.folder.file("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let descriptor = unsafe open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        let run = try RunningSluice(["run", scene.definition, "--findings", pipe])
        var waiting: CInt = 0
        #expect(run.waits { unsafe ioctl(descriptor, UInt(FIONREAD), &waiting) == 0 && waiting > 32 << 10 })
        run.signal(SIGTERM)
        let outcome = run.ended()
        #expect(outcome.status == 143)
        #expect(outcome.errors.contains("SIGTERM"))
    }

    /// The bytes that are read are counted once, even if the archive wants them, too.
    @Test func anArchiveDoesNotHideProgress() throws {
        let scene = try Scene(.new, settings: #""archive": { "directory": "archive" },"#)
        let outcome = try scene.run(["--quiet", "--progress", "always", "--log", "json"])
        #expect(outcome.status == 0)
        let size = try Data(contentsOf: URL(fileURLWithPath: scene.feed)).count
        #expect(outcome.errors.contains("\"phase\": \"linking\", \"bytes\": \(size),"), "\(outcome.errors)")
    }
}
