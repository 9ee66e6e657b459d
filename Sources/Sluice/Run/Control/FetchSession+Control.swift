import SluiceDefinition
import SluiceFetch
import SluiceRecords

extension FetchSession {
    /// As a run asks: who ends the run ends its requests, and who watches it is told of those that are made again.
    package init(_ control: RunControl, _ meter: WireMeter = WireMeter()) {
        self.init(
            .sluice, meter: meter, onRetry: control.onRetry,
            isStopped: { [cancellation = control.cancellation] in cancellation.isRequested })
    }
}
