import { describe, expect, test } from 'vitest'
import { Problem } from '../../../core/problem.ts'
import type { FieldInput, RequirementsInput, SettingsInput } from '../bodies.ts'
import { type TournamentStatus, tournamentStatuses } from '../types.ts'
import { checkDateOrder, type Dates, readDate } from './dates.ts'
import { countNewFields, readFields } from './fields.ts'
import { readSearch, readStatuses, readWindow } from './listing.ts'
import { checkDeletable } from './organiser.ts'
import { readRequirements } from './requirements.ts'
import { checkCapacity, checkNotStale, checkTeamSize, defaults, readSettings } from './settings.ts'
import { checkStep, isReopenable, statusAfter } from './status.ts'
import { chatWebhookFault } from './webhook.ts'

/** The code of the problem that `work` throws, or null. */
function codeOf(work: () => unknown): string | null {
  return problemOf(work)?.code ?? null
}

function problemOf(work: () => unknown): Problem | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

const now = new Date('2026-06-15T12:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 24 * 3_600_000)

describe('status (D25)', () => {
  const legal = new Set([
    'approved ongoing',
    'ongoing completed',
    'completed ongoing',
    'draft cancelled',
    'approved cancelled',
    'ongoing cancelled',
  ])
  const pairs = tournamentStatuses.flatMap((from) => tournamentStatuses.map((to) => [from, to] as const))

  test.each(pairs)('the organiser moves %s to %s only where the table has it', (from, to) => {
    const code = codeOf(() => checkStep({ status: from, completedAt: days(-1) }, to, false, now))
    expect(code).toBe(legal.has(`${from} ${to}`) ? null : 'tournament.step_illegal')
  })

  test('a draft is not approved by asking, but told where to ask', () => {
    const problem = problemOf(() => checkStep({ status: 'draft', completedAt: null }, 'approved', true, now))
    expect(problem).toMatchObject({ kind: 'conflict', message: expect.stringContaining('ask for it to be listed') })
  })

  test.each([
    [days(0), true],
    [days(-14), true],
    [new Date(days(-14).getTime() - 1), false],
    [null, false],
  ])('a tournament completed at %s can be resumed by its organiser: %s', (completedAt, reopenable) => {
    expect(isReopenable(completedAt, now)).toBe(reopenable)
    const step = (anyTime: boolean) =>
      codeOf(() => checkStep({ status: 'completed', completedAt }, 'ongoing', anyTime, now))
    expect(step(false)).toBe(reopenable ? null : 'tournament.step_illegal')
    expect(step(true)).toBeNull()
  })

  const decisions: [TournamentStatus, 'approval' | 'revocation' | 'block', TournamentStatus | null][] = [
    ['draft', 'approval', 'approved'],
    ['approved', 'approval', null],
    ['ongoing', 'approval', null],
    ['completed', 'approval', null],
    ['cancelled', 'approval', null],
    ['draft', 'revocation', null],
    ['approved', 'revocation', 'draft'],
    ['ongoing', 'revocation', null],
    ['completed', 'revocation', null],
    ['cancelled', 'revocation', null],
    ['draft', 'block', 'cancelled'],
    ['approved', 'block', 'cancelled'],
    ['ongoing', 'block', 'cancelled'],
    ['completed', 'block', 'cancelled'],
    ['cancelled', 'block', null],
  ]
  test.each(decisions)('what %s becomes by %s on the main list: %s', (from, decision, to) => {
    expect(statusAfter(from, decision)).toBe(to)
  })

  test.each(tournamentStatuses)('a tournament in status %s can be deleted only as a draft (D35)', (status) => {
    expect(codeOf(() => checkDeletable(status))).toBe(status === 'draft' ? null : 'tournament.not_draft')
  })
})

describe('dates', () => {
  const unset: Dates = {
    startsAt: null,
    endsAt: null,
    registrationOpensAt: null,
    registrationClosesAt: null,
    rosterLocksAt: null,
  }

  test.each<[string, Partial<Dates>]>([
    ['nothing is set', {}],
    [
      'all are in order',
      {
        registrationOpensAt: days(0),
        registrationClosesAt: days(1),
        rosterLocksAt: days(2),
        startsAt: days(3),
        endsAt: days(4),
      },
    ],
    [
      'all are equal',
      {
        registrationOpensAt: days(0),
        registrationClosesAt: days(0),
        rosterLocksAt: days(0),
        startsAt: days(0),
        endsAt: days(0),
      },
    ],
    ['rosters lock during play', { startsAt: days(0), rosterLocksAt: days(1), endsAt: days(2) }],
    ['rosters lock before registration closes', { rosterLocksAt: days(0), registrationClosesAt: days(1) }],
  ])('pass when %s', (_what, dates) => {
    expect(codeOf(() => checkDateOrder({ ...unset, ...dates }))).toBeNull()
  })

  test.each<[keyof Dates, keyof Dates]>([
    ['startsAt', 'endsAt'],
    ['registrationOpensAt', 'registrationClosesAt'],
    ['registrationOpensAt', 'startsAt'],
    ['registrationOpensAt', 'endsAt'],
    ['registrationClosesAt', 'startsAt'],
    ['registrationClosesAt', 'endsAt'],
    ['registrationOpensAt', 'rosterLocksAt'],
    ['rosterLocksAt', 'endsAt'],
  ])('%s may not be after %s, and the refusal names both', (earlier, later) => {
    const problem = problemOf(() => checkDateOrder({ ...unset, [earlier]: new Date(now.getTime() + 1), [later]: now }))
    expect(problem).toMatchObject({ kind: 'invalid', code: 'tournament.dates_out_of_order' })
    expect(problem?.message).toContain(`"${earlier}"`)
    expect(problem?.message).toContain(`"${later}"`)
  })

  test.each([
    ['2026-05-01T18:00:00Z', '2026-05-01T18:00:00.000Z'],
    ['2026-05-01T20:00+02:00', '2026-05-01T18:00:00.000Z'],
    ['20260501T180000Z', '2026-05-01T18:00:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(readDate('startsAt', text)?.toISOString()).toBe(instant)
  })

  test.each([null, '1970-01-01T00:00:00Z', '1970-01-01T01:00:00+01:00'])('%s is unset (D7)', (text) => {
    expect(readDate('startsAt', text)).toBeNull()
  })

  test.each(['2026-05-01T18:00:00', '2019-12-31T23:59:59Z', '2026-02-30T00:00:00Z', 'soon'])(
    '%s is refused by name (D7)',
    (text) => {
      expect(problemOf(() => readDate('startsAt', text))).toMatchObject({
        code: 'tournament.invalid',
        message: expect.stringMatching(/^"startsAt" must /),
      })
    },
  )
})

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

describe('additional fields', () => {
  const guids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  const field = (more: Partial<FieldInput> = {}): FieldInput => ({ label: 'Region', type: 'text', ...more })

  test('keep a given GUID, in lower case, and get one of the new ones otherwise', () => {
    const kept = 'ABCDEF00-0000-4000-8000-000000000009'
    const given = [field(), field({ guid: kept }), field()]
    expect(countNewFields(given)).toBe(2)
    expect(readFields(given, guids).map(({ guid }) => guid)).toEqual([guids[0], kept.toLowerCase(), guids[1]])
  })

  test('have defaults for everything but label and type', () => {
    expect(readFields([field({ help: '' })], guids)).toEqual([
      {
        guid: guids[0],
        label: 'Region',
        help: null,
        type: 'text',
        required: false,
        options: [],
        subject: 'team',
        private: false,
      },
    ])
  })

  test.each<[string, FieldInput[], string | null]>([
    ['a choice with options', [field({ type: 'select', options: ['EU', 'NA'] })], null],
    ['a choice without options', [field({ type: 'select' })], 'needs "options"'],
    ['a choice with the same option twice', [field({ type: 'select', options: ['EU', 'EU'] })], 'same option twice'],
    ['options of a number', [field({ type: 'number', options: ['1'] })], 'only if its "type" is select'],
    ['no options of a number', [field({ type: 'number', options: [] })], null],
    ['one GUID twice', [field({ guid: guids[0] as string }), field({ guid: guids[0] as string })], 'same GUID'],
  ])('%s', (_what, given, refusal) => {
    const problem = problemOf(() => readFields(given, guids))
    if (refusal === null) expect(problem).toBeNull()
    else expect(problem).toMatchObject({ code: 'tournament.invalid', message: expect.stringContaining(refusal) })
  })
})

describe('requirements', () => {
  test('keep what is asked for, and nothing that asks for nothing', () => {
    const input: RequirementsInput = {
      countries: ['ca', 'DE', 'CA'],
      rankA: { min: 1, max: 500 },
      rankB: { max: 10, min: null },
      rankingA: true,
      rankingB: false,
      emailVerified: null,
      chatAccountAgeDays: 0,
    }
    expect(readRequirements(input)).toEqual({
      countries: ['CA', 'DE'],
      rankA: { min: 1, max: 500 },
      rankB: { max: 10 },
      rankingA: true,
      rankingB: false,
      chatAccountAgeDays: 0,
    })
    expect(readRequirements({ countries: [], rankA: {}, rankB: null, verifiedLinks: null })).toEqual({})
  })

  test.each(['UK', 'Canada', 'XX', ''])('%j is no country', (code) => {
    expect(codeOf(() => readRequirements({ countries: [code] }))).toBe('tournament.invalid')
  })

  test('a range of ranks may not be empty', () => {
    const problem = problemOf(() => readRequirements({ rankB: { min: 2, max: 1 } }))
    expect(problem?.message).toContain('"requirements.rankB.min"')
    expect(codeOf(() => readRequirements({ rankB: { min: 2, max: 2 } }))).toBeNull()
  })
})

describe('chat webhook addresses (D33, D37)', () => {
  const discord = 'https://discord.com/api/v10'
  test.each([
    [discord, 'https://discord.com/api/webhooks/123/abc_DEF-9'],
    [discord, 'https://discord.com/api/v10/webhooks/123/abc'],
    [discord, 'https://DISCORD.com:443/api/webhooks/123/abc'],
    ['http://127.0.0.1:4567', 'http://127.0.0.1:4567/webhooks/1/t'],
    ['http://127.0.0.1:4567', 'http://127.0.0.1:4567/api/webhooks/1/t'],
    ['http://127.0.0.1:4567/fake/', 'http://127.0.0.1:4567/fake/webhooks/1/t'],
  ])('with the platform at %s, %s is one', (api, address) => {
    expect(chatWebhookFault(address, api)).toBeNull()
  })

  test.each([
    'http://discord.com/api/webhooks/123/abc',
    'https://discord.com.evil.example/api/webhooks/123/abc',
    'https://evil.example/api/webhooks/123/abc',
    'https://discord.com@evil.example/api/webhooks/123/abc',
    'https://user:pass@discord.com/api/webhooks/123/abc',
    'https://discord.com:8443/api/webhooks/123/abc',
    'https://ptb.discord.com/api/webhooks/123/abc',
    'https://discord.com/webhooks/123/abc',
    'https://discord.com/api/v9/webhooks/123/abc',
    'https://discord.com/api/webhooks/123',
    'https://discord.com/api/webhooks/123/abc/messages/1',
    'https://discord.com/api/webhooks/../users/@me',
    'https://discord.com/api/webhooks/123/abc?wait=true',
    'https://discord.com/api/webhooks/123/abc#x',
    'https://discord.com/api/webhooks/1%2F2/abc',
    'javascript:alert(1)',
    '//discord.com/api/webhooks/123/abc',
    'discord.com/api/webhooks/123/abc',
  ])('%s is none', (address) => {
    const fault = chatWebhookFault(address, discord)
    expect(fault).not.toBeNull()
    // The address is a secret.
    expect(fault).not.toContain('abc')
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

describe('filters of the list', () => {
  test.each<[string | undefined, readonly string[] | undefined]>([
    [undefined, undefined],
    ['approved', ['approved']],
    ['completed, ongoing', ['completed', 'ongoing']],
    ['ongoing,ongoing', ['ongoing']],
    ['approved,ongoing,completed', undefined],
  ])('status %j asks for %j', (text, statuses) => {
    expect(readStatuses(text)).toEqual(statuses)
  })

  test.each(['draft', 'cancelled', 'approved,draft', 'Approved', '', ',', 'approved,', 'toString'])(
    'status %j is refused',
    (text) => {
      expect(codeOf(() => readStatuses(text))).toBe('tournament.status_not_listed')
    },
  )

  test.each<[string, string | null]>([
    ['cup', "'cup':*"],
    ['spring cup', "'spring' & 'cup':*"],
    ['  Spring-Cup_2026 ', "'Spring' & 'Cup' & '2026':*"],
    ["o'neill's", "'o' & 'neill' & 's':*"],
    ["'; drop table tournaments; --", "'drop' & 'table' & 'tournaments':*"],
    ['!(a | b) <-> c:*', "'a' & 'b' & 'c':*"],
    ['\\\0\u0001\u007f', null],
    ['&|!:*()<>\'"', null],
    ['Überfall 大会', "'Überfall' & '大会':*"],
    ['e\u0301te', "'éte':*"],
  ])('the search %j reads %j', (text, query) => {
    expect(readSearch(text)).toBe(query)
  })

  test('a window has its start before its end', () => {
    expect(readWindow(undefined, undefined)).toEqual({})
    expect(readWindow('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toEqual({
      from: new Date('2026-01-01T00:00:00Z'),
      to: new Date('2026-01-01T00:00:00Z'),
    })
    expect(readWindow('1970-01-01T00:00:00Z', undefined).from).toBeUndefined()
    expect(codeOf(() => readWindow('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'))).toBe('tournament.window_invalid')
  })
})
