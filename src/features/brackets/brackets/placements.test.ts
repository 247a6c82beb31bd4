import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addBracket,
  type BracketBody,
  eventsSince,
  lastEvent,
  type MadeBracket,
  makeBracket,
} from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeTournament, remembered, roleHolder } from '../../../../test/make.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const move = (made: Pick<MadeBracket, 'path' | 'organiser'>, status: string, as: Caller | null = made.organiser) =>
  api.post(`${made.path}/status`, as, { status })
const placesOf = ({ body }: Reply) =>
  body.placements.map(({ place, team }: BracketBody) => `${place} ${team.id}`).sort()

/** Single elimination with four teams. The better seed wins. */
async function playedFour(settings: object = {}): Promise<MadeBracket> {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings })
  for (const [number, seed] of [
    [1, 1],
    [2, 2],
  ] as const) {
    await made.win(number, `team-${seed}`)
  }
  const { matches } = await made.read()
  for (const match of matches.slice(2)) {
    await made.win(match.number, match.section === 'third_place' ? 'team-3' : 'team-1')
  }
  return made
}

describe('completing a tournament', () => {
  test('places its teams; those who were out in the same round share a place', async () => {
    const made = await playedFour()
    expect((await api.get(made.path)).body.placements).toEqual([])
    const seq = await lastEvent(api)
    const completed = await move(made, 'completed')
    expect([completed.status, placesOf(completed)]).toEqual([200, ['1 team-1', '2 team-2', '3 team-3', '3 team-4']])
    expect(completed.body.placements[0].team).toMatchObject({ guid: made.teams[0]?.guid, name: 'Team 1' })
    expect(placesOf(await api.get(made.path))).toEqual(placesOf(completed))
    expect(await eventsSince(api, made.cup, seq)).toMatchObject([
      { type: 'tournament.status_changed', before: { status: 'ongoing' }, after: { status: 'completed' } },
    ])
  })

  test('a match for the third place decides it', async () => {
    const made = await playedFour({ thirdPlace: true })
    expect(placesOf(await move(made, 'completed'))).toEqual(['1 team-1', '2 team-2', '3 team-3', '4 team-4'])
  })

  test('a final to which nobody came has no winner: both are second, and the others third and fourth', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings: { thirdPlace: true } })
    await made.win(1, 'team-1')
    await made.win(2, 'team-2')
    const { matches } = await made.read()
    for (const { number, section } of matches.slice(2)) {
      if (section === 'third_place') await made.win(number, 'team-4')
      else expect((await made.tell(number, { outcome: 'double_forfeit', reason: 'Nobody came.' })).status).toBe(200)
    }
    const { standings } = await made.read()
    const expected = ['2 team-1', '2 team-2', '3 team-4', '4 team-3']
    expect(standings.map(({ rank, team }: BracketBody) => `${rank} ${team.id}`)).toEqual(expected)
    expect(placesOf(await move(made, 'completed'))).toEqual(expected)
  })

  test('without brackets, or with none that was played to its end, places nobody', async () => {
    const organiser = await api.user()
    const cup = await makeTournament(api, organiser, { status: 'ongoing' })
    const none = await move({ path: `/tournaments/${cup.id}`, organiser }, 'completed')
    expect([none.status, none.body.placements]).toEqual([200, []])
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    await made.win(1, 'team-1')
    expect((await move(made, 'completed')).body.placements).toEqual([])
  })

  test('the last bracket of the first division comes first, then whom the one before it left behind', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'round_robin' })
    for (const { number, sides } of (await made.read()).matches) {
      const best = Math.min(...sides.map(({ team }: BracketBody) => Number(team.id.slice(5))))
      await made.win(number, `team-${best}`)
    }
    const final = await addBracket(
      api,
      { ...made, teams: made.teams.slice(0, 2) },
      {
        division: 'main',
        format: 'single_elimination',
      },
    )
    await made.win(final.matches[0].number, 'team-2')
    await api.post(`${made.path}/divisions`, made.organiser, { name: 'Other', id: 'other' })
    await addBracket(api, made, { division: 'other', format: 'round_robin' })
    expect(placesOf(await move(made, 'completed'))).toEqual(['1 team-2', '2 team-1', '3 team-3', '4 team-4'])
  })

  test('is for the organiser’s side alone', async () => {
    const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const referee = await roleHolder(api, made.cup, 'role:referee')
    expect(outcome(await move(made, 'completed', referee))).toEqual([403, 'role.missing'])
    expect(outcome(await move(made, 'completed', null))).toEqual([401, 'token.missing'])
    expect(outcome(await move(made, 'approved'))).toEqual([409, 'tournament.step_illegal'])
  })
})

describe('once it is completed', () => {
  test('a correction moves the places, its undo moves them back, and both are told', async () => {
    const made = await playedFour()
    await move(made, 'completed')
    await remembered(api, made.path)
    const seq = await lastEvent(api)
    const { revision } = await made.read()
    const preview = await made.tell(3, { outcome: 'walkover', winner: 2 }, '?dryRun=true')
    expect(preview.status).toBe(200)
    expect(placesOf(await api.get(made.path))).toContain('1 team-1')
    const { body } = await made.tell(3, { outcome: 'walkover', winner: 2, revision })
    expect(placesOf(await api.get(made.path))).toEqual(['1 team-2', '2 team-1', '3 team-3', '3 team-4'])
    const undo = await api.post(`${made.path}/corrections/${body.correctionGuid}/undo`, made.organiser)
    expect(undo.status).toBe(200)
    expect(placesOf(await api.get(made.path))).toEqual(['1 team-1', '2 team-2', '3 team-3', '3 team-4'])
    const [first, second] = made.teams.map(({ guid }) => guid)
    const events = await eventsSince(api, made.cup, seq)
    expect(events.filter(({ type }) => type === 'tournament.placements_changed')).toEqual([
      {
        type: 'tournament.placements_changed',
        subject: made.cup.guid,
        actor: made.organiser.guid,
        before: {
          placements: [
            { place: 1, teamGuid: first },
            { place: 2, teamGuid: second },
          ],
        },
        after: {
          placements: [
            { place: 1, teamGuid: second },
            { place: 2, teamGuid: first },
          ],
        },
      },
      expect.objectContaining({ type: 'tournament.placements_changed' }),
    ])
    expect(events).toHaveLength(4)
  })

  test('a match that is opened again takes the places away until it is told', async () => {
    const made = await playedFour()
    await move(made, 'completed')
    const { revision } = await made.read()
    const reopened = await api.post(`${made.match(3)}/reopen`, made.organiser, { reason: 'Protest.', revision })
    expect(reopened.status).toBe(200)
    expect((await api.get(made.path)).body.placements).toEqual([])
    await made.tell(3, { outcome: 'score', scores: [0, 2] })
    expect(placesOf(await api.get(made.path))).toEqual(['1 team-2', '2 team-1', '3 team-3', '3 team-4'])
  })

  test.each([
    ['unregister', 'team.unregistered'],
    ['disqualify', 'team.disqualified'],
  ])('once a global manager has the team %s, the final that it leaves gives the places', async (verb, told) => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    await made.win(1, 'team-1')
    await made.win(2, 'team-2')
    const finalist = made.teams[0]?.guid
    await api.post(`${made.path}/qualify/${finalist}`, made.organiser)
    // The tournament is completed without the final.
    expect(placesOf(await move(made, 'completed'))).toEqual([])
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    const seq = await lastEvent(api)
    expect(outcome(await api.post(`${made.path}/${verb}/${finalist}`, manager))).toEqual([200, null])
    expect((await made.read()).status).toBe('completed')
    expect(placesOf(await api.get(made.path))).toEqual(['1 team-2', '2 team-1', '3 team-3', '3 team-4'])
    expect((await eventsSince(api, made.cup, seq)).map(({ type }) => type)).toEqual([
      ...['bracket.team_withdrawn', 'tournament.placements_changed', told],
    ])
  })

  test('a correction that moves nobody changes nothing of the tournament', async () => {
    const made = await playedFour()
    await move(made, 'completed')
    const before = (await api.get(made.path)).body
    const { revision } = await made.read()
    expect((await made.tell(3, { outcome: 'score', scores: [2, 1], revision })).status).toBe(200)
    expect((await api.get(made.path)).body).toEqual(before)
  })

  test('resuming it takes the places away, and completing it again gives them anew', async () => {
    const made = await playedFour()
    await move(made, 'completed')
    const resumed = await move(made, 'ongoing')
    expect([resumed.status, resumed.body.placements]).toEqual([200, []])
    const { revision } = await made.read()
    await made.tell(3, { outcome: 'score', scores: [0, 2], revision })
    expect((await api.get(made.path)).body.placements).toEqual([])
    expect(placesOf(await move(made, 'completed'))).toEqual(['1 team-2', '2 team-1', '3 team-3', '3 team-4'])
  })
})

test('completing while the last results come in: the places are always those of the results', async () => {
  for (let round = 0; round < 8; round += 1) {
    const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const [told, completed] = await Promise.all([
      made.tell(1, { outcome: 'score', scores: [2, 0] }),
      move(made, 'completed'),
    ])
    expect([completed.status, told.status]).toEqual([200, 200])
    expect((await made.read()).status).toBe('completed')
    expect(placesOf(await api.get(made.path))).toEqual(['1 team-1', '2 team-2'])
  }
})
