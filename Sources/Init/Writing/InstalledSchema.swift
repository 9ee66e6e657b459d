import Glibc
import SluiceRecords

/// The JSON Schema of definitions where the package, or `make install`, has put it: in `share/sluice` beside the folder
/// of the command that runs.
enum InstalledSchema {
    /// Its address, for a definition's `$schema`; nil: it is not installed.
    static var address: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        let executable = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let folders = executable.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        let path = folders + "/share/sluice/pipeline.schema.json"
        guard unsafe access(path, R_OK) == 0 else { return nil }
        return "file://" + escaped(path)
    }

    /// A path as a part of an address.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII && (character.isLetter || character.isNumber || "/-._~".contains(character)) {
                text.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
    }
}
