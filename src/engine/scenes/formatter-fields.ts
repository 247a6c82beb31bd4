import { datePatterns, formatters } from './formatters.ts'
import type { Plain } from './values.ts'

/**
 * The arguments of each formatter by their names, in order: the editor makes its fields from them, and what a document
 * gives is checked by them. An argument that is missing or null is the usual one. (OV3)
 */

export type FormatField = { readonly name: string } & (
  | { readonly kind: 'whole' | 'number'; readonly least: number; readonly most: number; readonly usual: number }
  | { readonly kind: 'yesNo'; readonly usual: boolean }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly usual?: string }
  /** Any plain value; it is shown as text. */
  | { readonly kind: 'text' }
)

const decimals = (usual: number) => ({ name: 'decimals', kind: 'whole', least: 0, most: 6, usual }) as const
const text = (name: string) => ({ name, kind: 'text' }) as const

const fields: Readonly<Record<string, readonly FormatField[]>> = {
  number: [decimals(0), { name: 'grouping', kind: 'yesNo', usual: true }],
  percent: [decimals(2)],
  signed: [decimals(0)],
  date: [{ name: 'pattern', kind: 'choice', choices: Object.keys(datePatterns), usual: 'dateTime' }, text('zone')],
  case: [{ name: 'letters', kind: 'choice', choices: ['upper', 'lower', 'title'] }],
  truncate: [{ name: 'length', kind: 'whole', least: 0, most: 2_000, usual: 20 }],
  prefix: [text('before')],
  suffix: [text('after')],
  template: [text('template')],
  map: [text('from1'), text('to1'), text('from2'), text('to2'), text('from3'), text('to3')],
  default: [text('otherwise')],
  logShare: [{ name: 'scale', kind: 'number', least: 1, most: 1e9, usual: 1_000 }],
}

/** Undefined if there is no such formatter. */
export function fieldsOf(formatter: string): readonly FormatField[] | undefined {
  if (!Object.hasOwn(formatters, formatter)) return undefined
  return Object.hasOwn(fields, formatter) ? fields[formatter] : []
}

/** Why an argument is refused, as the rest of a sentence; null if the formatter takes it. */
export function argumentFault(field: FormatField | undefined, given: Plain): string | null {
  if (field === undefined) return 'is more than the formatter takes'
  if (given === null) return null
  switch (field.kind) {
    case 'whole':
    case 'number': {
      const fits =
        typeof given === 'number' &&
        given >= field.least &&
        given <= field.most &&
        (field.kind === 'number' || Number.isInteger(given))
      const kind = field.kind === 'whole' ? 'a whole number' : 'a number'
      return fits ? null : `must be ${kind} from ${field.least} to ${field.most}`
    }
    case 'yesNo':
      return typeof given === 'boolean' ? null : 'must be true or false'
    case 'choice':
      return field.choices.some((each) => each === given) ? null : `must be one of ${field.choices.join(', ')}`
    case 'text':
      return null
  }
}
