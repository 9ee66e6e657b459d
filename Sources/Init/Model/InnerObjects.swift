/// The objects in the records of an entity of which something is known: each by the members that lead to it.
struct InnerObjects {
    /// Those that are null, or an empty text, in some records: a path into these finds nothing, and what is absent
    /// stays in its object.
    var nullable: [[String]] = []
    /// Those that are records themselves, told in short.
    var excerpts: [[String]] = []
    /// The paths of what edges of GraphQL say of their places on a page.
    var cursors: [String] = []
}
