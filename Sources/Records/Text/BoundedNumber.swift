extension FixedWidthInteger {
    /// The whole number of a value, its fraction cut off: the nearest that there is, however large the value is; 0 of
    /// what is no number. What comes from a definition, a service or a store may be any number, and a plain conversion
    /// ends the process.
    public init(bounded value: Double) {
        if let exact = Self(exactly: value.rounded(.towardZero)) {
            self = exact
        } else {
            self = value.isNaN ? 0 : value < 0 ? .min : .max
        }
    }
}
