import { type Static, Type } from 'typebox'
import { invalid } from '../problem.ts'

/** What a package says about itself. (P2) */

export const packageFormat = 'downbeat-tournament'
/** A newer minor version only adds members, kinds and files. */
export const packageVersion = '1.0'
const major = 1

const Count = Type.Integer({ minimum: 0 })
const Text = Type.String()

const ListedFile = Type.Object({
  path: Text,
  bytes: Count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** The file was left out of the package. */
  omitted: Type.Optional(Type.Literal(true)),
})
export type ListedFile = Static<typeof ListedFile>

export const Manifest = Type.Object({
  format: Type.Literal(packageFormat),
  version: Type.String({ pattern: '^\\d{1,6}\\.\\d{1,6}$' }),
  variant: Type.Union([Type.Literal('public'), Type.Literal('full'), Type.Literal('anonymised')]),
  private: Type.Boolean(),
  service: Type.Object({ name: Text, url: Type.Union([Text, Type.Null()]), release: Text }),
  tournament: Type.Object({ guid: Text, id: Text, name: Text }),
  /** The newest instant of any row. */
  stateAt: Type.Union([Text, Type.Null()]),
  /** The number of rows of each kind. */
  counts: Type.Record(Type.String(), Count),
  /** Every file but the manifest and its signature. */
  files: Type.Array(ListedFile),
})
export type Manifest = Static<typeof Manifest>

/** @throws Problem `package.version` `package.content` */
export async function readManifest(text: string): Promise<Manifest> {
  const value = parsed(text)
  const { format, version } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (format !== packageFormat) throw invalid('package.version', `This is no package of the format ${packageFormat}.`)
  if (typeof version !== 'string' || Number(version.split('.')[0]) !== major) {
    throw invalid('package.version', `The package is of version ${String(version).slice(0, 20)}; ${major} can be read.`)
  }
  const { Value } = await import('typebox/value')
  if (Value.Check(Manifest, value)) return value
  const [fault] = Value.Errors(Manifest, value)
  throw invalid('package.content', `manifest.json: ${fault?.instancePath ?? ''} ${fault?.message ?? 'is wrong'}.`, {
    path: 'manifest.json',
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('package.content', 'manifest.json is not JSON.', { path: 'manifest.json' })
  }
}
