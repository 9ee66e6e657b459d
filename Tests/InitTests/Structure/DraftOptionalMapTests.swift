import Testing

@testable import SluiceInit

/// Maps whose values have members that few of them share, and maps that only some records have.
@Suite struct DraftOptionalMapTests {
    /// One or two currencies in each list, under their codes: what is behind the codes is of one kind.
    @Test func mapsWithAKeyOrTwoAreFoundByWhatTheyHold() throws {
        let regions = ["AC", "AD", "AE", "AF", "AG", "AI", "AL", "AM", "AO", "AR", "AS", "AT"]
        let members = regions.enumerated().map { index, region in
            let used = (0...(index == 3 ? 4 : index % 2)).map { number in
                #"{"\#(region.first ?? "X")\#(index % 7)\#(number)": {"from": "19\#(50 + index)-01-0\#(number + 1)"}}"#
            }
            return #""\#(region)": [\#(used.joined(separator: ","))]"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"region": {\#(members.joined(separator: ","))}}"#)
        #expect(text.contains(#""records": "$.region.*[*].*""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [21], "\(text)")
    }

    /// A member that all have is that of a record, though each object by itself could be a map of texts.
    @Test func valuesThatShareOneMemberAreRecords() throws {
        let feed = #"""
            {"territory": {
            "TJ": {"people": "10394100", "languages": {"ar": {"percent": "0.0096"}, "fa": {"percent": "0.78"},
              "ru": {"percent": "12"}, "tg": {"percent": "100", "official": "yes"}}},
            "TK": {"people": "1647", "languages": {"en": {"percent": "38", "literacy": "90", "official": "yes"},
              "sm": {"percent": "20"}, "tkl": {"percent": "69", "literacy": "71", "official": "yes"}}},
            "TL": {"people": "1506910", "languages": {"pt": {"percent": "59", "literacy": "100", "official": "yes"},
              "tet": {"percent": "59", "official": "yes"}}}}}
            """#
        let (text, report) = try InitRun.Draft.run(of: feed)
        #expect(text.contains(#""records": "$.territory.*.languages.*""#), "\(text)")
        #expect(text.contains(#""percent""#) && text.contains(#""literacy""#), "\(text)")
        #expect(report.entities.map(\.counts.created).sorted() == [3, 9], "\(text)")
    }

    /// Descriptors that six of twenty rules have are records in all of them, also where a rule has one or two.
    @Test func mapsOfSomeRecordsAreFound() throws {
        let rules = (0..<20).map { rule in
            let count = rule % 3 == 0 ? 1 + rule % 4 : 0
            let descriptors = (0..<count).map {
                #""part-\#(rule)-\#($0)": {"syntax": "<s\#($0)>", "media": "all", "initial": "n\#(rule)"}"#
            }
            let own = count == 0 ? "" : #", "descriptors": {\#(descriptors.joined(separator: ","))}"#
            return #""@rule-\#(rule)": {"syntax": "r\#(rule)"\#(own)}"#
        }
        let (text, report) = try InitRun.Draft.run(of: "{\(rules.joined(separator: ","))}")
        #expect(text.contains(#""records": "$.*.descriptors.*""#), "\(text)")
        #expect(report.entities.map(\.counts.created).sorted() == [18, 20], "\(text)")
    }

    /// Each message is there in a few of some languages.
    @Test func manyObjectsWithFewNamesAreRecords() throws {
        let languages = ["de", "fr", "ja", "ko", "zh-CN", "en-US"]
        let messages = (0..<70).map { number in
            let texts = (0...number % 5).map { #""\#(languages[(number + $0 * 5) % 6])": "t \#(number) \#($0)""# }
            return #""message\#(number)Key": {\#(texts.joined(separator: ","))}"#
        }
        let (text, report) = try InitRun.Draft.run(of: "{\(messages.joined(separator: ","))}")
        #expect(text.contains(#""records": "$.*""#) && text.contains(#""zh-CN""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [70], "\(text)")
    }

    /// Distances and rates have the keys of the map around them: both are maps.
    @Test func tablesOfDistancesStayMapsOfMaps() throws {
        let cities = ["berlin", "hamburg", "munich", "cologne"]
        let rows = cities.enumerated().map { index, city in
            let others = cities.enumerated().filter { $0.offset != index }.map {
                #""\#($0.element)": \#(($0.offset + 1) * (index + 2) * 10)"#
            }
            return #""\#(city)": {\#(others.joined(separator: ","))}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"distances": {\#(rows.joined(separator: ","))}}"#)
        #expect(text.contains(#""records": "$.distances.*.*""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [12], "\(text)")
    }

    /// Firebase says by `true` under its key which room somebody is in.
    @Test func flagsUnderKeysOfOthersAreASet() throws {
        let rooms = (0..<4).map { #""-Rm\#($0)zz": {"topic": "T\#($0)", "owner": "u\#($0)"}"# }
        let users = (0..<6).map { user in
            let own = (0...user % 2).map { #""-Rm\#((user + $0) % 4)zz": true"# }
            return #""u\#(user)": {"name": "N\#(user)", "rooms": {\#(own.joined(separator: ","))}}"#
        }
        let feed =
            #"{"users": {\#(users.joined(separator: ","))}, "rooms": {\#(rooms.joined(separator: ","))}}"#
        let (text, report) = try InitRun.Draft.run(of: feed)
        #expect(text.contains(#""records": "$.users.*.rooms.*""#) && text.contains(#""to": "Room""#), "\(text)")
        #expect(report.entities.map(\.counts.created).sorted() == [4, 6, 9], "\(text)")
    }

    /// `manage.py dumpdata` writes all models into one list.
    @Test func theModelsOfAnApplicationAreKinds() throws {
        let films = (1...3).map {
            #"{"model": "shop.film", "pk": \#($0), "fields": {"episode": \#($0 + 3), "title": "F\#($0)"}}"#
        }
        let people = (1...5).map {
            #"{"model": "shop.person", "pk": \#($0), "fields": {"name": "P\#($0)", "height": "1\#($0)0", "planet": 1}}"#
        }
        let planets = (1...2).map { #"{"model": "shop.planet", "pk": \#($0), "fields": {"label": "L\#($0)"}}"# }
        let (text, report) = try InitRun.Draft.run(
            of: "[\((films + people + planets).joined(separator: ","))]")
        for name in ["Film", "Person", "Planet"] { #expect(text.contains(#""\#(name)": {"#), "\(text)") }
        #expect(report.entities.map(\.counts.created).sorted() == [2, 3, 5], "\(text)")
        // What a car's model is tells no kind.
        let cars = list(20) { #"{"model": "M\#($0 % 3)", "type": "car", "price": \#($0 + 1)00}"# }
        #expect(try InitRun.Draft.run(of: cars).report.entities.count == 1)
    }

    /// The parameters of calls in a log are others in each kind of call.
    @Test func objectsOfManyKindsStayWhole() throws {
        let feed = list(160) { row in
            let call = row % 40
            return #"{"id": "e\#(row * 7919)", "name": "Call\#(call)", "#
                + #""parameters": {"a\#(call)x": \#(row), "b\#(call)y": {"c\#(call)": "v\#(row)"}}}"#
        }
        let (text, report) = try InitRun.Draft.run(of: feed)
        #expect(text.contains(#""parameters": "json""#), "\(text)")
        #expect(unfolded(text).contains(#""parameters" has 80 members, hardly one of which"#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [160], "\(text)")
    }
}
