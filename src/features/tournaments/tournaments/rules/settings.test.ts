import { describe, expect, test } from 'vitest'
import { codeOf, problemOf } from '../../../../../test/problems.ts'
import type { SettingsInput } from '../bodies.ts'
import { checkCapacity, checkNotStale, checkTeamSize, defaults, readSettings } from './settings.ts'

const now = new Date('2026-06-15T12:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 24 * 3_600_000)

describe('team size and capacity', () => {
  const sizes = (min: number, max: number, active: number) => () =>
    checkTeamSize({ teamSizeMin: min, teamSizeMax: max, teamSizeActive: active })

  test.each([
    [1, 1, 1],
    [1, 16, 16],
    [3, 6, 3],
    [1, 3, 3],
  ])('%d to %d players with %d on the field make a team', (min, max, active) => {
    expect(codeOf(sizes(min, max, active))).toBeNull()
  })

  test.each([
    [3, 2, 1, '"teamSize.min"'],
    [1, 2, 3, '"teamSize.active"'],
  ])('%d to %d players with %d on the field do not', (min, max, active, named) => {
    expect(problemOf(sizes(min, max, active))?.message).toContain(named)
  })

  test.each([
    [null, 50, null],
    [8, 8, null],
    [8, 9, 'tournament.capacity_too_small'],
  ])('a capacity of %s with %d registered teams', (capacity, registered, code) => {
    expect(codeOf(() => checkCapacity(capacity, registered))).toBe(code)
  })

  test('a change is stale unless it was made for this very state', () => {
    expect(codeOf(() => checkNotStale(now, null))).toBeNull()
    expect(codeOf(() => checkNotStale(now, new Date(now)))).toBeNull()
    expect(codeOf(() => checkNotStale(now, new Date(now.getTime() - 1)))).toBe('tournament.stale')
    expect(codeOf(() => checkNotStale(now, new Date(now.getTime() + 1)))).toBe('tournament.stale')
  })
})

describe('settings', () => {
  const current = {
    ...defaults,
    id: 'cup',
    name: 'Cup',
    summary: 'old',
    links: { ...defaults.links, website: 'https://a.example/' },
  }
  const context = { chatApiUrl: 'https://discord.com/api/v10', newGuids: [] }
  const change = (input: SettingsInput) => readSettings(input, current, context)

  test('keep what is not given', () => {
    expect(change({})).toEqual(current)
    expect(change({ name: 'Other' })).toEqual({ ...current, name: 'Other' })
  })

  test('are emptied by null or an empty text', () => {
    const emptied = change({
      summary: '',
      description: null,
      imageUrl: '',
      chatWebhookUrl: '',
      links: { website: null },
    })
    expect(emptied).toEqual({ ...current, summary: null, links: defaults.links })
  })

  test('merge links and team size, and replace requirements and fields', () => {
    const next = readSettings(
      { links: { stream: 'https://s.example/' }, teamSize: { max: 3 }, requirements: { rankingA: true } },
      { ...current, requirements: { emailVerified: true } },
      context,
    )
    expect(next.links).toEqual({ ...current.links, stream: 'https://s.example/' })
    expect([next.teamSizeMin, next.teamSizeMax, next.teamSizeActive]).toEqual([1, 3, 1])
    expect(next.requirements).toEqual({ rankingA: true })
  })

  test('hold short ids in lower case (D6)', () => {
    expect(change({ id: 'Spring-CUP' }).id).toBe('spring-cup')
  })

  test('hold Markdown without what is unsafe (D36)', () => {
    const { description, rules, prizes } = change({
      description: 'a <script>alert(1)</script>b',
      rules: '[x](javascript:alert(1))',
      prizes: '<img src=x onerror=alert(1)>',
    })
    expect(`${description}${rules}${prizes}`).not.toMatch(/<script|javascript:|onerror/)
    expect(description).toContain('a ')
  })

  test.each<[SettingsInput, string]>([
    [{ id: 'mine' }, '"id" is a reserved word'],
    [{ id: '-cup' }, '"id" must be'],
    [{ id: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42' }, '"id" may not look like a GUID'],
    [{ timezone: 'Mars/Olympus' }, '"timezone" must be an IANA name'],
    [{ timezone: '+02:00' }, '"timezone" must be an IANA name'],
    [{ imageUrl: 'javascript:alert(1)' }, '"imageUrl" must'],
    [{ bannerUrl: '/banner.png' }, '"bannerUrl" must'],
    [{ links: { stream: 'ftp://s.example/' } }, '"links.stream" must'],
    [{ chatWebhookUrl: 'https://evil.example/api/webhooks/1/2' }, '"chatWebhookUrl" must'],
  ])('%o is refused by name', (input, message) => {
    expect(problemOf(() => change(input))).toMatchObject({
      kind: 'invalid',
      code: 'tournament.invalid',
      message: expect.stringContaining(message),
    })
  })

  test('are checked together with what stays', () => {
    const dated = { ...current, startsAt: days(0) }
    expect(codeOf(() => readSettings({ endsAt: days(-1).toISOString() }, dated, context))).toBe(
      'tournament.dates_out_of_order',
    )
    expect(codeOf(() => readSettings({ teamSize: { min: 2 } }, dated, context))).toBe('tournament.invalid')
  })
})
