/// Characters that a text shown to people must not hold as they are.
extension Unicode.Scalar {
    /// Whether a terminal would obey it, or nobody would see it: control characters, line ends, marks that turn the
    /// direction of what follows, and whatever takes no room by itself. With these, a text can do something, or look
    /// like another.
    public var isHidden: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E, 0x200B...0x200F,
            0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0x1BCA0...0x1BCA3,
            0x1D173...0x1D17A, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// A joiner, which emoji and some scripts need between two characters.
    fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

    /// As JSON escapes it.
    var escaped: String {
        String(self).utf16.reduce(into: "") { text, unit in
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}

extension String {
    /// The text without anything hidden: escapes stand for it, as JSON has them. A joiner stays between two characters
    /// beyond ASCII.
    public var printable: String {
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        let scalars = Array(unicodeScalars)
        return scalars.indices.reduce(into: "") { text, index in
            let scalar = scalars[index]
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isHidden && !String.joins(scalars, index): text += scalar.escaped
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func joins(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        guard scalars[index].isJoiner, scalars.indices.contains(index - 1), scalars.indices.contains(index + 1) else {
            return false
        }
        return [scalars[index - 1], scalars[index + 1]].allSatisfy { !$0.isASCII && !$0.isHidden }
    }
}
