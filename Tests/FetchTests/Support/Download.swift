import Foundation
import SluiceExtract
import SluiceFetch
import SluiceRecords
import TestSupport

/// Patience for tests.
let quickSettings: FetchSettings = {
    var settings = FetchSettings()
    settings.backoff = 0.001
    settings.longestBackoff = 0.01
    return settings
}()

/// What a feed brings: the bytes of its pages, or why it fails.
func download(
    _ request: WebRequest, _ settings: FetchSettings = quickSettings, conditions: Validators? = nil,
    readSize: Int = 4096
) -> Result<[[UInt8]], Failure> {
    let feed = WebFeed(request, FetchSession(settings), conditions: conditions)
    do throws(Failure) {
        var pages: [[UInt8]] = []
        while let page = try feed.nextPage() { pages.append(try bytes(of: page, readSize: readSize)) }
        return .success(pages)
    } catch {
        return .failure(error)
    }
}

func bytes(of source: any ByteSource, readSize: Int = 4096) throws(Failure) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: readSize)
    while true {
        let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(Failure) in try unsafe source.read(into: bytes) }
        }
        let count = try outcome.get()
        if count == 0 { return all }
        all += buffer[..<count]
    }
}

/// The feed that the server makes of `items` and `first`, as Python writes it.
func feed(_ count: Int, first: Int = 0) -> [UInt8] {
    let items = (first..<first + count).map { #"{"id": \#($0), "name": "item \#($0)", "parent": \#($0 / 2)}"# }
    return Array(#"{"items": [\#(items.joined(separator: ", "))]}"#.utf8)
}

extension Result where Success == [[UInt8]], Failure == SluiceRecords.Failure {
    /// The only page.
    var page: [UInt8]? {
        guard case .success(let pages) = self, pages.count == 1 else { return nil }
        return pages[0]
    }

    var kind: SluiceRecords.Failure.Kind? {
        if case .failure(let failure) = self { return failure.kind }
        return nil
    }

    var message: String {
        if case .failure(let failure) = self { return failure.message }
        return ""
    }
}

extension FaultyService {
    var request: WebRequest { WebRequest(url: url) }
}
