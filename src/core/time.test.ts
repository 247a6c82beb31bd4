import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInstant, isTimeZone, parseInstant } from './time.ts'

/** The instant in the form of D7, `unset`, or the reason for refusal. */
function read(text: string): string {
  const result = parseInstant(text)
  if (!result.ok) return result.reason
  return result.value === null ? 'unset' : formatInstant(result.value)
}

describe('parseInstant reads', () => {
  const instants: [text: string, instant: string][] = [
    ['2026-05-01T18:00:00Z', '2026-05-01T18:00:00.000Z'],
    ['2026-05-01t18:00:00z', '2026-05-01T18:00:00.000Z'],
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    // Zones
    ['2026-05-01T18:00:00+02:00', '2026-05-01T16:00:00.000Z'],
    ['2026-05-01T18:00:00-0330', '2026-05-01T21:30:00.000Z'],
    ['2026-05-01T18:00:00\u221203:30', '2026-05-01T21:30:00.000Z'],
    ['2026-05-01T18:00:00+05', '2026-05-01T13:00:00.000Z'],
    ['2026-05-01T18:00:00-00:00', '2026-05-01T18:00:00.000Z'],
    ['2026-01-01T00:30:00+14:00', '2025-12-31T10:30:00.000Z'],
    ['2019-12-31T23:00:00-01:00', '2020-01-01T00:00:00.000Z'],
    // Precision
    ['2026-05-01T18Z', '2026-05-01T18:00:00.000Z'],
    ['2026-05-01T18:05Z', '2026-05-01T18:05:00.000Z'],
    ['2026-05-01T18:05:06.7Z', '2026-05-01T18:05:06.700Z'],
    ['2026-05-01T18:05:06,78Z', '2026-05-01T18:05:06.780Z'],
    ['2026-05-01T18:05:06.0019999999999999999999999999Z', '2026-05-01T18:05:06.001Z'],
    [`2026-05-01T18:05:06.${'9'.repeat(1000)}Z`, '2026-05-01T18:05:06.999Z'],
    ['2026-05-01T18:05.5Z', '2026-05-01T18:05:30.000Z'],
    ['2026-05-01T18.25Z', '2026-05-01T18:15:00.000Z'],
    // Basic format
    ['20260501T180000Z', '2026-05-01T18:00:00.000Z'],
    ['20260501T180000.123+0200', '2026-05-01T16:00:00.123Z'],
    ['20260501T1805Z', '2026-05-01T18:05:00.000Z'],
    ['20260501T18Z', '2026-05-01T18:00:00.000Z'],
    // Ordinal dates
    ['2026-121T18:00:00Z', '2026-05-01T18:00:00.000Z'],
    ['2026121T180000Z', '2026-05-01T18:00:00.000Z'],
    ['2024-366T00:00:00Z', '2024-12-31T00:00:00.000Z'],
    // Week dates: the examples of the literature
    ['2020-W53-5T00:00:00Z', '2021-01-01T00:00:00.000Z'],
    ['2020W535T000000Z', '2021-01-01T00:00:00.000Z'],
    ['2020-W53-7T00:00:00Z', '2021-01-03T00:00:00.000Z'],
    ['2021-W01-1T00:00:00Z', '2021-01-04T00:00:00.000Z'],
    ['2022-W52-7T00:00:00Z', '2023-01-01T00:00:00.000Z'],
    ['2025-W01-1T00:00:00Z', '2024-12-30T00:00:00.000Z'],
    ['2020-W01-3T00:00:00Z', '2020-01-01T00:00:00.000Z'],
    ['2026-W53-4T00:00:00Z', '2026-12-31T00:00:00.000Z'],
    // The end of a day
    ['2026-05-01T24:00:00Z', '2026-05-02T00:00:00.000Z'],
    ['2026-12-31T24:00Z', '2027-01-01T00:00:00.000Z'],
    ['20261231T24Z', '2027-01-01T00:00:00.000Z'],
    ['2028-02-28T24:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  ]
  test.each(instants)('%s', (text, instant) => {
    expect(read(text)).toBe(instant)
  })

  test.each([
    '1970-01-01T00:00:00Z',
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00Z',
    '1970-01-01T01:00:00+01:00',
    '1969-12-31T19:00:00-05',
    '1969-12-31T24:00:00Z',
    '19700101T000000Z',
    '1970-001T00:00:00Z',
    '1970-W01-4T00:00:00Z',
  ])('%s, the Unix epoch, as unset', (text) => {
    expect(read(text)).toBe('unset')
  })
})

describe('parseInstant refuses', () => {
  const refusals: [text: string, reason: RegExp][] = [
    ['2026-05-01T18:00:00', /must carry a time zone, such as/],
    ['20260501T180000', /must carry a time zone, such as/],
    ['1970-01-01T00:00:00', /must carry a time zone, such as/],
    ['2026-05-01', /must carry a time of day and a time zone/],
    ['2026121', /must carry a time of day and a time zone/],
    ['', /must be an ISO 8601 instant/],
    ['tomorrow', /must be an ISO 8601 instant/],
    ['1777658400000', /must be an ISO 8601 instant/],
    ['2026-05-01 18:00:00Z', /must be an ISO 8601 instant/],
    ['Fri, 01 May 2026 18:00:00 GMT', /must be an ISO 8601 instant/],
    ['2026-5-1T18:00:00Z', /must be an ISO 8601 instant/],
    ['2026-05T18:00:00Z', /must be an ISO 8601 instant/],
    ['2026-W18T18:00:00Z', /must be an ISO 8601 instant/],
    ['2026-05-01T18:00:00.Z', /must be an ISO 8601 instant/],
    ['2026-05-01T18:00:00ZZ', /must be an ISO 8601 instant/],
    ['2026-05-01T18:00:00Z\n', /must be an ISO 8601 instant/],
    [' 2026-05-01T18:00:00Z', /must be an ISO 8601 instant/],
    ['2026-05-01T18:00:00 +02:00', /must be an ISO 8601 instant/],
    ['2026-05-01T18:00:00+2', /must be an ISO 8601 instant/],
    ['2026-05-01T18:00:00[Europe/Berlin]', /must be an ISO 8601 instant/],
    ['２０２６-05-01T18:00:00Z', /must be an ISO 8601 instant/],
    ['2026-0501T18:00:00Z', /must be an ISO 8601 instant/],
    ['20260501T18:00:00Z', /must not mix/],
    ['2026-05-01T180000Z', /must not mix/],
    ['2026-02-30T18:00:00Z', /must name a day that exists/],
    ['2027-02-29T18:00:00Z', /must name a day that exists/],
    ['2100-02-29T18:00:00Z', /must name a day that exists/],
    ['2026-04-31T18:00:00Z', /must name a day that exists/],
    ['2026-00-10T18:00:00Z', /must name a day that exists/],
    ['2026-13-10T18:00:00Z', /must name a day that exists/],
    ['2026-05-00T18:00:00Z', /must name a day that exists/],
    ['2026-000T18:00:00Z', /must name a day that exists/],
    ['2026-366T18:00:00Z', /must name a day that exists/],
    ['2026-W00-1T18:00:00Z', /must name a day that exists/],
    ['2025-W53-1T18:00:00Z', /must name a day that exists/],
    ['2026-W54-1T18:00:00Z', /must name a day that exists/],
    ['2026-W18-0T18:00:00Z', /must name a day that exists/],
    ['2026-W18-8T18:00:00Z', /must name a day that exists/],
    ['2026-05-01T25:00:00Z', /must have a time of day/],
    ['2026-05-01T24:00:01Z', /must have a time of day/],
    ['2026-05-01T24:00:00.0000000000000000000000001Z', /must have a time of day/],
    ['2026-05-01T18:60:00Z', /must have a time of day/],
    ['2026-05-01T18:00:61Z', /must have a time of day/],
    ['2026-12-31T23:59:60Z', /must not be a leap second/],
    ['2026-05-01T18:00:00+24:00', /offset/],
    ['2026-05-01T18:00:00+02:60', /offset/],
    ['2019-12-31T23:59:59.999Z', /must not be before 2020-01-01T00:00:00Z/],
    ['2020-01-01T00:00:00+00:01', /must not be before 2020/],
    ['1970-01-01T00:00:00.001Z', /must not be before 2020/],
    ['1970-01-01T00:00:01Z', /must not be before 2020/],
    ['0070-01-01T00:00:00Z', /must not be before 2020/],
    ['0000-01-01T00:00:00Z', /must not be before 2020/],
    ['9999-12-31T23:59:59-00:01', /must not be after the year 9999/],
    ['9999-12-31T24:00:00Z', /must not be after the year 9999/],
    ['+012026-05-01T18:00:00Z', /year of four digits/],
    ['-2026-05-01T18:00:00Z', /year of four digits/],
  ]
  test.each(refusals)('%s', (text, reason) => {
    expect(read(text)).toMatch(reason)
  })

  test('long nonsense in time that does not matter', () => {
    const start = performance.now()
    for (const text of ['1'.repeat(1e6), `2026-05-01T18:00:00.${'1'.repeat(1e6)}`, '2026-'.repeat(2e5)]) {
      expect(parseInstant(text).ok).toBe(false)
    }
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

describe('parseInstant and formatInstant agree with the runtime', () => {
  const instant = fc.date({
    min: new Date('2020-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  const pad = (value: number, digits: number) => String(value).padStart(digits, '0')

  test('on what formatInstant wrote', () => {
    fc.assert(
      fc.property(instant, (date) => {
        expect(read(formatInstant(date))).toBe(date.toISOString())
      }),
    )
  })

  test('on local time with an offset', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
        if (!/^(?:20[2-9]|2[1-9]|[3-9])/.test(local)) return
        const ahead = Math.abs(offset)
        const zone = `${offset < 0 ? '-' : '+'}${pad(Math.floor(ahead / 60), 2)}:${pad(ahead % 60, 2)}`
        expect(read(local + zone)).toBe(date.toISOString())
      }),
    )
  })

  test('on ordinal dates', () => {
    fc.assert(
      fc.property(instant, (date) => {
        const year = date.getUTCFullYear()
        const ordinal = (Date.parse(date.toISOString().slice(0, 10)) - Date.UTC(year, 0, 1)) / 86_400_000 + 1
        expect(read(`${year}-${pad(ordinal, 3)}T${date.toISOString().slice(11)}`)).toBe(date.toISOString())
      }),
    )
  })

  test('on week dates, counted day by day', () => {
    // Walks the calendar from a Monday known to begin week 1 of 2020; a week takes the year of its Thursday.
    let [year, week] = [2020, 1]
    for (let monday = Date.UTC(2019, 11, 30); year < 2120; monday += 7 * 86_400_000) {
      const thursdayYear = new Date(monday + 3 * 86_400_000).getUTCFullYear()
      if (thursdayYear !== year) [year, week] = [thursdayYear, 1]
      for (let weekday = 1; weekday <= 7; weekday++) {
        const date = new Date(monday + (weekday - 1) * 86_400_000)
        if (date.getUTCFullYear() < 2020) continue
        expect(read(`${year}-W${pad(week, 2)}-${weekday}T12:00Z`)).toBe(
          `${date.toISOString().slice(0, 10)}T12:00:00.000Z`,
        )
      }
      week++
    }
  })

  test('on which days exist', () => {
    const numbers = fc.tuple(fc.integer({ min: 2020, max: 2400 }), fc.nat(14), fc.nat(33))
    fc.assert(
      fc.property(numbers, ([year, month, day]) => {
        const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
        const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
        const exists = day >= 1 && day <= days
        expect(parseInstant(`${year}-${pad(month, 2)}-${pad(day, 2)}T00:00Z`).ok).toBe(exists)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('isTimeZone', () => {
  test.each([
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Etc/GMT+5',
    'UTC',
    'GMT',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'US/Pacific',
    'CET',
    'EST5EDT',
    'Europe/Kyiv',
    'europe/berlin',
  ])('takes %s', (name) => {
    expect(isTimeZone(name)).toBe(true)
  })

  test.each([
    '',
    '+01:00',
    '-0500',
    '+01',
    'UTC+1',
    'GMT+1',
    'Z',
    'local',
    'Mars/Olympus',
    'Europe',
    'Europe/',
    'Europe/Berlin ',
    'Europe/Berlin\0',
    '../etc/passwd',
    'PST',
    'IST',
    'SystemV/PST8',
    'E'.repeat(100_000),
  ])('refuses %j', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })

  test('takes every zone that the runtime lists', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))).toEqual([])
  })
})
