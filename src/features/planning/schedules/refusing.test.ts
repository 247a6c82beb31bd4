import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, makeSheet, problem } from '../../../../test/availability.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { captainOf, free, makeOfficial, makeTable } from '../../../../test/schedules.ts'
import { nobody } from '../../../../test/world.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

describe('what is refused', () => {
  type Fault = readonly [what: string, asked: { readonly body: object; readonly rules: object }]
  const of = (body: object, rules: object = {}) => ({ body, rules })
  const strange = ['https://user:secret@tv.example/', 'http://', 'HTTPS://[', `https://tv.example/${'x'.repeat(1_990)}`]
  test.each<Fault>([
    ['a window that ends before it starts', of({}, { earliest: at(22), latest: at(18) })],
    ['an empty window', of({}, { earliest: at(18), latest: at(18) })],
    ['a window of more than 62 days', of({}, { latest: new Date(Date.parse(at(18)) + 62 * 86_400_000 + 1) })],
    ['no earliest time', of({}, { earliest: undefined })],
    ['the epoch as the earliest time', of({}, { earliest: '1970-01-01T00:00:00Z' })],
    ['a time without a zone', of({}, { latest: '2026-05-01T22:00:00' })],
    ['matches too short', of({}, { minutesPerMatch: 14 })],
    ['matches too long', of({}, { minutesPerMatch: 721 })],
    ['minutes in parts', of({}, { minutesPerMatch: 60.5 })],
    ['no length of matches', of({}, { minutesPerMatch: undefined })],
    ['less than no rest', of({}, { minRestMinutes: -1 })],
    ['no stream', of({}, { streams: 0 })],
    ['too many streams', of({}, { streams: 17 })],
    ['an empty list of streams', of({}, { streams: [] })],
    ['a stream named twice', of({}, { streams: ['A', ' A '] })],
    ['a stream without a name', of({}, { streams: [' '] })],
    ...strange.map((stream) => [`a stream at ${stream.slice(0, 40)}`, of({}, { streams: [stream] })] as Fault),
    ['an unknown role', of({}, { officialsPerMatch: { 'role:king': 1 } })],
    ['a role with a huge number', of({}, { officialsPerMatch: { 'role:referee': 1e9 } })],
    ['a number as text', of({}, { officialsPerMatch: { 'role:referee': '1' } })],
    ['less than nobody', of({}, { officialsPerMatch: { 'role:referee': -1 } })],
    ['more than 16 officials', of({}, { officialsPerMatch: { 'role:referee': 8, 'role:caster': 8, 'role:host': 1 } })],
    ['a prototype among the roles', of({}, { officialsPerMatch: JSON.parse('{"__proto__": {"role:host": 1}}') })],
    ['no rules', of({ rules: null })],
    ['no matches', of({ matches: [] })],
    ['too many matches', of({ matches: new Array(257).fill(nobody) })],
    ['a match that is no GUID', of({ matches: ['1'] })],
    ['neither matches nor a round', of({ matches: undefined })],
    ['matches and a round', of({ matches: [nobody], round: { bracketGuid: nobody, section: 'upper', number: 1 } })],
    ['a round of no section', of({ round: { bracketGuid: nobody, section: 'middle', number: 1 } })],
    ['no sheets', of({ sheets: undefined })],
    ['too many sheets', of({ sheets: new Array(21).fill(nobody) })],
  ])('%s', async (_, { body, rules }) => {
    const table = await shared()
    const reply = await api.post(table.proposals, table.organiser, {
      matches: [...table.guids.values()],
      sheets: [],
      rules: { minutesPerMatch: 60, earliest: at(18), latest: at(22), ...rules },
      ...body,
    })
    expect(reply.status).toBe(400)
    expect(['schedule.invalid', 'request.invalid', 'request.unknown_member']).toContain(
      reply.headers.get('problem-code'),
    )
  })

  let table: ReturnType<typeof makeTable> | undefined
  function shared() {
    table ??= makeTable(api, { teams: 2 })
    return table
  }

  test('matches, sheets and brackets of other tournaments, as those that do not exist', async () => {
    const [table, other] = [await makeTable(api, { teams: 2 }), await makeTable(api, { teams: 2 })]
    const sheet = await makeSheet(api, other.cup, other.organiser)
    const round = { bracketGuid: other.bracket.guid, section: 'upper', number: 1 }
    expect(problem(await table.propose({ matches: [nobody] }))).toEqual([404, 'match.unknown'])
    expect(problem(await table.propose({ matches: [other.guids.get(1)] }))).toEqual([404, 'match.unknown'])
    expect(problem(await table.propose({ sheets: [nobody] }))).toEqual([404, 'sheet.unknown'])
    expect(problem(await table.propose({ sheets: [sheet.guid] }))).toEqual([404, 'sheet.unknown'])
    expect(problem(await table.propose({ round }))).toEqual([404, 'bracket.unknown'])
    const foreign = await other.proposed()
    for (const guid of [foreign.guid, nobody, 'x']) {
      const address = `${table.proposals}/${guid}`
      expect(problem(await api.get(address, table.organiser))).toEqual([404, 'proposal.unknown'])
      expect(problem(await api.post(`${address}/apply`, table.organiser))).toEqual([404, 'proposal.unknown'])
    }
  })

  test('a tournament that was cancelled', async () => {
    const table = await makeTable(api, { teams: 2 })
    const proposal = await table.proposed()
    await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [table.cup.guid])
    expect(problem(await table.propose())).toEqual([409, 'tournament.cancelled'])
    expect(problem(await table.apply(proposal))).toEqual([409, 'tournament.cancelled'])
  })
})

describe('who may have it', () => {
  test('the organiser and admins alone, for it tells what everybody answered', async () => {
    const table = await makeTable(api, { teams: 2 })
    const proposal = await table.proposed()
    const body = { matches: [table.guids.get(1)], sheets: [], rules: {} }
    const calls = async (who: Caller | null) => [
      problem(await api.post(table.proposals, who, body)),
      problem(await api.get(`${table.proposals}/${proposal.guid}`, who)),
      problem(await api.post(`${table.proposals}/${proposal.guid}/apply`, who)),
    ]
    const others = ['staff', 'coordinator', 'hcoordinator', 'pooler', 'hpooler', 'caster', 'hcaster', 'host', 'referee']
    const strangers = await Promise.all(others.map((role) => roleHolder(api, table.cup, `role:${role}`)))
    for (const who of [...strangers, await api.user(), await captainOf(api, table.teams[0] as never)]) {
      expect(await calls(who)).toEqual(new Array(3).fill([403, 'role.missing']))
    }
    expect(await calls(null)).toEqual(new Array(3).fill([401, 'token.missing']))
    const reader = await api.user({ scopes: ['rest:read'] })
    await api.sql(`insert into tournament_role_holders values ($1, $2, 'role:admin')`, [table.cup.guid, reader.guid])
    expect((await calls(reader)).map(([status]) => status)).toEqual([401, 200, 401])
    const admin = await roleHolder(api, table.cup, 'role:admin')
    expect((await calls(admin)).map(([status]) => status)).toEqual([400, 200, 200])
  })

  test('events tell of numbers, not of answers or people', async () => {
    const table = await makeTable(api, { teams: 2 })
    const sheet = await makeSheet(api, table.cup, table.organiser)
    const official = await makeOfficial(api, table.cup, sheet, free)
    const proposal = await table.proposed({ sheets: [sheet.guid] }, { officialsPerMatch: { 'role:referee': 1 } })
    expect((await table.apply(proposal)).status).toBe(200)
    const events = await api.sql<{ type: string }>(
      `select type, actor, before, after from event_log where subject = $1 order by seq`,
      [proposal.guid],
    )
    expect(events).toEqual([
      { type: 'schedule.proposed', actor: table.organiser.guid, before: null, after: { placed: 1, unplaced: 0 } },
      { type: 'schedule.applied', actor: table.organiser.guid, before: null, after: { placed: 1, cleared: 0 } },
    ])
    expect(JSON.stringify(events)).not.toContain(official.guid)
  })

  test('what is left of officials and matches that are gone can still be read', async () => {
    const table = await makeTable(api, { teams: 2 })
    const sheet = await makeSheet(api, table.cup, table.organiser)
    const official = await makeOfficial(api, table.cup, sheet, free)
    const proposal = await table.proposed({ sheets: [sheet.guid] }, { officialsPerMatch: { 'role:referee': 1 } })
    expect((await api.delete('/users/@me', official)).status).toBeLessThan(300)
    await api.delete(`/tournaments/${table.cup.guid}/brackets/${table.bracket.guid}`, table.organiser)
    const { status, body, text } = await api.get(`${table.proposals}/${proposal.guid}`, table.organiser)
    expect(status).toBe(200)
    expect(body.placements[0]).toMatchObject({ matchGuid: table.guids.get(1), number: null })
    expect(text).not.toContain(official.username)
  })
})
