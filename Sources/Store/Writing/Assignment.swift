/// What an attribute is set to.
public struct Assignment<Object: StoredObject>: Sendable {
    let column: String
    var value: Fragment
    /// Where it is a value, and not calculated.
    let constant: (any StoreValue)?
    /// What belongs to it: the name of the entity beside a reference.
    var beside: (column: String, value: Fragment)?
}

extension Column {
    /// Sets it to a value.
    public func set(to value: Value) -> Assignment<Object> {
        Assignment(column: name, value: expression.fragment(of: value), constant: value)
    }

    /// Sets it to what is calculated from the object as it is before. Values in another form than the column's (times
    /// with another fraction, a decimal with another scale) make the update an error (`statement`).
    public func set(to value: some Operand<Object, Value>) -> Assignment<Object> {
        let expression = value.expression
        let isAlike = expression.form == form
        return Assignment(
            column: name, value: isAlike ? expression.fragment : Fragment(error: form.refusal(of: expression.form)),
            constant: nil)
    }
}

extension AnyReference {
    /// Sets it to an object, or to null.
    public func set(to target: AnyObjectID?) -> Assignment<Object> {
        let number = Fragment(value: target.map { .integer($0.number) } ?? .null)
        let entity = Fragment(value: target.map { .text($0.entity) } ?? .null)
        return Assignment(
            column: name, value: number, constant: target?.number, beside: (column: entityName, value: entity))
    }
}

/// What a batch of changes gives.
public enum BatchResultKind: Sendable {
    /// Nothing.
    case status
    /// How many objects it has changed.
    case count
    /// Which objects it has changed.
    case objectIDs
}

/// What a batch of changes has done.
public enum BatchResult<Object: StoredObject>: Sendable, Hashable {
    /// It is done.
    case status
    /// So many objects were changed; one that had the values already is none of them.
    case count(Int)
    /// These objects were changed.
    case objectIDs([ObjectID<Object>])

    /// How many; nil where nobody asked.
    public var count: Int? {
        switch self {
        case .status: nil
        case .count(let count): count
        case .objectIDs(let ids): ids.count
        }
    }
}

/// What becomes of an attribute that somebody else has changed meanwhile.
public enum ConflictPolicy: Sendable {
    /// Nothing is written, and the error names the attributes.
    case fail
    /// It stays as the store has it; the other attributes are written.
    case keepStored
    /// It is written.
    case overwrite
}

/// What became of an object that was saved.
public enum SaveOutcome: Sendable, Hashable {
    /// What differed from the original is in the store.
    case saved
    /// Nothing differed, or the store had it already.
    case unchanged
    /// Saved, but somebody else had changed these attributes, too.
    case merged(conflicts: [String])
    /// The object is not in the store any more.
    case gone
}
