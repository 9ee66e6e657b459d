/// A place in a feed: what is there in all values that have the same path, elements of a list taken together.
struct ShapeNode: BitwiseCopyable {
    /// How its parent leads to it.
    enum Step: UInt8 { case root, member, element, anyMember }

    var parent: Int32
    var step: Step
    /// The member's name: where it is among the keys.
    var key: Int32 = 0
    var keyLength: Int32 = 0

    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var nextSibling: Int32 = -1
    /// The sibling that came next when this one came last.
    var follower: Int32 = -1
    /// Of a list: its elements.
    var element: Int32 = -1
    /// Of an object whose keys are data: its members, taken together.
    var anyMember: Int32 = -1
    var childCount: Int32 = 0

    var objects = 0
    var arrays = 0
    var texts = 0
    var numbers = 0
    var booleans = 0
    var nulls = 0
    /// Objects that have this member.
    var present = 0
    /// Objects that have it more than once.
    var repeated = 0
    /// The object that had it last.
    var lastOwner: UInt64 = 0
    /// Of its scalars; -1: it has none.
    var facts: Int32 = -1
    /// Of the last parts of the addresses that its texts are; -1: they are none.
    var tails: Int32 = -1
    /// Of the keys of an object whose keys are data; -1: they are none.
    var keyFacts: Int32 = -1
    /// The place that it was found to be the same as; -1: none.
    var merged: Int32 = -1
    /// Of a member that may tell what kind of thing an object is, and of a list of such objects; -1: none.
    var log: Int32 = -1

    var scalars: Int { texts + numbers + booleans }
    var values: Int { objects + arrays + scalars + nulls }
}

/// A step from a place to one in it.
enum ShapeStep: Hashable, Sendable {
    case member(String)
    case element
    case anyMember
}
