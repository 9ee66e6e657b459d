import Glibc

extension PipelineDefinition {
    /// The variables of this process, for ``init(contentsOf:environment:)``: one whose bytes are no text is refused
    /// where a definition uses it.
    public static var environment: [String: String] {
        var variables: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            unsafe entry += 1
            guard let sign = unsafe strchr(text, CInt(UInt8(ascii: "="))) else { continue }
            let name = unsafe String(decoding: UnsafeRawBufferPointer(start: text, count: sign - text), as: UTF8.self)
            variables[name] = unsafe String(validatingCString: sign + 1) ?? Variables.notUTF8
        }
        return variables
    }
}
