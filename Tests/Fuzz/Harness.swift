import Foundation

/// What libFuzzer tries: an input is anything, and what comes of it must be right.
package enum Harness: String, CaseIterable, Sendable {
    /// Feeds, against a strict reading of RFC 8259 and naive matching; whole and in pieces.
    case reader
    /// Tables, against a reading byte by byte; whole and in pieces.
    case table
    /// Texts of definitions.
    case definition
    /// Stores that are damaged.
    case store
    /// Fingerprints that are damaged.
    case fingerprints

    /// What is wrong with what comes of an input; nil if nothing is.
    package func complaint(about input: [UInt8]) -> String? {
        switch self {
        case .reader: ReaderHarness.complaint(about: input)
        case .table: TableHarness.complaint(about: input)
        case .definition: DefinitionHarness.complaint(about: input)
        case .store: StoreHarness.complaint(about: input)
        case .fingerprints: FingerprintHarness.complaint(about: input)
        }
    }

    /// The one that a process tries: libFuzzer has no way to tell it.
    fileprivate static let chosen: Harness = {
        let name = ProcessInfo.processInfo.environment["SLUICE_HARNESS"] ?? ""
        guard let harness = Harness(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            stop("SLUICE_HARNESS is to be one of \(names), not \(name)")
        }
        return harness
    }()
}

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
package func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    if let complaint = Harness.chosen.complaint(about: input) { stop(complaint) }
    return 0
}

/// Ends the process in a way that libFuzzer takes for a crash, so that it keeps the input.
private func stop(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\n== \(message)\n".utf8))
    abort()
}
