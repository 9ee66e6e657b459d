import SluiceRecords

/// What an archive holds, by paths.
struct ArchiveFiles {
    /// Of its files, in the order of their bytes.
    let paths: [[UInt8]]
    /// Of links to others of its files.
    let links: [[UInt8]]

    /// - Throws: `data` where two files have one path: nobody could say which is meant.
    init(_ file: any EncodedBytes) throws(Failure) {
        let reader = try ArchiveReader(file, .zipOrTar)
        var paths: [[UInt8]] = []
        while let path = try reader.nextFile() { paths.append(path) }
        paths.sort { $0.lexicographicallyPrecedes($1) }
        for (path, next) in zip(paths, paths.dropFirst()) where path == next {
            throw Failure(.data, "\(file.name) holds \(String(decoding: path, as: UTF8.self)) twice")
        }
        self.paths = paths
        links = reader.links
    }

    /// What is said of a link that is to be read: it has no bytes of its own.
    static func linkFailure(_ path: [UInt8], in archive: String) -> Failure {
        Failure(
            .data,
            "\(archive)/\(String(decoding: path, as: UTF8.self)) is a link, and those of archives are not followed:"
                + " name the file to which it leads")
    }
}
