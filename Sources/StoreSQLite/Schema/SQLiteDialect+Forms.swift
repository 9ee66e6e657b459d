import SluiceRecords
import SluiceSchema

// Past values in the forms that their columns have now, in SQL that any SQLite reads.
extension SQLiteDialect {
    func converted(_ value: String, of type: String?, _ forms: FormPair) -> String? {
        let (then, now) = (forms.from, forms.to)
        if forms.exponent > 0 { return inSmallerUnits(value, forms.exponent) }
        if forms.exponent < 0 { return inLargerUnits(value, -forms.exponent, now) }
        if [.datetime, .text].contains(then.type), now.type == .datetime {
            return time(value, now.fraction ?? StoredForm.defaultFraction)
        }
        if then.type == .text, now.type == .boolean {
            return "CASE \(value) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE \(value) END"
        }
        return forms.makesDecimals ? decimal(value, now.scale) : nil
    }

    /// A number as a text without zeros at the end of its fraction.
    func shortest(_ text: String) -> String {
        "CASE instr(\(text), '.') WHEN 0 THEN \(text) ELSE rtrim(rtrim(\(text), '0'), '.') END"
    }

    /// A number as the text of a decimal, where it has one.
    func decimal(_ value: String, _ scale: Int?) -> String {
        // The text of a real has 15 digits, or an exponent: then the real stays what it is.
        let text = "CAST(\(value) AS TEXT)"
        let isWhole = "typeof(\(value)) IN ('integer', 'text') OR CAST(\(text) AS REAL) = \(value)"
        let isNumber = "\(text) NOT GLOB '*[^-0-9.]*' AND \(text) GLOB '*[0-9]'"
        let short = shortest(text)
        guard let scale, scale > 0 else {
            return "CASE WHEN (\(isWhole)) AND \(isNumber) THEN \(short) ELSE \(value) END"
        }
        let digits = "CASE instr(\(short), '.') WHEN 0 THEN 0 ELSE length(\(short)) - instr(\(short), '.') END"
        let zeros = String(repeating: "0", count: scale)
        let point = "CASE instr(\(short), '.') WHEN 0 THEN '.' ELSE '' END"
        return """
            CASE WHEN (\(isWhole)) AND \(isNumber) AND (\(digits)) <= \(scale) \
            THEN \(short) || \(point) || substr('\(zeros)', 1, \(scale) - (\(digits))) ELSE \(value) END
            """
    }

    private func time(_ value: String, _ digits: Int) -> String {
        let fraction = "rtrim(ltrim(substr(\(value), 20, length(\(value)) - 20), '.'), '0')"
        let padded = digits == 0 ? "" : "|| '.' || substr(\(fraction) || '000000000', 1, \(digits)) "
        return """
            CASE WHEN \(value) GLOB '????-??-??T??:??:??*Z' AND \(value) NOT GLOB '*[^-0-9T:.Z]*' \
            AND length(\(fraction)) <= \(digits) \
            THEN substr(\(value), 1, 19) \(padded)|| 'Z' ELSE \(value) END
            """
    }

    /// Integers that counted units of the last of some digits behind the point, and are the number itself now.
    private func inLargerUnits(_ value: String, _ digits: Int, _ form: StoredForm) -> String {
        let power = "1" + String(repeating: "0", count: digits)
        let text = """
            CASE WHEN \(value) < 0 THEN '-' ELSE '' END || abs(\(value) / \(power)) || '.' \
            || substr('000000000' || abs(\(value) % \(power)), -\(digits))
            """
        let short = "rtrim(rtrim(\(text), '0'), '.')"
        let scaled =
            switch form.column {
            case .integer: "WHEN \(value) % \(power) = 0 THEN \(value) / \(power) ELSE \(short)"
            case .real: "ELSE CAST(\(value) AS REAL) / \(power)"
            case .text, .blob: "ELSE \(form.keepsZeros(behind: digits) ? text : short)"
            }
        return "CASE WHEN typeof(\(value)) <> 'integer' THEN \(value) \(scaled) END"
    }

    /// Numbers that are integers now, which count units of the last of some more digits.
    private func inSmallerUnits(_ value: String, _ digits: Int) -> String {
        let zeros = String(repeating: "0", count: digits)
        let most = (0..<digits).reduce(Int64.max) { most, _ in most / 10 }
        let isNumber = """
            \(value) NOT GLOB '*[^-0-9.]*' AND \(value) NOT GLOB '?*-*' AND \(value) NOT GLOB '*.*.*' \
            AND \(value) GLOB '*[0-9]'
            """
        let behind = "CASE instr(\(value), '.') WHEN 0 THEN 0 ELSE length(\(value)) - instr(\(value), '.') END"
        let whole = "replace(\(value), '.', '') || substr('\(zeros)', 1, \(digits) - (\(behind)))"
        let rounded = "round(\(value) * 1\(zeros))"
        return """
            CASE typeof(\(value)) WHEN 'integer' THEN
              CASE WHEN \(value) BETWEEN -\(most) AND \(most) THEN \(value) * 1\(zeros) ELSE \(value) || '\(zeros)' END
            WHEN 'real' THEN
              CASE WHEN abs(\(rounded)) < 9e15 AND \(rounded) / 1\(zeros) = \(value) THEN CAST(\(rounded) AS INTEGER)
              ELSE \(value) END
            WHEN 'text' THEN
              CASE WHEN \(isNumber) AND (\(behind)) <= \(digits) AND length(\(value)) < \(18 - digits) \
              THEN CAST(\(whole) AS INTEGER) ELSE \(value) END
            ELSE \(value) END
            """
    }
}
