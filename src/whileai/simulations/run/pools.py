"""Words that made-up records and asks are filled with: names, places, things, days."""

from __future__ import annotations

FIRST_NAMES = (
    "Ana",
    "Ben",
    "Chloe",
    "Dario",
    "Elif",
    "Farah",
    "Goran",
    "Hana",
    "Ivo",
    "Jonas",
    "Kofi",
    "Lena",
    "Mateo",
    "Nadia",
    "Omar",
    "Priya",
    "Quentin",
    "Rosa",
    "Sven",
    "Tara",
    "Umar",
    "Vera",
    "Wen",
    "Yusuf",
    "Zoe",
    "Ruth",
    "Marek",
    "Ines",
)
LAST_NAMES = (
    "Costa",
    "Hughes",
    "Novak",
    "Petrov",
    "Yilmaz",
    "Okafor",
    "Lindgren",
    "Moreau",
    "Tanaka",
    "Silva",
    "Schmidt",
    "Rossi",
    "Kaur",
    "Bakker",
    "Nguyen",
    "Hale",
    "Dietrich",
    "Ferreira",
    "Walsh",
    "Osei",
    "Varga",
    "Lund",
    "Mensah",
)
CITIES = (
    "Porto",
    "Leeds",
    "Ghent",
    "Turin",
    "Lyon",
    "Malmo",
    "Graz",
    "Utrecht",
    "Denver",
    "Austin",
    "Osaka",
    "Seville",
    "Tampere",
    "Bergen",
    "Krakow",
    "Bristol",
    "Nantes",
    "Basel",
    "Toronto",
    "Dublin",
)
AIRPORTS = ("LIS", "OSL", "BER", "AMS", "CDG", "MAD", "VIE", "ZRH", "DUB", "CPH", "JFK", "SFO", "SEA", "BOS", "ORD")
COUNTRIES = ("Portugal", "Norway", "Germany", "France", "Italy", "Spain", "Austria", "Ireland", "Canada", "Japan")
STREETS = ("Mill Lane", "Station Road", "Harbour Street", "Elm Avenue", "Church Road", "Park Crescent", "Bridge Street")
ITEMS = (
    "desk lamp",
    "rain jacket",
    "coffee grinder",
    "wool blanket",
    "bike light",
    "standing desk",
    "travel mug",
    "hiking boots",
    "phone stand",
    "kettle",
    "backpack",
    "office chair",
    "yoga mat",
    "bluetooth speaker",
    "cutting board",
)
COMPANIES = ("Contoso", "Fabrikam", "Northwind", "Tailspin", "Litware", "Wingtip", "Proseware", "Adatum")
TOPICS = (
    "quarterly report",
    "onboarding plan",
    "budget review",
    "release notes",
    "travel policy",
    "hiring plan",
    "sales forecast",
    "supplier contract",
    "design draft",
    "incident summary",
    "holiday schedule",
    "price list",
)
MEETINGS = (
    "Design review",
    "Budget check-in",
    "Sprint planning",
    "Team lunch",
    "Client call",
    "One-on-one",
    "Hiring sync",
    "Roadmap session",
    "Retrospective",
    "Dentist",
    "Project kickoff",
    "Quarterly review",
)
SUBJECTS = (
    "Notes from today's call",
    "Updated price list",
    "Change of plan for Friday",
    "Invoice question",
    "Welcome aboard",
    "Draft contract attached",
    "Next steps",
    "Agenda for Monday",
    "Shipping delay",
    "Room booking",
)
SENTENCES = (
    "The delivery slot moved to Thursday afternoon.",
    "Please use the side entrance.",
    "The numbers are final now.",
    "We agreed on the second option.",
    "The meeting room has changed to 4B.",
    "I'll be out until Wednesday.",
    "The client asked for a shorter version.",
    "Parking is behind the building.",
)
REASONS = (
    "it arrived damaged",
    "the wrong size was sent",
    "I no longer need it",
    "I was charged twice",
    "the dates have changed",
    "nobody has answered me so far",
    "it was set up by mistake",
    "my plans have changed",
)
OCCASIONS = (
    "the first date didn't suit everyone",
    "we agreed on it last week",
    "the old one has run out",
    "the team asked for it",
)
PROBLEMS = (
    "Page stays blank after login",
    "Export stops halfway",
    "Invoice shows the wrong address",
    "App crashes on start",
    "No confirmation mail arrives",
    "Search returns old results",
    "Totals are off by one cent",
)
STATES = ("open", "active", "confirmed", "in progress")
ORDER_STATES = ("processing", "shipped", "delivered", "packed")
WEATHER = ("light rain", "clear sky", "overcast", "scattered clouds", "fog", "snow showers", "strong wind")
CATEGORIES = ("general", "billing", "technical", "shipping", "travel", "office")
LANGUAGES = ("German", "Portuguese", "French", "Italian", "Dutch", "Polish")
CURRENCIES = ("EUR", "USD", "GBP", "CHF")
TABLES = ("orders", "customers", "invoices", "products", "shipments", "payments")
FOLDERS = ("docs", "notes", "reports", "config", "drafts", "data")
FILES = (
    "release-notes.md",
    "budget-2026.csv",
    "meeting-notes.txt",
    "settings.yaml",
    "contacts.csv",
    "summary.md",
    "pricing.json",
    "roadmap.md",
    "inventory.csv",
    "handover.txt",
)
TICKERS = ("MSFT", "AAPL", "NVDA", "SAP", "ASML", "TM", "SHEL", "UL")
QUERIES = (
    "waterproof jacket",
    "return policy",
    "meeting room for ten",
    "vegetarian dinner",
    "noise cancelling headphones",
    "password reset",
    "parental leave",
    "data retention",
)
CODE = (
    "retry_policy",
    "parse_date",
    "TODO",
    "load_config",
    "InvoiceTotal",
    "def send_mail",
    "rate limit",
    "session_token",
)
COMMANDS = ("ls docs", "git status", "df -h", "wc -l data/contacts.csv", "git log --oneline -5", "du -sh reports")
BRANCHES = ("fix/login-page", "feature/export", "fix/totals", "feature/search", "docs/setup")
PLACES = ("Blue Door", "Harbour House", "The Old Mill", "Green Table", "Corner Kitchen", "Lantern")
CUISINES = ("Italian", "Thai", "vegetarian", "Lebanese", "Korean", "Mexican")
ARTISTS = ("Miles Davis", "Nina Simone", "Erik Satie", "Joan Baez", "Cesaria Evora", "Django Reinhardt")
SCENES = ("a lighthouse at dusk", "two foxes in the snow", "a market in the rain", "an empty train station at night")
MEDICINES = ("ibuprofen", "amoxicillin", "metformin", "cetirizine", "omeprazole", "paracetamol")
COLORS = ("black", "white", "dark blue", "green", "red", "grey")
CHOICES = ("standard", "basic", "regular", "premium", "special", "first", "second")  # of what no name explains
