/// How texts look on a terminal.
package struct TextStyle {
    package enum Colour: String {
        case good = "32;1"
        case bad = "31;1"
        case strong = "1"
        case faint = "2"
    }

    /// The columns that a terminal and a mail are sure to have.
    package static let width = 80

    let colours: Bool

    /// From its parts.
    package init(colours: Bool) {
        self.colours = colours
    }

    package func coloured(_ text: String, _ colour: Colour) -> String {
        colours ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
