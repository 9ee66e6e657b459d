import SluiceExtract
import SluiceRecords

/// Reads the limits of a pipeline, and those that its entities have of their own.
struct LimitsReader {
    let context: DefinitionContext

    func limits(of pipeline: DefinitionObject) -> Limits {
        var limits = Limits()
        if let object = object(pipeline["limits"]) {
            limits.rejects = limit("rejects", object) ?? limits.rejects
            limits.unresolved = limit("unresolved", object) ?? limits.unresolved
            limits.duplicates = limit("duplicates", object) ?? limits.duplicates
            limits.updates = limit("updates", object) ?? limits.updates
            limits.deletes = limit("deletes", object) ?? limits.deletes
            limits.records = records(object) ?? limits.records
            for place in FieldLimitPlace.all {
                if let limit = fields(place.kind.rawValue, object) { limits[keyPath: place.whole] = limit }
            }
        }
        guard case .object(let entities)? = pipeline["entities"]?.kind else { return limits }
        for entity in entities {
            guard case .object(let members) = entity.value.kind,
                let object = object(members.last(where: { $0.key == "limits" })?.value)
            else { continue }
            limits.entities[ExactText(entity.key)] = ownLimits(object)
        }
        return limits
    }

    private func ownLimits(_ object: DefinitionObject) -> EntityLimits {
        var own = EntityLimits()
        own.rejects = limit("rejects", object)
        own.unresolved = limit("unresolved", object)
        own.duplicates = limit("duplicates", object)
        own.updates = limit("updates", object)
        own.deletes = limit("deletes", object)
        own.records = records(object)
        for place in FieldLimitPlace.all { own[keyPath: place.own] = fields(place.kind.rawValue, object) }
        return own
    }

    private func object(_ node: JSONNode?) -> DefinitionObject? {
        node.flatMap { DefinitionObject($0, "\"limits\"", keys: DefinitionKeys.limits, in: context) }
    }

    private func limit(_ key: String, _ object: DefinitionObject) -> Limit? {
        guard let node = object[key] else { return nil }
        switch node.kind {
        case .null: return Limit.none
        case .number(let text):
            if let count = wholeNumber(text), count >= 0 { return .count(count) }
        case .string(let text):
            if let share = Share(text) { return .share(share) }
        default: break
        }
        context.wrong(key, node, expected: "a whole number, a share from \"0%\" to \"100%\", or null")
        return nil
    }

    private func records(_ object: DefinitionObject) -> RecordLimit? {
        limit("records", object).map(RecordLimit.init)
    }

    private func fields(_ key: String, _ object: DefinitionObject) -> FieldLimit? {
        guard let node = object[key] else { return nil }
        switch node.kind {
        case .null: return .unlimited
        case .number(let text):
            if let count = wholeNumber(text), count >= 0 { return .count(count) }
        default: break
        }
        context.wrong(key, node, expected: "a whole number, or null")
        return nil
    }
}
