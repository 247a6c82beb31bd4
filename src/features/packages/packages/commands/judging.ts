import type { TObject, TSchema } from 'typebox'
import { shortIdFault } from '../../../../core/ids.ts'
import type { Effects } from '../../../../core/operation.ts'
import { Problem } from '../../../../core/problem.ts'
import { webAddressFault } from '../../../../core/web.ts'
import type { Flow } from '../../../../engine/flows/flow.ts'
import { readSettings, type SettingsInput, settingNames } from '../../../../engine/settings.ts'
import type { Format } from '../../../../engine/types.ts'
import { judgeFlow } from '../../../flows/flows/prepare.ts'
import { rowFault } from '../rules.ts'
import type { Row } from '../store/kind.ts'
import type { ReadRow } from './reading.ts'

/** Whether the operations of the service could have written a row. (P6) */

type Services = Pick<Effects['services'], 'threads'>

/** What settings of brackets depend on is at least this. */
const fewestEntrants = 2

interface Judged {
  readonly member: string
  readonly words: string
}

/**
 * @param schema of the rows in the variant of the package
 * @param entrants the number of entrants of each bracket
 * @throws Problem `package.row`
 */
export async function judgeRow(
  { name, schema }: { readonly name: string; readonly schema: TObject },
  { line, row }: ReadRow,
  { services, entrants }: { readonly services: Services; readonly entrants: ReadonlyMap<unknown, number> },
): Promise<void> {
  const fault = textFault(schema, row) ?? (await ruleFault(name, row, services, entrants))
  if (fault !== null) throw rowFault({ kind: name, line, member: fault.member }, fault.words)
}

function textFault({ properties }: TObject, row: Row): Judged | null {
  for (const [member, of] of Object.entries(properties)) {
    const words = faultIn(of, row[member])
    if (words !== null) return { member, words }
  }
  return null
}

type Parts = {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly 'x-personal'?: string
}

/** What is wrong with a text at any depth, as the end of a sentence. */
function faultIn(schema: TSchema, value: unknown): string | null {
  const { properties = {}, items, anyOf = [], 'x-personal': personal } = schema as Parts
  if (typeof value === 'string') {
    const own = textFaultOf(personal, value)
    return own ?? anyOf.map((each) => faultIn(each, value)).find((words) => words !== null) ?? null
  }
  if (Array.isArray(value)) return first(items === undefined ? [] : value.map((each) => faultIn(items, each)))
  if (typeof value !== 'object' || value === null) return null
  const members = Object.entries(properties).map(([name, of]) => faultIn(of, (value as Row)[name]))
  return first([...members, ...anyOf.map((each) => faultIn(each, value))])
}

const first = (faults: readonly (string | null)[]) => faults.find((words) => words !== null) ?? null

function textFaultOf(personal: string | undefined, text: string): string | null {
  return personal === 'link' && text !== '' ? webAddressFault(text) : null
}

async function ruleFault(
  kind: string,
  row: Row,
  { threads }: Services,
  entrants: ReadonlyMap<unknown, number>,
): Promise<Judged | null> {
  switch (kind) {
    case 'tournament': {
      const words = shortIdFault(String(row.id))
      return words === null ? timezoneFault(row) : { member: 'id', words }
    }
    case 'timeline':
      return timesFault(row)
    case 'votes':
    case 'comments':
      return targetFault(row)
    case 'sheets':
      return timezoneFault(row)
    case 'brackets':
      return faultOf('settings', () => readSettings(row.format as Format, settingsOf(row), entrantsOf(row, entrants)))
    case 'flows':
      return await flowFault(row, threads)
    default:
      return null
  }
}

/** An event does not end before it begins. */
function timesFault({ startTime, endTime }: Row): Judged | null {
  const isLate = typeof endTime === 'string' && Date.parse(endTime) < Date.parse(String(startTime))
  return isLate ? { member: 'endTime', words: 'must not be before startTime' } : null
}

/** A vote or a comment is about a map of a pool, or about a suggestion. */
function targetFault({ poolMapGuid, suggestionGuid }: Row): Judged | null {
  const hasNone = poolMapGuid == null && suggestionGuid == null
  return hasNone ? { member: 'poolMapGuid', words: 'must be a GUID, since there is no suggestion' } : null
}

function timezoneFault({ timezone }: Row): Judged | null {
  return faultOf('timezone', () => new Intl.DateTimeFormat('en', { timeZone: String(timezone) }))
}

/** The settings that the format reads; the others have their defaults. */
function settingsOf({ format, settings }: Row): SettingsInput {
  const read: readonly string[] = settingNames[format as Format] ?? []
  return Object.fromEntries(Object.entries(settings as Row).filter(([name]) => read.includes(name)))
}

function entrantsOf({ guid }: Row, entrants: ReadonlyMap<unknown, number>): number {
  return Math.max(fewestEntrants, entrants.get(guid) ?? 0)
}

async function flowFault({ definition }: Row, threads: Services['threads']): Promise<Judged | null> {
  const member = 'definition'
  try {
    const { valid } = await judgeFlow(threads, definition as Flow)
    return valid ? null : { member, words: 'is a flow that cannot be played' }
  } catch (error) {
    if (error instanceof Problem) throw error
    return { member, words: 'is no flow' }
  }
}

function faultOf(member: string, read: () => unknown): Judged | null {
  try {
    read()
    return null
  } catch (error) {
    return {
      member,
      words: error instanceof Problem ? `cannot be: ${error.message.replace(/\.$/, '')}` : 'is not known',
    }
  }
}
