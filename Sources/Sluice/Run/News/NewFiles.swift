import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceLoad
import SluicePosix
import SluiceRecords

/// Finds the files of sources with `new` that no successful run has read. Files that have been read are noted with the
/// fetch marks of services, in the transaction of the data.
struct NewFiles {
    /// The sources, with the files that are to be read.
    private(set) var inputs: [FeedInput]
    /// The marks that earlier runs have noted.
    private(set) var before: [FetchMark] = []
    /// The marks that stay as they are, whatever this run reads.
    private var kept: [FetchMark] = []
    /// The sources whose files this run looks at.
    private var looks: [Look] = []
    /// The sources of whose earlier files the definition takes something else than when they were read. They are not
    /// read again by themselves: all of them together are another feed than night by night.
    private(set) var outdated: Set<Int> = []
    /// Whether a run has read the files under this definition. The first one creates the store, though it finds no
    /// file.
    private var isSameDefinition = true

    /// Whether all files are read. Where there is none, all objects are absent.
    private let readsAll: Bool

    /// The files of a source that are there.
    private struct Look {
        let source: Source
        let index: Int
        let names: [String]
        let states: [String?]
        /// Those that this run reads, in their order.
        let read: [Int]
        /// What the definition takes of them, and all that it says.
        let digests: String
    }

    /// Stands for the request of a mark, as files are not requested from a service.
    private static let request = "files"

    /// - Parameters:
    ///   - readsAll: whether all files are read.
    ///   - isPartial: whether a few mended records are read in place of all sources, whose marks stay as they are.
    init(
        _ all: [FeedInput], _ definition: PipelineDefinition, _ store: any OpenStore, _ lastRun: LastRun,
        readsAll: Bool, isPartial: Bool = false
    ) throws(Failure) {
        (inputs, self.readsAll) = (all, readsAll)
        guard isPartial || all.contains(where: \.source.isNew) else { return }
        let marks = try store.fetchMarks(pipeline: definition.name).filter { $0.request == NewFiles.request }
        if isPartial {
            (before, kept) = (marks, marks)
            return
        }
        let hash = try definition.hash(formats: all.map(\.format))
        let parts = TakenParts(definition, hash, lastRun)
        let folder = FilePath.folder(definition.file) + "/"
        for (index, input) in all.enumerated() where input.source.isNew {
            let mark = marks.first { $0.source.isIdentical(to: input.source.name) }
            if let mark { before.append(mark) }
            guard input.isOwn else {
                // Where another feed is read in place of the source, its marks stay as they are.
                if let mark { kept.append(mark) }
                continue
            }
            let before = mark?.lastModified?.split(separator: " ").map(String.init) ?? []
            let (taken, differs) = try parts.compared(index, with: before.first)
            if mark != nil, differs, !readsAll { outdated.insert(index) }
            if before.last != hash { isSameDefinition = false }
            let known = NewFiles.files(of: mark)
            let states = input.files.indices.map { NewFiles.state(of: input, $0) }
            let names = input.files.map { NewFiles.name(of: $0, in: folder) }
            let isKnown = names.indices.map { states[$0] != nil && known[ExactText(names[$0])] == states[$0] }
            let read = names.indices.filter { readsAll || !isKnown[$0] }
            if !readsAll { inputs[index].keep(read) }
            looks.append(
                Look(
                    source: input.source, index: index, names: names, states: states, read: read,
                    digests: "\(taken) \(hash)"))
        }
    }

    /// The marks to note if this run succeeds.
    ///
    /// - Parameters:
    ///   - rejects: by source, which of the files that were read have records that are to come again, as the targets
    ///     may that they lack: these files stay new.
    ///   - sources: the sources of which all files stay new, since it is not known what they lack.
    func after(_ rejects: [Int: Set<Int>], holding sources: Set<Int>) -> [FetchMark] {
        let marks = looks.map { look in
            let rejected = rejects[look.index, default: []].map { look.read[$0] }
            let held = Set(sources.contains(look.index) ? look.read : rejected)
            let noted = look.names.indices.filter { !held.contains($0) }
            return NewFiles.mark(look.source, noted.map { (look.names[$0], look.states[$0]) }, look.digests)
        }
        return kept + marks
    }

    /// Whether there is nothing to do: nothing to read at all, and the store is as the definition asks for.
    var areNone: Bool {
        isSameDefinition && !readsAll && !inputs.isEmpty
            && inputs.allSatisfy { $0.source.isNew && $0.isOwn && $0.files.isEmpty }
    }

    /// A path that stays the same where a definition moves with its feeds.
    private static func name(of file: String, in folder: String) -> String {
        guard file.utf8.starts(with: folder.utf8) else { return file }
        return String(decoding: file.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
    }

    /// The state of a file, which differs from that of another file under the same name; nil: it has none, as a pipe.
    private static func state(of input: FeedInput, _ index: Int) -> String? {
        if let states = input.remote?.states { return states[index] }
        if let objects = input.objects { return objects[index].etag.isEmpty ? nil : objects[index].etag }
        var status = stat()
        guard unsafe stat(FeedPath(input.files[index]).file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    // MARK: As it is noted

    /// A mark whose validators are the states of the files, and the digests of what the definition takes of them and of
    /// all that it says.
    private static func mark(
        _ source: Source, _ files: some Sequence<(String, String?)>, _ digests: String
    ) -> FetchMark {
        let members = files.compactMap { name, state in state.map { (name, JSONText.quoted($0)) } }
        return FetchMark(
            source: source.name, request: request, etag: JSONText.object(members), lastModified: digests)
    }

    private static func files(of mark: FetchMark?) -> [ExactText: String] {
        guard let text = mark?.etag, let tree = try? JSONTree.read(Array(text.utf8), file: "the store"),
            case .object(let members) = tree.root.kind
        else { return [:] }
        var files: [ExactText: String] = [:]
        for member in members { files[ExactText(member.key)] = member.value.text }
        return files
    }
}

extension FeedInput {
    /// Leaves the other files away.
    fileprivate mutating func keep(_ wanted: [Int]) {
        files = wanted.map { files[$0] }
        switch origin {
        case .objects(let objects, let place): origin = .objects(wanted.map { objects[$0] }, place)
        case .remote(let all, let place):
            let states = all.states.map { states in wanted.map { states[$0] } }
            let kept = RemoteInput(place: all.place, paths: wanted.map { all.paths[$0] }, states: states)
            origin = .remote(kept, place)
        case .files, .service, .command, .program: break
        }
    }
}
