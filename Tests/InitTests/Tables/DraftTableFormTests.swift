import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// How a table is written, as far as that is guessed, and what a draft says of the guess.
@Suite struct DraftTableFormTests {
    private func draft(_ text: String) throws -> String {
        unfolded(try InitRun.Draft.text(of: text, "feed.csv"))
    }

    /// A comma in numbers and texts is none between cells, where something else stands in all rows more often.
    @Test(arguments: [
        "1;Ada;3,5\n2;Bo;4,1\n3;Cy;2,2\n", "id;name,first;score\n1;Ada,A;3\n2;Bo,B;4\n",
        "\n\nid;name;score\n1;Ada;3\n2;Bo;4\n", "id\tname, first\tscore\n1\tAda, A\t3\n",
    ])
    func aCommaInCellsIsNoDelimiter(_ table: String) throws {
        let text = try draft(table)
        #expect(text.contains(#""delimiter": ""#), "\(text)")
        #expect(text.contains(#""identifier": "id""#) || text.contains(#""identifier": "column1""#), "\(text)")
    }

    /// Where the rows do not have it as often, it is in texts.
    @Test func aSemicolonInTextsIsNoDelimiter() throws {
        let text = try draft("id,kinds;all\n1,a;b;c\n2,d\n")
        #expect(!text.contains("delimiter") && text.contains(#""identifier": "id""#), "\(text)")
    }

    @Test func aTableWithoutAHeaderIsTold() throws {
        #expect(try draft("1,Ada,3\n2,Bo,4\n").contains(#"has no header, as it seems"#))
        #expect(try !draft("id,name,age\n1,Ada,3\n2,Bo,4\n").contains("header"))
    }

    /// Of nothing but texts nobody knows, unless the names are such as tables have.
    @Test func aFirstLineThatMayBeARecordIsTold() throws {
        let text = try draft("Ada;Berlin\nBo;Paris\nCy;Rom\n")
        #expect(text.contains(#"("Ada", "Berlin") is taken for its header. If it is a record"#), "\(text)")
        for header in ["Name;Town", "first;town", "First name;Home town"] {
            #expect(try !draft("\(header)\nAda;Berlin\nBo;Paris\n").contains("taken for its header"))
        }
    }

    @Test func aColumnWithoutANameIsTold() throws {
        #expect(try draft(",name\n1,Ada\n2,Bo\n").contains("has no name for column 1, which is passed over"))
        #expect(try !draft("id,name,\n1,Ada,\n2,Bo,\n").contains("has no name"))
    }

    @Test func rowsOfOneCellAreTold() throws {
        #expect(try draft("id:name\n1:Ada\n2:Bo\n").contains(#"If ":" stands between cells"#))
        #expect(try !draft("title: all\nAda\nBo: x\n").contains("stands between cells"))
    }

    /// A table of nothing says what lacks.
    @Test(arguments: [
        ("", "is empty"), ("\n \n", "is empty"), ("id,name\n", "has a header, and no row below it"),
        ("a,b,c\n1,2\n3,4\n", "No row has the cells of the first one"),
    ])
    func aTableWithoutRecordsSaysWhatLacks(_ table: String, _ words: String) throws {
        let failure = try #require(throws: Failure.self) { try draft(table) }
        #expect(failure.message.contains(words), "\(failure.message)")
    }

    /// Spreadsheets give titles as many cells as rows have.
    @Test func titlesMayBeAsWideAsRows() throws {
        let rows = (1..<9).map { "0\($0).11.2026;Firma \($0 % 3);Rechnung \($0);;\($0),50\n" }.joined()
        let text = try draft("Konto:;DE02;;;\nZeitraum:;November;;;\n;;;;\nTag;Von;Zweck;Notiz;Betrag\n" + rows)
        #expect(text.contains("Line 4 of ") && text.contains("seems to be the header"), "\(text)")
        #expect(text.contains(#""Betrag": {"#), "\(text)")
    }

    /// What the first column of a data frame has without a name are the names of its rows, unless they are numbers.
    @Test(arguments: [true, false]) func theFirstColumnNamesTheRows(_ areNames: Bool) throws {
        let rows = (0..<12).map { "\(areNames ? "Model \($0)" : "\($0)"),\($0 % 4),\($0 % 3).5" }
        let text = try draft(([",gear,weight"] + rows).joined(separator: "\n") + "\n")
        #expect(text.contains(#""header": true, "names": ["row", "gear", "weight"]"#) == areNames, "\(text)")
        #expect(text.contains(#""identifier": "row""#) == areNames, "\(text)")
        #expect(text.contains("in \"names\", it is called \"row\"") == areNames, "\(text)")
        #expect(text.contains("which is passed over, with 12 values") != areNames, "\(text)")
    }

    /// A space behind each delimiter is told of as that.
    @Test func spacesInAHeaderAreToldOf() throws {
        let text = try draft("id, name, city\n1, Ada, Rome\n2, Bo, Oslo\n3, Cy, Bonn\n")
        #expect(text.contains("has a space behind each delimiter") && !text.contains("a name twice"), "\(text)")
    }

    /// What is called as a measure and has words identifies like any text: groups of ages.
    @Test func groupsOfAgesIdentify() throws {
        let ages = [
            "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22-23", "24-25", "26-29", "30-34", "35-49",
        ]
        let rows = ages.enumerated().map { "\($1),\(2800 + $0 * 13),\($0).5" }
        let text = try draft((["age,n,share"] + rows).joined(separator: "\n") + "\n")
        #expect(text.contains(#""identifier": "age""#), "\(text)")
    }
}
