import { cleanText } from './text.ts'

/** Checks and cleans parsed JSON of requests, before any schema sees it. (D9) */

export interface BodyLimits {
  /** How deep objects and arrays may be nested; a flat object has depth 1. */
  readonly maxDepth: number
  /** Maximum number of values in the whole body, containers included. */
  readonly maxNodes: number
  /** Whether valid strings stay unchanged. */
  readonly keepsTexts?: true
}

export type NormalisedBody =
  | { readonly ok: true; readonly value: unknown }
  /** `path` is like `additionalFields[2].label`, empty for the body itself; `reason` ends a sentence that begins with it. */
  | { readonly ok: false; readonly path: string; readonly reason: string }

type Container = Record<string | number, unknown>

/** A container being walked: its keys, the number of keys done, and its place. */
interface Frame {
  readonly container: Container
  readonly keys: readonly string[] | null
  readonly length: number
  readonly parent: Frame | null
  next: number
}

const defaultLimits: BodyLimits = { maxDepth: 16, maxNodes: 20_000 }
const control = /\p{Cc}/u
/** Longer names are cut, which keeps the refusal readable. */
const maxNameShown = 60

/**
 * Cleans every string of a parsed JSON value and refuses what no body may hold: deep nesting, too many values, names
 * that reach an object's prototype, contain control characters or are not valid Unicode, and numbers beyond a double.
 * (D9)
 *
 * With `keepsTexts`, strings are refused or stay as they are.
 *
 * Changes containers in place, so the caller must own the value. Walks in document order and without recursion, so
 * hostile depth costs no stack. Names are checked but not cleaned, because a cleaned name could collide with another
 * one.
 */
export function normaliseBody(value: unknown, limits: BodyLimits = defaultLimits): NormalisedBody {
  const holder: Container = { body: value }
  const root: Frame = { container: holder, keys: ['body'], length: 1, parent: null, next: 0 }
  let frame: Frame | null = root
  let depth = 0
  let nodes = 0
  while (frame !== null) {
    if (frame.next === frame.length) {
      frame = frame.parent
      depth--
      continue
    }
    const key = frame.keys?.[frame.next] ?? frame.next
    frame.next++
    const reason: string | null = ++nodes > limits.maxNodes ? tooMany(limits) : clean(frame, key, limits)
    if (reason !== null) return { ok: false, path: pathOf(frame), reason }
    const child: Frame | null = enter(frame, key)
    if (child === null) continue
    if (++depth > limits.maxDepth) return { ok: false, path: pathOf(frame), reason: tooDeep(limits) }
    frame = child
  }
  return { ok: true, value: holder.body }
}

function tooMany(limits: BodyLimits): string {
  return `is too large; a body may hold at most ${limits.maxNodes} values`
}

function tooDeep(limits: BodyLimits): string {
  return `is nested too deeply; at most ${limits.maxDepth} levels are allowed`
}

/** Cleans the value under a key; returns what is wrong with the key or the value, or null. */
function clean({ container, keys }: Frame, key: string | number, { keepsTexts }: BodyLimits): string | null {
  const value = container[key]
  if (keys !== null && typeof key === 'string') {
    const fault = nameFault(key, value)
    if (fault !== null) return fault
  }
  if (typeof value === 'string') {
    const cleaned = cleanText(value)
    if (!cleaned.ok) return cleaned.reason
    if (!keepsTexts) container[key] = cleaned.value
    return null
  }
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'must be a number within the range of a double'
  return typeof value === 'boolean' || typeof value === 'object' ? null : 'must be a JSON value'
}

function nameFault(name: string, value: unknown): string | null {
  if (name === '__proto__') return 'is not an allowed name'
  // If merged into another object, this pair would reach the prototype that all objects of a class share.
  if (name === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype')) return 'is not an allowed name'
  if (!name.isWellFormed()) return 'has a name that is not valid Unicode'
  return control.test(name) ? 'has a name with control characters' : null
}

function isObject(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function enter(parent: Frame, key: string | number): Frame | null {
  const container = parent.container[key]
  if (!isObject(container)) return null
  const keys = Array.isArray(container) ? null : Object.keys(container)
  return { container, keys, length: keys?.length ?? Number(container.length), parent, next: 0 }
}

/** The path of the value that a frame looked at last. */
function pathOf(frame: Frame): string {
  const parts: string[] = []
  for (let at = frame; at.parent !== null; at = at.parent) parts.push(partOf(at))
  return parts.toReversed().join('').replace(/^\./, '')
}

function partOf({ keys, next }: Frame): string {
  const name = keys?.[next - 1]
  if (name === undefined) return `[${next - 1}]`
  if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) && name.length <= maxNameShown) return `.${name}`
  return `[${JSON.stringify(name.slice(0, maxNameShown)).replace(/\p{Cc}/gu, '')}]`
}

/** A copy of a parsed JSON value with `change` applied to its strings and to the names of its members. */
export function withTexts<T>(value: T, change: (text: string) => string): T
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [change(name), withTexts(member as unknown, change)]),
  )
}
