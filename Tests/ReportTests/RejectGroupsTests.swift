import ReportSupport
import SluiceRecords
import Testing

@testable import SluiceReport

/// Reasons of rejects come in the order of what they weigh, but what is wrong around others comes before these.
@Suite struct RejectGroupsTests {
    /// Rejects of some entities: the path of each, how many there are, and whether they are new.
    private func order(_ kinds: [(entity: String, path: String, count: Int, isNew: Bool)]) -> [String] {
        var findings: [Finding] = []
        for kind in kinds {
            for index in 0..<kind.count {
                var finding = Fixture.reject(UInt64(findings.count))
                (finding.entity, finding.isNew) = (kind.entity, kind.isNew)
                finding.at.path = kind.path.replacing("#", with: "\(index)")
                findings.append(finding)
            }
        }
        return RejectGroups.grouped(findings).compactMap(\.examples.first?.entity)
    }

    @Test func whatIsAroundOthersComesFirst() {
        let found = order([
            ("Leaf", "$.a[0].b[1].c[#]", 4, false), ("Other", "$.z[#]", 3, false), ("Branch", "$.a[0].b[#]", 2, false),
            ("Root", "$.a[#]", 1, false), ("Second", "$.z[0].y[#].x[7]", 1, false),
        ])
        #expect(found == ["Root", "Branch", "Leaf", "Other", "Second"])
    }

    /// A path that only begins with the same letters is not around another, and neither is what weighs less.
    @Test func whatIsNotAroundOthers() {
        let names = order([("Inner", "$.ab[#]", 2, false), ("Outer", "$.a", 1, false)])
        #expect(names == ["Inner", "Outer"])
        let news = order([("Inner", "$.a[0].b[#]", 2, true), ("Outer", "$.a[#]", 1, false)])
        #expect(news == ["Inner", "Outer"])
        let olds = order([("Inner", "$.a[0].b[#]", 2, false), ("Outer", "$.a[#]", 1, true)])
        #expect(olds == ["Outer", "Inner"])
    }

    /// What is around something rare does not pass what is frequent.
    @Test func nothingMovesFurtherThanItMust() {
        let found = order([
            ("Frequent", "$.z[#]", 5, false), ("Leaf", "$.a[0].b[#]", 3, false), ("Root", "$.a[#]", 1, false),
            ("Last", "$.y[#]", 2, false),
        ])
        #expect(found == ["Frequent", "Root", "Leaf", "Last"])
    }
}
