import { describe, expect, test } from 'vitest'
import { encryptionBytes } from '../../../infra/clients/push.ts'
import { textOf, topicOf, worthTellingUntil } from './rules/messages.ts'
import { quietEnd, verdictOf } from './rules/sending.ts'
import type { Addressed, Message } from './types.ts'

const at = (text: string) => new Date(text)

describe('quiet hours by the clock of their zone', () => {
  const night = { from: '22:00', to: '07:30', timezone: 'Europe/Berlin' }
  const noon = { from: '12:00', to: '13:00', timezone: 'Asia/Kolkata' }
  test.each([
    ['before', night, '2026-01-10T20:59:59.999Z', null],
    ['at their beginning', night, '2026-01-10T21:00:00.000Z', '2026-01-11T06:30:00.000Z'],
    ['after midnight', night, '2026-01-11T02:10:33.123Z', '2026-01-11T06:30:00.000Z'],
    ['at their end', night, '2026-01-11T06:30:00.000Z', null],
    ['in summer', night, '2026-07-10T20:00:00.000Z', '2026-07-11T05:30:00.000Z'],
    ['in the night in which clocks go forward', night, '2026-03-28T22:00:00.000Z', '2026-03-29T05:30:00.000Z'],
    ['in the night in which clocks go back', night, '2026-10-24T21:00:00.000Z', '2026-10-25T06:30:00.000Z'],
    ['in a zone with half an hour', noon, '2026-01-10T06:30:00.000Z', '2026-01-10T07:30:00.000Z'],
    ['after those of a day', noon, '2026-01-10T07:30:00.000Z', null],
  ])('%s', (_, quiet, now, end) => {
    expect(quietEnd(quiet, at(now))?.toISOString() ?? null).toBe(end)
  })

  test('an end that does not exist on a day is soon reached', () => {
    const gap = { from: '01:00', to: '02:30', timezone: 'Europe/Berlin' }
    const end = quietEnd(gap, at('2026-03-29T00:30:00.000Z'))
    expect(end?.getTime()).toBeGreaterThan(Date.parse('2026-03-29T00:30:00.000Z'))
    expect(end?.getTime()).toBeLessThanOrEqual(Date.parse('2026-03-29T02:00:00.000Z'))
  })
})

describe('the consequence of an answer', () => {
  const now = at('2026-01-10T12:00:00.000Z')
  const message = { attempts: 0, until: '2026-01-10T12:10:00.000Z' }
  const later = (seconds: number) => ({ kind: 'retry', at: new Date(now.getTime() + seconds * 1_000) })
  test.each([
    [201, null, { kind: 'sent' }],
    [200, null, { kind: 'sent' }],
    [404, null, { kind: 'gone' }],
    [410, null, { kind: 'gone' }],
    [400, null, { kind: 'dropped' }],
    [401, null, { kind: 'dropped' }],
    [403, null, { kind: 'dropped' }],
    [413, null, { kind: 'dropped' }],
    [302, null, { kind: 'dropped' }],
    [429, 60_000, later(60)],
    [429, null, later(5)],
    [500, null, later(5)],
    [503, 1_000, later(5)],
    [null, null, later(5)],
    [429, 600_000, { kind: 'dropped' }],
  ])('%s, with a wait of %s ms', (status, retryAfterMs, verdict) => {
    expect(verdictOf(message, { status, retryAfterMs }, now)).toEqual(verdict)
  })

  test('waits grow, and attempts end', () => {
    const failed = { status: 500, retryAfterMs: null }
    const until = '2027-01-10T12:00:00.000Z'
    const verdicts = Array.from({ length: 8 }, (_, attempts) => verdictOf({ attempts, until }, failed, now))
    expect(verdicts).toEqual([...[5, 20, 80, 320, 1_280, 5_120, 20_480].map(later), { kind: 'dropped' }])
  })
})

describe('the text of a message', () => {
  const guid = '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'
  const message: Message = {
    device: guid,
    occasion: 'match.starting',
    subject: { tournamentGuid: guid, matchGuid: guid },
    until: '2026-01-10T12:10:00.000Z',
    attempts: 0,
  }
  const named = (teams: string[], tournament: string | null) => ({ teams, tournament }) as unknown as Addressed

  test('says what it is about', () => {
    expect(JSON.parse(textOf(message, named(['The Quavers', 'The Rests'], 'Spring Cup')))).toEqual({
      kind: 'match_starting',
      title: 'Your match starts soon',
      body: 'The Quavers – The Rests, Spring Cup',
      tag: `match.starting ${guid}`,
      data: { tournamentGuid: guid, matchGuid: guid },
    })
    expect(JSON.parse(textOf(message, named([], null))).body).toBe('')
  })

  test.each(['x', '"', '𝔵', '\n', '選'])('has at most 1 KB however long the names are: %j', (letter) => {
    const long = letter.repeat(500)
    const text = textOf(message, named([long, long], long))
    expect(Buffer.byteLength(text) + encryptionBytes).toBeLessThanOrEqual(1_024)
    expect(JSON.parse(text).body).toMatch(/^.+…$/s)
    expect(text.isWellFormed()).toBe(true)
  })

  test('has a topic that push services accept', () => {
    expect(topicOf(message)).toMatch(/^[\w-]{32}$/)
    expect(topicOf({ ...message, occasion: 'duty.starting' })).not.toBe(topicOf(message))
  })

  test('is of use for minutes, or a day', () => {
    const now = at('2026-01-10T12:00:00.000Z')
    expect(worthTellingUntil('opponent.ready', now)).toEqual(at('2026-01-10T12:10:00.000Z'))
    expect(worthTellingUntil('invitation.created', now)).toEqual(at('2026-01-11T12:00:00.000Z'))
  })
})
