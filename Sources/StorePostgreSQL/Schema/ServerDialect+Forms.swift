import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// Past values in the forms that their columns have now: as texts, since columns that have had several forms are.
extension ServerDialect {
    func converted(_ value: String, of type: String?, _ forms: FormPair) -> String? {
        let text = plainText(value, of: type ?? ServerType.text.name)
        let number = "(\(text))::numeric"
        let scaled: String
        if forms.exponent != 0 {
            scaled = self.scaled(number, by: forms.exponent, to: forms.to, text)
        } else if forms.makesDecimals {
            scaled = decimal(number, forms.to.scale, text)
        } else if forms.to.type == .real, forms.from.type != .real {
            scaled = real(number, text)
        } else {
            return nil
        }
        return "CASE WHEN \(text) ~ '^-?[0-9]+([.][0-9]+)?$' THEN \(scaled) ELSE \(text) END"
    }

    private func decimal(_ number: String, _ scale: Int?, _ text: String) -> String {
        guard let scale else { return "trim_scale(\(number))::text" }
        let rounded = "round(\(number), \(scale))"
        return "CASE WHEN \(rounded) = \(number) THEN \(rounded)::text ELSE \(text) END"
    }

    /// A number times a power of ten.
    private func scaled(_ number: String, by exponent: Int, to form: StoredForm, _ text: String) -> String {
        let zeros = String(repeating: "0", count: abs(exponent) - (exponent < 0 ? 1 : 0))
        let product = "\(number) * \(exponent < 0 ? "0.\(zeros)1" : "1\(zeros)")"
        switch form.column {
        case .real: return real(product, text)
        // All digits of the unit are written, as in a decimal with a scale.
        case .text where form.keepsZeros(behind: -exponent): return "(\(product))::text"
        case .text, .integer, .blob: return "trim_scale(\(product))::text"
        }
    }

    private func real(_ number: String, _ text: String) -> String {
        let real = "(\(number))::double precision"
        return
            "CASE WHEN \(real)::numeric = \(number) THEN \(plainText(real, of: ServerType.double.name)) ELSE \(text) END"
    }
}
