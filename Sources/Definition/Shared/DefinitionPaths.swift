import SluiceExtract
import SluiceFetch
import SluicePosix

extension DefinitionObject {
    /// The path of a file, relative to the working directory.
    ///
    /// A definition's relative paths are relative to its own folder, as the working directory of a cron job is not the
    /// author's.
    func filePath(_ key: String, for part: PipelineDefinition.Part) -> String? {
        guard let node = self[key] else { return nil }
        guard let text = node.text else {
            context.wrong(key, node, expected: "the path of a file")
            return nil
        }
        if let reason = wrongPath(text) {
            let message = "\(quoted(key)) \(reason)"
            if context.hasVariable(node) {
                context.pend(message, for: part, at: node.position)
            } else {
                context.mistake(message, at: node.position)
            }
            return nil
        }
        return context.resolve(text)
    }

    /// The path of a file or folder that is written, or `s3://bucket/key`, where it is an object, or a folder of such.
    func outputPath(_ key: String, for part: PipelineDefinition.Part) -> String? {
        guard let node = self[key], let text = node.text, ObjectFolder.names(text) else {
            return filePath(key, for: part)
        }
        guard let reason = ObjectFolder.fault(text) else { return text }
        context.mistake("\(quoted(key)) \(reason)", at: node.position)
        return nil
    }

    private func wrongPath(_ text: String) -> String? {
        if text.isEmpty { return "must be the path of a file, not an empty text" }
        if text.utf8.contains(0) { return "cannot hold a NUL, as no path can" }
        return nil
    }
}

extension DefinitionContext {
    /// A path of the definition, relative to the working directory.
    func resolve(_ path: String) -> String {
        // By bytes: a combining character would melt with the slash.
        if path.utf8.first == UInt8(ascii: "/") || isMadeInCode { return path }
        guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return FilePath.tidy(path) }
        return FilePath.tidy(String(file[...slash]) + path)
    }

    /// The file's name without its folder and its ending.
    var fileName: String { isMadeInCode ? file : PipelineDefinition.name(ofFile: file) }
}

extension PipelineDefinition {
    /// What the pipeline of a file is called, in which other things may be wrong.
    package static func writtenName(ofFile file: String) -> String {
        guard let text = try? DefinitionFile.read(file), let tree = try? JSONTree.read(text, file: file),
            let name = tree.root["name"]?.text, !name.isEmpty, !name.contains("${")
        else { return name(ofFile: file) }
        return name
    }

    /// What a pipeline is called whose definition says nothing.
    static func name(ofFile file: String) -> String {
        let name = file.utf8.split(separator: UInt8(ascii: "/")).last ?? file.utf8[...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
            return String(decoding: name, as: UTF8.self)
        }
        return String(decoding: name[..<dot], as: UTF8.self)
    }
}
