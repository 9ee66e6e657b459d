import SluicePosix
import SluiceRecords

/// The files of archives that were passed by.
struct MemberSpool {
    private let most: Int
    private var file: TemporaryFile?
    private var size = 0
    private var places: [[UInt8]: Range<Int>] = [:]
    /// Whether more may be kept.
    private(set) var isOpen: Bool

    init(most: Int) {
        self.most = most
        isOpen = most > 0
    }

    /// Whether a file of this size may be kept, and is not yet.
    func hasRoom(for path: [UInt8], _ bytes: Int?) -> Bool {
        isOpen && places[path] == nil && bytes.map { $0 <= most - size } != false
    }

    /// A file that is kept, if it is.
    ///
    /// - Parameter isLast: it will not be asked for again.
    mutating func take(_ path: [UInt8], isLast: Bool) throws(Failure) -> (any ByteSource)? {
        guard let place = places[path], let file else { return nil }
        if isLast { places[path] = nil }
        return try file.reader(named: file.name, place)
    }

    /// Reads a file to its end; false: it could not be kept, and nothing more is.
    mutating func keep(
        _ path: [UInt8], _ reader: ArchiveReader, _ check: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        isOpen = false
        let start = size
        guard let file = file ?? (try? TemporaryFile("what an archive holds")) else { return false }
        self.file = file
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            try check()
            let count = unsafe buffer.withUnsafeMutableBytes { memory in
                do throws(Failure) {
                    let count = try unsafe reader.read(into: memory)
                    try unsafe file.write(UnsafeRawBufferPointer(rebasing: memory[..<count]), at: size)
                    return count
                } catch {
                    return -1
                }
            }
            guard count >= 0, size + count <= most else {
                try? file.cut(at: start)
                return false
            }
            if count == 0 { break }
            size += count
        }
        places[path] = start..<size
        isOpen = true
        return true
    }
}
