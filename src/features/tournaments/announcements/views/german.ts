import type { Templates } from './words.ts'

export const german: Templates = {
  match_called:
    '{n, plural, one {**Ein Match ist aufgerufen.** Bitte macht euch bereit:} other {**# Matches sind aufgerufen.** Bitte macht euch bereit:}}',
  match_started: '{n, plural, one {**Ein Match hat begonnen:**} other {**# Matches haben begonnen:**}}',
  match_finished: '{n, plural, one {**Ergebnis:**} other {**# Ergebnisse:**}}',
  round_ready:
    '**{place}:** {n, plural, one {Das Match kann gespielt werden.} other {Alle # Matches können gespielt werden.}}',
  rounds_ready: '{n, plural, one {**Eine Runde kann gespielt werden:**} other {**# Runden können gespielt werden:**}}',
  round_line: '**{place}** ({n, plural, one {# Match} other {# Matches}})',
  schedule_changed: '{n, plural, one {**Ein Match hat eine neue Zeit:**} other {**# Matches haben neue Zeiten:**}}',
  schedule_set:
    '**Der Zeitplan steht:** {n, plural, one {# Match hat eine Zeit.} other {# Matches haben eine Zeit.}} Als Nächstes:',
  schedule_set_plain:
    '**Der Zeitplan steht:** {n, plural, one {# Match hat eine Zeit.} other {# Matches haben eine Zeit.}}',
  schedule_line: '{time}: {match}',
  schedule_moved: '{time} (bisher {before}): {match}',
  schedule_unset: 'noch keine Zeit (bisher {before}): {match}',
  registration_opened: '**Die Anmeldung für {tournament} ist offen.**',
  registration_opened_until: '**Die Anmeldung für {tournament} ist offen** bis {closes}.',
  registration_closing: '**Die Anmeldung für {tournament} schließt {relative}:** {closes}.',
  places_left: '{n, plural, =0 {Alle Plätze sind vergeben.} one {# Platz ist frei.} other {# Plätze sind frei.}}',
  team_registered: '{n, plural, one {**Ein Team hat sich angemeldet:**} other {**# Teams haben sich angemeldet:**}}',
  registered: '{n, plural, one {# Team ist jetzt angemeldet.} other {# Teams sind jetzt angemeldet.}}',
  registered_of: '{n} von {capacity, plural, one {# Platz} other {# Plätzen}} vergeben.',
  bracket_published: '{n, plural, one {**Der Turnierbaum steht:**} other {**# Turnierbäume stehen:**}}',
  bracket_line:
    '**{bracket}** ({teams, plural, =0 {} one {# Team, } other {# Teams, }}{matches, plural, one {# Match} other {# Matches}})',
  pool_published:
    '{n, plural, one {**Ein Map-Pool ist veröffentlicht:**} other {**# Map-Pools sind veröffentlicht:**}}',
  pool_line: '**{pool}**{maps, plural, =0 {} one { (# Map)} other { (# Maps)}}',
  stream_live: '**Jetzt live:**',
  stream_line: '{name}{role, select, caster { (Kommentar)} observer { (Beobachter)} other {}}',
  watch: 'Zuschauen: {address}',
  placements: '**{tournament} ist zu Ende.** Die Platzierungen:',
  placement: '{place}\u200b. {teams}',
  more: '{n, plural, one {… und # weiteres.} other {… und # weitere.}}',
  match_line: '{sides} · {place}',
  match_line_to_come: '{sides} · {place} · Best of {bestOf}',
  stream: 'auf {address}',
  note: '> {text}',
  result_walkover: '{sides} · {place} · kampflos entschieden',
  result_double_forfeit: '{sides} · {place} · keines der Teams hat gespielt',
  result_draw: '{sides} · {place} · unentschieden',
  result_withdrawn: '{sides} · {place} · **das Ergebnis wurde zurückgenommen**',
  game: '{map}: {scores}',
  next: 'Weiter: {list}',
  next_against: '{team} gegen {other} ({place})',
  next_open: '{team}: {place}',
  next_at: '{next}, {time}',
  winner_of: 'Sieger von Match {number}',
  loser_of: 'Verlierer von Match {number}',
  unknown: 'noch offen',
  unknown_map: 'Map {number}',
  group: 'Gruppe {group}',
  round:
    '{name, select, grand {großes Finale} reset {zweites großes Finale} third {Spiel um Platz 3} final {{side, select, upper {Upper-Finale} lower {Lower-Finale} other {Finale}}} semi {{side, select, upper {Upper-Halbfinale} other {Halbfinale}}} quarter {{side, select, upper {Upper-Viertelfinale} other {Viertelfinale}}} last {{side, select, upper {Upper-Runde der letzten {n}} other {Runde der letzten {n}}}} other {{side, select, lower {Lower-Runde {n}} other {Runde {n}}}}}',
}
