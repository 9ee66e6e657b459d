import SluiceExtract
import SluiceFetch
import SluiceRecords

/// Reads how a feed that comes in pages goes on.
struct PagesReader {
    let context: DefinitionContext

    func paging(of source: DefinitionObject) -> Paging? {
        guard let node = source["pages"],
            let object = DefinitionObject(node, "\"pages\"", keys: DefinitionKeys.pages, in: context)
        else { return nil }
        let styles = ["next", "link", "cursor", "number", "offset"]
        let given = styles.filter { object[$0] != nil }
        guard given.count == 1 else {
            context.mistake("\"pages\" needs one of \(listed(styles))", at: node.position)
            return nil
        }
        let partners = ["cursor": "parameter", "number": "first", "offset": "limit"]
        for (style, partner) in partners where given[0] != style && object[partner] != nil {
            let position = object.position(of: partner) ?? node.position
            context.mistake("\(quoted(partner)) goes with \(quoted(style)), not with \(quoted(given[0]))", at: position)
        }
        guard let style = style(given[0], object) else { return nil }
        var least = 1
        if case .number(_, let first) = style { least = max(first, 0) }
        var paging = Paging(style, last: object.integer("last", atLeast: least))
        paging.size = size(given[0], object)
        paging.total = path("total", object)
        paging.more = path("more", object)
        if let end = path("end", object) {
            if let position = object.position(of: "more") {
                context.mistake("\"more\" and \"end\" say the same of a page: it takes one of them", at: position)
            }
            (paging.more, paging.moreIsEnd) = (end, true)
        }
        checkParameters(object, of: source)
        return paging
    }

    /// Parameters that are paths are in what is posted.
    private func checkParameters(_ object: DefinitionObject, of source: DefinitionObject) {
        for key in ["parameter", "number", "offset", "limit"] {
            guard let node = object[key], let text = node.elements.first?.text else { continue }
            context.checkParameter(key, text, node, hasBody: source["body"] != nil)
        }
    }

    /// The records of a full page, where there is a way to the next one to be looked for.
    private func size(_ style: String, _ object: DefinitionObject) -> Int? {
        let size = object.integer("size", atLeast: 1)
        guard let position = object.position(of: "size"), ["number", "offset"].contains(style) else { return size }
        context.mistake("\"size\" goes with \"next\", \"link\" or \"cursor\", not with \(quoted(style))", at: position)
        return nil
    }

    private func style(_ name: String, _ object: DefinitionObject) -> Paging.Style? {
        switch name {
        case "next": return path("next", object, isWay: true).map(Paging.Style.next)
        case "link": return object.text("link").map { .link(relation: $0) }
        case "cursor":
            guard let path = path("cursor", object, isWay: true), let node = object.required("parameter"),
                let parameter = context.text(node, "parameter")
            else { return nil }
            return .cursor(path, parameter: parameter)
        case "number":
            return object.text("number").map {
                .number(parameter: $0, first: object.integer("first", atLeast: 0, atMost: 1 << 40) ?? 1)
            }
        default: return offset(object)
        }
    }

    private func offset(_ object: DefinitionObject) -> Paging.Style? {
        guard let node = object.required("limit"), let parameter = object.text("offset") else { return nil }
        guard case .array(let elements) = node.kind, elements.count == 2, let name = elements[0].text, !name.isEmpty,
            case .number(let text) = elements[1].kind, let size = wholeNumber(text), (1...1 << 40).contains(size)
        else {
            context.wrong("limit", node, expected: "a list of the parameter's name and the records of a page")
            return nil
        }
        return .offset(parameter: parameter, limit: name, size: size)
    }

    /// A path from the top of a page to one value.
    ///
    /// - Parameter isWay: whether it may choose among the elements of a list: `[-1]`, `[?rel == 'next']`.
    private func path(_ key: String, _ object: DefinitionObject, isWay: Bool = false) -> Path? {
        guard let node = object[key], let text = context.text(node, key, expected: "a path") else { return nil }
        do throws(PathError) {
            let path = try Path.parse(text)
            let isOfOne = path.isDefinite || isWay && path.isWayOfPages
            if path.root == .feed, isOfOne, !path.isKey, !path.steps.isEmpty { return path }
            context.mistake(
                "\(quoted(key)) must be a path from the top of a page to one value, such as $.links.next",
                at: node.position)
        } catch {
            context.mistake("\(quoted(key)) is no path: \(error.message)", at: node.position)
        }
        return nil
    }
}
