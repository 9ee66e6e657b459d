import Testing

@testable import SluiceInit

/// References whose objects are on other pages, and in objects of the record.
@Suite struct DraftFirstReferenceTests {
    private func draft(_ member: String, _ value: (Int) -> String, of own: (Int) -> String) throws -> String {
        let customers = list(10) { #"{"id": \#(own($0)), "name": "N\#($0)", "city": "C\#($0 % 3)"}"# }
        let orders = list(12) { #"{"id": \#($0 + 77_001), "\#(member)": \#(value($0)), "open": "x\#($0 % 2)"}"# }
        return try InitRun.Draft.text(of: #"{"customers": \#(customers), "orders": \#(orders)}"#)
    }

    /// Stripe's charges name their customers by nothing else than `customer`.
    @Test func aMemberThatIsCalledAsAnEntityRefersToIt() throws {
        let made = { (number: Int) in "\"cus_\(10_000_019 + number * 104_729)\"" }
        let text = try draft("customer", { made($0 + 500) }, of: made)
        #expect(text.contains(#""customer": { "to": "Customer" }"#), "\(text)")
        #expect(text.contains("none of 12 found in Customer.id; by its name alone"), "\(text)")
        let numbers = try draft("customer", { "\(507_001 + $0 * 13)" }, of: { "\(200_001 + $0 * 7)" })
        #expect(numbers.contains(#""customer": { "to": "Customer" }"#), "\(numbers)")
    }

    /// How many customers there are, and what they are called, are no identifiers.
    @Test func countsAndNamesAreNoReferences() throws {
        let counts = try draft("customer", { "\($0 + 40)" }, of: { "\($0 + 1)" })
        #expect(!counts.contains(#""to""#), "\(counts)")
        let made = { (number: Int) in "\"cus_\(10_000_019 + number * 104_729)\"" }
        let names = try draft("customer", { #""Mr. Number \#($0 + 50)""# }, of: made)
        #expect(!names.contains(#""to""#), "\(names)")
    }

    /// Services count on: the first page of customers has one digit.
    @Test(arguments: ["customer_id", "customerId", "customerid"])
    func numbersOfOtherPagesAreLonger(_ member: String) throws {
        let text = try draft(member, { "\(4811 + $0 * 7)" }, of: { "\($0 + 1)" })
        #expect(text.contains(#""to": "Customer""#), "\(text)")
    }

    /// The price refers to the product, and not the subscription that has it.
    @Test func whatIsInAnObjectRefersFromThere() throws {
        let products = list(5) { #"{"id": "prod_\#($0 * 7919 + 10_000)", "name": "P\#($0)"}"# }
        let subscriptions = list(30) { row in
            let price = row % 8
            return #"{"id": "sub_\#(row)", "price": {"id": "price_\#(price)", "#
                + #""product": "prod_\#(price % 5 * 7919 + 10_000)", "amount": \#(price * 100)}}"#
        }
        let (text, report) = try InitRun.Draft.run(
            of: #"{"subscriptions": \#(subscriptions), "products": \#(products)}"#)
        let price = text.split(separator: #""Price": {"#).last ?? ""
        #expect(price.contains(#""product": { "to": "Product" }"#), "\(text)")
        #expect(!text.contains("price.product") && !text.contains(#""product": "text""#), "\(text)")
        #expect(report.entities.map(\.counts.created).sorted() == [5, 8, 30], "\(text)")
    }

    /// `{ "value": "12", "name": … }`, as QuickBooks refers to what it has elsewhere.
    @Test func aValueAndItsNameAreAnObject() throws {
        let invoices = list(30) { row in
            let customer = #"{"value": "\#(58 + row % 9)", "name": "Firm \#(row % 9)"}"#
            return #"{"Id": "\#(130 + row)", "CustomerRef": \#(customer), "TotalAmt": \#(row).25}"#
        }
        let feed = { (more: String) in #"{"QueryResponse": {"Invoice": \#(invoices)\#(more)}}"# }
        let text = try InitRun.Draft.text(of: feed(""))
        #expect(text.contains(#""Customer": { "to": "Customer", "from": "CustomerRef.value" }"#), "\(text)")
        #expect(text.contains(#""records": "$.QueryResponse.Invoice[*].CustomerRef""#), "\(text)")
        let customers = list(12) { #"{"Id": "\#(57 + $0)", "DisplayName": "Firm \#($0)", "Active": true}"# }
        let both = try InitRun.Draft.text(of: feed(#", "Customer": \#(customers)"#))
        #expect(both.contains(#""Customer": { "to": "Customer", "from": "CustomerRef.value" }"#), "\(both)")
        #expect(!both.contains(#"Invoice[*].CustomerRef""#), "\(both)")
    }

    /// So they are where each stands in one record alone.
    @Test func aReferenceObjectIsOneHoweverRarelyItComes() throws {
        let invoices = list(12) {
            #"{"Id": "\#(130 + $0)", "CustomerRef": {"value": "\#(58 + $0)", "name": "Firm \#($0)"}}"#
        }
        let text = unfolded(try InitRun.Draft.text(of: #"{"Invoice": \#(invoices)}"#))
        #expect(text.contains(#""Customer": { "to": "Customer", "from": "CustomerRef.value" }"#), "\(text)")
        #expect(text.contains("an object of its own by its name alone"), "\(text)")
    }
}
