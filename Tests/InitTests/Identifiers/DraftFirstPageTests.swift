import Testing

@testable import Sluice
@testable import SluiceInit

/// What identifies the few records of a first page, where much is unique by chance.
@Suite struct DraftFirstPageTests {
    private func draft(_ feed: String, _ name: String = "feed.json") throws -> String {
        unfolded(try InitRun.Draft.run(of: feed, name).text)
    }

    private func orders(_ customers: [String], _ number: String = "orderNumber") -> String {
        let orders = customers.enumerated().map { index, customer in
            let one = #"{"id": "\#(customer)", "name": "N\#(customer)"}"#
            let lines = #"[{"lineNo": 1, "sku": "S-1", "qty": \#(index + 2)}, {"lineNo": 2, "sku": "S-2", "qty": 1}]"#
            return #"""
                {"\#(number)": "W-100\#(index)", "status": "s\#(index % 2)", "customer": \#(one), "lines": \#(lines)}
                """#
        }
        return #"{"data": [\#(orders.joined(separator: ", "))]}"#
    }

    /// What loses a record is no identifier where something else loses none, nor is what an object is known by.
    @Test(
        arguments: [["c-1", "c-2", "c-1"], ["c-1", "c-2", "c-3"]],
        ["orderNumber", "nr", "code", "orderNo", "bestellNr"])
    func theCustomerIsNoOrder(_ customers: [String], _ number: String) throws {
        let text = try draft(orders(customers, number), "o.json")
        #expect(text.contains(#""identifier": "\#(number)""#) && !text.contains("would be lost"), "\(text)")
        #expect(text.contains(#", "lineNo"]"#), "\(text)")
    }

    /// Of several that are called as numbers and identifiers of something, the first is that of the record.
    @Test(arguments: [
        ("order_no,customer_id,total", "order_no"), ("code;region_id;name", "code"),
        ("Order #,Customer ID,Amount", "Order #"),
        ("N° commande;id_client;montant", "N° commande"), ("id_station;code_insee;nom", "id_station"),
        ("customer_id;order_no;total", "customer_id"), ("total;name;lfd. Nr.", "lfd. Nr."),
        ("Kundennummer;Auftragsnummer;Datum", "Kundennummer"),
    ])
    func theFirstOfSeveralIdentifies(_ header: String, _ identifier: String) throws {
        let mark = header.contains(";") ? ";" : ","
        let rows = (1...4).map { ["A-\($0)", "C\($0 * 37)", "\($0 * 13 % 5 + 1)"].joined(separator: mark) }
        let text = try draft(([header] + rows).joined(separator: "\n") + "\n", "export.csv")
        #expect(text.contains(#""identifier": "\#(identifier)""#), "\(text)")
    }

    /// What an object is known by identifies no record that says more, and days alone no bookings.
    @Test func whatOthersHaveTooIdentifiesNothing() throws {
        let events = (0..<4).map { event in
            let user = event % 3
            return
                #"{"ts":"2026-11-27T08:00:0\#(event).12\#(event)Z","user":{"id":\#(user),"name":"n\#(user)"},"does":"d\#(event % 2)"}"#
        }
        let text = try draft(events.joined(separator: "\n") + "\n", "events.ndjson")
        #expect(text.contains(#""identifier": ["ts", "user_id"]"#), "\(text)")
        #expect(text.contains(#"at one time there may be one of each "user_id""#), "\(text)")
        let rows = [
            "27.11.2026;27.11.2026;Miete;-850,00", "26.11.2026;26.11.2026;REWE;-45,67",
            "25.11.2026;26.11.2026;Gehalt;2.100,00",
            "25.11.2026;25.11.2026;REWE;-12,40",
        ]
        let bookings = try draft((["Tag;Wert;Zweck;Betrag"] + rows).joined(separator: "\n") + "\n", "feed.csv")
        #expect(bookings.contains(#""identifier": ["Tag", "Zweck"]"#), "\(bookings)")
    }

    /// With a time of day goes its day, and of what it is.
    @Test func aTimeOfDayIsNotAlone() throws {
        let rows = ["08:00;S1;21", "08:00;S5;12", "09:00;S1;19", "09:00;S5;25"].map { "27.11.2026;\($0)" }
        let readings = try draft((["Datum;Uhrzeit;Station;PM10"] + rows).joined(separator: "\n") + "\n", "feed.csv")
        #expect(readings.contains(#""identifier": ["Datum", "Uhrzeit", "Station"]"#), "\(readings)")
        let stops = ["1;Bahnhof;08:00", "1;Markt;08:04", "U2;Bahnhof;08:10", "U2;Messe;08:15", "1;Bahnhof;09:00"]
        let timetable = try draft((["Linie;Halt;Abfahrt"] + stops).joined(separator: "\n") + "\n", "feed.csv")
        #expect(timetable.contains(#""identifier": ["Abfahrt", "Linie", "Halt"]"#), "\(timetable)")
    }

    /// Of a match, no team identifies it alone; what leads on in the same records does.
    @Test func bothTeamsIdentifyAMatch() throws {
        let rows = ["1,Lions,Bears,2:1", "1,Wolves,Hawks,0:0", "2,Bears,Wolves,-:-", "2,Hawks,Lions,3:2"]
        let text = try draft((["round,home,away,result"] + rows).joined(separator: "\n") + "\n", "feed.csv")
        #expect(text.contains(#""identifier": ["home", "away"]"#), "\(text)")
        #expect(text.contains(#""home" and "away" have the same values"#) && !text.contains(#""to""#), "\(text)")
        let same = ["1,Lions,Lions", "2,Wolves,Wolves", "3,Bears,Bears"]
        let names = try draft((["round,name,label"] + same).joined(separator: "\n") + "\n", "feed.csv")
        #expect(!names.contains("have the same values"), "\(names)")
    }

    /// Words of one length are no codes.
    @Test func fewWordsOfOneLengthAreNoCodes() throws {
        let books = ["9783161484100", "9783161484117", "9783161484124", "9783161484131"].enumerated().map {
            #"{"title": "\#(["Eins", "Zwei", "Drei", "Vier"][$0])", "isbn": "\#($1)", "copies": 1}"#
        }
        let text = try draft("[\(books.joined(separator: ", "))]")
        #expect(text.contains(#""identifier": "isbn""#), "\(text)")
    }

    /// A number that counts the rows comes after one that does not.
    @Test func theNumberOfTheRowComesLast() throws {
        let rows = ["1;Meier;M-17", "2;Meier;M-23", "3;Abel;M-08"]
        let text = try draft((["lfd. Nr.;Name;Mitgliedsnummer"] + rows).joined(separator: "\n") + "\n", "feed.csv")
        #expect(text.contains(#""identifier": "Mitgliedsnummer""#), "\(text)")
        let alone = try draft("Nr.;Name;Kunden-ID\n1;Meier;17\n2;Abel;2334\n3;Cohn;905\n", "feed.csv")
        #expect(alone.contains(#""identifier": "Nr.""#), "\(alone)")
        let lines = [(1, 1, "X"), (1, 2, "Y"), (2, 1, "X")].map {
            #"{"orderNo": "A-\#($0.0)", "lineNo": \#($0.1), "sku": "\#($0.2)"}"#
        }
        let orders = try draft("[\(lines.joined(separator: ", "))]")
        #expect(orders.contains(#""identifier": ["orderNo", "lineNo"]"#), "\(orders)")
        let accounts = try draft(#"[{"resourceId": "r1", "iban": "DE02"}, {"resourceId": "r2", "iban": "DE03"}]"#)
        #expect(accounts.contains(#""identifier": "resourceId""#), "\(accounts)")
    }

    /// Many records show that the number of an order is no identifier of the customer.
    @Test func theNumberOfTheRecordComesFirst() throws {
        let text = try draft(list(30) { #"{"customer_id": \#($0 * 7 + 1000), "order_no": "A\#($0)"}"# }, "orders.json")
        #expect(text.contains(#""identifier": "order_no""#), "\(text)")
    }
}
