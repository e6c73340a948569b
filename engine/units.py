"""The units that make a number an amount (EXT-4), by their folded spelling.

A number without one of these is bare: the subject of a fact, or a count, and never what a review corrects. So the list
is careful: no word that often stands after a number for another reason (`in`, `all`, `a`), and no unit that would turn
codes into amounts. Spellings of one unit share a name; `$` is no country's dollar and stays apart from `usd`.
"""

from __future__ import annotations

_CODES = """
aed ars aud bdt bgn bhd brl btc cad chf clp cny czk dkk egp eur gbp ghs hkd huf idr ils inr isk jpy kes krw kwd lkr
mxn myr ngn nok nzd omr pkr pln qar rub sar sek sgd thb twd uah usd usdc usdt uyu vnd zar
"""
_SIGNS = "$ ¢ £ ¥ ₦ ₩ ₪ ₫ € ₴ ₹ ₺ ₽ ₿ us$"

# A name, then its spellings. The words of one spelling are joined by an underscore. A name may have several lines.
_SPELLINGS = """
% % percent pct per_cent процент процента процентов
‰ ‰
pp pp percentage_points percentage_point
bp bp bps basis_points basis_point
usd us$ us_dollars us_dollar
eur € euro euros евро ユ_ー_ロ
gbp £
dollar dollar dollars доллар доллара долларов ド_ル
cent cent cents ¢
pound pound pounds
yen yen 円
10000_yen 万_円
100000000_yen 億_円
yuan yuan 元
rub ₽ руб рубль рубля рублей
won won 원
ms ms millisecond milliseconds
s sec secs second seconds 秒 секунда секунды секунд
min min mins minute minutes 分 минута минуты минут
h h hr hrs hour hours 時_間 час часа часов
day day days 日_間 день дня дней
business_day business_day business_days working_day working_days
calendar_day calendar_day calendar_days
week week weeks 週_間 неделя недели недель
month month months か_月 ヶ_月 месяц месяца месяцев
year year years yr yrs 年_間 год года лет
mm mm millimetre millimetres millimeter millimeters
cm cm centimetre centimetres centimeter centimeters
m m metre metres meter meters
km km kilometre kilometres kilometer kilometers км
inch inch inches ″
foot foot feet ft ′
yard yard yards yd
mile mile miles mi
m2 m2 m² sqm square_metres square_meters
km2 km2 km²
ha ha hectare hectares
mg mg milligram milligrams
g g gram grams gramme grammes
kg kg kgs kilo kilos kilogram kilograms кг
t tonne tonnes
ton ton tons
lb lb lbs
oz oz ounce ounces
ml ml millilitre millilitres milliliter milliliters
l l litre litres liter liters
gallon gallon gallons gal
byte byte bytes
kb kb kilobyte kilobytes
mb mb megabyte megabytes
gb gb gigabyte gigabytes
tb tb terabyte terabytes
kib kib
mib mib
gib gib
tib tib
kbps kbps kbit/s
mbps mbps mbit/s
gbps gbps gbit/s
km/h kmh kph
mph mph
hz hz hertz
khz khz
mhz mhz
ghz ghz
rpm rpm
w watt watts
kw kw kilowatt kilowatts
kwh kwh
mwh mwh
°c °c
°f °f
° °
"""  # noqa: RUF001 - Cyrillic letters that look Latin are meant

# After one of these a number without separators is a name: "wire 4471 USD", "room 12 m2".
_NAMED = """
# № account accounts acct apartment apt article batch bed bin box branch building bus card case chapter channel check
cheque class clause client code contract counter customer desk document dossier entry file flat flight floor form gate
group id invoice item job key lane level line loan locker lot member model no nr number order page paragraph part
patient phase platform plot po policy port process record ref reference release request room row rule seat section
series server session shelf site size sku slot stage step store suite table task team terminal ticket tier track train
transaction transfer tx type unit user vendor version ward wire zone rechnung konto auftrag kunde facture compte
commande cuenta factura pedido cliente fattura conto ordine счет счёт заказ номер
"""


def _read(spellings: str) -> dict[str, str]:
    lines = (line.split(" ") for line in spellings.strip().splitlines())
    return {spelling.replace("_", " "): name for name, *alike in lines for spelling in alike}


CURRENCY_CODES = frozenset(_CODES.split())
CURRENCY_SIGNS = tuple(sorted(_SIGNS.split(), key=len, reverse=True))  # the longest first
UNITS = {sign: sign for sign in CURRENCY_SIGNS} | {code: code for code in CURRENCY_CODES} | _read(_SPELLINGS)
LONGEST = max(len(spelling.split(" ")) for spelling in UNITS)  # words
MONEY = frozenset(UNITS[word] for word in (*CURRENCY_CODES, *CURRENCY_SIGNS, "dollar", "pound", "yen", "yuan", "won"))
NAMED_BY_NUMBER = frozenset(_NAMED.split())

# Between a number and a currency: "9k USD", "$2 million".
MULTIPLIERS = {
    "k": 1_000,
    "thousand": 1_000,
    "m": 1_000_000,
    "mn": 1_000_000,
    "million": 1_000_000,
    "bn": 1_000_000_000,
    "billion": 1_000_000_000,
}


def unit_named(spelling: str) -> str | None:
    """The name of a unit, or of a rate (`usd/day`, `km/h`); None for any other word."""
    over, slash, under = spelling.partition("/")
    if spelling in UNITS or not slash:
        return UNITS.get(spelling)
    return f"{UNITS[over]}/{UNITS[under]}" if over in UNITS and under in UNITS else None
