import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BracketBody,
  eventsSince,
  lastEvent,
  lineOf,
  type MadeBracket,
  makeBracket,
  substanceOf,
} from '../../../../test/bracket-play.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

/**
 * Double elimination of eight:
 *   upper   1: 1–8  2: 4–5  3: 2–7  4: 3–6  5: w1–w2  6: w3–w4  11: w5–w6
 *   lower   7: l1–l2  8: l3–l4  9: l6–w7  10: l5–w8  12: w9–w10  13: l11–w12
 *   final  14: w11–w13  15: l14–w14, if w13 wins
 * The better seed wins every match, but for the first final.
 */
const played: readonly (readonly [match: number, seed: number])[] =
  '1-1 2-4 3-2 4-3 5-1 6-2 7-5 8-6 9-3 10-4 11-1 12-3 13-2 14-2 15-1'
    .split(' ')
    .map((each) => each.split('-').map(Number) as [number, number])
const lines = [
  ...['team-1 2 : team-8 0', 'team-4 2 : team-5 0', 'team-2 2 : team-7 0', 'team-3 2 : team-6 0'],
  ...['team-1 2 : team-4 0', 'team-2 2 : team-3 0', 'team-8 0 : team-5 2', 'team-7 0 : team-6 2'],
  ...['team-3 2 : team-5 0', 'team-4 2 : team-6 0', 'team-1 2 : team-2 0', 'team-3 2 : team-4 0'],
  ...['team-2 2 : team-3 0', 'team-1 0 : team-2 2', 'team-1 2 : team-2 0'],
]

async function playedOut(upTo = 15): Promise<MadeBracket> {
  const made = await makeBracket(api, { teams: 8, format: 'double_elimination' })
  for (const [number, seed] of played.slice(0, upTo)) await made.win(number, `team-${seed}`)
  return made
}

const undo = (made: MadeBracket, guid: string) => api.post(`${made.path}/corrections/${guid}/undo`, made.organiser)
const reopen = (made: MadeBracket, number: number, body: object, query = '') =>
  api.post(`${made.match(number)}/reopen${query}`, made.organiser, { reason: 'Protest.', ...body })
const affectedLines = ({ affected }: BracketBody) =>
  affected.map(
    ({ number, change, before, after }: BracketBody) => `${number} ${change}: ${lineOf(before)} → ${lineOf(after)}`,
  )

describe('in a bracket that is played out', () => {
  let made: MadeBracket
  let before: BracketBody
  beforeAll(async () => {
    made = await playedOut()
    before = await made.read()
  })

  test('the table is the one that was worked out by hand', () => {
    expect(before.matches.map(lineOf)).toEqual(lines)
    const places = before.standings.map(({ rank, team }: BracketBody) => `${rank} ${team.id}`)
    expect(places.slice(0, 4)).toEqual(['1 team-1', '2 team-2', '3 team-3', '4 team-4'])
    expect(places.slice(4).toSorted()).toEqual(['5 team-5', '5 team-6', '7 team-7', '7 team-8'])
    expect(before.status).toBe('completed')
  })

  test('a result is changed only by whoever gives the revision, and is told the match as it is', async () => {
    const refused = await made.tell(1, { outcome: 'score', scores: [0, 2] })
    expect(outcome(refused)).toEqual([409, 'match.completed'])
    expect(refused.headers.get('content-type')).toContain('application/json')
    expect(refused.body).toEqual({ message: expect.stringContaining('revision'), match: before.matches[0] })
    for (const revision of [before.revision - 1, before.revision + 1, 0]) {
      const stale = await made.tell(1, { outcome: 'score', scores: [0, 2], revision })
      expect(outcome(stale)).toEqual([409, 'correction.stale'])
      expect(stale.body.match).toEqual(before.matches[0])
      expect(outcome(await reopen(made, 1, { revision }))).toEqual([409, 'correction.stale'])
    }
    expect(outcome(await reopen(made, 1, {}))).toEqual([409, 'match.completed'])
    expect(await made.read()).toEqual(before)
  })

  test('a preview tells what follows by hand, and writes nothing', async () => {
    const seq = await lastEvent(api)
    const reply = await made.tell(1, { outcome: 'score', scores: [1, 2] }, '?dryRun=true')
    expect(reply.status).toBe(200)
    const { affected, ...rest } = reply.body
    expect(rest).toEqual({ dryRun: true, revision: before.revision, correctionGuid: null })
    // Team 8 advances instead of team 1, which drops into match 7. The later results of both are void.
    expect(affectedLines({ affected })).toEqual([
      '5 result_voided: team-1 2 : team-4 0 → team-8 - : team-4 -',
      '7 result_voided: team-8 0 : team-5 2 → team-1 - : team-5 -',
      '9 result_voided: team-3 2 : team-5 0 → team-3 - : - -',
      '10 result_voided: team-4 2 : team-6 0 → - - : team-6 -',
      '11 result_voided: team-1 2 : team-2 0 → - - : team-2 -',
      '12 result_voided: team-3 2 : team-4 0 → - - : - -',
      '13 result_voided: team-2 2 : team-3 0 → - - : - -',
      '14 result_voided: team-1 0 : team-2 2 → - - : - -',
      '15 result_voided: team-1 2 : team-2 0 → - - : - -',
    ])
    expect(affected.map(({ matchGuid }: BracketBody) => matchGuid)).toEqual(
      affected.map(({ number }: BracketBody) => before.matches[number - 1].guid),
    )
    expect(affected[0]).toMatchObject({
      before: { status: 'completed', outcome: 'score', sides: [{ result: 'win' }, { result: 'loss' }] },
      after: { status: 'ready', outcome: null, sides: [{ result: null }, { result: null }] },
    })
    const inBody = await made.tell(1, { outcome: 'score', scores: [1, 2], revision: before.revision, dryRun: true })
    expect(inBody.body).toEqual(reply.body)
    expect(await made.read()).toEqual(before)
    expect(await eventsSince(api, made.cup, seq)).toEqual([])
  })

  test('applied it does exactly what the preview told, and undone all is as it was', async () => {
    const result = { outcome: 'score', scores: [1, 2], reason: 'The wrong map was played.' }
    const preview = (await made.tell(1, result, '?dryRun=true')).body
    const seq = await lastEvent(api)
    const applied = await made.tell(1, { ...result, revision: preview.revision })
    expect(applied.status).toBe(200)
    expect(applied.body).toEqual({
      dryRun: false,
      revision: before.revision + 1,
      correctionGuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      affected: preview.affected,
    })
    const between = await made.read()
    expect(between.revision).toBe(before.revision + 1)
    expect(between.status).toBe('running')
    for (const { number, after } of preview.affected) {
      const { status, outcome: ended, sides, ...match } = between.matches[number - 1]
      expect({ status, outcome: ended, line: lineOf({ sides }) }).toEqual({
        status: after.status,
        outcome: after.outcome,
        line: lineOf(after),
      })
      expect(match).toMatchObject({ startedAt: null, completedAt: null, games: [] })
    }
    const others = [2, 3, 4, 6, 8].map((number) => number - 1)
    expect(others.map((index) => between.matches[index])).toEqual(others.map((index) => before.matches[index]))
    expect(lineOf(between.matches[0])).toBe('team-1 1 : team-8 2')
    expect(between.matches[0].completedAt).toBe(before.matches[0].completedAt)

    const guid = applied.body.correctionGuid
    const told = await api.post(`${made.path}/corrections/${guid}/undo?dryRun=true`, made.organiser)
    const undone = await undo(made, guid)
    expect(told.body).toEqual({ ...undone.body, dryRun: true, revision: before.revision + 1, correctionGuid: null })
    expect([undone.status, undone.body.revision, undone.body.correctionGuid]).toEqual([200, before.revision + 2, guid])
    expect(substanceOf(await made.read())).toEqual(substanceOf(before))
    expect(outcome(await undo(made, guid))).toEqual([409, 'correction.undone'])
    const again = await api.post(`${made.path}/corrections/${guid}/undo?dryRun=true`, made.organiser)
    expect(outcome(again)).toEqual([409, 'correction.undone'])
    expect(await api.sql('select reason from corrections where guid = $1', [guid])).toEqual([{ reason: result.reason }])

    const subject = before.matches[0].guid
    expect(await eventsSince(api, made.cup, seq)).toEqual([
      {
        type: 'match.corrected',
        subject,
        actor: made.organiser.guid,
        before: { number: 1, winner: 1, scores: [2, 0] },
        after: {
          number: 1,
          winner: 2,
          scores: [1, 2],
          reason: result.reason,
          correctionGuid: guid,
          altered: [5, 7, 9, 10, 11, 12, 13, 14, 15],
        },
      },
      {
        type: 'correction.undone',
        subject,
        actor: made.organiser.guid,
        before: { number: 1, winner: 2, scores: [1, 2] },
        after: {
          number: 1,
          winner: 1,
          scores: [2, 0],
          correctionGuid: guid,
          altered: [5, 7, 9, 10, 11, 12, 13, 14, 15],
        },
      },
    ])
    const { body: audit } = await api.get(`${made.path}/audit?limit=2`, made.organiser)
    expect(audit.entries).toMatchObject([
      { type: 'correction.undone', actor: { guid: made.organiser.guid } },
      { type: 'match.corrected', before: { winner: 1 }, after: { winner: 2, reason: result.reason } },
    ])
  })

  test('a correction of the first final cancels the reset, and its undo brings it back with its result', async () => {
    const start = await made.read()
    const change = { outcome: 'score', scores: [2, 1] }
    const preview = (await made.tell(14, change, '?dryRun=true')).body
    expect(affectedLines(preview)).toEqual(['15 result_voided: team-1 2 : team-2 0 → - - : - -'])
    expect(preview.affected[0].after.status).toBe('cancelled')
    const { body } = await made.tell(14, { ...change, revision: preview.revision })
    expect((await made.read()).status).toBe('completed')
    expect((await made.readMatch(15)).status).toBe('cancelled')
    const undone = await undo(made, body.correctionGuid)
    expect(affectedLines(undone.body)).toEqual(['15 restored: - - : - - → team-1 2 : team-2 0'])
    expect(substanceOf(await made.read())).toEqual(substanceOf(start))
  })

  test('a new score with the same winner affects no other match', async () => {
    const start = await made.read()
    const { body } = await made.tell(3, { outcome: 'score', scores: [2, 1], revision: start.revision })
    expect(body).toMatchObject({ dryRun: false, revision: start.revision + 1, affected: [] })
    expect(lineOf(await made.readMatch(3))).toBe('team-2 2 : team-7 1')
    expect((await made.read()).matches.slice(3)).toEqual(start.matches.slice(3))
    await undo(made, body.correctionGuid)
    expect(substanceOf(await made.read())).toEqual(substanceOf(start))
  })

  test('the result that the match has already corrects nothing', async () => {
    const start = await made.read()
    const { status, body } = await made.tell(3, { outcome: 'score', scores: [2, 0], revision: start.revision })
    expect([status, body]).toEqual([
      200,
      { dryRun: false, revision: start.revision, correctionGuid: null, affected: [] },
    ])
    expect(await made.read()).toEqual(start)
  })

  test('a body that makes no sense is refused before the revision is looked at', async () => {
    expect(outcome(await made.tell(1, { outcome: 'score', scores: [9, 0] }))).toEqual([400, 'match.scores_invalid'])
    for (const body of [{ reason: '' }, { reason: 'x'.repeat(501) }, { reason: null }, { revision: 'x' }]) {
      expect(outcome(await reopen(made, 1, body))).toEqual([400, 'request.invalid'])
    }
  })
})

describe('reopening', () => {
  test('is previewed, done and undone like a correction; maps stay', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const points = (first: number, second: number) => ({ sides: [{ score: first, accuracy: 0.91 }, { score: second }] })
    const map = { hash: 'ABCDEF', difficulty: 'Expert', characteristic: 'Standard' }
    const report = (index: number, body: object) => api.put(`${made.match(1)}/games/${index}`, made.organiser, body)
    await report(1, { ...points(2, 1), map })
    await report(2, points(2, 1))
    await made.win(2, 'team-2')
    await made.win(3, 'team-2')
    const before = await made.read()
    const { body: preview } = await reopen(made, 1, {}, '?dryRun=true')
    expect(preview).toMatchObject({ dryRun: true, revision: before.revision, correctionGuid: null })
    expect(affectedLines(preview)).toEqual([
      '1 reopened: team-1 2 : team-4 0 → team-1 2 : team-4 0',
      '3 result_voided: team-1 0 : team-2 2 → - - : team-2 -',
    ])
    expect((await reopen(made, 1, { dryRun: true })).body).toEqual(preview)
    expect(await made.read()).toEqual(before)

    const seq = await lastEvent(api)
    const { body } = await reopen(made, 1, { revision: preview.revision })
    expect(body).toMatchObject({ dryRun: false, revision: before.revision + 1, affected: preview.affected })
    const opened = await made.readMatch(1)
    expect(opened).toMatchObject({ status: 'running', outcome: null, completedAt: null, games: [{ map }, {}] })
    expect(opened.startedAt).toBe(before.matches[0].startedAt)
    expect(outcome(await reopen(made, 1, { revision: body.revision }))).toEqual([409, 'match.not_completed'])

    expect((await undo(made, body.correctionGuid)).status).toBe(200)
    expect(substanceOf(await made.read())).toEqual(substanceOf(before))
    const events = await eventsSince(api, made.cup, seq)
    expect(events.map(({ type, after }) => [type, after.status, after.reason])).toEqual([
      ['match.reopened', 'running', 'Protest.'],
      ['correction.undone', 'completed', undefined],
    ])
  })

  test('a reopened match goes on with its maps, and its next one overtakes the correction', async () => {
    const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const report = (index: number, first: number, second: number, revision?: number) =>
      api.put(`${made.match(1)}/games/${index}`, made.organiser, {
        sides: [{ score: first }, { score: second }],
        ...(revision === undefined ? {} : { revision }),
      })
    await report(1, 2, 1)
    await report(2, 2, 1)
    const { revision } = await made.read()
    const { body } = await reopen(made, 1, { revision })
    expect((await report(2, 1, 2, (await made.readMatch(1)).revision)).body.status).toBe('running')
    expect(outcome(await undo(made, body.correctionGuid))).toEqual([409, 'correction.overtaken'])
    expect((await report(3, 1, 2)).body).toMatchObject({ status: 'completed', sides: [{ score: 1 }, { score: 2 }] })
  })

  test('whoever corrects with a revision from before the match was reopened is too late', async () => {
    const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    await made.win(1, 'team-1')
    const change = { outcome: 'walkover', winner: 2 }
    const { revision } = (await made.tell(1, change, '?dryRun=true')).body
    await reopen(made, 1, { revision })
    expect(outcome(await made.tell(1, { ...change, revision }))).toEqual([409, 'correction.stale'])
    expect((await made.tell(1, change)).body).toMatchObject({ status: 'completed', outcome: 'walkover' })
  })
})

describe('an undo', () => {
  test('is refused once a match of the correction changed again, and only then', async () => {
    const made = await playedOut(4)
    const { revision } = await made.read()
    const { body } = await made.tell(1, { outcome: 'walkover', winner: 2, revision })
    expect(affectedLines(body)).toEqual([
      '5 team_replaced: team-1 - : team-4 - → team-8 - : team-4 -',
      '7 team_replaced: team-8 - : team-5 - → team-1 - : team-5 -',
    ])
    // Changes elsewhere: results, and the notes and time of a match that the correction altered.
    await made.win(6, 'team-3')
    await made.win(8, 'team-7')
    await api.patch(made.match(5), made.organiser, { notes: 'Late.', scheduledAt: '2026-05-01T18:00:00Z' })
    const undone = await undo(made, body.correctionGuid)
    expect([undone.status, affectedLines(undone.body)]).toEqual([
      200,
      [
        '5 team_replaced: team-8 - : team-4 - → team-1 - : team-4 -',
        '7 team_replaced: team-1 - : team-5 - → team-8 - : team-5 -',
      ],
    ])
    const after = await made.read()
    expect(after.matches.slice(0, 11).map(lineOf)).toEqual([
      ...lines.slice(0, 4),
      ...['team-1 - : team-4 -', 'team-2 0 : team-3 2', 'team-8 - : team-5 -', 'team-7 2 : team-6 0'],
      ...['team-2 - : - -', '- - : team-7 -', '- - : team-3 -'],
    ])
    expect(after.matches[4]).toMatchObject({ notes: 'Late.', scheduledAt: '2026-05-01T18:00:00.000Z' })

    const again = await made.tell(1, { outcome: 'walkover', winner: 2, revision: after.revision })
    await made.win(5, 'team-8')
    expect(outcome(await undo(made, again.body.correctionGuid))).toEqual([409, 'correction.overtaken'])
    expect(lineOf(await made.readMatch(5))).toBe('team-8 2 : team-4 0')
  })

  test('of the first of two corrections is refused; the second comes first', async () => {
    const made = await playedOut(4)
    const before = await made.read()
    const first = (await made.tell(1, { outcome: 'walkover', winner: 2, revision: before.revision })).body
    const between = await made.read()
    const second = (await made.tell(1, { outcome: 'double_forfeit', revision: first.revision })).body
    expect(outcome(await undo(made, first.correctionGuid))).toEqual([409, 'correction.overtaken'])
    expect((await undo(made, second.correctionGuid)).status).toBe(200)
    expect(substanceOf(await made.read())).toEqual(substanceOf(between))
    expect((await undo(made, first.correctionGuid)).status).toBe(200)
    expect(substanceOf(await made.read())).toEqual(substanceOf(before))
  })

  test('a team that left since then forfeits the match that it comes back to', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    await made.win(1, 'team-1')
    await made.win(2, 'team-2')
    const { revision } = await made.read()
    // After the correction team 1 is out and has no open match when it withdraws.
    const { body } = await made.tell(1, { outcome: 'walkover', winner: 2, revision })
    const reply = await api.post(`${made.path}/teams/team-1/withdraw`, made.organiser, {
      reason: 'Ill',
      policy: 'walkover',
    })
    expect(reply.status).toBe(200)
    expect((await undo(made, body.correctionGuid)).status).toBe(200)
    const instant = expect.stringMatching(/Z$/)
    expect(await made.readMatch(3)).toMatchObject({
      status: 'completed',
      outcome: 'walkover',
      startedAt: null,
      completedAt: instant,
      sides: [
        { team: { id: 'team-1' }, result: 'forfeit' },
        { team: { id: 'team-2' }, result: 'win' },
      ],
    })
    expect((await made.read()).status).toBe('completed')
  })

  test('of what does not exist here is refused', async () => {
    const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    await made.win(1, 'team-1')
    const { body } = await made.tell(1, { outcome: 'walkover', winner: 2, revision: (await made.read()).revision })
    for (const guid of ['7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11', 'nothing']) {
      expect(outcome(await undo(made, guid))).toEqual([404, 'correction.unknown'])
    }
    const elsewhere = await makeTournament(api, made.organiser)
    const reply = await api.post(`/tournaments/${elsewhere.id}/corrections/${body.correctionGuid}/undo`, made.organiser)
    expect(outcome(reply)).toEqual([404, 'correction.unknown'])
    expect((await undo(made, body.correctionGuid.toUpperCase())).status).toBe(200)
  })
})

test('a first result is previewed too; a bracket of a table keeps its other matches', async () => {
  const made = await makeBracket(api, { teams: 3, format: 'round_robin' })
  const before = await made.read()
  const preview = await made.tell(1, { outcome: 'walkover', winner: 1 }, '?dryRun=true')
  expect([preview.status, preview.body]).toEqual([
    200,
    { dryRun: true, revision: before.revision, correctionGuid: null, affected: [] },
  ])
  expect(await made.read()).toEqual(before)
  const { body } = await made.tell(1, { outcome: 'walkover', winner: 1, revision: preview.body.revision })
  expect(body).toMatchObject({ number: 1, status: 'completed', outcome: 'walkover' })
})
