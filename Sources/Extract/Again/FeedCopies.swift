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
    /// The files of the sources, as they are to be opened.
    private let paths: [[String]]
    /// The archive of which a file was opened last.
    private let archive = Mutex<OpenArchive?>(nil)

    /// - Parameters:
    ///   - copiesPipes: whether feeds that cannot be read again are copied; it costs disk space.
    ///   - paths: the files of the sources, in the order in which they will be opened: an archive is gone through once
    ///     for several of them that it holds, as far as they lie there in this order.
    ///   - forms: how the sources are read that are tables or not in UTF-8, by their indices in the definition.
    ///   - checkCancelled: called before each read; what it throws ends the reading.
    package init(
        copiesPipes: Bool, paths: [[String]] = [], forms: [Int: FeedOptions] = [:],
        checkCancelled: @escaping @Sendable () throws(Failure) -> Void = {}
    ) {
        self.copiesPipes = copiesPipes
        self.paths = paths
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
        let key = Key(source: source, file: file)
        let place = FeedPath(path)
        if let member = place.member {
            let archive = try archive(place.file, before: key)
            guard let bytes = try archive.pass.feed(member) else { throw MemberBytes.missing(member, in: place.file) }
            remember(.file(path: path, archive.state), key)
            return bytes
        }
        let opened = try FileBytes(place.file) { [self] seconds throws(Failure) in
            try checkCancelled()
            guard let patience = patience.withLock({ $0 }), seconds >= patience else { return }
            throw Failure(.cancelled, "nobody waits for \(path) any more")
        }
        let bytes = try openFeed(opened)
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

    /// An archive that is open, or is opened, to read a file in it.
    private func archive(_ name: String, before key: Key) throws(Failure) -> OpenArchive {
        if let open = archive.withLock({ $0 }), open.name.isIdentical(to: name), open.isAsItWas { return open }
        archive.withLock { $0 = nil }
        let open = try OpenArchive(name, wanted: members(of: name, from: key), checkCancelled)
        archive.withLock { $0 = open }
        return open
    }

    /// The files in an archive that are still to be opened.
    private func members(of archive: String, from key: Key) -> [String] {
        let beginning = Array(archive.utf8) + [UInt8(ascii: "/")]
        return paths.enumerated().dropFirst(key.source).flatMap { source, paths in
            paths.dropFirst(source == key.source ? key.file : 0).compactMap { path in
                path.utf8.starts(with: beginning)
                    ? String(validating: path.utf8.dropFirst(beginning.count), as: UTF8.self) : nil
            }
        }
    }

    /// Closes what was kept open for more of it: there is no more.
    package func endReading() { archive.withLock { $0 = nil } }

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

    /// The bytes of a file that was opened before, from its beginning; nil if they cannot be had again, because it was
    /// a pipe, or the file is gone or has changed.
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

/// An archive that is read file by file. One thread has it: the one that opens the feeds, one after the other.
private final class OpenArchive: @unchecked Sendable {
    let name: String
    let state: FileState
    let pass: ArchivePass

    init(
        _ name: String, wanted: [String], _ checkCancelled: @escaping @Sendable () throws(Failure) -> Void
    ) throws(Failure) {
        self.name = name
        // It is opened once more where it is gone through: this is what it must be then.
        guard let state = try FileBytes(name).state else { throw Failure(.io, "\(name) is no file") }
        self.state = state
        pass = ArchivePass(name, wanted: wanted, checkCancelled: checkCancelled) { () throws(Failure) in
            let file = try FileBytes(name)
            guard file.state == state else { throw FileBytes.changed(name) }
            return file
        }
    }

    /// Whether its name still leads to what was opened.
    var isAsItWas: Bool { FileState(following: name) == state }
}

/// A file that is held open, to make readers of. Nothing in it changes: each reader has a descriptor and a place of
/// its own.
private final class OpenFile: @unchecked Sendable {
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
