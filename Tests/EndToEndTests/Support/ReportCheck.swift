import Foundation
import SluiceExtract
import TestSupport
import Testing

/// What holds for the report and the findings of every run, whatever it is a test of: they are as their schemas say,
/// they agree with one another, and each finding's place in the feed begins with its record.
struct ReportCheck {
    private static let report = try? schema("report.schema.json")
    private static let finding = try? schema("finding.schema.json")
    /// Larger feeds are not looked at again.
    private static let largest = 20 << 20
    /// Nor are more findings.
    private static let most = 2000

    private let folder = TemporaryFolder()

    private static func schema(_ name: String) throws -> JSONNode {
        let file = Sluice.path("Documentation/\(name)")
        return try JSONTree.read([UInt8](Data(contentsOf: URL(fileURLWithPath: file))), file: name).root
    }

    /// The arguments, so that a run writes both files, if it does not already.
    func adding(to arguments: [String]) -> [String] {
        guard let command = arguments.first, ["run", "replay"].contains(command) else { return arguments }
        let files = ["report", "findings"].filter { name in !arguments.contains { $0.hasPrefix("--\(name)") } }
        return [command] + files.flatMap { ["--\($0)", folder.file($0)] } + arguments.dropFirst()
    }

    /// Checks that all which a command has written for programs is JSON: its output, its log, its report and its
    /// findings.
    static func check(_ arguments: [String], _ outcome: Sluice.Outcome, folder: String?) throws {
        func value(_ option: String) -> String? {
            if let whole = arguments.last(where: { $0.hasPrefix("--\(option)=") }) {
                return String(whole.dropFirst(option.count + 3))
            }
            guard let place = arguments.lastIndex(of: "--\(option)") else { return nil }
            return arguments.indices.contains(place + 1) ? arguments[place + 1] : nil
        }
        func check(_ text: String, _ what: String) {
            let complaint = StrictJSON.complaint(text)
            #expect(complaint == nil, "\(what) of \(arguments.joined(separator: " "))")
        }
        if value("format") == "json" { check(outcome.output, "the output") }
        if value("log") == "json" {
            for line in outcome.errors.split(separator: "\n") { check(String(line), "the log") }
        }
        for option in ["report", "findings"] {
            guard let name = value(option), name != "-", ["run", "replay"].contains(arguments.first) else { continue }
            // A page is none.
            if name.hasSuffix(".html") { continue }
            let path = name.hasPrefix("/") ? name : (folder.map { $0 + "/" } ?? "") + name
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular,
                let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)), bytes.count <= largest
            else { continue }
            check(String(decoding: bytes, as: UTF8.self), option)
        }
    }

    /// Whether a report is as its schema says: of a run of a plan.
    static func accepts(_ text: String) throws -> Bool {
        guard let report, let finding else { return false }
        let tree = try JSONTree.read(Array(text.utf8), file: "report").root
        return try Schema(report, others: ["finding.schema.json": finding]).accepts(tree)
    }

    /// Checks what a run has written, if it got that far.
    func check(folder working: String?) throws {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: folder.file("report"))), !bytes.isEmpty,
            let reportSchema = ReportCheck.report, let findingSchema = ReportCheck.finding
        else { return }
        let tree = try JSONTree.read([UInt8](bytes), file: "report").root
        let text = String(decoding: bytes, as: UTF8.self)
        let schema = Schema(reportSchema, others: ["finding.schema.json": findingSchema])
        #expect(try schema.accepts(tree), "\(text)")
        guard let lines = try? Data(contentsOf: URL(fileURLWithPath: folder.file("findings"))) else { return }
        let findings = lines.textLines
        try checkAgreement(tree, findings)
        for line in findings.prefix(ReportCheck.most) {
            guard let finding = try read(line) else { continue }
            #expect(try Schema(findingSchema).accepts(finding), "\(line)")
            try checkPlace(finding, line, tree, working)
        }
    }

    /// The report counts the findings, and its examples are among them.
    private func checkAgreement(_ report: JSONNode, _ findings: [String]) throws {
        for kind in ["unmatched", "duplicate", "unresolved", "reject", "drift"] {
            let found = findings.count { $0.hasPrefix("{ \"kind\": \"\(kind)\"") }
            #expect(report["findings"]?[kind]?.minified == String(found), "\(kind)")
        }
        guard case .array(let examples)? = report["examples"]?.kind, !examples.isEmpty else { return }
        guard findings.count <= ReportCheck.most else { return }
        // What is new is known only at the end, when most findings have been written; values are for examples.
        func told(_ finding: JSONNode) -> String {
            guard case .object(let members) = finding.kind else { return finding.minified }
            let rest = members.filter { !["new", "values"].contains($0.key) }
            return rest.map { "\($0.key):\($0.key == "first" ? place($0.value) : $0.value.minified)" }.joined(
                separator: ",")
        }
        // So are the lines of the first copies.
        func place(_ first: JSONNode) -> String {
            guard case .object(let members) = first.kind else { return first.minified }
            let rest = members.filter { !["line", "column"].contains($0.key) }
            return rest.map { "\($0.key):\($0.value.minified)" }.joined(separator: ",")
        }
        let all = try Set(findings.compactMap { try read($0).map(told) })
        guard all.count == findings.count else { return }
        for example in examples { #expect(all.contains(told(example)), "\(example.minified)") }
    }

    /// A finding; nil if its record has half a surrogate pair, which is shown as it is, and which few parsers read.
    private func read(_ line: String) throws -> JSONNode? {
        do {
            return try JSONTree.read(Array(line.utf8), file: "finding").root
        } catch {
            if error.message.contains("surrogate") { return nil }
            throw error
        }
    }

    private func checkPlace(_ finding: JSONNode, _ line: String, _ report: JSONNode, _ working: String?) throws {
        guard let at = finding["at"], let source = at["source"]?.text, let offset = at["offset"].flatMap(\.integer),
            let location = at["file"]?.text ?? report["sources"]?[source]?["location"]?.text
        else { return }
        let path = location.hasPrefix("/") ? location : (working.map { $0 + "/" } ?? "") + location
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            attributes?[.size] as? Int ?? 0 <= ReportCheck.largest,
            let feed = try? Data(contentsOf: URL(fileURLWithPath: path)), !ReportCheck.isCompressed(feed)
        else { return }
        guard finding["record"] != nil, let start = line.range(of: ", \"record\": ", options: .backwards) else {
            return
        }
        // A row of a table is shown as the object that it is.
        guard !path.hasSuffix(".csv") else {
            #expect(offset > 0 && feed[offset - 1] == UInt8(ascii: "\n"), "\(line)")
            return
        }
        #expect(ReportCheck.begins(feed, offset, with: Array(line[start.upperBound...].utf8)), "\(line)")
    }

    private static func isCompressed(_ feed: Data) -> Bool {
        ["\u{1f}", "(", "ý", "B", "P"].contains { $0.unicodeScalars.first.map { UInt8($0.value) } == feed.first }
    }

    /// Whether a feed has at an offset what a line of findings continues with: the record, and then the line's end or
    /// its context.
    private static func begins(_ feed: Data, _ offset: Int, with rest: [UInt8]) -> Bool {
        var (at, index, depth) = (offset, 0, 0)
        var (isInString, isEscaped) = (false, false)
        while at < feed.count, index < rest.count {
            let byte = feed[at]
            at += 1
            if !isInString, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { continue }
            guard rest[index] == byte else { return false }
            index += 1
            if isInString {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                if byte == UInt8(ascii: "\"") { isInString = true }
                if "{[".utf8.contains(byte) { depth += 1 }
                if "}]".utf8.contains(byte) { depth -= 1 }
            }
            let end = rest[index...]
            if depth == 0, !isInString, end.elementsEqual(" }".utf8) || end.starts(with: ", \"context\": ".utf8) {
                return true
            }
        }
        return false
    }
}

extension JSONNode {
    fileprivate var text: String? {
        if case .string(let text) = kind { return text }
        return nil
    }

    fileprivate var integer: Int? {
        if case .number(let number) = kind { return Int(number) }
        return nil
    }
}
