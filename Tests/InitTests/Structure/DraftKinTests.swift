import Foundation
import Testing

@testable import Sluice
@testable import SluiceInit

/// Small maps, objects in the records of maps, and days of the week: what is a key, and what is a name.
@Suite struct DraftKinTests {
    private func joined(_ members: [String]) -> String { "{\(members.joined(separator: ", "))}" }

    /// What some records of a map have in an object are names, as they are in the records of a list.
    @Test func objectsInTheRecordsOfAMapHaveNames() throws {
        let people = (0..<30).map { number in
            let cause = number % 4 == 1 ? #", "place": "P\#(number % 3)", "cause": "age""# : ""
            let death = number % 2 == 1 ? #", "death": {"date": "\#(1700 + number)"\#(cause)}"# : ""
            return #""I\#(number)": {"given": "G\#(number % 7)", "birth": {"date": "\#(1650 + number)"}\#(death)}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"people": \#(joined(people))}"#)
        for name in ["death_date", "death_place", "death_cause"] { #expect(text.contains("\"\(name)\": {"), "\(text)") }
        #expect(!text.contains(#""json""#) && report.entities.map(\.counts.created) == [30], "\(text)")
    }

    /// Two objects in what is called as several are, and alike but for what one of them has, are records of a map.
    @Test(arguments: ["servers", "warehouses"])
    func twoObjectsOfSeveralAreAMap(_ name: String) throws {
        let (text, report) = try InitRun.Draft.run(
            of:
                #"{"\#(name)": {"web-1": {"ip": "10.0.0.1", "cpu": 4}, "db-1": {"ip": "10.0.0.2", "cpu": 16, "disk": 5}}}"#
        )
        #expect(text.contains(#""records": "$.\#(name).*""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [2], "\(text)")
    }

    /// Two parts of one thing are none.
    @Test(arguments: ["window", "settings"])
    func twoObjectsOfOneThingAreNoMap(_ name: String) throws {
        let text = try InitRun.Draft.text(
            of: #"{"id": 7, "\#(name)": {"inner": {"width": 10, "height": 4}, "outer": {"width": 12, "height": 6}}}"#)
        #expect(text.contains(#""records": "$""#) && text.contains(#""inner_width": {"#), "\(text)")
    }

    /// An answer of nothing but objects with the same values is a map of these.
    @Test(arguments: [2, 3])
    func equalObjectsAtTheTopAreAMap(_ count: Int) throws {
        let coins = (0..<count).map {
            #""coin\#(["a", "b", "c"][$0])": {"usd": \#($0 + 1).5, "eur": \#($0 + 2).5, "updated_at": \#(1_764_300_000 + $0)}"#
        }
        let (text, report) = try InitRun.Draft.run(of: joined(coins), "coins.json")
        #expect(text.contains(#""records": "$.*""#) && text.contains(#""updated_at": { "type": "datetime""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [count], "\(text)")
    }

    /// What is under the days of the week, lists or objects, is of one kind; single values are columns.
    @Test func daysOfTheWeekAreKeys() throws {
        let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        let branches = list(14) { number in
            let hours = joined(
                days.dropLast(number % 2).map { #""\#($0)": {"open": "0\#(number % 9):00", "close": "18:30"}"# })
            let shifts = joined(
                days.map { #""\#($0)": [{"from": "08:00", "to": "12:00"}, {"from": "13:00", "to": "18:00"}]"# })
            let notes = joined(days.map { #""\#($0)": "n\#(number % 3)""# })
            return #"{"id": \#(number), "hours": \#(hours), "shifts": \#(shifts), "notes": \#(notes)}"#
        }
        let (text, report) = try InitRun.Draft.run(of: branches, "branches.json")
        #expect(text.contains(#""records": "$[*].hours.*""#), "\(text)")
        #expect(text.contains(#""records": "$[*].shifts.*[*]""#), "\(text)")
        #expect(text.contains(#""mon": { "type": "text", "from": "notes.mon""#), "\(text)")
        #expect(report.entities.map(\.counts.created).sorted() == [14, 91, 196], "\(text)")
    }

    /// Numbers under the keys of what is told of elsewhere are about that, be the keys digits, and the numbers none of
    /// whole ones.
    @Test func numbersUnderKeysOfOthersAreRecords() throws {
        let parties = (0..<4).map { #""\#($0)": {"name": "N\#($0)", "short": "S\#($0)"}"# }
        let polls = (0..<25).map { poll in
            #""\#(2000 + poll)": {"on": "2026-10-\#(10 + poll % 20)", "results": \#(joined((0..<4).map { #""\#($0)": \#(poll + $0).5"# }))}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"parties": \#(joined(parties)), "polls": \#(joined(polls))}"#)
        #expect(text.contains(#""records": "$.polls.*.results.*""#), "\(text)")
        #expect(report.entities.map(\.counts.created).sorted() == [4, 25, 100], "\(text)")
    }

    /// A record that is in one object is called after that, where its list is called as any is.
    @Test func whatIsInOneObjectIsCalledAfterThat() throws {
        let rows = list(8) { #"{"rank": \#($0 + 1), "team": {"id": \#(100 + $0 * 7), "name": "T\#($0)"}}"# }
        let text = try InitRun.Draft.text(
            of: #"{"results": 1, "response": [{"league": {"id": 78, "name": "B", "standings": [\#(rows)]}}]}"#,
            "standings.json")
        #expect(text.contains(#""League": {"#) && text.contains(#""Standing": {"#), "\(text)")
        #expect(!text.contains("Standing2"), "\(text)")
    }

    /// Two amounts of one thing are objects, and no maps whose keys refer to one another.
    @Test func objectsOfOneKindBesideAListHaveNames() throws {
        let entries = list(12) { #"{"ref": "E\#($0)", "booked": "2026-11-\#(10 + $0)"}"# }
        let sum = { (day: Int) in #"{"amount": "1\#(day).00", "currency": "EUR", "date": "2026-11-\#(day)"}"# }
        let text = try InitRun.Draft.text(
            of: #"{"statement": {"id": "S", "opening": \#(sum(10)), "closing": \#(sum(28)), "entries": \#(entries)}}"#)
        #expect(!text.contains(#""Opening""#) && text.contains(#""identifier": "ref""#), "\(text)")
    }

    /// A key that says how long is a name where each object has it.
    @Test func aSpanIsAName() throws {
        let hours = list(20) { hour in
            let rain = hour % 2 == 0 ? #", "rain": {"3h": \#(hour).5}"# : ""
            return #"{"id": \#(hour)\#(rain)}"#
        }
        let text = try InitRun.Draft.text(of: hours)
        #expect(text.contains(#""rain_3h": { "type": "real", "from": "rain['3h']" }"#), "\(text)")
    }

    /// What stands at several places is called by what the names of these have in common.
    @Test func objectsAtSeveralPlacesAreCalledAfterAll() throws {
        let matches = list(36) { number in
            let team = { (which: Int) in #"{"id": \#(11 + which % 6), "name": "T\#(which % 6)"}"# }
            return #"{"id": \#(3000 + number), "homeTeam": \#(team(number)), "awayTeam": \#(team(number + 1))}"#
        }
        let text = try InitRun.Draft.text(of: #"{"matches": \#(matches)}"#)
        #expect(text.contains(#""Team": {"#) && text.contains(#""awayTeam": { "to": "Team""#), "\(text)")
        #expect(!text.contains("HomeTeam"), "\(text)")
    }

    /// A day that is closed has no hours.
    @Test func daysWithoutHoursAreNoOtherKind() throws {
        let (text, report) = try InitRun.Draft.run(
            of:
                #"{"name": "S", "hours": {"mon": {"open": "9:00", "close": "18:00"}, "tue": {"open": "9:00", "close": "18:00"}, "sun": null}}"#
        )
        #expect(text.contains(#""records": "$.hours.*""#), "\(text)")
        #expect(report.entities.map(\.counts.rejected).allSatisfy { $0 == 0 }, "\(text)")
    }

    /// What is numbered in each record is so in the next one, too.
    @Test func numbersFromOneOnAreOfTheirRecord() throws {
        let plants = list(4) { number in
            let units = number == 2 ? #", "units": [{"no": 1, "mw": 500}, {"no": 2, "mw": 800}]"# : ""
            return #"{"code": "P\#(number)", "fuel": "F\#(number % 2)"\#(units)}"#
        }
        let text = try InitRun.Draft.text(of: plants)
        #expect(text.contains(#", "no"],"#), "\(text)")
    }

    /// Lists of one kind under names of one thing each, in what is called as several are, are those of a map.
    @Test func listsOfGroupsAreOneEntity() throws {
        let groups = ["A", "B", "C"].map { group in
            #""\#(group)": \#(list(4) { #"{"team": "\#(group)\#($0)", "points": \#($0 * 2)}"# })"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"groups": \#(joined(groups))}"#)
        #expect(text.contains(#""records": "$.groups.*[*]""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [12], "\(text)")
        let lists = ["users", "roles"].map { #""\#($0)": \#(list(4) { #"{"id": \#($0), "name": "N\#($0)"}"# })"# }
        let apart = try InitRun.Draft.text(of: #"{"collections": \#(joined(lists))}"#)
        #expect(apart.contains(#""User": {"#) && apart.contains(#""Role": {"#), "\(apart)")
    }
}
