/// Works, music, species, statistics and attackers.
extension GalleryReading {
    static func openalex() throws -> GalleryTables {
        let works = try GalleryNode(sample: "openalex.json")["results"].list
        func last(_ node: GalleryNode) -> String? { node.text?.first("[^/]+$") }
        let known = works.map { last($0["id"]) ?? "" }
        let journals = works.map { $0["primary_location"]["source"] }
        return [
            "Work": works.map { work in
                [
                    "id": last(work["id"]), "doi": work["doi"].text?.first(#"10\..*"#), "title": work["title"].text,
                    "type": work["type"].text, "published": work["publication_date"].text,
                    "citations": work["cited_by_count"].text, "access": work["open_access"]["oa_status"].text,
                    "journal": last(work["primary_location"]["source"]["id"]),
                ]
            },
            "Journal": unique(
                journals.map { ["id": last($0["id"]), "name": $0["display_name"].text, "issn": $0["issn_l"].text] }),
            "Author": unique(
                works.flatMap { $0["authorships"].list }.map { $0["author"] }.map {
                    ["id": last($0["id"]), "name": $0["display_name"].text, "orcid": last($0["orcid"])]
                }, first: true),
            "Work_authors": works.flatMap { work in
                let authors = work["authorships"].list
                return links(last(work["id"]), authors.map { last($0["author"]["id"]) }) {
                    [
                        "place": authors[$0]["author_position"].text,
                        "corresponding": authors[$0]["is_corresponding"].flag,
                    ]
                }
            },
            "Work_cites": works.flatMap { links(last($0["id"]), $0["referenced_works"].list.map(last), among: known) },
        ]
    }

    static func musicbrainz() throws -> GalleryTables {
        let groups = try GalleryNode(sample: "musicbrainz.json")["release-groups"].list
        return [
            "ReleaseGroup": groups.map { group in
                let date = group["first-release-date"].text?.unless("")
                return [
                    "id": group["id"].text, "title": group["title"].text, "type": group["primary-type"].text,
                    "released": date, "year": date.map { String($0.prefix(4)) },
                    "tags": group["tags"].isNull
                        ? nil : "[\(group["tags"].list.map { $0["name"].json ?? "" }.joined(separator: ","))]",
                ]
            },
            "Artist": unique(
                groups.flatMap { $0["artist-credit"].list }.map { $0["artist"] }.map {
                    ["id": $0["id"].text, "name": $0["name"].text, "sortName": $0["sort-name"].text]
                }),
            "Release": groups.flatMap { group in
                group["releases"].list.map {
                    [
                        "id": $0["id"].text, "title": $0["title"].text, "status": $0["status"].text ?? "unknown",
                        "group": group["id"].text,
                    ]
                }
            },
            "ReleaseGroup_credits": groups.flatMap { group in
                group["artist-credit"].list.enumerated().map { position, credit in
                    [
                        "source": group["id"].text, "position": "\(position)", "target": credit["artist"]["id"].text,
                        "name": credit["name"].text, "then": credit["joinphrase"].text,
                    ]
                }
            },
        ]
    }

    static func gbif() throws -> GalleryTables {
        let all = try GalleryNode(sample: "gbif.json")["results"].list
        let results = all.filter { abs(Double($0["decimalLatitude"].text ?? "") ?? 0) <= 90 }
        return [
            "Species": unique(
                all.map {
                    [
                        "key": $0["speciesKey"].text, "name": $0["species"].text, "family": $0["family"].text,
                        "kingdom": $0["kingdom"].text,
                    ]
                }, by: "key"),
            "Dataset": unique(
                results.map { ["key": $0["datasetKey"].text, "country": $0["publishingCountry"].text] }, by: "key"),
            "Occurrence": results.map { seen in
                [
                    "key": seen["key"].text, "basis": seen["basisOfRecord"].text,
                    "latitude": seen["decimalLatitude"].real,
                    "longitude": seen["decimalLongitude"].real,
                    "uncertainty": seen["coordinateUncertaintyInMeters"].real,
                    "country": seen["countryCode"].text?.unless("ZZ"), "date": seen["eventDate"].text,
                    "day": seen["eventDate"].text?.first(#"^\d{4}-\d{2}-\d{2}"#),
                    "count": seen["individualCount"].text ?? "1", "issues": seen["issues"].json,
                    "species": seen["speciesKey"].text, "dataset": seen["datasetKey"].text,
                ]
            },
        ]
    }

    static func wikidata() throws -> GalleryTables {
        let rows = try GalleryNode(sample: "wikidata.json")["results"]["bindings"].list
        func item(_ node: GalleryNode) -> String? { node["value"].text?.first(#"Q\d+$"#) }
        func degree(_ row: GalleryNode, _ pattern: String) -> String? {
            row["coord"]["value"].text?.first(pattern).flatMap(Double.init).map { "\($0)" }
        }
        return [
            "Country": unique(rows.map { ["id": item($0["country"]), "name": $0["countryLabel"]["value"].text] }),
            "City": unique(
                rows.map { row in
                    [
                        "id": item(row["item"]), "name": row["itemLabel"]["value"].text,
                        "founded": row["inception"]["value"].text?.first(#"^(\d{4}-\d\d-\d\d)T"#),
                        "longitude": degree(row, #"Point\((\S+) "#), "latitude": degree(row, #" (\S+)\)"#),
                        "population": row["population"]["value"].text, "country": item(row["country"]),
                    ]
                }, first: true),
        ]
    }

    static func sdmx() throws -> GalleryTables {
        let feed = try GalleryNode(sample: "sdmx.json")
        let structure = feed["structure"]
        func numbered(_ list: GalleryNode, _ row: (GalleryNode) -> [String: String?]) -> [[String: String?]] {
            list.list.enumerated().map { row($1).merging(["number": "\($0)"]) { $1 } }
        }
        func named(_ node: GalleryNode) -> [String: String?] { ["code": node["id"].text, "name": node["name"].text] }
        let dimensions = structure["dimensions"]["series"].list
        var rates: [[String: String?]] = []
        for (series, what) in feed["dataSets"][0]["series"].members {
            for (number, pair) in what["observations"].members where pair[0].text != "n/a" {
                rates.append([
                    "series": series, "number": number, "rate": pair[0].text, "period": number, "status": pair[1].text,
                    "currency": "1/\(series.suffix(1))",
                ])
            }
        }
        return [
            "Dimension": dimensions.enumerated().map { named($1).merging(["position": "\($0)"]) { $1 } },
            "Value": dimensions.enumerated().flatMap { position, dimension in
                numbered(dimension["values"]) {
                    named($0).merging(["dimension_position": "\(position)", "dimension": "\(position)"]) { $1 }
                }
            },
            "Period": numbered(structure["dimensions"]["observation"][0]["values"]) { ["day": $0["id"].text] },
            "Status": numbered(structure["attributes"]["observation"][0]["values"], named),
            "Rate": rates,
        ]
    }

    static func attack() throws -> GalleryTables {
        let objects = try GalleryNode(sample: "attack.json")["objects"].list.filter { $0["revoked"].flag != "1" }
        let names = [
            "x-mitre-tactic": "Tactic", "attack-pattern": "Technique", "intrusion-set": "Group", "malware": "Software",
            "course-of-action": "Mitigation", "relationship": "Relation",
        ]
        var entities: [String: String] = [:]
        for object in objects { entities[object["id"].text ?? ""] = names[object["type"].text ?? ""] }
        var tables: GalleryTables = [:]
        for object in objects {
            guard let table = names[object["type"].text ?? ""] else { continue }
            let code = object["external_references"].list.first { $0["source_name"].text == "mitre-attack" }
            var row = [
                "id": object["id"].text, "name": object["name"].text, "description": object["description"].text,
                "modified": object["modified"].text?.utc(digits: 3), "code": code?["external_id"].text,
                "short": object["x_mitre_shortname"].text, "sub": object["x_mitre_is_subtechnique"].flag,
                "platforms": object["x_mitre_platforms"].json, "aliases": object["aliases"].json,
                "kind": table == "Software" ? object["type"].text : nil,
            ]
            if table == "Relation" {
                row["name"] = object["relationship_type"].text
                for (end, key) in [("source", "source_ref"), ("target", "target_ref")] {
                    let id = object[key].text ?? ""
                    row[end + "_entity"] = entities[id]
                    row[end] = entities[id] == nil ? nil : id
                }
            }
            tables[table, default: []].append(row)
        }
        let tactics = objects.filter { $0["type"].text == "x-mitre-tactic" }
        tables["Technique_tactics"] = objects.filter { $0["type"].text == "attack-pattern" }.flatMap { technique in
            let phases = technique["kill_chain_phases"].list.map { phase in
                tactics.first { $0["x_mitre_shortname"].text == phase["phase_name"].text }?["id"].text
            }
            return links(technique["id"].text, phases)
        }
        return tables
    }
}
