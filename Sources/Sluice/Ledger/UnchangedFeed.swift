import SluiceDefinition
import SluiceExtract
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceReport

/// Tells whether a run has nothing to do, because the store holds its feed as it is.
struct UnchangedFeed {
    let inputs: [FeedInput]
    let model: Model
    let lastRun: LastRun
    let start: RunStart
    let isStopped: () -> Bool

    /// What the last run read, if this one would read the same bytes under the same definition, and the store is as
    /// that one left it. Files are read for it only where they have the sizes that they had then.
    func sources(now sources: LedgerSources) throws(Failure) -> LedgerSources? {
        guard let known = try known(sources) else { return nil }
        for (now, then) in zip(sources.sources, known.sources) {
            guard now.sizes != nil, now.sizes == then.sizes, then.sha256 != nil else { return nil }
        }
        var result = sources
        for index in inputs.indices {
            let beginning = known.sources[index].digestOfBeginning
            guard digest(inputs[index], beginning: beginning) == known.sources[index].sha256 else { return nil }
            result.sources[index].bytes = known.sources[index].bytes
            result.sources[index].values = known.sources[index].values
            result.sources[index].sha256 = known.sources[index].sha256
            result.sources[index].digestOfBeginning = beginning
        }
        return result
    }

    /// Whether the last run has read the same bytes as this one, under the same definition, and the store is as that
    /// one left it.
    func isKnown(_ read: LedgerSources) throws(Failure) -> Bool {
        guard let known = try known(read) else { return false }
        return zip(read.sources, known.sources).allSatisfy { now, then in
            now.sha256 != nil && now.sha256 == then.sha256 && now.bytes == then.bytes && now.values == then.values
        }
    }

    /// What the last run read, under the same definition, of sources of the same names.
    private func known(_ sources: LedgerSources) throws(Failure) -> LedgerSources? {
        guard let row = try lastRun.row(), row.definition == start.definition, row.version == start.version,
            let known = row.sources.flatMap(LedgerSources.init(json:)),
            known.sources.map({ ExactText($0.name) }) == sources.sources.map({ ExactText($0.name) })
        else { return nil }
        for (index, (now, then)) in zip(sources.sources, known.sources).enumerated()
        where model.takes(.fileName, from: index) && names(now) != names(then) { return nil }
        return known
    }

    /// What files are called, as values have it.
    private func names(_ source: LedgerSources.Source) -> [ExactText] {
        source.files.map { ExactText(FilePath.name($0)) }
    }

    /// Nil where the first file begins otherwise, or where a file cannot be read: the run will say why.
    ///
    /// - Parameter beginning: what the first file must begin with, as a digest; nil: that is not known.
    private func digest(_ input: FeedInput, beginning: String?) -> String? {
        do throws(Failure) {
            var digests: [String] = []
            for path in input.paths {
                let beginning = digests.isEmpty ? beginning : nil
                guard let digest = try SHA256.digest(ofFeed: path, beginning: beginning, unless: isStopped) else {
                    return nil
                }
                digests.append(digest)
            }
            return try SHA256.digest(ofFiles: digests)
        } catch {
            return nil
        }
    }
}
