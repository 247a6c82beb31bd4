import { type Static, Type } from 'typebox'
import { bodyOf } from './client.ts'
import type { Story } from './story.ts'
import type { Scene } from './tournament.ts'

/** Prints the log of a session in words. */

const OptionalText = Type.Union([Type.String(), Type.Null()])
const OptionalNumber = Type.Union([Type.Number(), Type.Null()])

/** The members of a session’s state that the demo uses. */
export const State = Type.Object({
  session: Type.String(),
  status: Type.String(),
  phase: Type.String(),
  position: Type.Integer(),
  seats: Type.Array(
    Type.Object({
      team: Type.Object({ guid: Type.String() }),
      lineup: Type.Union([Type.Array(Type.String()), Type.Null()]),
      penalties: Type.Array(Type.Object({ guid: Type.String() })),
    }),
  ),
  pool: Type.Object({
    maps: Type.Array(
      Type.Object({
        guid: Type.String(),
        flair: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
        map: Type.Object({ name: OptionalText, maxScore: OptionalNumber }),
      }),
    ),
  }),
  games: Type.Array(
    Type.Object({
      game: Type.Integer(),
      map: OptionalText,
      pickedBy: OptionalNumber,
      totals: Type.Array(OptionalNumber),
      winner: OptionalNumber,
      because: OptionalText,
    }),
  ),
  turn: Type.Union([
    Type.Object({
      action: Type.String(),
      seats: Type.Array(Type.Integer()),
      options: Type.Array(Type.Union([Type.String(), Type.Integer()])),
    }),
    Type.Null(),
  ]),
  scoreline: Type.Array(Type.Number()),
  winner: OptionalNumber,
})
export type Played = Static<typeof State>

const LogRow = Type.Object({
  position: Type.Integer(),
  kind: Type.String(),
  seat: Type.Union([Type.Integer(), Type.Null()]),
  by: Type.Union([Type.Object({ username: Type.String() }), Type.Null()]),
  map: OptionalText,
  data: Type.Object({
    commitment: Type.Optional(Type.String()),
    rolls: Type.Optional(Type.Array(OptionalNumber)),
    pair: Type.Optional(Type.String()),
    place: Type.Optional(Type.Integer()),
    game: Type.Optional(Type.Integer()),
    run: Type.Optional(Type.Integer()),
    chain: Type.Optional(Type.Integer()),
    scores: Type.Optional(Type.Array(Type.Object({ user: Type.String(), score: Type.Integer() }))),
    claim: Type.Optional(Type.Object({ reason: OptionalText })),
    // In a row that voids a penalty: the GUID of that penalty.
    penalty: Type.Optional(
      Type.Union([Type.String(), Type.Object({ type: Type.String(), seat: Type.Integer(), reason: Type.String() })]),
    ),
    reason: Type.Optional(OptionalText),
    winner: Type.Optional(OptionalNumber),
    seed: Type.Optional(Type.String()),
  }),
})
type LogRow = Static<typeof LogRow>
const Log = Type.Object({ rows: Type.Array(LogRow), nextAfter: OptionalNumber })

type NameOf = (seat: number) => string

export async function showLog({ client, story }: Scene, path: string, state: Played, nameOf: NameOf): Promise<void> {
  const { rows } = bodyOf(await client.call('GET', `${path}/log?limit=500`), 200, Log)
  const told = rows.map((row) => [String(row.position), authorOf(row, nameOf), wordsOf(row, state, nameOf)] as const)
  story.tell('')
  for (const line of drawn(['', 'who', 'what'], told)) story.tell(line)
  story.tell('')
  showGames(story, state, nameOf)
}

/** Prints the played maps with their scores and winners. */
export function showGames(story: Story, state: Played, nameOf: NameOf): void {
  const games = state.games.map(({ game, map, pickedBy, totals, winner, because }) => [
    ...[String(game), mapName(state, map), pickedBy === null ? 'nobody' : nameOf(pickedBy)],
    ...[
      totals.map(points).join(' : '),
      winner === null ? 'nobody' : nameOf(winner),
      (because ?? '').replaceAll('_', ' '),
    ],
  ])
  const heads = ['map', '', 'picked by', `${nameOf(1)} : ${nameOf(2)}`, 'won by', 'because']
  for (const line of drawn(heads, games)) story.tell(line)
  story.tell('')
  story.tell(`${nameOf(1)} ${state.scoreline.join(' : ')} ${nameOf(2)}`)
}

/** Formats a table with a ruled head. */
function drawn(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        /^\d+$/.test(cell) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join(' │ ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─')
  return [line(heads), rule, ...rows.map(line)]
}

function authorOf({ by, seat, kind }: LogRow, nameOf: NameOf): string {
  if (by === null) return 'the draw or the rules'
  return seat === null || kind.startsWith('penalty') ? by.username : `${nameOf(seat)}’s captain`
}

function wordsOf({ kind, map, seat, data }: LogRow, state: Played, nameOf: NameOf): string {
  const named = `“${mapName(state, map)}”`
  switch (kind) {
    case 'start':
      return `begins the match, committed to the draws of ${short(data.commitment)}`
    case 'roll':
      return `rolls ${(data.rolls ?? []).map((roll, index) => `${roll} for ${nameOf(index + 1)}`).join(', ')}`
    case 'choose':
      return `takes place ${data.place} of the ${data.pair} order`
    case 'ban':
      return `bans ${named}`
    case 'pick':
      return `picks ${named}`
    case 'tiebreaker':
      return `brings the tiebreaker ${named}`
    case 'scores':
      return scoresIn(data, state)
    case 'claim':
      return `claims a replay: ${data.claim?.reason}`
    case 'accept':
      return 'claims no replay'
    case 'penalty':
      return typeof data.penalty === 'object'
        ? `gives ${nameOf(data.penalty.seat)} a penalty, ${data.penalty.type.replaceAll('_', ' ')}: ${data.penalty.reason}`
        : 'gives a penalty'
    case 'penalty_voided':
      return `voids the penalty: ${data.reason}`
    case 'finish':
      return data.winner == null ? 'ends the match' : `ends the match: ${nameOf(data.winner)} win it`
    case 'reveal':
      return `publishes the seed, ${short(data.seed)}`
    default:
      return seat === null ? kind : `${kind}, ${nameOf(seat)}`
  }
}

function scoresIn({ game, run = 1, chain = 1, scores = [] }: LogRow['data'], { seats }: Played): string {
  const total = (lineup: readonly string[]) =>
    scores.reduce((sum, { user, score }) => sum + (lineup.includes(user) ? score : 0), 0)
  const totals = seats.map(({ lineup }) => total(lineup ?? []))
  const what = run > 1 ? ', the replay' : chain > 1 ? ', once more' : ''
  const isLevel = totals.every((each) => each === totals[0])
  return `tells map ${game}${what}: ${totals.map(points).join(' : ')}${isLevel ? ', level' : ''}`
}

function mapName({ pool }: Played, guid: string | null): string {
  const entry = pool.maps.find((each) => each.guid === guid)
  const flair = entry?.flair === null || entry === undefined ? '' : ` (${entry.flair.name})`
  return `${entry?.map.name ?? 'a map'}${flair}`
}

function points(total: number | null): string {
  return total === null ? '–' : total.toLocaleString('en')
}

function short(bytes = ''): string {
  return `${bytes.slice(0, 6)}…${bytes.slice(-4)}`
}
