import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import type { Entry } from './types.ts'
import { calendarText } from './views.ts'

const publicUrl = 'https://downbeat.example:8443'

type Changes = Partial<Omit<Entry, 'tournament'>> & { readonly tournament?: Partial<Entry['tournament']> }

const entry = (changes: Changes = {}): Entry => ({
  kind: 'timeline',
  key: changes.kind === undefined || changes.kind === 'award' ? 'timeline' : changes.kind,
  award: null,
  guid: '8f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42',
  title: 'Finals',
  description: null,
  icon: 'trophy',
  startsAt: new Date('2026-05-01T18:00:00.000Z'),
  endsAt: new Date('2026-05-01T22:30:00.000Z'),
  changedAt: new Date('2026-04-01T12:00:00.000Z'),
  isCancelled: false,
  isBusy: false,
  ...changes,
  tournament: {
    guid: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42',
    id: 'spring-cup',
    name: 'Spring Cup',
    status: 'approved',
    timezone: 'Europe/Berlin',
    ...changes.tournament,
  },
})

/** Parses the text as a calendar program does. */
function readEvents(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  expect(calendar.name).toBe('vcalendar')
  return calendar.getAllSubcomponents().map((component) => {
    expect(component.name).toBe('vevent')
    return new ICAL.Event(component)
  })
}

function readOne(changes: Changes) {
  const [event, ...others] = readEvents(calendarText('Main', [entry(changes)], publicUrl))
  if (event === undefined) throw new Error('nothing was read')
  expect(others).toEqual([])
  return event
}

const read = (event: ICAL.Event, name: string) => event.component.getFirstPropertyValue(name)

/** Lines end only with CRLF and have at most 75 octets; no character is split. (RFC 5545 §3.1) */
function expectWellFolded(text: string): void {
  const lines = text.split('\r\n')
  expect(text).not.toMatch(/\r(?!\n)|(?<!\r)\n/)
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
  expect(lines.filter((line) => !line.isWellFormed())).toEqual([])
}

describe('an event', () => {
  test('is at its instants, in UTC', () => {
    const event = readOne({})
    expect(event.startDate.zone).toBe(ICAL.Timezone.utcTimezone)
    expect(event.endDate.zone).toBe(ICAL.Timezone.utcTimezone)
    expect(event.startDate.toJSDate()).toEqual(new Date('2026-05-01T18:00:00Z'))
    expect(event.endDate.toJSDate()).toEqual(new Date('2026-05-01T22:30:00Z'))
  })

  // Clocks go forward on 29 March 2026 in Berlin and back on 1 November 2026 in New York; 31 December ends at different
  // times.
  test.each([
    ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29 01:59:59'],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00:00'],
    ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-01 01:30:00'],
    ['2026-11-01T06:30:00Z', 'America/New_York', '2026-11-01 01:30:00'],
    ['2026-12-31T23:30:00Z', 'Asia/Kathmandu', '2027-01-01 05:15:00'],
    ['2027-01-01T09:30:00Z', 'Pacific/Honolulu', '2026-12-31 23:30:00'],
  ])('at %s is shown in %s at %s', (instant, timeZone, shown) => {
    const startsAt = new Date(instant)
    const start = readOne({ startsAt, endsAt: null }).startDate.toJSDate()
    expect(start).toEqual(startsAt)
    expect(new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(start)).toBe(
      shown,
    )
  })

  test.each([
    ['none is set', null],
    ['it is the start', new Date('2026-05-01T18:00:00.000Z')],
    ['it is in the same second', new Date('2026-05-01T18:00:00.999Z')],
  ])('has no end where %s', (_when, endsAt) => {
    const event = readOne({ endsAt })
    expect(read(event, 'dtend')).toBeNull()
    expect(read(event, 'duration')).toBeNull()
  })

  test('keeps its name for ever, apart from those of the same tournament', () => {
    const uids = (['tournament', 'registration', 'timeline'] as const).map((kind) => readOne({ kind }).uid)
    const { guid } = entry()
    expect(uids).toEqual([
      `${guid}@downbeat.example`,
      `registration-${guid}@downbeat.example`,
      `${guid}@downbeat.example`,
    ])
  })

  test('tells when it changed, and grows its sequence with that, within what programs can count', () => {
    const sequences = [
      '2020-01-01T00:00:00Z',
      '2026-04-01T12:00:00.999Z',
      '2026-04-01T12:00:01.000Z',
      '2080-01-01T00:00:00Z',
    ].map((time) => {
      const event = readOne({ changedAt: new Date(time) })
      const second = new Date(Math.floor(Date.parse(time) / 1000) * 1000)
      for (const name of ['dtstamp', 'last-modified']) {
        expect((read(event, name) as ICAL.Time).toJSDate()).toEqual(second)
      }
      return event.sequence
    })
    expect(sequences[0]).toBe(0)
    expect(sequences[2]).toBe((sequences[1] ?? 0) + 1)
    expect(sequences[3]).toBeLessThan(2 ** 31)
  })

  test.each([
    ['tournament', 'Spring Cup', 'Spring Cup'],
    ['registration', 'Registration', 'Spring Cup: Registration'],
    ['timeline', 'Finals', 'Spring Cup: Finals'],
  ] as const)('a %s names its tournament', (kind, title, summary) => {
    expect(readOne({ kind, title }).summary).toBe(summary)
  })

  test('leads to the page of its tournament, and keeps nobody from other appointments', () => {
    const event = readOne({})
    expect(read(event, 'url')).toBe('https://downbeat.example:8443/tournaments/spring-cup')
    expect(read(event, 'transp')).toBe('TRANSPARENT')
    expect(read(event, 'x-microsoft-cdo-busystatus')).toBe('FREE')
  })

  test.each([
    ['draft', 'TENTATIVE'],
    ['approved', 'CONFIRMED'],
    ['ongoing', 'CONFIRMED'],
    ['completed', 'CONFIRMED'],
    ['cancelled', 'CANCELLED'],
  ] as const)('of a tournament that is %s is %s', (status, shown) => {
    expect(read(readOne({ tournament: { ...entry().tournament, status } }), 'status')).toBe(shown)
  })
})

describe('a calendar', () => {
  test('may be empty', () => {
    expect(readEvents(calendarText('Main', [], publicUrl))).toEqual([])
  })

  test('says what it is, and how often to ask', () => {
    const text = calendarText('Main listing', [entry()], publicUrl)
    const calendar = new ICAL.Component(ICAL.parse(text))
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
    expect(calendar.getFirstPropertyValue('prodid')).toBe('-//Downbeat//Calendar//EN')
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Main listing')
    expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('PT1H')
    // With a method it would be an invitation, which needs an organiser. (RFC 5546 §3.2.1)
    expect(calendar.getFirstPropertyValue('method')).toBeNull()
    // Properties of the calendar come before its events, never between them. (RFC 5545 §3.6)
    expect(text.slice(text.indexOf('BEGIN:VEVENT'))).not.toMatch(/END:VEVENT\r\n(?!BEGIN:VEVENT|END:VCALENDAR)/)
  })

  const hostile: [string, string][] = [
    ['line breaks', 'Cup\r\nEND:VEVENT\r\nBEGIN:VEVENT\nSUMMARY:Other\rATTACH:file:///etc/passwd'],
    ['separators of Unicode', 'Cup\u2028END:VEVENT\u2029BEGIN:VALARM\u0085X'],
    ['what has a meaning in the format', 'a,b;c:d\\e\\n"f"=g^h, \\, \\;'],
    ['an end of the calendar', 'END:VCALENDAR'],
    ['emoji beyond every fold', '🏆'.repeat(100)],
    ['joined emoji', `${'x'.repeat(30)}${'👩‍👩‍👧‍👦'.repeat(20)}`],
    ['letters of two and three octets', `${'ß'.repeat(50)}${'音'.repeat(50)}`],
    ['combining marks', 'e\u0301'.repeat(100)],
    ['a long name', 'N'.repeat(100)],
    ['white space', ' \t a \t b '],
  ]

  test.each(hostile)('cannot be broken by names with %s', (_what, name) => {
    const tournament = { ...entry().tournament, name }
    const entries = [
      entry({ kind: 'tournament', title: name, description: name, tournament }),
      entry({ title: name, description: name, tournament }),
    ]
    const text = calendarText(name, entries, publicUrl)
    expectWellFolded(text)
    const onOneLine = [name, `${name}: ${name}`].map((words) => words.replace(/\s+/g, ' '))
    const events = readEvents(text)
    expect(events.map(({ summary }) => summary)).toEqual(onOneLine)
    expect(events.map(({ description }) => description)).toEqual([1, 2].map(() => name.replace(/\r\n?/g, '\n')))
    expect(events.flatMap(({ component }) => component.getAllSubcomponents())).toEqual([])
    const calendar = new ICAL.Component(ICAL.parse(text))
    expect(calendar.getAllProperties().map(({ name: property }) => property)).toEqual([
      'version',
      'prodid',
      'name',
      'x-wr-calname',
      'refresh-interval',
      'x-published-ttl',
    ])
  })

  test('is read as it was written, whatever the words', () => {
    const words = fc.string({ unit: fc.oneof(fc.constantFrom(...'\r\n,;:\\" \t'), fc.string({ unit: 'binary' })) })
    fc.assert(
      fc.property(fc.array(fc.tuple(words, words), { maxLength: 4 }), words, (pairs, name) => {
        const entries = pairs.map(([title, description]) =>
          entry({ kind: 'tournament', title: `T${title}`, description: `D${description}` }),
        )
        const text = calendarText(`N${name}`, entries, publicUrl)
        expectWellFolded(text)
        expect(readEvents(text).map(({ summary, description }) => [summary, description])).toEqual(
          entries.map(({ title, description }) => [title.replace(/\s+/g, ' '), description?.replace(/\r\n|\r/g, '\n')]),
        )
      }),
    )
  })
})
