import Foundation
import TestSupport
import Testing

/// What a program did to a file, as the shim has noted it.
struct DiskOperation {
    /// `o`pened, `w`ritten, `t`runcated, `s`ynced, `d`irectory synced, `u`nlinked, `l`inked, `r`enamed.
    var kind: Character
    /// The inode.
    var file: UInt64
    var offset: Int
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    static func read(_ path: String) throws -> [DiskOperation] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var operations: [DiskOperation] = []
        var place = 0
        func number() -> UInt64 {
            defer { place += 8 }
            return bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        while place < bytes.count {
            let kind = Character(Unicode.Scalar(UInt8(number())))
            let (file, offset, length) = (number(), Int(number()), Int(number()))
            operations.append(
                .init(kind: kind, file: file, offset: offset, bytes: Array(bytes[place..<place + length])))
            place += length
        }
        return operations
    }
}

/// The files of a folder as a disk has them: what is synced, and what the system only holds in memory yet.
struct DiskImage {
    /// What of the unsynced is lost when the power goes.
    enum Losses: CaseIterable {
        case nothing, everything
        /// Some writes, in any order.
        case some
        /// Some sectors of some writes.
        case sectors
    }

    private struct File {
        var synced: [UInt8] = []
        var pending: [DiskOperation] = []
    }

    private enum Naming {
        case add(String, Int)
        case remove(String)
    }

    private static let sector = 512

    private var files: [File] = []
    /// The file that has an inode now.
    private var inodes: [UInt64: Int] = [:]
    private var syncedNames: [String: Int] = [:]
    private var names: [String: Int] = [:]
    private var pendingNames: [Naming] = []

    /// What a folder holds now, all of it synced.
    init(_ folder: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            files.append(File(synced: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))))
            names[path] = files.count - 1
        }
        syncedNames = names
    }

    mutating func perform(_ operation: DiskOperation) {
        switch operation.kind {
        case "o": open(operation)
        case "w", "t": if let file = inodes[operation.file] { files[file].pending.append(operation) }
        case "s": if let file = inodes[operation.file] { sync(file) }
        case "d":
            for naming in pendingNames { DiskImage.apply(naming, to: &syncedNames) }
            pendingNames = []
        case "u": name(.remove(operation.text))
        default:
            let parts = operation.text.components(separatedBy: "\n")
            guard let file = names[parts[0]] else { return }
            name(.add(parts[1], file))
            if operation.kind == "r" { name(.remove(parts[0])) }
        }
    }

    private mutating func open(_ operation: DiskOperation) {
        if let file = names[operation.text] {
            inodes[operation.file] = file
            return
        }
        // An inode may be used again for another file.
        files.append(File())
        inodes[operation.file] = files.count - 1
        name(.add(operation.text, files.count - 1))
    }

    private mutating func name(_ naming: Naming) {
        DiskImage.apply(naming, to: &names)
        pendingNames.append(naming)
    }

    private static func apply(_ naming: Naming, to names: inout [String: Int]) {
        switch naming {
        case .add(let name, let file): names[name] = file
        case .remove(let name): names[name] = nil
        }
    }

    private mutating func sync(_ file: Int) {
        for operation in files[file].pending { DiskImage.apply(operation, to: &files[file].synced) }
        files[file].pending = []
    }

    private static func apply(_ operation: DiskOperation, to bytes: inout [UInt8], _ range: Range<Int>? = nil) {
        if operation.kind == "t" {
            if bytes.count > operation.offset { bytes.removeLast(bytes.count - operation.offset) }
            if bytes.count < operation.offset { bytes += [UInt8](repeating: 0, count: operation.offset - bytes.count) }
            return
        }
        let range = range ?? 0..<operation.bytes.count
        let (start, end) = (operation.offset + range.lowerBound, operation.offset + range.upperBound)
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(start..<end, with: operation.bytes[range])
    }

    // MARK: After the power is back

    /// Writes what the disk then has to a folder, in place of all that is in it.
    func write(to folder: String, losing losses: Losses, using random: inout SeededRandom) throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: folder) {
            try manager.removeItem(atPath: folder + "/" + name)
        }
        var kept = syncedNames
        // The journal of a file system keeps the order of names.
        let count =
            switch losses {
            case .nothing: pendingNames.count
            case .everything: 0
            case .some, .sectors: Int.random(in: 0...pendingNames.count, using: &random)
            }
        for naming in pendingNames.prefix(count) { DiskImage.apply(naming, to: &kept) }
        // The memory that readers share is made anew by the first of them.
        for (path, file) in kept where !path.hasSuffix("-shm") {
            try Data(bytes(of: files[file], losing: losses, using: &random)).write(to: URL(fileURLWithPath: path))
        }
    }

    private func bytes(of file: File, losing losses: Losses, using random: inout SeededRandom) -> [UInt8] {
        var bytes = file.synced
        for operation in file.pending {
            switch losses {
            case .nothing: DiskImage.apply(operation, to: &bytes)
            case .everything: break
            case .some: if Bool.random(using: &random) { DiskImage.apply(operation, to: &bytes) }
            case .sectors:
                guard operation.kind == "w" else {
                    if Bool.random(using: &random) { DiskImage.apply(operation, to: &bytes) }
                    continue
                }
                for range in DiskImage.sectors(operation) where Bool.random(using: &random) {
                    DiskImage.apply(operation, to: &bytes, range)
                }
            }
        }
        return bytes
    }

    /// The parts of a write that lie in one sector each.
    private static func sectors(_ operation: DiskOperation) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while start < operation.bytes.count {
            let next = ((operation.offset + start) / sector + 1) * sector - operation.offset
            ranges.append(start..<min(next, operation.bytes.count))
            start = next
        }
        return ranges
    }
}

extension DiskImage {
    /// Lets the power go at random moments of what was recorded, and has what is left then checked; the last round is
    /// after all of it: what was said to be saved must be there, with all luck or none.
    ///
    /// - Parameter check: is told what has happened, and whether all was done before.
    /// - Returns: how often it was lost.
    @discardableResult
    func losePower(
        during operations: [DiskOperation], at place: String, _ random: inout SeededRandom,
        check: (String, Bool) throws -> Void
    ) throws -> Int {
        let rounds = FaultEffort.rounds(3, long: 400)
        for round in 0...rounds {
            let isDone = round == rounds
            let end = isDone ? operations.count : Int.random(in: 0...operations.count, using: &random)
            var disk = self
            for operation in operations[..<end] { disk.perform(operation) }
            let losses = try #require(isDone ? .everything : DiskImage.Losses.allCases.randomElement(using: &random))
            try disk.write(to: place, losing: losses, using: &random)
            try check("power lost after \(end) of \(operations.count), losing \(losses)", isDone)
        }
        return rounds + 1
    }
}
