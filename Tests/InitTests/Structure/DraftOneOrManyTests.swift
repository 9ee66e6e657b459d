import Testing

@testable import Sluice
@testable import SluiceInit

/// Shapes that converters and services make of rows: an object or a list of them, and lists beside one another.
@Suite struct DraftOneOrManyTests {
    /// Converters of XML write an object where there is one, and a list where there are several.
    @Test func anObjectOrAListIsOneEntity() throws {
        let products = list(20) { product in
            let category = { (id: Int) in ##"{"@id": "\##(id % 4)", "#text": "Kat \##(id % 4)"}"## }
            let image = { (number: Int) in
                ##"{"@pos": "\##(number)", "#text": "https://img.ex/\##(product)-\##(number).jpg"}"##
            }
            let categories = product % 2 == 0 ? category(product) : "[\(category(product)), \(category(product + 1))]"
            let pictures = ["", image(1), "[\(image(1)), \(image(2))]"][product % 3]
            let rest = pictures.isEmpty ? "" : #", "image": \#(pictures)"#
            let title = ##"{"@lang": "de", "#text": "Stuhl \##(product)"}"##
            return
                #"{"@sku": "X\#(100 + product)", "title": \#(title), "categories": {"category": \#(categories)}\#(rest)}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"catalog": {"product": \#(products)}}"#)
        #expect(
            text.contains(#""records": ["$.catalog.product[*].image[*]", "$.catalog.product[*].image"]"#), "\(text)")
        #expect(text.contains(#""where": { "['@id']": { "present": true } }"#), "\(text)")
        #expect(text.contains(##""title": { "type": "text", "from": "title['#text']""##), "\(text)")
        #expect(text.contains(#""title_lang": { "type": "text", "from": "title['@lang']""#), "\(text)")
        let created = Dictionary(uniqueKeysWithValues: report.entities.map { ($0.name, $0.counts.created) })
        #expect(created == ["Product": 20, "Category": 4, "Image": 19], "\(created)")
        #expect(report.entities.flatMap(\.counts.relationships).allSatisfy { $0.unresolved == 0 })
    }

    /// What each series calls its columns are the positions of its own values.
    @Test func columnsOfEachRecordNameItsLists() throws {
        let series = list(3) { host in
            let values = (0..<9).map { #"["2026-11-20T07:0\#($0):00Z", \#(host * 10 + $0).5, \#($0)]"# }
            return
                #"{"host": "h\#(host)", "columns": ["time", "mean", "max"], "values": [\#(values.joined(separator: ","))]}"#
        }
        let text = try InitRun.Draft.run(of: #"{"series": \#(series)}"#).text
        #expect(text.contains(#""time": { "type": "datetime", "from": "[0]" }"#), "\(text)")
        #expect(text.contains(#""mean": { "type": "real", "from": "[1]""#), "\(text)")
        let others = series.replacing(#""h2", "columns": ["time""#, with: #""h2", "columns": ["at""#)
        let draft = try InitRun.Draft.run(of: #"{"series": \#(others)}"#).text
        #expect(draft.contains("\"column1\""), "\(draft)")
    }

    /// Of lists whose values belong together, one alone is no entity.
    @Test func listsOfOneLengthAreTold() throws {
        let times = (10..<22).map { "\"2026-11-20T\($0):00\"" }.joined(separator: ",")
        let values = (0..<12).map { "\($0).5" }.joined(separator: ",")
        let text = try InitRun.Draft.text(
            of: #"{"zone": "GMT", "hourly": {"time": [\#(times)], "temperature": [\#(values)], "rain": [\#(values)]}}"#)
        #expect(
            unfolded(text).contains("hourly.time, hourly.temperature, hourly.rain are lists of one length"), "\(text)")
        #expect(!text.contains("\"Time\""), "\(text)")
    }

    /// Names that hardly a record has are data; numbers under the keys of something else are about that.
    @Test func keysOfManyAreNoColumns() throws {
        let packages = (0..<40).map {
            #""node_modules/p\#($0)": {"version": "\#($0).0.1", "dependencies": {"p\#(($0 * 7 + 1) % 40)": "^1.0", "p\#(($0 * 7 + 2) % 40)": "^1.0"}}"#
        }
        let lock = try InitRun.Draft.text(of: #"{"name": "app", "packages": {\#(packages.joined(separator: ","))}}"#)
        #expect(lock.contains(#""dependencies": "json""#), "\(lock)")
        let precincts = (0..<30).map {
            #""P\#(100 + $0)": {"registered": \#($0 * 37 + 500), "votes": {"SPD": \#($0 + 5), "CDU": \#($0 * 3), "FDP": \#($0 * 2)}}"#
        }
        let parties = ["SPD", "CDU", "FDP"].map { #""\#($0)": {"name": "n\#($0)", "color": "c\#($0)"}"# }
        let (text, report) = try InitRun.Draft.run(
            of:
                #"{"precincts": {\#(precincts.joined(separator: ","))}, "parties": {\#(parties.joined(separator: ","))}}"#
        )
        #expect(
            text.contains(#""records": "$.precincts.*.votes.*""#)
                && text.contains(#""party": { "to": "Party", "from": "~" }"#), "\(text)")
        #expect(report.entities.map(\.counts.created).sorted() == [3, 30, 90])
    }

    /// Where many have a name in common, all are names.
    @Test func tagsWithANameStayColumns() throws {
        let nodes = list(40) {
            #"{"id": \#($0), "tags": {"name": "n\#($0)", "k\#($0 % 15)": "v", "j\#($0 % 7)": "w"}}"#
        }
        let text = try InitRun.Draft.text(of: nodes)
        #expect(text.contains(#""tags_name""#), "\(text)")
    }

    @Test func keysThatAreDaysAreDates() throws {
        let days = (10..<30).map { #""2026-11-\#($0)": {"USD": 1.\#($0), "GBP": 2.\#($0)}"# }
        let text = try InitRun.Draft.run(of: #"{"rates": {\#(days.joined(separator: ","))}}"#).text
        #expect(text.contains(#""key": { "type": "date", "from": "~" }"#), "\(text)")
    }

    /// What data frames are written as, if nobody says how: an object of each column, by the numbers of the rows.
    @Test func columnsOfDataFramesAreToldOf() throws {
        let columns = { (keys: Range<Int>) in
            let members = keys.map { "\"\($0)\": \($0 * 2)" }.joined(separator: ", ")
            return #"{"sku": {\#(members)}, "price": {\#(members.replacing("\": ", with: "\": 1"))}"#
        }
        let rows = try InitRun.Draft.text(of: columns(0..<60) + "}", "columns.json")
        #expect(unfolded(rows).contains("sku, price have the same keys, as the columns of one table"), "\(rows)")
        let others = columns(0..<60) + #", "stock": {"7": 1, "8": 2, "9": 5, "77": 1}}"#
        let text = try InitRun.Draft.text(of: others, "columns.json")
        #expect(!text.contains("have the same keys"), "\(text)")
    }

    /// Of lists alone, nothing can be drafted, and the message says what can be done.
    @Test func columnsAsListsAreRefusedWithAWay() throws {
        let values = list(30) { "\($0)" }
        #expect {
            _ = try InitRun.Draft.text(of: #"{"sku": \#(values), "price": \#(values)}"#, "lists.json")
        } throws: { error in
            (error as? Failure)?.message.contains("sku, price are lists of one length") == true
        }
    }
}
