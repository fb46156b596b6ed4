"""Creates the reference coverages europe.json and conus.json with another program (shapely on GEOS).

    npm pack world-atlas@2.0.2 && tar xf world-atlas-2.0.2.tgz
    python make.py package/countries-50m.json

Countries are clipped to a box, united, stripped of islands below 0.3 square degrees, projected with edges divided
to 0.25 degrees, widened by 0.002, and simplified to 0.0005. `widened` holds the measures before simplification.
"""

import json
import sys

import numpy as np
from shapely.geometry import Polygon, box
from shapely.ops import unary_union

EUROPE = (
    "620 724 250 056 528 442 276 756 040 380 826 372 208 203 703 616 348 705 191 070 688 499 008 807 300 100 642 "
    "578 752 246 233 428 440"
).split()
CASES = {
    "europe": (EUROPE, (-11, 35, 32, 72), 5),
    "conus": (["840", "124"], (-130, 24, -52, 60), -91),
}
EARTH, ORBIT = 6378.137, 42164.0


def positions(arc, transform):
    return np.cumsum(arc, axis=0) * transform["scale"] + transform["translate"]


def ring(numbers, arcs):
    parts = [arcs[n] if n >= 0 else arcs[~n][::-1] for n in numbers]
    return np.concatenate([parts[0]] + [part[1:] for part in parts[1:]])


def direction_cosines(places, longitude):
    east, latitude = np.radians(places[:, 0] - longitude), np.radians(places[:, 1])
    x = EARTH * np.cos(latitude) * np.cos(east) - ORBIT
    y = EARTH * np.cos(latitude) * np.sin(east)
    z = EARTH * np.sin(latitude)
    return np.c_[y, z] / np.sqrt(x * x + y * y + z * z)[:, None]


def measures(region):
    return {"area": region.area, "centroid": [region.centroid.x, region.centroid.y], "bounds": list(region.bounds)}


def main(source):
    with open(source, encoding="utf-8") as file:
        topology = json.load(file)
    arcs = [positions(arc, topology["transform"]) for arc in topology["arcs"]]
    countries = {c.get("id"): c for c in topology["objects"]["countries"]["geometries"]}
    for case, (ids, corners, longitude) in CASES.items():
        parts = []
        for country in (countries[i] for i in ids):
            polygons = [country["arcs"]] if country["type"] == "Polygon" else country["arcs"]
            parts += [Polygon(ring(p[0], arcs)).buffer(0).intersection(box(*corners)) for p in polygons]
        land = [p.segmentize(0.25) for p in unary_union(parts).geoms if p.area >= 0.3]
        seen = [Polygon(direction_cosines(np.array(p.exterior.coords), longitude)).buffer(0) for p in land]
        widened = unary_union(seen).buffer(0.002)
        region = widened.simplify(0.0005)
        polygons = getattr(region, "geoms", [region])
        rings = [[list(r.coords) for r in (p.exterior, *p.interiors)] for p in polygons]
        record = {**measures(region), "widened": measures(widened), "polygons": rings}
        with open(f"{case}.json", "w", encoding="utf-8") as file:
            json.dump(record, file)
            file.write("\n")


main(*sys.argv[1:])
