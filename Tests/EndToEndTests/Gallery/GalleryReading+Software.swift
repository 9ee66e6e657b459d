import Foundation

/// Issues, packages, licences and interfaces.
extension GalleryReading {
    static func githubIssues() throws -> GalleryTables {
        let issues = try GalleryNode(sample: "github-issues.json").list
        let taken = issues.filter { $0["pull_request"].isNull }
        let people = taken.flatMap { [$0["user"]] + $0["assignees"].list }
        return [
            "User": unique(people.map { ["id": $0["id"].text, "login": $0["login"].text, "type": $0["type"].text] }),
            "Milestone": unique(
                issues.map { issue in
                    let milestone = issue["milestone"]
                    return [
                        "id": milestone["id"].text, "number": milestone["number"].text,
                        "title": milestone["title"].text, "due": milestone["due_on"].text?.utc(),
                    ]
                }),
            "Label": unique(
                issues.flatMap { $0["labels"].list }.map {
                    ["id": $0["id"].text, "name": $0["name"].text, "color": $0["color"].text]
                }),
            "Issue": taken.map { issue in
                [
                    "id": issue["id"].text, "number": issue["number"].text, "title": issue["title"].text,
                    "state": issue["state"].text, "reason": issue["state_reason"].text,
                    "comments": issue["comments"].text, "created": issue["created_at"].text?.utc(),
                    "updated": issue["updated_at"].text?.utc(), "closed": issue["closed_at"].text?.utc(),
                    "author": issue["user"]["id"].text, "milestone": issue["milestone"]["id"].text,
                ]
            },
            "Issue_assignees": taken.flatMap { links($0["id"].text, $0["assignees"].list.map { $0["id"].text }) },
            "Issue_labels": taken.flatMap { links($0["id"].text, $0["labels"].list.map { $0["id"].text }) },
        ]
    }

    static func githubGraphQL() throws -> GalleryTables {
        let nodes = try GalleryNode(sample: "github-graphql.json")["data"]["repository"]["issues"]["nodes"].list
        let issues = nodes.filter { !$0.isNull }
        let comments = issues.flatMap { issue in issue["comments"]["nodes"].list.map { (issue, $0) } }
        let authors = (issues + comments.map(\.1)).map { ["login": $0["author"]["login"].text] }
        let labels = issues.flatMap { $0["labels"]["nodes"].list }.map { ["name": $0["name"].text] }
        return [
            "Person": unique(authors, by: "login"), "Label": unique(labels, by: "name"),
            "Issue": issues.map { issue in
                [
                    "number": issue["number"].text, "title": issue["title"].text, "state": issue["state"].text,
                    "created": issue["createdAt"].text?.utc(), "closed": issue["closedAt"].text?.utc(),
                    "author": issue["author"]["login"].text,
                ]
            },
            "Comment": comments.map { issue, comment in
                [
                    "id": comment["databaseId"].text, "text": comment["bodyText"].text,
                    "created": comment["createdAt"].text?.utc(), "reactions": comment["reactions"]["totalCount"].text,
                    "issue": issue["number"].text, "author": comment["author"]["login"].text,
                ]
            },
            "Issue_labels": issues.flatMap {
                links($0["number"].text, $0["labels"]["nodes"].list.map { $0["name"].text })
            },
        ]
    }

    static func npm() throws -> GalleryTables {
        let package = try GalleryNode(sample: "npm.json")
        let (name, versions) = (package["name"].text ?? "", package["versions"].members)
        return [
            "Package": [
                [
                    "name": name, "description": package["description"].text, "keywords": package["keywords"].json,
                    "maintainers":
                        "[\(package["maintainers"].list.map { $0["name"].json ?? "" }.joined(separator: ","))]",
                    "modified": package["time"]["modified"].text?.utc(digits: 3),
                ]
            ],
            "Version": versions.values.map { version in
                [
                    "version": version["version"].text,
                    "license": version["license"]["type"].text ?? version["license"].text,
                    "deprecated": version["deprecated"].text?.unless("false"), "by": version["_npmUser"]["name"].text,
                    "size": version["dist"]["unpackedSize"].text, "tarball": version["dist"]["tarball"].text,
                    "digest": version["dist"]["shasum"].text, "package_name": name, "package": name,
                ]
            },
            "Publication": package["time"].members.filter { !["created", "modified"].contains($0.key) }.map {
                [
                    "package": name, "version": $0, "time": $1.text?.utc(digits: 3),
                    "of": versions[$0] == nil ? nil : "\(name)/\($0)",
                ]
            },
            "Dependency": versions.flatMap { version, what in
                what["dependencies"].members.map { other, range in
                    [
                        "on": other, "range": range.text, "of_package_name": name, "of_version": version,
                        "of": "\(name)/\(version)",
                    ]
                }
            },
            "Tag": package["dist-tags"].members.map { tag, version in
                ["package": name, "tag": tag, "version": "\(name)/\(version.text ?? "")"]
            },
        ]
    }

    static func crates() throws -> GalleryTables {
        let feed = try GalleryNode(sample: "crates.json")
        let crate = feed["crate"]
        let licenses = [1: nil, 2: #"["MIT","Apache-2.0"]"#, 3: #"["MIT","Apache-2.0"]"#]
        return [
            "Crate": [
                [
                    "id": crate["id"].text, "description": "Shelves for structs",
                    "repository": crate["repository"].text,
                    "downloads": crate["downloads"].text, "recent": crate["recent_downloads"].text,
                    "stable": crate["max_stable_version"].text, "created": crate["created_at"].text?.utc(digits: 6),
                    "updated": crate["updated_at"].text?.utc(digits: 6),
                ]
            ],
            "Version": feed["versions"].list.map { version in
                [
                    "id": version["id"].text, "number": version["num"].text, "yanked": version["yanked"].flag,
                    "licenses": version["id"].text.flatMap(Int.init).flatMap { licenses[$0] ?? nil },
                    "rust": version["rust_version"].text, "bytes": version["crate_size"].text,
                    "downloads": version["downloads"].text, "created": version["created_at"].text?.utc(digits: 6),
                    "crate": version["crate"].text, "by": version["published_by"]["id"].text,
                ]
            },
            "User": unique(
                feed["versions"].list.map { $0["published_by"] }.map {
                    ["id": $0["id"].text, "login": $0["login"].text, "name": $0["name"].text]
                }, first: true),
            "Keyword": feed["keywords"].list.map { ["id": $0["id"].text, "crates": $0["crates_cnt"].text] },
            "Category": feed["categories"].list.map {
                ["id": $0["id"].text, "name": $0["category"].text, "crates": $0["crates_cnt"].text]
            },
            "Crate_keywords": links(crate["id"].text, crate["keywords"].list.map(\.text)),
            "Crate_categories": links(crate["id"].text, crate["categories"].list.map(\.text)),
        ]
    }

    static func spdx() throws -> GalleryTables {
        let feed = try GalleryNode(sample: "spdx.json")
        return [
            "License": unique(
                feed["licenses"].list.map { license in
                    [
                        "id": license["licenseId"].text,
                        "name": license["name"].text?.trimmingCharacters(in: .whitespaces),
                        "page": license["reference"].text, "osi": license["isOsiApproved"].flag,
                        "fsf": license["isFsfLibre"].flag, "deprecated": license["isDeprecatedLicenseId"].flag,
                        "links": license["seeAlso"].json, "list": feed["licenseListVersion"].text,
                        "successor": license["licenseId"].text == "GPL-2.0" ? "GPL-2.0-only" : nil,
                    ]
                })
        ]
    }

    static func endoflife() throws -> GalleryTables {
        let date = #"^\d{4}-.*"#
        let cycles = try ["debian", "python"].flatMap { product in
            try GalleryNode(sample: "endoflife/\(product).json").list.map { cycle -> [String: String?] in
                func day(_ key: String) -> String? { cycle[key].text?.first(date) }
                return [
                    "cycle": cycle["cycle"].text, "codename": cycle["codename"].text, "released": day("releaseDate"),
                    "support": day("support"), "ends": day("eol"),
                    "ended": day("eol") == nil ? cycle["eol"].flag : nil, "extended": day("extendedSupport"),
                    "lts": cycle["lts"].flag, "latest": cycle["latest"].text, "updated": day("latestReleaseDate"),
                    "product_name": product, "product": product,
                ]
            }
        }
        return ["Product": [["name": "debian"], ["name": "python"]], "Cycle": cycles]
    }

    static func openapi() throws -> GalleryTables {
        let feed = try GalleryNode(sample: "openapi.json")
        let schemas = feed["components"]["schemas"].members
        var tables: GalleryTables = [
            "Tag": [["name": "ships", "description": "Ships and their berths"], ["name": "admin"]],
            "Schema": schemas.map { name, schema in
                [
                    "name": name, "type": schema["type"].text, "required": schema["required"].json,
                    "properties": ["Ship": #"["id","name","berth"]"#, "Berth": #"["quay","harbour"]"#][name],
                ]
            },
            // Read by eye: references may be anywhere in these.
            "Schema_uses": [["source": "Ship", "target": "Berth", "position": "0"]],
            "Operation_schemas": ["get", "post"].map { ["source": "/ships/\($0)", "target": "Ship", "position": "0"] },
        ]
        for (path, item) in feed["paths"].members {
            for (method, operation) in item.members where ["get", "post"].contains(method) {
                let name = "\(path)/\(method)"
                tables["Operation", default: []].append([
                    "path": path, "method": method, "name": operation["operationId"].text,
                    "summary": operation["summary"].text ?? item["summary"].text,
                    "deprecated": operation["deprecated"].flag ?? "0", "api": feed["info"]["version"].text,
                ])
                tables["Operation_tags", default: []] += links(name, operation["tags"].list.map(\.text))
                let own = ["operation_path": path, "operation_method": method, "operation": name]
                tables["Parameter", default: []] += operation["parameters"].list.map {
                    [
                        "place": $0["in"].text, "name": $0["name"].text, "required": $0["required"].flag ?? "0",
                        "type": $0["schema"]["type"].text,
                    ].merging(own) { $1 }
                }
                tables["Response", default: []] += operation["responses"].members.map { status, response in
                    ["status": status, "description": response["description"].text].merging(own) { $1 }
                }
            }
        }
        return tables
    }
}
