import Foundation
import Sluice
import SluiceExtract
import SluiceRecords

/// Reads the text of a definition; one that is taken must check its store, and run on a small feed.
enum DefinitionHarness {
    private static let environment = ["HOME": "/home/transit", "TOKEN": "secret", "EMPTY": "", "NUMBER": "5"]

    private static let feed = Scratch.write(
        "feed.json",
        Data(
            #"""
            {"items": [{"id": 1, "name": "a", "parent": 2, "tags": ["x", "y"]}, {"id": "2", "name": null, "at": "now"}],
             "stops": [{"stop_id": "s", "stop_lat": 5.5, "when": "2026-11-20T23:13:00Z"}, 5, null, [], {"stop_id": "s"}],
             "id": {"id": [1, {"id": 3}]}}
            """#.replacing("\n", with: " ").utf8))

    static func complaint(about input: [UInt8]) -> String? {
        do throws(DefinitionProblems) {
            let definition = try PipelineDefinition.read(
                input, file: Scratch.folder + "/x.json", environment: environment, checks: .all)
            if !isJSON(input) { return "what is no JSON was taken" }
            return complaint(about: definition)
        } catch {
            return complaint(about: error, input)
        }
    }

    /// Whether each mistake has a place in the text, and is said in one line.
    private static func complaint(about problems: DefinitionProblems, _ input: [UInt8]) -> String? {
        guard !problems.failures.isEmpty else { return "it was refused without a reason" }
        for failure in problems.failures {
            guard failure.kind == .definition else { return "\(failure.kind): \(failure)" }
            guard let place = failure.place else { return "without a place: \(failure)" }
            let before = input.prefix(Int(clamping: place.offset))
            let line = before.count { $0 == 0x0a } + 1
            let column = before.count - (before.lastIndex(of: 0x0a) ?? -1)
            guard place.offset <= input.count, place.line == line, place.column == column else {
                return "\(failure) is at \(place.offset), \(line):\(column), of \(input.count)"
            }
            if failure.message.utf8.contains(0x0a) { return "of several lines: \(failure)" }
        }
        return nil
    }

    /// Whether a text without its comments is JSON.
    private static func isJSON(_ input: [UInt8]) -> Bool {
        var plain = input
        var at = 0
        var isString = false
        while at < plain.count {
            let rest = plain[at...]
            if isString {
                isString = plain[at] != UInt8(ascii: "\"")
                if plain[at] == UInt8(ascii: "\\") { at += 1 }
            } else if plain[at] == UInt8(ascii: "\"") {
                isString = true
            } else if rest.starts(with: "//".utf8) || rest.starts(with: "/*".utf8) {
                let end = commentEnd(rest)
                for index in at..<end { plain[index] = 0x20 }
                at = end - 1
            }
            at += 1
        }
        var strict = StrictJSON(plain, isLines: false)
        return strict.isValid()
    }

    private static func commentEnd(_ rest: ArraySlice<UInt8>) -> Int {
        if rest.starts(with: "//".utf8) { return rest.firstIndex(of: 0x0a) ?? rest.endIndex }
        let inside = rest.dropFirst(2)
        return inside.indices.first { inside[$0...].starts(with: "*/".utf8) }.map { $0 + 2 } ?? rest.endIndex
    }

    /// A definition that is sound can be used.
    private static func complaint(about definition: PipelineDefinition) -> String? {
        // It must not write anywhere else.
        var definition = definition
        definition.archive = nil
        definition.findings = nil
        var options = RunOptions()
        options.isDry = true
        options.store = Scratch.folder + "/none.sqlite"
        options.feeds = definition.sources.map { .init(source: $0.name, file: feed) }
        do {
            try definition.requireForRun(options)
            guard try definition.storePlan(store: options.store).contradictions.isEmpty else { return nil }
        } catch is DefinitionProblems {
            return nil
        } catch {
            return "check: \(error)"
        }
        let report = PipelineRun(checked: definition, options: options).perform()
        let isExpected = [0, 65].contains(report.exitStatus)
        return isExpected
            ? nil : "a run ends with \(report.exitStatus): \(report.outcome.error.map(\.description) ?? "")"
    }
}
