import Testing

@testable import Sluice
@testable import SluiceInit

@Suite struct SQLWordsTests {
    @Test func wordsOfSQLAreTold() throws {
        let orders = list(20) { #"{"id": \#($0), "group": "g\#($0 % 3)", "total": \#($0 * 7)}"# }
        let text = unfolded(try InitRun.Draft.text(of: #"{"orders": \#(orders)}"#))
        let told = #"A query has "Order", "group" in quotes, as words of SQL: SELECT * FROM "Order"."#
        #expect(text.contains(told), "\(text)")
    }

    @Test func otherNamesAreNotTold() throws {
        let text = try InitRun.Draft.text(of: #"{"bids": \#(list(20) { #"{"id": \#($0), "total": \#($0 * 7)}"# })}"#)
        #expect(!text.contains("of SQL"), "\(text)")
    }
}
