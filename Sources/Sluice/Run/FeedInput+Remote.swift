import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords

/// The files of another machine that an input is.
struct RemoteInput: Sendable {
    var place: RemotePattern
    /// By file.
    var paths: [String]
    /// By file, where it matters which are new: what tells one from another of its name.
    var states: [String]?
}

extension FeedInput {
    /// A source of files of another machine, which are listed.
    static func own(
        _ source: Source, _ place: RemoteSource, _ definition: PipelineDefinition, _ control: RunControl
    ) throws(Failure) -> FeedInput {
        let meter = WireMeter(onWait: control.meter.note)
        do throws(Failure) {
            let files = try RemoteFiles(place.pattern, control, meter)
            let paths = try files.paths()
            guard !paths.isEmpty || source.isNew else {
                throw Failure(.missing, "no file matches \(place.pattern.text)")
            }
            let member = place.member.map { "/" + $0 } ?? ""
            var input = FeedInput(
                source: source, location: place.name, files: paths.map { place.pattern.name(of: $0) + member })
            var states: [String]?
            if source.isNew {
                var found: [String] = []
                for path in paths { found.append(try files.state(of: path)) }
                states = found
            }
            input.remote = RemoteInput(place: place.pattern, paths: paths, states: states)
            input.member = place.member
            input.meter = meter
            input.mayBeMissing = mayBeEmpty(source, definition)
            return input
        } catch {
            if error.kind == .cancelled { try control.cancellation.check() }
            throw error.located(at: definition.tree.place(definition.keys(of: source)))
        }
    }
}

extension RemoteFiles {
    /// The files of a place, as a run reads them.
    convenience init(_ place: RemotePattern, _ control: RunControl, _ meter: WireMeter) throws(Failure) {
        try self.init(
            place, settings: .sluice, meter: meter,
            isStopped: { [cancellation = control.cancellation] in cancellation.isRequested }, onRetry: control.onRetry)
    }
}

/// The files of another machine, one after the other.
final class RemoteReading {
    private let input: RemoteInput
    private let files: RemoteFiles

    init(_ input: RemoteInput, _ files: RemoteFiles) {
        self.input = input
        self.files = files
    }

    /// The bytes of a file, or of a file in it, uncompressed; nil: there is none in the archive that it is.
    func bytes(_ index: Int, named name: String, member: String?) throws(Failure) -> (any ByteSource)? {
        let bytes = files.bytes(of: input.paths[index])
        guard let member else { return try openFeed(bytes, named: name) }
        let archive = try TemporaryFile("the archive's temporary copy")
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { memory in
                Result { () throws(Failure) in
                    let count = try unsafe bytes.read(into: memory)
                    try unsafe archive.append(UnsafeRawBufferPointer(rebasing: memory[..<count]))
                    return count
                }
            }
            if try outcome.get() == 0 { break }
        }
        return try openMember(member, of: archive, named: name)
    }
}
