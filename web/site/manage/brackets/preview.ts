import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ListedBracket } from '../../../../client/generated.ts'
import { separateGroups } from '../../../../src/engine/spread-groups.ts'
import { ApiError, write } from '../../data/api.ts'
import type { NewBracket, NewBracketWithMatches } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { groupName } from '../../parts/bracket/groups.ts'
import { withNames } from '../bracket-places.ts'
import { awaited, groupsIn, type Tie, type Wish } from './wish.ts'

/** What the service would make of a wish, by a dry run of the request that makes it. */

export interface Target {
  readonly tournament: string
  readonly division: string
  /** The bracket that is made again. */
  readonly bracket: string | undefined
}

/** While somebody types, nothing is asked. */
const restMs = 250

export function usePreview(target: Target, body: NewBracket) {
  const text = JSON.stringify(body)
  const asked = useRested(text)
  const read = useQuery({
    queryKey: ['preview', target, asked],
    queryFn: () => preview(target, JSON.parse(asked) as NewBracket),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    refetchOnMount: 'always',
  })
  return { ...read, isOld: read.isPlaceholderData || asked !== text }
}

function preview({ tournament, division, bracket }: Target, body: NewBracket): Promise<NewBracketWithMatches> {
  const query = { dryRun: true }
  const key = crypto.randomUUID()
  return bracket === undefined
    ? write(
        'POST /tournaments/{tournament}/divisions/{division}/brackets',
        { params: { tournament, division }, query, body },
        key,
      )
    : write(
        'POST /tournaments/{tournament}/brackets/{bracket}/generate',
        { params: { tournament, bracket }, query, body: { ...body, force: true } },
        key,
      )
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

/** The ties that a refusal asks to decide. */
export function tiesOf(error: Error | null): { readonly ties: readonly Tie[]; readonly commitment: string } | null {
  if (!(error instanceof ApiError) || error.code !== 'tie.undecided') return null
  const { ties, commitment } = error.data as unknown as { ties: readonly Tie[]; commitment: string }
  return { ties, commitment }
}

/** The preview with names for places that have no team yet: seeds, or the places of groups that are still played. */
export function named(bracket: NewBracketWithMatches, wish: Wish, other: ListedBracket | undefined) {
  const isAwaited = wish.source === 'bracket' && other !== undefined && other.status !== 'completed'
  const origins = isAwaited ? originsOf(bracket, wish, other) : undefined
  const seeds = new Map(bracket.entrants.map(({ slot, seed }) => [slot, seed ?? slot]))
  return withNames(bracket, (slot) => {
    const seed = seeds.get(slot) ?? slot
    return origins?.[seed - 1] ?? words('draw.seed-number', { seed })
  })
}

/** The place of a group that each seed is for, the best first. Mates of one group meet as late as the tree allows. (D68) */
function originsOf(bracket: NewBracketWithMatches, wish: Wish, other: ListedBracket): readonly string[] {
  const groups = groupsIn(other)
  const members = Array.from({ length: awaited(wish, other) }, (_, at) => ({
    level: Math.floor(at / groups) + 1,
    group: at % groups,
  }))
  const isTree = bracket.format === 'single_elimination' || bracket.format === 'double_elimination'
  const order =
    isTree && groups > 1 ? separateGroups(members, bracket.settings.seedOrdering) : members.map((_, at) => at)
  return order.map((at) => {
    const { level = at + 1, group = 0 } = members[at] ?? {}
    return groups === 1
      ? words('draw.place-of', { place: level })
      : words('draw.place-of-group', { place: level, group: groupName(group) })
  })
}
