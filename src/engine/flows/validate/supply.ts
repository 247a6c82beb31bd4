import { type Action, completeFlow, isStep, type Step } from '../flow.ts'
import { maySame, type Token } from './actors.ts'
import type { PoolMapFacts } from './types.ts'

/**
 * Whether a pool has enough maps for all choices of a flow. Each choice is limited to a set of maps, and earlier
 * choices may have taken as many maps of this set as they could. (match-flows: Validation, `flow.too_few_maps`)
 */

/** A choice of maps on the longest way through a flow. */
export interface Choice {
  readonly step: Step
  readonly actors: readonly Token[]
  readonly key: string
  /** The most maps that the choice takes, and the fewest if times run out. */
  readonly takes: number
  readonly mustTake: number
  /** Whether a lapse may pass the choice to the opponent. */
  readonly mayPass: boolean
}

/** Maps that every step of the flow treats alike. */
interface Group {
  readonly flair: string | null
  readonly isTiebreaker: boolean
  maps: number
}

/** A set of maps that choices are limited to, and how many these choices have taken. */
interface Source {
  readonly groups: ReadonlySet<Group>
  readonly size: number
  taken: number
  mustTaken: number
}

interface Owner {
  readonly actors: readonly Token[]
  readonly mayPass: boolean
  times: number
}

export class Supply {
  readonly #groups: readonly Group[]
  readonly #sources = new Map<string, Source>()
  readonly #ofStep = new Map<Step, Source>()
  readonly #owners = new Map<string, Map<string, Owner>>()
  #earlier: ReadonlyMap<Action, number> = new Map()
  readonly #common = new Map<Source, Map<Source, number>>()
  #flairBans = 0
  #flairPick: Step | null = null

  constructor(pool: readonly PoolMapFacts[]) {
    const groups = new Map<string, Group>()
    for (const { flair, isTiebreaker } of pool) {
      const key = JSON.stringify([flair, isTiebreaker])
      const group = groups.get(key) ?? { flair, isTiebreaker, maps: 0 }
      group.maps += 1
      groups.set(key, group)
    }
    this.#groups = [...groups.values()]
  }

  /** The number of maps with a flair that the step may name that are left in the worst case. */
  flairsLeft(step: Step): number {
    const source = this.#sourceOf(step)
    return source.size - this.#usedBefore(source) - this.#excluded(source, noLimits)
  }

  flairBan(): void {
    this.#flairBans += 1
  }

  flairPick(step: Step): void {
    this.#flairPick = step
  }

  /**
   * Takes the maps of a choice. Returns how many maps of its source the pool has, and how many were left before the
   * choice in the worst and in the best case.
   */
  take(choice: Choice): { readonly size: number; readonly left: number; readonly mayBeLeft: number } {
    const source = this.#sourceOf(choice.step)
    const { size } = source
    const left = size - this.#usedBefore(source) - this.#excluded(source, choice)
    const mayBeLeft = size - this.#mustUsed(source)
    const isShut = this.#isShutByFlair(source, choice.step)
    source.taken += choice.takes
    source.mustTaken += choice.mustTake
    this.#remember(choice)
    this.#flairPick = null
    return { size, left: isShut ? 0 : left, mayBeLeft }
  }

  /** Takes the maps of a choice whose shortage was reported before. */
  takeShort(step: Step, takes: number): void {
    this.#sourceOf(step).taken += takes
    this.#flairPick = null
  }

  /** Takes one more map, which a tie rule may use up. */
  spare(): void {
    const source = this.#sourceOf(anyMap)
    source.taken += 1
  }

  /** The most maps that flair bans may have taken. */
  get bannedByFlair(): number {
    const flairs = Map.groupBy(
      this.#groups.filter(({ flair }) => flair !== null),
      ({ flair }) => flair,
    )
    return sumOfLargest(
      [...flairs.values()].map((groups) => groups.reduce((sum, { maps }) => sum + maps, 0)),
      this.#flairBans,
    )
  }

  #sourceOf(step: Step): Source {
    const known = this.#ofStep.get(step)
    if (known !== undefined) return known
    const { flairs, exceptFlairs, tiebreakers } = step.from
    const kind = isFlagged(step) ? 'flagged' : tiebreakers ? 'all' : 'plain'
    const isOfFlair = step.action === 'flair_ban' || step.action === 'flair_pick'
    const key = JSON.stringify([kind, isOfFlair, flairs?.toSorted() ?? null, exceptFlairs.toSorted()])
    const made = this.#sources.get(key) ?? this.#makeSource(step, kind)
    this.#sources.set(key, made)
    this.#ofStep.set(step, made)
    return made
  }

  #makeSource({ action, from: { flairs, exceptFlairs } }: Step, kind: 'flagged' | 'all' | 'plain'): Source {
    const isOfFlair = action === 'flair_ban' || action === 'flair_pick'
    // Flagged tiebreakers are taken in the order of the pool, whatever their flair.
    const groups = this.#groups.filter(({ flair, isTiebreaker }) => {
      if (kind === 'flagged') return isTiebreaker
      if (isTiebreaker && kind === 'plain') return false
      if (flair === null) return flairs === null && !isOfFlair
      return (flairs === null || flairs.includes(flair)) && !exceptFlairs.includes(flair)
    })
    return { groups: new Set(groups), size: sizeOf(groups), taken: 0, mustTaken: 0 }
  }

  /** The most maps of a source that earlier choices can have taken. */
  #usedBefore(source: Source): number {
    let used = 0
    for (const other of this.#sources.values()) used += Math.min(other.taken, this.#commonOf(source, other))
    return used
  }

  #mustUsed(source: Source): number {
    let used = 0
    for (const other of this.#sources.values()) {
      if (this.#commonOf(source, other) === other.size) used += other.mustTaken
    }
    return used
  }

  #commonOf(one: Source, other: Source): number {
    const known = this.#common.get(one)?.get(other)
    if (known !== undefined) return known
    const common = sizeOf([...one.groups].filter((group) => other.groups.has(group)))
    const ofOne = this.#common.get(one) ?? new Map<Source, number>()
    this.#common.set(one, ofOne.set(other, common))
    return common
  }

  /** The most maps that flair bans and limits may exclude: those of the flairs with the most maps. */
  #excluded(source: Source, { step, actors, mayPass }: Pick<Choice, 'step' | 'actors' | 'mayPass'>): number {
    if (isFlagged(step) || (step.limits.length === 0 && this.#flairBans === 0)) return 0
    const sizes = Map.groupBy(source.groups, ({ flair }) => flair)
    sizes.delete(null)
    const exceptions = new Set(step.limits.flatMap(({ except }) => except))
    const largest = [...sizes]
      .filter(([flair]) => this.#flairBans > 0 || flair === null || !exceptions.has(flair))
      .map(([, groups]) => sizeOf(groups))
    const { own, earlier } = this.#ownBefore(step, actors, mayPass)
    const isOfAll = step.limits.some(({ otherFlairThan }) => otherFlairThan === 'own_all')
    const excluding = isOfAll ? own + earlier : Math.min(own + earlier, 1)
    // An earlier choice that excludes its flair took one map of that flair, which is counted as used already.
    const most = Math.max(0, Math.min(own, excluding, largest.length - this.#flairBans - earlier))
    const counted = this.#allMeet(source) ? most : 0
    return sumOfLargest(largest, this.#flairBans + excluding) - counted
  }

  #allMeet(source: Source): boolean {
    return [...this.#sources.values()].every((other) => other.taken === 0 || this.#commonOf(source, other) > 0)
  }

  /** The number of choices of the same seat on the walk (`own`) and before it (`earlier`). */
  #ownBefore(
    step: Step,
    actors: readonly Token[],
    mayPass: boolean,
  ): { readonly own: number; readonly earlier: number } {
    if (step.limits.length === 0) return { own: 0, earlier: 0 }
    let own = 0
    for (const owner of this.#owners.get(step.action)?.values() ?? []) {
      if (mayPass || owner.mayPass || maySame(owner.actors, actors)) own += owner.times
    }
    return { own, earlier: this.#earlier.get(step.action) ?? 0 }
  }

  /** Records the choices that were made before the walk, by any seat. */
  remember(choices: ReadonlyMap<Action, number>): void {
    this.#earlier = choices
  }

  #remember({ step, actors, key, mayPass, takes }: Choice): void {
    if (step.action !== 'pick' && step.action !== 'ban') return
    const owners = this.#owners.get(step.action) ?? new Map<string, Owner>()
    this.#owners.set(step.action, owners)
    const known = owners.get(`${key} ${mayPass}`) ?? { actors, mayPass, times: 0 }
    known.times += takes
    owners.set(`${key} ${mayPass}`, known)
  }

  /** Whether the choice may have no legal map after a flair pick, because it is limited in another way as well. */
  #isShutByFlair(source: Source, step: Step): boolean {
    if (this.#flairPick === null) return false
    const pickedFrom = this.#flairPick.from
    if (step.limits.length > 0 || this.#flairBans > 0) return true
    if (pickedFrom.tiebreakers && !step.from.tiebreakers) return true
    const picked = this.#sourceOf(this.#flairPick)
    const flairs = new Set([...source.groups].map(({ flair }) => flair))
    return [...picked.groups].some(({ flair }) => flair !== null && !flairs.has(flair))
  }
}

export function isFlagged({ action, source }: Pick<Step, 'action' | 'source'>): boolean {
  return action === 'tiebreaker' && source !== 'last_left'
}

const [anyMap] = completeFlow({ steps: [{ action: 'random' }] }).steps.filter(isStep) as [Step]
const noLimits = { step: anyMap, actors: [], mayPass: false }

function sizeOf(groups: Iterable<Group>): number {
  let size = 0
  for (const { maps } of groups) size += maps
  return size
}

function sumOfLargest(sizes: readonly number[], count: number): number {
  return sizes
    .toSorted((one, other) => other - one)
    .slice(0, count)
    .reduce((sum, size) => sum + size, 0)
}
