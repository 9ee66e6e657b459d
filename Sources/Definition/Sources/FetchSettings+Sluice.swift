import SluiceFetch
import SluicePosix

extension FetchSettings {
    /// As this tool fetches.
    package static let sluice: FetchSettings = {
        var settings = FetchSettings()
        settings.agent = "sluice/\(version)"
        // For tests, which cannot wait.
        if let seconds = environmentVariable("SLUICE_TEST_BACKOFF").flatMap(Double.init) { settings.backoff = seconds }
        if let seconds = environmentVariable("SLUICE_TEST_SILENCE").flatMap(Double.init) {
            settings.longestSilence = seconds
        }
        return settings
    }()
}
