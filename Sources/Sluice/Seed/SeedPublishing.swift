import Glibc
import SluiceDefinition
import SluiceFetch
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceSeed
import SluiceStore

/// Publishes the store of a pipeline as a seed: `sluice seed build`.
package struct SeedPublishing {
    /// Options that override the definition.
    package struct Options: Sendable {
        /// The path of the folder of seeds.
        package var output: String?
        /// The path of the store.
        package var store: String?
        /// How many seeds before the new one stay.
        package var keep: Int?
        /// Of the compression.
        package var level: Int?
        /// The path of the private key that signs the manifest.
        package var sign: String?
        /// How it is watched and ended from outside.
        package var control = RunControl()

        /// As the definition has it.
        package init() {}
    }

    let definition: PipelineDefinition
    let options: Options

    /// A seed that is not built yet.
    package init(_ definition: PipelineDefinition, _ options: Options) {
        self.definition = definition
        self.options = options
    }

    /// Builds the next version, if there is anything new. A lock keeps others from building it meanwhile.
    package func perform() throws -> SeedBuild.Outcome {
        try definition.require([.settings, .seed] + (options.store == nil ? [.store] : []))
        guard let directory = options.output ?? definition.seed?.directory else {
            throw Failure(
                .definition,
                "nothing says where the seed goes: name a folder by --output, or in \"seed\" of the definition")
        }
        let control = options.control
        var settings = SeedBuild.Settings(
            store: try definition.storeFile(instead: options.store, for: "a seed"), name: definition.name,
            directory: directory,
            created: SeedPublishing.moment.text, sluice: version)
        settings.keep = options.keep ?? definition.seed?.keep ?? SeedBuild.defaultKeep
        settings.level = options.level ?? definition.seed?.level ?? SeedBuild.defaultLevel
        settings.key = options.sign ?? definition.seed?.sign
        settings.session = FetchSession(control)
        settings.note = control.onMessage
        return try SeedPublishing.locked(settings.name, in: directory, control) { () throws(Failure) in
            try SeedBuild(settings).perform()
        }
    }

    private static func locked<Result>(
        _ name: String, in directory: String, _ control: RunControl, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard SeedName.isSound(name) else { return try body() }
        if ObjectFolder.names(directory) { return try control.cancellation.withReason(body) }
        if unsafe mkdir(directory, 0o755) != 0, errno != EEXIST {
            throw Failure(.uncreatable, "the folder \(directory) cannot be created", errno: errno)
        }
        let lock = try StoreLock(
            store: "\(directory)/\(name).seed.json",
            holder: .init(process: Int(getpid()), pipeline: name, started: Timestamp.now.text), control: control)
        defer { lock.release() }
        return try control.cancellation.withReason(body)
    }

    /// The time of the build; for builds that must be the same to the byte, that of the usual variable
    /// (<https://reproducible-builds.org/specs/source-date-epoch/>).
    private static var moment: Timestamp {
        environmentVariable("SOURCE_DATE_EPOCH").flatMap(Int.init).map { Timestamp(seconds: $0) } ?? .now
    }
}
