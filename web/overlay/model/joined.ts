import type { SceneDocument } from '../../../src/engine/scenes/document.ts'
import type { Around } from '../../../src/engine/scenes/formatters.ts'
import { type LiveTree, liveTree, type PlayerScore } from '../../../src/engine/scenes/live.ts'
import { inOrder } from '../../../src/engine/scenes/order.ts'
import type { Bound, ControlState, DataTree, TreeMap } from '../../../src/engine/scenes/tree.ts'
import { readPath, type Tree } from '../../../src/engine/scenes/values.ts'
import { colorOf, type Variables } from './props.ts'

/** The four parts of an overlay, joined to what scenes are bound to. (overlays: Data tree) */

type Root = { readonly [name: string]: Tree | undefined }

/** What a list adds for each of its items. */
export interface Item {
  readonly item: Tree
  /** From 1 on, as people count. */
  readonly index: number
}

/** Everything that elements read while a frame is made. */
export interface Reading {
  readonly bound: Bound
  readonly variables: Variables
  readonly around: Around
  /** Of the two sides in the order in which they are shown. */
  readonly sideColors: readonly [string, string]
  read(path: string, items: readonly Item[]): Tree | undefined
  /** Milliseconds since what stands there has changed; null while it has not. */
  sinceChange(path: string, items: readonly Item[]): number | null
}

/** Where neither the team nor the document has one. */
const usualColors = ['#ffb454', '#82b4ff'] as const

interface Seen {
  json: string
  changedAt: number | null
}

/** More than a scene of the largest document can name. */
const mostSeen = 5_000

export class Joined {
  document: SceneDocument | null = null
  control: ControlState | null = null
  data: DataTree | null = null
  values: Readonly<Record<string, PlayerScore>> = {}
  readonly #seen = new Map<string, Seen>()

  /** null before all has come that a picture is made of. (OV17) */
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

  /** Pointed elsewhere, what has changed before says nothing. */
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

/** Where a side of the match stands among those that are shown, which may have been swapped. */
export function shownAt(bound: Pick<Bound, 'sides'>, side: number): number {
  const index = bound.sides.findIndex(({ number }) => number === side)
  return index === -1 ? side - 1 : index
}

/** A pool may have a song in several difficulties, and each of these in several characteristics: they are maps of their own. */
export function isSameMap(one: TreeMap, other: TreeMap): boolean {
  if (one.guid !== null && other.guid !== null) return one.guid === other.guid
  return one.hash === other.hash && one.difficulty === other.difficulty && one.characteristic === other.characteristic
}

function sideColor(bound: Bound, variables: Variables, index: 0 | 1): string {
  const own = variables.useTeamColors === true ? colorOf(bound.sides[index]?.team?.color, variables) : null
  return own ?? colorOf(`var(side${index + 1})`, variables) ?? usualColors[index]
}

/** The scene that is to be seen: the one asked for, else what controllers show, else the first. (OV12) */
export function shownScene(document: SceneDocument, control: ControlState, asked: string | null): string | null {
  const has = (id: string | null): id is string => id !== null && Object.hasOwn(document.scenes, id)
  if (has(asked)) return asked
  if (has(control.scene)) return control.scene
  return inOrder(document.scenes)[0]?.[0] ?? null
}
