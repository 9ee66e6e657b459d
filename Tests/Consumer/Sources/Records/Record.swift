/// Not Sluice's.
public struct Record {
    public var name: String

    public init(name: String) { self.name = name }
}
