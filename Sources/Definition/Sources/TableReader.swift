import SluiceExtract

/// Reads how a source is written that is a table.
struct TableReader {
    let context: DefinitionContext

    func read(_ object: DefinitionObject, into source: inout Source) {
        guard source.expectedFormat.isTable else { return refuseKeys(of: object, source) }
        source.delimiter = delimiter(of: object)
        source.table.hasQuotes = object.boolean("quotes") ?? true
        source.table.names = names(of: object)
        source.table.headerLine = object.integer("headerLine", atLeast: 1, atMost: 1000)
        source.table.hasHeader =
            object.boolean("header") ?? (object["names"] == nil || object["headerLine"] != nil)
        source.table.skip = skip(of: object)
        source.table.emptyCell = object.choice("empty") ?? .null
        if !source.table.hasHeader, object["names"] == nil, let position = object.position(of: "header") {
            context.mistake("a table without a header needs \"names\", those of its columns", at: position)
        }
        if !source.table.hasHeader, let position = object.position(of: "headerLine") {
            context.mistake(
                "\"headerLine\" says where the header is: there is none with \"header\": false", at: position)
        }
        checkPages(object, source)
    }

    private func refuseKeys(of object: DefinitionObject, _ source: Source) {
        for key in DefinitionKeys.table {
            guard let position = object.position(of: key) else { continue }
            // What the file is called may be known only later.
            if source.format == nil, let file = object["file"], context.hasVariable(file) { continue }
            context.mistake("\(quoted(key)) is for tables: \"format\": \"csv\", or \"tsv\"", at: position)
        }
    }

    private func delimiter(of object: DefinitionObject) -> UInt8? {
        guard let node = object["delimiter"], !context.isUnset(node) else { return nil }
        if let bytes = node.text.map({ Array($0.utf8) }), bytes.count == 1,
            bytes[0] == 0x09 || (0x20..<0x7f).contains(bytes[0]), bytes[0] != UInt8(ascii: "\"")
        {
            return bytes[0]
        }
        context.wrong(
            "delimiter", node, expected: "one character of ASCII, such as \";\", that is no quotation mark")
        return nil
    }

    /// The rows below the header that are no records: how many there are, or how they read.
    private func skip(of object: DefinitionObject) -> TableForm.Skipped {
        guard let node = object["skip"], !context.isUnset(node) else { return .count(0) }
        if case .number = node.kind { return .count(object.integer("skip", atLeast: 0, atMost: 1000) ?? 0) }
        if node.elements.isEmpty || !node.elements.allSatisfy({ $0.text != nil }) {
            context.wrong(
                "skip", node, expected: "a number of rows, or a row as it reads in the file, or a list of these")
            return .count(0)
        }
        let rows = object.texts("skip")
        for row in rows where row.text.utf8.contains(where: { $0 == 0x0a || $0 == 0x0d }) {
            context.mistake("\"skip\" has one row in each text, and none that is empty", at: row.position)
        }
        return .written(rows.map(\.text))
    }

    private func names(of object: DefinitionObject) -> [String]? {
        guard let node = object["names"], !context.isUnset(node) else { return nil }
        guard case .array(let elements) = node.kind, !elements.isEmpty else {
            context.wrong("names", node, expected: "a list of the names of the columns")
            return nil
        }
        var names: [String] = []
        for element in elements where !context.isUnset(element) {
            guard let name = element.text else {
                context.wrong("names", element, expected: "a list of the names of the columns")
                continue
            }
            if !name.isEmpty, names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
                context.mistake("\(quoted(name)) is in this list twice", at: element.position)
            }
            names.append(name)
        }
        return names
    }

    /// Pages whose next one is told by a path in them must be JSON.
    private func checkPages(_ object: DefinitionObject, _ source: Source) {
        guard case .web(let service) = source.location, let paging = service.request.pages,
            case .object(let members)? = object["pages"]?.kind
        else { return }
        let keys: [String] =
            switch paging.style {
            case .next: ["next", "total", "more", "end"]
            case .cursor: ["cursor", "total", "more", "end"]
            case .link, .number, .offset: ["total", "more", "end"]
            }
        for member in members where keys.contains(member.key) {
            context.mistake("\(quoted(member.key)) is a path, which leads nowhere in a table", at: member.position)
        }
    }
}
