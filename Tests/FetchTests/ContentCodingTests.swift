import Foundation
import SluiceFetch
import SluiceRecords
import TestSupport
import Testing

/// What is compressed for the transfer is whole, or it is not taken.
struct ContentCodingTests {
    private let whole = feed(3000)

    private func request(_ steps: String...) -> (request: WebRequest, service: FaultyService) {
        let service = FaultyServer.shared.service(steps)
        var request = service.request
        request.retries = 2
        return (request, service)
    }

    @Test(arguments: [
        "gzip", "deflate", "raw-deflate", "zstd", "gzip, gzip", "deflate, gzip", "zstd, gzip", "gzip, zstd, deflate",
    ])
    func codingsAreUndone(_ coding: String) {
        let (request, service) = request(#"{"items":3000,"encoding":"\#(coding)"}"#)
        #expect(download(request).page == whole)
        #expect(service.requests.map { $0.headers["accept-encoding"] } == ["gzip, zstd, deflate"])
    }

    @Test(arguments: [1, 3, 17], ["gzip", "zstd", "deflate", "raw-deflate"])
    func anyPiecesDo(_ piece: Int, _ coding: String) {
        let (request, _) = request(#"{"items":30,"encoding":"\#(coding)","chunked":true,"piece":\#(piece)}"#)
        #expect(download(request).page == feed(30))
    }

    @Test(arguments: ["x-gzip", "GZIP", "identity, gzip", " gzip ,, "])
    func otherSpellingsAreUnderstood(_ name: String) {
        let (request, _) = request(#"{"items":30,"encoding":"gzip","says":"\#(name)"}"#)
        #expect(download(request).page == feed(30))
    }

    /// RFC 1952 allows a file of several members.
    @Test func severalMembersAreOneContent() throws {
        let parts = [whole[..<40_000], whole[40_000...]]
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for tool in ["gzip", "zstd"] {
            let packed = folder.appending(path: "feed.\(tool)")
            var bytes = Data()
            for part in parts {
                let file = folder.appending(path: "part")
                try Data(part).write(to: file)
                let process = Process()
                let output = Pipe()
                process.executableURL = URL(filePath: "/usr/bin/env")
                process.arguments = [tool, "-c", file.path]
                process.standardOutput = output
                try process.run()
                bytes += output.fileHandleForReading.readDataToEndOfFile()
                process.waitForEnd()
            }
            try bytes.write(to: packed)
            let (request, _) = request(#"{"file":"\#(packed.path)","headers":[["Content-Encoding","\#(tool)"]]}"#)
            #expect(download(request).page == whole, "\(tool)")
        }
    }

    /// A stream that ends at a flush looks whole to who does not look for its end.
    @Test(
        arguments: [
            #""flush":60000"#, #""flush":60000,"chunked":true"#, #""flush":60000,"unframed":true"#, #""flush":0"#,
        ],
        ["gzip", "deflate", "raw-deflate"])
    func contentThatIsCutHasBrokenOff(_ cut: String, _ coding: String) {
        let (request, service) = request(#"{"items":3000,"encoding":"\#(coding)","always":true,\#(cut)}"#)
        let outcome = download(request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.contains("broke off"), "\(outcome.message)")
        #expect(service.requests.count > 2)
        service.post(#"[{"items":3000,"encoding":"\#(coding)",\#(cut)},{"items":3000}]"#)
        #expect(download(request).page == whole)
    }

    /// Wherever the stream ends, within framing that says all is well.
    @Test(arguments: ["gzip", "deflate", "raw-deflate", "zstd", "gzip, gzip"], 0..<4)
    func anyCutIsSeen(_ coding: String, _ round: Int) {
        let cut = [0, 1, Int.random(in: 2..<3000), Int.random(in: 2..<3000)][round]
        let step = #"{"items":3000,"encoding":"\#(coding)","chunked":true,"always":true,"part":\#(cut)}"#
        let (request, _) = request(step)
        let outcome = download(request)
        #expect(outcome.kind == .unavailable && outcome.message.contains("broke off"), "\(cut): \(outcome.message)")
        let (mended, _) = self.request(step, #"{"items":3000,"encoding":"\#(coding)"}"#)
        #expect(download(mended).page == whole, "\(cut)")
    }

    /// What says that it is compressed, and is not, or not any more.
    @Test(arguments: [
        #""encoding":"gzip","damage":-6"#, #""encoding":"gzip","damage":5000"#, #""encoding":"gzip","damage":0"#,
        #""encoding":"zstd","damage":3000"#, #""encoding":"deflate","damage":-1"#,
        #""headers":[["Content-Encoding","gzip"]]"#, #""headers":[["Content-Encoding","zstd"]]"#,
        #""encoding":"gzip","after":"more""#, #""encoding":"deflate","after":"more""#,
    ])
    func damagedContentIsTriedAgain(_ damage: String) {
        let (request, service) = request(#"{"items":3000,"always":true,\#(damage)}"#)
        let outcome = download(request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.contains("damaged"), "\(outcome.message)")
        #expect(service.requests.count > 1)
    }

    /// What follows the compressed content is seen, though it comes alone, when all before it has been read.
    @Test(arguments: ["gzip", "deflate", "zstd"])
    func contentThatGoesOnIsTriedAgain(_ coding: String) {
        let step = #"{"items":30,"encoding":"\#(coding)","always":true,"chunked":true,"piece":1,"after":"more"}"#
        let (request, service) = request(step)
        let outcome = download(request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.contains("damaged"), "\(outcome.message)")
        #expect(service.requests.count > 1)
    }

    /// From the second try on, the content is wanted as it is.
    @Test func damageIsMended() {
        let (request, service) = request(
            #"{"items":3000,"encoding":"gzip","damage":-6}"#, #"{"items":3000,"encoding":"gzip"}"#)
        #expect(download(request).page == whole)
        #expect(service.requests.last?.headers["accept-encoding"] == "identity")
    }

    @Test(arguments: ["br", "compress", "gzip, br", "x", "gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip"])
    func whatWasNotAskedForIsRefused(_ coding: String) {
        let (request, service) = request(#"{"items":30,"headers":[["Content-Encoding","\#(coding)"]]}"#)
        let outcome = download(request)
        #expect(outcome.kind == .unavailable && outcome.message.contains("Content-Encoding"), "\(outcome.message)")
        #expect(service.requests.count == 1)
    }

    /// A compressed stream is gone on with where it broke off: ranges count its bytes.
    @Test(arguments: ["gzip", "deflate", "zstd", "gzip, zstd"])
    func compressedContentGoesOn(_ coding: String) {
        let step = #""items":3000,"encoding":"\#(coding)","range":"encoded","headers":[["ETag","\"a\""]]"#
        let (request, service) = request("{\(step),\"cut\":1000}", "{\(step),\"cut\":500}", "{\(step)}")
        #expect(download(request).page == whole)
        let requests = service.requests
        #expect(requests.map { $0.headers["range"] } == [nil, "bytes=1000-", "bytes=1500-"])
        #expect(requests.map { $0.headers["if-range"] } == [nil, "\"a\"", "\"a\""])
        #expect(Set(requests.map { $0.headers["accept-encoding"] }).count == 1)
    }

    /// A date, or a weak tag, is that of the feed, and does not say which bytes a range counts.
    @Test(arguments: [#"["ETag","W/\"a\""]"#, #"["Last-Modified","Sun, 01 Nov 2026 10:00:00 GMT"]"#])
    func compressedContentNeedsAStrongTagToGoOn(_ validator: String) {
        let step = #""items":3000,"encoding":"gzip","range":"encoded","headers":[\#(validator)]"#
        let (request, service) = request("{\(step),\"cut\":1000}", "{\(step)}")
        #expect(download(request).page == whole)
        #expect(service.requests.map { $0.headers["range"] } == [nil, nil])
    }

    /// A service whose tag is the same for the compressed and the plain content answers with a part of the other.
    @Test func partOfAnotherContentIsNotTaken() {
        let tag = #""headers":[["ETag","\"a\""]]"#
        let (request, _) = request(
            #"{"items":3000,"encoding":"gzip",\#(tag),"cut":5000}"#, #"{"items":3000,"range":true,\#(tag)}"#,
            #"{"items":3000}"#)
        #expect(download(request).page == whole)
    }

    /// Levels of compression multiply: no level may be larger than the feed.
    @Test(arguments: ["gzip", "gzip, gzip", "zstd, gzip", "deflate"])
    func bombsAreSmall(_ coding: String) {
        var (request, _) = request(#"{"body":"[          ","repeat":1000000,"encoding":"\#(coding)"}"#)
        request.maxBytes = 1_000_000
        let outcome = download(request)
        #expect(outcome.kind == .data && outcome.message.contains("maxBytes"), "\(outcome.message)")
    }

    /// A stream of nothing, however long.
    @Test func emptyMembersHaveAnEnd() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let empty: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        try Data((0..<200_000).flatMap { _ in empty }).write(to: file)
        var (request, _) = request(
            #"{"file":"\#(file.path)","encoding":"gzip","headers":[["Content-Encoding","gzip"]]}"#)
        request.maxBytes = 1_000_000
        let outcome = download(request)
        #expect(outcome.kind == .data && outcome.message.contains("maxBytes"), "\(outcome.message)")
    }

    /// A refusal may be compressed like anything else.
    @Test func refusalsCanBeRead() {
        let (request, _) = request(#"{"status":403,"body":"no such key","encoding":"gzip"}"#)
        #expect(download(request).message.contains("no such key"))
    }

    /// What has no bytes needs none of its coding.
    @Test func emptyBodyIsEmpty() {
        var (request, _) = request(#"{"body":"","headers":[["Content-Encoding","gzip"]]}"#)
        #expect(download(request).message.contains("empty body"))
        request.mayBeEmpty = true
        #expect(download(request).page == [])
    }
}
