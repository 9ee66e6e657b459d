import Foundation
import TestSupport

/// A pipeline, and a service that speaks S3 and verifies signatures, with the bucket `feeds`.
struct ObjectScene {
    let service: ObjectService
    let scene: WebScene

    /// - Parameter source: the members of the source.
    init(_ source: String, records: String = "$.items[*]") throws {
        service = try ObjectService()
        scene = try WebScene(source, records: records)
        scene.environment["AWS_ENDPOINT_URL_S3"] = service.url
        scene.environment["AWS_ACCESS_KEY_ID"] = "account:user"
        scene.environment["AWS_SECRET_ACCESS_KEY"] = "secret/+key"
        scene.environment["AWS_EC2_METADATA_DISABLED"] = "true"
        scene.environment["HOME"] = scene.folder.path
    }

    static func feed(_ id: Int) -> String { #"{"items": [{"id": \#(id), "name": "item \#(id)"}]}"# }

    /// Puts some objects into the bucket, in place of those that are there.
    func offer(_ objects: [String: String], _ more: [String: Any] = [:]) throws {
        try service.offer(["buckets": ["feeds": objects]].merging(more) { $1 })
    }

    /// The keys of the objects that are there, sorted.
    var keys: [String] { get throws { try service.names.keys["feeds"] ?? [] } }

    /// What an object holds; nil: there is none.
    func text(of key: String) throws -> String? {
        try service.state.objects["feeds"]?[key].map { String(decoding: $0, as: UTF8.self) }
    }

    /// Runs a command of sluice with the keys.
    func sluice(_ words: String...) throws -> Sluice.Outcome { try Sluice.run(words, environment: scene.environment) }
}
