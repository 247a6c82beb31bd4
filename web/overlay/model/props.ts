import { numberOf, type Tree, textOf } from '../../../src/engine/scenes/values.ts'

/** Reads members of an element safely: a value of the wrong type counts as missing. (OV1) */

export type Props = Readonly<Record<string, unknown>>

export type Variables = Readonly<Record<string, string | number | boolean>>

export function text(props: Props, name: string, otherwise = ''): string {
  const found = props[name]
  return found === undefined || found === null ? otherwise : textOf(found as Tree)
}

export function number(props: Props, name: string, otherwise: number, least = -1e6, most = 1e6): number {
  const found = numberOf(props[name] as Tree | undefined)
  return found === null ? otherwise : Math.max(least, Math.min(most, found))
}

export function maybeNumber(props: Props, name: string): number | null {
  return numberOf(props[name] as Tree | undefined)
}

export function flag(props: Props, name: string, otherwise = false): boolean {
  const found = props[name]
  if (typeof found === 'boolean') return found
  if (found === undefined || found === null) return otherwise
  return found !== 0 && found !== '' && found !== 'false'
}

export function oneOf<const Name extends string>(
  props: Props,
  name: string,
  names: readonly Name[],
  otherwise: NoInfer<Name>,
): Name {
  return names.find((each) => each === props[name]) ?? otherwise
}

export function list(props: Props, name: string): readonly unknown[] {
  const found = props[name]
  return Array.isArray(found) ? found : []
}

export function record(props: Props, name: string): Props {
  const found = props[name]
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Props) : {}
}

const hex = /^#[0-9a-f]{6}([0-9a-f]{2})?$/i
const variable = /^var\(([a-z][A-Za-z0-9]{0,31})\)$/

/** `#rrggbb`, `#rrggbbaa`, or the value of a variable of the document in this form; null for anything else. */
export function colorOf(value: unknown, variables: Variables): string | null {
  if (typeof value !== 'string') return null
  if (hex.test(value)) return value
  const name = variable.exec(value)?.[1]
  const held = name !== undefined && Object.hasOwn(variables, name) ? variables[name] : null
  return typeof held === 'string' && hex.test(held) ? held : null
}

/** The colour with its opacity multiplied by `share`, from 0 to 1. */
export function faded(color: string, share: number): string {
  const own = color.length === 9 ? Number.parseInt(color.slice(7), 16) / 255 : 1
  const alpha = Math.round(own * share * 255)
  return `${color.slice(0, 7)}${alpha.toString(16).padStart(2, '0')}`
}

/** Black or white, whichever is easier to read on a colour. (WCAG 2.2: relative luminance) */
export function readableOn(color: string): '#0b0f0e' | '#ffffff' {
  const channel = (at: number) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
  return luminance > 0.22 ? '#0b0f0e' : '#ffffff'
}
