import Testing

@testable import Sluice
@testable import SluiceInit

/// The edges of GraphQL's lists: what they say of their places on a page is none of what their objects say.
@Suite struct DraftEdgeTests {
    private func answer(_ edges: String) -> String {
        #"{"data": {"shop": {"issues": {"edges": \#(edges), "pageInfo": {"hasNextPage": true, "endCursor": "c39"}}}}}"#
    }

    private func labels(_ row: Int) -> String {
        let edges = (0..<(row % 3)).map { #"{"cursor": "l\#($0)", "node": {"id": "L\#($0)", "name": "n\#($0)"}}"# }
        return
            #"{"edges": [\#(edges.joined(separator: ","))], "pageInfo": {"hasNextPage": false, "endCursor": null}}"#
    }

    @Test func recordsAreTheObjectsOfEdges() throws {
        let edges = list(40) { row in
            #"{"cursor": "c\#(row)", "node": {"id": "I\#(row)", "title": "T\#(row % 7)", "labels": \#(labels(row))}}"#
        }
        let (text, report) = try InitRun.Draft.run(of: answer(edges))
        #expect(text.contains(#""records": "$.data.shop.issues.edges[*].node""#), "\(text)")
        #expect(text.contains(#""title": "text""#) && !text.contains(#""cursor": "#), "\(text)")
        let many = #""labels": { "to": "Label", "from": "labels.edges[*].node.id", "many": true }"#
        #expect(text.contains(many), "\(text)")
        #expect(text.contains(#""ignore": ["labels.pageInfo", "labels.edges[*].cursor"]"#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [40, 2], "\(text)")
        #expect(!text.contains("in no attribute"), "\(text)")
    }

    /// What each edge says, such as since when somebody is a member, stays with the edge; its cursor does not.
    @Test func whatEdgesSayIsTheirs() throws {
        let edges = list(30) { row in
            #"{"cursor": "c\#(row)", "role": "r\#(row % 2)", "node": {"id": "U\#(row)", "name": "n\#(row)"}}"#
        }
        let text = try InitRun.Draft.text(of: answer(edges))
        #expect(text.contains(#""records": "$.data.shop.issues.edges[*]""#), "\(text)")
        #expect(text.contains(#""role": "text""#) && !text.contains(#""cursor""#), "\(text)")
    }

    /// A list in `nodes` is called after what it is in.
    @Test func nodesGiveNoName() throws {
        let issues = list(30) { row in
            let labels = (0..<(row % 4)).map { #"{"id": "L\#($0)", "name": "n\#($0)"}"# }.joined(separator: ",")
            return #"{"id": "I\#(row)", "title": "T\#(row)", "labels": {"nodes": [\#(labels)]}}"#
        }
        let text = try InitRun.Draft.text(of: #"{"data": {"issues": {"nodes": \#(issues)}}}"#)
        #expect(text.contains(#""labels": { "to": "Label", "from": "labels.nodes[*].id", "many": true }"#), "\(text)")
    }
}
