import Glibc
import SluicePosix
import SluiceRecords

/// What the variables and files that other programs for AWS use say: `AWS_…`, `~/.aws/config`, `~/.aws/credentials`.
struct AWSProfile {
    private var values: [ExactText: String] = [:]
    /// Of logins by SSO, by the name of each.
    private var sessions: [ExactText: [ExactText: String]] = [:]
    let name: String

    /// A profile; by default that which `AWS_PROFILE` names, or `default`.
    ///
    /// - Throws: `definition` where a profile is named that neither file has.
    init(_ settings: FetchSettings, named given: String? = nil) throws(Failure) {
        let name = given ?? settings.variable("AWS_PROFILE")
        let profile = name ?? "default"
        self.name = profile
        let files = [
            (
                AWSProfile.file("AWS_CONFIG_FILE", "config", settings),
                profile == "default" ? ["default"] : ["profile \(profile)"]
            ),
            (AWSProfile.file("AWS_SHARED_CREDENTIALS_FILE", "credentials", settings), [profile]),
        ]
        var isThere = false
        for (path, sections) in files {
            guard let path, let text = AWSProfile.text(path) else { continue }
            for (section, members) in AWSProfile.sections(of: text) {
                if section.hasPrefix("sso-session ") { sessions[ExactText(String(section.dropFirst(12)))] = members }
                guard sections.contains(section) else { continue }
                isThere = true
                values.merge(members) { $1 }
            }
        }
        guard isThere || name == nil else {
            throw Failure(
                .definition,
                "there is no profile \(profile) in ~/.aws, which \(given == nil ? "AWS_PROFILE" : "another") names")
        }
    }

    subscript(key: String) -> String? { values[ExactText(key)] }

    /// What is said of a login by SSO.
    func session(_ name: String, _ key: String) -> String? { sessions[ExactText(name)]?[ExactText(key)] }

    private static func file(_ variable: String, _ name: String, _ settings: FetchSettings) -> String? {
        settings.variable(variable) ?? settings.variable("HOME").map { "\($0)/.aws/\(name)" }
    }

    /// What a file holds; nil: it cannot be read.
    static func text(_ path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return readAll(from: descriptor, most: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The sections of a file, with their members. Lines that are indented belong to a member that has several.
    private static func sections(of text: String) -> [(name: String, members: [ExactText: String])] {
        var sections: [(name: String, members: [ExactText: String])] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let content = String(line).trimmed
            if content.isEmpty || "#;".contains(content.prefix(1)) { continue }
            if content.hasPrefix("["), content.hasSuffix("]") {
                let words = content.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
                sections.append((words.joined(separator: " "), [:]))
                continue
            }
            let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard !sections.isEmpty, parts.count == 2, line.first?.isWhitespace == false else { continue }
            sections[sections.count - 1].members[ExactText(String(parts[0]).trimmed.lowercased())] =
                String(parts[1]).trimmed
        }
        return sections
    }
}
