/// Text as a terminal shows it.
extension String {
    /// How many columns a terminal needs for it.
    package var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Filled up with spaces to a number of columns.
    package func padded(toColumns width: Int, right: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, width - columns))
        return right ? padding + self : self + padding
    }

    /// The beginning that fits into a number of columns, with an ellipsis if that is not all.
    package func shortened(toColumns width: Int) -> String {
        guard columns > width else { return self }
        var (text, used) = ("", 0)
        for character in self {
            used += character.columns
            if used > width - 1 { break }
            text.append(character)
        }
        return text + "…"
    }

    /// Lines of a width at the most, broken at spaces; what has none is not broken.
    ///
    /// - Parameters:
    ///   - first: what the first line begins with.
    ///   - rest: what all others begin with.
    package func wrapped(_ width: Int, first: String = "", rest: String) -> String {
        var lines: [String] = []
        var (line, used) = (first, first.columns)
        var isEmpty = true
        for word in split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
            let columns = word.columns
            if !isEmpty, used + 1 + columns > width {
                lines.append(line)
                (line, used, isEmpty) = (rest, rest.columns, true)
            }
            line += isEmpty ? word : " " + word
            used += columns + (isEmpty ? 0 : 1)
            isEmpty = false
        }
        return (lines + [line]).joined(separator: "\n")
    }
}

extension Character {
    /// How many columns a terminal needs for it: two for East Asian wide characters and emoji, none for a mark alone.
    fileprivate var columns: Int {
        if let ascii = asciiValue { return ascii < 0x20 ? 0 : 1 }
        guard let first = unicodeScalars.first else { return 0 }
        if unicodeScalars.contains(where: { $0 == "\u{FE0F}" }) || first.properties.isEmojiPresentation { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return first.isWide ? 2 : 1
        }
    }
}

extension Unicode.Scalar {
    /// Of the blocks that Unicode calls wide or full-width.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
