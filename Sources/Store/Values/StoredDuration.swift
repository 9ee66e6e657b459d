import SluiceRecords

extension Duration {
    /// A duration as a column of a `duration` attribute counts it.
    ///
    /// - Parameters:
    ///   - units: how many.
    ///   - fraction: of which digit of a second: 0 counts seconds, 3 milliseconds; 0 to 9.
    public init(units: Int, fraction: Int) {
        let perSecond = Duration.powers[fraction]
        let (seconds, rest) = units.quotientAndRemainder(dividingBy: perSecond)
        self = .init(
            secondsComponent: Int64(seconds),
            attosecondsComponent: Int64(rest) * (1_000_000_000_000_000_000 / Int64(perSecond)))
    }

    /// The greatest number of units that is not above the duration, and whether it is the duration; nil beyond 64 bits.
    func floor(fraction: Int) -> (Int64, isExact: Bool)? {
        let (seconds, attoseconds) = components
        let perSecond = Int64(Duration.powers[fraction])
        let (units, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000 / perSecond)
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: perSecond)
        let (sum, alsoOverflows) = whole.addingReportingOverflow(rest < 0 ? units - 1 : units)
        return overflows || alsoOverflows ? nil : (sum, rest == 0)
    }

    private static let powers = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]
}

extension Duration: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.duration, fraction: 0) }

    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) throws(StoreError) -> SQLValue {
        guard let (units, isExact) = floor(fraction: form.fraction ?? 0), isExact else {
            throw StoreError(
                .invalid, "\(self) does not fit the attribute, which has \(form.fraction ?? 0) digits of a second")
        }
        return .integer(units)
    }

    /// The value in a column of a row, which counts seconds.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Duration {
        try row.duration(column, fraction: 0)
    }
}
