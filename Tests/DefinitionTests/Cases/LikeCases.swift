/// What the cases say of entities that have much in common.
extension DefinitionCase {
    static let likes: [DefinitionCase] = [
        .valid(family(#""Thing": { \#(base) }"#, #""A": { "like": "Thing" }, "B": { "like": "A", "table": "b" }"#)),
        .valid(
            family(
                #""Thing": { \#(base), "kind": "type", "relationships": { "next": { "to": "Thing" } } }, "Special": { "like": "Thing", "where": { "x": 1 } }"#,
                #""A": { "like": "Thing", "is": "a" }, "B": { "like": "Special" }, "C": { "like": "B", "is": ["c", 3], "relationships": { "next": null } }"#
            )),
        .valid(
            family(
                "",
                #""A": { \#(base), "kind": "type" }, "B": { "like": "A", "attributes": { "name": null, "no": "integer" } }"#
            )
        ),
        .malformed(
            family(#""Thing": »[]"#, #""A": { \#(base), "like": "Thing" }"#),
            #"the base "Thing" must be an object, not an empty list"#),
        .malformed(
            family(#""Thing": { \#(base), »"table": "t", »"is": "x" }"#, #""A": { "like": "Thing" }"#),
            #""table" is about one entity: a base has none"#, #""is" is about one entity: a base has none"#),
        .meaningless(
            family(#"»"Thing": { \#(base) }, »"A": { \#(base) }"#, #""A": { \#(base) }, "B": { "like": "A" }"#),
            #"no entity is like "Thing""#, #""A" is an entity, too: a base needs a name of its own"#),
        .meaningless(
            family(#""Thing": { \#(base) }"#, #""A": { "like": "Thing" }, "B": { \#(base), "like": »"Thong" }"#),
            #"there is no base or entity "Thong": did you mean "Thing"? There are "Thing", "Stop", "Place", "Line", "A" and "B""#
        ),
        .malformed(family("", #""A": { \#(base), "like": »5 }"#), #""like" must be a text, not the number 5"#),
        .meaningless(
            family(#""X": { \#(base), "like": "Y" }, "Y": { "like": »"X" }"#, #""A": { "like": "X" }"#),
            #"this goes round: "X" is like "Y" is like "X""#),
        .malformed(
            family("", #""A": { \#(base), »"is": "a" }"#),
            #""is" is the value of "kind", which is missing: the path of what tells of which entity a record is"#),
        .meaningless(
            family("", #""A": { \#(base), "kind": "type", "where": { »"type": "x" } }"#),
            #""type" tells by "kind" of which entity a record is: there is no other condition on it"#),
        .malformed(
            family("", #""A": { \#(base), "kind": »["type"] }"#), #""kind" must be a path, not a list"#),
        // Told where it stands, and once.
        .meaningless(
            family(
                #""Thing": { \#(base), "relationships": { "next": { "to": »"Stap" } } }"#,
                #""A": { "like": "Thing" }, "B": { "like": "Thing" }"#),
            #"there is no entity "Stap": did you mean "Stop"? There are "Stop", "Place", "Line", "A" and "B""#),
        .malformed(
            family(#""Thing": { \#(base), »"modus": "insert" }"#, #""A": { "like": "Thing" }"#),
            #"unknown key "modus" in the entity "A"; allowed here: source, records, where, deleteWhere, identifier, attributes, relationships, table, was, mode, duplicates, repeats, absent, onAbsent, within, ignore, limits, like, kind, is, except, drift, orphans, edits, history, search, near"#
        ),
    ]

    private static let base =
        #""records": "$.things[*]", "identifier": "id", "attributes": { "id": "text", "name": "text" }"#

    private static func family(_ bases: String, _ entities: String) -> String {
        Definition.entities(entities).replacing(
            #""store":"#, with: bases.isEmpty ? #""store":"# : "\"bases\": { \(bases) },\n  \"store\":",
            maxReplacements: 1)
    }
}
