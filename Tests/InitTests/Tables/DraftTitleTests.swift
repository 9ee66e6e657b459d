import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// What `init` makes of tables that begin with titles and notes.
@Suite struct DraftTitleTests {
    private func draft(_ rows: [String]) throws -> (text: String, created: [Int]) {
        let (text, report) = try InitRun.Draft.run(of: rows.joined(separator: "\n") + "\n", "feed.csv")
        return (text, report.entities.map(\.counts.created))
    }

    /// As the World Bank, open-meteo, statistical offices and spreadsheets write them.
    @Test(arguments: [
        (
            [
                #""Data Source","World Development Indicators","#, "", #""Last Updated Date","2026-07-01","#, "",
                #""Country Name","Country Code","Indicator","1960","1961","#,
                #""China","CHN","GDP","59.5","50.1","#, #""France","FRA","GDP","62.5","","#,
                #""World","WLD","GDP","99.5","50.2","#,
            ],
            #""headerLine": 5 }"#,
            "Line 5 of"
        ),
        (
            [
                "latitude,longitude,elevation,zone", "52.5,13.4,38.0,GMT", "", "time,temperature", "2026-11-01,4.5",
                "2026-11-02,3.5", "2026-11-03,5.0",
            ], #""headerLine": 4 }"#, "Line 4 of"
        ),
        (
            [
                "Districts, 2014", "As of: 31 December", "District;Inhabitants;Area", "Altona;1675;1,5",
                "Horn;1914;2,25", "Hamm;12301;3,5", "Borgfelde;7085;0,5",
            ], #""delimiter": ";", "headerLine": 3 }"#,
            "Line 3 of"
        ),
        (
            [
                "Stock of all shops,,,", ",,,", "sku,shop,stock,price", "A-1,north,3,1.5", "A-2,north,4,2.5",
                "A-3,south,5,1.0",
            ],
            #""headerLine": 3 }"#, "Line 3 of"
        ),
        (
            [
                "# made by a program", "time;place;temperature", "s;;°C", "10:00;a;1.5", "11:00;a;2.5", "12:00;b;3.0",
                "13:00;b;3.5",
            ], #""headerLine": 2, "skip": "s;;°C" }"#, "Line 2 of"
        ),
    ])
    func titlesAboveAHeaderArePassedOver(_ rows: [String], _ source: String, _ line: String) throws {
        let (text, created) = try draft(rows)
        #expect(text.contains(source), "\(text)")
        #expect(text.contains("// \(line)") && !text.contains("limits"), "\(text)")
        #expect(created[0] >= 3, "\(text)")
    }

    /// As many commas in all records, before fractions, make no columns: the header has none of them.
    @Test func commasInNumbersBelowATitleMakeNoColumns() throws {
        let rows = (1...10).map { "K\($0);\($0).234,50;\($0),5;Firma \($0)" }
        let (text, created) = try draft(["Kunden KW 45", "", "id;umsatz;rabatt;name"] + rows)
        #expect(text.contains(#""delimiter": ";", "headerLine": 3 }"#) && created == [10], "\(text)")
        #expect(text.contains(#""identifier": "id""#), "\(text)")
    }

    /// A header may have a name twice, or a column without one, and a title may have what it begins with.
    @Test(arguments: [
        (["T,,", "", "sku,name,name"], #""headerLine": 3, "names": ["sku", "name", "name2"] }"#),
        (["T,,", "", "sku,,weight"], #""headerLine": 3 }"#), (["T", "", "sku,,weight"], #""headerLine": 3 }"#),
        (["sku,name,", "", "sku,name,weight"], #""headerLine": 3 }"#),
    ])
    func paddedTitlesArePassedOver(_ top: [String], _ source: String) throws {
        let (text, created) = try draft(top + (1...30).map { "\($0),n\($0),\(Double($0) * 1.5)" })
        #expect(text.contains(source) && created == [30], "\(text)")
        #expect(!text.contains("skip"), "\(text)")
    }

    /// A note below the rows is a reject, and no reason to take the title for the header.
    @Test func aNoteBelowTheRowsIsNoRecord() throws {
        let rows = ["Sales by month", "month,2024,2025", "Jan,100,120", "Feb,90,95", "Mar,80,99", "Source: office"]
        let (text, created) = try draft(rows)
        #expect(text.contains(#""headerLine": 2 }"#), "\(text)")
        #expect(text.contains(#""limits": { "rejects": 1 }"#) && created == [3], "\(text)")
    }

    /// What is no title: a header without a name for row numbers, one shorter than rows that end with a delimiter, one
    /// of two names among texts that hold the delimiter, and one of many columns that have no name.
    @Test(arguments: [
        [",a,b", "0,x,1", "1,y,2", "2,z,3"], ["id,name,", "1,Ann,", "2,Bob,", "3,Cy,"],
        ["id,note", "1,a", "2,b", "3,c", "4,d"], ["place,,", "Rome,1,2", "Bonn,1,3", "Oslo,2,3"],
        ["place,,", "Rome,1990,2001", "Bonn,1991,2002", "Oslo,1992,2003"],
        ["place,,", "Rome,a,", "Bonn,a,2", "Oslo,b,3"],
    ])
    func headersAreNoTitles(_ rows: [String]) throws {
        let (text, _) = try draft(rows)
        let told = ["headerLine", "skip", "seems to be the header"]
        #expect(!told.contains { text.contains($0) }, "\(text)")
    }

    /// Where most rows are none of the table that the first row begins, they are no flaws: nothing lets a run pass.
    @Test func rowsThatMostlyDifferFromTheFirstAreNotAllowed() throws {
        let rows = ["id,name", "0,Ada"] + (1...6).map { "\($0),Bob\($0)," }
        let text = try FeedFolder().text(of: ["feed": rows])
        #expect(unfolded(text).contains("feed.csv are so, and a run fails with them"), "\(text)")
        #expect(!text.contains("\"limits\""), "\(text)")
    }
}
