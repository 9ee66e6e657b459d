import SluiceRecords

// A position in a feed as the waiting list of a store has it: numbers, and the path behind them.
extension FeedPosition {
    /// The columns of numbers, in their order.
    package static let columns: [@Sendable (FeedPosition) -> Int64] = [
        { Int64($0.position.source) }, { Int64($0.position.file) }, { Int64(clamping: $0.record) },
        { Int64(clamping: $0.line) }, { Int64(clamping: $0.column) }, { Int64(clamping: $0.position.offset) },
    ]

    /// - Parameter number: what a column has, by its place in that order.
    package init(columns number: (Int) -> Int64, path: String) {
        var position = RecordPosition()
        position.source = UInt16(truncatingIfNeeded: number(0))
        position.file = UInt32(truncatingIfNeeded: number(1))
        position.record = UInt64(clamping: number(2))
        position.line = UInt64(clamping: number(3))
        position.column = UInt64(clamping: number(4))
        position.offset = UInt64(clamping: number(5))
        self.init(position, path: path)
    }
}
