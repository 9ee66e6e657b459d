import SluiceRecords

/// A command that is started when a run has ended.
package struct Hook: Sendable, Hashable {
    /// How often it is started.
    package enum Per: String, CaseIterable, Sendable {
        /// Once.
        case run
        /// Once for each entity of which the run may have changed an object.
        case entity
    }

    /// The program and its arguments; no shell sees them.
    package var arguments: [String]
    /// How often it is started.
    package var per = Per.run
    /// Seconds after which it is ended.
    package var timeout = Hook.defaultTimeout

    static let defaultTimeout = 600.0
    /// In an argument, what stands for the entity's name.
    static let entityMark = "{entity}"

    /// The arguments for an entity.
    package func arguments(entity: String?) -> [String] {
        guard let entity else { return arguments }
        return arguments.map { $0.replacingExactly(Hook.entityMark, with: entity) }
    }
}

/// The commands of a pipeline, by how its run ended.
package typealias Hooks = [RunStatus: [Hook]]
