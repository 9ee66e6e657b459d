import Testing

@testable import Sluice
@testable import SluiceInit

/// References to what is in another list of a record around.
@Suite struct DraftSiblingTests {
    /// Pods with volumes, and containers that mount them.
    ///
    /// - Parameter mount: which volume of a pod a container mounts.
    private func pods(_ mount: (Int) -> String) -> String {
        let pods = list(20) { pod in
            let all = (0..<3).map { #"{"name": "v\#(pod % 4)-\#($0)", "kind": "k\#($0 % 2)"}"# }.joined(separator: ", ")
            let mounts = (0..<3).map { #"{"name": "\#(mount(pod))-\#($0)", "path": "/p/\#(2 - $0)"}"# }
            let containers = #"[{"name": "c", "mounts": [\#(mounts.joined(separator: ", "))]}]"#
            return #"{"uid": "p\#(pod)", "volumes": [\#(all)], "containers": \#(containers)}"#
        }
        return #"{"pods": \#(pods)}"#
    }

    @Test func aNameInAnotherListIsAReference() throws {
        let text = try InitRun.Draft.run(of: pods { "v\($0 % 4)" }).text
        #expect(text.contains(#"{ "to": "Volume", "identifier": ["$.pods[*].uid", "name"] }"#), "\(text)")
        #expect(text.contains("// all 60 found in Volume.name of the same Pod"), "\(text)")
    }

    /// Names that other records have in their lists are none.
    @Test func namesOfOtherRecordsAreNone() throws {
        let text = try InitRun.Draft.run(of: pods { "v\(($0 + 1) % 4)" }).text
        #expect(!text.contains(#""to": "Volume""#), "\(text)")
    }

    /// Small numbers are found in any list: they need a name that says more than that they count.
    @Test func numbersNeedAName() throws {
        let orders = list(20) { order in
            let lines = (0..<3).map { #"{"number": \#($0), "text": "t\#($0)", "amount": \#(order + $0).5}"# }
            let notes = (0..<3).map { #"{"number": \#($0), "author": "a\#($0)"}"# }
            return """
                {"id": "o\(order)", "lines": [\(lines.joined(separator: ", "))],
                "notes": [\(notes.joined(separator: ", "))]}
                """
        }
        let text = try InitRun.Draft.run(of: #"{"orders": \#(orders)}"#).text
        #expect(!text.contains("of the same"), "\(text)")
    }
}
