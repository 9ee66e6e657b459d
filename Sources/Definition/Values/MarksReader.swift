import SluiceExtract
import SluiceRecords

/// Reads how numbers are written in texts: `decimalMark` and `thousands`.
struct MarksReader {
    let context: DefinitionContext

    func marks(of object: DefinitionObject, _ type: AttributeType) -> NumberMarks? {
        let given = ["decimalMark", "thousands"].filter { object[$0] != nil }
        guard let first = given.first, let position = object.position(of: first) else { return nil }
        guard [.integer, .real, .decimal].contains(type) else {
            context.mistake(
                "\(quoted(first)) is for the types integer, real and decimal, not for \(type.rawValue)", at: position)
            return nil
        }
        let decimal = mark("decimalMark", object, among: [",", "."], "\",\" or \".\"") ?? UInt8(ascii: ".")
        let thousands = mark("thousands", object, among: [".", ",", " ", "'"], "\".\", \",\", \" \" or \"'\"")
        if decimal == thousands {
            context.mistake("one mark cannot stand before the fraction and between thousands", at: position)
        }
        return NumberMarks(decimal: decimal, thousands: thousands)
    }

    private func mark(_ key: String, _ object: DefinitionObject, among marks: [String], _ words: String) -> UInt8? {
        guard let node = object[key], !context.isUnset(node) else { return nil }
        guard let text = node.text, marks.contains(where: { $0.isIdentical(to: text) }) else {
            context.wrong(key, node, expected: words)
            return nil
        }
        return text.utf8.first
    }
}
