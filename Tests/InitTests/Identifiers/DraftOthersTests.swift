import Testing

@testable import Sluice
@testable import SluiceInit

/// What tells records apart in a list, and what is the identifier of something else.
@Suite struct DraftOthersTests {
    private func text(_ feed: String) throws -> String { try InitRun.Draft.run(of: feed).text }

    /// Machines with a list of parts each.
    private func machines(_ count: Int = 12, _ part: (_ machine: Int, _ place: Int) -> String) -> String {
        let machines = list(count) { machine in
            let parts = (0..<2).map { part(machine, $0) }.joined(separator: ", ")
            return #"{"id": "m\#(machine)", "parts": [\#(parts)]}"#
        }
        return #"{"machines": \#(machines)}"#
    }

    /// Where something lies in a record says more than a name that is there once by chance; of two such places, that
    /// which other records have, too.
    @Test func pathsIdentifyInTheirRecord() throws {
        let text = try text(
            machines { machine, place in
                let target = ["/etc", "/data"][place]
                return """
                    {"name": "part \(place * 90 + 10)", "source": "/srv/\(machine)/\(place)", "target": "\(target)"}
                    """
            })
        #expect(text.contains(#""identifier": ["machine_id", "target"]"#), "\(text)")
        let none = try self.text(
            machines { #"{"name": "part \#($1 * 90 + 10)", "target": "\#(["etc", "/data"][$1])"}"# })
        #expect(none.contains(#""identifier": ["machine_id", "name"]"#), "\(none)")
    }

    /// The identifier of an object in a part of a record, of another entity, or of what a member says, is not the
    /// record's own, though no other record has it yet.
    @Test func identifiersOfOthersDoNotIdentify() throws {
        let inner = try text(machines { #"{"name": "n\#($1)", "disk": {"volumeId": "v\#($0)-\#($1)x"}}"# })
        #expect(inner.contains(#""identifier": ["machine_id", "name"]"#), "\(inner)")
        let member = try text(machines { #"{"product": "P \#($0) \#($1)", "product_id": "p\#($0)-\#($1)"}"# })
        #expect(member.contains(#""identifier": ["machine_id", "product_id"]"#), "\(member)")
        let wheels = list(12) { #"{"id": "w\#($0)", "size": \#($0 % 4)}"# }
        let feed = machines { #"{"name": "n\#($1)", "wheelID": "x\#($0)-\#($1)"}"# }
        let entity = try text(#"{"wheels": \#(wheels), \#(feed.dropFirst())"#)
        #expect(entity.contains(#""identifier": ["machine_id", "name"]"#), "\(entity)")
    }

    /// An object's identifier is the record's where the record has nothing else, and one that says nothing of another.
    @Test func identifiersOfTheirOwnDo() throws {
        let alone = try text(machines { #"{"disk": {"volumeId": "v\#($0)-\#($1)x", "name": "n\#($1)"}}"# })
        #expect(alone.contains(#""identifier": "volumeId""#), "\(alone)")
        let other = try text(machines { #"{"name": "n\#($1)", "endpointID": "e\#($0)-\#($1)"}"# })
        #expect(other.contains(#""identifier": "endpointID""#), "\(other)")
        // The list is called so.
        let names = machines { #"{"nameIdentifier": "p\#($0)-\#($1)", "nameIdentifierScheme": "of \#($1 * 90)"}"# }
        let list = try text(names.replacing(#""parts""#, with: #""nameIdentifiers""#))
        #expect(list.contains(#""identifier": "nameIdentifier""#), "\(list)")
        // With what is known by its place alone, nothing gets better.
        let products = machines { #"{"product": "P \#($0) \#($1)", "product_id": "p\#($0)-\#($1)"}"# }
        let placed = try text(products.replacing(#/"id": "m\d+", /#, with: ""))
        #expect(placed.contains(#""identifier": "product_id""#), "\(placed)")
    }

    /// What an address ends with says the same in short.
    @Test func whatAnAddressEndsWithIdentifies() throws {
        let people = { (tail: (Int) -> String) in
            list(12) { number in
                let uri = "https://id.example.org/\(tail(number))"
                return #"{"ref": {"uri": "\#(uri)", "path": "00-\#(number * 7)"}, "n": \#(number % 3)}"#
            }
        }
        let text = try text(people { "00-\($0 * 7)" })
        #expect(text.contains(#""identifier": "path""#), "\(text)")
        let other = try self.text(people { "00-\($0 * 7 + ($0 == 5 ? 1 : 0))" })
        #expect(other.contains(#""identifier": "uri""#), "\(other)")
    }

    /// Of a value, what it is the value of belongs to the identifier, also where no two are measured at one place and
    /// time in this feed.
    @Test func whatIsMeasuredIdentifiesAValue() throws {
        let measured = { (name: String) in
            list(24) { number in
                """
                {"station_id": "s\(number % 4)x", "\(name)": "\(["no2", "o3", "pm10"][number % 3])",
                "time": "2026-11-\(10 + number / 4)T06:00:00Z", "value": \(number % 5).5}
                """
            }
        }
        let text = try text(#"{"values": \#(measured("parameter"))}"#)
        #expect(text.contains(#""identifier": ["station_id", "time", "parameter"]"#), "\(text)")
        #expect(unfolded(text).contains(#""parameter" says what "value" is of"#), "\(text)")
        let other = try self.text(#"{"values": \#(measured("quality"))}"#)
        #expect(other.contains(#""identifier": ["station_id", "time"]"#), "\(other)")
    }
}
