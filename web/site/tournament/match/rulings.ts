import { useMemo } from 'react'
import type { FlowState, UserCard } from '../../../../client/generated.ts'
import { type Address, address } from '../../data/api.ts'
import { useRead, useRenewal } from '../../data/queries.ts'
import { useShownRead } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { wholeOf } from '../../parts/numbers.ts'
import { timeOf } from '../../parts/time.tsx'
import { ownName } from './people.ts'
import { shareOf } from './sheets.ts'
import type { View } from './view.ts'

/** Penalties and corrections in words. Earlier values stay readable. */

interface Side {
  readonly score: number | null
  readonly result: 'win' | 'loss' | 'draw' | 'forfeit' | null
}
interface State {
  readonly status: string
  readonly outcome: string | null
  readonly sides: readonly Side[]
}
export interface Corrected {
  readonly guid: string
  readonly before: State
  readonly after: State
  readonly createdAt: string
  readonly undoneAt: string | null
}

/** What the match was before it was corrected; followed live. */
export function useCorrections({ match, tournament }: View): readonly Corrected[] {
  const at: Address<{ readonly corrections: readonly Corrected[] }> =
    `/tournaments/${encodeURIComponent(tournament)}/matches/${match.guid}/corrections?delayed=true`
  return useShownRead(match.startedAt === null ? null : at, { live: true }).data?.corrections ?? []
}

function resultOf({ status, outcome, sides }: State): string {
  if (status !== 'completed') return words('play.open-again')
  const [one, other] = sides
  if (outcome === 'score' || outcome === 'draw') return `${one?.score ?? '–'} : ${other?.score ?? '–'}`
  return words(`play.outcome-${outcome}` as WordId)
}

/** What a correction did, in words. */
export function correctionOf({ before, after }: Corrected): string {
  const [was, is] = [resultOf(before), resultOf(after)]
  return was === is ? words('play.corrected-same', { after: is }) : words('play.corrected', { before: was, after: is })
}

type Row = Rows['rows'][number]
interface Rows {
  readonly rows: readonly {
    readonly position: number
    readonly kind: string
    readonly by: UserCard | null
    readonly data: object
    readonly at: string
    readonly undoneBy: number | null
  }[]
}

interface ScoreData {
  readonly score: string
  readonly before: Values
  readonly after: Values
}
type Values = Readonly<Record<'score' | 'accuracy' | 'misses' | 'completion', number | string | null>>

/** The corrections of single scores, by the game that they are of. */
export function useScoreCorrections(view: View): ReadonlyMap<number, readonly string[]> {
  const { session, tournament } = view
  const isFinal = session?.games.some(({ phase }) => phase === 'final') === true
  // Corrections are read again when a result changes; rows that do not change one are not waited for.
  const results = session && JSON.stringify(session.games.map(({ totals, winner }) => [totals, winner]))
  const log =
    session?.session != null && isFinal
      ? address('/tournaments/{tournament}/flow-sessions/{flowSession}/log', {
          tournament,
          flowSession: session.session,
        })
      : null
  const read = useRead<Rows>(log)
  useRenewal(log ?? '', results)
  return useMemo(() => notesOf(view, read.data?.rows ?? []), [view, read.data])
}

function notesOf(view: View, rows: Rows['rows']): ReadonlyMap<number, readonly string[]> {
  const { session } = view
  const notes = new Map<number, string[]>()
  if (session === undefined) return notes
  for (const row of rows) {
    if (row.kind !== 'score_corrected' || row.undoneBy !== null || row.position > session.position) continue
    const found = scoreOf(session, (row.data as ScoreData).score)
    if (found === null) continue
    notes.set(found.game, [...(notes.get(found.game) ?? []), sentenceOf(row, found.user, view)])
  }
  return notes
}

function scoreOf({ games }: FlowState, guid: string) {
  for (const { game, chains } of games) {
    const score = chains.flatMap((runs) => runs.flatMap(({ scores }) => scores)).find((each) => each.guid === guid)
    if (score !== undefined) return { game, user: score.user ?? score.name }
  }
  return null
}

function sentenceOf({ by, at, data }: Row, user: string | null, { people }: View): string {
  const { before, after } = data as ScoreData
  const changed = (['score', 'accuracy', 'misses', 'completion'] as const)
    .filter((name) => before[name] !== after[name])
    .map((name) =>
      words(`play.changed-${name}`, { before: shownOf(name, before[name]), after: shownOf(name, after[name]) }),
    )
  return words('play.corrected-score', {
    by: by === null ? '' : ownName(by),
    at: timeOf(at),
    player: (user === null ? null : people.nameOf(user)) ?? user ?? '',
    changes: changed.join(', '),
  })
}

function shownOf(name: keyof Values, value: number | string | null): string {
  if (value === null) return '–'
  if (typeof value === 'string') return words(`play.${value}` as WordId)
  return name === 'accuracy' ? shareOf(value) : wholeOf(value)
}
