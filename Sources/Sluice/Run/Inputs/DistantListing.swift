import SluiceFetch
import SluiceRecords

/// Lists what is elsewhere, in buckets or on other machines, for a run, which counts what goes over the wire, and may
/// end meanwhile.
struct DistantListing {
    let control: RunControl
    let meter: WireMeter

    init(_ control: RunControl) {
        self.control = control
        meter = WireMeter(onWait: control.meter.update(wait:))
    }

    /// The result of a listing. Where the run is to end, the failure is the same as elsewhere.
    func listed<Found>(_ list: () throws(Failure) -> Found) throws(Failure) -> Found {
        try control.cancellation.withReason(list)
    }
}
