import { type Static, Type } from 'typebox'
import type { AssistedMatch } from './assistant.ts'
import { bodyOf } from './client.ts'
import type { Cup } from './cup.ts'
import type { Overlay } from './overlay.ts'
import type { SemiFinal } from './semi-final.ts'
import type { Story } from './story.ts'
import type { Broadcast } from './streams.ts'
import type { Entry } from './teams.ts'
import type { Scene, Tournament } from './tournament.ts'

/**
 * The bracket is generated and played to its end with the results of the real cup; then an early result is corrected.
 */

type Played = Cup['matches'][number]

const TeamRef = Type.Object({ guid: Type.String(), name: Type.String() })
const Side = Type.Object({ team: Type.Union([TeamRef, Type.Null()]) })
const Match = Type.Object({
  guid: Type.String(),
  number: Type.Integer(),
  status: Type.String(),
  sides: Type.Array(Side),
})
const Bracket = Type.Object({
  guid: Type.String(),
  revision: Type.Integer(),
  status: Type.String(),
  rounds: Type.Array(
    Type.Object({
      number: Type.Integer(),
      section: Type.String(),
      name: Type.String(),
      bestOf: Type.Integer(),
      matchGuids: Type.Array(Type.String()),
    }),
  ),
  matches: Type.Array(Match),
})
export type Bracket = Static<typeof Bracket>

const Division = Type.Object({ guid: Type.String(), id: Type.String() })
const Correction = Type.Object({
  revision: Type.Integer(),
  correctionGuid: Type.Union([Type.String(), Type.Null()]),
  affected: Type.Array(
    Type.Object({
      number: Type.Integer(),
      change: Type.String(),
      before: Type.Object({ sides: Type.Array(Side) }),
      after: Type.Object({ sides: Type.Array(Side) }),
    }),
  ),
})
const Completed = Type.Object({
  status: Type.Literal('completed'),
  placements: Type.Array(Type.Object({ place: Type.Integer(), team: TeamRef })),
})

/**
 * `U1` of the cup’s data is round 1 of the upper section; the reset of the grand final is the second round of the
 * final.
 */
export function sectionAndRound(round: Played['round']): string {
  if (round === 'GF') return 'final:1'
  if (round === 'GFR') return 'final:2'
  return `${round.startsWith('U') ? 'upper' : 'lower'}:${round.slice(1)}`
}

export async function drawBracket(scene: Scene, { id }: Tournament): Promise<Bracket> {
  const { client, story, cup, officials } = scene
  const { organiser, caster } = officials
  story.chapter('The bracket')
  const made = await client.call('POST', `/tournaments/${id}/divisions`, {
    token: organiser.token,
    json: { name: 'Main division', id: 'main' },
  })
  const division = story.succeed('the organiser makes a division', 201, made, Division)

  const stages = cup.format.stages.flatMap((stage) => (stage.kind === 'bracket' ? [stage] : []))
  const bestOfByRound = Object.fromEntries(
    stages.flatMap(({ rounds, bestOf }) => rounds.map((round) => [sectionAndRound(round), bestOf])),
  )
  const wanted = {
    name: 'Playoffs',
    format: cup.format.type,
    settings: { grandFinal: cup.format.grandFinal, bestOfByRound },
    entrants: { source: 'qualified' },
  }
  const path = `/tournaments/${id}/divisions/${division.id}/brackets`
  const generate = (token: string, query = '') => client.call('POST', `${path}${query}`, { token, json: wanted })
  story.refuse('the caster generates it', 403, await generate(caster.token))
  story.succeed(
    'the organiser looks at what would be generated',
    201,
    await generate(organiser.token, '?dryRun=true'),
    Type.Unknown(),
  )
  const bracket = story.succeed('the organiser generates it', 201, await generate(organiser.token), Bracket)
  for (const { name, section, bestOf, matchGuids } of bracket.rounds) {
    const matches = `${matchGuids.length} match${matchGuids.length === 1 ? '' : 'es'}`
    story.tell(`${name.padEnd(24)} ${section.padEnd(6)} ${matches.padEnd(11)} best of ${bestOf}`)
  }
  return bracket
}

/** Reports every result of the cup in the order of play; two matches are played map by map. */
export async function playBracket(
  scene: Scene,
  { id }: Tournament,
  bracket: Bracket,
  entries: readonly Entry[],
  {
    semiFinal,
    broadcast,
    assistant,
    overlay,
  }: {
    readonly semiFinal: SemiFinal | null
    readonly broadcast: Broadcast
    readonly assistant: AssistedMatch | null
    readonly overlay: Overlay
  },
): Promise<void> {
  const { client, story, cup, officials } = scene
  const { token } = officials.referee
  story.chapter('Match days')
  const guidOf = matchesOf(bracket)
  const teams = new Map(entries.map(({ nation, guid }) => [nation.code, guid]))
  // The number of the last match whose result the story has mentioned.
  let told = 0
  for (const played of cup.matches) {
    const guid = guidOf(played)
    const path = `/tournaments/${id}/matches/${guid}`
    if (played.number === broadcast.number) {
      story.tell(`the referee has told the results of matches ${told + 1} to ${played.number - 1}`)
      await broadcast.prepare(entries)
      if (semiFinal !== null) {
        await overlay.point(guid)
        await semiFinal.play(guid, entries, () => broadcast.begin(guid))
        await broadcast.end(guid)
        await overlay.seeSummary()
      }
      story.chapter('The last match days')
      if (semiFinal !== null) continue
    }
    if (played.number === assistant?.number) {
      story.tell(`the referee has told the results of matches ${told + 1} to ${played.number - 1}`)
      await assistant.play(guid)
      told = played.number
      story.chapter('More match days')
      continue
    }
    const started = bodyOf(await client.call('POST', `${path}/start`, { token }), 200, Match)
    await broadcast.begin(guid)
    const scores = scoresOf(played, started, teams)
    const json = { outcome: 'score', scores }
    const answer = await client.call('PUT', `${path}/result`, { token, json })
    if (played.number === 1) {
      story.succeed('the referee tells the first result', 200, answer, Match)
      const again = await client.call('PUT', `${path}/result`, {
        token,
        json: { ...json, scores: scores.toReversed() },
      })
      story.refuse('somebody else tells another one for the same match', 409, again)
    }
    bodyOf(answer, 200, Match)
    await broadcast.end(guid)
  }
  story.tell(`all ${cup.matches.length} results are those of the real tournament`)
}

/** The match of the bracket at the place of a match of the cup. */
export function matchesOf(bracket: Bracket): (played: Played) => string {
  const rounds = new Map(bracket.rounds.map(({ section, number, matchGuids }) => [`${section}:${number}`, matchGuids]))
  return ({ round, slot, number }) => {
    const guid = rounds.get(sectionAndRound(round))?.[slot - 1]
    if (guid === undefined) throw new Error(`the bracket has no match for the cup’s match ${number}`)
    return guid
  }
}

/**
 * The published score in the order of our sides. The bracket decides which teams play; they must be those of the cup.
 */
function scoresOf(
  { number, teams: codes, score }: Played,
  { sides }: Static<typeof Match>,
  teams: ReadonlyMap<string, string>,
): readonly number[] {
  return sides.map(({ team }) => {
    const index = codes.findIndex((code) => team !== null && teams.get(code) === team.guid)
    const points = score[index]
    if (points === undefined) throw new Error(`${team?.name} did not play the cup’s match ${number}`)
    return points
  })
}

/** Completes the tournament, and compares the placements with the published ones. */
export async function crown(scene: Scene, { id }: Tournament): Promise<void> {
  const { client, story, officials } = scene
  const { token } = officials.organiser
  story.chapter('The end')
  const answer = await client.call('POST', `/tournaments/${id}/status`, { token, json: { status: 'completed' } })
  const { placements } = story.succeed('the organiser completes the tournament', 200, answer, Completed)
  for (const { place, team } of placements.slice(0, 4)) story.tell(`${place}. ${team.name}`)
  checkPlaces(scene, placements)
  story.tell(`all ${placements.length} places are those of the real tournament`)
}

function checkPlaces({ cup }: Scene, placements: Static<typeof Completed>['placements']): void {
  const names = new Map(cup.teams.map(({ code, name }) => [code, name]))
  const line = (place: number, name: string | undefined) => `${place} ${name}`
  const published = cup.placements.map(({ place, team }) => line(place, names.get(team))).sort()
  const ours = placements.map(({ place, team }) => line(place, team.name)).sort()
  const wrong = ours.filter((each, index) => each !== published[index])
  if (wrong.length > 0 || ours.length !== published.length) {
    throw new Error(`places differ from the published ones: ${wrong.join(', ')}`)
  }
}

/** Corrects the champion’s first match: its loser would have advanced instead. */
export async function correct(scene: Scene, { id }: Tournament, bracket: Bracket): Promise<void> {
  const { client, story, cup, officials } = scene
  const { token } = officials.referee
  story.chapter('A protest')
  const champion = cup.placements[0]?.team
  const first = cup.matches.find(({ teams }) => champion !== undefined && teams.includes(champion))
  if (first === undefined) throw new Error('the champion played no match')
  const path = `/tournaments/${id}/matches/${matchesOf(bracket)(first)}`
  const { sides } = bodyOf(await client.call('GET', path), 200, Match)
  const winner = 1 + sides.findIndex(({ team }) => team?.name !== nameOf(cup, champion))
  const wrong = { outcome: 'walkover', winner, reason: 'A player was not on the roster.' }

  const put = (json: object, query = '') => client.call('PUT', `${path}/result${query}`, { token, json })
  story.refuse('a referee changes the result of match day one without having looked', 409, await put(wrong))
  const preview = story.succeed(
    'they look at what that would change',
    200,
    await put(wrong, '?dryRun=true'),
    Correction,
  )
  showAffected(story, preview)
  const { revision } = preview
  const applied = await put({ ...wrong, revision })
  const { correctionGuid } = story.succeed('they do it, exactly as it was shown', 200, applied, Correction)
  story.refuse('another referee, who saw the bracket before that, does it too', 409, await put({ ...wrong, revision }))
  const undone = await client.call('POST', `/tournaments/${id}/corrections/${correctionGuid}/undo`, { token })
  story.succeed('the player was on the roster after all: they undo it', 200, undone, Correction)
  const { placements } = bodyOf(await client.call('GET', `/tournaments/${id}`), 200, Completed)
  checkPlaces(scene, placements)
  story.tell('everything is as it was, to the last place')
}

function nameOf({ teams }: Cup, code: string | undefined): string | undefined {
  return teams.find((team) => team.code === code)?.name
}

const shown = 6

function showAffected(story: Story, { affected }: Static<typeof Correction>): void {
  const names = (sides: readonly Static<typeof Side>[]) => sides.map(({ team }) => team?.name ?? '?').join(' – ')
  for (const { number, change, before, after } of affected.slice(0, shown)) {
    story.tell(`match ${number}: ${change.replace('_', ' ')}, ${names(before.sides)} → ${names(after.sides)}`)
  }
  if (affected.length > shown) story.tell(`and ${affected.length - shown} more`)
}
