import { isBindable } from './bindable.ts'
import { type Condition, maxDepth, type Test } from './conditions.ts'
import type { Binding, ElementType } from './document.ts'

/**
 * Rules for documents that the schema cannot express: parents, bindings and the depth of conditions.
 * (OV2, OV4, OV7, OV11)
 */

/** A fault at one place in a document. */
export interface Fault {
  /** JSON pointer (RFC 6901); empty for the document itself. */
  readonly pointer: string
  /** The rest of a sentence whose subject is what the pointer names. */
  readonly words: string
}

/** The most faults in one response. (overlays: Operations) */
export const maxFaults = 50

export function pointerTo(...names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The members of an element that the check of parents needs. */
export interface Placed {
  readonly type: ElementType
  readonly parent?: string | null
}

/**
 * A parent must be a group or a list of the same scene, and no element may be inside itself, directly or through
 * others. (OV11)
 */
export function parentFaults(elements: ReadonlyMap<string, Placed>): { readonly id: string; readonly words: string }[] {
  const faults: { id: string; words: string }[] = []
  for (const [id, { parent }] of elements) {
    if (parent === undefined || parent === null) continue
    const found = elements.get(parent)
    if (found === undefined) faults.push({ id, words: 'is of no element of the scene' })
    else if (found.type !== 'group' && found.type !== 'list') faults.push({ id, words: 'must be of a group or a list' })
  }
  for (const id of inCycles(elements)) faults.push({ id, words: 'puts the element into itself' })
  return faults
}

/** Finds the elements in cycles. Elements that are known to lead to an end are not walked again. */
function inCycles(elements: ReadonlyMap<string, Placed>): string[] {
  const ends = new Set<string>()
  const cycles: string[] = []
  for (const start of elements.keys()) {
    const way: string[] = []
    const seen = new Set<string>()
    let at: string | null | undefined = start
    while (at !== null && at !== undefined && !ends.has(at) && !seen.has(at)) {
      seen.add(at)
      way.push(at)
      at = elements.get(at)?.parent
    }
    if (at !== null && at !== undefined && seen.has(at)) cycles.push(...way.slice(way.indexOf(at)))
    for (const id of way) ends.add(id)
  }
  return cycles
}

/**
 * Bindings and conditions may only use properties that are bindable for the type. Conditions have a limited depth.
 * (OV2, OV4)
 */
export function elementFaults(element: {
  readonly type: ElementType
  readonly bindings?: Readonly<Record<string, Binding>>
  readonly conditions?: Readonly<Record<string, Condition>>
}): Fault[] {
  const faults: Fault[] = []
  const refuse = (property: string) =>
    `is ${quoted(property)}, which cannot be bound in elements of type ${element.type}`
  for (const [id, { property }] of Object.entries(element.bindings ?? {})) {
    if (!isBindable(element.type, property))
      faults.push({ pointer: pointerTo('bindings', id, 'property'), words: refuse(property) })
  }
  for (const [id, { when, set }] of Object.entries(element.conditions ?? {})) {
    if (isDeeper(when, maxDepth))
      faults.push({ pointer: pointerTo('conditions', id, 'when'), words: `is deeper than ${maxDepth} tests` })
    for (const property of Object.keys(set)) {
      if (!isBindable(element.type, property))
        faults.push({ pointer: pointerTo('conditions', id, 'set', property), words: refuse(property) })
    }
  }
  return faults
}

function isDeeper(test: Test, most: number): boolean {
  if (most === 0) return true
  if ('all' in test) return test.all.some((each) => isDeeper(each, most - 1))
  if ('any' in test) return test.any.some((each) => isDeeper(each, most - 1))
  return 'not' in test && isDeeper(test.not, most - 1)
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
