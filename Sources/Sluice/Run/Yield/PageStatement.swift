import SluiceExtract
import SluiceRecords

/// The message in an answer that is not what was asked for: `{"error": {"message": "timeout"}}`.
struct PageStatement {
    /// What it says, and where: `"timeout" (errors[0].message)`.
    let text: String
    /// Whether it stands where services put errors, and nothing else.
    let isError: Bool

    /// Where services put errors.
    private static let errors = [
        "errors", "error", "fault", "faults", "errorMessage", "error_message", "exception",
    ]
    /// Where they say what those are about.
    private static let words = [
        "message", "detail", "error_description", "description", "title", "reason", "msg", "faultstring", "code",
    ]
    private static let longest = 200

    /// What a message about an answer says of it in the end; empty where the answer says nothing.
    static func clause(beginning: [UInt8]) -> String {
        PageStatement(beginning: beginning)?.clause ?? ""
    }

    var clause: String { "; it says \(text)" }

    /// - Parameter beginning: the first bytes of the answer. nil: it says nothing.
    init?(beginning: [UInt8]) {
        guard let root = JSONBeginning.root(of: beginning) else { return nil }
        let isFailed = root["status"]?.text?.lowercased() == "error"
        for key in PageStatement.errors + PageStatement.words {
            guard let found = root[key].flatMap({ PageStatement.find(in: $0, at: key) }) else { continue }
            let shown = String(found.text.prefix(PageStatement.longest)).printable
            text = "\(JSONText.quoted(shown)) (`\(found.path)`)"
            isError = isFailed || PageStatement.errors.contains(key)
            return
        }
        return nil
    }

    /// The words at a node; nil: it is there to say that nothing is wrong.
    private static func find(in node: JSONNode, at path: String) -> (path: String, text: String)? {
        switch node.kind {
        case .null, .boolean(false): return nil
        case .boolean(true): return (path, "true")
        case .number(let number): return Double(number) == 0 ? nil : (path, number)
        case .string(let text): return text.isEmpty ? nil : (path, text)
        case .array(let elements):
            // The first may say nothing, and the second that something is wrong.
            for (index, element) in elements.enumerated() {
                if let found = find(in: element, at: "\(path)[\(index)]") { return found }
            }
            return nil
        case .object(let members):
            // How some say that all is well.
            if case .number(let code)? = node["code"]?.kind, Double(code) == 0 { return nil }
            for key in words + errors {
                if let found = node[key].flatMap({ find(in: $0, at: "\(path).\(key)") }) { return found }
            }
            return members.isEmpty ? nil : (path, node.minified)
        }
    }
}
