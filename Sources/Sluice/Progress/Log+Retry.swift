import SluiceFetch
import SluiceReport

extension Log {
    /// Says what happened on the wire for a source.
    package func write(_ wire: RunReport.WireFacts) {
        write(
            .info, "the service of \(wire.name) was asked \(wire.requests) \(wire.requests == 1 ? "time" : "times")",
            [
                "source": .text(wire.name), "requests": .integer(wire.requests),
                "bytes": .integer(Int(clamping: wire.bytes)), "notModified": .integer(wire.notModified),
                "kept": .integer(wire.kept), "retries": .integer(wire.retries.reduce(0) { $0 + $1.count }),
                "waitedForRetries": .real(wire.retrySeconds), "waitedForRate": .real(wire.rateSeconds),
                "waitedForService": .real(wire.serviceSeconds),
            ])
    }

    /// Says that a service is asked again.
    package func write(_ retry: Retry) {
        write(
            .info, retry.message,
            [
                "service": .text(retry.name), "page": retry.page.map { .integer($0) }, "reason": .text(retry.reason),
                "words": retry.words.map { .text($0) },
                "wait": .real(retry.seconds),
                "failures": .integer(retry.failures), "retries": .integer(retry.most),
            ])
    }
}
