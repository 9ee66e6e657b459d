import SluiceRecords

/// Seconds of a clock that nobody sets.
var now: Double { Monitor.now }
