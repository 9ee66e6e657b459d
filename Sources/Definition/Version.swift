/// The version of Sluice, as `sluice --version` shows it (semantic versioning).
public let version = "0.1.0"
