import { IntlMessageFormat } from 'intl-messageformat'
import { german } from './german.ts'

/** The texts of announcements, as ICU message templates. Their arguments are Markdown. */
export const english = {
  test: '(test) {heading}',
  match_called:
    '{n, plural, one {**A match is called.** Please get ready to play:} other {**# matches are called.** Please get ready to play:}}',
  match_started: '{n, plural, one {**A match has begun:**} other {**# matches have begun:**}}',
  match_finished: '{n, plural, one {**Result:**} other {**# results:**}}',
  round_ready: '**{place}:** {n, plural, one {the match can be played.} other {all # matches can be played.}}',
  rounds_ready: '{n, plural, one {**A round can be played:**} other {**# rounds can be played:**}}',
  round_pairs: '**{place}:** {matches}',
  round_line: '**{place}** ({n, plural, one {# match} other {# matches}})',
  schedule_changed: '{n, plural, one {**A match has a new time:**} other {**# matches have new times:**}}',
  schedule_set: '**The schedule is set:** {n, plural, one {# match has a time.} other {# matches have a time.}} Next:',
  schedule_set_plain: '**The schedule is set:** {n, plural, one {# match has a time.} other {# matches have a time.}}',
  schedule_line: '{time}: {match}',
  schedule_moved: '{time} (was {before}): {match}',
  schedule_unset: 'no time yet (was {before}): {match}',
  registration_opened: '**Registration for {tournament} is open.**',
  registration_opened_until: '**Registration for {tournament} is open** until {closes}.',
  registration_closing: '**Registration for {tournament} closes {relative}:** {closes}.',
  places_left: '{n, plural, =0 {All places are taken.} one {# place is left.} other {# places are left.}}',
  team_registered: '{n, plural, one {**A team has registered:**} other {**# teams have registered:**}}',
  registered: '{n, plural, one {# team is registered now.} other {# teams are registered now.}}',
  registered_of: '{n} of {capacity, plural, one {# place} other {# places}} taken.',
  bracket_published: '{n, plural, one {**The bracket is out:**} other {**# brackets are out:**}}',
  bracket_line:
    '**{bracket}** ({teams, plural, =0 {} one {# team, } other {# teams, }}{matches, plural, one {# match} other {# matches}})',
  pool_published: '{n, plural, one {**A map pool is published:**} other {**# map pools are published:**}}',
  pool_line: '**{pool}**{maps, plural, =0 {} one { (# map)} other { (# maps)}}',
  stream_live: '**Live now:**',
  stream_line: '{name}{role, select, caster { (commentary)} observer { (observer)} other {}}',
  watch: 'Watch: {address}',
  placements: '**{tournament} is over.** The placements:',
  placement: '{place}\u200b. {teams}',
  more: '{n, plural, one {… and # more.} other {… and # more.}}',
  match_line: '{sides} · {place}',
  match_line_to_come: '{sides} · {place} · best of {bestOf}',
  stream: 'on {address}',
  note: '> {text}',
  result_walkover: '{sides} · {place} · decided without play',
  result_double_forfeit: '{sides} · {place} · neither team played',
  result_draw: '{sides} · {place} · a draw',
  result_withdrawn: '{sides} · {place} · **the result was taken back**',
  game: '{map}: {scores}',
  points: '{n, number}',
  next: 'Next: {list}',
  next_against: '{team} against {other} ({place})',
  next_open: '{team} ({place})',
  next_at: '{next}, {time}',
  winner_of: 'winner of match {number}',
  loser_of: 'loser of match {number}',
  unknown: 'not known yet',
  unknown_map: 'Map {number}',
  group: 'group {group}',
  round:
    '{name, select, grand {grand final} reset {grand final reset} third {match for third place} final {{side, select, upper {upper final} lower {lower final} other {final}}} semi {{side, select, upper {upper semi-finals} other {semi-finals}}} quarter {{side, select, upper {upper quarter-finals} other {quarter-finals}}} last {{side, select, upper {upper round of {n}} other {round of {n}}}} other {{side, select, lower {lower round {n}} other {round {n}}}}}',
} as const

export type Template = keyof typeof english
export type Templates = Readonly<Record<Template, string>>

type Values = Readonly<Record<string, string | number>>

/** Says a template with its arguments. */
export type Words = (template: Template, values?: Values) => string

const languages: Readonly<Record<string, Templates>> = { en: english, de: german }

const made = new Map<string, Words>()

/** The words of the tournament's language; English if there are none of it. (additions: The chat channel tells what happens) */
export function wordsOf(language: string): Words {
  const base = new Intl.Locale(language).language
  const name = base in languages ? base : 'en'
  const words = made.get(name) ?? makeWords(name, languages[name] ?? english)
  made.set(name, words)
  return words
}

function makeWords(locale: string, templates: Templates): Words {
  const formats = new Map<Template, IntlMessageFormat>()
  return (template, values = {}) => {
    const format =
      formats.get(template) ?? new IntlMessageFormat(templates[template], locale, undefined, { ignoreTag: true })
    formats.set(template, format)
    return String(format.format(values))
  }
}
