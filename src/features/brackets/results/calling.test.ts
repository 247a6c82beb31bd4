import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsSince, lastEvent, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { messagesOf } from '../../../../test/notifications.ts'

/** Calling the teams of a match to play it. */

let api: Harness
let made: MadeBracket
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
})
afterAll(() => api[Symbol.asyncDispose]())

const call = (number: number, body: object = {}, as: Caller | null = made.organiser) =>
  api.post(`${made.match(number)}/call`, as, body)

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('who may call', () => {
  test.each(['role:coordinator', 'role:hcoordinator', 'role:referee', 'role:admin'])('%s', async (role) => {
    expect((await call(4, {}, await roleHolder(api, made.cup, role))).status).toBe(200)
  })

  test.each(['role:staff', 'role:caster', 'role:pooler', 'role:host'])('not %s', async (role) => {
    expect(outcome(await call(4, {}, await roleHolder(api, made.cup, role)))).toEqual([403, 'role.missing'])
  })

  test('not a captain, nor somebody without a token', async () => {
    expect(outcome(await call(4, {}, made.captains[0] as Caller))).toEqual([403, 'role.missing'])
    expect(outcome(await call(4, {}, null))).toEqual([401, 'token.missing'])
  })
})

describe('a call', () => {
  test('is shown in the match, logged once, and told to both teams', async () => {
    const seq = await lastEvent(api)
    const before = await made.readMatch(1)
    expect(before.calledAt).toBeNull()
    const { status, body } = await call(1, { message: 'On the *main* stream.' })
    expect([status, body.status, body.calledAt, body.revision]).toEqual([200, 'ready', instant, before.revision + 1])
    expect(await made.readMatch(1)).toEqual(body)
    expect((await api.get(made.match(1))).body.calledAt).toBe(body.calledAt)
    const teams = body.sides.map(({ team }: { team: { guid: string } }) => team.guid)
    expect(await eventsSince(api, made.cup, seq)).toEqual([
      {
        type: 'match.called',
        subject: body.guid,
        actor: made.organiser.guid,
        before: null,
        after: { number: 1, calledAt: body.calledAt, message: 'On the *main* stream.', teams },
      },
    ])
    const notice = {
      type: 'match.called',
      title: `Your match in Tournament ${made.cup.id} is called`,
      body: 'On the *main* stream.',
      data: { tournamentGuid: made.cup.guid, matchGuid: body.guid },
    }
    const players = made.captains.filter((_, index) => teams.includes(made.teams[index]?.guid))
    expect(players).toHaveLength(2)
    for (const player of players) expect(await messagesOf(api, player)).toEqual([notice])
    const other = made.captains.find((captain) => !players.includes(captain)) as Caller
    expect(await messagesOf(api, other)).toEqual([])
  })

  test('can be repeated until the match begins', async () => {
    const first = (await call(2)).body.calledAt
    const again = await Promise.all([call(2), call(2), call(2)])
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await made.readMatch(2)).calledAt >= first).toBe(true)
    expect((await api.post(`${made.match(2)}/start`, made.organiser)).body.calledAt).toEqual(instant)
    const refused = await call(2)
    expect(outcome(refused)).toEqual([409, 'match.running'])
    expect(refused.body.match).toMatchObject({ number: 2, status: 'running' })
  })

  test('is refused where nobody can play', async () => {
    expect(outcome(await call(7))).toEqual([409, 'match.not_ready'])
    await made.tell(3, { outcome: 'score', scores: [2, 0] })
    expect(outcome(await call(3))).toEqual([409, 'match.completed'])
    expect(outcome(await call(99))).toEqual([404, 'match.unknown'])
    expect(outcome(await call(4, { message: 'x'.repeat(201) }))).toEqual([400, 'request.invalid'])
  })

  test('is forgotten when another team is to play', async () => {
    const other = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    await other.win(1, 'team-1')
    await other.win(2, 'team-2')
    expect((await api.post(`${other.match(3)}/call`, other.organiser, {})).body.calledAt).toEqual(instant)
    const { revision } = await other.read()
    const corrected = await other.tell(1, { outcome: 'score', scores: [0, 2], reason: 'Swapped.', revision })
    expect(corrected.status).toBe(200)
    expect((await other.readMatch(3)).calledAt).toBeNull()
  })
})
