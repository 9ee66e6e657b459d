import SluiceFetch

extension Log {
    /// Says that a service is asked again.
    package func write(_ retry: Retry) {
        write(
            .info, retry.message,
            [
                "service": .text(retry.name), "reason": .text(retry.reason), "wait": .real(retry.seconds),
                "failures": .integer(retry.failures), "retries": .integer(retry.most),
            ])
    }
}
