import type { SceneDocument } from '../../../src/engine/scenes/document.ts'
import type { Around } from '../../../src/engine/scenes/formatters.ts'
import { type LiveTree, liveTree, type PlayerScore } from '../../../src/engine/scenes/live.ts'
import { inOrder } from '../../../src/engine/scenes/order.ts'
import type { Bound, ControlState, DataTree, TreeMap } from '../../../src/engine/scenes/tree.ts'
import { readPath, type Tree } from '../../../src/engine/scenes/values.ts'
import { colorOf, type Variables } from './props.ts'

/** Joins the four parts of an overlay to the tree that scenes are bound to. (overlays: Data tree) */

type Root = { readonly [name: string]: Tree | undefined }

/** The values that a list adds for each of its items. */
export interface Item {
  readonly item: Tree
  /** Counts from 1. */
  readonly index: number
}

/** Everything that elements read in one frame. */
export interface Reading {
  readonly bound: Bound
  readonly variables: Variables
  readonly around: Around
  /** The colours of the two sides, in the order in which they are shown. */
  readonly sideColors: readonly [string, string]
  read(path: string, items: readonly Item[]): Tree | undefined
  /** Milliseconds since the value at the path changed; null when it has not changed. */
  sinceChange(path: string, items: readonly Item[]): number | null
}

/** Used when neither the team nor the document has a colour. */
const defaultColors = ['#ffb454', '#82b4ff'] as const

interface Seen {
  json: string
  changedAt: number | null
}

/** More paths than a scene of the largest document can have. */
const mostSeen = 5_000

export class Joined {
  document: SceneDocument | null = null
  control: ControlState | null = null
  data: DataTree | null = null
  values: Readonly<Record<string, PlayerScore>> = {}
  readonly #seen = new Map<string, Seen>()

  /** Null until all parts that the picture needs have come. (OV17) */
  reading(now: number): Reading | null {
    const { document, control, data } = this
    if (document === null || control === null || data === null) return null
    const variables = document.variables ?? {}
    const bound: Bound = {
      ...data,
      live: this.#live(data),
      casters: control.casters,
      control,
      variables,
      time: new Date(now).toISOString(),
    }
    const sideColors = [sideColor(bound, variables, 0), sideColor(bound, variables, 1)] as const
    const byNumber = [1, 2].map((side) => sideColors[shownAt(bound, side)] ?? null)
    const around = { now, timezone: data.tournament.timezone, colors: byNumber }
    const read = (path: string, items: readonly Item[]) =>
      readPath([...(items as unknown as readonly Root[]), bound as unknown as Root], path)
    return {
      bound,
      variables,
      around,
      sideColors,
      read,
      sinceChange: (path, items) => this.#sinceChange(path, items, read(path, items), now),
    }
  }

  /** Forgets past changes, because the overlay was pointed at another match. */
  forget(): void {
    this.#seen.clear()
  }

  #live(data: DataTree): LiveTree | null {
    return liveTree(this.values, {
      sides: data.sides.map(({ number, players }) => ({ number, players: players.map(({ guid }) => guid) })),
      songLength: data.map?.durationSeconds ?? null,
      scoreToBeat: data.games.at(-1)?.scoreToBeat ?? null,
    })
  }

  #sinceChange(path: string, items: readonly Item[], value: Tree | undefined, now: number): number | null {
    const key = [path, ...items.map(({ index }) => index)].join(' ')
    const json = JSON.stringify(value) ?? ''
    const seen = this.#seen.get(key)
    if (seen === undefined) {
      if (this.#seen.size < mostSeen) this.#seen.set(key, { json, changedAt: null })
      return null
    }
    if (seen.json !== json) {
      seen.json = json
      seen.changedAt = now
    }
    return seen.changedAt === null ? null : now - seen.changedAt
  }
}

/** The place of a side among the shown ones, which may be swapped. */
export function shownAt(bound: Pick<Bound, 'sides'>, side: number): number {
  const index = bound.sides.findIndex(({ number }) => number === side)
  return index === -1 ? side - 1 : index
}

/** Whether two maps are the same: a song in another difficulty or characteristic is another map. */
export function isSameMap(one: TreeMap, other: TreeMap): boolean {
  if (one.guid !== null && other.guid !== null) return one.guid === other.guid
  return one.hash === other.hash && one.difficulty === other.difficulty && one.characteristic === other.characteristic
}

function sideColor(bound: Bound, variables: Variables, index: 0 | 1): string {
  const own = variables.useTeamColors === true ? colorOf(bound.sides[index]?.team?.color, variables) : null
  return own ?? colorOf(`var(side${index + 1})`, variables) ?? defaultColors[index]
}

/** The visible scene: the requested one, else the one of the control state, else the first. (OV12) */
export function shownScene(document: SceneDocument, control: ControlState, asked: string | null): string | null {
  const has = (id: string | null): id is string => id !== null && Object.hasOwn(document.scenes, id)
  if (has(asked)) return asked
  if (has(control.scene)) return control.scene
  return inOrder(document.scenes)[0]?.[0] ?? null
}
