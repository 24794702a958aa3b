"""Which tools do something, and how that is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from tables import each_of
from whileai.simulations.rows.names import words_in
from whileai.simulations.run.phrasing.request import request
from whileai.simulations.run.schema import Declared, declared

DOES = words_in(
    "refill_prescription prescribe_drug discharge_patient admit_patient freeze_card waive_fee rotate_key mute_channel"
    " promote_build dispense_drug vaccinate_pet lend_book unfreeze_card feed_animal vaccinate freezeCard"
    " clinic.admit_pet"
)
LOOKS = words_in(
    "weather clinic_hours moon_phase store_locations patient_record flight_status order_history get_order find_patient"
    " customer_orders calculator wiki list_rooms current_balance"
)


def tool(name: str, description: str = "", **properties: Any) -> Declared:
    schema = {"name": name, "description": description, "parameters": {"properties": properties}}
    return next(iter(declared([schema]).values()))


@each_of("name", sorted(DOES))
def test_an_unknown_verb_does_something(name: str) -> None:
    assert not tool(name).looks


@each_of("name", sorted(LOOKS))
def test_a_noun_and_a_read_verb_only_look(name: str) -> None:
    assert tool(name).looks


@pytest.mark.parametrize(
    ("name", "description", "looks"),
    [
        ("moon_walk", "Returns the phase of the moon.", True),
        ("moon_walk", "Walks the moon buggy home.", False),
        ("kettle", "Current temperature of the kettle.", True),
        ("groom_pet", "Groom a pet.", False),
        ("groom_pet", "Grooms the pet.", False),
        ("doctors", "The doctors of the clinic.", True),
        ("clinic_hours", "Opening hours of the clinic.", True),
    ],
)
def test_the_description_decides_where_the_name_does_not(name: str, description: str, looks: bool) -> None:
    assert tool(name, description).looks is looks


def test_a_change_is_asked_for_as_one() -> None:
    refill = tool("refill_prescription", patient_id={"type": "string"})
    assert request(refill, {"patient_id": "PAT-1"}).act == "refill the prescription of patient PAT-1"


@pytest.mark.parametrize(
    ("name", "arguments", "act"),
    [
        ("move_visit", {"visit_id": "VIS-1", "new_day": "2026-03-26"}, "move visit VIS-1 to 2026-03-26"),
        ("postpone_visit", {"visit_id": "VIS-1", "date": "2026-03-26"}, "postpone visit VIS-1 to 2026-03-26"),
        ("book_visit", {"pet_id": "PET-1", "day": "2026-03-26"}, "book a visit for pet PET-1 on 2026-03-26"),
    ],
)
def test_a_day_is_moved_to_and_booked_on(name: str, arguments: dict[str, Any], act: str) -> None:
    named = tool(name, **{field: {"type": "string"} for field in arguments})
    assert request(named, arguments).act == act
