"""Every game played by people whose pages are served by different processes."""

import random

from playwright.sync_api import expect

from games.domain import codec
from games.registry import GAMES
from tests.browser.players import NO_ANIMATION, come_in, post, wait_for_ply
from tests.helpers.samples import in_full, sample
from tests.servers.test_observability import numbers_at
from tools.harness.services import free_port

STANDS = """
    SELECT number, state FROM games_ply WHERE match_id = ?
    UNION SELECT 0, start FROM games_match WHERE id = ? ORDER BY number DESC LIMIT 1
"""
TURNS = sample(3, 6)


def test_each_game_is_played_across_processes(launcher, new_page):
    store = launcher.store("postgres+redis")
    ports = [free_port() for _ in range(2)]
    servers = [launcher.open(store, METRICS_PORT=str(port)) for port in ports]
    pages = [new_page(server) for server in servers]
    for page in pages:
        page.add_init_script(NO_ANIMATION)
        # Pits are typed as the rules write them, 1 to 6 for both sides.
        page.add_init_script("localStorage.setItem('parlour:pits', '\"side\"')")
        come_in(page)
    lot = random.Random(5)
    games = in_full(*GAMES.values())
    for game in games:
        preset = next(iter(game.rules.PRESETS))
        table = post(pages[0], f"/new/{game.slug}", preset=preset, seats="2", first="host").url
        match = post(pages[1], f"{table.removeprefix(servers[0].url)}/sit").url.rpartition("/")[2]
        for page in pages:
            page.goto(f"/m/{match}")
        for _ in range(TURNS):
            ((ply, stored),) = servers[0].rows(STANDS, match, match)
            for page in pages:
                wait_for_ply(page, ply)
            state = codec.decode_state(game.rules, stored)
            mover = pages[state.turn]
            command(mover, str(lot.choice(game.rules.legal_moves(state))))
            expect(mover.locator("#match")).not_to_have_attribute("data-ply", str(ply))
        for _ in range(2):
            pages[0].locator("#resign").click()
        for page in pages:
            expect(page.locator("#end")).to_be_visible()
    # The processes told each other. A process also looks once a second, and may see a ply before it is told.
    found = sum(numbers_at(port)["parlour_resyncs_total", "process"] for port in ports)
    assert found < len(games) * TURNS / 2


def command(page, text):
    page.locator("#command-text").fill(text)
    page.locator("#command-text").press("Enter")
