import type { DivisionWithBrackets } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { PoolPlan } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useDivisions, useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'

/** Which matches use which pool, by the plan of the tournament. */

export const planAddress = (tournament: string) => address('/tournaments/{tournament}/pool-plan', { tournament })

export interface Planned {
  readonly plan: PoolPlan | undefined
  readonly divisions: readonly DivisionWithBrackets[]
}

export function usePlan(): Planned {
  const tournament = useTournamentId()
  const may = useMay()
  const plan = useRead(planAddress(tournament), { live: true, enabled: may('plans.read') }).data
  return { plan, divisions: useDivisions().data ?? [] }
}

/** Of a bracket with its division, where there are several. */
export const bracketName = (
  divisions: readonly DivisionWithBrackets[],
  division: DivisionWithBrackets,
  name: string,
) => (divisions.length > 1 ? `${division.name}, ${name}` : name)

/** What each pool is for, by its GUID, in words. */
export function usesOf({ plan, divisions }: Planned): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>()
  const add = (pool: string | null, use: string) => {
    if (pool !== null) uses.set(pool, [...(uses.get(pool) ?? []), use])
  }
  if (plan === undefined) return uses
  const nameOf = new Map(
    divisions.flatMap((division) =>
      division.brackets.map(({ guid, name }) => [guid, bracketName(divisions, division, name)] as const),
    ),
  )
  const roundOf = new Map<string, string>(
    divisions.flatMap(({ brackets }) =>
      brackets.flatMap(({ guid, rounds }) =>
        rounds.map(({ section, number, name }) => [`${guid} ${section}:${number}`, name] as const),
      ),
    ),
  )
  add(plan.default, words('poolers.use-default'))
  for (const { bracketGuid, poolGuid, rounds } of plan.brackets) {
    const name = nameOf.get(bracketGuid) ?? words('poolers.use-bracket')
    add(poolGuid, name)
    const byPool = Object.groupBy(Object.entries(rounds), ([, pool]) => pool)
    for (const [pool, those = []] of Object.entries(byPool))
      add(
        pool,
        words('poolers.use-rounds', {
          name,
          rounds: those.map(([key]) => roundOf.get(`${bracketGuid} ${key}`) ?? key).join(', '),
        }),
      )
  }
  for (const [pool, those = []] of Object.entries(Object.groupBy(plan.matches, ({ poolGuid }) => poolGuid)))
    add(pool, words('poolers.use-matches', { count: those.length }))
  return uses
}
