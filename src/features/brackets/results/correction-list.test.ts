import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BracketBody, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'

let api: Harness
let made: MadeBracket
let referee: Caller
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  referee = await roleHolder(api, made.cup, 'role:referee')
  for (const [number, team] of [
    [1, 'team-1'],
    [2, 'team-2'],
    [3, 'team-1'],
  ] as const) {
    await made.win(number, team)
  }
})
afterAll(() => api[Symbol.asyncDispose]())

const listed = (as: Caller | null, query = ''): Promise<Reply> => api.get(`${made.path}/corrections${query}`, as)
const correct = async (number: number, body: object) => {
  const { revision } = await made.read()
  const reply = await api.put(`${made.match(number)}/result`, referee, { ...body, revision })
  expect(reply.status).toBe(200)
  return reply.body
}

test('corrections are listed newest first, with who made them, what they altered and what was undone', async () => {
  expect((await listed(referee)).body).toEqual({ corrections: [], nextCursor: null })
  const first = await correct(1, { outcome: 'score', scores: [0, 2], reason: 'The wrong lobby.' })
  await api.post(`${made.path}/corrections/${first.correctionGuid}/undo`, referee)
  const second = await correct(3, { outcome: 'walkover', winner: 2 })
  const { corrections, nextCursor } = (await listed(referee)).body
  expect(nextCursor).toBeNull()
  expect(corrections).toMatchObject([
    { guid: second.correctionGuid, matches: [3], reason: null, undoneAt: null, revision: second.revision },
    {
      guid: first.correctionGuid,
      matches: [1, 3],
      reason: 'The wrong lobby.',
      bracket: made.bracket.guid,
      match: made.bracket.matches[0].guid,
      actor: { guid: referee.guid },
      revision: first.revision,
      undoneAt: expect.any(String),
    },
  ])
  const ofFinal = (await listed(referee, `?match=${made.bracket.matches[2].guid}`)).body.corrections
  expect(ofFinal.map(({ guid }: BracketBody) => guid)).toEqual([second.correctionGuid])
  const page = (await listed(referee, '?limit=1')).body
  const rest = (await listed(referee, `?limit=1&before=${page.nextCursor}`)).body
  expect([...page.corrections, ...rest.corrections]).toEqual(corrections)
  expect(rest.nextCursor).toBeNull()
})

test('everybody reads what a match was before its corrections, and nothing of who made them or why', async () => {
  const own = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  const read = async (as: Caller | null = null) => api.get(`${own.match(1)}/corrections`, as)
  expect((await read()).body).toEqual({ corrections: [] })
  await own.win(1, 'team-1')
  const { revision } = await own.read()
  const told = await own.tell(1, { outcome: 'score', scores: [0, 2], reason: 'The wrong lobby.', revision })
  expect(told.status, told.text).toBe(200)
  const seen = await read()
  const side = (number: number, score: number, result: string) => ({ team: { id: `team-${number}` }, score, result })
  const [won, lost] = [
    { status: 'completed', outcome: 'score', sides: [side(1, 2, 'win'), side(2, 0, 'loss')] },
    { status: 'completed', outcome: 'score', sides: [side(1, 0, 'loss'), side(2, 2, 'win')] },
  ]
  expect(seen.body.corrections).toMatchObject([{ before: won, after: lost, undoneAt: null }])
  expect(seen.text).not.toMatch(/lobby|actor|reason/)
  expect((await read(own.organiser)).text).toBe(seen.text)
  await api.post(`${own.path}/corrections/${told.body.correctionGuid}/undo`, own.organiser)
  expect((await read()).body.corrections).toMatchObject([{ before: won, after: lost, undoneAt: expect.any(String) }])
  expect(outcome(await api.get(`${own.path}/matches/99/corrections`))).toEqual([404, 'match.unknown'])
})

test('viewers of a delayed stream are shown a correction, and its undoing, as late as the match', async () => {
  const own = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  await own.win(1, 'team-1')
  const delayed = async () => (await api.get(`${own.match(1)}/corrections?delayed=true`)).body.corrections
  const { revision: first } = await own.read()
  const early = await own.tell(1, { outcome: 'score', scores: [1, 2], revision: first })
  expect(early.status, early.text).toBe(200)
  // Without a delay, all is shown.
  expect(await delayed()).toHaveLength(1)
  await api.sql(`update corrections set created_at = now() - interval '1 day' where guid = $1`, [
    early.body.correctionGuid,
  ])
  const set = await api.patch(`/tournaments/${own.cup.guid}`, own.organiser, { streamDelaySeconds: 600 })
  expect(set.status, set.text).toBe(200)
  const { revision } = await own.read()
  const told = await own.tell(1, { outcome: 'score', scores: [0, 2], revision })
  expect((await api.get(`${own.match(1)}/corrections`)).body.corrections).toHaveLength(2)
  expect(await delayed()).toMatchObject([{ guid: early.body.correctionGuid }])
  // As if it had been made, and undone, before and after what is shown now.
  await api.sql(`update corrections set created_at = now() - interval '1 hour' where guid = $1`, [
    told.body.correctionGuid,
  ])
  await api.post(`${own.path}/corrections/${told.body.correctionGuid}/undo`, own.organiser)
  const open = (await api.get(`${own.match(1)}/corrections`)).body.corrections
  expect(open).toMatchObject([{ undoneAt: expect.any(String) }, { undoneAt: null }])
  expect(await delayed()).toEqual([{ ...open[0], undoneAt: null }, open[1]])
})

test('a match is corrected two hundred times at most, and what it was can still be undone', async () => {
  const own = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  await own.win(1, 'team-1')
  const correctTo = async (scores: readonly number[]) =>
    api.put(`${own.match(1)}/result`, own.organiser, {
      outcome: 'score',
      scores,
      revision: (await own.read()).revision,
    })
  const first = await correctTo([0, 2])
  await api.sql(
    `insert into corrections (tournament_guid, bracket_guid, match_guid, actor_guid, before, after, revision)
     select tournament_guid, bracket_guid, match_guid, actor_guid, before, after, revision
     from corrections, generate_series(1, 198) where guid = $1`,
    [first.body.correctionGuid],
  )
  const last = await correctTo([2, 1])
  expect(outcome(last)).toEqual([200, null])
  expect(outcome(await correctTo([0, 2]))).toEqual([409, 'correction.limit_reached'])
  const { revision } = await own.read()
  const reopened = await api.post(`${own.match(1)}/reopen`, own.organiser, { reason: 'Protest.', revision })
  expect(outcome(reopened)).toEqual([409, 'correction.limit_reached'])
  const undone = await api.post(`${own.path}/corrections/${last.body.correctionGuid}/undo`, own.organiser)
  expect(outcome(undone)).toEqual([200, null])
})

test('they are for the staff of the tournament', async () => {
  expect(outcome(await listed(null))).toEqual([401, 'token.missing'])
  expect(outcome(await listed(await api.user()))).toEqual([403, 'role.missing'])
  expect(outcome(await listed(made.captains[0] as Caller))).toEqual([403, 'role.missing'])
  expect((await listed(await roleHolder(api, made.cup, 'role:caster'))).status).toBe(200)
  expect((await listed(made.organiser)).status).toBe(200)
  expect(outcome(await listed(made.organiser, '?before=nonsense'))).toEqual([400, 'cursor.invalid'])
})
