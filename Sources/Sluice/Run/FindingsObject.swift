import SluiceFetch
import SluiceRecords
import SluiceReport

extension FindingsFile {
    /// Findings that become an object of a service that speaks S3, in place of what is there, when the run has ended.
    ///
    /// - Throws: where there is no such bucket.
    static func object(_ text: String, _ control: RunControl) throws(Failure) -> FindingsFile {
        let cancellation = control.cancellation
        let (folder, name) = try ObjectFolder.holding(text, FetchSession(control))
        _ = try cancellation.withReason { () throws(Failure) in try folder.entries(name) }
        return try FindingsFile(sentTo: text) { descriptor, size throws(Failure) in
            // A run that a signal has ended leaves the findings of the run before.
            if cancellation.isRequested { return }
            try folder.write(file: descriptor, size: size, to: name)
        }
    }

    /// Whether there is such a bucket.
    static func checkObject(_ text: String) throws(Failure) {
        let (folder, name) = try ObjectFolder.holding(text, FetchSession(.sluice))
        _ = try folder.entries(name)
    }
}
