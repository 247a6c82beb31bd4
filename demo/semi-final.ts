import { Type } from 'typebox'
import { type Bracket, sectionAndRound } from './bracket.ts'
import { bodyOf } from './client.ts'
import type { Cup } from './cup.ts'
import { Table } from './flow-table.ts'
import type { Following } from './follow.ts'
import { State, showLog } from './semi-final-log.ts'
import type { Entry } from './teams.ts'
import type { Scene, Tournament } from './tournament.ts'

/** One semi-final is played step by step, with rolls, bans, picks, a replay and decisions of the referee. */

/** The built-in flow with the tournament's way of picking maps. */
const preset = 'osu-bo11'
const round = 'U4'

const Plan = Type.Object({ revision: Type.Integer() })
const Match = Type.Object({
  status: Type.Literal('completed'),
  sides: Type.Array(Type.Object({ team: Type.Object({ guid: Type.String() }), score: Type.Integer() })),
})

export interface SemiFinal {
  /**
   * @param guid the match
   * @param whenBegun called after the start
   */
  readonly play: (guid: string, entries: readonly Entry[], whenBegun: () => Promise<void>) => Promise<void>
}

/** One map of the course: whether the winner of the match wins it, and what happens on it. */
interface Course {
  readonly winner: boolean
  readonly event?: 'replay' | 'level' | 'penalty'
}

/** The match ends six to two. The real maps are not recorded. */
const course: readonly Course[] = [
  { winner: true, event: 'replay' },
  { winner: false },
  { winner: true, event: 'level' },
  { winner: true, event: 'penalty' },
  { winner: true },
  { winner: false },
  { winner: true },
  { winner: true },
]

/** By the player's place in the line-up. */
const accuracies = { better: [0.981, 0.968, 0.957, 0.949], worse: [0.972, 0.966, 0.951, 0.938] } as const
const bettered = [0.979, 0.964, 0.955, 0.94] as const

/** The semi-final whose result equals that of `course`. */
export function findSemiFinal({ matches }: Cup): Cup['matches'][number] {
  const played = matches.find((match) => match.round === round && Math.max(...match.score) === 6 && match.slot === 2)
  if (played === undefined) throw new Error('the cup has no such semi-final')
  return played
}

/** Plans the flow of the round, so that everybody can see before the match how its maps will be picked. */
export async function planSemiFinal(
  scene: Scene,
  tournament: Tournament,
  bracket: Bracket,
  following: Following,
): Promise<SemiFinal> {
  const { client, story, cup, officials } = scene
  const played = findSemiFinal(cup)
  const answer = await client.call('PUT', `/tournaments/${tournament.id}/flow-plan`, {
    token: officials.organiser.token,
    json: {
      revision: 0,
      brackets: [{ bracketGuid: bracket.guid, rounds: { [sectionAndRound(round)]: preset } }],
    },
  })
  story.succeed(`the organiser plans how the semi-finals pick their maps: ${preset}`, 200, answer, Plan)
  return {
    async play(guid, entries, whenBegun) {
      await following.add({ 'semi-final': `/matches/${guid}/flow` })
      await playByFlow(scene, tournament, guid, played, { entries, whenBegun })
    },
  }
}

async function playByFlow(
  scene: Scene,
  { id }: Tournament,
  guid: string,
  { teams, score }: Cup['matches'][number],
  { entries, whenBegun }: { readonly entries: readonly Entry[]; readonly whenBegun: () => Promise<void> },
): Promise<void> {
  const { client, story, officials } = scene
  const { referee } = officials
  story.chapter('A semi-final, step by step')
  const begun = await client.call('POST', `/tournaments/${id}/matches/${guid}/flow`, { token: referee.token, json: {} })
  const table = new Table(scene, id, story.succeed('the referee begins it', 201, begun, State), entries)
  await whenBegun()
  const isAhead = (score[0] > score[1] ? teams[0] : teams[1]) === table.entry(1).nation.code
  const [winner, loser] = isAhead ? ([1, 2] as const) : ([2, 1] as const)

  for (const [index, { winner: isWinners, event }] of course.entries()) {
    await table.choose()
    const holder = isWinners ? winner : loser
    const other = 3 - holder
    if (event === 'level') await table.score(holder, accuracies.better, accuracies.better.toReversed())
    await table.score(holder, accuracies.better, accuracies.worse)
    if (event === 'replay') {
      const claimed = await table.change(table.entry(holder).captain, 'claims', {})
      story.refuse(`${table.name(holder)}, who hold the map, claim a replay`, 409, claimed)
      await table.write(table.entry(other).captain, 'claims', { reason: 'Our tracking was lost.' })
      story.tell(`${table.name(other)} claim theirs, and are better: not by enough`)
      await table.score(holder, accuracies.better, bettered)
    } else await table.waive(other)
    if (event === 'penalty') await penalise(scene, table, holder, index + 1)
  }
  const state = bodyOf(await client.call('GET', table.path), 200, State)
  if (state.status !== 'over' || state.winner !== winner) throw new Error('the semi-final has not ended as it did')
  const { sides } = bodyOf(await client.call('GET', `/tournaments/${id}/matches/${guid}`), 200, Match)
  const told = sides.map((side) => side.score)
  const expected = [score[teams.indexOf(table.entry(1).nation.code)], score[teams.indexOf(table.entry(2).nation.code)]]
  if (told.join() !== expected.join()) throw new Error(`the semi-final ended ${told.join(':')}`)
  await showLog(scene, table.path, state, (seat) => table.name(seat))
  story.tell('everything that was drawn can be worked out again from the seed, which is published now')
}

/** A penalty moves a map to the other side, and its removal moves it back; the rest of the log follows immediately. */
async function penalise({ story, officials }: Scene, table: Table, holder: number, game: number): Promise<void> {
  const { referee } = officials
  const user = table.state.seats[holder - 1]?.lineup?.[0]
  const penalty = { seat: holder, type: 'score_zero', user, game, reason: 'Paused in the middle of the map.' }
  await table.write(referee, 'penalties', penalty)
  story.tell(`a penalty takes map ${game} from ${table.name(holder)}: ${table.scoreline()}`)
  const given = table.state.seats[holder - 1]?.penalties.at(-1)?.guid
  await table.write(referee, `penalties/${given}/void`, { reason: 'It was the machine of the venue.' })
  story.tell(`it is voided, and they have it back: ${table.scoreline()}`)
}
