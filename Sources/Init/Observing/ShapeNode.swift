/// A place in a feed: what is there in all values that have the same path, elements of a list taken together.
struct ShapeNode: BitwiseCopyable {
    /// How its parent leads to it.
    enum Step: UInt8 { case root, member, element, anyMember }

    var parent: Int32
    var step: Step
    /// The member's name.
    var key = Key()

    var children = Children()
    var siblings = SiblingLinks()
    /// Of a list: its elements.
    var element: Int32 = -1
    /// Of an object whose keys are data: its members, taken together.
    var anyMember: Int32 = -1

    var counts = ValueCounts()
    /// Of a member.
    var owners = Owners()
    /// Of its scalars; -1: it has none.
    var facts: Int32 = -1
    var sketches = Sketches()
    /// The place that it was found to be the same as; -1: none.
    var merged: Int32 = -1
    var kinds = KindLogs()
    var positions = Positions()

    /// Where the name of a member is among all keys, and its bytes.
    struct Key: BitwiseCopyable {
        var start: Int32 = 0
        var length: Int32 = 0
    }

    /// Members, or elements that are told apart.
    struct Children: BitwiseCopyable {
        var first: Int32 = -1
        var last: Int32 = -1
        var count: Int32 = 0
    }

    struct SiblingLinks: BitwiseCopyable {
        var next: Int32 = -1
        /// The one that came next when this one came last.
        var follower: Int32 = -1
    }

    /// The objects that have a member.
    struct Owners: BitwiseCopyable {
        var count = 0
        /// Those that have it more than once.
        var repeated = 0
        /// The one that had it last.
        var last: UInt64 = 0
    }

    /// What is known of texts that are no values of the place itself; -1: there are none.
    struct Sketches: BitwiseCopyable {
        /// Of the last parts of the addresses that its texts are.
        var tails: Int32 = -1
        /// Of the keys of an object whose keys are data.
        var keys: Int32 = -1
    }

    /// The logs of what objects say of their kind; -1: there is none.
    struct KindLogs: BitwiseCopyable {
        /// Of a member that may tell what kind of thing an object is, and of a list of such objects.
        var own: Int32 = -1
        /// Likewise of a list of objects, of a member of an object in each of them.
        var inner: Int32 = -1
    }

    /// What stands at the positions of a list.
    struct Positions: BitwiseCopyable {
        /// The log of each position; -1: nobody looks.
        var log: Int32 = -1
        /// Whether each position is a place of its own. Then the list counts as an object, whose members are `[0]`,
        /// `[1]`, …
        var arePlaces = false
        /// Likewise, whether the first such list is none of the others, but says what their positions are.
        var hasHeader = false
    }
}

/// A step from a place to one in it.
enum ShapeStep: Hashable, Sendable {
    case member(String)
    case element
    case anyMember
    /// One of the files of a feed that has several: the first step, of which no path says anything.
    case file
    /// One element of a list, by its index.
    case position(Int)

    /// The names of the members on a way.
    static func members(_ steps: some Sequence<ShapeStep>) -> [String] {
        steps.compactMap { if case .member(let name) = $0 { name } else { nil } }
    }
}
