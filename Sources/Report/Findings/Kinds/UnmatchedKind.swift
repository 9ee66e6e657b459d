import SluiceExtract
import SluiceRecords

extension FindingKind {
    static let unmatched = FindingKind(
        one: "path finds nothing", several: "paths find nothing", isOfObject: false, isOfSource: true,
        isToldByExamples: true,
        sentence: { finding, _, feeds in
            guard case .unmatched(let unmatched, let path) = finding.detail else { return nil }
            let source = feeds.feed(at: finding.at.position).source
            let sentence = unmatched.sentence(
                path, finding.entityName, source: source, holdsNothing: finding.found == nil)
            return sentence + (finding.found.map { ": \($0)" } ?? "")
        },
        members: { finding in
            guard case .unmatched(let unmatched, let path) = finding.detail else { return nil }
            return [("path", JSONText.quoted(path)), ("reason", JSONText.quoted(unmatched.rawValue))]
        },
        read: { node in
            let reason = node["reason"]?.text.flatMap(Finding.Unmatched.init)
            return reason.map { .unmatched($0, path: node["path"]?.text ?? "") }
        },
        identity: { finding in
            guard case .unmatched(let what, let path) = finding.detail else { return nil }
            return [what.rawValue, path]
        })
}

extension Finding {
    /// What findings of the kind `unmatched` say, each with a heading of its own.
    enum UnmatchedSubject: CaseIterable {
        case path, rest, answers, encoding

        /// The number of findings with what they say.
        func heading(_ count: Int) -> String {
            switch self {
            case .path: FindingKind.unmatched.heading(count)
            case .rest:
                count == 1 ? "1 sign that records are missing" : "\(grouped(count)) signs that records are missing"
            case .answers:
                count == 1
                    ? "1 source that has no answer for some records"
                    : "\(grouped(count)) sources that have no answer for some records"
            case .encoding:
                count == 1
                    ? "1 feed that is read in an encoding that is not its own"
                    : "\(grouped(count)) feeds that are read in an encoding that is not their own"
            }
        }
    }

    /// Nil: it is of another kind.
    var unmatchedSubject: UnmatchedSubject? {
        guard case .unmatched(let unmatched, _) = detail else { return nil }
        return switch unmatched {
        case .records, .condition, .next, .cursor, .link, .total, .more: .path
        case .end, .blank, .pages, .count, .limit, .emptyFile: .rest
        case .notFound, .answers: .answers
        case .encoding: .encoding
        }
    }
}

extension Finding.Unmatched {
    /// - Parameter holdsNothing: of a file, whether nothing at all is in it.
    fileprivate func sentence(_ path: String, _ entity: String, source: String, holdsNothing: Bool) -> String {
        switch self {
        case .records: "\(path) takes no record of \(entity) from the source \(source)"
        case .condition: "no record of \(entity) from the source \(source) has what \"where\" asks for in \(path)"
        case .next, .cursor:
            "\(path), \"\(rawValue)\", is not on the last page of the source \(source), though there seem to be others:"
                + " none of its objects is taken for absent"
        case .link:
            "the last page of the source \(source) has no link \(path), though there seem to be others: none of its"
                + " objects is taken for absent"
        case .emptyFile:
            holdsNothing
                ? "the file \(path) of the source \(source) is empty, as one that is still being written: none of its"
                    + " objects is taken for absent"
                : "the file \(path) of the source \(source) has nothing of what leads to records: none of the source's"
                    + " objects is taken for absent"
        case .total, .more: "\(path), \"\(rawValue)\", is on no page of the source \(source)"
        case .end:
            "the last pages of the source \(source) hold no record, and each names another one at \(path): nobody has"
                + " asked for more of them (\"more\" would say whether there are)"
        case .blank:
            "a page of the source \(source) that the one before names has no content: none of its objects is taken for"
                + " absent"
        case .pages:
            if path.hasPrefix("$") {
                "the answer of the source \(source) names another page at \(path), and the source has no \"pages\""
            } else if path.isIdentical(to: "next") {
                "the answer of the source \(source) has a link \(path) to another page, and the source has no \"pages\""
            } else {
                "the answer of the source \(source) names another page in its header \(path), and the source has no"
                    + " \"pages\""
            }
        case .limit:
            "a page of the source \(source) has fewer records than \(path) asks for, and others follow: if the service"
                + " gave no more at once, what is between them is not read (make \"limit\" what it gives), so none of its"
                + " objects is taken for absent"
        case .answers:
            "some answers of the source \(source) have nothing that those for other records have: what belongs to their"
                + " records is not known, and none of its objects is taken for absent"
        case .notFound:
            "the source \(source) finds nothing (404) for some of the records for which it is asked: none of its objects"
                + " is taken for absent (\"notFound\": \"empty\" would say that such a record has none)"
        case .encoding:
            "the feed of the source \(source) is read as \(path), as \"encoding\" says, and is UTF-8: all that is beyond"
                + " ASCII in it reads so"
        case .count:
            "the answer of the source \(source) has fewer records than there are, as it says"
                + " \(path.hasPrefix("$") ? "at" : "in its header") \(path), and the source has no \"pages\""
        }
    }
}
