import Foundation
import Glibc
import Testing

/// Feeds and definitions that cannot be read.
@Suite struct BadFileTests {
    @Test(arguments: StoreState.allCases)
    func aMissingFeed(state: StoreState) throws {
        let scene = try Scene(state)
        let missing = scene.folder.file("missing.json")
        try scene.fails(66, ["\(missing) does not exist"], ["--feed", missing])
        try FileManager.default.removeItem(atPath: scene.feed)
        try scene.fails(66, ["\(scene.feed) does not exist"])
    }

    @Test(arguments: StoreState.allCases)
    func aPatternWithoutFiles(state: StoreState) throws {
        let scene = try Scene(state)
        let definition = Scene.definition().replacingOccurrences(of: "feed.json", with: "feeds/*.json")
        _ = try scene.folder.write("items.jsonc", definition)
        try scene.fails(66, ["no file matches", "feeds/*.json"])
    }

    @Test func aMissingDefinition() throws {
        let folder = TemporaryFolder()
        for command in ["run", "check"] {
            let outcome = try Sluice.run([command, folder.file("none.jsonc")])
            #expect(outcome.status == 66)
            #expect(outcome.errors.contains("the definition \(folder.file("none.jsonc")) does not exist"))
            #expect(outcome.output.isEmpty)
        }
    }

    @Test(arguments: StoreState.allCases)
    func aFolderIsNoFeed(state: StoreState) throws {
        let scene = try Scene(state)
        try scene.fails(66, ["is a directory, not a feed"], ["--feed", scene.folder.path])
    }

    /// Permissions do not bind root, who runs the command as nobody instead.
    @Test(.enabled(if: getuid() != 0 || Feeds.isThere("/usr/bin/setpriv"), "root, and no setpriv"))
    func anUnreadableFeed() throws {
        let scene = try Scene(.new)
        let nobody = getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        #expect(unsafe chmod(scene.folder.path, 0o777) == 0)
        #expect(unsafe chmod(scene.feed, 0) == 0)
        try scene.fails(77, ["\(scene.feed) may not be read", "Permission denied"], through: nobody)
    }

    @Test(arguments: ["gz", "zst", "xz", "bz2"], StoreState.allCases)
    func aDamagedArchive(ending: String, state: StoreState) throws {
        let tools = ["gz": "gzip", "zst": "zstd", "xz": "xz", "bz2": "bzip2"]
        let scene = try Scene(state)
        let records = (10..<400).map { "{\"id\": \($0), \"name\": \"\(UUID())\"}" }.joined(separator: ",\n")
        let plain = try scene.folder.write("damaged.json", Scene.beginning + records + "]}")
        var bytes = try Shell.output([tools[ending] ?? "", "-c", plain])
        // Cut short, and with a byte changed in its middle.
        let cut = try scene.folder.write("cut.json.\(ending)", bytes.prefix(bytes.count / 2))
        try scene.fails(65, ["\(cut) is damaged or cut short"], ["--feed", cut])
        bytes[bytes.count / 2] ^= 0xff
        let damaged = try scene.folder.write("damaged.json.\(ending)", bytes)
        try scene.fails(65, [damaged], ["--feed", damaged])
    }

    /// The run is held up by findings that nobody takes, until the feed has changed.
    @Test func aFeedThatChangesWhileItIsReadIsRefused() throws {
        let scene = try Scene(.existing, settings: #""limits": { "rejects": null },"#)
        let before = try Database(scene.store).snapshot()
        let items = (0..<10_000).map { "{\"id\": \"x\($0)\", \"name\": \"\(String(repeating: "x", count: 500))\"}" }
        _ = try scene.folder.write("feed.json", "{\"items\": [\(items.joined(separator: ",\n"))]}")
        let findings = scene.folder.file("findings")
        #expect(unsafe mkfifo(findings, 0o600) == 0)
        let descriptor = unsafe open(findings, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        let run = try RunningSluice(["run", scene.definition, "--batch-size", "1", "--findings", findings])
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        func take() -> Int { unsafe read(descriptor, &buffer, buffer.count) }
        #expect(run.waits { take() > 0 })
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: scene.feed))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(" ".utf8))
        _ = run.waits {
            _ = take()
            return false
        }
        let outcome = run.ended()
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("feed.json changed while it was read"), "\(outcome.errors)")
        #expect(try Database(scene.store).snapshot() == before)
    }
}
