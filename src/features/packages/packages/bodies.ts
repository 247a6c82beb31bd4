import { type Static, Type } from 'typebox'
import { oneOf } from '../../../core/schema.ts'
import { importModes, importParts } from './types.ts'

/** Fields of the form next to the file. They may also be given in the query. (P6) */
export const importMembers = {
  mode: Type.Optional(
    oneOf(importModes, {
      description:
        '`copy`: a draft of the caller, with new GUIDs. `restore`: the same tournament again, for owners and developers.',
    }),
  ),
  id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Short id of the copy, which needs one.', examples: ['spring-cup-2'] }),
  ),
  parts: Type.Optional(
    oneOf(importParts, {
      description: 'Of a copy: `all` unless given; `setup` is what can be there before anybody signs up.',
    }),
  ),
  trust: Type.Optional(
    Type.Boolean({ description: 'Restore a package that is whole, but signed by a key that is not known here.' }),
  ),
  dryRun: Type.Optional(Type.Boolean({ description: 'Does everything but keep it.' })),
}

export const ImportBody = Type.Object(importMembers)
export type ImportBody = Static<typeof ImportBody>
