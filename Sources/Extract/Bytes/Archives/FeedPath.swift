import Glibc
import SluicePosix
import SluiceRecords

/// What is opened for the path of a feed: a file; or, where the path goes on behind the name of a file, what that file
/// holds, an archive: `feeds/gtfs.zip/stops.txt`.
package struct FeedPath: Sendable, Hashable {
    /// The file to open.
    package let file: String
    /// The path of a file in it; nil: it is the feed itself.
    package let member: String?

    package init(_ path: String) {
        var status = stat()
        if unsafe path == "-" || stat(path, &status) == 0 || errno != ENOTDIR {
            (file, member) = (path, nil)
            return
        }
        for (file, member) in FeedPath.cuts(of: path)
        where unsafe stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG {
            (self.file, self.member) = (file, member)
            return
        }
        (file, member) = (path, nil)
    }

    /// A path in two, at each of its slashes, from the last to the first.
    static func cuts(of path: String) -> [(file: String, member: String)] {
        let bytes = Array(path.utf8)
        return bytes.indices.reversed().compactMap { index in
            guard bytes[index] == UInt8(ascii: "/"), index > 0, index + 1 < bytes.count else { return nil }
            return (
                String(decoding: bytes[..<index], as: UTF8.self), String(decoding: bytes[(index + 1)...], as: UTF8.self)
            )
        }
    }

    /// The feed in a file that was opened for this path, decompressed.
    func feed(in bytes: FileBytes) throws(Failure) -> any ByteSource {
        guard let member else { return try openFeed(bytes) }
        return try openFeed(StreamedBytes(MemberBytes(bytes, member: member), named: "\(file)/\(member)"))
    }
}

extension FeedPath {
    /// Whether a path or a pattern is of files that archives hold, which are there.
    package static func isInArchive(_ pattern: String) -> Bool {
        cuts(of: pattern).contains { archives, _ in (try? regularFiles(archives).isEmpty) == false }
    }

    fileprivate static func isTar(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".tar") || name.hasSuffix(".tgz") || name.contains(".tar.")
    }

    /// Whether a file is called as archives are.
    package static func isArchive(_ name: String) -> Bool { name.lowercased().hasSuffix(".zip") || isTar(name) }

    /// What is elsewhere, where it is called as a file in an archive is (`s3://bucket/gtfs.zip/stops.txt`): the
    /// archive, and the path in it.
    package static func cut(elsewhere text: String) -> (archive: String, member: String)? {
        cuts(of: text).reversed().first { archive, _ in
            isArchive(String(archive.split(separator: "/").last ?? ""))
        }.map { (archive: $0.file, member: $0.member) }
    }
}

/// The paths of the files of an archive, a zip or a tar by its name, but for hidden ones; nil: it is none, or holds a
/// single file, which is read as it is.
package func archiveMembers(_ path: String) throws(Failure) -> [String]? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return try members(of: FileBytes(path))
}

/// The same of an archive that a temporary file has, under its name.
package func archiveMembers(of file: TemporaryFile, named name: String) throws(Failure) -> [String]? {
    try members(of: file.reader(named: name))
}

private func members(of file: FileBytes) throws(Failure) -> [String]? {
    let isTar = FeedPath.isTar(file.name)
    let beginning = try file.peek(Compression.signatureLength)
    guard isTar || ZipBytes.isZip(beginning) else { return nil }
    let paths = try ArchiveFiles(file).paths
    guard paths.count > 1 || isTar else { return nil }
    return paths.compactMap { String(validating: $0, as: UTF8.self) }.filter { path in
        path.split(separator: "/").allSatisfy { !$0.hasPrefix(".") && $0 != "__MACOSX" }
    }
}

/// The files of archives that a path or a pattern names: `feeds/*.zip/stop*.txt`. nil: what is before no slash is an
/// archive.
func expandMembers(_ pattern: String, _ lists: ArchiveLists) throws(Failure) -> [String]? {
    for (archives, members) in FeedPath.cuts(of: pattern) {
        // A pattern of folders (`*/*.json`) may meet files, which need not be archives.
        let mayBeOthers = PathPattern.isPattern(archives)
        var (found, hasArchives): ([String], Bool) = ([], false)
        for file in try regularFiles(archives) {
            if mayBeOthers, try !isLikeArchive(file) { continue }
            hasArchives = true
            let files = try lists.files(of: file)
            if let link = files.links.first(where: { isMatch($0, members) }) {
                throw ArchiveFiles.linkFailure(link, in: file)
            }
            for path in files.paths where isMatch(path, members) {
                guard let text = String(validating: path, as: UTF8.self) else {
                    throw Failure(
                        .missing, "a file in \(file) matches \(members), but its name is not UTF-8: it cannot be read")
                }
                found.append("\(file)/\(text)")
            }
        }
        if hasArchives { return found }
    }
    return nil
}

extension FeedPath {
    /// What the first archive holds that a path of a file in it names, the first few; empty: nothing is known.
    static func namesBeside(_ pattern: String, _ lists: ArchiveLists) -> String {
        let most = 5
        for (archives, _) in cuts(of: pattern) {
            guard let archive = try? regularFiles(archives).first, let files = try? lists.files(of: archive) else {
                continue
            }
            let names = files.paths.prefix(most).map { String(decoding: $0, as: UTF8.self).printable }
            return names.joined(separator: ", ") + (files.paths.count > most ? " and others" : "")
        }
        return ""
    }
}

/// Whether a file is an archive by its name, or by its beginning.
private func isLikeArchive(_ path: String) throws(Failure) -> Bool {
    if FeedPath.isArchive(path) { return true }
    let beginning = try FileBytes(path).peek(512)
    // What tells a tar, behind the first header's name and numbers.
    return ZipBytes.isZip(beginning) || beginning.dropFirst(257).starts(with: "ustar".utf8)
}

/// Whether a path in an archive is a name, or matches it as a pattern.
private func isMatch(_ path: [UInt8], _ pattern: String) -> Bool {
    path.elementsEqual(pattern.utf8) || PathPattern.matches(path, pattern)
}
