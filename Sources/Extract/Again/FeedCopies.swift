import Glibc
import SluicePosix
import SluiceRecords
import Synchronization

/// Opens the feeds of a run such that they can be read a second time: findings show records that are long gone.
///
/// A file is opened again, and decompressed again. What cannot be (a pipe, a terminal) is copied while it is read, to a
/// file without a name in the folder `TMPDIR`, or `/var/tmp`.
package final class FeedCopies: Sendable {
    private enum Copy: Sendable {
        case file(path: String, FileState)
        /// Standard input that is a file: its name is not known.
        case opened(OpenFile)
        /// From a byte of a file on.
        case temporary(TemporaryFile, start: Int)
    }

    private struct Key: Hashable {
        var source: Int
        var file: Int
    }

    private let copiesPipes: Bool
    /// How the sources are read that are tables, or in another encoding than UTF-8.
    let forms: [Int: FeedOptions]
    private let checkCancelled: @Sendable () throws(Failure) -> Void
    private let copies = Mutex<[Key: Copy]>([:])
    /// How many seconds a pipe may be silent; nil: it is waited for, however long that takes.
    private let patience = Mutex<Double?>(nil)

    /// - Parameters:
    ///   - copiesPipes: whether feeds that cannot be read again are copied; it costs disk space.
    ///   - forms: how the sources are read that are tables or not in UTF-8, by their indices in the definition.
    ///   - checkCancelled: called before each read; what it throws ends the reading.
    package init(
        copiesPipes: Bool, forms: [Int: FeedOptions] = [:],
        checkCancelled: @escaping @Sendable () throws(Failure) -> Void = {}
    ) {
        self.copiesPipes = copiesPipes
        self.forms = forms
        self.checkCancelled = checkCancelled
    }

    /// Opens a file of a feed like `openFeed`, and remembers it.
    ///
    /// - Parameters:
    ///   - source: the index of the source in the definition.
    ///   - file: the file's index within the source.
    package func open(_ path: String, source: Int, file: Int) throws(Failure) -> any ByteSource {
        CheckedBytes(try openUnchecked(path, source: source, file: file), checkCancelled)
    }

    private func openUnchecked(_ path: String, source: Int, file: Int) throws(Failure) -> any ByteSource {
        let place = FeedPath(path)
        let opened = try FileBytes(place.file) { [self] seconds throws(Failure) in
            try checkCancelled()
            guard let patience = patience.withLock({ $0 }), seconds >= patience else { return }
            throw Failure(.cancelled, "nobody waits for \(path) any more")
        }
        let bytes = try place.feed(in: opened)
        let key = Key(source: source, file: file)
        if let state = opened.state {
            guard path == "-" else {
                remember(.file(path: path, state), key)
                return bytes
            }
            if let again = opened.again() { remember(.opened(OpenFile(again)), key) }
            return bytes
        }
        guard copiesPipes else { return bytes }
        return try copied(bytes, key)
    }

    /// Says that the run has failed: a pipe that is silent is not waited for any more.
    ///
    /// - Parameter patience: for how many seconds it still is, each time.
    package func stopWaiting(patience: Double) { self.patience.withLock { $0 = patience } }

    /// Remembers bytes that come from elsewhere than a file, uncompressed, while they are read.
    package func keep(_ bytes: any ByteSource, source: Int, file: Int) throws(Failure) -> any ByteSource {
        guard copiesPipes else { return bytes }
        return try copied(bytes, Key(source: source, file: file))
    }

    /// Bytes that are copied behind those of the source's file before: a thousand pages do not need a thousand files.
    private func copied(_ bytes: any ByteSource, _ key: Key) throws(Failure) -> any ByteSource {
        let copy: TemporaryFile
        if case .temporary(let file, _)? = copies.withLock({ $0[Key(source: key.source, file: key.file - 1)] }) {
            copy = file
        } else {
            copy = try TemporaryFile("the feed's temporary copy")
        }
        remember(.temporary(copy, start: copy.size), key)
        return CopiedBytes(bytes, to: copy)
    }

    /// The bytes of a file that was opened before, from its beginning; nil if they cannot be had again, because it was a
    /// pipe, or the file is gone or has changed.
    package func reopen(source: Int, file: Int) throws(Failure) -> (any ByteSource)? {
        try checkCancelled()
        return try reopenUnchecked(source: source, file: file).map { CheckedBytes($0, checkCancelled) }
    }

    /// The same bytes as UTF-8, as they were read.
    func reopenText(source: Int, file: Int) throws(Failure) -> (any ByteSource)? {
        guard let bytes = try reopen(source: source, file: file) else { return nil }
        guard let encoding = forms[source]?.encoding else { return bytes }
        return try RecodedBytes(bytes, encoding, named: "the feed")
    }

    private func reopenUnchecked(source: Int, file: Int) throws(Failure) -> (any ByteSource)? {
        switch copies.withLock({ $0[Key(source: source, file: file)] }) {
        case .file(let path, let state):
            let place = FeedPath(path)
            let file = try FileBytes(place.file)
            return file.state == state ? try place.feed(in: file) : nil
        case .opened(let file): return try file.reopen().map { file throws(Failure) in try openFeed(file) }
        case .temporary(let copy, let start):
            // What is copied behind it is of other files.
            let next = copies.withLock { $0[Key(source: source, file: file + 1)] }
            var end: Int?
            if case .temporary(let other, let start)? = next, other === copy { end = start }
            return copy.bytes(from: start, to: end)
        case nil: return nil
        }
    }

    /// What to say of a file in which reading has found something wrong: where it has changed meanwhile, the wrong may
    /// be in none of its states.
    package func explain(_ failure: Failure, source: Int, file: Int) -> Failure {
        let copy = copies.withLock { $0[Key(source: source, file: file)] }
        guard failure.kind == .data, case .file(let path, let state)? = copy, state.hasChanged(FeedPath(path).file)
        else {
            return failure
        }
        return FileBytes.changed(path)
    }

    private func remember(_ copy: Copy, _ key: Key) { copies.withLock { $0[key] = copy } }
}

extension TemporaryFile {
    /// A reader of what has been written, from a byte on, and to another; nil: to the end.
    fileprivate func bytes(from start: Int, to end: Int?) -> FileBytes? {
        FileBytes(descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 3), name: name, start: start, end: end)
    }
}

/// A file that is held open, to make readers of.
private final class OpenFile: @unchecked Sendable {
    // Unchecked: it is only used to make other readers, which leave it as it is.

    private let file: FileBytes

    init(_ file: FileBytes) { self.file = file }

    func reopen() -> FileBytes? { file.again() }
}

/// Bytes that end early where the run does.
private final class CheckedBytes: ByteSource {
    private let source: any ByteSource
    private let check: @Sendable () throws(Failure) -> Void

    init(_ source: any ByteSource, _ check: @escaping @Sendable () throws(Failure) -> Void) {
        self.source = source
        self.check = check
    }

    var consumed: Int { source.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try check()
        return try unsafe source.read(into: buffer)
    }
}

/// Bytes that are copied while they are read.
private final class CopiedBytes: ByteSource {
    private let source: any ByteSource
    private let copy: TemporaryFile

    init(_ source: any ByteSource, to copy: TemporaryFile) {
        self.source = source
        self.copy = copy
    }

    var consumed: Int { source.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe source.read(into: buffer)
        try unsafe copy.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return count
    }
}
