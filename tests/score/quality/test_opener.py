from __future__ import annotations

from tables import each_of
from whileai.simulations.score.quality.leak import leaked_by_user
from whileai.simulations.score.quality.opener import opener

PEOPLE = [
    # support
    "Where is my order 4017?",
    "ORD-4017",
    "#4017",
    "refund order 4017 pls",
    "cancel my subscription",
    "wifi down",
    "card declined",
    "track parcel",
    "i got charged twice for the same thing??",
    "A fraudster used my card twice yesterday, please block it",
    "My parcel is late. Let me know when it gets here.",
    "I'll be in Ghent next week, can you book me a hotel near the castle?",
    "I want to check where my order 4017 is right now please",
    "hi, i need to change the delivery address for my order, i moved last week",
    "Can you confirm which account you charged for the annual plan?",
    "I would like to know what you would like me to send with the return form.",
    "The app says 'card declined'",
    "my daughter's account is locked and it says 'too many tries'",
    "Do you sell a dog harness in size M?",
    "I submitted the form with a typo in my last name, can you fix it?",
    "thanks for the refund last week, but now the other order is missing too",
    'Your bot asked me "how can I help you today?" and then hung up. Can a person call me?',
    "ok so my flight QX7-4471 got cancelled. what now?",
    "No internet since Tuesday and I work from home!!",
    "I'm happy to pay for express shipping if it gets here by Friday",
    "please provide a copy of my March invoice",
    "Hello, I am writing a cookbook and need a refund for the wrong scale you sent",
    "What is your refund policy?",
    "My order has been marked delivered but there's nothing here",
    "I have a question about my bill",
    "I have a request for the kitchen: no nuts please, my son is allergic",
    "I need assistance with a wheelchair at gate 12",
    # code
    "Why does parse_date(x) raise when the input has no year in it?",
    "PR #88 needs a rebase",
    "fix the failing test in tests/test_pager.py",
    "pytest hangs on import",
    "deploy main to staging",
    "git push rejected: non-fast-forward",
    "Convert the column names to all lowercase",
    "rename these files, all lowercase, no spaces",
    "make the title all lowercase: My Summer In Ghent",
    "write a short prompt for an image of a lighthouse",
    "why is the region_id column null after the join?",
    "getting a duplicate entity exception from hibernate on save",
    "I'm writing to a file and it comes out empty",
    "Build a chatbot that greets people with 'How can I help you today?'",
    "TypeError: cannot read properties of undefined (reading 'map')",
    "npm run build",
    "src/app.py crashes",
    "how do i undo the last commit",
    "Rewrite this to sound less stiff: please be advised that the office is closed",
    "user.name is None?",
    # browsing
    "cheapest flight brussels to lisbon 3 may",
    "weather ghent tomorrow",
    "open wikipedia.org and find the birth date of Ada Lovelace",
    "compare prices for airpods pro",
    "find me a vegan ramen place open now",
    "https://example.com/item/33",
    # other languages and scripts
    "我的订单在哪里？",
    "我要退款",
    "退款",
    "注文をキャンセルしたいです",
    "返金してください",
    "주문 취소하고 싶어요",
    "환불해 주세요",
    "أين طلبي؟",
    "إلغاء الطلب",
    "मेरा ऑर्डर कहाँ है?",
    "रिफंड चाहिए",
    "คำสั่งซื้อของฉันอยู่ที่ไหน",
    "Где мой заказ?",
    "верните деньги",
    "איפה ההזמנה שלי?",
    "¿Dónde está mi pedido?",
    "Quiero cancelar mi reserva",
    "cancelar pedido",
    "Wo bleibt mein Paket?",
    "Bestellung stornieren",
    "Où est ma commande ?",
    "Je n'ai pas reçu mon colis",
    "annuler commande",
    "Waar blijft mijn pakje?",
    "Dov'è il mio ordine?",
    "Siparişim nerede?",
    "Gdzie jest moja paczka?",
    "Đơn hàng của tôi ở đâu?",
    "Πού είναι η παραγγελία μου;",
    "የእኔ ትዕዛዝ የት ነው?",
    "Nasaan ang order ko?",
]


@each_of("text", PEOPLE)
def test_what_people_open_with_is_not_marked_down(text: str) -> None:
    assert opener(text) == (1.0, None)
    assert leaked_by_user(text) is None


def lines(block: str) -> list[str]:
    return [line for line in block.strip().split("\n") if line]


@each_of(
    ("score", "note", "texts"),
    [
        (0.0, "empty opener", ["", "  \n"]),
        (
            0.1,
            "gibberish opener",
            ["asdf", "ASDFASDF", "qwerty", "asdf jkl", "...", "!!!", "???", "aaaaaaa", "kjhgfds", "…"],
        ),
        (
            0.0,
            "agent-voice opener",
            [
                "Can you confirm which account you would like me to use?",
                "How can I help you today?",
                "Hello! How may I assist you?",
                "Sure, I'd be happy to help with that.",
                "Could you tell me which flight you'd like me to change?",
                "Is there anything else I can help with?",
                "I have processed your refund.",
                "Let me check that for you.",
                "Thank you for contacting support, please hold.",
                "Please provide your order number so I can look it up.",
            ],
        ),
        (
            0.0,
            "ack-only opener",
            ["ok", "Thanks.", "OK, thanks!", "yes", "got it", "Thank you so much!", "好的", "gracias"],
        ),
        (0.0, "leaked user_turn", ["<USER_TURN> refund my parcel today", "USER_TURN: refund it"]),
        (0.0, "leaked all lowercase", ["where is order 4017 (all lowercase)", "all lowercase: where is order 4017"]),
        (0.0, "leaked short prompt", ["short prompt, with a typo: wheres my parcel"]),
        (0.0, "leaked world_state", ["the world_state says the order is lost"]),
        (
            0.25,
            "desk-voice opener",
            [
                "Hello, I am writing because my parcel from your store never came",
                "Please be advised that my parcel is late again",
                "I hope this email finds you well. My parcel is late.",
                "Dear team, I am writing to inform you that my parcel is late",
                "To whom it may concern, my parcel is late",
                "I'm writing regarding order 4017",
            ],
        ),
        (
            0.2,
            "non-human opener",
            [
                "I have a request",
                "get this done now",
                "Please process my request.",
                "I need assistance",
                "Handle this request",
            ],
        ),
        (0.3, "one-word opener", ["billing", "hello", "Hi there", "billing help", "support", "facturación"]),
        (0.55, "truncated opener", ["refund", "fix it", "My parcel is late and the driver said '", "Where is it'"]),
    ],
)
def test_what_nobody_opens_with(score: float, note: str, texts: list[str]) -> None:
    wrong = [(text, opener(text)) for text in texts if opener(text) != (score, note)]
    assert wrong == []
