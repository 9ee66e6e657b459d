import SluicePosix
import SluiceRecords

/// What is the same for all services: limits, and how patient the tool is. Tests are less so.
package struct FetchSettings: Sendable, Hashable {
    /// Who asks: the header `User-Agent`.
    package var agent = "sluice"
    /// Seconds before the first retry; each further one doubles them. A random part of them is waited.
    package var backoff = 1.0
    package var longestBackoff = 60.0
    /// A service that asks for more seconds is given up.
    package var longestRetryAfter = 3600.0
    package var mostRedirects = 10
    /// Of one answer.
    package var mostHeaderBytes = 256 << 10
    /// Seconds in which a service may be silent, whatever a source says of its own.
    package var longestSilence = Double.infinity
    /// Of one page or feed, in seconds, without the time in which the loader was behind.
    package var longestDownload = 12.0 * 3600
    /// What is read ahead of the loader.
    package var bufferSize = 1 << 20
    /// What is sent of an object at once, and held in memory; larger ones are sent in parts of this size.
    package var partSize = 16 << 20

    /// A file with the certificates of the authorities to trust; nil: the file of the environment variable
    /// `SSL_CERT_FILE`, or else those of the system.
    package var authorities: String?

    /// Variables that say who asks services of AWS, and where these are; they go before those of the process.
    package var variables: [ExactText: String] = [:]

    /// A variable that is set, and not empty.
    func variable(_ name: String) -> String? {
        (variables[ExactText(name)] ?? environmentVariable(name)).flatMap { $0.isEmpty ? nil : $0 }
    }

    package init() {}
}
