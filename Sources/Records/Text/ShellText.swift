/// A text in single quotes, as bash and zsh read it.
package func shellQuoted(_ text: String) -> String { "'" + text.replacingExactly("'", with: "'\\''") + "'" }

/// A text as a word that a shell reads as it is: in single quotes where it needs them.
package func shellWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "_.=%/:,+-".utf8.contains(byte)
    }
    return isPlain && !text.isEmpty ? text : shellQuoted(text)
}
