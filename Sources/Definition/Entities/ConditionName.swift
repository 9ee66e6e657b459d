import SluiceRecords

/// In definitions, what a record must meet; `SluiceStore` has conditions of its own, for programs.
typealias Condition = SluiceRecords.Condition
