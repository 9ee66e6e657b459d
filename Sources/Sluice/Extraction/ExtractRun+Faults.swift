import SluiceDefinition
import SluiceRecords

// What is told of a file that gives no record.
extension ExtractRun {
    /// What is wrong with a file that is one of several: an error, or what holds nothing of the feed where the objects
    /// of the file would be absent.
    func odd(_ series: FileSeries?, _ input: FeedInput, _ source: Int, records: UInt64) -> String? {
        guard let fault = series?.fault(ofFile: input.files[0], records: records) else { return nil }
        let loses = definition.model.entities.contains { $0.sources.contains(source) && $0.removesAbsent }
        return fault.isError || loses ? fault.text : nil
    }

    /// What a file holds that gives no record, and whether that may be.
    func instead(_ input: FeedInput, _ source: Int, _ facts: FeedFacts) -> String {
        let entities = definition.model.entities.filter { $0.sources.contains(source) }
        return EmptySources.reason(input, facts, entities)
    }
}
