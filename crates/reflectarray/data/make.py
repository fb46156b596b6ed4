"""Creates countries-50m.json.gz, the outlines of countries, from the npm package world-atlas 2.0.2.

    npm pack world-atlas@2.0.2 && tar xf world-atlas-2.0.2.tgz
    python make.py package/countries-50m.json countries-50m.json.gz

The TopoJSON is unmodified except for the object `land`, which is removed. Every country gets its full name, its
alpha-3 code of ISO 3166-1 (Kosovo the user-assigned XKX), and its alternative names.
"""

import gzip
import json
import sys

ALPHA3 = """
004 AFG 008 ALB 010 ATA 012 DZA 016 ASM 020 AND 024 AGO 028 ATG 031 AZE 032 ARG 036 AUS 040 AUT 044 BHS 048 BHR
050 BGD 051 ARM 052 BRB 056 BEL 060 BMU 064 BTN 068 BOL 070 BIH 072 BWA 076 BRA 084 BLZ 086 IOT 090 SLB 092 VGB
096 BRN 100 BGR 104 MMR 108 BDI 112 BLR 116 KHM 120 CMR 124 CAN 132 CPV 136 CYM 140 CAF 144 LKA 148 TCD 152 CHL
156 CHN 158 TWN 170 COL 174 COM 178 COG 180 COD 184 COK 188 CRI 191 HRV 192 CUB 196 CYP 203 CZE 204 BEN 208 DNK
212 DMA 214 DOM 218 ECU 222 SLV 226 GNQ 231 ETH 232 ERI 233 EST 234 FRO 238 FLK 239 SGS 242 FJI 246 FIN 248 ALA
250 FRA 258 PYF 260 ATF 262 DJI 266 GAB 268 GEO 270 GMB 275 PSE 276 DEU 288 GHA 296 KIR 300 GRC 304 GRL 308 GRD
316 GUM 320 GTM 324 GIN 328 GUY 332 HTI 334 HMD 336 VAT 340 HND 344 HKG 348 HUN 352 ISL 356 IND 360 IDN 364 IRN
368 IRQ 372 IRL 376 ISR 380 ITA 384 CIV 388 JAM 392 JPN 398 KAZ 400 JOR 404 KEN 408 PRK 410 KOR 414 KWT 417 KGZ
418 LAO 422 LBN 426 LSO 428 LVA 430 LBR 434 LBY 438 LIE 440 LTU 442 LUX 446 MAC 450 MDG 454 MWI 458 MYS 462 MDV
466 MLI 470 MLT 478 MRT 480 MUS 484 MEX 492 MCO 496 MNG 498 MDA 499 MNE 500 MSR 504 MAR 508 MOZ 512 OMN 516 NAM
520 NRU 524 NPL 528 NLD 531 CUW 533 ABW 534 SXM 540 NCL 548 VUT 554 NZL 558 NIC 562 NER 566 NGA 570 NIU 574 NFK
578 NOR 580 MNP 583 FSM 584 MHL 585 PLW 586 PAK 591 PAN 598 PNG 600 PRY 604 PER 608 PHL 612 PCN 616 POL 620 PRT
624 GNB 626 TLS 630 PRI 634 QAT 642 ROU 643 RUS 646 RWA 652 BLM 654 SHN 659 KNA 660 AIA 662 LCA 663 MAF 666 SPM
670 VCT 674 SMR 678 STP 682 SAU 686 SEN 688 SRB 690 SYC 694 SLE 702 SGP 703 SVK 704 VNM 705 SVN 706 SOM 710 ZAF
716 ZWE 724 ESP 728 SSD 729 SDN 732 ESH 740 SUR 748 SWZ 752 SWE 756 CHE 760 SYR 762 TJK 764 THA 768 TGO 776 TON
780 TTO 784 ARE 788 TUN 792 TUR 795 TKM 796 TCA 800 UGA 804 UKR 807 MKD 818 EGY 826 GBR 831 GGY 832 JEY 833 IMN
834 TZA 840 USA 850 VIR 854 BFA 858 URY 860 UZB 862 VEN 876 WLF 882 WSM 887 YEM 894 ZMB
""".split()
ALPHA3 = dict(zip(ALPHA3[::2], ALPHA3[1::2], strict=True))

# Full names where the source abbreviates or is out of date; its name becomes an alternative name.
FULL = {
    "Marshall Is.": "Marshall Islands",
    "N. Mariana Is.": "Northern Mariana Islands",
    "U.S. Virgin Is.": "United States Virgin Islands",
    "S. Geo. and the Is.": "South Georgia and the South Sandwich Islands",
    "Br. Indian Ocean Ter.": "British Indian Ocean Territory",
    "Pitcairn Is.": "Pitcairn Islands",
    "Falkland Is.": "Falkland Islands",
    "Cayman Is.": "Cayman Islands",
    "British Virgin Is.": "British Virgin Islands",
    "Turks and Caicos Is.": "Turks and Caicos Islands",
    "eSwatini": "Eswatini",
    "S. Sudan": "South Sudan",
    "Solomon Is.": "Solomon Islands",
    "São Tomé and Principe": "São Tomé and Príncipe",
    "St. Vin. and Gren.": "Saint Vincent and the Grenadines",
    "St. Kitts and Nevis": "Saint Kitts and Nevis",
    "Cook Is.": "Cook Islands",
    "W. Sahara": "Western Sahara",
    "Macedonia": "North Macedonia",
    "St. Pierre and Miquelon": "Saint Pierre and Miquelon",
    "Wallis and Futuna Is.": "Wallis and Futuna",
    "St-Martin": "Saint Martin",
    "St-Barthélemy": "Saint Barthélemy",
    "Fr. Polynesia": "French Polynesia",
    "Fr. S. Antarctic Lands": "French Southern and Antarctic Lands",
    "Åland": "Åland Islands",
    "Eq. Guinea": "Equatorial Guinea",
    "Dominican Rep.": "Dominican Republic",
    "Faeroe Is.": "Faroe Islands",
    "N. Cyprus": "Northern Cyprus",
    "Dem. Rep. Congo": "Democratic Republic of the Congo",
    "Central African Rep.": "Central African Republic",
    "Bosnia and Herz.": "Bosnia and Herzegovina",
    "Indian Ocean Ter.": "Australian Indian Ocean Territories",
    "Heard I. and McDonald Is.": "Heard Island and McDonald Islands",
    "Ashmore and Cartier Is.": "Ashmore and Cartier Islands",
    "Antigua and Barb.": "Antigua and Barbuda",
}

ALSO = {
    "Cabo Verde": ["Cape Verde"],
    "Czechia": ["Czech Republic"],
    "Côte d'Ivoire": ["Ivory Coast", "Cote d'Ivoire"],
    "Timor-Leste": ["East Timor"],
    "Turkey": ["Türkiye", "Turkiye"],
    "Myanmar": ["Burma"],
    "eSwatini": ["Swaziland"],
    "Congo": ["Republic of the Congo"],
    "Dem. Rep. Congo": ["DR Congo"],
    "United States of America": ["United States"],
    "Macao": ["Macau"],
    "Curaçao": ["Curacao"],
    "São Tomé and Principe": ["Sao Tome and Principe"],
    "St-Barthélemy": ["Saint Barthelemy"],
    "Åland": ["Aland Islands"],
    "Vatican": ["Vatican City", "Holy See"],
}


def described(country):
    source = country["properties"]["name"]
    properties = {"name": FULL.get(source, source)}
    alpha3 = "XKX" if source == "Kosovo" else ALPHA3[country["id"]] if "id" in country else None
    if alpha3:
        properties["alpha3"] = alpha3
    also = ([source] if source in FULL else []) + ALSO.get(source, [])
    if also:
        properties["also"] = also
    return {**country, "properties": properties}


def main(source, target):
    with open(source, encoding="utf-8") as file:
        topology = json.load(file)
    countries = topology["objects"]["countries"]
    countries["geometries"] = [described(country) for country in countries["geometries"]]
    topology["objects"] = {"countries": countries}
    text = json.dumps(topology, ensure_ascii=False, separators=(",", ":"))
    with open(target, "wb") as file:
        file.write(gzip.compress(text.encode(), 9, mtime=0))


main(*sys.argv[1:])
