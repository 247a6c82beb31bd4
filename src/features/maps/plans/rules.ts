import { normaliseGuid } from '../../../core/ids.ts'
import { conflict, invalid } from '../../../core/problem.ts'
import { checkTargets, type Nameable } from '../../brackets/brackets/rules/targets.ts'
import type { PoolSource } from '../../brackets/qualifiers/rules/pool-maps.ts'
import type { QualifierStatus } from '../../brackets/qualifiers/types.ts'
import type { Pool, WholePoolMap } from '../pools/types.ts'
import type { PlanEntry, PoolPlan } from './types.ts'

/** A plan as the request gives it. */
export interface PlanInput {
  readonly default?: string | null
  readonly brackets?: readonly {
    readonly bracketGuid: string
    readonly poolGuid?: string | null
    readonly rounds?: Readonly<Record<string, string>>
  }[]
  readonly matches?: readonly { readonly matchGuid: string; readonly poolGuid: string }[]
}

/** The records that a plan may name. */
export interface Plannable extends Nameable {
  /** The pools of the tournament. */
  readonly pools: readonly Pick<Pool, 'guid' | 'kind'>[]
}

/** A plan as it is stored. */
export interface Planned {
  readonly default: string | null
  readonly entries: readonly PlanEntry[]
}

/** Returns the plan's entries, with GUIDs in the spelling of the database. It does not check that they exist. */
export function entriesOf({ default: fallback, brackets = [], matches = [] }: PlanInput): Planned {
  const entries = [
    ...brackets.flatMap(({ bracketGuid, poolGuid, rounds = {} }) => {
      const ofBracket = (round: string | null, pool: string): PlanEntry => {
        return { matchGuid: null, bracketGuid: normaliseGuid(bracketGuid), round, poolGuid: normaliseGuid(pool) }
      }
      const whole = poolGuid == null ? [] : [ofBracket(null, poolGuid)]
      return [...whole, ...Object.entries(rounds).map(([round, pool]) => ofBracket(round, pool))]
    }),
    ...matches.map(({ matchGuid, poolGuid }): PlanEntry => {
      const pool = normaliseGuid(poolGuid)
      return { matchGuid: normaliseGuid(matchGuid), bracketGuid: null, round: null, poolGuid: pool }
    }),
  ]
  return { default: fallback == null ? null : normaliseGuid(fallback), entries }
}

/**
 * Checks that the plan names pools, brackets and matches of the tournament, each only once, that the pools are of kind
 * `match`, and that the round keys are keys that `bestOfByRound` may use. (pools: Which pool a match uses)
 * @throws Problem `pool_plan.invalid`
 */
export function checkPlan(input: PlanInput, { default: fallback, entries }: Planned, known: Plannable): void {
  checkTargets(input, entries, known, planInvalid)
  const kinds = new Map(known.pools.map(({ guid, kind }) => [guid, kind]))
  for (const guid of [...(fallback === null ? [] : [fallback]), ...entries.map(({ poolGuid }) => poolGuid)]) {
    const kind = kinds.get(guid)
    if (kind === undefined) throw planInvalid(`The tournament has no pool ${guid}; load its pools again.`)
    if (kind !== 'match') throw planInvalid(`The pool ${guid} is for the qualifier; name one for matches.`)
  }
}

export function planInvalid(message: string) {
  return invalid('pool_plan.invalid', message)
}

/**
 * Rejects a plan that is based on an old revision: when two heads edit the same plan, the first one wins.
 * (pools: Which pool a match uses)
 * @param plan the stored plan
 * @throws Problem `pool_plan.stale` with the stored plan
 */
export function checkPlanRevision(plan: PoolPlan, seen: number): void {
  if (seen === plan.revision) return
  throw conflict('pool_plan.stale', 'The plan has changed since it was loaded; look at it as it is, and try again.', {
    plan,
  })
}

export function isSamePlan(one: Planned, other: Planned): boolean {
  const keys = new Set(one.entries.map(keyOf))
  return (
    one.default === other.default &&
    keys.size === other.entries.length &&
    other.entries.every((entry) => keys.has(keyOf(entry)))
  )
}

function keyOf({ matchGuid, bracketGuid, round, poolGuid }: PlanEntry): string {
  return JSON.stringify([matchGuid, bracketGuid, round, poolGuid])
}

/** @param entries in the order in which they are shown */
export function planOf(revision: number, { default: fallback, entries }: Planned): PoolPlan {
  const ofBrackets = Map.groupBy(
    entries.filter(({ bracketGuid }) => bracketGuid !== null),
    ({ bracketGuid }) => bracketGuid ?? '',
  )
  return {
    revision,
    default: fallback,
    brackets: [...ofBrackets].map(([bracketGuid, ofBracket]) => ({
      bracketGuid,
      poolGuid: ofBracket.find(({ round }) => round === null)?.poolGuid ?? null,
      rounds: Object.fromEntries(
        ofBracket.flatMap(({ round, poolGuid }) => (round === null ? [] : [[round, poolGuid] as const])),
      ),
    })),
    matches: entries.flatMap(({ matchGuid, poolGuid }) => (matchGuid === null ? [] : [{ matchGuid, poolGuid }])),
  }
}

/** @throws Problem `pool.wrong_kind` */
export function checkForQualifier({ kind }: Pick<Pool, 'kind'>): void {
  if (kind === 'qualifier') return
  throw conflict('pool.wrong_kind', 'The pool is for matches; the qualifier takes its maps from one of kind qualifier.')
}

/**
 * A qualifier that is no draft takes only maps that everybody may see. Players could not play hidden maps, and anybody
 * who watches the other maps would see the hidden ones appear and disappear.
 * (pools: What outsiders see; Which pool a match uses)
 * @throws Problem `pool.not_published`
 */
export function checkShown(
  { status }: Pick<Pool, 'status'>,
  maps: readonly Pick<WholePoolMap, 'releasedAt'>[],
  qualifier: QualifierStatus,
): void {
  if (qualifier === 'draft') return
  if (status !== 'draft' && maps.every(({ releasedAt }) => releasedAt !== null)) return
  const words = status === 'draft' ? 'publish it' : 'release all of its maps'
  throw conflict(
    'pool.not_published',
    `The qualifier is ${qualifier}, and not everybody sees the pool; ${words} first.`,
  )
}

export function sourceOf({ guid, weight, map }: WholePoolMap): PoolSource {
  const { hash, difficulty, characteristic, name, artist, mapper, imageUrl, maxScore } = map
  return { guid, hash, difficulty, characteristic, name, artist, mapper, imageUrl, maxScore, weight }
}
