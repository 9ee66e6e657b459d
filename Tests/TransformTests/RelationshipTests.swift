import SluiceRecords
import Testing

/// The cells of relationships.
@Suite struct RelationshipTests {
    /// What is said where a reference is a list.
    private static let ofArrays = #": with "many": true, a path that ends in [*] takes its elements"#

    /// The cells of one relationship of an entity `E` to `E`, and to others named `T1`, `T2`, … with their identifiers'
    /// types.
    private func cells(
        _ slots: [Raw], key: [ValueRule] = [slot(0)], to targets: [[AttributeType]] = [[.integer]],
        selector: ValueRule? = nil, many: Bool = false, onAbsent: Relationship.OnAbsent = .keep,
        ways: [[AttributeType]] = []
    ) throws -> [Typed] {
        let names = ["E", "T1", "T2"]
        var relationship = Relationship(
            name: "r",
            targets: targets.enumerated().map {
                Relationship.Target(entity: $0, conversions: $1.map { Conversion($0) })
            }, key: key)
        relationship.selector = selector
        relationship.ways = ways.map { types in
            .init(
                target: 0, attributes: Array(types.indices), isByIdentifier: false,
                conversions: types.map { Conversion($0) })
        }
        relationship.isMany = many
        relationship.onAbsent = onAbsent
        var entities = [Bench.entity(slots: slots.count, relationships: [relationship])]
        for name in names.dropFirst() {
            entities.append(Entity(name: name, records: [], slots: [], identifier: [], attributes: []))
        }
        let bench = try Bench(Model(entities: entities))
        bench.append(slots)
        bench.transform()
        return bench.row(0)
    }

    @Test func aReferenceTakesTheTypeOfItsTarget() throws {
        #expect(try cells(["337"]) == [337])
        #expect(try cells([.number("337.0")]) == [337])
        #expect(try cells([337], to: [[.text]]) == ["337"])
        #expect(try cells(["1.50"], to: [[.decimal]]) == ["1.5"])
        #expect(try cells([.null]) == [.null])
        #expect(try cells([.absent]) == [.absent])
    }

    @Test func whatIsAbsentIsNullWhereItClears() throws {
        let x = try cells([.absent], onAbsent: .clear)
        #expect(x == [.null])
        #expect(try cells([.absent], many: true, onAbsent: .clear) == [.null])
        let types: [[AttributeType]] = [[.text, .integer]]
        #expect(
            try cells([.absent, .absent], key: [slot(0), slot(1)], to: types, onAbsent: .clear) == [.null, .null])
        #expect(try cells(["5"], onAbsent: .clear) == [5])
    }

    @Test func whatDoesNotConvertCannotExist() throws {
        #expect(try cells(["n/a"]) == [.impossible("n/a")])
        #expect(try cells([.number("1.5")]) == [.impossible("1.5")])
        #expect(try cells([.yes]) == [.impossible("true")])
        #expect(try cells([.no]) == [.impossible("false")])
        #expect(try cells([.key("k")]) == [.impossible("k")])
    }

    /// An object is no identifier, and no more is half a character: the record is as wrong as with an attribute.
    @Test func whatCanBeNoIdentifierIsAFault() throws {
        #expect(try cells([.object]) == [.fault("a reference to E expected, found an object")])
        #expect(
            try cells([.array], to: [[.text]]) == [
                .fault("a reference to E expected, found an array\(RelationshipTests.ofArrays)")
            ])
        #expect(
            try cells([.broken], to: [[.text]])
                == [.fault("a reference to E expected, found a string with half a surrogate pair")])
        let three: [[AttributeType]] = [[.integer], [.text], [.text]]
        #expect(try cells([.object], to: three) == [.fault("a reference to E, T1 or T2 expected, found an object")])
        #expect(
            try cells([.array], to: [[.text], [.text]]) == [
                .fault("a reference to E or T1 expected, found an array\(RelationshipTests.ofArrays)")
            ])
        #expect(
            try cells([.list(["1", .object])], many: true) == [.fault("a reference to E expected, found an object")])
        #expect(
            try cells(["a", .array], key: [slot(0), slot(1)], to: [[.text, .integer]])
                == [.fault("a reference to E expected, found an array\(RelationshipTests.ofArrays)")])
        #expect(try cells([.json("{\"id\":1}")]) == [.fault("a reference to E expected, found an object")])
        #expect(try cells([.json("\"n/a\"")]) == [.impossible("n/a")])
        #expect(try cells([.json("7")]) == [7])
    }

    @Test func valuesThatCannotBeMadeAreFaults() throws {
        let rule = slot(0) { $0.map = ["a": .number("1")] }
        #expect(try cells(["a"], key: [rule]) == [1])
        #expect(try cells(["b"], key: [rule]) == [.fault("the value \"b\" is not in the map")])
        #expect(try cells([.list(["b"])], key: [slot(0)]) == [.fault("one value expected, found a list of values")])
    }

    @Test func keysOfSeveralParts() throws {
        let key = [slot(0), slot(1)]
        let types: [[AttributeType]] = [[.text, .integer]]
        #expect(try cells(["a", 1], key: key, to: types) == ["a", 1])
        #expect(try cells(["a", .null], key: key, to: types) == [.null, .null])
        #expect(try cells([.absent, 1], key: key, to: types) == [.null, .null])
        #expect(try cells([.absent, .absent], key: key, to: types) == [.absent, .absent])
        #expect(try cells(["a", "x"], key: key, to: types) == ["a", .impossible("x")])
    }

    @Test func severalTargetsAreSearched() throws {
        #expect(try cells(["5"], to: [[.integer], [.text]]) == [5, "5"])
        #expect(try cells(["x"], to: [[.integer], [.text]]) == [.impossible("x"), "x"])
        #expect(try cells([.null], to: [[.integer], [.text]]) == [.null, .null])
    }

    /// Each way has a value of its own; one is enough.
    @Test func waysHaveValuesOfTheirOwn() throws {
        let (key, types): ([ValueRule], [[AttributeType]]) = ([slot(0), slot(1)], [[.integer], [.text]])
        func way(_ slots: [Raw], many: Bool = false, onAbsent: Relationship.OnAbsent = .keep) throws -> [Typed] {
            try cells(slots, key: key, to: [[.integer]], many: many, onAbsent: onAbsent, ways: types)
        }
        #expect(try way(["5", "x"]) == [5, "x"])
        #expect(try way(["n/a", "x"]) == [.impossible("n/a"), "x"])
        #expect(try way([.null, "x"]) == [.impossible(""), "x"])
        #expect(try way([.absent, "x"]) == [.impossible(""), "x"])
        #expect(try way([5, .null]) == [5, .impossible("")])
        #expect(try way([.null, .absent]) == [.null, .null])
        #expect(try way([.absent, .absent]) == [.absent, .absent])
        #expect(try way([.absent, .absent], onAbsent: .clear) == [.null, .null])
        #expect(try way([.object, "x"]) == [.fault("a reference to E expected, found an object")])
        #expect(
            try way([.list([1, .null, .null]), .list(["a", "b", .null])], many: true)
                == [.list([1, .impossible("")]), .list(["a", "b"])])
        #expect(try way([.null, .list(["a"])], many: true) == [.list([.impossible("")]), .list(["a"])])
    }

    @Test func aSelectorNamesTheTarget() throws {
        let types: [[AttributeType]] = [[.integer], [.text]]
        #expect(try cells([5, "E"], to: types, selector: slot(1)) == [0, 5, .null])
        #expect(try cells([5, "T1"], to: types, selector: slot(1)) == [1, .null, "5"])
        #expect(try cells([.null, "T1"], to: types, selector: slot(1)) == [.null, .null, .null])
        #expect(try cells([.absent, "T1"], to: types, selector: slot(1)) == [.absent, .absent, .absent])
        #expect(try cells([.null, "T9"], to: types, selector: slot(1)) == [.null, .null, .null])
        #expect(
            try cells([5, "T2"], to: types, selector: slot(1))
                == [.fault("the value \"T2\" names none of the target entities")])
        #expect(
            try cells([5, .null], to: types, selector: slot(1))
                == [.fault("the value that names the target entity is null")])
        #expect(
            try cells([5, .absent], to: types, selector: slot(1))
                == [.fault("the value that names the target entity is absent")])
        let mapped = slot(1) { $0.map = ["t": .text("T1")] }
        #expect(try cells([5, "t"], to: types, selector: mapped) == [1, .null, "5"])
    }

    @Test func manyIsAList() throws {
        #expect(try cells([.list([1, "2", .index(3), "x"])], many: true) == [.list([1, 2, 3, .impossible("x")])])
        #expect(try cells([.list([.null, 1, .null])], many: true) == [.list([1])])
        #expect(try cells([5], many: true) == [.list([5])])
        #expect(try cells([.absent], many: true) == [.absent])
        #expect(try cells([.null], many: true) == [.null])
        #expect(try cells([.list([])], many: true) == [.null])
        #expect(try cells([.list([.null])], many: true) == [.null])
    }

    @Test func manyIsChangedOneByOne() throws {
        let rule = slot(0) {
            $0.trim = true
            $0.nullIf = [.text("-")]
            $0.match = "[a-z0-9]+"
            $0.map = ["a": .number("1")]
            $0.otherwise = .number("9")
        }
        let values = Raw.list([" a ", "-", "!", "b", .null, .key("a")])
        #expect(try cells([values], key: [rule], many: true) == [.list([1, 9, 1])])
    }

    @Test func splitMakesSeveral() throws {
        let rule = slot(0) { $0.split = "," }
        #expect(try cells(["1, 2,,3 ,"], key: [rule], many: true) == [.list([1, 2, 3])])
        #expect(try cells([""], key: [rule], many: true) == [.null])
        #expect(try cells([7], key: [rule], many: true) == [.list([7])])
        #expect(try cells([.list(["1,2", .null, "3"])], key: [rule], many: true) == [.list([1, 2, 3])])
        #expect(try cells([.array], key: [rule], many: true) == [.fault("text expected, found an array")])
        #expect(try cells([.absent], key: [rule], many: true) == [.absent])
        let long = slot(0) { $0.split = "--" }
        #expect(try cells(["a--b-c----d"], key: [long], to: [[.text]], many: true) == [.list(["a", "b-c", "d"])])
    }

    @Test func defaultsOfMany() throws {
        let rule = slot(0) { $0.fallback = .number("0") }
        #expect(try cells([.null], key: [rule], many: true) == [.list([0])])
        #expect(try cells([.absent], key: [rule], many: true) == [.list([0])])
        #expect(try cells([.list([])], key: [rule], many: true) == [.list([0])])
        #expect(try cells([.list([1])], key: [rule], many: true) == [.list([1])])
    }

    @Test func theFirstListThatHoldsSomething() throws {
        let rule = first(slot(0), slot(1))
        #expect(try cells([.list([]), .list([2])], key: [rule], many: true) == [.list([2])])
        #expect(try cells([.list([1]), .list([2])], key: [rule], many: true) == [.list([1])])
        #expect(try cells([.list([]), .absent], key: [rule], many: true) == [.null])
        #expect(try cells([.absent, 2], key: [rule], many: true) == [.list([2])])
    }

    @Test func keysOfManySideBySide() throws {
        let key = [slot(0), slot(1)]
        let types: [[AttributeType]] = [[.text, .integer]]
        #expect(
            try cells([.list(["a", "b", "c"]), .list([1, .null, 3])], key: key, to: types, many: true)
                == [.list(["a", "c"]), .list([1, 3])])
        #expect(
            try cells([.list(["a", "b"]), 1], key: key, to: types, many: true) == [.list(["a", "b"]), .list([1, 1])])
        #expect(try cells(["a", 1], key: key, to: types, many: true) == [.list(["a"]), .list([1])])
        #expect(try cells([.list(["a"]), .null], key: key, to: types, many: true) == [.null, .null])
        #expect(
            try cells([.list(["a", "b"]), .list([1])], key: key, to: types, many: true)
                == [.fault("lists that belong side by side have 2 and 1 values")])
    }

    @Test func joinedLists() throws {
        let rule = join(slot(0), slot(1), with: "-")
        #expect(
            try cells([.list(["a", .null, "b"]), 1], key: [rule], to: [[.text]], many: true) == [.list(["a-1", "b-1"])])
        #expect(
            try cells([.list(["a", "b"]), .list([1, 2])], key: [rule], to: [[.text]], many: true)
                == [.list(["a-1", "b-2"])])
    }

    @Test func selectorsOfMany() throws {
        let types: [[AttributeType]] = [[.integer], [.text]]
        #expect(
            try cells([.list([1, .null, 2]), .list(["E", .null, "T1"])], to: types, selector: slot(1), many: true)
                == [.list([0, 1]), .list([1, .null]), .list([.null, "2"])])
        #expect(
            try cells([.list([1, 2]), "T1"], to: types, selector: slot(1), many: true)
                == [.list([1, 1]), .list([.null, .null]), .list(["1", "2"])])
        #expect(
            try cells([.list([1, 2]), .list(["E", "?"])], to: types, selector: slot(1), many: true)
                == [.fault("the value \"?\" names none of the target entities")])
    }
}
