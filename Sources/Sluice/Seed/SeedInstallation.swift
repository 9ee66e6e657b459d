import Glibc
import SluiceDefinition
import SluiceFetch
import SluicePosix
import SluicePostgreSQL
import SluiceRecords
import SluiceReport
import SluiceSeed
import SluiceStore

/// Installs a published seed as a store: `sluice seed install`.
package struct SeedInstallation {
    /// How it is installed.
    package struct Options: Sendable {
        /// The path of the store that is made.
        package var store: String
        /// The seed must have all that this definition has.
        package var requires: PipelineDefinition?
        /// The path of the public key that must have signed the manifest.
        package var key: String?
        /// Whether no delta is taken.
        package var isWhole = false
        /// Whether the store may be written to, as by runs.
        package var isWritable = false
        /// Whether an older version may be installed, and a store that is no seed be replaced.
        package var force = false
        /// How it is watched and ended from outside.
        package var control = RunControl()

        /// The store gets that name.
        package init(store: String) { self.store = store }
    }

    let location: String
    let options: Options

    /// - Parameter location: a manifest: its path or its address.
    package init(_ location: String, _ options: Options) {
        self.location = location
        self.options = options
    }

    /// Installs the seed, unless the store already has this version. A lock keeps others from changing the store
    /// meanwhile.
    package func perform() throws -> SeedInstaller.Outcome {
        try options.requires?.require([.entities])
        if ServerAddress.isMeant(by: options.store) {
            throw Failure(.usage, "what --store names is no file, and a seed is one")
        }
        let store = StorePath.replaceable(options.store)
        var settings = SeedInstallation.settings(store, key: options.key, options.control)
        settings.required = options.requires.map { SeedModel($0.model) }
        settings.isWhole = options.isWhole
        settings.isWritable = options.isWritable
        settings.force = options.force
        defer { options.control.meter.enter(.ended) }
        return try options.control.cancellation.withReason { () throws(Failure) in
            try SeedInstaller(location, settings).perform { () throws(Failure) in
                let lock = try StoreLock(
                    store: store,
                    holder: .init(process: Int(getpid()), pipeline: "seed install", started: Timestamp.now.text),
                    control: options.control)
                options.control.cancellation.register(leftovers: [lock.path])
                return { lock.release() }
            }
        }
    }

    /// What there is at a place: a folder, a manifest, or the address of one.
    package static func list(_ place: String, key: String?, _ control: RunControl) throws(Failure) -> SeedListing {
        try control.cancellation.withReason { () throws(Failure) in
            try SeedListing(place, settings("", key: key, control))
        }
    }

    private static func settings(_ store: String, key: String?, _ control: RunControl) -> SeedInstaller.Settings {
        var settings = SeedInstaller.Settings(store: store)
        settings.key = key
        settings.session = FetchSession(control)
        settings.note = control.onMessage
        settings.progress = { done, total in
            control.meter.enter(.reading)
            control.meter.expect(bytes: Int(total))
            control.meter.update(position: Int(done))
        }
        return settings
    }
}
