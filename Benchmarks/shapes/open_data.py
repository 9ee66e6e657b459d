"""Feeds of open data, in the shapes that portals, agencies, libraries and museums publish.

Members, nesting and the forms of values are those of the services; names and values are invented.
"""

import json
from datetime import timedelta

from shapes.values import FAMILY, GIVEN, START, epoch, hexes, kept, maybe, moment, some, uid, zulu

PLACES = "Alder Birken Corran Dunmere Eastlea Fallow Grimsel Havenby Ilmtal Jarrow Kestrel Lindow Marsh Norden Oakham Pelling".split()
WORDS = "air bridge census delta energy forest glacier harbour island journey kiln lake meadow noise ocean parking quarry river".split()
COUNTRIES = {"DE": "Germany", "FR": "France", "NL": "Netherlands", "PL": "Poland", "SE": "Sweden", "AT": "Austria"}


def millis(time):
    return epoch(time) * 1000


def title(random):
    words = some(random, WORDS, 2, 5)
    return f"{words[0].capitalize()} {' '.join(words[1:])} of {random.choice(PLACES)}"


def degrees(random, least, digits=6):
    return round(least + random.random(), digits)


# Portals


def ckan_packages(random):
    organizations = [{"id": uid(random), "name": f"city-of-{place.lower()}", "title": f"City of {place}", "type": "organization",
        "description": maybe(random, f"Open data of {place}.", 0.6, ""), "image_url": "", "is_organization": True,
        "created": zulu(moment(random), ".104522"), "approval_status": "approved", "state": "active"} for place in PLACES[:7]]
    tags = [{"display_name": word, "id": uid(random), "name": word, "state": "active", "vocabulary_id": None} for word in WORDS]
    groups = [{"description": "", "display_name": word.capitalize(), "id": uid(random), "image_display_url": "", "name": word,
        "title": word.capitalize()} for word in ["environment", "transport", "population", "culture"]]
    results = [ckan_package(random, random.choice(organizations), some(random, tags, 0, 5), some(random, groups, 0, 2))
        for _ in range(40)]
    return {"help": "https://data.example.org/api/3/action/help_show?name=package_search", "success": True,
        "result": {"count": 40, "facets": {}, "results": results, "sort": "score desc, metadata_modified desc", "search_facets": {}}}


def ckan_package(random, organization, tags, groups):
    id, name, created = uid(random), title(random), moment(random)
    resources = [ckan_resource(random, id, position) for position in range(random.randint(0, 4))]
    return {
        "author": maybe(random, "Statistics Office", 0.6, ""), "author_email": maybe(random, "data@example.org", 0.5),
        "creator_user_id": uid(random), "id": id, "isopen": True, "license_id": random.choice(["cc-by", "cc-zero", "odc-odbl"]),
        "license_title": "Creative Commons", "license_url": maybe(random, "http://www.opendefinition.org/licenses/cc-by"),
        "maintainer": maybe(random, random.choice(FAMILY), 0.5), "maintainer_email": None,
        "metadata_created": zulu(created, ".318211"), "metadata_modified": zulu(created + timedelta(days=3), ".901477"),
        "name": name.lower().replace(" ", "-") + "-" + id[:4], "notes": maybe(random, f"{name}, as measured each year.", 0.8, ""),
        "num_resources": len(resources), "num_tags": len(tags), "organization": organization, "owner_org": organization["id"],
        "private": False, "state": "active", "title": name, "type": "dataset", "url": maybe(random, "https://example.org/d/" + id[:8],
        0.6, ""),
        "version": maybe(random, "1.0", 0.3),
        "extras": [{"key": key, "value": random.choice(PLACES)} for key in some(random, ["spatial", "frequency", "contact"], 0, 3)],
        "groups": groups, "resources": resources, "tags": tags, "relationships_as_subject": [], "relationships_as_object": [],
    }


def ckan_resource(random, package, position):
    id, format = uid(random), random.choice(["CSV", "JSON", "GeoJSON", "XLSX"])
    created = moment(random)
    return {
        "cache_last_updated": None, "cache_url": None, "created": zulu(created, ".553190"), "datastore_active": format == "CSV",
        "description": maybe(random, "All rows", 0.5, ""), "format": format, "hash": maybe(random, hexes(random, 32), 0.4, ""), "id": id,
        "last_modified": maybe(random, zulu(created + timedelta(days=1), ".000412")), "metadata_modified": zulu(created, ".612201"),
        "mimetype": maybe(random, "text/csv" if format == "CSV" else "application/json"), "mimetype_inner": None,
        "name": f"{random.choice(WORDS)}.{format.lower()}", "package_id": package, "position": position, "resource_type": None,
        "size": maybe(random, random.randrange(10**7), 0.6), "state": "active", "url": f"https://data.example.org/resource/{id}",
        "url_type": maybe(random, "upload", 0.5),
    }


def socrata_rows(random):
    hidden = [{"id": -1, "name": name, "dataTypeName": "meta_data", "fieldName": ":" + name, "position": 0,
        "renderTypeName": "meta_data", "format": {}, "flags": ["hidden"]} for name in
        ["sid", "id", "position", "created_at", "created_meta", "updated_at", "updated_meta", "meta"]]
    kinds = {"inspection_number": "text", "business": "text", "inspected": "calendar_date", "score": "number", "fine": "number",
        "passed": "checkbox", "zip": "text", "location": "point"}
    columns = [{"id": 500100 + position, "name": name.replace("_", " ").title(), "dataTypeName": kind, "fieldName": name,
        "position": position, "renderTypeName": kind, "tableColumnId": 70010 + position, "format": {},
        "cachedContents": {"non_null": "50", "null": "0", "cardinality": "50", "largest": None, "smallest": None}}
        for position, (name, kind) in enumerate(kinds.items(), 1)]
    columns = [kept(random, {**column, "description": "As filed"}, description=0.6) for column in columns]
    owner = {"id": "ab12-cd34", "displayName": "Open Data Team", "screenName": "Open Data Team", "type": "interactive",
        "flags": ["admin"]}
    view = {"id": "q3ex-7d2k", "name": "Inspections", "assetType": "dataset", "attribution": "Office of Health", "averageRating": 0,
        "category": "Health", "createdAt": 1712000000, "description": "All inspections.", "displayType": "table", "downloadCount": 3120,
        "rowsUpdatedAt": 1758000000, "tableId": 18200, "viewCount": 9051, "viewType": "tabular", "columns": hidden + columns,
        "metadata": {"rowLabel": "Inspection"}, "owner": owner, "tableAuthor": owner, "tags": ["health", "food"], "flags": ["default"]}
    return {"meta": {"view": view}, "data": [socrata_row(random) for _ in range(50)]}


def socrata_row(random):
    time, score = moment(random), random.randint(40, 100)
    sid = "-".join(["row"] + ["".join(random.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(4)) for _ in range(2)])
    return [sid + "~" + hexes(random, 4), uid(random).upper(), 0, int(time.timestamp()), None, int(time.timestamp()) + 60, None, "{ }",
        f"{random.randint(1000, 9999)}-{hexes(random, 4).upper()}",
        f"{random.choice(FAMILY)} {random.choice(['Diner', 'Bakery', 'Market'])}",
        zulu(time.replace(hour=0, minute=0, second=0), ""), maybe(random, str(score), 0.9), maybe(random, f"{score * 2.5:.2f}", 0.4),
        score > 70, maybe(random, f"0{random.randint(1000, 9999)}", 0.9), f"POINT ({degrees(random, -71)} {degrees(random, 42)})"]


def field(name, type, alias, length=None, domain=None):
    sized = {"length": length} if length else {}
    return {"name": name, "type": "esriFieldType" + type, "alias": alias, "sqlType": "sqlTypeOther", **sized, "domain": domain,
        "defaultValue": None}


def arcgis_features(random):
    domain = {"type": "codedValue", "name": "HydrantStatus", "codedValues": [{"name": name, "code": code}
        for code, name in [("A", "Active"), ("P", "Proposed"), ("R", "Removed")]]}
    zones = {"type": "codedValue", "name": "PressureZone", "codedValues": [{"name": f"Zone {code}", "code": code} for code in (1, 2, 3)]}
    fields = [field("OBJECTID", "OID", "OBJECTID"), field("GlobalID", "GlobalID", "GlobalID", 38),
        field("FACILITYID", "String", "Facility", 20),
        field("STATUS", "String", "Status", 1, domain), field("ZONE", "SmallInteger", "Pressure Zone", None, zones),
        field("FLOW", "Double", "Flow (l/min)"), field("MANUFACTURER", "String", "Manufacturer", 50),
        field("INSTALLDATE", "Date", "Installed", 8),
        field("LASTSERVICE", "Date", "Last Service", 8), field("CREATOR", "String", "Creator", 50),
        field("EDITDATE", "Date", "Edited", 8)]
    features = [{"attributes": {"OBJECTID": 100 + number, "GlobalID": uid(random), "FACILITYID": f"HY-{number:04}",
        "STATUS": random.choice("AAAPR"), "ZONE": random.choice([1, 2, 3, None]), "FLOW": maybe(random,
        round(random.uniform(800, 3200), 1)),
        "MANUFACTURER": maybe(random, random.choice(FAMILY) + " Works", 0.8), "INSTALLDATE": maybe(random,
        millis(moment(random, 40)) - 10**12, 0.8),
        "LASTSERVICE": maybe(random, millis(moment(random)), 0.6), "CREATOR": random.choice(GIVEN).lower(),
        "EDITDATE": millis(moment(random)) + 417},
        "geometry": {"x": degrees(random, 13), "y": degrees(random, 52)}} for number in range(1, 51)]
    return {"objectIdFieldName": "OBJECTID", "uniqueIdField": {"name": "OBJECTID", "isSystemMaintained": True},
        "globalIdFieldName": "GlobalID",
        "geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 4326, "latestWkid": 4326}, "fields": fields,
        "exceededTransferLimit": True, "features": features}


def geojson_lines(random):
    features, length = [], 60
    for number in range(length):
        down = 0 if number == 0 else 20400001 + random.randrange(number)
        x, y = degrees(random, 13), degrees(random, 52)
        line = [[round(x + step * 0.004, 6), round(y - step * random.random() * 0.004, 6)] for step in range(random.randint(2, 6))]
        features.append({"type": "Feature", "properties": {
            "HYRIV_ID": 20400001 + number, "NEXT_DOWN": down, "MAIN_RIV": 20400001, "LENGTH_KM": round(random.uniform(0.3, 9), 2),
            "DIST_DN_KM": round(random.uniform(1, 400), 1), "CATCH_SKM": round(random.uniform(1, 40), 2),
            "UPLAND_SKM": round(random.uniform(5, 4000), 1),
            "ENDORHEIC": 0, "DIS_AV_CMS": round(random.uniform(0.01, 60), 3), "ORD_STRA": random.randint(1, 5),
            "ORD_CLAS": random.randint(1, 4),
            "ORD_FLOW": random.randint(4, 9), "HYBAS_L12": 2120000000 + number * 10, "NAME": maybe(random,
            random.choice(PLACES) + " Beck", 0.6),
        }, "geometry": {"type": "LineString", "coordinates": line}})
    random.shuffle(features)
    return {"type": "FeatureCollection", "name": "rivers",
        "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}},
        "features": features}


def nominatim_places(random):
    places = []
    for number in range(40):
        lat, lon, place = degrees(random, 52, 7), degrees(random, 13, 7), random.choice(PLACES)
        road, name = random.choice(FAMILY) + "weg", maybe(random, f"Café {random.choice(GIVEN)}", 0.8, "")
        address = {"amenity": name, "house_number": str(random.randint(1, 90)) + maybe(random, "a", 0.2, ""), "road": road,
            "suburb": random.choice(PLACES), random.choice(["city", "town", "village"]): place, "state": "Brandenburg",
            "ISO3166-2-lvl4": "DE-BB", "postcode": str(random.randint(14000, 16999)), "country": "Deutschland", "country_code": "de"}
        extra = kept(random, {"opening_hours": "Mo-Fr 08:00-18:00", "wheelchair": "yes", "website": "https://example.org/"},
            opening_hours=0.5, wheelchair=0.5, website=0.4)
        places.append({"place_id": 130000000 + number * 917,
            "licence": "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright",
            "osm_type": random.choice(["node", "way", "relation"]), "osm_id": random.randrange(10**6, 10**10), "lat": str(lat),
            "lon": str(lon),
            "category": "amenity", "type": random.choice(["cafe", "restaurant", "bar"]), "place_rank": 30,
            "importance": round(random.random() / 9, 17),
            "addresstype": "amenity", "name": name, "display_name": f"{name}, {road}, {place}, Deutschland",
            "address": kept(random, address, house_number=0.8, suburb=0.7, amenity=0.9), "extratags": extra or None,
            "namedetails": {"name": name} if name else None,
            "boundingbox": [f"{lat - 0.0001:.7f}", f"{lat + 0.0001:.7f}", f"{lon - 0.0001:.7f}", f"{lon + 0.0001:.7f}"]})
    return places


# Air, weather and streets


def openaq_measurements(random):
    stations = [{"locationId": 8000 + number, "location": f"{place} {random.choice(['Market', 'North', 'Station'])}",
        "country": random.choice(list(COUNTRIES)),
        "city": maybe(random, place, 0.5), "isMobile": False, "isAnalysis": None, "entity": "Governmental Organization",
        "sensorType": random.choice(["reference grade", "low-cost sensor"]),
        "coordinates": {"latitude": degrees(random, 51), "longitude": degrees(random, 12)}} for number, place in enumerate(PLACES[:8])]
    results = []
    for hour in range(8):
        utc = START + timedelta(hours=hour)
        for station in some(random, stations, 5, 8):
            local = zulu(utc + timedelta(hours=2), "+02:00")
            results.append({"locationId": station["locationId"], "location": station["location"],
                "parameter": random.choice(["pm25", "pm10", "no2", "o3"]),
                "value": random.choice([round(random.uniform(0, 80), 1), random.randint(1, 60)]),
                "date": {"utc": zulu(utc, "+00:00"), "local": local},
                "unit": "µg/m³", "coordinates": station["coordinates"], "country": station["country"], "city": station["city"],
                "isMobile": station["isMobile"], "isAnalysis": station["isAnalysis"], "entity": station["entity"],
                "sensorType": station["sensorType"]})
    meta = {"name": "openaq-api", "license": "", "website": "/", "page": 1, "limit": 100, "found": len(results)}
    return {"meta": meta, "results": results}


def metno_forecast(random):
    units = {"air_pressure_at_sea_level": "hPa", "air_temperature": "celsius", "cloud_area_fraction": "%", "precipitation_amount": "mm",
        "relative_humidity": "%", "wind_from_direction": "degrees", "wind_speed": "m/s"}
    series = []
    for hour in range(54):
        symbol = {"symbol_code": random.choice(["cloudy", "rain", "fair_day", "partlycloudy_night"])}
        rain = {"precipitation_amount": round(random.random() * 3, 1)}
        details = {"air_pressure_at_sea_level": round(random.uniform(990, 1030), 1), "air_temperature": round(random.uniform(-2, 16), 1),
            "cloud_area_fraction": round(random.uniform(0, 100), 1), "relative_humidity": round(random.uniform(30, 100), 1),
            "wind_from_direction": round(random.uniform(0, 360), 1), "wind_speed": round(random.uniform(0, 14), 1)}
        data = {"instant": {"details": details}, "next_12_hours": {"summary": symbol, "details": {}},
            "next_1_hours": {"summary": symbol, "details": rain},
            "next_6_hours": {"summary": symbol, "details": rain}}
        late = {"next_1_hours": hour < 40, "next_6_hours": hour < 50, "next_12_hours": hour < 46}
        series.append({"time": zulu(START + timedelta(hours=hour)), "data": {key: value for key, value in data.items()
            if late.get(key, True)}})
    return {"type": "Feature", "geometry": {"type": "Point", "coordinates": [10.75, 59.91, 11]},
        "properties": {"meta": {"updated_at": zulu(START), "units": units}, "timeseries": series}}


def nws_alerts(random):
    offices = {f"{city} {state}": state for city, state in [("Boulder", "CO"), ("Duluth", "MN"), ("Goodland", "KS"), ("Elko", "NV")]}
    features = []
    for number in range(40):
        office = random.choice(list(offices))
        features.append(nws_alert(random, number, office, offices[office], some(random, features, 0, 2) if number % 3 == 0 else []))
    context = ["https://geojson.org/geojson-ld/geojson-context.jsonld", {"@version": "1.1", "wx": "https://api.weather.gov/ontology#",
        "@vocab": "https://api.weather.gov/ontology#"}]
    return {"@context": context, "type": "FeatureCollection", "features": features, "title": "Current watches, warnings, and advisories",
        "updated": zulu(START, "+00:00"), "pagination": {"next": "https://api.weather.gov/alerts?cursor=eyJ0IjoxNz"}}


def nws_alert(random, number, office, state, earlier):
    urn, sent, event = f"urn:oid:2.49.0.1.840.0.{hexes(random, 40)}.{number:03}.1", moment(random), random.choice(["Flood Warning",
        "Wind Advisory"])
    codes = [f"{state}Z{zone:03}" for zone in some(random, range(30, 60), 1, 4)]
    area = {"type": "Polygon", "coordinates": [[[-104.1, 39.1], [-104.2, 39.3], [-104.0, 39.2], [-104.1, 39.1]]]}
    references = [{"@id": one["id"], "identifier": one["properties"]["id"], "sender": one["properties"]["sender"],
        "sent": one["properties"]["sent"]}
        for one in earlier]
    properties = {"@id": "https://api.weather.gov/alerts/" + urn, "@type": "wx:Alert", "id": urn,
        "areaDesc": "; ".join(some(random, PLACES, 1, 3)),
        "geocode": {"SAME": ["0" + str(random.randint(10000, 56000)) for _ in codes], "UGC": codes},
        "affectedZones": ["https://api.weather.gov/zones/forecast/" + code for code in codes], "references": references,
        "sent": zulu(sent, "-06:00"), "effective": zulu(sent, "-06:00"), "onset": maybe(random, zulu(sent + timedelta(hours=2), "-06:00"),
        0.9),
        "expires": zulu(sent + timedelta(hours=9), "-06:00"), "ends": maybe(random, zulu(sent + timedelta(hours=12), "-06:00")),
        "status": "Actual",
        "messageType": "Update" if references else "Alert", "category": "Met", "severity": random.choice(["Minor", "Moderate", "Severe"]),
        "certainty": random.choice(["Likely", "Possible", "Observed"]), "urgency": random.choice(["Expected", "Immediate", "Future"]),
        "event": event,
        "sender": "w-nws.webmaster@noaa.gov", "senderName": "NWS " + office, "headline": maybe(random, f"{event} issued by NWS {office}",
        0.9),
        "description": f"* WHAT...{event}.\n\n* WHERE...{random.choice(PLACES)}.", "instruction": maybe(random, "Use caution.", 0.6),
        "response": random.choice(["Execute", "Avoid", "Prepare"]),
        "parameters": kept(random, {"AWIPSidentifier": ["NPW" + state], "WMOidentifier": ["WWUS75 K" + state],
        "NWSheadline": ["WIND UNTIL NOON"],
            "VTEC": [f"/O.NEW.K{state}.WI.Y.{number:04}/"]}, NWSheadline=0.6, VTEC=0.9),
        "scope": "Public", "code": "IPAWSv1.0", "language": "en-US", "web": "http://www.weather.gov",
        "eventCode": {"SAME": ["NWS"], "NationalWeatherService": ["WIY"]}}
    return {"id": properties["@id"], "type": "Feature", "geometry": maybe(random, area, 0.3), "properties": properties}


def gbfs_station_information(random):
    types = ["bike", "ebike", "cargo"]
    stations = [kept(random, {
        "station_id": f"st_{number}", "name": f"{random.choice(PLACES)} / {random.choice(FAMILY)}strasse", "short_name": f"{number:04}",
        "lat": degrees(random, 52), "lon": degrees(random, 13), "address": f"{random.choice(FAMILY)}strasse {random.randint(1, 80)}",
        "cross_street": random.choice(FAMILY) + "weg", "region_id": f"r{random.randint(1, 4)}",
        "post_code": str(random.randint(10115, 14199)),
        "rental_methods": some(random, ["key", "creditcard", "phone"], 1, 3), "is_virtual_station": random.random() < 0.2,
        "capacity": random.randint(5, 40), "vehicle_type_capacity": {type: random.randint(1, 12) for type in some(random, types, 1, 3)},
        "is_charging_station": False, "rental_uris": {"android": f"https://app.example.org/s/{number}",
        "ios": f"https://app.example.org/s/{number}"},
    }, short_name=0.9, cross_street=0.4, address=0.8, post_code=0.7, vehicle_type_capacity=0.6, region_id=0.9)
        for number in range(100, 150)]
    return {"last_updated": int(START.timestamp()), "ttl": 60, "version": "2.3", "data": {"stations": stations}}


def gbfs_vehicle_types_and_status(random):
    kinds = {"t1": ("bicycle", "human", 2), "t2": ("bicycle", "electric_assist", 2), "t3": ("cargo_bicycle", "electric_assist", 3),
        "t4": ("scooter_standing", "electric", 2)}
    types = [kept(random, {"vehicle_type_id": id, "form_factor": form, "propulsion_type": power, "wheel_count": wheels,
        **({} if power == "human" else {"max_range_meters": random.randint(20, 90) * 1000.0, "rated_power": 250}),
        "name": f"{form.title()} {id}",
        "max_permitted_speed": 25, "default_reserve_time": 30, "return_constraint": random.choice(["free_floating", "any_station"]),
        "default_pricing_plan_id": "p1", "pricing_plan_ids": some(random, ["p1", "p2", "p3"], 1, 3),
        "vehicle_assets": {"icon_url": f"https://example.org/{id}.svg", "icon_last_modified": "2025-06-15"}}, vehicle_assets=0.7)
        for id, (form, power, wheels) in kinds.items()]
    bikes = []
    for _ in range(60):
        id = random.choice(list(kinds))
        electric = {} if id == "t1" else {"current_range_meters": random.randint(0, 90000) * 1.0,
            "current_fuel_percent": round(random.random(), 2)}
        parked = {"station_id": f"st_{random.randint(100, 149)}"} if random.random() < 0.4 else {"lat": degrees(random, 52),
            "lon": degrees(random, 13)}
        bikes.append({"bike_id": hexes(random, 16), **parked, "is_reserved": random.random() < 0.1, "is_disabled": random.random() < 0.1,
            "vehicle_type_id": id, "last_reported": int(moment(random, 1).timestamp()), **electric,
            "pricing_plan_id": random.choice(["p1", "p2"]),
            **kept(random, {"rental_uris": {"web": "https://example.org/rent"}, "vehicle_equipment": ["snow_chains"]}, rental_uris=0.8,
            vehicle_equipment=0.2)})
    return {"last_updated": int(START.timestamp()), "ttl": 30, "version": "2.3", "data": {"vehicle_types": types, "bikes": bikes}}


# Statistics and registers


def worldbank_indicators(random):
    indicators = [{"id": id, "value": value} for id, value in [("SP.POP.TOTL", "Population, total"),
        ("NY.GDP.PCAP.CD", "GDP per capita (current US$)"), ("EG.ELC.ACCS.ZS", "Access to electricity (% of population)")]]
    iso = {"DE": "DEU", "FR": "FRA", "NL": "NLD", "PL": "POL", "SE": "SWE", "AT": "AUT"}
    rows = []
    for indicator in indicators:
        for code, name in some(random, COUNTRIES.items(), 5, 6):
            for year in range(2024, 2020, -1):
                value = random.randrange(10**6, 9 * 10**7) if indicator["id"].startswith("SP") else random.uniform(50, 60000)
                rows.append({"indicator": indicator, "country": {"id": code, "value": name}, "countryiso3code": iso[code],
                    "date": str(year),
                    "value": maybe(random, value, 0.9), "unit": "", "obs_status": maybe(random, "", 0.95, "E"), "decimal": 0})
    return [{"page": 1, "pages": 1, "per_page": 1000, "total": len(rows), "sourceid": "2", "lastupdated": "2025-07-01"}, rows]


def eurostat_like_table(random):
    rows = ["geo;time;unit;value;flag"]
    for geo in COUNTRIES:
        for quarter in ["2024-Q1", "2024-Q2", "2024-Q3", "2024-Q4", "2025-Q1"]:
            for unit in ["CP_MEUR", "CLV10_MEUR"]:
                value = maybe(random, f"{random.uniform(9000, 990000):.1f}", 0.93, "")
                rows.append(f"{geo};{quarter};{unit};{value};{random.choice(['', '', '', 'p', 'e']) if value else 'c'}")
    return "\n".join(rows) + "\n"


def street_address(random):
    address = {"address_line_1": f"{random.randint(1, 200)} {random.choice(FAMILY)} Street", "address_line_2": "Floor 2",
        "locality": random.choice(PLACES), "region": "Northshire", "postal_code": f"N{random.randint(1, 9)} {random.randint(1, 9)}XY",
        "country": "England"}
    return kept(random, address, address_line_2=0.3, region=0.5, country=0.8)


def oecd_companies(random):
    people = [{"id": hexes(random, 27), "name": f"{random.choice(FAMILY).upper()}, {random.choice(GIVEN)}",
        "nationality": maybe(random, "British", 0.9),
        "occupation": maybe(random, random.choice(["Director", "Engineer"])), "country_of_residence": "England",
        "date_of_birth": {"month": random.randint(1, 12), "year": random.randint(1945, 1999)}, "address": street_address(random)}
        for _ in range(30)]
    companies = []
    for number in range(40):
        code, created = f"{4200000 + number * 311:08}", moment(random, 40) - timedelta(days=random.randint(300, 9000))
        name = f"{random.choice(PLACES).upper()} {random.choice(WORDS).upper()} {number} LIMITED"
        company = {"company_number": code, "company_name": name, "company_status": random.choice(["active", "active", "dissolved"]),
            "type": "ltd",
            "jurisdiction": "england-wales", "date_of_creation": f"{created:%Y-%m-%d}", "date_of_cessation": "2025-08-12",
            "etag": hexes(random, 40),
            "has_charges": random.random() < 0.2, "sic_codes": some(random, ["62012", "70229", "47910", "56103"], 1, 3),
            "registered_office_address": street_address(random), "accounts": {"next_due": "2026-06-30", "overdue": False},
            "previous_company_names": [{"name": f"{old.upper()} LTD", "effective_from": f"{created:%Y-%m-%d}", "ceased_on": "2019-03-01"}
                for old in some(random, WORDS, 0, 2)],
            "officers": [officer(random, code, person, created) for person in some(random, people, 1, 4)],
            "links": {"self": "/company/" + code}}
        if company["company_status"] == "active":
            del company["date_of_cessation"]
        companies.append(kept(random, company, previous_company_names=0.5, accounts=0.9))
    return "".join(json.dumps(company, ensure_ascii=False) + "\n" for company in companies)


def officer(random, company, person, created):
    appointment = {"name": person["name"], "officer_role": random.choice(["director", "director", "secretary"]),
        "appointed_on": f"{created + timedelta(days=random.randint(0, 200)):%Y-%m-%d}", "resigned_on": "2025-02-28",
        "nationality": person["nationality"], "occupation": person["occupation"], "country_of_residence": person["country_of_residence"],
        "date_of_birth": person["date_of_birth"], "address": person["address"],
        "links": {"self": f"/company/{company}/appointments/{hexes(random, 27)}",
        "officer": {"appointments": f"/officers/{person['id']}/appointments"}}}
    return kept(random, appointment, resigned_on=0.3)


def osm_changesets(random):
    users = [(300000 + number * 7919, f"{given.lower()}_{random.choice(WORDS)}") for number, given in enumerate(GIVEN)]
    changesets = []
    for number in range(45):
        (uid, user), opened = random.choice(users), moment(random)
        closed = {} if number == 0 else {"closed_at": zulu(opened + timedelta(minutes=9))}
        lat, lon = degrees(random, 52, 7), degrees(random, 13, 7)
        box = {"min_lat": lat, "min_lon": lon, "max_lat": round(lat + 0.01, 7), "max_lon": round(lon + 0.02, 7)}
        comments = [{"id": number * 10 + index, "visible": True, "date": zulu(opened + timedelta(days=1)), "uid": who, "user": name,
            "text": f"Is the {random.choice(WORDS)} still there?"} for index, (who, name) in enumerate(some(random, users, 0, 2)
            if number % 3 == 0 else [])]
        tags = {"comment": f"Add {random.choice(WORDS)} in {random.choice(PLACES)}", "created_by": random.choice(["iD 2.30.4",
            "JOSM/1.5 (19253 en)"]),
            "locale": "de", "host": "https://www.openstreetmap.org/edit", "source": "survey",
            "changesets_count": str(random.randint(1, 4000))}
        changesets.append({"id": 170000000 + number * 131, "created_at": zulu(opened), "open": number == 0,
            "comments_count": len(comments),
            "changes_count": random.randint(0, 300), **closed, **maybe(random, box, 0.9, {}), "uid": uid, "user": user,
            "tags": kept(random, tags, source=0.5, locale=0.7, host=0.6, comment=0.9, changesets_count=0.6), "comments": comments})
    return {"version": "0.6", "generator": "OpenStreetMap server", "copyright": "OpenStreetMap and contributors",
        "attribution": "http://www.openstreetmap.org/copyright", "license": "http://opendatacommons.org/licenses/odbl/1-0/",
        "changesets": changesets}


# Libraries


def datacite_works(random):
    clients = [{"id": f"arc.{word}", "type": "clients", "attributes": {"name": f"{word.capitalize()} Repository",
        "symbol": f"ARC.{word.upper()}",
        "year": random.randint(2012, 2024), "contactEmail": maybe(random, "doi@example.org", 0.7), "alternateName": None,
        "language": ["en"],
        "clientType": "repository", "domains": "*", "url": maybe(random, f"https://{word}.example.org/"), "created": zulu(moment(random)),
        "updated": zulu(moment(random)), "isActive": True, "hasPassword": True},
        "relationships": {"provider": {"data": {"id": random.choice(["arc", "lib"]), "type": "providers"}}}} for word in WORDS[:5]]
    providers = [{"id": id, "type": "providers", "attributes": {"name": name, "displayName": name, "symbol": id.upper(),
        "website": "https://example.org/",
        "memberType": "direct_member", "country": "DE", "region": "EMEA", "joined": "2015-04-01", "isActive": True}}
        for id, name in [("arc", "Archive Union"), ("lib", "Library Union")]]
    dois = [f"10.5072/{hexes(random, 8)}" for _ in range(40)]
    data = [datacite_work(random, doi, random.choice(clients), dois) for doi in dois]
    return {"data": data, "included": clients + providers, "meta": {"total": 40, "totalPages": 1, "page": 1,
        "states": [{"id": "findable", "title": "Findable", "count": 40}]},
        "links": {"self": "https://api.datacite.example.org/dois?page[size]=40"}}


def datacite_work(random, doi, client, dois):
    year, registered = random.randint(2015, 2025), moment(random)
    creators = [{"name": f"{family}, {given}", "nameType": "Personal", "givenName": given, "familyName": family,
        "affiliation": some(random, ["University of Norden", "Lindow Institute"], 0, 1),
        "nameIdentifiers": [{"schemeUri": "https://orcid.org",
            "nameIdentifier": f"https://orcid.org/0000-0002-{random.randint(1000, 9999)}-000X",
            "nameIdentifierScheme": "ORCID"}][:random.randint(0, 1)]}
        for given, family in zip(some(random, GIVEN, 1, 4), FAMILY)]
    related = [{"relationType": random.choice(["References", "IsCitedBy", "IsPartOf"]), "relatedIdentifier": other,
        "relatedIdentifierType": "DOI"}
        for other in some(random, [one for one in dois if one != doi], 0, 3)]
    attributes = {"doi": doi, "prefix": "10.5072", "suffix": doi[8:], "identifiers": [], "alternateIdentifiers": [], "creators": creators,
        "titles": [{"lang": "en", "title": title(random)}], "publisher": "Archive Union Press", "container": {}, "publicationYear": year,
        "subjects": [{"subject": word} for word in some(random, WORDS, 0, 4)], "contributors": [],
        "dates": [{"date": f"{year}-0{random.randint(1, 9)}-15", "dateType": kind} for kind in ["Issued"] + some(random,
        ["Created", "Updated"], 0, 2)],
        "language": maybe(random, "en"), "types": {"ris": "DATA", "bibtex": "misc", "citeproc": "dataset", "schemaOrg": "Dataset",
            "resourceType": maybe(random, "Survey", 0.6, ""), "resourceTypeGeneral": random.choice(["Dataset", "Software", "Text"])},
        "relatedIdentifiers": related, "sizes": some(random, ["12 MB", "3 files"], 0, 2), "formats": ["text/csv"],
        "version": maybe(random, "1.1", 0.5),
        "rightsList": [{"rights": "Creative Commons Attribution 4.0",
        "rightsUri": "https://creativecommons.org/licenses/by/4.0/legalcode", "rightsIdentifier": "cc-by-4.0"}],
        "descriptions": [{"description": "Measured, and written down.", "descriptionType": "Abstract"}][:random.randint(0, 1)],
        "geoLocations": [],
        "fundingReferences": [], "url": "https://example.org/works/" + doi[8:], "contentUrl": None,
        "metadataVersion": random.randint(0, 5),
        "schemaVersion": "http://datacite.org/schema/kernel-4", "source": "mds", "isActive": True, "state": "findable", "reason": None,
        "viewCount": random.randrange(900), "downloadCount": random.randrange(200), "referenceCount": len(related),
        "citationCount": random.randrange(9),
        "created": zulu(registered, ".000Z"), "registered": zulu(registered, ".000Z"), "published": str(year),
        "updated": zulu(registered + timedelta(days=2), ".000Z")}
    references = [{"id": one["relatedIdentifier"], "type": "dois"} for one in related if one["relationType"] == "References"]
    return {"id": doi, "type": "dois", "attributes": attributes, "relationships": {"client": {"data": {"id": client["id"],
        "type": "clients"}},
        "provider": {"data": client["relationships"]["provider"]["data"]}, "media": {"data": []}, "references": {"data": references}}}


def crossref_works(random):
    funders = [(f"10.13039/5011000{number}", f"{place} Science Fund") for number, place in enumerate(PLACES[:6], 10000)]
    dois = [f"10.5555/jx.{2020 + number % 6}.{number:04}" for number in range(45)]
    message = {"facets": {}, "total-results": 45, "items": [crossref_work(random, doi, dois, funders) for doi in dois],
        "items-per-page": 45,
        "query": {"start-index": 0, "search-terms": None}}
    return {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message}


def stamped(time):
    return {"date-parts": [[time.year, time.month, time.day]], "date-time": zulu(time), "timestamp": millis(time)}


def crossref_work(random, doi, dois, funders):
    time, year = moment(random), int(doi[11:15]) if doi[11:15].isdigit() else 2022
    authors = [kept(random, {"ORCID": f"http://orcid.org/0000-0003-{random.randint(1000, 9999)}-1234", "authenticated-orcid": False,
        "given": given,
        "family": random.choice(FAMILY), "sequence": "additional" if index else "first", "affiliation": [{"name": name} for name in
            some(random, ["University of Norden", "Lindow Institute", "Marsh College"], 0, 2)]}, ORCID=0.4, given=0.95)
        for index, given in enumerate(some(random, GIVEN, 1, 5))]
    references = [kept(random, {"key": f"ref{index}", "doi-asserted-by": "publisher", "DOI": other, "author": random.choice(FAMILY),
        "year": str(year - 3),
        "article-title": title(random), "journal-title": "Annals of Places"}, DOI=0.7, author=0.8, article_title=0.7)
        for index, other in enumerate(some(random, [one for one in dois if one != doi], 0, 5), 1)]
    paid = [{"DOI": id, "name": name, "doi-asserted-by": "publisher", "award": some(random, ["A-17", "B-203", "C-9"], 0, 2)} for id,
        name in some(random, funders, 0, 2)]
    journal, issn = random.choice([("Annals of Places", "1234-5679"), ("Journal of Rivers", "2049-3630"),
        ("Harbour Letters", "0317-8471")])
    work = {"indexed": stamped(time + timedelta(days=9)), "publisher": "Pelling Press", "issue": str(random.randint(1, 12)),
        "prefix": "10.5555",
        "license": [{"start": stamped(time), "content-version": "vor", "delay-in-days": 0,
        "URL": "https://creativecommons.org/licenses/by/4.0/"}],
        "funder": paid, "DOI": doi, "type": random.choice(["journal-article", "journal-article", "book-chapter"]),
        "created": stamped(time),
        "page": f"{random.randint(1, 90)}-{random.randint(91, 180)}", "source": "Crossref",
        "is-referenced-by-count": random.randrange(80),
        "title": [title(random)], "volume": str(random.randint(1, 60)), "author": authors, "member": "78",
        "published-print": {"date-parts": [[year, random.randint(1, 12)]]}, "reference": references, "container-title": [journal],
        "language": "en", "link": [{"URL": f"https://example.org/pdf/{doi}", "content-type": "application/pdf", "content-version": "vor",
            "intended-application": "text-mining"}], "deposited": stamped(time), "score": round(random.uniform(5, 20), 5),
        "resource": {"primary": {"URL": f"https://example.org/{doi}"}}, "issued": {"date-parts": [some(random,
        [[year], [year, 5], [year, 5, 17]], 1, 1)[0]]},
        "references-count": len(references), "URL": f"https://doi.org/{doi}", "ISSN": [issn],
        "issn-type": [{"value": issn, "type": "print"}]}
    return kept(random, work, issue=0.7, page=0.8, volume=0.9, funder=0.5, license=0.7, link=0.6, language=0.8, published_print=0.6)


def orcid_records(random):
    organizations = [{"name": f"University of {place}", "address": {"city": place, "region": maybe(random, "Northshire", 0.4),
        "country": random.choice(list(COUNTRIES))},
        "disambiguated-organization": {"disambiguated-organization-identifier": f"https://ror.org/0{hexes(random, 8)}",
        "disambiguation-source": "ROR"}}
        for place in PLACES[:8]]
    return [orcid_record(random, number, organizations) for number in range(30)]


def day(year, month=None):
    return {"year": {"value": str(year)}, "month": month and {"value": f"{month:02}"}, "day": None}


def orcid_record(random, number, organizations):
    orcid, created = f"0000-0001-{5000 + number}-{random.randint(1000, 9999)}", moment(random)
    keywords = [{"created-date": {"value": millis(created)}, "visibility": "public", "content": word,
        "put-code": 1000 + number * 10 + index,
        "display-index": index} for index, word in enumerate(some(random, WORDS, 0, 3))]
    jobs = [{"summaries": [{"employment-summary": {"created-date": {"value": millis(created)}, "put-code": 50000 + number * 10 + index,
        "path":
        f"/{orcid}/employment/{50000 + number * 10 + index}", "department-name": maybe(random, "Physics", 0.6),
        "role-title": maybe(random, "Researcher", 0.8),
        "start-date": day(2010 + index, maybe(random, 9)), "end-date": maybe(random, day(2015 + index), 0.4),
        "organization": organization,
        "url": None, "visibility": "public"}}]} for index, organization in enumerate(some(random, organizations, 0, 3))]
    person = {"name": {"created-date": {"value": millis(created)}, "given-names": {"value": random.choice(GIVEN)}, "family-name":
        maybe(random, {"value": random.choice(FAMILY)}, 0.9), "credit-name": None, "visibility": "public", "path": orcid},
        "biography": maybe(random, {"content": f"Works on {random.choice(WORDS)}s.", "visibility": "public"}, 0.4),
        "researcher-urls": {"researcher-url": [{"url-name": "Home", "url": {"value": f"https://example.org/{number}"},
        "put-code": 7000 + number}][:number % 2]},
        "addresses": {"address": [{"country": {"value": random.choice(list(COUNTRIES))},
        "put-code": 9000 + number}][:1 - number % 3 // 2]},
        "keywords": {"keyword": keywords}, "emails": {"email": []}, "path": f"/{orcid}/person"}
    works = [{"external-ids": {"external-id": []}, "work-summary": [orcid_work(random, orcid, 200000 + number * 10 + index)]}
        for index in range(random.randint(0, 4))]
    return {"orcid-identifier": {"uri": "https://orcid.org/" + orcid, "path": orcid, "host": "orcid.org"},
        "preferences": {"locale": "en"},
        "history": {"creation-method": "DIRECT", "completion-date": None, "submission-date": {"value": millis(created)},
            "last-modified-date": {"value": millis(created) + 86400123}, "claimed": True, "verified-email": random.random() < 0.8},
        "person": person, "activities-summary": {"employments": {"affiliation-group": jobs, "path": f"/{orcid}/employments"}, "works":
            {"group": works, "path": f"/{orcid}/works"}}, "path": "/" + orcid}


def orcid_work(random, orcid, code):
    doi = f"10.5555/or.{code}"
    ids = [{"external-id-type": "doi", "external-id-value": doi, "external-id-url": {"value": "https://doi.org/" + doi},
        "external-id-relationship": "self"}]
    ids += [{"external-id-type": "eid", "external-id-value": f"2-s2.0-{code}", "external-id-url": None,
        "external-id-relationship": "self"}]
    return {"put-code": code, "created-date": {"value": millis(START)}, "last-modified-date": {"value": millis(START) + 5000},
        "source": {"source-name": {"value": random.choice(["Crossref", "Scopus"])}}, "title": {"title": {"value": title(random)},
        "subtitle": None},
        "external-ids": {"external-id": ids[:random.randint(0, 2)]}, "url": maybe(random, {"value": "https://doi.org/" + doi}, 0.5),
        "type": random.choice(["journal-article", "conference-paper"]), "publication-date": maybe(random,
        day(random.randint(2008, 2025), maybe(random, 4)), 0.9),
        "journal-title": maybe(random, {"value": "Annals of Places"}), "visibility": "public", "path": f"/{orcid}/work/{code}",
        "display-index": "1"}


# Museums


def europeana_items(random):
    items = []
    for number in range(48):
        dataset, name, created = f"{random.randint(100, 104)}_Ag_{random.choice('AB')}", title(random), moment(random)
        id, lang = f"/{dataset[:3]}/item_{hexes(random, 8)}_{number}", random.choice(["de", "nl", "fr"])
        concepts = some(random, [f"http://data.europeana.eu/concept/{100 + index}" for index in range(12)], 0, 3)
        item = {"id": id, "title": [name], "dcTitleLangAware": {lang: [name], "en": [name + " (view)"]},
            "dcCreator": [random.choice(FAMILY)],
            "dcDescription": ["A view, from the north."], "dcLanguage": [lang],
            "dataProvider": [f"Museum of {random.choice(PLACES[:6])}"], "provider": ["Archives Hub"],
            "country": [random.choice(list(COUNTRIES.values()))], "edmConcept": concepts, "edmDatasetName": [dataset],
            "edmIsShownAt": ["https://example.org" + id],
            "edmPreview": ["https://api.europeana.example.org/thumbnail" + id], "edmPlaceLatitude": [f"{degrees(random, 50, 4)}"],
            "edmPlaceLongitude": [f"{degrees(random, 9, 4)}"], "europeanaCollectionName": [dataset],
            "europeanaCompleteness": random.randint(1, 10),
            "guid": f"https://www.europeana.eu/item{id}", "index": 0, "language": [lang],
            "link": f"https://api.europeana.eu/record{id}.json",
            "previewNoDistribute": False, "rights": [random.choice(["http://creativecommons.org/publicdomain/mark/1.0/",
            "http://rightsstatements.org/vocab/InC/1.0/"])],
            "score": round(random.uniform(1, 40), 5), "timestamp": millis(created), "timestamp_created": zulu(created, ".412Z"),
            "timestamp_created_epoch": millis(created) + 412, "timestamp_update": zulu(created + timedelta(days=4), ".007Z"),
            "timestamp_update_epoch": millis(created + timedelta(days=4)) + 7, "type": random.choice(["IMAGE", "TEXT", "3D"]),
            "ugc": [False],
            "year": [str(random.randint(1700, 1950))]}
        items.append(kept(random, item, dcCreator=0.7, dcDescription=0.6, edmPlaceLatitude=1, edmConcept=0.8, year=0.7, edmPreview=0.9))
    return {"apikey": "demo", "success": True, "requestNumber": 999, "itemsCount": 48, "totalResults": 48, "nextCursor": "AoE/EC8xMDAv",
        "items": items}


def rijksmuseum_like_objects(random):
    makers = [{"name": f"{given} {family}", "unFixedName": f"{family}, {given}", "placeOfBirth": random.choice(PLACES),
        "dateOfBirth": f"{year}-03-04",
        "dateOfBirthPrecision": None, "dateOfDeath": maybe(random, f"{year + 61}", 0.8), "dateOfDeathPrecision": None,
        "placeOfDeath": maybe(random, random.choice(PLACES)),
        "occupation": some(random, ["painter", "printmaker", "potter"], 0, 2), "nationality": maybe(random, "Dutch"), "biography": None}
        for given, family, year in zip(GIVEN, FAMILY, range(1600, 1700, 9))]
    objects = [museum_object(random, number, some(random, makers, 1, 2)) for number in range(40)]
    return {"elapsedMilliseconds": 0, "count": 40, "countFacets": {"hasimage": 36, "ondisplay": 9}, "artObjects": objects}


def museum_object(random, number, makers):
    code, year, name = f"SK-A-{300 + number}", random.randint(1640, 1760), title(random)
    image = {"guid": uid(random), "offsetPercentageX": random.randint(0, 50), "offsetPercentageY": 0, "width": random.randint(1000, 6000),
        "height": random.randint(1000, 6000), "url": f"https://images.example.org/{hexes(random, 20)}=s0"}
    principal = [{**maker, "roles": some(random, ["painter", "designer", "attributed to"], 1, 2),
        "productionPlaces": some(random, PLACES, 0, 1),
        "qualification": maybe(random, "workshop of", 0.2)} for maker in makers]
    size = [{"unit": "cm", "type": type, "precision": None, "part": maybe(random, "frame", 0.1), "value": str(random.randint(10, 300))}
        for type in ["height", "width"] + some(random, ["depth", "weight"], 0, 1)]
    return {"links": {"search": "https://www.example.org/api/nl/collection"}, "id": "en-" + code, "priref": str(5000 + number * 3),
        "objectNumber": code, "language": "en",
        "title": name, "copyrightHolder": None, "webImage": maybe(random, image, 0.9),
        "colors": [{"percentage": random.randint(1, 80), "hex": "#" + hexes(random, 6)}
            for _ in range(3)], "titles": [], "description": maybe(random, f"A {random.choice(WORDS)} at dusk.", 0.8), "labelText": None,
        "objectTypes": some(random, ["painting", "print", "jar"], 1, 2), "objectCollection": ["paintings"], "makers": [],
        "principalMakers": principal,
        "principalMaker": principal[0]["name"], "materials": some(random, ["canvas", "oil paint (paint)", "panel", "clay", "silver"], 1,
        3),
        "techniques": some(random, ["painting", "gilding", "etching"], 0, 2), "productionPlaces": some(random, PLACES, 0, 1),
        "dating": {"presentingDate": f"c. {year}", "sortingDate": year, "period": 17 if year <= 1700 else 18, "yearEarly": year - 5,
        "yearLate": year},
        "classification": {"iconClassIdentifier": some(random, ["25H213", "46C24", "31D14"], 0, 2), "places": some(random, PLACES, 0, 2)},
        "hasImage": True,
        "inscriptions": some(random, ["signature: ‘A.’", "date: ‘1650’"], 0, 2), "documentation": [], "catRefRPK": [],
        "principalOrFirstMaker": principal[0]["name"],
        "dimensions": size, "physicalProperties": [], "physicalMedium": "oil on canvas",
        "longTitle": f"{name}, {principal[0]['name']}, c. {year}",
        "acquisition": {"method": random.choice(["purchase", "bequest", "loan"]), "date": maybe(random,
        f"{random.randint(1850, 1990)}-01-01T00:00:00Z"),
            "creditLine": maybe(random, "On loan from the City", 0.4)}, "exhibitions": [],
            "location": maybe(random, f"HG-2.{random.randint(1, 30)}", 0.4), "showImage": True}


SHAPES = {
    "ckan-packages.json": ckan_packages,
    "socrata-rows.json": socrata_rows,
    "arcgis-features.json": arcgis_features,
    "geojson-lines.json": geojson_lines,
    "nominatim-places.json": nominatim_places,
    "openaq-measurements.json": openaq_measurements,
    "metno-forecast.json": metno_forecast,
    "nws-alerts.json": nws_alerts,
    "gbfs-station-information.json": gbfs_station_information,
    "gbfs-vehicle-types-and-status.json": gbfs_vehicle_types_and_status,
    "worldbank-indicators.json": worldbank_indicators,
    "eurostat-like-table.csv": eurostat_like_table,
    "oecd-companies.ndjson": oecd_companies,
    "osm-changesets.json": osm_changesets,
    "datacite-works.json": datacite_works,
    "crossref-works.json": crossref_works,
    "orcid-records.json": orcid_records,
    "europeana-items.json": europeana_items,
    "rijksmuseum-like-objects.json": rijksmuseum_like_objects,
}
