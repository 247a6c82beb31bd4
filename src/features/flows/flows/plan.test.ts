import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBracket, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, remembered, roleHolder } from '../../../../test/make.ts'
import { findPlannedFlow } from '../flowSessions/store/planned.ts'

/** The flow that a match is played by. (match-flows: Plan) */

let api: Harness
let made: MadeBracket
let head: Caller
let path: string
let flows: { guid: string; name: string }[]
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 4, format: 'double_elimination' })
  head = await roleHolder(api, made.cup, 'role:hcoordinator')
  path = `${made.path}/flow-plan`
  flows = []
  for (const name of ['Default', 'Bracket', 'Round', 'Match']) {
    const { body } = await api.post(`${made.path}/flows`, head, { name, basedOn: 'referee-picks' })
    flows.push(body)
  }
})
afterAll(() => api?.[Symbol.asyncDispose]())

const nobody = '00000000-0000-4000-8000-000000000000'
const guid = (index: number) => flows[index]?.guid as string
const revision = async () => (await api.get(path)).body.revision as number
const plan = async (body: object) => {
  const reply = await api.put(path, head, { revision: await revision(), ...body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** The planned flow as a session that begins reads it. */
async function plannedFor(number: number) {
  const [match] = await api.sql<Parameters<typeof findPlannedFlow>[1]>(
    `select guid, tournament_guid as "tournamentGuid", bracket_guid as "bracketGuid", section, round
     from matches where bracket_guid = $1 and number = $2`,
    [made.bracket.guid, number],
  )
  if (match === undefined) throw new Error(`there is no match ${number}`)
  return findPlannedFlow(api.app.database.db, match)
}

describe('the plan', () => {
  test('is read by everybody, and written by the organiser and head coordinators', async () => {
    const empty = { revision: 0, default: null, brackets: [], matches: [] }
    expect((await api.get(path)).body).toEqual(empty)
    for (const role of ['role:coordinator', 'role:hpooler', 'role:staff', 'role:referee']) {
      const caller = await roleHolder(api, made.cup, role)
      expect((await api.get(path, caller)).body).toEqual(empty)
      expect(outcome(await api.put(path, caller, empty))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await api.put(path, null, empty))).toEqual([401, 'token.missing'])
    // The plan is empty already, so nothing changes.
    for (const caller of [head, made.organiser]) expect((await api.put(path, caller, empty)).body).toEqual(empty)
    const draft = await makeTournament(api, made.organiser, { status: 'draft' })
    expect(outcome(await api.get(`/tournaments/${draft.guid}/flow-plan`))).toEqual([404, 'tournament.unknown'])
  })

  test.each<[string, () => object, RegExp]>([
    ['flow', () => ({ default: nobody }), /no flow 0000/],
    ['preset', () => ({ default: 'no-such' }), /no preset “no-such”/],
    ['flow for four', () => ({ default: 'rhythmlan-ffa4' }), /4 seats/],
    ['bracket', () => ({ brackets: [{ bracketGuid: nobody, flowGuid: guid(0) }] }), /no bracket 0000/],
    ['bracket of nothing', () => ({ brackets: [{ bracketGuid: nobody }] }), /no bracket 0000/],
    ['flow of a bracket', () => ({ brackets: [{ bracketGuid: made.bracket.guid, flowGuid: nobody }] }), /no flow 0000/],
    [
      'round',
      () => ({ brackets: [{ bracketGuid: made.bracket.guid, rounds: { 'upper:9': guid(0) } }] }),
      /no round upper:9/,
    ],
    [
      'preset of a round',
      () => ({ brackets: [{ bracketGuid: made.bracket.guid, rounds: { 'upper:1': 'x' } }] }),
      /no preset/,
    ],
    ['bracket twice', () => ({ brackets: [0, 1].map(() => ({ bracketGuid: made.bracket.guid })) }), /twice/],
    ['match', () => ({ matches: [{ matchGuid: nobody, flowGuid: guid(0) }] }), /no match 0000/],
    [
      'match twice',
      () => ({ matches: [0, 1].map((each) => ({ matchGuid: made.bracket.matches[0].guid, flowGuid: guid(each) })) }),
      /twice/,
    ],
  ])('names no wrong %s', async (_what, body, why) => {
    const reply = await api.put(path, head, { revision: await revision(), ...body() })
    expect(outcome(reply)).toEqual([400, 'flow_plan.invalid'])
    expect(reply.text).toMatch(why)
  })

  test('names nothing of another tournament', async () => {
    const other = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const { body: flow } = await api.post(`${other.path}/flows`, other.organiser, { name: 'x', basedOn: 'paidia-bo3' })
    for (const body of [
      { default: flow.guid },
      { brackets: [{ bracketGuid: other.bracket.guid, flowGuid: guid(0) }] },
      { matches: [{ matchGuid: other.bracket.matches[0].guid, flowGuid: guid(0) }] },
    ]) {
      const reply = await api.put(path, head, { revision: await revision(), ...body })
      expect(outcome(reply)).toEqual([400, 'flow_plan.invalid'])
    }
  })

  test('is the whole plan, one revision further with each change, and tells what each match is played by', async () => {
    const before = await revision()
    const [first] = made.bracket.matches
    const body = {
      default: 'accsaber-bo3',
      brackets: [{ bracketGuid: made.bracket.guid, flowGuid: guid(1).toUpperCase(), rounds: { 'upper:1': 'osu-bo9' } }],
      matches: [{ matchGuid: first.guid, flowGuid: guid(3) }],
    }
    const planned = {
      ...body,
      revision: before + 1,
      brackets: [{ bracketGuid: made.bracket.guid, flowGuid: guid(1), rounds: { 'upper:1': 'osu-bo9' } }],
    }
    expect(await plan(body)).toEqual(planned)
    expect((await remembered(api, path)).body).toEqual(planned)
    expect(await plan(body)).toEqual(planned)

    expect(await plannedFor(first.number)).toMatchObject({ guid: guid(3), name: 'Match' })
    const inRound = made.bracket.matches.find(
      (match: { section: string; round: number; guid: string }) =>
        match.section === 'upper' && match.round === 1 && match.guid !== first.guid,
    )
    const ofRound = await plannedFor(inRound.number)
    expect([ofRound?.guid, ofRound?.flow.bestOf]).toEqual([null, 9])
    const later = made.bracket.matches.find((match: { section: string }) => match.section === 'lower')
    expect(await plannedFor(later.number)).toMatchObject({ guid: guid(1), name: 'Bracket' })

    await plan({ default: guid(0), brackets: [], matches: [] })
    expect(await plannedFor(first.number)).toMatchObject({ guid: guid(0), name: 'Default' })
    await plan({})
    expect(await plannedFor(first.number)).toBeNull()
  })

  test('that is older than another is refused with the one that there is; of many at once one is first', async () => {
    const present = await plan({ default: guid(2) })
    const stale = await api.put(path, head, { revision: present.revision - 1, default: guid(0) })
    expect(outcome(stale)).toEqual([409, 'flow_plan.stale'])
    expect(stale.body.plan).toEqual(present)
    const names = ['accsaber-bo3', 'cvre-bo5', 'osu-bo9', 'osu-bo11', 'osu-bo13']
    const replies = await Promise.all(
      names.map((name) => api.put(path, head, { revision: present.revision, default: name })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await revision()).toBe(present.revision + 1)
  })

  test('keeps a flow that it names from being deleted, and for two seats', async () => {
    const address = `${made.path}/flows/${guid(2)}`
    const seats = {
      name: 'Four',
      basedOn: null,
      seats: 4,
      steps: lobby,
      rules: { play: { mode: 'play_all', maps: 1 } },
    }
    for (const body of [
      { default: guid(2) },
      { brackets: [{ bracketGuid: made.bracket.guid, rounds: { 'upper:1': guid(2) } }] },
      { matches: [{ matchGuid: made.bracket.matches[0].guid, flowGuid: guid(2) }] },
    ]) {
      await plan(body)
      expect(outcome(await api.delete(address, head))).toEqual([409, 'flow.planned'])
      expect(outcome(await api.put(address, head, seats))).toEqual([409, 'flow.planned'])
    }
    const renamed = await api.put(address, head, { name: 'Round', basedOn: null, steps: plain })
    expect(renamed.status, renamed.text).toBe(200)
    await plan({})
    const four = await api.put(address, head, seats)
    expect(four.status, four.text).toBe(200)
    const reply = await api.put(path, head, { revision: await revision(), default: guid(2) })
    expect(outcome(reply)).toEqual([400, 'flow_plan.invalid'])
    expect((await api.delete(address, head)).status).toBe(204)
  })

  test('and a deletion at once leave no plan that names nothing', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const { body: flow } = await api.post(`${made.path}/flows`, head, { name: 'Brief', basedOn: 'paidia-bo3' })
      const [planned, deleted] = await Promise.all([
        api.put(path, head, { revision: await revision(), default: flow.guid }),
        api.delete(`${made.path}/flows/${flow.guid}`, head),
      ])
      const outcomes = [outcome(planned), outcome(deleted)].flat().join(' ')
      expect(['200  409 flow.planned', '400 flow_plan.invalid 204 ']).toContain(outcomes)
      await plan({})
    }
  })

  test('loses what stood in a bracket that is deleted, and goes with its tournament', async () => {
    const organiser = made.organiser
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    const own = `/tournaments/${draft.guid}`
    const { body: flow } = await api.post(`${own}/flows`, organiser, { name: 'x', basedOn: 'paidia-bo3' })
    expect((await api.put(`${own}/flow-plan`, organiser, { revision: 0, default: flow.guid })).status).toBe(200)
    const deleted = await api.delete(own, organiser)
    expect(deleted.status, deleted.text).toBeLessThan(300)

    expect((await api.post(`${made.path}/divisions`, organiser, { name: 'Other', id: 'other' })).status).toBe(201)
    const bracket = await addBracket(api, made, { format: 'single_elimination', division: 'other' })
    await plan({ brackets: [{ bracketGuid: bracket.guid, flowGuid: 'osu-bo9' }] })
    const gone = await api.delete(`${made.path}/brackets/${bracket.guid}`, organiser)
    expect(gone.status, gone.text).toBeLessThan(300)
    expect((await api.get(path)).body.brackets).toEqual([])
  })

  test('is told to everybody by its revision and its numbers', async () => {
    const events = await api.sql<{ type: string; after: object }>(
      `select type, after from event_log where tournament = $1 and type = 'flow_plan.updated' order by seq limit 1`,
      [made.cup.guid],
    )
    expect(events).toEqual([
      { type: 'flow_plan.updated', after: { revision: 1, default: 'accsaber-bo3', brackets: 1, matches: 1 } },
    ])
  })
})

const plain = [{ repeat: 'until_decided', steps: [{ action: 'pick', actor: 'referee' }, { action: 'play' }] }]
const lobby = [{ action: 'pick', actor: 'referee' }, { action: 'play' }]
