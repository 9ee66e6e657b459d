import Testing

@testable import Sluice
@testable import SluiceInit

/// What drafts call things, and what they say of columns.
@Suite struct DraftCallTests {
    /// Lists as GraphQL has them: what is found is told by the names that are in the draft.
    @Test func edgesAreNoNames() throws {
        let image = { (id: Int) in #""id":"gid://shop/Image/\#(id)","src":"https://cdn/\#(id).jpg""# }
        let products = (1...3).map { product in
            let images = (0..<4).map { #"{"cursor":"i\#(product)\#($0)","node":{\#(image(product * 10 + $0))}}"# }
            let variants = (0..<2).map {
                #"{"cursor":"v\#(product)\#($0)","node":{"id":"gid://shop/Variant/\#(product)\#($0)","weight":\#($0),"#
                    + #""image":{\#(image(product * 10 + $0)),"altText":"x\#($0)"}}}"#
            }
            return #"{"node":{"id":"gid://shop/Product/\#(product)","title":"T\#(product)","#
                + #""images":{"edges":[\#(images.joined(separator: ","))]},"#
                + #""variants":{"edges":[\#(variants.joined(separator: ","))]}}}"#
        }
        let text = try InitRun.Draft.text(
            of: #"{"data":{"products":{"edges":[\#(products.joined(separator: ","))]}}}"#)
        for name in ["Product", "Image", "Variant"] { #expect(text.contains("\"\(name)\": {"), "\(text)") }
        #expect(text.contains(#""records": "$.data.products.edges[*].node""#), "\(text)")
        #expect(text.contains("found in Image.id") && !text.contains("too"), "\(text)")
    }

    /// Whatever the key is called, what is always the same with it is said of it.
    @Test(arguments: ["country_id,country_name", "Country Code,Country Name"]) func codesHaveEntities(
        _ names: String
    ) throws {
        let rows = (1960...1990).flatMap { year in
            ["CHN,China", "DEU,Germany", "FRA,France", "WLD,World"].map { "\($0),\(year),\(year * $0.utf8.count).5" }
        }
        let text = try InitRun.Draft.text(
            of: (["\(names),Year,Value"] + rows).joined(separator: "\n") + "\n", "gdp.csv")
        #expect(text.contains(#""Country": {"#) && text.contains(#""repeats": true"#), "\(text)")
    }

    @Test func numbersOfCardsAndPlacesAreNoIntegers() throws {
        let users = list(40) { user in
            #"{"id":\#(user),"birthDate":"19\#(60 + user % 40)-\#(user % 12 + 1)-\#(user % 28 + 1)","#
                + #""postalCode":"\#(29112 + user * 37)","card":"\#(3_693_233_511_855_044 + user * 7919)","#
                + #""visits":"\#(user * 3 % 17)"}"#
        }
        let text = try InitRun.Draft.text(of: users)
        #expect(text.contains(#""birthDate": { "type": "date", "format": "%Y-%m-%d" }"#), "\(text)")
        #expect(text.contains(#""postalCode": "text","# + "\n"), "\(text)")
        #expect(text.contains(#""card": "text","# + "\n"), "\(text)")
        #expect(
            text.contains(#""visits": "text"  // whole numbers, as texts"#), "\(text)")
    }
}
