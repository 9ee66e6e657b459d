// What one of several things is called.
extension Names {
    /// What no ending tells.
    private static let irregular: [String: String] = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "data": "datum",
        "brownies": "brownie", "calories": "calorie", "cookies": "cookie", "genies": "genie", "lies": "lie",
        "movies": "movie", "pies": "pie", "rookies": "rookie", "selfies": "selfie", "ties": "tie", "zombies": "zombie",
        "echoes": "echo", "heroes": "hero", "potatoes": "potato", "tomatoes": "tomato", "vetoes": "veto",
        "appendices": "appendix", "indices": "index", "matrices": "matrix", "vertices": "vertex",
        "analyses": "analysis", "axes": "axis", "crises": "crisis", "theses": "thesis",
        "calves": "calf", "halves": "half", "knives": "knife", "leaves": "leaf", "lives": "life", "loaves": "loaf",
        "shelves": "shelf", "thieves": "thief", "wives": "wife", "wolves": "wolf",
        "aches": "ache", "caches": "cache", "niches": "niche",
        "bonuses": "bonus", "gases": "gas", "lenses": "lens", "quizzes": "quiz", "viruses": "virus",
    ]
    /// What is called so whether there is one or more.
    private static let unchanged: Set = [
        "series", "species", "news", "status", "bus", "gas", "class", "address", "process", "lens",
    ]
    /// Endings of which two letters are those of several.
    private static let endings = ["sses", "shes", "ches", "xes", "zzes", "tuses", "buses", "iases"]

    static func singular(_ word: String) -> String {
        let lower = word.lowercased()
        if unchanged.contains(lower) { return word }
        if let one = irregular[lower] {
            return word.first?.isUppercase == true ? one.prefix(1).uppercased() + one.dropFirst() : one
        }
        if lower.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in endings where lower.hasSuffix(ending) { return String(word.dropLast(2)) }
        let isOne = ["ss", "us", "is"].contains { lower.hasSuffix($0) }
        return lower.hasSuffix("s") && !isOne && word.count > 3 ? String(word.dropLast()) : word
    }
}
